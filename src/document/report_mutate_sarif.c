/* What tests of a model do not notice, as SARIF 2.1.0: a result for each mutant that is alive, at the
 * place in the model, and one of kind `open` for each that is unknown. A built-in file has
 * the name by which messages call it, since code scanning takes no result without a place. */
#include "document/report_mutate.h"

#include "base/json.h"
#include "document/report_sarif.h"

enum rule { UNTESTED, UNKNOWN, RULE_COUNT };

static const struct report_sarif_rule rules[RULE_COUNT] = {
    [UNTESTED] = {"untested-rule", "UntestedRule",
                  "A part of the model or machine can be changed, and no test notices.",
                  "crashlit mutate prints the smallest test that does.", "warning"},
    [UNKNOWN] = {"untested-unknown", "UntestedUnknown",
                 "Whether some test notices a change of the model or machine is not known.",
                 "Allow more time or memory, or larger programs.", "note"},
};

static void add_location(const struct span *place, struct strbuf *out)
{
    emit_array(out, "locations");
    emit_object(out, NULL);
    report_sarif_place(out, place->source->path, place);
    strbuf_add(out, "}]");
}

static void add_result(const struct report_mutate *report, const struct report_mutant *mutant,
                       struct strbuf *out)
{
    const bool alive = mutant->fate == REPORT_MUTANT_ALIVE;
    const enum rule rule = alive ? UNTESTED : UNKNOWN;
    SCOPED(strbuf) words = {0};
    report_mutate_change(mutant->change, &words);
    strbuf_add(&words, "; ");
    if (alive)
        report_mutate_state(report, mutant, &words);
    else
        strbuf_add(&words, mutant->why);
    emit_name(out, NULL);
    report_sarif_result(rules, rule, alive ? "fail" : "open", alive ? rules[rule].level : "none",
                        out);
    report_sarif_message(strbuf_text(&words), out);
    add_location(&mutant->change->place, out);
    report_sarif_fingerprint(strbuf_text(&words), out);
    emit_end(out, '}');
}

void report_mutate_sarif(const void *answer, struct strbuf *out)
{
    const struct report_mutate *report = answer;
    EACH (const struct report_mutant, mutant, report->mutants, report->mutant_count)
        if (mutant->fate == REPORT_MUTANT_ALIVE || mutant->fate == REPORT_MUTANT_UNKNOWN)
            add_result(report, mutant, out);
}

void report_mutate_sarif_begin(const void *answer, struct strbuf *out)
{
    const struct report_mutate *report = answer;
    report_sarif_begin("crashlit/mutate/", report->version, rules, RULE_COUNT, out);
}

void report_mutate_sarif_end(const void *answer, struct strbuf *out)
{
    const struct report_mutate *report = answer;
    report_sarif_end(
        &(struct report_sarif_ending){.command = report->command,
                                      .status = report->status,
                                      .successful = true,
                                      .interrupted = report->interrupted,
                                      .absolute = report_sarif_is_absolute(strbuf_text(out))},
        out);
}
