/* enum_goal: the goal of a search that does not list all states. Private to the enumerator.
 *
 * One state is enough to decide a condition: one that satisfies it, or for `forall` one that breaks
 * it. The search gives up a partial witness from which no such state can come.
 *
 * Self-justifying values (enum_thin_air.c) are a doubt only where a search meets them. So a search
 * for a goal may decide what a listing leaves unknown. That is sound: a partial witness is given up
 * only if no values of its unknown reads can show what is looked for.
 *
 * No search relies on another one. Each condition has its own search, and so has undefined
 * behaviour. Whether there is a state at all is a search that gives up nothing (looks_for_any,
 * looks_for_run). Flags are searched for again when a search gave something up. */
#ifndef CRASHLIT_ENUM_GOAL_H
#define CRASHLIT_ENUM_GOAL_H

#include "enumerate/enum_search.h"

/* Does the path end at a bound that no consistent execution has met so far? */
bool enum_leaves_doubt(const struct enum_state *state, const struct exec_path *path);
/* Can executions along these paths, one per thread, serve the goal? For a goal about final states,
 * all threads run to their ends. Or one thread meets a bound, which leaves a doubt if the execution
 * is consistent; others may wait for what it would do later. */
bool enum_paths_serve(const struct enum_state *state, const struct exec_path *const *paths);

/* Can the partial witness still end in a final state that the test's filter keeps and that decides
 * the goal, if there is one? */
bool enum_goal_open(const struct enum_search *search);

/* While flags are looked for: can the partial witness still raise a new one? */
bool enum_flag_open(struct enum_search *search);

/* The plan by which enum_outlook_open can judge partial witnesses of this skeleton; lives as long
 * as the state's paths. NULL when the goal needs no such judgement, or when the search may be
 * short: then `is_tried` is set, and the search runs without it. */
const struct cat_plan *enum_outlook_plan(struct enum_search *search);
/* Has a search that was taken for short (`is_tried`) turned out long, so that it has to begin
 * anew? */
bool enum_is_tried_enough(const struct enum_search *search);

/* Can a partial witness that enum_viable accepts still show a crash state that decides the goal, or
 * undefined behaviour? May say true wrongly, never false wrongly (enum_outlook.c). */
bool enum_outlook_open(struct enum_search *search);

/* Does a state decide the goal's condition? True without a goal. For a goal about recovery it runs
 * recovery from the crash state; true when that leaves nothing to look for. */
bool enum_goal_met(const struct enum_state *state, const struct outcome_states *states,
                   const int64_t *row);

/* Can the execution show nothing but a final state, the same one whatever else is chosen, that is
 * already known? */
bool enum_state_known(struct enum_search *search);

#endif
