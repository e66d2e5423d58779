#include "report/report_vacuous.h"

#include "base/json.h"

static bool is_answered(const struct report_test *test, const struct lit_condition *condition)
{
    const struct outcome_judgement judgement =
        outcome_judge(test->outcome, test->program, condition);
    bool answered = judgement.verdict == LIT_OK || judgement.verdict == LIT_VIOLATED;
    bool denied = (condition->settled == LIT_NEVER_MET && judgement.positive) ||
                  (condition->settled == LIT_ALWAYS_MET && judgement.negative);
    BASE_ASSERT(!denied || test->machine);
    return answered && !judgement.reason && !denied;
}

/* Does somebody wait in vain, and no state decide the condition? */
static bool is_waited_for(const struct report_test *test, const struct lit_condition *condition)
{
    const struct outcome_judgement judgement =
        outcome_judge(test->outcome, test->program, condition);
    bool decided = condition->quantifier == LIT_FORALL ? judgement.negative : judgement.positive;
    return test->waits.count && test->waits.concern[condition - test->program->conditions] &&
           !decided &&
           (judgement.verdict == LIT_OK || judgement.verdict == LIT_VIOLATED || judgement.vacuous);
}

enum report_vacuous report_vacuous(const struct report_test *test, uint32_t number)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    bool bare = test->bare && test->bare[number];
    if (lit_asks_fault(condition))
        return REPORT_VACUOUS_NOT;
    if (is_waited_for(test, condition))
        return REPORT_VACUOUS_WAITS;
    if ((condition->settled == LIT_UNSETTLED && !bare) || !is_answered(test, condition))
        return REPORT_VACUOUS_NOT;
    return condition->settled == LIT_NEVER_MET    ? REPORT_VACUOUS_NEVER_MET
           : condition->settled == LIT_ALWAYS_MET ? REPORT_VACUOUS_ALWAYS_MET
                                                  : REPORT_VACUOUS_UNORDERED;
}

static const char *const words[] = {
    [REPORT_VACUOUS_NEVER_MET] = "no values that the program stores meet it",
    [REPORT_VACUOUS_ALWAYS_MET] = "all values that the program stores meet it",
    [REPORT_VACUOUS_UNORDERED] =
        "it holds without any barrier, fence and flush as well, so it tests none of them",
};

void report_reason(enum lit_verdict verdict, const char *reason, bool vacuous, struct strbuf *out)
{
    const char *kind = vacuous ? "vacuous: " : verdict == LIT_ERROR ? "livelock: " : "";
    strbuf_printf(out, "%s%s", kind, reason);
}

void report_reason_json(enum lit_verdict verdict, const char *reason, bool vacuous,
                        struct strbuf *out)
{
    SCOPED(strbuf) text = {0};
    if (!reason)
        return;
    report_reason(verdict, reason, vacuous, &text);
    emit_string(out, "reason", strbuf_text(&text));
    if (vacuous)
        emit_bool(out, "of_nothing", true);
}

void report_vacuous_because(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    enum report_vacuous kind = report_vacuous(test, number);
    if (kind == REPORT_VACUOUS_WAITS)
        report_waits_words(test, number, out);
    else
        strbuf_add(out, words[kind]);
    if (kind == REPORT_VACUOUS_WAITS || kind == REPORT_VACUOUS_UNORDERED)
        return;
    if (condition->settled_by)
        strbuf_printf(out, " (%s)", condition->settled_by);
    strbuf_add(out, ", whatever is ordered");
}

void report_vacuous_words(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    if (report_vacuous(test, number) == REPORT_VACUOUS_NOT)
        return;
    strbuf_add(out, "vacuous: ");
    report_vacuous_because(test, number, out);
}

void report_vacuous_json(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    static const char *const names[] = {REPORT_VACUOUS_KINDS(TABLE_SECOND)};
    enum report_vacuous kind = report_vacuous(test, number);
    SCOPED(strbuf) remark = {0};
    if (kind == REPORT_VACUOUS_NOT)
        return;
    report_vacuous_words(test, number, &remark);
    emit_string(out, "vacuous", names[kind]);
    emit_string(out, "remark", strbuf_text(&remark));
    strbuf_clear(&remark);
    report_vacuous_because(test, number, &remark);
    emit_string(out, "because", strbuf_text(&remark));
}

uint32_t report_vacuous_count(const struct report_test *test)
{
    return COUNT_IF(i, test->program->condition_count,
                    report_vacuous(test, i) != REPORT_VACUOUS_NOT);
}
