/* gen_cycle: closes a cycle of words. It finds at which access each edge begins, of which work-item
 * and location, and what each access reads or writes so that all edges are there.
 *
 * An edge leads from its source to the source of the next edge, the last one to that of the first.
 * Edges that stay join accesses of one location, its *run*; an edge that moves leads to another
 * run. Edges that leave change the work-item. Writes of a run are in coherence in the order of the
 * cycle, and a read returns what the write before it in its run wrote. Then every edge of
 * communication is there. A run that goes all round begins behind its last edge of program order.
 *
 * One rotation of a cycle is canonical: what is lost comes last, else a work-item's first access
 * comes first; of several the one whose words come first in the table. Names and tests are made of
 * it. */
#ifndef CRASHLIT_GEN_CYCLE_H
#define CRASHLIT_GEN_CYCLE_H

#include "generate/gen_words.h"

enum { GEN_MAX_CYCLE = 12, GEN_MAX_INSERTED = 4 };

/* An edge, with the mark of the access where it begins and the instructions inserted in it. */
struct gen_link {
    struct gen_word edge;
    struct gen_word mark; /* of the access: ORDER, or a FAMILY that is an access */
    struct gen_word inserted[GEN_MAX_INSERTED];
    uint8_t inserted_count;
    bool marked, nvm, alone, together; /* mark, Nvm, Tx1, Tx */
};

struct gen_cycle {
    struct gen_link links[GEN_MAX_CYCLE];
    uint32_t count;
};

/* Why a cycle cannot close, and the byte of the word at fault. */
struct gen_fault {
    uint32_t at;
    char text[240];
};

struct gen_access {
    bool reads, writes; /* never both: an instruction with Rmw is two */
    uint8_t thread, location;
    uint8_t value; /* the number of writes of its run up to it: the value written or read */
};

struct gen_closed {
    struct gen_access accesses[GEN_MAX_CYCLE];
    uint32_t thread_count, location_count;
    uint8_t writes[GEN_MAX_CYCLE]; /* of each location */
    bool ordered[GEN_MAX_CYCLE];   /* of each location: some edge needs one order of its writes */
    uint32_t crash;                /* the number of the Crash edge; count: none */
    uint8_t places[GEN_MAX_CYCLE]; /* of each work-item, the narrowest scope shared with the next;
                                      GEN_UNSAID behind a crash */
};

/* The numbers of the links behind and before a link. */
static inline uint32_t gen_cycle_next(const struct gen_cycle *cycle, uint32_t i)
{
    return i + 1 == cycle->count ? 0 : i + 1;
}
static inline uint32_t gen_cycle_before(const struct gen_cycle *cycle, uint32_t i)
{
    return (i ? i : cycle->count) - 1;
}

/* Sets the fault, and returns false. */
bool gen_cycle_fail(struct gen_fault *fault, uint32_t at, const char *text);
/* Rotates a cycle to its canonical rotation. */
void gen_cycle_turn(struct gen_cycle *cycle);
/* Rotates and closes a cycle; false with the fault when it does not close. */
bool gen_cycle_close(const struct gen_vocabulary *vocabulary, const struct gen_cycle *cycle,
                     struct gen_closed *closed, struct gen_fault *fault)
    __attribute__((warn_unused_result));
/* Compares links by their words. */
int gen_link_order(const struct gen_link *a, const struct gen_link *b);
/* The words, with `between` between them. */
void gen_cycle_add(const struct gen_vocabulary *vocabulary, const struct gen_cycle *cycle,
                   const char *between, struct strbuf *out);

#endif
