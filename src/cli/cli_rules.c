/* `crashlit models --format tex`: the files of models as numbered definitions. */
#include "cli/cli_rules.h"

#include "cat/cat_text.h"
#include "document/report_rules.h"
#include "picture/report_tex.h"

#include <string.h>

enum { OF_EVERY_MODEL = 2 /* the library, the contract's defaults */ };

static bool has(const struct cli_rules *rules, const struct source *source)
{
    return ANY(i, rules->own.count, strcmp(rules->own.items[i]->name, source->name) == 0);
}

void cli_rules_add(struct cli_rules *rules, const struct cat_sources *sources)
{
    for (size_t i = OF_EVERY_MODEL; i < sources->count; i++)
        if (!has(rules, sources->items[i]))
            VEC_PUSH(&rules->own, sources->items[i]);
    for (size_t i = 0; i < OF_EVERY_MODEL && i < sources->count; i++)
        rules->common[i] = sources->items[i];
}

static bool is_said(const struct cli_rules *rules, const char *name)
{
    return ANY(i, rules->own.count, cat_text_count(rules->own.items[i], name) > 0);
}

static bool is_bound(const struct cli_rules *rules, const char *name)
{
    return ANY(i, rules->own.count, report_rules_bind(rules->own.items[i], name));
}

/* Of the library what the files say. */
static bool wants_of_library(const void *context, const char *name)
{
    const struct cli_rules *rules = context;
    return rules->all || (is_said(rules, name) && !is_bound(rules, name));
}

static bool is_persistency(const struct cli_rules *rules)
{
    static const char *const names[] = {CAT_RESERVED(TABLE_SECOND)};
    return ANY(i, sizeof names / sizeof *names, is_bound(rules, names[i]));
}

/* And of the contract what a persistency model says nothing about. */
static bool wants_of_contract(const void *context, const char *name)
{
    const struct cli_rules *rules = context;
    return rules->all || (!is_bound(rules, name) && (rules->persists || is_said(rules, name)));
}

void cli_rules_write(struct cli_rules *rules, struct strbuf *out)
{
    static report_rules_wanted *const wanted[] = {wants_of_library, wants_of_contract};
    report_tex_begin(REPORT_TEX_LISTINGS, out);
    report_rules_begin(out);
    rules->persists = is_persistency(rules);
    report_rules_files((const struct source *const *)rules->own.items, rules->own.count, out);
    for (size_t i = 0; i < OF_EVERY_MODEL; i++)
        if (rules->common[i])
            report_rules_file(rules->common[i], rules->all ? NULL : wanted[i], rules, out);
    report_tex_end(out);
    VEC_FREE(&rules->own);
}
