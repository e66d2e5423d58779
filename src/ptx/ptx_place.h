/* ptx_place: where instructions of PTX are from, by `.loc`.
 *
 * nvcc says of inlined code where it was inlined, so a place has a chain. clang 14 does not: the
 * last place in the kernel's own file is told as near. A place's text has the functions in files of
 * the kernel's folder: what stands in headers from elsewhere is hardly the user's.
 */
#ifndef CRASHLIT_PTX_PLACE_H
#define CRASHLIT_PTX_PLACE_H

#include "ptx/ptx_module.h"
#include "ptx/ptx_token.h"

/* As a file is read: the place of the instructions that follow. */
struct ptx_places {
    struct ptx_place now;
    const struct ptx_place *inlined[64]; /* the last ones of inlined code, in a ring, */
    uint32_t next;                       /* for finding those around others */
    const struct ptx_place *near;        /* the last one in the kernel's own file */
};

/* Reads what stands behind `.loc`, in the kernel (NULL: in none). */
void ptx_place_read(struct ptx_places *places, struct ptx_text *in, struct ptx_kernel *kernel);
/* The same of `.section`: of the debugger's, the texts, which are names of functions. */
void ptx_place_read_section(struct ptx_text *in, struct ptx_module *module);
/* The name in `_Z4lockPi`, or the last one in `_ZN2my4lockEPi`, or what is no such name; NULL: it has
 * none that is read. */
const char *ptx_place_name(struct arena *arena, const char *mangled);
/* Gives each instruction of the kernel its origin, in the arena. */
void ptx_place_all(struct arena *arena, struct ptx_kernel *kernel);
/* Adds the fences, the markers of persist barriers and the ends of a kernel whose words are read. */
typedef VEC(const struct lit_origin *) ptx_outline;
void ptx_place_outline(struct arena *arena, const struct ptx_kernel *kernel, ptx_outline *outline);
/* "lock() at spin.cu:2, inlined at spin.cu:4", or NULL where no place of the source is known. */
const char *ptx_place_text(const struct ptx_instr *instr);

#endif
