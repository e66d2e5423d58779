/* session_refine: tests that are held against another one, the source.
 *
 * A condition `refines` asks whether each state of the test, as far as it is of the locations that
 * both have, is one of the source. The source is a test like any other, without its conditions; all
 * its states under its own model pair are listed first, and are then the condition's proposition.
 * So every engine decides it, lists or explains as any other condition: no state of the test has to
 * be listed for that.
 *
 * The kinds of states are those of conditions. A recovered state is held against the recovered
 * states of the source, or, of a source without recovery, against its crash states, for those are
 * what it goes on with.
 */
#ifndef CRASHLIT_SESSION_REFINE_H
#define CRASHLIT_SESSION_REFINE_H

#include "session/session_case.h"
#include "session/session_test.h"

/* The program with the conditions that SESSION_REFINES stands for, in place of its own: on crash
 * states, on recovered ones if it has a recovery, and on final ones. */
const struct lit_program *session_refine_conditions(struct arena *arena,
                                                    const struct session_settings *settings,
                                                    const struct lit_program *program);

/* Lists the states of the sources that the test's conditions name, by the engine of the settings
 * (a machine, which shows a part of its model's states, lists no source: the first engine does, and
 * so do all but it when all are asked). Each source is a part of its own, with a clock. False: a
 * source could not be read, or is not to be compared with the test; what is wrong is in the test's
 * `diag`, and of a model in `model_faults`. The program is then NULL. */
bool session_refine(struct session_test *test, const struct session_settings *settings,
                    struct session_models *models, struct session_parts parts)
    __attribute__((warn_unused_result));

/* The source of a condition, asked for a state of the test that it does not have: the row's columns
 * that are compared. Its one condition is `~exists`. In the arena. */
struct session_case session_refine_ask(struct arena *arena, const struct session_case *question,
                                       const struct lit_condition *condition,
                                       const struct lit_atom *items, uint32_t width,
                                       const int64_t *row);

#endif
