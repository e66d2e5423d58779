/* pipe_draw: draws a pipeline as text, for `crashlit machines -v`.
 *
 * Each stage is a box, from the store down to the medium, with the instructions that act on it. A
 * line of `=` shows where what survives a crash begins. Rules that name no stage stand below. */
#ifndef CRASHLIT_PIPE_DRAW_H
#define CRASHLIT_PIPE_DRAW_H

#include "base/strbuf.h"
#include "machine/mach_pipe.h"

void mach_pipe_draw(const struct mach_pipe *pipe, struct strbuf *out);

#endif
