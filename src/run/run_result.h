/* run_result: the output and result of checking one file, also across processes.
 *
 * Ownership: a result owns its texts. */
#ifndef CRASHLIT_RUN_RESULT_H
#define CRASHLIT_RUN_RESULT_H

#include "base/pack.h"
#include "base/vec.h"
#include "run/run_reports.h"
#include "session/session_answers.h"

/* Counts about machines: how their answers compare with a model's (engine/agree.h); crash states of
 * models that were listed, and how many of these the machines lack; tests that expect nothing of a
 * machine that was asked alone. */
#define RUN_MACHINE_COUNTS(X) \
    X(CONTAINED) X(OUTSIDE) X(UNDEFINED) X(PARTLY) X(ALLOWED) X(NEVER_SHOWN) X(NOT_ASKED)

enum run_machine_count {
#define X(name) RUN_##name,
    RUN_MACHINE_COUNTS(X)
#undef X
        RUN_MACHINE_COUNT
};

struct run_result {
    struct strbuf out, err;
    struct run_pieces pieces;
    VEC(char *) faults; /* of models that could not be loaded; shown once a run */
    enum run_status status;
    uint32_t as_expected, otherwise;        /* verdicts */
    uint32_t vacuous;                       /* conditions that no order decides */
    uint32_t certified, uncertified;        /* answers, where that is asked */
    uint32_t accords[SESSION_DISAGREE + 1]; /* model pairs, when all engines were asked */
    uint64_t machines[RUN_MACHINE_COUNT];
};

/* The message of a run all of whose tests are RUN_NOT_ASKED: no verdict could be right. */
#define RUN_NOTHING_ASKED                                                                 \
    "nothing was asked: no test expects anything of the machine; name a model pair with " \
    "--model and --persistency"

void run_result_init(struct run_result *result, const struct run_plan *plan, const char *path);
void run_result_fini(struct run_result *result);
void run_result_raise(struct run_result *result, enum run_status status);

void run_result_pack(const struct run_result *result, struct strbuf *out);
/* Unpacks into a result just initialised with the same plan and path; false when bytes are
 * missing. */
bool run_result_unpack(struct run_result *result, const char *bytes, size_t length)
    __attribute__((warn_unused_result));

/* Sets the result of a file that nobody finished: `verdict` is `error` or `unknown`. */
void run_result_give_up(struct run_result *result, const struct run_plan *plan, const char *path,
                        enum lit_verdict verdict, const char *reason);

#endif
