/* What became of a share of the mutants, from one process to another. Each has the same mutants. */
#include "cli/cli_mutate.h"

#include "base/clock.h"
#include "base/pack.h"

static void pack_known(struct strbuf *out, const char *text)
{
    pack_number(out, text != NULL);
    pack_text(out, text ? text : "");
}

static const char *unpack_known(struct unpack *from, struct arena *arena)
{
    bool known = unpack_number(from);
    const char *text = unpack_copy(from, arena);
    return known ? text : NULL;
}

/* Texts of a mutant, in one order for both ways. */
enum { TEXTS = 12 };

static void find_texts(struct report_mutant *mutant, const char **texts[TEXTS])
{
    struct report_survey_test *smallest = &mutant->smallest;
    const char **all[TEXTS] = {&mutant->pair,        &mutant->test,        &mutant->file,
                               &mutant->verdicts[0], &mutant->verdicts[1], &mutant->why,
                               &mutant->name,        &smallest->line,      &smallest->litmus,
                               &smallest->kind,      &smallest->state,     &mutant->difference};
    for (size_t i = 0; i < TEXTS; i++)
        texts[i] = all[i];
}

static void pack_mutant(struct report_mutant mutant, struct strbuf *out)
{
    const char **texts[TEXTS];
    find_texts(&mutant, texts);
    pack_number(out, (uint64_t)mutant.fate);
    pack_number(out, mutant.allows_more);
    pack_number(out, mutant.unencoded);
    pack_number(out, mutant.smallest.undefined);
    pack_number(out, mutant.smallest.size);
    for (size_t i = 0; i < TEXTS; i++)
        pack_known(out, *texts[i]);
}

static void unpack_mutant(struct unpack *from, struct arena *arena, struct report_mutant *mutant)
{
    const char **texts[TEXTS];
    find_texts(mutant, texts);
    mutant->fate = (enum report_mutant_fate)unpack_number(from);
    mutant->allows_more = unpack_number(from);
    mutant->unencoded = unpack_number(from);
    mutant->smallest.undefined = unpack_number(from);
    mutant->smallest.size = (uint32_t)unpack_number(from);
    for (size_t i = 0; i < TEXTS; i++)
        *texts[i] = unpack_known(from, arena);
}

static void pack_share(const struct cli_mutate *m, struct strbuf *out)
{
    pack_number(out, m->from);
    pack_number(out, m->to);
    pack_number(out, (uint64_t)m->status);
    pack_number(out, m->silent);
    pack_number(out, m->report.tests);
    pack_number(out, m->report.unencoded);
    pack_number(out, m->report.programs);
    pack_known(out, m->report.bound);
    pack_known(out, m->report.under);
    EACH (const struct report_mutant, mutant, m->mutants.items + m->from, m->to - m->from)
        pack_mutant(*mutant, out);
}

void cli_mutate_pack(const struct cli_mutate *m, struct strbuf *out)
{
    SCOPED(strbuf) share = {0};
    pack_share(m, &share);
    pack_bytes(out, strbuf_text(&share), share.length);
}

void cli_mutate_say(struct cli_mutate *m)
{
    static const double soon = 0.2; /* seconds */
    SCOPED(strbuf) text = {0};
    if (!m->parts.say || clock_seconds_since(&m->last_said) < soon)
        return;
    strbuf_add_bytes(&text, strbuf_text(&m->done), m->done.length);
    cli_mutate_pack(m, &text);
    m->parts.say(m->parts.context, "", &text);
    m->last_said = clock_now_monotonic();
}

static void take_share(struct cli_mutate *m, struct unpack from)
{
    m->from = unpack_number(&from);
    m->to = unpack_number(&from);
    BASE_CHECK(m->from <= m->to && m->to <= m->mutants.count);
    run_status_raise(&m->status, (enum run_status)unpack_number(&from));
    m->silent = unpack_number(&from);
    m->report.tests = unpack_number(&from);
    m->report.unencoded = unpack_number(&from);
    const uint64_t programs = unpack_number(&from);
    if (programs > m->report.programs)
        m->report.programs = programs;
    const char *bound = unpack_known(&from, &m->arena);
    m->report.bound = bound ? bound : m->report.bound;
    const char *under = unpack_known(&from, &m->arena);
    m->report.under = under ? under : m->report.under;
    EACH (struct report_mutant, mutant, m->mutants.items + m->from, m->to - m->from)
        unpack_mutant(&from, &m->arena, mutant);
    BASE_CHECK(unpack_whole(&from));
}

void cli_mutate_take(struct cli_mutate *m, const struct strbuf *packed)
{
    struct unpack from = unpack_start(strbuf_text(packed), packed->length);
    while (from.at < from.end) {
        size_t length;
        const char *bytes = unpack_bytes(&from, &length);
        take_share(m, unpack_start(bytes, length));
    }
    BASE_CHECK(unpack_whole(&from));
}
