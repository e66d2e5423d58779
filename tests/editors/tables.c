/* tables: what the program's own tables say of words, as JSON for editors/grammars.py:
 *
 *     {"rows":[[language,class,word,meaning],..],"models":[[kind,[name,..]],..],
 *      "known":{language:[word,..],..}}
 *
 * `rows` are those of src/lsp/lsp_words.def, `models` the names that models have from the program,
 * `known` the words that scanners and front ends read, each by the row that is found for it. */
#include "base/json.h"
#include "base/table.h"
#include "cat/cat_parse.h"
#include "cat/cat_resolve.h"
#include "exec/exec_basis.h"
#include "explore/mach_config.h"
#include "litmus/lit_dialect.h"
#include "litmus/lit_lower.h"
#include "litmus/lit_ptx.h"
#include "litmus/lit_words.h"
#include "lsp/lsp_words.h"
#include "mapping/mapping_read.h"
#include "pipeline/pipe_parse.h"

#include <stdio.h>
#include <string.h>

static struct strbuf out;
static enum lsp_language language; /* of the words that are added */

/* A word of letters; others are signs, or names of tokens for messages. */
static void add(const char *word)
{
    static const char parts[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    if (!*word || strspn(word, parts) != strlen(word))
        return;
    const struct lsp_word *row = lsp_word_find(language, word);
    emit_string(&out, NULL, row ? row->text : word);
}

static void add_all(const char *(*at)(size_t number))
{
    for (size_t i = 0; at(i); i++)
        add(at(i));
}

static void add_list(const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i])
            add(words[i]);
}

#define ADD_TABLE(...)                                     \
    do {                                                   \
        static const char *const words_[] = {__VA_ARGS__}; \
        add_list(words_, sizeof words_ / sizeof *words_);  \
    } while (0)

/* Tokens in capitals have no word of their own. */
static const char *litmus_token(size_t number)
{
    const char *name = lit_token_at(number);
    return !name || (*name >= 'a' && *name <= 'z') ? name : "";
}

static const char *cat_token(size_t number)
{
    const char *name = cat_token_at(number);
    return !name || (*name >= 'a' && *name <= 'z') ? name : "";
}

static void add_litmus(void)
{
    add_all(litmus_token);
    add_all(lit_keyword_at);
    add_all(lit_word_at);
    add_all(lit_primitive_at);
    add_all(lit_ptx_word_at);
    add_list(lit_ptx_writing.of_fence->scopes, LIT_SCOPE_COUNT);
    for (size_t i = 0; lit_dialect_at(i); i++)
        add(lit_dialect_at(i)->word);
    for (int verdict = LIT_OK; verdict <= LIT_UNDEFINED; verdict++)
        add(lit_verdict_text((enum lit_verdict)verdict));
}

static void add_cat(void)
{
    add_all(cat_token);
    ADD_TABLE(CAT_TESTS(TABLE_SECOND));
}

static void add_machine(void)
{
    add_all(mach_key_at);
    add_list(mach_placements, 2);
    ADD_TABLE(MACH_EVICTIONS(TABLE_SECOND));
    ADD_TABLE(MACH_PIPE_PERS(TABLE_SECOND) MACH_PIPE_ORDERS(TABLE_SECOND));
    ADD_TABLE(MACH_PIPE_KINDS(TABLE_SECOND) MACH_PIPE_OPERATIONS(TABLE_SECOND));
    ADD_TABLE(MACH_PIPE_WHICHES(TABLE_SECOND));
    ADD_TABLE(MACH_PIPE_ATTRIBUTES(TABLE_TEXT) MACH_PIPE_WORDS(TABLE_TEXT));
    add_list(mach_pipe_statements, mach_pipe_statement_count);
    add_list(mach_pipe_memory_orders, LIT_ORDER_SC + 1);
    add_list(mach_pipe_scopes, LIT_SCOPE_COUNT);
}

static void add_map(void)
{
    ADD_TABLE(MAPPING_WORDS(TABLE_TEXT));
}

static void add_known(const char *name, enum lsp_language of, void (*words)(void))
{
    language = of;
    emit_array(&out, name);
    words();
    emit_end(&out, ']');
}

static void add_names(const char *kind, const char *const *names, size_t count)
{
    emit_array(&out, NULL);
    emit_string(&out, NULL, kind);
    emit_array(&out, NULL);
    for (size_t i = 0; i < count; i++)
        emit_string(&out, NULL, names[i]);
    emit_end(&out, ']');
    emit_end(&out, ']');
}

static void add_models(void)
{
    static const char *const sets[] = {EXEC_SETS(TABLE_SECOND)},
                             *const relations[] = {EXEC_RELATIONS(TABLE_SECOND)},
                             *const reserved[] = {CAT_RESERVED(TABLE_SECOND)},
                             *const primitives[] = {CAT_PRIMITIVES(TABLE_SECOND)};
#define NAMES(kind, names) add_names(kind, names, sizeof(names) / sizeof *(names))
    emit_array(&out, "models");
    NAMES("SET", sets);
    NAMES("RELATION", relations);
    NAMES("RESERVED", reserved);
    NAMES("PRIMITIVE", primitives);
    emit_end(&out, ']');
}

static void add_rows(void)
{
    static const char *const rows[][4] = {
#define WORD(language, class, text, meaning) {#language, #class, text, meaning},
#include "lsp/lsp_words.def"
#undef WORD
    };
    emit_array(&out, "rows");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        emit_array(&out, NULL);
        for (int column = 0; column < 4; column++)
            emit_string(&out, NULL, rows[i][column]);
        emit_end(&out, ']');
    }
    emit_end(&out, ']');
}

int main(void)
{
    emit_object(&out, NULL);
    add_rows();
    add_models();
    emit_object(&out, "known");
    add_known("litmus", LSP_LITMUS, add_litmus);
    add_known("cat", LSP_CAT, add_cat);
    add_known("machine", LSP_MACHINE, add_machine);
    add_known("map", LSP_MAP, add_map);
    emit_end(&out, '}');
    emit_end(&out, '}');
    puts(strbuf_text(&out));
    strbuf_fini(&out);
    return 0;
}
