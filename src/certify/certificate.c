/* A section is kept as three texts: the lines of its paths, its executions, and its trees. Of lines
 * that are the same the first is enough. */
#include "certify/certificate.h"

#include "base/each.h"
#include "base/hash.h"
#include "base/vec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A path and its name: runs that look alike have one. */
struct named {
    const struct exec_path *path;
    uint32_t number;
    const char *looks; /* as in its line */
};

typedef VEC(struct named) named_list;

/* One of the trees, as it stands there. */
struct line {
    UT_hash_handle hh;
};

/* A section that is whole: its first lines, and what stands below them. */
struct section {
    struct strbuf heads, lines;
};

struct certificate {
    struct strbuf done, paths, executions, trees, names;
    struct strbuf tree; /* the last one */
    struct line *lines; /* of the trees */
    bool is_undefined;  /* the section: it has no trees */
    bool is_told;
    struct arena arena; /* of the section */
    named_list *of;     /* per thread of the section */
    uint32_t threads, location_count;
    const struct exec_skeleton *skeleton;
    const char **initials; /* per location: its initial write, as in the lines */
    const char *lacks, *subject;
    size_t last;                    /* where the last execution begins */
    uint64_t leaves, leaves_before; /* of all trees; before the last one */
    struct arena whole;             /* of the whole certificate */
    VEC(const char *) heads;        /* the memories that sections are of */
    VEC(struct section) sections;
    size_t bytes; /* of all sections */
};

/* What is longer takes more time to check than it is worth. */
enum { MOST_BYTES = 32 << 20 };

struct certificate *certificate_new(void)
{
    struct certificate *c = base_realloc(NULL, sizeof *c);
    *c = (struct certificate){.lacks = NULL};
    arena_init(&c->arena);
    arena_init(&c->whole);
    return c;
}

static void forget_section(struct certificate *c)
{
    for (uint32_t t = 0; t < c->threads; t++)
        VEC_FREE(&c->of[t]);
    c->threads = 0;
    strbuf_clear(&c->paths);
    strbuf_clear(&c->executions);
    strbuf_clear(&c->trees);
    HASH_CLEAR(hh, c->lines);
    c->is_undefined = false;
    arena_rewind(&c->arena, (struct arena_mark){0});
}

void certificate_free(struct certificate *c)
{
    if (!c)
        return;
    forget_section(c);
    for (size_t i = 0; i < c->sections.count; i++) {
        strbuf_fini(&c->sections.items[i].heads);
        strbuf_fini(&c->sections.items[i].lines);
    }
    VEC_FREE(&c->sections);
    strbuf_fini(&c->done);
    strbuf_fini(&c->paths);
    strbuf_fini(&c->executions);
    strbuf_fini(&c->trees);
    strbuf_fini(&c->tree);
    strbuf_fini(&c->names);
    arena_fini(&c->arena);
    arena_fini(&c->whole);
    VEC_FREE(&c->heads);
    base_free(c);
}

void certificate_tell(struct certificate *c)
{
    c->is_told = true;
}

bool certificate_is_told(const struct certificate *c)
{
    return c->is_told;
}

/* Lines end, and the checker's fields are parted, by such characters. */
static bool is_of_one_line(const char *name)
{
    return !name[strcspn(name, "\t\n\r")];
}

static bool is_of_one_word(const char *model)
{
    return is_of_one_line(model) && !model[strcspn(model, " +")];
}

void certificate_begin(struct certificate *c, const char *test, const char *visibility,
                       const char *persistency, const char *options)
{
    if (!is_of_one_line(test) || !is_of_one_word(visibility) || !is_of_one_word(persistency))
        certificate_lack(c, "a file's name that the format has no form for");
    strbuf_printf(&c->done, "certificate 1\ntest %s\nmodels %s + %s\n", test, visibility,
                  persistency);
    if (*options)
        strbuf_printf(&c->done, "options %s\n", options);
    c->subject = arena_printf(&c->whole, "%s\t%s + %s%s%s", test, visibility, persistency,
                              *options ? " " : "", options);
}

const char *certificate_subject(const struct certificate *c)
{
    return c->subject;
}

static void add_text(struct strbuf *out, const struct strbuf *text)
{
    strbuf_add_bytes(out, strbuf_text(text), text->length);
}

const char *certificate_end(struct certificate *c)
{
    for (size_t i = 0; i < c->sections.count; i++) {
        add_text(&c->done, &c->sections.items[i].heads);
        add_text(&c->done, &c->sections.items[i].lines);
    }
    strbuf_add(&c->done, "done\n");
    return c->lacks ? NULL : strbuf_text(&c->done);
}

static void note_length(struct certificate *c)
{
    if (c->tree.length + c->trees.length + c->executions.length + c->bytes > MOST_BYTES)
        certificate_lack(c, "it is longer than 32 MiB");
}

void certificate_lack(struct certificate *c, const char *reason)
{
    if (!c->lacks)
        c->lacks = reason;
}

const char *certificate_lacks(const struct certificate *c)
{
    return c->lacks;
}

uint64_t certificate_leaves(const struct certificate *c)
{
    return c->leaves;
}

/* ---- Sections ---- */

/* " 0 1": the values that locations begin with. NULL: a section has them already. */
static const char *memory_of(struct certificate *c, const struct lit_program *program)
{
    struct strbuf memory = {0};
    for (uint32_t l = 0; l < program->location_count; l++)
        if (!program->locations[l].hidden)
            strbuf_printf(&memory, " %" PRId64, program->locations[l].init);
    strbuf_add_char(&memory, '\n');
    const char *text = strbuf_take(&memory, &c->whole);
    /* The first is the program's. */
    for (size_t i = 1; i < c->heads.count; i++)
        if (strcmp(c->heads.items[i], text) == 0)
            return NULL;
    VEC_PUSH(&c->heads, text);
    return text;
}

static void add_head(struct section *section, const char *kind, const char *memory)
{
    strbuf_add(&section->heads, kind);
    strbuf_add(&section->heads, memory);
}

/* "launch 1" and "end of P1" are .launch1 and .end1. */
static const char *initial_of(struct certificate *c, const struct lit_location *location)
{
    const char *name = location->name;
    return location->hidden ? arena_printf(&c->arena, "i:.%.*s%s", (int)strcspn(name, " "), name,
                                           name + strcspn(name, "0123456789"))
                            : arena_printf(&c->arena, "i:%s", name);
}

bool certificate_section(struct certificate *c, const struct lit_program *program)
{
    const char *memory = memory_of(c, program);
    struct section section = {{0}, {0}};
    if (!memory)
        return false;
    add_head(&section, c->sections.count ? "recovery" : "program", memory);
    VEC_PUSH(&c->sections, section);
    c->threads = program->thread_count;
    c->of = ARENA_ARRAY(&c->arena, named_list, c->threads);
    c->initials = ARENA_ARRAY(&c->arena, const char *, program->location_count);
    c->location_count = program->location_count;
    for (uint32_t l = 0; l < program->location_count; l++)
        c->initials[l] = initial_of(c, &program->locations[l]);
    return true;
}

void certificate_also(struct certificate *c, uint32_t number, const struct lit_program *program)
{
    const char *memory = memory_of(c, program);
    BASE_ASSERT(number < c->sections.count);
    if (!memory)
        return;
    add_head(&c->sections.items[number], "also", memory);
    c->bytes += strlen(memory);
}

void certificate_end_section(struct certificate *c)
{
    struct section *section = &c->sections.items[c->sections.count - 1];
    const struct strbuf *parts[] = {&c->paths, &c->executions, &c->trees};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        add_text(&section->lines, parts[i]);
    c->bytes += section->lines.length;
    forget_section(c);
}

/* ---- Paths ---- */

static void add_look(struct strbuf *out, const char *kind, uint32_t line)
{
    strbuf_add(out, kind);
    strbuf_add_char(out, ':');
    strbuf_add_number(out, line);
    strbuf_add_char(out, ' ');
}

static const char *looks_of(struct certificate *c, const struct exec_path *path)
{
    static const char *const kinds[] = {
#define X(name, word) word,
        EV_KINDS(X)
#undef X
    };
    static const char *const ends[] = {[EXEC_COMPLETE] = "end",
                                       [EXEC_AT_BARRIER] = "barrier",
                                       [EXEC_AT_AWAIT] = "await",
                                       [EXEC_AT_BOUND] = "bound",
                                       [EXEC_AT_FAULT] = "fault"};
    struct strbuf looks = {0};
    for (uint32_t i = 0; i < path->event_count; i++)
        add_look(&looks, kinds[path->events[i].kind], path->events[i].instr->span.line);
    strbuf_add(&looks, ends[path->end]);
    return strbuf_take(&looks, &c->arena);
}

/* The number of a name, with its line when it is new. */
static uint32_t name_of(struct certificate *c, const struct exec_path *path)
{
    const uint32_t thread = path->thread;
    named_list *list = &c->of[thread];
    uint32_t fresh = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].path == path)
            return list->items[i].number;
    struct named named = {path, LIT_NONE, looks_of(c, path)};
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].looks, named.looks) == 0)
            named.number = list->items[i].number;
        fresh = list->items[i].number >= fresh ? list->items[i].number + 1 : fresh;
    }
    if (named.number == LIT_NONE) {
        named.number = fresh;
        strbuf_printf(&c->paths, "path %" PRIu32 ".%" PRIu32 " %s\n", thread, fresh, named.looks);
    }
    VEC_PUSH(list, named);
    return named.number;
}

static void add_name(struct certificate *c, struct strbuf *out, const struct exec_path *path)
{
    uint32_t number = name_of(c, path); /* which may write a line */
    strbuf_add_char(out, ' ');
    strbuf_add_number(out, path->thread);
    strbuf_add_char(out, '.');
    strbuf_add_number(out, number);
}

/* A line of the trees. */
static void keep_line(struct certificate *c, const struct strbuf *text)
{
    struct line *line = NULL;
    if (c->is_undefined)
        return;
    HASH_FIND(hh, c->lines, text->text, text->length, line);
    if (line)
        return;
    line = ARENA_NEW(&c->arena, struct line);
    HASH_ADD_KEYPTR(hh, c->lines, arena_strndup(&c->arena, text->text, text->length), text->length,
                    line);
    strbuf_add_bytes(&c->trees, text->text, text->length);
    strbuf_add_char(&c->trees, '\n');
}

void certificate_never(struct certificate *c, const struct exec_path *const *paths, uint32_t count,
                       const struct exec_path *path, uint32_t read)
{
    struct strbuf line = {0};
    strbuf_add(&line, "never");
    for (uint32_t i = 0; i < count; i++)
        add_name(c, &line, paths[i]);
    strbuf_printf(&line, " : %" PRIu32 ".%" PRIu32, path->thread, read);
    keep_line(c, &line);
    strbuf_fini(&line);
    c->leaves++;
    note_length(c);
}

/* ---- Trees ---- */

static void add_event(const struct certificate *c, struct strbuf *out, uint32_t event)
{
    const struct ev *e = &c->skeleton->events[event];
    if (e->init) {
        strbuf_add(out, c->initials[e->location]);
        return;
    }
    strbuf_add_number(out, e->thread);
    strbuf_add_char(out, '.');
    strbuf_add_number(out, event - c->skeleton->first[e->thread]);
}

static void begin_tree(struct certificate *c, const struct exec_path *const *paths)
{
    strbuf_clear(&c->names);
    for (uint32_t t = 0; t < c->threads; t++)
        add_name(c, &c->names, paths[t]);
    strbuf_clear(&c->tree);
    strbuf_printf(&c->tree, "tree%s :", strbuf_text(&c->names));
    c->leaves_before = c->leaves;
}

void certificate_tree(struct certificate *c, const struct exec_skeleton *skeleton)
{
    c->skeleton = skeleton;
    begin_tree(c, skeleton->paths);
}

void certificate_end_tree(struct certificate *c)
{
    keep_line(c, &c->tree);
}

void certificate_read(struct certificate *c, uint32_t read, uint32_t count)
{
    strbuf_add(&c->tree, " r ");
    add_event(c, &c->tree, read);
    strbuf_add_char(&c->tree, ' ');
    strbuf_add_number(&c->tree, count);
}

void certificate_source(struct certificate *c, uint32_t write)
{
    strbuf_add_char(&c->tree, ' ');
    add_event(c, &c->tree, write);
}

static void add_order(struct strbuf *out, struct certificate_order order)
{
    strbuf_add_char(out, ' ');
    strbuf_add_char(out, order.tag);
    if (order.tag == 'w')
        strbuf_add_number(out, order.number);
}

void certificate_pair(struct certificate *c, struct certificate_order order, uint32_t a, uint32_t b,
                      uint32_t count)
{
    add_order(&c->tree, order);
    strbuf_add_char(&c->tree, ' ');
    add_event(c, &c->tree, a);
    strbuf_add_char(&c->tree, ' ');
    add_event(c, &c->tree, b);
    strbuf_add_char(&c->tree, ' ');
    strbuf_add_number(&c->tree, count);
}

void certificate_way(struct certificate *c, char way)
{
    strbuf_add_char(&c->tree, ' ');
    strbuf_add_char(&c->tree, way);
}

void certificate_leaf(struct certificate *c, const char *leaf)
{
    c->leaves++;
    strbuf_add_char(&c->tree, ' ');
    strbuf_add(&c->tree, leaf);
    note_length(c);
}

void certificate_lost(struct certificate *c, uint32_t check)
{
    c->leaves++;
    strbuf_add(&c->tree, " !");
    strbuf_add_number(&c->tree, check);
    note_length(c);
}

void certificate_shown_by(struct certificate *c, uint32_t event)
{
    BASE_ASSERT(c->is_told);
    strbuf_add_char(&c->tree, ',');
    add_event(c, &c->tree, event);
}

/* ---- Images ---- */

/* What stands behind the names. */
static const char *behind_names(struct certificate *c, const struct strbuf *line, size_t from,
                                const char *kind)
{
    size_t at = from + strlen(kind) + c->names.length + strlen(" :");
    BASE_ASSERT(at <= line->length);
    return arena_strndup(&c->arena, line->text + at, line->length - at);
}

struct certificate_text certificate_last_tree(struct certificate *c)
{
    return (struct certificate_text){behind_names(c, &c->tree, 0, "tree"),
                                     c->leaves - c->leaves_before};
}

const char *certificate_last_execution(struct certificate *c)
{
    return behind_names(c, &c->executions, c->last, "execution");
}

static void add_initial_image(const struct certificate *c, struct strbuf *out, const char *initial,
                              size_t length, const struct certificate_map *map)
{
    for (uint32_t l = 0; l < c->location_count; l++)
        if (strncmp(c->initials[l], initial, length) == 0 && !c->initials[l][length]) {
            strbuf_add(out, c->initials[map->locations[l]]);
            return;
        }
    BASE_UNREACHABLE("a location that is not the program's");
}

/* Adds the image of the event that the text begins with; returns what is behind it. */
static const char *add_event_image(const struct certificate *c, struct strbuf *out,
                                   const char *text, const struct certificate_map *map)
{
    const size_t digits = strspn(text, "0123456789");
    if (strncmp(text, "i:", 2) == 0) {
        const size_t length = strcspn(text, " <>|,\n");
        add_initial_image(c, out, text, length, map);
        return text + length;
    }
    if (!digits || text[digits] != '.')
        return text;
    strbuf_add_number(out, map->threads[strtoul(text, NULL, 10)]);
    return text + digits;
}

/* Events stand at the beginning of a word, or behind one of the marks. */
static void add_image(const struct certificate *c, struct strbuf *out, const char *text,
                      const struct certificate_map *map)
{
    bool begins = true;
    while (*text) {
        const char *behind = begins ? add_event_image(c, out, text, map) : text;
        if (behind == text)
            strbuf_add_char(out, *behind++);
        begins = strchr(" <>|:,", behind[-1]) && behind == text + 1;
        text = behind;
    }
}

void certificate_tree_image(struct certificate *c, const struct exec_path *const *paths,
                            struct certificate_text tree, const struct certificate_map *map)
{
    begin_tree(c, paths);
    add_image(c, &c->tree, tree.text, map);
    c->leaves += tree.leaves;
    keep_line(c, &c->tree);
    note_length(c);
}

void certificate_execution_image(struct certificate *c, const char *execution,
                                 const struct certificate_map *map)
{
    certificate_execution(c);
    add_image(c, &c->executions, execution, map);
}

/* ---- Executions ---- */

void certificate_execution(struct certificate *c)
{
    c->last = c->executions.length;
    strbuf_printf(&c->executions, "execution%s :", strbuf_text(&c->names));
}

void certificate_execution_source(struct certificate *c, uint32_t read, uint32_t write)
{
    strbuf_add_char(&c->executions, ' ');
    add_event(c, &c->executions, read);
    strbuf_add_char(&c->executions, '<');
    add_event(c, &c->executions, write);
}

void certificate_execution_pair(struct certificate *c, struct certificate_order order, uint32_t a,
                                char way, uint32_t b)
{
    add_order(&c->executions, order);
    strbuf_add_char(&c->executions, ':');
    add_event(c, &c->executions, a);
    strbuf_add_char(&c->executions, way);
    add_event(c, &c->executions, b);
}

void certificate_end_execution(struct certificate *c)
{
    strbuf_add_char(&c->executions, '\n');
}

void certificate_undefined(struct certificate *c)
{
    struct strbuf last = {0};
    strbuf_add(&last, strbuf_text(&c->executions) + c->last);
    strbuf_clear(&c->executions);
    strbuf_clear(&c->trees);
    c->is_undefined = true;
    strbuf_add_bytes(&c->executions, strbuf_text(&last), last.length);
    strbuf_fini(&last);
}
