#include "run/run_result.h"

#include "base/utf8.h"
#include "document/report_json.h"
#include "document/report_view.h"

#include <inttypes.h>

void run_counts_summary(const struct run_policy *policy, const uint64_t *counts, struct strbuf *out)
{
    strbuf_printf(out,
                  "Summary: %" PRIu64 " as expected, %" PRIu64 " otherwise, %" PRIu64
                  " files with errors",
                  counts[RUN_AS_EXPECTED], counts[RUN_OTHERWISE], counts[RUN_UNREAD]);
    if (counts[RUN_VACUOUS])
        strbuf_printf(out, ", %" PRIu64 " vacuous", counts[RUN_VACUOUS]);
    run_counts_rest(policy, counts, out);
}

void run_counts_rest(const struct run_policy *policy, const uint64_t *counts, struct strbuf *out)
{
    if (counts[RUN_CERTIFIED] + counts[RUN_UNCERTIFIED])
        strbuf_printf(out, ", %" PRIu64 " certified, %" PRIu64 " not", counts[RUN_CERTIFIED],
                      counts[RUN_UNCERTIFIED]);
    if (counts[RUN_NOT_ASKED])
        strbuf_printf(out, ", %" PRIu64 " not asked", counts[RUN_NOT_ASKED]);
    if (policy->known)
        strbuf_printf(out, ", %" PRIu64 " known", counts[RUN_KNOWN]);
    if (policy->unknown != RUN_UNKNOWN_HIDES)
        strbuf_printf(out, ", %" PRIu64 " unknown", counts[RUN_NOT_KNOWN]);
}

void run_result_init(struct run_result *result, const struct run_plan *plan, const char *path)
{
    *result = (struct run_result){.status = RUN_EXIT_OK};
    run_pieces_init(&result->pieces, plan, path);
}

void run_result_fini(struct run_result *result)
{
    strbuf_fini(&result->out);
    strbuf_fini(&result->err);
    strbuf_fini(&result->note);
    strbuf_fini(&result->kept);
    run_pieces_fini(&result->pieces);
    VEC_FREE(&result->faults);
    arena_fini(&result->arena);
}

void run_result_raise(struct run_result *result, enum run_status status)
{
    run_status_raise(&result->status, status);
    result->differs |= status == RUN_EXIT_DIFFERS;
}

void run_result_raise_unknown(struct run_result *result, const struct run_policy *policy)
{
    result->counts[RUN_NOT_KNOWN]++;
    if (policy->unknown != RUN_UNKNOWN_OK)
        run_result_raise(result, RUN_EXIT_UNKNOWN);
}

/* Whoever wants warnings to count wants to know that there are none, too. */
enum report_failing run_answer_fails(const struct run_policy *policy,
                                     const struct run_answer *answer)
{
    const bool warns = policy->fail_on_warnings || policy->fail_on_wide;
    if (answer->is_disputed)
        return REPORT_FAILS_DISPUTED;
    if (answer->vacuous && policy->fail_on_vacuous)
        return REPORT_FAILS_VACUOUS;
    if ((answer->warns && policy->fail_on_warnings) || (answer->is_wide && policy->fail_on_wide))
        return REPORT_FAILS_WARNED;
    return answer->is_open && warns && policy->unknown != RUN_UNKNOWN_OK ? REPORT_FAILS_OPEN
                                                                         : REPORT_FAILS_NOT;
}

void run_result_account(struct run_result *result, const struct run_policy *policy,
                        const struct run_answer *answer)
{
    const bool warns = policy->fail_on_warnings || policy->fail_on_wide;
    const enum report_failing fails = run_answer_fails(policy, answer);
    result->counts[answer->is_expected ? RUN_AS_EXPECTED
                   : answer->is_known  ? RUN_KNOWN
                                       : RUN_OTHERWISE]++;
    result->counts[RUN_VACUOUS] += answer->vacuous;
    if ((!answer->is_expected && !answer->is_known && !answer->is_unknown) ||
        fails == REPORT_FAILS_VACUOUS || fails == REPORT_FAILS_WARNED)
        run_result_raise(result, RUN_EXIT_DIFFERS);
    if ((answer->is_unknown && !answer->is_known) || (answer->is_open && warns))
        run_result_raise_unknown(result, policy);
    if (answer->is_disputed)
        run_result_raise(result, RUN_EXIT_DISAGREE);
}

void run_result_pack(const struct run_result *result, struct strbuf *out)
{
    pack_bytes(out, strbuf_text(&result->out), result->out.length);
    pack_bytes(out, strbuf_text(&result->err), result->err.length);
    pack_bytes(out, strbuf_text(&result->note), result->note.length);
    pack_bytes(out, strbuf_text(&result->kept), result->kept.length);
    pack_number(out, result->faults.count);
    for (size_t i = 0; i < result->faults.count; i++)
        pack_text(out, result->faults.items[i]);
    pack_number(out, (uint64_t)result->status);
    pack_number(out, result->differs);
    pack_number(out, result->odd);
    for (int i = 0; i < RUN_COUNTS; i++)
        pack_number(out, result->counts[i]);
    for (uint32_t i = 0; i < result->pieces.count; i++)
        report_piece_pack(result->pieces.items[i], out);
}

bool run_result_unpack(struct run_result *result, const char *bytes, size_t length)
{
    struct unpack from = unpack_start(bytes, length);
    unpack_text(&from, &result->out);
    unpack_text(&from, &result->err);
    unpack_text(&from, &result->note);
    unpack_text(&from, &result->kept);
    for (uint64_t i = unpack_number(&from); i > 0 && !from.short_of_bytes; i--)
        VEC_PUSH(&result->faults, unpack_copy(&from, &result->arena));
    result->status = (enum run_status)unpack_number(&from);
    result->differs = unpack_number(&from) != 0;
    result->odd = unpack_number(&from) != 0;
    for (int i = 0; i < RUN_COUNTS; i++)
        result->counts[i] = unpack_number(&from);
    for (uint32_t i = 0; i < result->pieces.count; i++)
        report_piece_unpack(result->pieces.items[i], &from);
    return unpack_whole(&from);
}

void run_result_line(const char *verdict, const char *name, const char *reason, struct strbuf *out)
{
    strbuf_printf(out, "! %-10s %s: %s\n", verdict, name, reason);
}

void run_result_give_up(struct run_result *result, const struct run_plan *plan, const char *path,
                        enum lit_verdict verdict, const char *reason)
{
    const char *word = lit_verdict_text(verdict);
    const struct report_fault fault = {.severity = DIAG_ERROR,
                                       .id = "worker",
                                       .message = reason,
                                       .unknown = verdict == LIT_UNKNOWN};
    SCOPED(strbuf) name = {0};
    utf8_add_name(&name, path);
    diag_say(&result->err, "'%s' is %s: %s", strbuf_text(&name), word, reason);
    SCOPED(strbuf) said = {0};
    report_json_message(strbuf_text(&name), &fault, &said);
    if (plan->brief)
        run_result_line(word, strbuf_text(&name), reason, &result->out);
    else if (plan->sentences)
        strbuf_printf(&result->out, "%s: %s.\nFile %s.\n",
                      verdict == LIT_UNKNOWN ? "Not known" : "Error", reason, strbuf_text(&name));
    else if (plan->format == RUN_TEXT && plan->kind == RUN_ANSWERS)
        strbuf_printf(&result->out, "File %s\nVerdict %s, expected ok\nReason %s\n\n",
                      strbuf_text(&name), word, reason);
    else if (plan->format == RUN_JSON && plan->kind == RUN_ANSWERS)
        report_json_failure(&(struct report_failure){.path = path,
                                                     .verdict = verdict,
                                                     .expected = LIT_OK,
                                                     .reason = reason,
                                                     .messages = strbuf_text(&said)},
                            &result->out);
    run_pieces_fault(&result->pieces, &fault);
    run_pieces_end(&result->pieces, NULL);
    result->odd = true;
    result->counts[RUN_OTHERWISE]++;
    if (verdict == LIT_UNKNOWN)
        run_result_raise_unknown(result, &plan->policy);
    else
        run_result_raise(result, RUN_EXIT_INTERNAL);
}
