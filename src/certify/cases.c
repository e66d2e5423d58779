#include "certify/cases.h"

#include <stdlib.h>
#include <string.h>

/* Trees of the enumerator are no deeper than their choices are many. */
enum { DEEPEST = 5000 };

/* `failed`: something that has to be there is not. Then nothing that is read counts. */
struct reader {
    struct arena *arena;
    struct cases *cases;
    const char *at; /* in the line */
    bool failed;
    VEC(const struct cases_path *) paths; /* of the section */
    const struct cases_tree *tree;        /* whose events are read */
};

const char *cases_word(enum cases_kind kind)
{
    static const char *const words[] = {
#define X(name, word) [CASES_##name] = word,
        CASES_KINDS(X)
#undef X
    };
    return words[kind];
}

void cases_fini(struct cases *cases)
{
    for (size_t i = 0; i < cases->sections.count; i++) {
        VEC_FREE(&cases->sections.items[i].memories);
        VEC_FREE(&cases->sections.items[i].trees);
    }
    VEC_FREE(&cases->sections);
}

/* ---- Words ---- */

/* The next word of the line; "" at its end. */
static const char *next(struct reader *r)
{
    const char *begin = r->at + strspn(r->at, " ");
    size_t length = strcspn(begin, " \n");
    r->at = begin + length;
    return arena_strndup(r->arena, begin, length);
}

static bool takes(struct reader *r, const char *word)
{
    const char *before = r->at;
    if (strcmp(next(r), word) == 0)
        return true;
    r->at = before;
    return false;
}

static uint32_t fail(struct reader *r)
{
    r->failed = true;
    return 0;
}

/* A number up to `end`, which is moved behind it. */
static uint32_t read_number(struct reader *r, const char **text, char end)
{
    char *behind;
    unsigned long number = strtoul(*text, &behind, 10);
    if (**text < '0' || **text > '9' || *behind != end || number > UINT32_MAX)
        return fail(r);
    *text = behind + (end != '\0');
    return (uint32_t)number;
}

static uint32_t next_number(struct reader *r)
{
    const char *word = next(r);
    return read_number(r, &word, '\0');
}

/* ---- Paths and events ---- */

static void count_alike(struct cases_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const bool alike =
                events[i].line == events[k].line && strcmp(events[i].kind, events[k].kind) == 0;
            events[i].of += alike;
            events[i].nth += alike && k <= i;
        }
}

static void read_path(struct reader *r)
{
    struct cases_path *path = ARENA_NEW(r->arena, struct cases_path);
    VEC(struct cases_event) events = {0};
    const char *word = path->name = next(r);
    path->thread = read_number(r, &word, '.');
    for (word = next(r); strchr(word, ':'); word = next(r)) {
        const size_t length = strcspn(word, ":");
        struct cases_event event = {.kind = arena_strndup(r->arena, word, length),
                                    .thread = path->thread};
        word += length + 1;
        event.line = read_number(r, &word, '\0');
        VEC_PUSH(&events, event);
    }
    path->ending = word;
    count_alike(events.items, events.count);
    path->count = (uint32_t)events.count;
    path->events = VEC_KEEP(r->arena, &events);
    VEC_FREE(&events);
    VEC_PUSH(&r->paths, path);
}

static const struct cases_path *find_path(struct reader *r, const char *name)
{
    for (size_t i = 0; i < r->paths.count; i++)
        if (strcmp(r->paths.items[i]->name, name) == 0)
            return r->paths.items[i];
    r->failed = true;
    return NULL;
}

/* "1.0" of the tree's path of work-item 1, or "i:x". */
static struct cases_event read_event(struct reader *r, const char *word)
{
    if (strncmp(word, "i:", 2) == 0)
        return (struct cases_event){.location = word + 2};
    const uint32_t thread = read_number(r, &word, '.'), number = read_number(r, &word, '\0');
    for (uint32_t i = 0; i < r->tree->count && !r->failed; i++) {
        const struct cases_path *path = r->tree->paths[i];
        if (path->thread == thread && number < path->count)
            return path->events[number];
    }
    fail(r);
    return (struct cases_event){.location = ""};
}

static struct cases_event next_event(struct reader *r)
{
    return read_event(r, next(r));
}

/* ---- Trees ---- */

static struct cases_node next_node(struct reader *r, uint32_t depth);

static void read_ways(struct reader *r, struct cases_node *node, uint32_t depth)
{
    VEC(struct cases_way) ways = {0};
    const uint32_t count = next_number(r);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        struct cases_way way = {.way = '\0'};
        if (node->kind == CASES_SOURCE)
            way.source = next_event(r);
        else
            way.way = *next(r);
        way.then = next_node(r, depth + 1);
        VEC_PUSH(&ways, way);
    }
    node->count = (uint32_t)ways.count;
    node->ways = VEC_KEEP(r->arena, &ways);
    VEC_FREE(&ways);
}

/* "!2", or "!2,0.1,1.0" of what is told. */
static struct cases_node read_lost(struct reader *r, const char *word)
{
    VEC(struct cases_event) shown = {0};
    const size_t length = strcspn(word, ",");
    const char *number = arena_strndup(r->arena, word + 1, length - 1);
    struct cases_node node = {.kind = CASES_LOST, .number = read_number(r, &number, '\0')};
    for (word += length; *word && !r->failed; word += strcspn(word, ",")) {
        word++;
        VEC_PUSH(&shown, read_event(r, arena_strndup(r->arena, word, strcspn(word, ","))));
    }
    node.shown_count = (uint32_t)shown.count;
    node.shown = VEC_KEEP(r->arena, &shown);
    VEC_FREE(&shown);
    return node;
}

/* What ends a case: a lost check, "v", "c", "k". */
static struct cases_node read_end(struct reader *r, const char *word)
{
    r->cases->ends++;
    if (*word == '!')
        return read_lost(r, word);
    if (!*word || word[1] || !strchr("vck", *word))
        fail(r);
    return (struct cases_node){.kind = *word == 'v'   ? CASES_VALUES
                                       : *word == 'c' ? CASES_CIRCLE
                                                      : CASES_NOTHING_NEW};
}

static struct cases_node next_node(struct reader *r, uint32_t depth)
{
    const char *word = next(r);
    struct cases_node node = {.kind = *word == 'r' ? CASES_SOURCE : CASES_ORDER, .order = *word};
    if (depth > DEEPEST || !*word || !strchr("rofw", *word)) {
        r->failed |= depth > DEEPEST;
        return read_end(r, word);
    }
    word++;
    if (node.order == 'w')
        node.number = read_number(r, &word, '\0');
    node.of = next_event(r);
    if (node.kind == CASES_ORDER)
        node.to = next_event(r);
    read_ways(r, &node, depth);
    return node;
}

static void read_tree(struct reader *r, bool never)
{
    struct cases_tree tree = {NULL, 0, {.kind = CASES_NEVER}};
    VEC(const struct cases_path *) paths = {0};
    while (!r->failed && !takes(r, ":"))
        VEC_PUSH(&paths, find_path(r, next(r)));
    tree.paths = VEC_KEEP(r->arena, &paths);
    tree.count = (uint32_t)paths.count;
    VEC_FREE(&paths);
    r->tree = &tree;
    if (r->failed || r->cases->sections.count == 0)
        fail(r);
    else if (never) {
        tree.node.of = next_event(r);
        r->cases->ends++;
    } else
        tree.node = next_node(r, 0);
    if (!r->failed)
        VEC_PUSH(&VEC_LAST(&r->cases->sections).trees, tree);
}

/* ---- The certificate ---- */

/* The section begins on this memory, or begins on it as well. */
static void add_memory(struct reader *r)
{
    const char *values = r->at + strspn(r->at, " ");
    VEC_PUSH(&VEC_LAST(&r->cases->sections).memories,
             arena_strndup(r->arena, values, strcspn(values, "\n")));
}

static void begin_section(struct reader *r, bool recovery)
{
    VEC_PUSH(&r->cases->sections, (struct cases_section){.recovery = recovery});
    VEC_CLEAR(&r->paths);
    add_memory(r);
}

/* Lines of other words say what is asked, which the caller knows. */
static void read_line(struct reader *r)
{
    const char *word = next(r);
    if (strcmp(word, "program") == 0 || strcmp(word, "recovery") == 0)
        begin_section(r, *word == 'r');
    else if (strcmp(word, "also") == 0 && r->cases->sections.count)
        add_memory(r);
    else if (strcmp(word, "path") == 0)
        read_path(r);
    else if (strcmp(word, "tree") == 0 || strcmp(word, "never") == 0)
        read_tree(r, *word == 'n');
    else if (strcmp(word, "execution") == 0 && r->cases->sections.count)
        VEC_LAST(&r->cases->sections).executions++;
}

bool cases_read(struct arena *arena, const char *certificate, struct cases *cases)
{
    struct reader r = {.arena = arena, .cases = cases, .at = certificate};
    *cases = (struct cases){.ends = 0};
    for (const char *line = certificate; *line && !r.failed; line += *line == '\n') {
        r.at = line;
        read_line(&r);
        line += strcspn(line, "\n");
    }
    VEC_FREE(&r.paths);
    return !r.failed && cases->sections.count > 0;
}
