/* session_auto: the engine `auto`, a portfolio of the other engines. It is asked when none is
 * named.
 *
 * First the enumerator runs within an allowance of steps. It lists states unless verdicts are
 * enough. So a cheap question gets all its states, from the same engine in every run. A dear
 * question is decided, or listed where states are wanted. The enumerator does that alone within a
 * further allowance, then with the symbolic engine beside it in a thread of its own. Whichever
 * settles the question calls the other off. If neither does, both findings are joined, with both
 * reasons why the rest is unknown. A process that cannot load the solver's library asks for another
 * that can. It does so before deciding takes longer than that, so that little work is lost.
 *
 * `decided_by` of the outcome names the engine that decided. Where two engines race, that engine,
 * and so the state shown, may differ from run to run. Verdicts may not, as each engine's are right.
 *
 * Errors: an engine that runs out of memory leaves a doubt of its own. Threads: one more, which has
 * ended on return. */
#ifndef CRASHLIT_SESSION_AUTO_H
#define CRASHLIT_SESSION_AUTO_H

#include "session/session_engines.h"
#include "session/session_run.h"

/* As session_run. */
void session_auto_run(const struct session_case *question, struct outcome *outcome,
                      const struct session_view *view);

/* Does the outcome leave nothing that another engine could add? */
bool session_auto_is_settled(const struct outcome *outcome, const struct session_case *question,
                             const struct engine_entry *engine);

#endif
