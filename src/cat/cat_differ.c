/* Statements are compared by their texts, in the order in which the files are read. */
#include "cat/cat_differ.h"

#include "base/mutation.h"
#include "base/vec.h"
#include "cat/cat_mutate.h"
#include "cat/cat_parse.h"
#include "cat/cat_text.h"

#include <string.h>

/* A string, a name or a byte of another kind. */
struct word {
    const char *at;
    size_t length;
    struct span place;
};

typedef VEC(struct word) word_list;

struct statement {
    const char *name, *text;
    struct word *words; /* which say whether it is the same */
    size_t count;
    struct span place;
    bool nests; /* it has other statements within it */
    bool paired;
    bool kept;    /* where it stood, among all that are */
    size_t other; /* of a paired one its number on the other side */
};

typedef VEC(struct statement) statements;

const char *cat_difference_word(enum cat_difference_kind kind)
{
    static const char *const words[] = {CAT_DIFFERENCES(TABLE_SECOND)};
    return words[kind];
}

/* ---- Words ---- */

static void add_words(struct arena *arena, const struct span *place, word_list *into)
{
    uint32_t line = place->line, column = place->column;
    for (const char *at = mutation_text(arena, place), *behind; *at; at = behind) {
        behind = cat_text_behind_comment(at);
        const bool comment = behind != at, blank = strchr(" \t\r\n", *at) != NULL;
        if (!comment)
            behind = cat_text_behind_word(at);
        const size_t length = (size_t)(behind - at);
        const struct span word = source_advance(place->source, &line, &column, at, length);
        if (!comment && !blank)
            VEC_PUSH(into, (struct word){.at = at, .length = length, .place = word});
    }
}

static bool is_same_word(const struct word *a, const struct word *b)
{
    return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* How many words two statements begin with alike. */
static size_t count_first(const struct statement *a, const struct statement *b)
{
    size_t count = 0;
    while (count < a->count && count < b->count && is_same_word(&a->words[count], &b->words[count]))
        count++;
    return count;
}

/* How many they end with alike, behind these. */
static size_t count_last(const struct statement *a, const struct statement *b, size_t first)
{
    size_t count = 0;
    while (first + count < a->count && first + count < b->count &&
           is_same_word(&a->words[a->count - 1 - count], &b->words[b->count - 1 - count]))
        count++;
    return count;
}

static bool has_same_words(const struct statement *a, const struct statement *b)
{
    return a->count == b->count && count_first(a, b) == a->count;
}

/* ---- Statements ---- */

static bool nests(const struct cat_instr *instr)
{
    switch (instr->kind) {
    case CAT_INSTR_PROCEDURE:
    case CAT_INSTR_FORALL:
    case CAT_INSTR_MATCH:
    case CAT_INSTR_IF: return true;
    default: return false;
    }
}

static const char *name_of(struct arena *arena, const struct cat_instr *instr, const char *text)
{
    const struct cat_binding *first = instr->bindings.first;
    const char *name = instr->name ? instr->name : instr->callee;
    if (instr->kind == CAT_INSTR_INCLUDE)
        name = "include";
    else if (first && first->pattern->names.count)
        name = first->pattern->names.first->text;
    return name ? arena_strdup(arena, name) : arena_strndup(arena, text, strcspn(text, " ("));
}

static void add_statements(struct arena *arena, const struct cat_variants *variants,
                           const struct source *source, statements *into)
{
    SCOPED(arena) scratch = {0};
    SCOPED(diag) diag = {0};
    struct intern *names = intern_new();
    const struct cat_file *file = cat_parse_file(&scratch, names, variants, source, &diag);
    for (const struct cat_instr *at = file->instrs.first; at; at = at->next) {
        const char *text = cat_mutate_shown(arena, &at->whole);
        word_list found = {.count = 0};
        add_words(arena, &at->whole, &found);
        VEC_PUSH(into, (struct statement){.name = name_of(arena, at, text),
                                          .text = text,
                                          .words = VEC_KEEP(arena, &found),
                                          .count = found.count,
                                          .place = at->whole,
                                          .nests = nests(at)});
        VEC_FREE(&found);
    }
    intern_free(names);
}

/* A file that is read twice says nothing new, and what both have is the same. */
static bool is_earlier(const struct cat_sources *files, size_t count, const struct source *source)
{
    return ANY(i, count, strcmp(files->items[i]->name, source->name) == 0);
}

static bool has_same(const struct cat_sources *files, const struct source *source)
{
    return ANY(i, files->count,
               strcmp(files->items[i]->name, source->name) == 0 &&
                   strcmp(files->items[i]->text, source->text) == 0);
}

static void add_files(struct arena *arena, const struct cat_variants *variants,
                      const struct cat_sources *files, const struct cat_sources *others,
                      statements *into)
{
    for (size_t i = 0; i < files->count; i++)
        if (!is_earlier(files, i, files->items[i]) && !has_same(others, files->items[i]))
            add_statements(arena, variants, files->items[i], into);
}

/* ---- Pairs of them ---- */

static bool is_same(const struct statement *a, const struct statement *b, bool by_text)
{
    return !a->paired && !b->paired && strcmp(a->name, b->name) == 0 &&
           (!by_text || has_same_words(a, b));
}

static void pair_one(const statements *before, statements *after, size_t number, bool by_text)
{
    struct statement *now = &after->items[number];
    for (size_t i = 0; i < before->count; i++) {
        struct statement *was = &before->items[i];
        if (!is_same(was, now, by_text))
            continue;
        was->paired = now->paired = true;
        was->other = number;
        now->other = i;
        return;
    }
}

/* Equal texts first. */
static void pair_all(const statements *before, statements *after)
{
    for (int by_text = 1; by_text >= 0; by_text--)
        for (size_t i = 0; i < after->count; i++)
            if (!after->items[i].paired)
                pair_one(before, after, i, by_text);
}

/* How long a run can stand behind the statement that has this number on the other side. Of each
 * length `heads` has the statement that such a run begins with; these numbers fall. */
static size_t length_before(const statements *after, const size_t *heads, size_t count,
                            size_t other)
{
    size_t from = 0, to = count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (after->items[heads[middle]].other > other)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Marks as many as possible that stand in the order that they stood in; the first ones where
 * there is a choice. */
static void mark_kept(statements *after)
{
    SCOPED(arena) scratch = {0};
    size_t *heads = ARENA_ARRAY(&scratch, size_t, after->count + 1);
    size_t *next = ARENA_ARRAY(&scratch, size_t, after->count + 1);
    size_t count = 0;
    for (size_t i = after->count; i-- > 0;) {
        if (!after->items[i].paired)
            continue;
        const size_t behind = length_before(after, heads, count, after->items[i].other);
        next[i] = behind ? heads[behind - 1] : 0;
        heads[behind] = i;
        count = behind == count ? count + 1 : count;
    }
    for (size_t i = count ? heads[count - 1] : 0; count > 0; i = next[i], count--)
        after->items[i].kept = true;
}

typedef VEC(struct cat_difference) differences;

static void add(differences *found, enum cat_difference_kind kind, const struct statement *was,
                const struct statement *now)
{
    struct cat_difference difference = {.kind = kind, .rule = now ? now->name : was->name};
    if (was) {
        difference.places[0] = was->place;
        difference.texts[0] = was->text;
    }
    if (now) {
        difference.places[1] = now->place;
        difference.texts[1] = now->text;
    }
    VEC_PUSH(found, difference);
}

/* Do a word and the one before it stand on one line? */
static bool is_joined(const struct statement *of, size_t number)
{
    return number > 0 && number < of->count &&
           of->words[number - 1].place.end_line == of->words[number].place.line;
}

/* Of words `first` up to `end`, which the other side has not, all of their lines are told. */
static void narrow(struct arena *arena, const struct statement *of, size_t first, size_t end,
                   struct cat_difference *difference, int side)
{
    while (is_joined(of, first))
        first--;
    while (is_joined(of, end))
        end++;
    struct span place = of->words[first < of->count ? first : of->count - 1].place;
    if (end > first) {
        place.end_line = of->words[end - 1].place.end_line;
        place.end_column = of->words[end - 1].place.end_column;
    }
    difference->texts[side] = end > first ? cat_mutate_shown(arena, &place) : "";
    difference->places[side] = place;
}

static void add_changed(struct arena *arena, const struct statement *was,
                        const struct statement *now, differences *found)
{
    const size_t first = count_first(was, now), last = count_last(was, now, first);
    add(found, CAT_DIFFERENCE_CHANGED, was, now);
    if (!was->nests || !now->nests)
        return;
    narrow(arena, was, first, was->count - last, &VEC_LAST(found), 0);
    narrow(arena, now, first, now->count - last, &VEC_LAST(found), 1);
}

static void look_at(struct arena *arena, const statements *before, const statements *after,
                    size_t number, differences *found)
{
    const struct statement *now = &after->items[number];
    const struct statement *was = now->paired ? &before->items[now->other] : NULL;
    if (!was)
        add(found, CAT_DIFFERENCE_ADDED, NULL, now);
    else if (!has_same_words(was, now))
        add_changed(arena, was, now, found);
    else if (!now->kept)
        add(found, CAT_DIFFERENCE_MOVED, was, now);
}

struct cat_differences cat_differ(struct arena *arena, const struct cat_variants *variants,
                                  const struct cat_sources *old_files,
                                  const struct cat_sources *new_files)
{
    statements before = {.count = 0}, after = {.count = 0};
    differences found = {.count = 0};
    add_files(arena, variants, old_files, new_files, &before);
    add_files(arena, variants, new_files, old_files, &after);
    pair_all(&before, &after);
    mark_kept(&after);
    for (size_t i = 0; i < after.count; i++)
        look_at(arena, &before, &after, i, &found);
    EACH_IN (const struct statement, was, before)
        if (!was->paired)
            add(&found, CAT_DIFFERENCE_REMOVED, was, NULL);
    struct cat_differences differ = {VEC_KEEP(arena, &found), found.count};
    VEC_FREE(&before);
    VEC_FREE(&after);
    VEC_FREE(&found);
    return differ;
}
