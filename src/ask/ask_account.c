#include "ask/ask_account.h"

#include "document/report_wide.h"
#include "report/report_vacuous.h"
#include "run/run_view.h"

static bool warns(const struct report_test *test)
{
    return ANY(i, test->outcome->flags.count, report_warning_of(test, i) != NULL);
}

void ask_account_answer(const struct ask_account *account, struct report_test *test, bool first)
{
    test->known = account->known && run_known_answer(account->known, test, &account->result->err);
    const struct run_answer answer = {.is_expected = test->verdict == test->expected,
                                      .is_unknown = test->verdict == LIT_UNKNOWN,
                                      .is_known = test->known,
                                      .warns = warns(test) || report_wide_count(test->wide),
                                      .is_wide = report_wide_count(test->wide) > 0,
                                      .is_disputed = test->disputed,
                                      .is_open = test->wide && test->wide->doubt,
                                      .vacuous = first ? report_vacuous_count(test) : 0};
    test->fails = run_answer_fails(&account->options->policy, &answer);
    run_result_account(account->result, &account->options->policy, &answer);
}

bool ask_account_record(const struct ask_account *account, const struct run_record *record,
                        const struct json_t *json, bool first)
{
    const bool known =
        account->known && run_known_record(account->known, record, &account->result->err);
    const struct run_answer answer = run_view_answer(record, json, known, first);
    run_result_account(account->result, &account->options->policy, &answer);
    return known;
}
