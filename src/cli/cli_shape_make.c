#include "cli/cli_shape.h"

#include "generate/gen_chosen.h"
#include "generate/gen_cycle_test.h"
#include "generate/gen_shape.h"

#include <string.h>

struct shapes {
    struct cli_shaping *shaping;
    const struct gen_shape_question *question;
    enum gen_dialect dialect;
    uint64_t without_room; /* cycles that no test can be made of */
    struct gen_fault first;
};

static bool make_of_cycle(void *context, const struct gen_cycle *cycle,
                          const struct gen_closed *closed)
{
    struct shapes *s = context;
    struct arena *arena = &s->shaping->scratch;
    struct arena_mark mark = arena_mark(arena);
    struct gen_cycle_test made;
    struct gen_fault fault;
    if (gen_cycle_make(arena, s->question->vocabulary, s->dialect, cycle, closed, &made, &fault))
        cli_shape_take(s->shaping, &made.test);
    else if (s->without_room++ == 0)
        s->first = fault;
    arena_rewind(arena, mark);
    return true;
}

/* The words as they are in the documents, and the classics. */
static void list_words(struct cli_shaping *g, struct gen_vocabularies *all)
{
    gen_words_list(&g->summary);
    strbuf_add_char(&g->summary, '\n');
    gen_words_list_vocabularies(all, &g->summary);
    strbuf_add(&g->summary, "\n| name | words |\n|---|---|\n");
    for (const struct gen_classic *classic = gen_classics; classic->name; classic++)
        strbuf_printf(&g->summary, "| `%s` | `%s` |\n", classic->name, classic->words);
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void summarize(const struct shapes *s, const struct gen_shape_counts *counts)
{
    struct strbuf *out = &s->shaping->summary;
    uint64_t count = s->shaping->count;
    strbuf_printf(out, "%llu test%s", (unsigned long long)count, plural(count));
    if (counts->open)
        strbuf_printf(out, ", %llu choice%s of words that do not close",
                      (unsigned long long)counts->open, plural(counts->open));
    if (s->without_room)
        strbuf_printf(out, ", %llu cycle%s without a test: %s", (unsigned long long)s->without_room,
                      plural(s->without_room), s->first.text);
    strbuf_add_char(out, '\n');
}

/* The one that is named, that of the user's definition files, or the first that knows the words.
 * NULL with a diagnostic. */
static const struct gen_vocabulary *
choose_vocabulary(struct cli_shaping *g, struct gen_vocabularies *all, const char *words)
{
    const struct gen_vocabulary *chosen[GEN_MAX_VOCABULARIES];
    if (g->options->vocabulary) {
        g->settings.uses_count = 0; /* programs have what it names */
        return gen_vocabulary_read(all, g->options->vocabulary, &g->diag);
    }
    if (!g->settings.uses_count)
        return gen_shape_vocabulary(all, words);
    return gen_vocabularies_of(all, g->models, NULL, 0, false, chosen, &g->diag) ? chosen[0] : NULL;
}

void cli_shape_make(struct cli_shaping *g)
{
    enum { USUAL_SIZE = 4 };
    const struct ask_options *options = g->options;
    bool is_list = options->shape_list != NULL;
    struct gen_shape_question question = {
        .text = is_list ? options->shape_list : options->shape_words,
        .is_list = is_list,
        .size = options->shape_size ? options->shape_size : USUAL_SIZE,
        .threads = options->shape_threads,
        .option = is_list ? "--shape-from" : "--shape"};
    struct gen_shape_counts counts;
    struct shapes s = {.shaping = g, .question = &question};
    struct gen_vocabularies all = {.arena = &g->arena, .settings = &g->settings};
    if (strcmp(question.text, "help") == 0) {
        list_words(g, &all);
        return;
    }
    question.vocabulary = choose_vocabulary(g, &all, question.text);
    if (!question.vocabulary)
        return;
    s.dialect = options->dialect ? gen_dialect_find(options->dialect) : GEN_OPENCL;
    if (!gen_shape_each(&question, make_of_cycle, &s, &counts, &g->diag))
        return;
    if (g->count == 0 && s.without_room)
        gen_shape_tell(&question, &s.first, &g->diag);
    summarize(&s, &counts);
}
