/* A walk through the words of each line. */
#include "explore/mach_mutate.h"

#include "base/vec.h"
#include "machine/mach_words.h"
#include "pipeline/pipe_parse.h"

#include <stdlib.h>
#include <string.h>

/* Mutation operators: X(identifier, word, what it does). */
#define MUTATIONS(X)                                                                           \
    X(STATEMENT, "statement", "a statement is taken away")                                     \
    X(DURABLE, "durable", "`durable` stands a stage earlier, or later")                        \
    X(OPERATION, "operation", "an operation of an `on` line, or its `past`, is taken away")    \
    X(CONDITION, "condition", "a condition of a match is taken away")                          \
    X(ATTRIBUTE, "attribute", "an attribute is taken away; `merge` or `lines` is added")       \
    X(WORD, "word",                                                                            \
      "instances, an order, entries, a stage behind `past`, whom an `await` is for, a value, " \
      "which lines leave, or a placement become others")                                       \
    X(NUMBER, "number", "a number becomes the least, one less or one more")

enum kind {
#define X(identifier, ...) identifier,
    MUTATIONS(X)
#undef X
};

/* That a variable may have. */
struct value {
    const char *variable, *text;
};

struct walk {
    struct arena *arena;
    struct mach_words words; /* of the line */
    uint32_t count;          /* how many they are */
    const char *rule;
    struct span durable;      /* the line of that word, once it is found */
    struct span last_stage;   /* the stage before the line */
    VEC(const char *) stages; /* of the lines before */
    VEC(struct value) values; /* likewise */
    VEC(struct mutation) found;
};

/* ---- Changes ---- */

/* From one word up to another one, with it. */
static struct span span_of(const struct walk *walk, uint32_t first, uint32_t last)
{
    struct span span = walk->words.list[first].span;
    span.end_column = walk->words.list[last].span.end_column;
    return span;
}

/* With one space between words. */
static const char *text_of(struct walk *walk, uint32_t first, uint32_t last)
{
    struct strbuf out = {0};
    for (uint32_t word = first; word <= last; word++) {
        const struct span *span = &walk->words.list[word].span;
        if (word > first)
            strbuf_add_char(&out, ' ');
        strbuf_add(&out, mutation_text(walk->arena, span));
    }
    return strbuf_take(&out, walk->arena);
}

static void replace(struct walk *walk, enum kind kind, struct span place, const char *now,
                    const char *what)
{
    static const char *const words[] = {MUTATIONS(TABLE_SECOND)};
    const struct mutation mutation = {.word = words[kind],
                                      .rule = walk->rule,
                                      .place = place,
                                      .whole = place,
                                      .now = now,
                                      .what = what};
    VEC_PUSH(&walk->found, mutation);
}

static void become(struct walk *walk, enum kind kind, uint32_t word, const char *now)
{
    const char *was = text_of(walk, word, word);
    if (strcmp(was, now) != 0)
        replace(walk, kind, span_of(walk, word, word), now,
                arena_printf(walk->arena, "'%s' becomes '%s'", was, now));
}

static void drop(struct walk *walk, enum kind kind, uint32_t first, uint32_t last)
{
    replace(walk, kind, span_of(walk, first, last), "",
            arena_printf(walk->arena, "without '%s'", text_of(walk, first, last)));
}

static void drop_statement(struct walk *walk)
{
    drop(walk, STATEMENT, 0, walk->count - 1);
}

static bool is_at(const struct walk *walk, uint32_t word, const char *text)
{
    const struct mach_word *here = &walk->words.list[word];
    return word < walk->count && !here->quoted && strcmp(here->text, text) == 0;
}

/* The next such word from `from` on; the number of words: there is none. */
static uint32_t next(const struct walk *walk, uint32_t from, const char *text)
{
    while (from < walk->count && !is_at(walk, from, text))
        from++;
    return from;
}

/* ---- Numbers and words of keys ---- */

static void add_number(struct walk *walk, uint32_t number)
{
    const struct mutation *others = walk->found.items;
    const char *now = arena_printf(walk->arena, "%u", number);
    const uint32_t line = walk->words.line;
    if (number != strtoul(walk->words.list[2].text, NULL, 10) &&
        !ANY(i, walk->found.count, others[i].place.line == line && strcmp(others[i].now, now) == 0))
        become(walk, NUMBER, 2, now);
}

static void change_number(struct walk *walk, uint32_t least, uint32_t most)
{
    const uint32_t number = (uint32_t)strtoul(walk->words.list[2].text, NULL, 10);
    add_number(walk, least);
    if (number > least)
        add_number(walk, number - 1);
    if (number < most)
        add_number(walk, number + 1);
}

static void change_to_others(struct walk *walk, uint32_t word, const char *const *list,
                             size_t count)
{
    for (size_t i = 0; i < count; i++)
        become(walk, WORD, word, list[i]);
}

/* A placement of several numbers becomes a word. */
static void change_placement(struct walk *walk)
{
    const char *was = text_of(walk, 2, walk->count - 1);
    for (size_t i = 0; mach_placements[i]; i++)
        if (strcmp(was, mach_placements[i]) != 0)
            replace(walk, WORD, span_of(walk, 2, walk->count - 1), mach_placements[i],
                    arena_printf(walk->arena, "'%s' becomes '%s'", was, mach_placements[i]));
}

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static void change_key(struct walk *walk)
{
    static const char *const evictions[] = {MACH_EVICTIONS(TABLE_SECOND)};
    if (is_at(walk, 0, "entries"))
        change_number(walk, 1, MACH_PIPE_ENTRIES);
    if (is_at(walk, 0, "placement"))
        change_placement(walk);
#define X(key, initial, least, most) \
    if (is_at(walk, 0, #key))        \
        change_number(walk, least, most);
    MACH_NUMBERS(X)
#undef X
#define X(key, initial)       \
    if (is_at(walk, 0, #key)) \
        change_to_others(walk, 2, evictions, COUNT(evictions));
    MACH_EVICTION_KEYS(X)
#undef X
}

/* ---- Stages ---- */

static void add_attribute(struct walk *walk, const char *attribute)
{
    struct span end = span_of(walk, 0, walk->count - 1);
    const uint32_t when = next(walk, 6, MACH_PIPE_WORD(when));
    end.column = walk->words.list[when - 1].span.end_column;
    end.end_line = end.line;
    end.end_column = end.column;
    if (next(walk, 6, attribute) < walk->count)
        return;
    replace(walk, ATTRIBUTE, end, arena_printf(walk->arena, " %s", attribute),
            arena_printf(walk->arena, "with '%s'", attribute));
    VEC_LAST(&walk->found).place = walk->words.list[1].span;
}

/* Behind it: the line has the place of the stage, and the stage that of the line. */
static void exchange(struct walk *walk, struct span first, struct span second, struct span place,
                     const char *what)
{
    const struct span between = {first.source, first.end_line, first.end_column, second.line,
                                 second.column};
    struct span whole = first;
    whole.end_line = second.end_line;
    whole.end_column = second.end_column;
    replace(walk, DURABLE, whole,
            arena_printf(walk->arena, "%s%s%s", mutation_text(walk->arena, &second),
                         mutation_text(walk->arena, &between), mutation_text(walk->arena, &first)),
            what);
    VEC_LAST(&walk->found).place = place;
}

static const char *stage_of(struct walk *walk, const struct span *stage)
{
    char *text = arena_strdup(walk->arena, mutation_text(walk->arena, stage));
    char *name = text + strcspn(text, " \t");
    name += strspn(name, " \t");
    name[strcspn(name, " \t")] = 0;
    return name;
}

/* The first stage behind `durable` goes before it. */
static void delay_durable(struct walk *walk, struct span stage)
{
    const char *rule = walk->rule;
    walk->rule = "durable";
    exchange(walk, walk->durable, stage, walk->durable,
             arena_printf(walk->arena, "behind '%s'", stage_of(walk, &stage)));
    walk->rule = rule;
}

static bool is_attribute(const struct walk *walk, uint32_t word)
{
    static const char *const attributes[] = {
#define X(name) #name,
        MACH_PIPE_ATTRIBUTES(X)
#undef X
    };
    return ANY(i, COUNT(attributes), is_at(walk, word, attributes[i]));
}

static void change_attributes(struct walk *walk)
{
    const uint32_t when = next(walk, 6, MACH_PIPE_WORD(when));
    for (uint32_t word = 6; word < when; word++)
        if (is_attribute(walk, word))
            drop(walk, ATTRIBUTE, word, word);
    if (when < walk->count)
        drop(walk, ATTRIBUTE, when, walk->count - 1);
    add_attribute(walk, "merge");
    add_attribute(walk, "lines");
}

static void change_stage(struct walk *walk)
{
    static const char *const pers[] = {MACH_PIPE_PERS(TABLE_SECOND)};
    static const char *const orders[] = {MACH_PIPE_ORDERS(TABLE_SECOND)};
    const struct span stage = span_of(walk, 0, walk->count - 1);
    if (walk->durable.line && walk->last_stage.line < walk->durable.line)
        delay_durable(walk, stage);
    walk->last_stage = stage;
    walk->rule = text_of(walk, 0, 1);
    VEC_PUSH(&walk->stages, walk->words.list[1].text);
    drop_statement(walk);
    change_to_others(walk, 3, pers, COUNT(pers));
    change_to_others(walk, 5, orders, COUNT(orders));
    change_attributes(walk);
}

static void change_durable(struct walk *walk)
{
    walk->durable = span_of(walk, 0, 0);
    if (walk->last_stage.line)
        exchange(walk, walk->last_stage, walk->durable, walk->durable,
                 arena_printf(walk->arena, "before '%s'", stage_of(walk, &walk->last_stage)));
}

/* ---- Rules ---- */

/* Behind a condition that begins there: a word, or `not by TAG`. */
static uint32_t behind_condition(const struct walk *walk, uint32_t word)
{
    word += is_at(walk, word, MACH_PIPE_WORD(not ));
    return word + 1 +
           (is_at(walk, word, MACH_PIPE_WORD(by)) || is_at(walk, word, MACH_PIPE_WORD(at)));
}

/* A match without conditions is none. */
static void change_match(struct walk *walk, uint32_t from, uint32_t end)
{
    if (behind_condition(walk, from) >= end)
        return;
    for (uint32_t word = from, behind; word < end; word = behind) {
        behind = behind_condition(walk, word);
        drop(walk, CONDITION, word, behind - 1);
    }
}

/* Behind `past`: the stages behind that of the operation. */
static void change_past(struct walk *walk, uint32_t first, uint32_t behind)
{
    const uint32_t past = next(walk, first, MACH_PIPE_WORD(past));
    bool later = false;
    if (past >= behind)
        return;
    drop(walk, OPERATION, past, behind - 1);
    for (size_t i = 0; i < walk->stages.count; i++) {
        if (later)
            become(walk, WORD, past + 1, walk->stages.items[i]);
        later |= is_at(walk, past - 1, walk->stages.items[i]);
    }
}

/* `set V = W`: to the other values of the variable. */
static void change_set(struct walk *walk, uint32_t first)
{
    for (size_t i = 0; i < walk->values.count; i++)
        if (is_at(walk, first + 1, walk->values.items[i].variable))
            become(walk, WORD, first + 3, walk->values.items[i].text);
}

/* Which entries it takes: `drain own L2`. */
static void change_operation(struct walk *walk, uint32_t first, uint32_t behind)
{
    static const char *const whiches[] = {MACH_PIPE_WHICHES(TABLE_SECOND)};
    if (first + 1 < behind && ANY(i, COUNT(whiches), is_at(walk, first + 1, whiches[i])))
        change_to_others(walk, first + 1, whiches, COUNT(whiches));
    change_past(walk, first, behind);
    if (is_at(walk, first, mach_pipe_operations[MACH_PIPE_AWAIT]) && first + 1 < behind)
        change_to_others(walk, first + 1, mach_pipe_scopes, LIT_SCOPE_COUNT);
    if (is_at(walk, first, mach_pipe_operations[MACH_PIPE_SET]))
        change_set(walk, first);
}

/* With the semicolon behind the operation, or, of the last one, before it. */
static void drop_operation(struct walk *walk, uint32_t first, uint32_t behind, uint32_t colon)
{
    drop(walk, OPERATION, first, behind - 1);
    struct span *whole = &VEC_LAST(&walk->found).whole;
    if (behind < walk->count)
        whole->end_column = walk->words.list[behind].span.end_column;
    else if (first > colon + 1)
        whole->column = walk->words.list[first - 1].span.column;
}

static void change_rule(struct walk *walk)
{
    const uint32_t colon = next(walk, 1, ":");
    drop_statement(walk);
    change_match(walk, 1, colon);
    for (uint32_t first = colon + 1, behind; first < walk->count; first = behind + 1) {
        behind = next(walk, first, ";");
        drop_operation(walk, first, behind, colon);
        change_operation(walk, first, behind);
    }
}

/* ---- Lines ---- */

static void add_values(struct walk *walk)
{
    const struct mach_word *words = walk->words.list;
    for (uint32_t word = 3; word < walk->count; word += 2) {
        const struct value value = {words[1].text, words[word].text};
        VEC_PUSH(&walk->values, value);
    }
}

static void change_other(struct walk *walk)
{
    if (is_at(walk, 0, "variable"))
        add_values(walk);
    drop_statement(walk);
    if (is_at(walk, 0, "isolate") && walk->count > 1)
        drop(walk, ATTRIBUTE, 1, 1);
    if (is_at(walk, 0, "bypass") || is_at(walk, 0, "view"))
        change_match(walk, 2, walk->count);
}

static void change_line(struct walk *walk)
{
    const bool named =
        is_at(walk, 0, "variable") || is_at(walk, 0, "bypass") || is_at(walk, 0, "view");
    walk->rule = text_of(walk, 0, is_at(walk, 0, "on") ? next(walk, 1, ":") - 1 : named);
    if (is_at(walk, 1, "="))
        change_key(walk);
    else if (is_at(walk, 0, "stage"))
        change_stage(walk);
    else if (is_at(walk, 0, "durable"))
        change_durable(walk);
    else if (is_at(walk, 0, "on"))
        change_rule(walk);
    else
        change_other(walk);
}

/* The line of promises has other words, and no mutants. */
static void read_line(struct walk *walk, const char *line, size_t length)
{
    SCOPED(diag) unread = {0};
    const char *comment = memchr(line, '#', length);
    walk->words.diag = &unread;
    walk->words.line++;
    walk->count = 0;
    if (!words_cut(&walk->words, line, comment ? (size_t)(comment - line) : length))
        return;
    while (walk->words.list[walk->count].text)
        walk->count++;
    if (walk->count > 0)
        change_line(walk);
}

struct mutations mach_mutate(struct arena *arena, const struct mach_file *file)
{
    const struct source *source = file->source;
    struct walk walk = {.arena = arena, .words = {.arena = arena, .source = source}};
    for (const char *at = source->text, *end = at + source->length; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        read_line(&walk, at, (size_t)(stop - at));
        at = stop + 1;
    }
    const struct mutations mutations = {VEC_KEEP(arena, &walk.found), walk.found.count};
    VEC_FREE(&walk.found);
    VEC_FREE(&walk.stages);
    VEC_FREE(&walk.values);
    return mutations;
}
