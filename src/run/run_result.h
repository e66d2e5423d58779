/* run_result: the output and result of checking one file, also across processes.
 *
 * Ownership: a result owns its texts; run_result_fini releases them. */
#ifndef CRASHLIT_RUN_RESULT_H
#define CRASHLIT_RUN_RESULT_H

#include "base/pack.h"
#include "base/vec.h"
#include "run/run_reports.h"
#include "session/session_answers.h"

/* What is counted of a file, and added up over a run: verdicts, those that are not expected apart
 * from failures that are known; of all of these the `unknown` ones that fail; conditions that no order decides;
 * answers, where certificates are asked; answers that the cache had; model pairs, when all engines were asked, by their
 * session_accord; how machines' answers compare with a model's, by contain_answer; crash states of
 * models that were listed, and how many of these the machines lack; tests that expect nothing of a
 * machine that was asked alone; files that could not be read. */
enum run_count {
    RUN_AS_EXPECTED,
    RUN_OTHERWISE,
    RUN_KNOWN,
    RUN_NOT_KNOWN,
    RUN_VACUOUS,
    RUN_CERTIFIED,
    RUN_UNCERTIFIED,
    RUN_RECALLED,
    RUN_ACCORDS,
    RUN_CONTAINMENTS = RUN_ACCORDS + SESSION_DISAGREE + 1,
    RUN_ALLOWED = RUN_CONTAINMENTS + CONTAIN_PARTLY + 1,
    RUN_NEVER_SHOWN,
    RUN_NOT_ASKED,
    RUN_UNREAD,
    RUN_COUNTS
};

struct run_result {
    struct strbuf out, err;
    struct strbuf note; /* for the plan's `take` */
    struct strbuf kept; /* what the cache shall have of it (run_cache.h); empty: what it has */
    struct run_pieces pieces;
    struct arena arena;
    VEC(const char *) faults; /* of models that could not be loaded; shown once a run */
    enum run_status status;
    bool differs; /* something raised DIFFERS, be it that the status is another */
    bool odd;     /* its line is one that somebody should look at */
    uint64_t counts[RUN_COUNTS];
};

/* The message of a run all of whose tests are RUN_NOT_ASKED: no verdict could be right. */
#define RUN_NOTHING_ASKED                                                                 \
    "nothing was asked: no test expects anything of the machine; name a model pair with " \
    "--model and --persistency"

/* Appends the last line of a run whose tests were judged, and what ends it and that of others; but for
 * its end. */
void run_counts_summary(const struct run_policy *policy, const uint64_t *counts,
                        struct strbuf *out);
void run_counts_rest(const struct run_policy *policy, const uint64_t *counts, struct strbuf *out);

void run_result_init(struct run_result *result, const struct run_plan *plan, const char *path);
void run_result_fini(struct run_result *result);
void run_result_raise(struct run_result *result, enum run_status status);

/* What a run may fail for of an answer, be it at hand or a record. */
struct run_answer {
    bool is_expected, is_unknown; /* its verdict */
    bool is_known;                /* to fail so (run_known.h) */
    bool is_disputed;             /* by another engine, or the checker of certificates */
    bool warns, is_wide;          /* has it warnings, and such of --warn-wide? */
    bool is_open;                 /* whether it has such is not known */
    uint32_t vacuous; /* conditions that ask nothing; counted of the first of its pair */
};
/* What the policy has it fail for besides its verdict. */
enum report_failing run_answer_fails(const struct run_policy *policy,
                                     const struct run_answer *answer);
/* Counts the answer, and raises the statuses that the policy has for it. */
void run_result_account(struct run_result *result, const struct run_policy *policy,
                        const struct run_answer *answer);
/* Counts an `unknown` verdict, and raises the status that the policy has for it. */
void run_result_raise_unknown(struct run_result *result, const struct run_policy *policy);

void run_result_pack(const struct run_result *result, struct strbuf *out);
/* Unpacks into a result just initialised with the same plan and path; false when bytes are
 * missing. */
bool run_result_unpack(struct run_result *result, const char *bytes, size_t length)
    __attribute__((warn_unused_result));

/* Sets the result of a file that nobody finished: `verdict` is `error` or `unknown`. */
void run_result_give_up(struct run_result *result, const struct run_plan *plan, const char *path,
                        enum lit_verdict verdict, const char *reason);
/* Appends its line among those of several tests; `name` is fit to be shown. */
void run_result_line(const char *verdict, const char *name, const char *reason, struct strbuf *out);

#endif
