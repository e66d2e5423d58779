/* The pragmas of a test: their words, and the mapping's schemes for them. */
#include "mapping/mapping_run.h"

#include <stdlib.h>
#include <string.h>

/* Words with one blank between, without the scope, which is told. False: it is no number. */
static bool split_pragma(struct mapping_run *run, const char *text, const char **words,
                         uint32_t *scope, bool *scoped)
{
    struct strbuf out = {0};
    bool good = true;
    *scope = 1;
    *scoped = false;
    for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t")) {
        size_t length = strcspn(at, " \t=");
        bool names = length == 5 && strncmp(at, "scope", 5) == 0;
        if (!names) {
            length = strcspn(at, " \t");
            strbuf_add(&out, out.length ? " " : "");
            strbuf_add_bytes(&out, at, length);
            at += length;
            continue;
        }
        at += length;
        at += strspn(at, " \t=");
        char *end = NULL;
        unsigned long value = strtoul(at, &end, 10);
        good = end > at && value >= 1 && value <= LIT_MAX_PERIOD && good;
        *scope = (uint32_t)value;
        *scoped = true;
        at = end > at ? end : at + strcspn(at, " \t");
    }
    *words = strbuf_take(&out, run->arena);
    return good;
}

static bool same_first_word(const char *a, const char *b)
{
    size_t length = strcspn(a, " \t");
    return length == strcspn(b, " \t") && strncmp(a, b, length) == 0;
}

bool mapping_is_ours(const struct mapping_run *run, const char *text)
{
    for (const struct lit_scheme *scheme = run->mapping->schemes; scheme; scheme = scheme->next)
        if (scheme->pragma && same_first_word(scheme->pragma, text))
            return true;
    return false;
}

static void report_pragma(struct mapping_run *run, const char *words, struct span span)
{
    VEC(const char *) known = {0};
    SCOPED(strbuf) list = {0};
    for (const struct lit_scheme *scheme = run->mapping->schemes; scheme; scheme = scheme->next) {
        if (!scheme->pragma)
            continue;
        VEC_PUSH(&known, scheme->pragma);
        strbuf_printf(&list, "%s'%s'", list.length ? ", " : "", scheme->pragma);
    }
    const char *near = diag_nearest(words, known.items, known.count);
    if (near)
        MAP_FAULT(run, span, "the mapping '%s' knows no pragma '%s'; did you mean '%s'?",
                  run->mapping->name, words, near);
    else
        MAP_FAULT(run, span, "the mapping '%s' knows no pragma '%s'; it knows %s",
                  run->mapping->name, words, strbuf_text(&list));
    diag_meant_by(run->diag, span, words, near);
    VEC_FREE(&known);
}

const struct lit_scheme *mapping_scheme(struct mapping_run *run, const char *text, struct span span,
                                        uint32_t *scope, bool *ends)
{
    const char *words;
    bool scoped;
    *ends = false;
    if (!mapping_is_ours(run, text)) {
        mapping_note_stranger(run, text, span);
        return NULL;
    }
    if (!split_pragma(run, text, &words, scope, &scoped)) {
        MAP_FAULT(run, span, "a pragma's scope is a number from 1 to %d, as in 'scope=4'",
                  LIT_MAX_PERIOD);
        return NULL;
    }
    const char *second = strchr(words, ' ');
    *ends = second && strcmp(second + 1, "end") == 0;
    const struct lit_scheme *scheme = run->mapping->schemes;
    while (scheme && (!scheme->pragma || strcmp(scheme->pragma, words) != 0))
        scheme = scheme->next;
    if (!scheme && !*ends)
        report_pragma(run, words, span);
    else if (scoped && (*ends || !scheme->scope))
        MAP_FAULT(run, span, "the pragma '%s' takes no scope", words);
    return scheme;
}

/* ---- Those of others ---- */

static const char *first_word(struct mapping_run *run, const char *text)
{
    return arena_strndup(run->arena, text, strcspn(text, " \t"));
}

void mapping_note_stranger(struct mapping_run *run, const char *text, struct span span)
{
    VEC(const char *) known = {0};
    for (const struct lit_scheme *scheme = run->mapping->schemes; scheme; scheme = scheme->next)
        if (scheme->pragma)
            VEC_PUSH(&known, first_word(run, scheme->pragma));
    const char *word = first_word(run, text + strspn(text, " \t"));
    VEC_PUSH(&run->strangers,
             (struct lit_stranger){span, word, diag_nearest(word, known.items, known.count)});
    VEC_FREE(&known);
}

/* At a pragma that may have been meant as one, else at any, else at the head. */
static void report_unmapped(struct mapping_run *run)
{
    const struct lit_stranger *at = run->strangers.count ? &run->strangers.items[0] : NULL;
    for (size_t i = 0; i < run->strangers.count && !at->near; i++)
        if (run->strangers.items[i].near)
            at = &run->strangers.items[i];
    if (at && at->near) {
        MAP_FAULT(run, at->span,
                  "the mapping '%s' knows no pragma that begins with '%s'; did you mean '%s'?",
                  run->mapping->name, at->word, at->near);
        diag_meant_by(run->diag, at->span, at->word, at->near);
        return;
    }
    SCOPED(strbuf) list = {0};
    for (const struct lit_scheme *scheme = run->mapping->schemes; scheme; scheme = scheme->next)
        strbuf_printf(&list, "%s'#pragma %s'", list.length ? ", " : "", scheme->pragma);
    MAP_FAULT(run, at ? at->span : run->test->header,
              "the test has no pragma of the mapping '%s'; it knows %s", run->mapping->name,
              strbuf_text(&list));
}

void mapping_check_pragmas(struct mapping_run *run)
{
    if (!run->mapped && run->diag->errors == run->errors)
        report_unmapped(run);
    for (size_t i = 0; run->mapped && i < run->strangers.count; i++) {
        const struct lit_stranger *stranger = &run->strangers.items[i];
        if (!stranger->near)
            continue;
        diag_warning(run->diag, DIAG_LIT_MAPPED, stranger->span,
                     "the mapping '%s' leaves this pragma where it is; did you mean '%s'?",
                     run->mapping->name, stranger->near);
        diag_meant_by(run->diag, stranger->span, stranger->word, stranger->near);
    }
    VEC_FREE(&run->strangers);
}
