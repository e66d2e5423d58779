/* cli_result: what checking one file printed and came to, also across processes.
 *
 * Ownership: a result owns its texts.
 */
#ifndef CRASHLIT_CLI_RESULT_H
#define CRASHLIT_CLI_RESULT_H

#include "base/pack.h"
#include "base/vec.h"
#include "cli/cli_reports.h"
#include "session/session_answers.h"

/* Of machines: how their answers stand to a model's (engine/agree.h); crash states of models
 * that were listed, and how many of these the machines lack; tests that expect nothing of a
 * machine, which was asked alone. */
#define CLI_MACHINE_COUNTS(X) \
    X(CONTAINED) X(OUTSIDE) X(UNDEFINED) X(PARTLY) X(ALLOWED) X(NEVER_SHOWN) X(NOT_ASKED)

enum cli_machine_count {
#define X(name) CLI_##name,
    CLI_MACHINE_COUNTS(X)
#undef X
        CLI_MACHINE_COUNT
};

struct cli_result {
    struct strbuf out, err;
    struct cli_pieces pieces;
    VEC(char *) faults; /* of models that could not be loaded, to be shown once in a run */
    enum cli_status status;
    uint32_t as_expected, otherwise;        /* verdicts */
    uint32_t accords[SESSION_DISAGREE + 1]; /* model pairs, when all engines were asked */
    uint64_t machines[CLI_MACHINE_COUNT];
};

/* Said of a run all of whose tests are CLI_NOT_ASKED: no verdict could be right. */
#define CLI_NOTHING_ASKED                                                                 \
    "nothing was asked: no test expects anything of the machine; name a model pair with " \
    "--model and --persistency"

void cli_result_init(struct cli_result *result, const struct cli_options *options,
                     const char *path);
void cli_result_fini(struct cli_result *result);
void cli_result_raise(struct cli_result *result, enum cli_status status);

void cli_result_pack(const struct cli_result *result, struct strbuf *out);
/* Into a result just initialised with the same options and path; false when bytes are
 * missing. */
bool cli_result_unpack(struct cli_result *result, const char *bytes, size_t length)
    __attribute__((warn_unused_result));

/* The result of a file that nobody finished: `verdict` is `error` or `unknown`. */
void cli_result_give_up(struct cli_result *result, const struct cli_options *options,
                        const char *path, enum lit_verdict verdict, const char *reason);

#endif
