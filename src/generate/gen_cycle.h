/* gen_cycle: a cycle of words, closed: which access each edge begins at, of whom, on which
 * location, and what each access has to read or write for all the edges to be there.
 *
 * An edge leads from its source to the source of the next one, the last edge to that of the first.
 * Accesses joined by edges that stay are of one location, its *run*; an edge that moves leads to
 * another run. Work-items change at edges that leave. Writes of a run are in coherence in the order
 * of the cycle, and a read returns what the write before it in its run wrote: then every edge of
 * communication is there. A run that goes all round begins behind its last edge of program order.
 *
 * Of the rotations of a cycle one is its own: what is lost last, else a work-item first; of several
 * the one whose words come first in the table. Names and tests are made of that.
 */
#ifndef CRASHLIT_GEN_CYCLE_H
#define CRASHLIT_GEN_CYCLE_H

#include "generate/gen_words.h"

enum { GEN_MAX_CYCLE = 12, GEN_MAX_INSERTED = 4 };

/* An edge, with what is said of the access it begins at and what stands in it. */
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

/* Why a cycle cannot close, and the place of the word in the text. */
struct gen_fault {
    uint32_t at;
    char text[240];
};

struct gen_access {
    bool reads, writes; /* never both: an instruction with Rmw is two */
    uint8_t thread, location;
    uint8_t value; /* how many writes of its run are up to it: what it writes, or reads */
};

struct gen_closed {
    struct gen_access accesses[GEN_MAX_CYCLE];
    uint32_t thread_count, location_count;
    uint8_t writes[GEN_MAX_CYCLE]; /* of each location */
    bool
        ordered[GEN_MAX_CYCLE]; /* of each location: some edge is there only in one order of them */
    uint32_t crash;             /* the edge that is one; count: none */
    uint8_t places[GEN_MAX_CYCLE]; /* of each work-item, the narrowest scope shared with the next;
                                      GEN_UNSAID behind a crash */
};

/* The rotation that is the cycle's own. */
void gen_cycle_turn(struct gen_cycle *cycle);
/* False with the fault when it does not close. The cycle is turned. */
bool gen_cycle_close(const struct gen_vocabulary *vocabulary, const struct gen_cycle *cycle,
                     struct gen_closed *closed, struct gen_fault *fault)
    __attribute__((warn_unused_result));
/* Order of links, that of the words in them; as cycles, from link `i` and `j` of one on. */
int gen_link_order(const struct gen_link *a, const struct gen_link *b);
/* The words, with `between` between them. */
void gen_cycle_add(const struct gen_vocabulary *vocabulary, const struct gen_cycle *cycle,
                   const char *between, struct strbuf *out);

#endif
