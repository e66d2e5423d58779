/* report_answer: what a check answers, in sentences: of a condition, of a test under a model pair,
 * and of a test under all of its pairs.
 *
 *     Violated: a crash can leave key=1, val=0 (condition 1, line 5).
 *
 * The answer is first, then for which models it is, the states with what they mean for conditions,
 * how a state comes about, and what may be asked next. Pairs that have the same answer share it;
 * what was not expected comes first.
 *
 * Ownership: report_answers owns its texts; report_answers_end releases them. Zeroed it is empty
 * and valid.
 */
#ifndef CRASHLIT_REPORT_ANSWER_H
#define CRASHLIT_REPORT_ANSWER_H

#include "base/vec.h"
#include "document/report_tree.h"
#include "report/report.h"

/* Appends the sentence about a condition, without a full stop: "a crash can leave key=1, val=0";
 * for an unknown verdict, the reason. */
void report_answer_condition(const struct report_test *test, uint32_t number, struct strbuf *out);
/* "Holds", "Not known"; within a sentence "holds", "not known". */
const char *report_answer_word(enum lit_verdict verdict, bool begins);
/* Appends the sentence about the test: "Violated: a crash can leave key=1, val=0 (condition 1, line
 * 5)". */
void report_answer_headline(const struct report_test *test, struct strbuf *out);
/* The number of the condition that the headline calls idle, since it holds in whatever order stores
 * come; the number of conditions if there is none. */
uint32_t report_answer_idle(const struct report_test *test);
/* Adds three sentences that say how a state which answers the test comes about; adds nothing if no
 * execution shows one (report_answer_how.c). */
void report_answer_how(const struct report_test *test, struct report_tree *tree);
/* Appends a command line that tells more, behind what it tells: "Why, and what would help: crashlit
 * explain -p epoch kv.litmus". With `names` it names the models even if the user did not. False:
 * there is none. */
bool report_answer_next(const struct report_test *test, bool names, struct strbuf *out);
/* Is the answer about recovered states, while no crash may interrupt recovery? */
bool report_answer_spares_recovery(const struct report_test *test);
/* Holds the test since a crash can leave what its conditions name, while nothing says that this is
 * wanted? Then it may have been meant to be impossible. */
bool report_answer_asks_possible(const struct report_test *test);
/* Appends the command alone: "crashlit explain -p epoch kv.litmus"; for a machine, `trace`. */
void report_answer_command(const struct report_test *test, bool names, struct strbuf *out);

/* A state that decides a condition. */
struct report_deciding {
    const struct lit_atom *items;
    uint32_t width;
    const int64_t *row;
};
/* Finds a state that decides the condition, if possible one that an execution shows. False: no
 * state decides it. */
bool report_answer_state(const struct report_test *test, uint32_t number, struct arena *arena,
                         struct report_deciding *state);
/* Appends the part of a state that the condition speaks of: "key=1, val=0". */
void report_answer_row(const struct report_test *test, uint32_t number,
                       const struct report_deciding *state, struct strbuf *out);

/* An answer, and the model pairs that have it. */
struct report_answered;

struct report_answers {
    bool whole;       /* all states are listed, however many */
    bool alone;       /* the test is the only one that was asked for */
    const char *test; /* its name */
    size_t pairs, otherwise, verdicts[LIT_ERROR + 1];
    VEC(struct report_answered *) items;
    struct arena arena;
};

/* `test.remarks` are lines about other engines, `test.explanation` is told behind the answer. */
void report_answers_add(struct report_answers *answers, const struct report_test *test);
/* A pair that could not be loaded. */
void report_answers_fail(struct report_answers *answers, const struct report_failure *failure);
void report_answers_end(struct report_answers *answers, struct strbuf *out);

#endif
