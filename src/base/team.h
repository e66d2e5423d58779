/* team: threads that do one job together, again and again.
 *
 * A job is called once by the caller, and once at most by each other member. They deal the work out
 * among themselves: it is done when the caller comes back from the job, but for what others have
 * taken up, and these are waited for. Threads begin with the first job, and wait
 * between jobs.
 *
 * What one member writes during a job another may read in the next one, or the caller between.
 * Ownership: threads but the caller's have no guard (base/guard.h), so a job allocates nothing.
 * Errors: where a thread cannot be had the team is smaller. A failure of the caller under a guard
 * ends the team, once the others have come back.
 */
#ifndef CRASHLIT_TEAM_H
#define CRASHLIT_TEAM_H

#include <stdint.h>

enum { TEAM_MOST = 64 };

struct team;

/* `member`: below the team's size; 0 is the caller. */
typedef void team_job(void *context, uint32_t member);

/* `size`: 1 to TEAM_MOST. */
struct team *team_new(uint32_t size);
void team_free(struct team *team);
void team_do(struct team *team, team_job *job, void *context);

/* Processors that this process may use; at least 1. */
uint32_t team_processors(void);

#endif
