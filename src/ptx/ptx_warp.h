/* ptx_warp: what the lanes of a warp do together: bar.warp.sync, and shfl, vote, match, redux, which
 * give each other values of registers.
 *
 * The lanes that a mask names meet. bar.warp.sync orders memory among them, by the manual; an
 * exchange orders none: its meeting is bare, and what is given is in a location that is no memory
 * (`exchanged` in litmus/lit_program.h). A value that is known needs no location.
 *
 * Which lanes come, and what they give, is found by walking through all threads, again and again
 * until what was assumed of the others is what is found. A lane that has left counts for nobody, as
 * the manual says; what is taken of it is opaque. Lanes that are not there have left. A lane that may
 * wait first is waited for until it ends.
 *
 * Ownership: all is in the arena of lowering but the vectors, which ptx_warp_free gives back.
 * Errors: the first one is reported at the instruction.
 */
#ifndef CRASHLIT_PTX_WARP_H
#define CRASHLIT_PTX_WARP_H

#include "ptx/ptx_value.h"

/* Before and behind a walk through all threads. True: another one is needed. */
void ptx_warp_begin(struct ptx_memory *memory);
bool ptx_warp_differs(struct ptx_memory *memory);
/* Once no other one is needed. False after reporting a meeting that cannot be counted. */
bool ptx_warp_check(const struct ptx_memory *memory);
/* Declares the locations of what is given. */
void ptx_warp_declare(struct ptx_memory *memory);
void ptx_warp_free(struct ptx_memory *memory);

/* Behind a walk through one thread, with its blocks in order: may it wait anywhere? */
void ptx_warp_note(struct ptx_walk *s);
void ptx_step_warp_barrier(struct ptx_walk *s, const struct ptx_instr *instr);
void ptx_step_exchange(struct ptx_walk *s, const struct ptx_instr *instr);
/* The thread ends: lanes that it has never come to a meeting of wait for that. Do any? */
void ptx_step_leave(struct ptx_walk *s);
bool ptx_warp_leaves(const struct ptx_walk *s);

#endif
