/* chain: lists of nodes that carry the link, in the order they are added.
 *
 *     struct word { const char *text; struct word *next; };
 *     CHAIN(word);                             struct words, empty when zeroed
 *     CHAIN_ADD(&words, word);
 *
 * A node is in one chain, and `next` of one that is added is NULL.
 */
#ifndef CRASHLIT_CHAIN_H
#define CRASHLIT_CHAIN_H

#include <stdint.h>

#define CHAIN(name)                \
    struct name##s {               \
        struct name *first, *last; \
        uint32_t count;            \
    }

#define CHAIN_ADD(chain, node)                     \
    do {                                           \
        __typeof__((chain)->last) added_ = (node); \
        if ((chain)->last)                         \
            (chain)->last->next = added_;          \
        else                                       \
            (chain)->first = added_;               \
        (chain)->last = added_;                    \
        (chain)->count++;                          \
    } while (0)

#endif
