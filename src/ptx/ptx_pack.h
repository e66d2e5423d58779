/* ptx_pack: mov between a register and its parts, as in `mov.b64 {%r1, %r2}, %rd1`. */
#ifndef CRASHLIT_PTX_PACK_H
#define CRASHLIT_PTX_PACK_H

#include "ptx/ptx_value.h"

/* Does a vector stand in it? */
bool ptx_packs(const struct ptx_instr *instr);
void ptx_step_pack(struct ptx_walk *s, const struct ptx_instr *instr);

#endif
