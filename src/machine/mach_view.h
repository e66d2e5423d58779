/* mach_view: describes a machine's states and steps in the terms of engine/trace.h.
 *
 * A machine's `view` opens its parts one after the other and fills each; its `tell` describes a
 * step in the state before it. Parts have the names of the machine's description, whatever the
 * state.
 *
 * Ownership: everything is in the view's arena; texts given are copied. */
#ifndef CRASHLIT_MACH_VIEW_H
#define CRASHLIT_MACH_VIEW_H

#include "base/vec.h"
#include "engine/trace.h"
#include "machine/mach.h"

struct mach_view {
    struct arena *arena;
    const struct mach_test *test;
    VEC(struct trace_part) parts;
    VEC(struct trace_cell) cells; /* of the open part */
    struct trace_step told;
};

void mach_view_init(struct mach_view *view, struct arena *arena, const struct mach_test *test);
/* Releases what is not in the arena. */
void mach_view_fini(struct mach_view *view);

/* ---- For `view` ---- */

/* Closes the open part, and opens one with places of locations. */
void mach_view_places(struct mach_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds the location's place, with a value number and a mark, or empty. */
void mach_view_place(struct mach_view *view, uint32_t location, uint8_t number, const char *mark);
void mach_view_empty_place(struct mach_view *view, uint32_t location);
/* Closes the open part, and opens a queue. */
void mach_view_queue(struct mach_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Adds an entry, the oldest first. */
void mach_view_entry(struct mach_view *view, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The locations of a line: "x", "x,y". In the view's arena. */
const char *mach_view_line(struct mach_view *view, uint32_t line);

/* ---- For `tell` ---- */

/* Describes a step of a thread: what the machine does besides executing its instruction, or NULL.
 * The caller adds the instruction, what it reads and who goes on. `kind` must be static. */
void mach_tell_thread(struct mach_view *view, uint32_t thread, const char *kind, const char *text);
/* Describes a step of a part of the machine. */
void mach_tell_part(struct mach_view *view, const char *actor, const char *kind, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));

/* ---- For the caller ---- */

/* Closes the last part; returns the parts of a state and sets `count`. */
const struct trace_part *mach_view_state(struct mach_view *view, const uint8_t *state,
                                         uint32_t *count);

#endif
