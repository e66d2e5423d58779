/* ptx_memory: the objects of a CUDA test as ranges of 64-bit numbers, and the cells in them.
 *
 * A pointer is a number. Each object has a window of its own, with gaps in between: what is not in
 * an object is out of bounds. Shared memory lies below 2^32, since compilers move its addresses in
 * 32-bit registers; it has the same address in each block, and locations of its own there.
 *
 * An object that the test declares has the cells of its type. Of the others a compiler says no
 * more than their size: their cells all have the size of the accesses. An access covers one cell, or
 * is a load of a part of one that no other thread of the launch writes.
 */
#ifndef CRASHLIT_PTX_MEMORY_H
#define CRASHLIT_PTX_MEMORY_H

#include "litmus/lit_lower.h"
#include "ptx/ptx_module.h"

struct ptx_object {
    const char *name;
    bool shared, declared; /* in the test's initial block */
    bool constant;         /* no kernel writes it */
    bool named;            /* its address is used somewhere */
    bool led_all;          /* addresses in memory may be any of it; else these, by byte: */
    uint64_t *led;         /* NULL: none */
    bool open;             /* its size is that which the launch gives */
    bool hidden;           /* of no variable: no state shows it */
    uint64_t base, size;
    const char *why; /* what names it is refused; NULL: it is read */
    uint32_t width;  /* of the cells of what is not declared; 0: nobody has accessed it yet */
    uint32_t wanted; /* the width by which a pointer that is read may access it; 0: by none */
    const struct ptx_variable *variable; /* of the code; NULL: of the test alone */
    struct span span;                    /* in the PTX, or in the test */
    uint32_t symbol;    /* in lower->symbols; of shared memory that of the first block */
    bool *opaque;       /* by location: some thread stores an opaque value there */
    uint32_t locations; /* of one block */
};

/* A cell of which a load takes a part, and a thread that writes it. */
struct ptx_piece {
    uint32_t object, location;
};
struct ptx_writer {
    uint32_t part, rank;
    const struct ast_launch *launch;
};

struct ptx_memory {
    struct lit_lower *lower;
    VEC(struct ptx_object) objects;
    uint32_t blocks;    /* in all launches */
    uint32_t workspace; /* the object of cooperative launches, of zeros */
    bool led_on;        /* addresses in memory may have been moved on within their objects */
    bool grew;          /* a location has become opaque, or what else all threads have to know */
    bool silent;        /* faults are not told yet: what was assumed of other lanes may change */
    bool faulted;       /* some thread had one in this walk through all */
    VEC(struct ptx_piece) parts;
    VEC(struct ptx_writer) writers;
    uint64_t steps;          /* of all threads, in all passes */
    struct ptx_warps *warps; /* of ptx_warp.h */
};

void ptx_memory_add(struct ptx_memory *memory, struct ptx_object object);
/* LIT_NONE: there is none of this name. */
uint32_t ptx_memory_named(const struct ptx_memory *memory, const char *name);
/* Its address is used: there may be pointers to it. */
void ptx_memory_name(struct ptx_memory *memory, uint32_t object);
/* Memory holds the address so far behind its beginning, or perhaps any of it; LIT_NONE: of all. */
void ptx_memory_lead(struct ptx_memory *memory, uint32_t object, uint64_t offset);
void ptx_memory_lead_all(struct ptx_memory *memory, uint32_t object);
/* The object that the number is in, or near; LIT_NONE: it is no address. */
uint32_t ptx_memory_near(const struct ptx_memory *memory, uint64_t address);
/* The bytes before a location of what the test declares. */
uint64_t ptx_memory_offset(const struct lit_symbol *symbol, uint32_t location);
/* The location of the cell, within the object, and its type; false: no cell is just there. */
bool ptx_memory_cell(struct ptx_memory *memory, uint32_t object, uint64_t offset, uint32_t bytes,
                     uint32_t *location, enum lit_type *type);
/* The same of a cell that the bytes are a part of, so many behind its first. */
bool ptx_memory_part(const struct ptx_memory *memory, uint32_t object, uint64_t offset,
                     uint32_t bytes, uint32_t *location, enum lit_type *type, uint32_t *behind);
/* What nobody has accessed but perhaps by pointers gets cells for these. True: something has. */
bool ptx_memory_claim(struct ptx_memory *memory);
/* What the code says is there at first. */
uint64_t ptx_memory_initial(const struct ptx_memory *memory, const struct ptx_object *object,
                            uint64_t offset, uint32_t bytes);
void ptx_memory_add_initial(const struct ptx_memory *memory, const struct ptx_object *object,
                            struct ast_init *init, uint64_t offset, uint32_t bytes);
/* Declares the locations of what the initial block leaves out, once its cells are known. */
void ptx_memory_declare(struct ptx_memory *memory);

/* What nobody has written yet holds in shared memory, whose locations are of type long: more than
 * any value of a cell. */
#define PTX_UNSET (INT64_C(1) << 40)
/* The same in cells of 8 bytes: a kernel that stores just this number is told to be undefined where it
 * is right. */
#define PTX_UNSET_WIDE INT64_C(-0x5ca1ab1edecade35)

#endif
