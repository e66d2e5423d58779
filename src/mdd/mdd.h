/* mdd: multi-valued decision diagrams: sets of rows of values, shared and canonical.
 *
 * A set over columns that know nothing of one another takes the sum of what each takes, not the
 * product. A node stands for a set of rows over the columns from one level on; each of its edges
 * has a value of the first of these, and leads to the node of the rows that may go on behind it.
 * Nodes are unique, so two sets of one store are equal exactly when their nodes are the same
 * number. Which column stands at which level is the store's own, and decides how large a set gets,
 * never what it is.
 *
 * Ownership: a store owns its nodes, which are never given back singly. Sets are numbers, and can
 * be copied. What takes a `const struct mdd` may still add nodes to its memory.
 *
 * Errors: a store holds so many nodes and no more, and an operation takes so many steps and no
 * more. When either was met `mdd_is_full` says so, and no set that was made since is to be
 * believed.
 */
#ifndef CRASHLIT_MDD_H
#define CRASHLIT_MDD_H

#include "base/bits.h"
#include "base/clock.h"
#include "base/strbuf.h"

typedef uint32_t mdd_node;
/* No row, and the row behind the last column. */
enum { MDD_EMPTY, MDD_END };

struct mdd_arc {
    int64_t value;
    mdd_node to;
};

struct mdd;

/* `order` is the column of each level; NULL: as they are numbered. It is copied. */
struct mdd *mdd_new(uint32_t width, const uint32_t *order, uint32_t most_nodes);
/* An empty store of the same columns, in the same order, with the same clock. */
struct mdd *mdd_like(const struct mdd *store);
void mdd_free(struct mdd *store); /* NULL is fine */
bool mdd_is_full(const struct mdd *store);
/* What is done from now on looks at this clock and spends its allowance; once it is late the store
 * is full. NULL: none. It lives until the next call. */
void mdd_heed(struct mdd *store, const struct clock_limit *clock);
/* So many steps of an operation that somebody else makes of its rows. Whether to go on. */
bool mdd_steps(struct mdd *store, uint32_t count);
/* Gives a store that is full another chance: all sets but the ones made before are to be forgotten.
 */
void mdd_retry(struct mdd *store);
/* As if the bound were met: who makes a set met one of their own. */
void mdd_fill_up(struct mdd *store);
uint32_t mdd_size(const struct mdd *store); /* in nodes */
uint32_t mdd_width(const struct mdd *store);
uint32_t mdd_column(const struct mdd *store, uint32_t level);
uint32_t mdd_level(const struct mdd *store, uint32_t column);
/* Edges ascend by value. The pointer dies when a set is made. */
const struct mdd_arc *mdd_edges(const struct mdd *store, mdd_node node, uint32_t *count);
/* The rows that go on behind this value. */
mdd_node mdd_behind(const struct mdd *store, mdd_node node, int64_t value);

/* ---- Sets ---- */

mdd_node mdd_row(struct mdd *store, const int64_t *row);
/* The rows that have this value where `behind` begins, and go on as those of `behind`, which is of
 * the next level. */
mdd_node mdd_edge(struct mdd *store, int64_t value, mdd_node behind);
/* Of `count` rows, one after the other in `rows`, in any order; equal ones count once. */
mdd_node mdd_rows(struct mdd *store, const int64_t *rows, size_t count);
mdd_node mdd_union(struct mdd *store, mdd_node a, mdd_node b);
mdd_node mdd_minus(struct mdd *store, mdd_node a, mdd_node b);
mdd_node mdd_meet(struct mdd *store, mdd_node a, mdd_node b);
/* The set of another store with as many columns in the same order. */
mdd_node mdd_copy(struct mdd *store, const struct mdd *from, mdd_node set);

/* The rows of a set of another store as rows of this one: columns below `kept` go over, which stand
 * in the same order in both; of the others each has one value in the set, which is left out, and
 * here stands on the last levels, where it takes the value of `row`. */
mdd_node mdd_graft(struct mdd *store, const struct mdd *from, mdd_node set, uint32_t kept,
                   const int64_t *row);

typedef bool mdd_keeps(const void *context, int64_t value);
/* The rows whose value in this column is kept. */
mdd_node mdd_filter(struct mdd *store, mdd_node set, uint32_t column, mdd_keeps *keeps,
                    const void *context);
typedef bool mdd_keeps_in(const void *context, uint32_t column, int64_t value);
/* The rows whose value in each column is kept: in one go what would else be made anew for each. */
mdd_node mdd_filter_all(struct mdd *store, mdd_node set, mdd_keeps_in *keeps, const void *context);
typedef bool mdd_keeps_pair(const void *context, int64_t a, int64_t b);
/* The rows whose values in two columns, which differ, are kept. */
mdd_node mdd_filter_pair(struct mdd *store, mdd_node set, uint32_t a, uint32_t b,
                         mdd_keeps_pair *keeps, const void *context);
/* All rows with this value in place of what they have in the column. */
mdd_node mdd_assign(struct mdd *store, mdd_node set, uint32_t column, int64_t value);
/* The rows with their values in other columns, and as other values: what was `value` in column
 * `from[c]` is `renames(context, from[c], value)` in column c; NULL: values stay. */
typedef int64_t mdd_renames(const void *context, uint32_t column, int64_t value);
mdd_node mdd_renamed(struct mdd *store, mdd_node set, const uint32_t *from, mdd_renames *renames,
                     const void *context);

/* ---- Rows that exclude each other by pairs ---- */

/* Each column takes one of some choices, and some choices exclude each other. */
struct mdd_choices {
    const uint32_t *first;    /* per column the first of its choices; width + 1 of them */
    const int64_t *values;    /* per choice */
    const uint64_t *excludes; /* per choice a set of choices, `words` words long; symmetric */
    uint32_t words;
};

/* The rows of all ways to take a choice for each column of which no two exclude each other. What is
 * ahead is looked at once for each set of choices that is still possible there. */
mdd_node mdd_of_choices(struct mdd *store, const struct mdd_choices *choices);

/* ---- Questions ---- */

bool mdd_has(const struct mdd *store, mdd_node set, const int64_t *row);
/* UINT64_MAX: that many or more. */
uint64_t mdd_count(const struct mdd *store, mdd_node set);
/* All its rows, one after the other; there is room for them. */
void mdd_list(const struct mdd *store, mdd_node set, int64_t *rows);
/* The same in decimal digits, all of them. */
void mdd_count_text(const struct mdd *store, mdd_node set, struct strbuf *out);
/* The row with the fewest values other than zero; the set has one. */
void mdd_smallest(const struct mdd *store, mdd_node set, int64_t *row);
/* Room for one row, which is the store's; for who has nowhere else to put it. */
int64_t *mdd_room(const struct mdd *store);
/* A number of what the set is, whatever store it is in. */
uint64_t mdd_digest(const struct mdd *store, mdd_node set);

#endif
