#include "ask/ask_account.h"

#include "document/report_wide.h"
#include "report/report_vacuous.h"

#include <string.h>

static void account_verdict(const struct ask_account *account, const char *verdict,
                            const char *wanted, bool known)
{
    struct run_result *result = account->result;
    bool expected = strcmp(verdict, wanted) == 0;
    result->counts[expected ? RUN_AS_EXPECTED : known ? RUN_KNOWN : RUN_OTHERWISE]++;
    if (known)
        return;
    if (strcmp(verdict, lit_verdict_text(LIT_UNKNOWN)) == 0)
        run_result_raise_unknown(result, &account->options->policy);
    else if (!expected)
        run_result_raise(result, RUN_EXIT_DIFFERS);
}

static void account_vacuous(const struct ask_account *account, uint32_t count)
{
    account->result->counts[RUN_VACUOUS] += count;
    if (count && account->options->fail_on_vacuous)
        run_result_raise(account->result, RUN_EXIT_DIFFERS);
}

/* Whoever wants warnings to count wants to know that there are none, too. */
static void account_warnings(const struct ask_account *account, const struct report_test *test)
{
    bool all = account->options->fail_on_warnings;
    if (!all && !account->options->fail_on_wide)
        return;
    bool warns = report_wide_count(test->wide) > 0;
    for (size_t i = 0; i < test->outcome->flags.count && all; i++)
        warns |= report_warning_of(test, i) != NULL;
    if (warns)
        run_result_raise(account->result, RUN_EXIT_DIFFERS);
    if (test->wide && test->wide->doubt)
        run_result_raise_unknown(account->result, &account->options->policy);
}

bool ask_account_answer(const struct ask_account *account, const struct report_test *test,
                        bool first)
{
    const enum run_known known =
        account->known ? run_known_answer(account->known, test) : RUN_KNOWN_NOTHING;
    if (known == RUN_KNOWN_PASSES)
        run_known_tell(test->program->source->name, test->model->visibility,
                       test->model->persistency, &account->result->err);
    account_verdict(account, lit_verdict_text(test->verdict), lit_verdict_text(test->expected),
                    known == RUN_KNOWN_FAILS);
    account_warnings(account, test);
    if (first)
        account_vacuous(account, report_vacuous_count(test));
    return known == RUN_KNOWN_FAILS;
}

bool ask_account_record(const struct ask_account *account, const struct run_record *record,
                        bool first)
{
    const enum run_known known =
        account->known ? run_known_record(account->known, record) : RUN_KNOWN_NOTHING;
    if (known == RUN_KNOWN_PASSES)
        run_known_tell(record->file, record->model, record->persistency, &account->result->err);
    account_verdict(account, record->verdict, record->expected, known == RUN_KNOWN_FAILS);
    if (account->options->fail_on_warnings && run_record_warns(record))
        run_result_raise(account->result, RUN_EXIT_DIFFERS);
    if (first)
        account_vacuous(account, run_record_vacuous(record));
    return known == RUN_KNOWN_FAILS;
}
