/* mach_view: a state of a machine, and a step, told in the words of engine/trace.h.
 *
 * A machine's `view` opens its parts one after the other and fills each; its `tell` says what a
 * step does, seen from the state before it. The names of parts are those of the machine's
 * description, and do not depend on the state.
 *
 * Ownership: everything is in the view's arena; texts given are copied.
 */
#ifndef CRASHLIT_MACH_VIEW_H
#define CRASHLIT_MACH_VIEW_H

#include "base/vec.h"
#include "engine/trace.h"
#include "machine/mach.h"

struct mach_view {
    struct arena *arena;
    const struct mach_test *test;
    VEC(struct trace_part) parts;
    VEC(struct trace_cell) cells; /* of the part that is open */
    struct trace_step told;
};

void mach_view_init(struct mach_view *view, struct arena *arena, const struct mach_test *test);
/* Releases what is not in the arena. */
void mach_view_fini(struct mach_view *view);

/* ---- For `view` ---- */

/* Closes the part before, and opens one of places of locations. */
void mach_view_places(struct mach_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The next place: the location's, with a value number and a mark, or empty. */
void mach_view_place(struct mach_view *view, uint32_t location, uint8_t number, const char *mark);
void mach_view_empty_place(struct mach_view *view, uint32_t location);
/* Closes the part before, and opens a queue. */
void mach_view_queue(struct mach_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The next entry, the oldest first. */
void mach_view_entry(struct mach_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The locations of a line: "x", "x,y". In the view's arena. */
const char *mach_view_line(struct mach_view *view, uint32_t line);

/* ---- For `tell` ---- */

/* A step of a thread: what the machine does besides executing its instruction, or NULL. That
 * instruction, what it reads and who goes on is added by whoever asks. `kind` has to be static. */
void mach_tell_thread(struct mach_view *view, uint32_t thread, const char *kind, const char *text);
/* A step of a part of the machine. */
void mach_tell_part(struct mach_view *view, const char *actor, const char *kind, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* ---- For whoever asks ---- */

/* The parts of a state; closes the last. `count` is set. */
const struct trace_part *mach_view_state(struct mach_view *view, const uint8_t *state,
                                         uint32_t *count);

#endif
