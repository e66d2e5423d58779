/* mach_reduce: partial-order reduction by representatives: what work-items may still do, from which
 * machines derive normal forms of their states. Private to the machines.
 *
 * With a reduction each state is replaced by its normal form before it is kept. Every image, final
 * state and hang that the machine shows is still shown. The argument has two halves.
 *
 * Nothing is added: a normal form N(s) is reached from s by steps of the machine, or it is a state
 * that differs from s in what no step and no observation can tell.
 *
 * Nothing is lost: N(s) simulates s. Whatever s shows, N(s) shows, and for every step from s to s'
 * there is a step from N(s), or none is needed, to a state that simulates s'. A match is
 * never longer than one step, and from a normal form all steps are explored. So a run s0 s1 s2 ...
 * of the machine is followed state by state: r0 = N(s0), and r(i+1) is N of what matches in r(i).
 * No state is left unexpanded, so a spinning work-item hides nobody (the cycle proviso of ample
 * sets is not needed). A normal form is found in finitely many steps: an instruction that lies on a
 * cycle of its work-item's code is never executed on the way.
 *
 * One rule is argued otherwise (nvw_apart.c): only of a crash or final state at the end of a
 * run. N(s) need not be reached from s, and the run from N(s) to the same end may be longer than
 * the one from s. All such ends are still found. Take the run from a normal form to one. Its first
 * step is explored; what it leads to comes to the end in a step less, and so does its normal form,
 * by the other rules, unless this rule was applied. Each time it is, a work-item that has no loop
 * before it any more moves on; there are finitely many such places, and no step leads back. So it
 * is applied finitely often, and after the last time the run only gets shorter.
 *
 * The rules that hold on every machine are here, with the reason beside each; a machine adds its
 * own (`reduce` in mach.h).
 */
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

/* A count that is not larger than this is exact; loops make it larger. */
enum { MACH_MANY = 100 };

/* What may still happen from an instruction on, itself included: over all paths. */
struct mach_outlook {
    struct mach_lines reads, writes; /* of any kind; all lines an index may mean */
    bool narrow_persists;            /* persist barriers of at most a work-group */
    bool wide_persists;              /* and of more */
    bool on_cycle;                   /* it may itself be executed again */
    bool meets;                      /* it may meet others at a barrier */
    /* Something that concerns others than its work-group: a wide access or fence, a wider barrier,
     * a crash statement that is observed. Or a loop. */
    bool reaches;
    uint8_t nv_writes;    /* most: writes to NVRAM; up to MACH_MANY + 1 */
    uint8_t lone, shared; /* persist barriers of less than a work-group, and of one or more */
    uint8_t epoch_writes; /* writes to NVRAM before the next persist barrier */
};

/* Computes test->future, of the test's program and lines; from then on machines reduce. With
 * `points` crash statements are observed. Cost: instructions times registers, once. */
void mach_reduce_init(struct mach_test *test, struct arena *arena, bool points);

/* Then: of what a crash leaves only the locations that conditions name are asked for. `end`: and
 * only of one that comes when all work-items have ended. */
void mach_reduce_to_conditions(struct mach_test *test, struct arena *arena, bool end);

/* Of an unfinished work-item; of one that is done, or stopped at a fault, nothing at all. One
 * stalled by a persist barrier stands behind it. */
const struct mach_outlook *mach_outlook(const struct mach_test *test, const uint8_t *state,
                                        uint32_t thread);
/* May a condition on final states look at the location? */
bool mach_is_observed(const struct mach_test *test, uint32_t location);

/* Is it asked what a crash leaves of the location, in NVM, or of a line? */
bool mach_is_watched(const struct mach_test *test, uint32_t location);
bool mach_watches_some(const struct mach_test *test); /* not of all locations */
bool mach_watches_ends(
    const struct mach_test *test); /* then: are there crashes at the end alone? */
bool mach_is_watched_line(const struct mach_test *test, uint32_t line);

/* Do normal forms leave out as much of one work-item as of another with the same code, or of one
 * location as of another? */
bool mach_threads_count_alike(const struct mach_test *test, uint32_t thread, uint32_t other);
bool mach_locations_count_alike(const struct mach_test *test, uint32_t location, uint32_t other);

/* Does a crash show registers of the work-item, or of any? What moves such a one on is never done
 * early, as its registers tell where it is: a normal form has them as its state has. */
bool mach_is_shown(const struct mach_test *test, uint32_t thread);
bool mach_shows_any(const struct mach_test *test);

/* Registers that their work-item will not read and no condition looks at are alike. */
void mach_forget_registers(const struct mach_test *test, uint8_t *state);

/* What a machine says of its steps, for mach_is_silent. */
enum mach_silence {
    MACH_SILENT_FENCES = 1,   /* no fence does anything; else none of at most a work-group */
    MACH_SILENT_MEETINGS = 2, /* the last arrival at an execution barrier merely lets all go */
    MACH_SILENT_ARRIVALS = 4, /* arrival at a persist barrier, the last one too, merely waits */
    MACH_WAITING_PERSISTS = 8 /* persist barriers wait for their scope to arrive */
};

/* Does the instruction a RUNNING work-item stands at, which a crash does not show, only move the
 * work-item on, or have it wait, whoever else does what before? Then it may as well come first: it
 * takes no step from anybody, it is not seen, and where it stands now is where it would stand
 * later. So it is with crash statements that are not observed, with fences that do nothing, and
 * with arrival at a barrier where it is not the last one, or the last one's arrival is silent too.
 */
bool mach_is_silent(const struct mach_test *test, uint8_t *state, uint32_t thread,
                    uint32_t silence);

/* Of a work-item that a crash does not show, and that concerns nobody beyond its work-group any
 * more: are all lines that it may still access its own, but for such as nobody writes, and are none
 * watched that it may write? Then it does the same whatever others do, and nobody asks when. */
bool mach_is_private(const struct mach_test *test, const uint8_t *state, uint32_t thread);

/* May some other work-item still write the line? */
bool mach_others_write(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                       uint32_t line);

/* Is the instruction of a RUNNING work-item, which a crash does not show, a store to a line that
 * nobody else accesses any more, not to be executed again? Only durability tells then when
 * it was executed. */
bool mach_is_private_store(struct mach_test *test, const uint8_t *state, uint32_t thread);

/* Runs all silent instructions, on a machine where arrivals are MACH_RUN too. Returns whether there
 * was one. */
bool mach_run_silently(struct mach_test *test, uint8_t *state, uint32_t silence);

#endif
