/* mdd: multi-valued decision diagrams: sets of rows of values, shared and canonical.
 *
 * A set whose columns are independent of one another costs the sum of its columns, not the product.
 * A node stands for a set of rows over the columns from one level on. Each of its edges has a value
 * of the first of these columns, and leads to the node of the rows that may follow. Nodes are
 * unique: two sets of one store are equal exactly when they are the same number. The store decides
 * which column stands at which level. That decides a set's size, never its content.
 *
 * Ownership: a store owns its nodes, and never frees a single one. Sets are numbers, and can be
 * copied. A function with a `const struct mdd` may still add nodes to the store's memory.
 *
 * Errors: a store has a bound on its nodes, and an operation one on its steps. When either is met,
 * `mdd_is_full` says so, and every set made since is invalid. */
#ifndef CRASHLIT_MDD_H
#define CRASHLIT_MDD_H

#include "base/bits.h"
#include "base/clock.h"
#include "base/strbuf.h"

typedef uint32_t mdd_node;
/* The set without rows, and the set of the one row behind the last column. */
enum { MDD_EMPTY, MDD_END };

struct mdd_arc {
    int64_t value;
    mdd_node to;
};

struct mdd;

/* `order`: the column of each level, copied; NULL: by number. */
struct mdd *mdd_new(uint32_t width, const uint32_t *order, uint32_t most_nodes);
/* An empty store of the same columns, in the same order, with the same clock. */
struct mdd *mdd_like(const struct mdd *store);
void mdd_free(struct mdd *store); /* NULL is fine */
bool mdd_is_full(const struct mdd *store);
/* Sets a clock: later operations look at it and spend its allowance; once it is late the store is
 * full. NULL: none. It must live until the next call. */
void mdd_heed(struct mdd *store, const struct clock_limit *clock);
/* Counts steps that a caller makes on a set's rows. Returns whether to go on. */
bool mdd_steps(struct mdd *store, uint32_t count);
/* Makes a full store usable again. Only sets made before it was full stay valid. */
void mdd_retry(struct mdd *store);
/* Marks the store as full, for a caller that meets a bound of its own while it makes a set. */
void mdd_fill_up(struct mdd *store);
uint32_t mdd_size(const struct mdd *store); /* in nodes */
uint32_t mdd_width(const struct mdd *store);
uint32_t mdd_column(const struct mdd *store, uint32_t level);
uint32_t mdd_level(const struct mdd *store, uint32_t column);
/* The edges of a node, ascending by value. The pointer dies when a set is made. */
const struct mdd_arc *mdd_edges(const struct mdd *store, mdd_node node, uint32_t *count);
/* The rows that follow this value. */
mdd_node mdd_behind(const struct mdd *store, mdd_node node, int64_t value);

/* ---- Sets ---- */

mdd_node mdd_row(struct mdd *store, const int64_t *row);
/* The rows that begin with this value and go on as those of `behind`, which is of the next
 * level. */
mdd_node mdd_edge(struct mdd *store, int64_t value, mdd_node behind);
/* The set of `count` rows, one after the other in `rows`, in any order; equal ones count once. */
mdd_node mdd_rows(struct mdd *store, const int64_t *rows, size_t count);
mdd_node mdd_union(struct mdd *store, mdd_node a, mdd_node b);
mdd_node mdd_minus(struct mdd *store, mdd_node a, mdd_node b);
mdd_node mdd_meet(struct mdd *store, mdd_node a, mdd_node b);
/* Copies a set of another store with as many columns in the same order. */
mdd_node mdd_copy(struct mdd *store, const struct mdd *from, mdd_node set);

/* Copies a set of another store with other last columns. Columns below `kept` are copied; they
 * stand in the same order in both stores. Each other column has one value in the set, which is
 * dropped; here these columns stand on the last levels and take the values of `row`. */
mdd_node mdd_graft(struct mdd *store, const struct mdd *from, mdd_node set, uint32_t kept,
                   const int64_t *row);

typedef bool mdd_keeps(const void *context, int64_t value);
/* The rows whose value in this column is kept. */
mdd_node mdd_filter(struct mdd *store, mdd_node set, uint32_t column, mdd_keeps *keeps,
                    const void *context);
typedef bool mdd_keeps_in(const void *context, uint32_t column, int64_t value);
/* The rows whose value in each column is kept: one pass instead of one a column. */
mdd_node mdd_filter_all(struct mdd *store, mdd_node set, mdd_keeps_in *keeps, const void *context);
typedef bool mdd_keeps_pair(const void *context, int64_t a, int64_t b);
/* The rows whose values in two different columns are kept. */
mdd_node mdd_filter_pair(struct mdd *store, mdd_node set, uint32_t a, uint32_t b,
                         mdd_keeps_pair *keeps, const void *context);
/* All rows with their value in the column replaced by this one. */
mdd_node mdd_assign(struct mdd *store, mdd_node set, uint32_t column, int64_t value);
/* The rows with columns moved and values renamed: `value` in column `from[c]` becomes
 * renames(context, from[c], value) in column c; NULL: values stay. */
typedef int64_t mdd_renames(const void *context, uint32_t column, int64_t value);
mdd_node mdd_renamed(struct mdd *store, mdd_node set, const uint32_t *from, mdd_renames *renames,
                     const void *context);

/* ---- Rows that exclude each other by pairs ---- */

/* Choices: each column takes one of some, and some pairs exclude each other. */
struct mdd_choices {
    const uint32_t *first;    /* per column the first of its choices; width + 1 of them */
    const int64_t *values;    /* per choice */
    const uint64_t *excludes; /* per choice a set of choices, `words` words long; symmetric */
    uint32_t words;
};

/* The rows of all combinations of a choice for each column in which no two exclude each other.
 * Later levels are built once for each set of choices still possible there. */
mdd_node mdd_of_choices(struct mdd *store, const struct mdd_choices *choices);

/* ---- Questions ---- */

bool mdd_has(const struct mdd *store, mdd_node set, const int64_t *row);
/* UINT64_MAX: that many or more. */
uint64_t mdd_count(const struct mdd *store, mdd_node set);
/* Writes all rows, one after the other; there must be room. */
void mdd_list(const struct mdd *store, mdd_node set, int64_t *rows);
/* mdd_count in decimal digits, exactly. */
void mdd_count_text(const struct mdd *store, mdd_node set, struct strbuf *out);
/* The row with the fewest nonzero values; the set must have a row. */
void mdd_smallest(const struct mdd *store, mdd_node set, int64_t *row);
/* Room for one row, owned by the store; for callers with no memory of their own. */
int64_t *mdd_room(const struct mdd *store);
/* A hash of the set's content, the same in every store. */
uint64_t mdd_digest(const struct mdd *store, mdd_node set);

#endif
