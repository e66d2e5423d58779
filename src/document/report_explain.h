/* report_explain: why a condition of a test has the answer that it has, as a document and JSON. */
#ifndef CRASHLIT_REPORT_EXPLAIN_H
#define CRASHLIT_REPORT_EXPLAIN_H

#include "report/report.h"
#include "document/report_tree.h"

/* The whole, as text; or what is known of a state that is there before anything else is asked: the
 * question, and the steps; or the rest. */
enum report_explained { REPORT_EXPLAINED, REPORT_EXPLAINED_STEPS, REPORT_EXPLAINED_REST };

/* Why a condition of the test has the answer it has. `test` has program, model, outcome
 * (for undefined behaviour) and crash mode. */
struct report_explanation {
    struct report_test test;
    uint32_t number; /* of the condition, from 1 */
    const struct lit_condition *condition;
    const struct explanation *explanation; /* NULL: it is a property that no states decide, and the
                                              outcome's faults are all there is to tell */
    const struct explanation_crash *crashes; /* of a condition on recovery: those that the chain of
                                           the test's outcome goes through; NULL: none */
    uint32_t crash_count;
    const struct explanation_advice *advice; /* of what should not be; NULL: not asked for */
    uint32_t advised_for; /* the number of a condition before it whose advice is the same change, 0:
                             none; its difference is not told once more */
    const struct explanation_support *support; /* of what is out of reach; NULL likewise */
    uint32_t shown_for; /* the number of a condition before it that the same steps reach a state of,
                           0: none; text does not repeat them */
    enum report_explained part;
};
void report_explain_text(const struct report_explanation *report, struct strbuf *out);
/* Its last part, what is said of the program's text, but for differences; or nothing. */
void report_advice_words(const struct report_explanation *report, struct strbuf *out);
/* One object, one line. */
void report_explain_json(const struct report_explanation *report, struct strbuf *out);

/* ---- What its parts share ---- */

/* Of a missing order. */
#define REPORT_NOTHING_BETWEEN "no fence, flush or persist barrier stands between them"

/* "P0", or "the start" of an initial write. */
const char *report_explain_thread(const struct report_explanation *report,
                                  const struct outcome_event *event);
/* "P0's W key at line 5", with the column where that is said of several. */
void report_explain_event(const struct report_explanation *report,
                          const struct outcome_event *event, struct strbuf *out);
/* A line of the test, or of a table the cell at this column, without the blanks around it; the same
 * of an event. */
void report_source_text(const struct lit_program *program, uint32_t line, uint32_t column,
                        struct strbuf *out);
void report_explain_source(const struct report_explanation *report,
                           const struct outcome_event *event, struct strbuf *out);

/* Behind `before`: why what stands between two writes does not order them, where that is known, or
 * what stands elsewhere; nothing where there is nothing to say. */
void report_explain_why_not(const struct lit_program *program, const struct explanation_gap *gap,
                            const char *before, struct strbuf *out);

/* "P1 has not come to its W slot[0] at line 13": what the crash came before. */
void report_explain_unstored(const struct lit_program *program, const struct outcome_event *event,
                             struct strbuf *out);

/* "Holds: no state breaks it": what follows for the condition where no state does that. */
void report_explain_none(const struct report_explanation *report, struct strbuf *out);

/* The whole. */
void report_explain_tree(const struct report_explanation *report, struct report_tree *tree);
/* Parts of it: "W val = 42"; "P0's W x at line 5 is durable before P0's W y at line 6 is". */
void report_explain_step(const struct report_explanation *report,
                         const struct explanation_step *step, struct strbuf *out);
void report_explain_reason(const struct report_explanation *report, uint32_t number,
                           struct strbuf *out);
/* The steps of an execution, and the state. */
void report_text_execution(const struct report_explanation *report, struct strbuf *out);
/* How a state is reached: the same, and chosen and missing orders. */
void report_text_steps(const struct report_explanation *report, struct strbuf *out);
/* Why a state is out of reach: reasons, what each alone does, and what could take its place. */
void report_text_unreachable(const struct report_explanation *report, struct strbuf *out);
/* The fields from "steps" on: how a state is reached. */
void report_json_steps(const struct report_explanation *report, struct strbuf *out);
/* The fields from "reasons" on. */
void report_json_reasons(const struct report_explanation *report, struct strbuf *out);

/* What would help, or what is needed of the program as it stands; nothing where neither was asked
 * for (report_advice.c). */
void report_explain_advice(const struct report_explanation *report, struct report_tree *tree);
/* Are lines of the program the reason? They are told of before rules of the model. */
bool report_support_leads(const struct report_explanation *report);
/* What to do about a race of the program where no change of it is advised, which accesses are left
 * plain in (report_race.c). */
void report_explain_race(const struct report_explanation *report, struct report_tree *tree);
void report_advice_sarif_fixes(const struct report_explanation *report, struct strbuf *out);
void report_json_advice(const struct report_explanation *report, struct strbuf *out);

#endif
