/* mach_reduce: partial-order reduction by representatives. It computes what work-items may still
 * do; from this machines derive normal forms of their states. Private to the machines.
 *
 * With a reduction each state is replaced by its normal form before it is kept. Every image, final
 * state and hang that the machine shows is still shown. The argument has two halves.
 *
 * Nothing is added: the machine reaches a normal form N(s) from s by its steps, or N(s) differs
 * from s only in what no step and no observation can tell.
 *
 * Nothing is lost: N(s) simulates s. Whatever s shows, N(s) shows. For every step from s to s'
 * there is a step from N(s), or none is needed, to a state that simulates s'. A match is never
 * longer than one step, and from a normal form all steps are explored. So a run s0 s1 s2 ... of the
 * machine is followed state by state: r0 = N(s0), and r(i+1) is N of the match in r(i). No state is
 * left unexpanded, so a spinning work-item hides nobody (the cycle proviso of ample sets is not
 * needed). Normalising ends: it never executes an instruction on a cycle of its work-item's code.
 *
 * One rule has another argument (nvw_apart.c), only about a crash or final state at the end of a
 * run. N(s) need not be reachable from s, and the run from N(s) to the same end may be longer than
 * the one from s. All such ends are still found. Take a run from a normal form to an end. Its first
 * step is explored. The state after it is one step closer to the end, and so is its normal form by
 * the other rules, unless this rule was applied. Each application moves on a work-item that has no
 * loop ahead; such places are finite in number, and no step leads back. So it is applied finitely
 * often, and after the last time the run only gets shorter.
 *
 * Rules that hold on every machine are here, each with its reason; a machine adds its own (`reduce`
 * in mach.h). */
#ifndef CRASHLIT_MACH_REDUCE_H
#define CRASHLIT_MACH_REDUCE_H

#include "machine/mach.h"

/* A set of lines. */
struct mach_lines {
    uint64_t bits[(MACH_MAX_LINES + 63) / 64];
};

static inline bool mach_has_line(const struct mach_lines *lines, uint32_t line)
{
    BASE_ASSERT(line < MACH_MAX_LINES);
    return lines->bits[line / 64] >> line % 64 & 1;
}

void mach_join_lines(struct mach_lines *lines, const struct mach_lines *other);

/* Counts up to this are exact; loops exceed it. */
enum { MACH_MANY = 100 };

/* What may still happen from an instruction on, itself included, over all paths. */
struct mach_outlook {
    struct mach_lines reads, writes; /* of any kind; an index counts for all of its lines */
    bool narrow_persists;            /* persist barriers of at most a work-group */
    bool wide_persists;              /* and of more */
    bool on_cycle;                   /* it may be executed again */
    bool meets;                      /* it may meet others at a barrier */
    /* Something that concerns others than its work-group: a wide access or fence, a wider barrier,
     * a crash statement that is observed; or a loop. */
    bool reaches;
    uint8_t nv_writes;    /* most: writes to NVRAM; up to MACH_MANY + 1 */
    uint8_t lone, shared; /* most: persist barriers of less than a work-group, of one or more */
    uint8_t epoch_writes; /* most: writes to NVRAM before the next persist barrier */
};

/* Computes test->future from the test's program and lines; from then on machines reduce. With
 * `points` crash statements are observed. Cost: instructions times registers, once. */
void mach_reduce_init(struct mach_test *test, struct arena *arena, bool points);

/* Call after mach_reduce_init: of what a crash leaves only locations that conditions name are asked
 * for. `end`: and only of crashes after all work-items have ended. */
void mach_reduce_to_conditions(struct mach_test *test, struct arena *arena, bool end);

/* The outlook of an unfinished work-item; an empty one if it is done, or stopped at a fault. A
 * work-item stalled by a persist barrier stands behind the barrier. */
const struct mach_outlook *mach_outlook(const struct mach_test *test, const uint8_t *state,
                                        uint32_t thread);
/* May a condition on final states look at the location? */
bool mach_is_observed(const struct mach_test *test, uint32_t location);

/* Is it asked what a crash leaves of the location, in NVM, or of a line? */
bool mach_is_watched(const struct mach_test *test, uint32_t location);
bool mach_watches_some(const struct mach_test *test); /* is it asked of some locations only? */
bool mach_watches_ends(const struct mach_test *test); /* if so: do only crashes at the end count? */
bool mach_is_watched_line(const struct mach_test *test, uint32_t line);

/* Do normal forms treat two work-items with the same code, or two locations, alike? */
bool mach_threads_count_alike(const struct mach_test *test, uint32_t thread, uint32_t other);
bool mach_locations_count_alike(const struct mach_test *test, uint32_t location, uint32_t other);

/* Does a crash show registers of the work-item, or of any? Such a work-item is never moved on
 * early, as its registers tell where it is: a normal form keeps them. */
bool mach_is_shown(const struct mach_test *test, uint32_t thread);
bool mach_shows_any(const struct mach_test *test);

/* Clears registers that their work-item will not read and no condition looks at. */
void mach_forget_registers(const struct mach_test *test, uint8_t *state);

/* A machine's properties for mach_is_silent. */
enum mach_silence {
    MACH_SILENT_FENCES = 1,   /* no fence does anything; otherwise only fences of at most a
                                 work-group do nothing */
    MACH_SILENT_MEETINGS = 2, /* the last arrival at an execution barrier merely lets all go */
    MACH_SILENT_ARRIVALS = 4, /* arrival at a persist barrier, the last one too, merely waits */
    MACH_WAITING_PERSISTS = 8 /* persist barriers wait for their scope to arrive */
};

/* Is the instruction silent at which a RUNNING work-item stands? A crash must not show the
 * work-item. Silent means: it only moves the work-item on, or makes it wait, whatever others do
 * before. Then it may come first: it takes no step from anybody, it is not seen, and the work-item
 * stands where it would stand later. Silent are crash statements that are not observed, fences that
 * do nothing, and arrivals at a barrier, except a last one that is not silent. */
bool mach_is_silent(const struct mach_test *test, uint8_t *state, uint32_t thread,
                    uint32_t silence);

/* Is the work-item private from now on? A crash must not show it, and it must concern nobody beyond
 * its work-group. Private means: every line it may still access is its own, or nobody writes it;
 * and no line that it may write is watched. Then it does the same whatever others do, and nobody
 * asks when. */
bool mach_is_private(const struct mach_test *test, const uint8_t *state, uint32_t thread);

/* May some other work-item still write the line? */
bool mach_others_write(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                       uint32_t line);

/* Is the instruction of a RUNNING work-item a private store? A crash must not show the work-item.
 * It is a store to a line that nobody else accesses any more, and will not be executed again. Then
 * only durability tells when it was executed. */
bool mach_is_private_store(struct mach_test *test, const uint8_t *state, uint32_t thread);

/* Runs all silent instructions, on a machine whose arrivals are MACH_RUN too. Returns whether there
 * was one. */
bool mach_run_silently(struct mach_test *test, uint8_t *state, uint32_t silence);

#endif
