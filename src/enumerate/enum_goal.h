/* enum_goal: what a search is for, when it is not for all states. Private to the enumerator.
 *
 * To decide a condition one state is enough: one that satisfies it, or for `forall` one
 * that does not. A partial witness from which no such state can come is given up.
 *
 * Values that justify themselves (enum_thin_air.c) are a doubt only where a search comes to them,
 * so what a listing leaves unknown may be decided. That is right, for whatever gives a partial
 * witness up takes a value that is not known for any value: of all solutions, tried or not, none
 * shows what is looked for. Nor does one search lean on another: each condition has a search, as
 * has undefined behaviour; that there is a state at all is asked by a search that gives nothing up
 * for what it shows (looks_for_any, looks_for_run), and flags are looked for again when something
 * was given up.
 */
#ifndef CRASHLIT_ENUM_GOAL_H
#define CRASHLIT_ENUM_GOAL_H

#include "enumerate/enum_search.h"

/* Does the path end at a bound that no execution found consistent has met yet? */
bool enum_leaves_doubt(const struct enum_state *state, const struct exec_path *path);
/* Can executions along these paths, one per thread, serve the goal? For one about final
 * states all run to their ends; or one meets a bound, perhaps beside others that wait for
 * what it would do later, and leaves a doubt, for which the execution has to be consistent. */
bool enum_paths_serve(const struct enum_state *state, const struct exec_path *const *paths);

/* Can the witness, as far as it is chosen, still end in a final state that the test's
 * filter keeps and, when there is a goal, that decides its condition? */
bool enum_goal_open(const struct enum_search *search);

/* While flags are looked for: can the witness, as far as it is chosen, still raise a new one? */
bool enum_flag_open(struct enum_search *search);

/* The plan to evaluate the skeleton by, so that its partial witnesses can be asked what they may
 * show; NULL where they are not to be, for what the search is for or because it is tried whether it
 * is short, which is noted. Lives as long as the state's paths. */
const struct cat_plan *enum_outlook_plan(struct enum_search *search);
/* Is it no short one after all, so that it is to begin anew? */
bool enum_is_tried_enough(const struct enum_search *search);

/* Can the witness, as far as it is chosen and enum_viable says, still show what is looked for, a
 * crash state that decides the goal or undefined behaviour? May say true wrongly, never false
 * wrongly (enum_outlook.c). */
bool enum_outlook_open(struct enum_search *search);

/* Does a state decide the goal's condition? Always true without a goal. When the goal is about
 * recovery a crash state is recovered, and decides when that settles all there is. */
bool enum_goal_met(const struct enum_state *state, const struct outcome_states *states,
                   const int64_t *row);

/* Is a final state all that the execution can show, the same whatever else is chosen, and
 * known already? */
bool enum_state_known(struct enum_search *search);

#endif
