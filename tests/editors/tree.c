/* tree FILE...: parses each file with the tree-sitter grammar that it is linked with (LANGUAGE),
 * and says where one has what the grammar does not know. tree - prints the tree of standard input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

const TSLanguage *LANGUAGE(void);

enum { MOST_BYTES = 8 << 20 };

static TSTree *parse(TSParser *parser, FILE *file)
{
    static char text[MOST_BYTES];
    size_t length = fread(text, 1, sizeof text, file);
    return ts_parser_parse_string(parser, NULL, text, (uint32_t)length);
}

/* The first node with a fault that has none within. */
static TSNode fault_in(TSNode node)
{
    for (uint32_t i = 0; i < ts_node_child_count(node); i++)
        if (ts_node_has_error(ts_node_child(node, i)))
            return fault_in(ts_node_child(node, i));
    return node;
}

static bool is_right(TSParser *parser, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    TSTree *tree = parse(parser, file);
    TSNode root = ts_tree_root_node(tree);
    bool right = !ts_node_has_error(root);
    TSPoint at = ts_node_start_point(fault_in(root));
    if (!right)
        printf("failed: %s:%u:%u: found what the grammar does not know\n", path, at.row + 1,
               at.column + 1);
    ts_tree_delete(tree);
    fclose(file);
    return right;
}

int main(int argc, char **argv)
{
    TSParser *parser = ts_parser_new();
    int failed = 0;
    if (!ts_parser_set_language(parser, LANGUAGE()))
        return 2;
    if (argc == 2 && strcmp(argv[1], "-") == 0) {
        TSTree *tree = parse(parser, stdin);
        char *text = ts_node_string(ts_tree_root_node(tree));
        puts(text);
        free(text);
        ts_tree_delete(tree);
    } else {
        for (int i = 1; i < argc; i++)
            failed += !is_right(parser, argv[i]);
        printf("%d passed, %d failed\n", argc - 1 - failed, failed);
    }
    ts_parser_delete(parser);
    return failed > 0;
}
