/* session_auto: the engine that is asked when none is named: the others, in turn and at once, until
 * one has decided.
 *
 * First the enumerator, within an allowance of steps, listing states unless the question is content
 * with verdicts: what is cheap is answered with all its states, by the same engine in every run.
 * What is not is decided, or listed where states are wanted: by the enumerator, alone within a
 * further allowance, and then with the symbolic engine beside it, in a thread of its own; who
 * settles it first calls the other off. Where neither does, what both have found is put together,
 * and the reasons of both say why the rest is unknown. A process that cannot load the solver's
 * library asks for another one that can before more is decided than takes about as long, so that
 * little work is lost.
 *
 * The outcome says who decided (`decided_by`). Which engine that is where two run against each
 * other, and so which state shows it, may differ from run to run; verdicts may not, as each
 * engine's are right whoever gives them.
 *
 * Errors: an engine that runs out of memory leaves that as a doubt of its own. Threads: one more,
 * which has ended on return.
 */
#ifndef CRASHLIT_SESSION_AUTO_H
#define CRASHLIT_SESSION_AUTO_H

#include "session/session_engines.h"
#include "session/session_run.h"

/* As session_run. */
void session_auto_run(const struct session_case *question, struct outcome *outcome,
                      const struct session_view *view);

/* Is there nothing that another engine could add to what this one found? */
bool session_auto_is_settled(const struct outcome *outcome, const struct session_case *question,
                             const struct engine_entry *engine);

#endif
