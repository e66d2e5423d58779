/* session_refine: compares a test with another one, its source.
 *
 * A condition `refines` asks whether each state of the test is a state of the source, at the
 * locations that both have. The source is a test like any other; its conditions are ignored. First
 * all its states under its own model pair are listed; they become the condition's proposition. So
 * every engine decides, lists or explains it like any condition, and need not list the test's
 * states.
 *
 * The kinds of states are those of conditions. A recovered state is compared with the recovered
 * states of the source. A source without recovery offers its crash states, as it goes on with
 * those. */
#ifndef CRASHLIT_SESSION_REFINE_H
#define CRASHLIT_SESSION_REFINE_H

#include "session/session_case.h"
#include "session/session_test.h"

/* The program with the conditions that SESSION_REFINES stands for in place of its own: on crash
 * states, on recovered ones if it has a recovery, and on final ones. */
const struct lit_program *session_refine_conditions(struct arena *arena,
                                                    const struct session_settings *settings,
                                                    const struct lit_program *program);

/* Lists the states of the sources that the test's conditions name, with the engine of the settings.
 * A machine shows only part of its model's states, so it lists no source: the first engine does
 * instead, and all but it when all are asked. Each source is a part of its own, with a clock.
 * False: a source could not be read, or cannot be compared with the test. Then `program` is NULL;
 * the test's `diag` says why, or `model_faults` for a model. */
bool session_refine(struct session_test *test, const struct session_settings *settings,
                    struct session_models *models, struct session_parts parts)
    __attribute__((warn_unused_result));

/* The program with what `property robust` asks under the question's model: its source is the test itself
 * under strict persistency, whose states are listed. `disagree` is set where engines list others. In
 * the arena. */
const struct lit_program *session_robust(struct arena *arena, const struct session_case *question,
                                         struct session_models *models,
                                         const struct cat_asker *asker, bool *disagree);

/* The program with what its properties ask under the question's model: that, and races. */
const struct lit_program *session_properties(struct arena *arena,
                                             const struct session_case *question,
                                             struct session_models *models,
                                             const struct cat_asker *asker, bool *disagree);
/* The same for another text of the test, whose conditions are those of `settled`, by the strict
 * model that was used for it. */
const struct lit_program *session_robust_again(struct arena *arena,
                                               const struct session_case *question,
                                               const struct lit_program *settled);

/* The question whether the condition's source has this state of the test: the row's columns that
 * are compared. Its one condition is `~exists`. In the arena. */
struct session_case session_refine_ask(struct arena *arena, const struct session_case *question,
                                       const struct lit_condition *condition,
                                       const struct lit_atom *items, uint32_t width,
                                       const int64_t *row);

#endif
