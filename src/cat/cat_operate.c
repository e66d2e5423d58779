#include "cat/cat_operate.h"

#include "base/arena.h"

static void operate_on_sets(struct rel_dim dim, enum cat_op op, const rel_word *a,
                            const rel_word *b, rel_word *out)
{
    BASE_ASSERT(out);
    BASE_ASSERT(op == CAT_EMPTY || a);
    switch (op) {
    case CAT_EMPTY: set_clear(dim, out); break;
    case CAT_UNION: set_union(dim, out, a, b); break;
    case CAT_INTER: set_inter(dim, out, a, b); break;
    case CAT_DIFF: set_diff(dim, out, a, b); break;
    case CAT_COMP: set_comp(dim, out, a); break;
    case CAT_DOMAIN: rel_domain(dim, out, a); break;
    case CAT_RANGE: rel_range(dim, out, a); break;
    default: BASE_UNREACHABLE("an operator whose value is a set");
    }
}

static void operate_on_relations(struct rel_dim dim, enum cat_op op, const rel_word *a,
                                 const rel_word *b, rel_word *out)
{
    BASE_ASSERT(out);
    BASE_ASSERT(op == CAT_EMPTY || a);
    BASE_ASSERT(dim.n == 0 || op != CAT_SEQ || (out != a && out != b));
    switch (op) {
    case CAT_EMPTY: rel_clear(dim, out); break;
    case CAT_UNION: rel_union(dim, out, a, b); break;
    case CAT_INTER: rel_inter(dim, out, a, b); break;
    case CAT_DIFF: rel_diff(dim, out, a, b); break;
    case CAT_COMP: rel_comp(dim, out, a); break;
    case CAT_SEQ: rel_seq(dim, out, a, b); break;
    case CAT_PRODUCT: rel_product(dim, out, a, b); break;
    case CAT_INVERSE: rel_inverse(dim, out, a); break;
    case CAT_OPT: rel_opt(dim, out, a); break;
    case CAT_PLUS: rel_plus(dim, out, a); break;
    case CAT_STAR: rel_star(dim, out, a); break;
    case CAT_TOID: rel_of_set(dim, out, a); break;
    default: BASE_UNREACHABLE("an operator whose value is a relation");
    }
}

void cat_operate(struct rel_dim dim, enum cat_op op, enum cat_sort sort, const rel_word *a,
                 const rel_word *b, rel_word *out)
{
    if (sort == CAT_SET)
        operate_on_sets(dim, op, a, b, out);
    else
        operate_on_relations(dim, op, a, b, out);
}

bool cat_passes(struct rel_dim dim, enum cat_test test, enum cat_sort sort, const rel_word *value,
                rel_word *scratch)
{
    BASE_ASSERT(test == CAT_IS_EMPTY || sort == CAT_REL);
    switch (test) {
    case CAT_ACYCLIC: return rel_acyclic(dim, value, scratch);
    case CAT_IRREFLEXIVE: return rel_irreflexive(dim, value);
    case CAT_IS_EMPTY: return sort == CAT_SET ? set_empty(dim, value) : rel_empty(dim, value);
    }
    BASE_UNREACHABLE("a test");
}

size_t cat_value_words(struct rel_dim dim, enum cat_sort sort)
{
    return sort == CAT_SET ? rel_set_words(dim) : rel_words(dim);
}

void cat_value_clear(struct rel_dim dim, enum cat_sort sort, rel_word *out)
{
    if (sort == CAT_SET)
        set_clear(dim, out);
    else
        rel_clear(dim, out);
}

void cat_value_fill(struct rel_dim dim, enum cat_sort sort, rel_word *out)
{
    if (sort == CAT_SET)
        set_fill(dim, out);
    else
        rel_fill(dim, out);
}

void cat_value_copy(struct rel_dim dim, enum cat_sort sort, rel_word *out, const rel_word *a)
{
    if (sort == CAT_SET)
        set_copy(dim, out, a);
    else
        rel_copy(dim, out, a);
}

bool cat_value_equal(struct rel_dim dim, enum cat_sort sort, const rel_word *a, const rel_word *b)
{
    return sort == CAT_SET ? set_equal(dim, a, b) : rel_equal(dim, a, b);
}
