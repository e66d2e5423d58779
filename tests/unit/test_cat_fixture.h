/* test_cat_fixture: loads model texts for the tests of the cat front end, and prints
 * nodes in a form that expectations can be written in by hand:
 *
 *     | & \ ; ~   as in cat, prefixed: (| po rf)       x      the product
 *     inv opt plus star dom rng   (star po)            id     (id R) for [R]
 *     var.K fix.K   member K of a `let rec` group      0      the empty set or relation
 *     choice.K      choice K of the model
 *     'a.i          what the tag 'a is on, by instructions; 'a.l by locations, 'a.t by threads
 *
 * Operands of | and & are printed in alphabetical order, as either order is the same
 * node.
 */
#ifndef CRASHLIT_TEST_CAT_FIXTURE_H
#define CRASHLIT_TEST_CAT_FIXTURE_H

#include "cat/cat_model.h"
#include "test_cat_basis.h"
#include "unit.h"

#include <string.h>

struct cat_fixture {
    struct arena arena;
    struct diag diag;
    const struct cat_model *model; /* NULL when the texts were refused */
};

static inline void cat_fixture_load_with(struct cat_fixture *fixture,
                                         const struct cat_variants *variants, const char *text,
                                         const char *more)
{
    arena_init(&fixture->arena);
    diag_init(&fixture->diag);
    fixture->model = cat_model_load_sources(
        &fixture->arena, &test_cat_basis, variants,
        source_from_text(&fixture->arena, "v.cat", text, strlen(text)),
        source_from_text(&fixture->arena, "p.cat", more, strlen(more)), &fixture->diag);
}

/* `text` as the visibility model, `more` as the persistency model. */
static inline void cat_fixture_load(struct cat_fixture *fixture, const char *text, const char *more)
{
    cat_fixture_load_with(fixture, NULL, text, more);
}

static inline void cat_fixture_free(struct cat_fixture *fixture)
{
    diag_fini(&fixture->diag);
    arena_fini(&fixture->arena);
}

static inline const struct cat_check *cat_fixture_check(const struct cat_fixture *fixture,
                                                        const char *name)
{
    for (uint32_t i = 0; fixture->model && i < fixture->model->check_count; i++)
        if (strcmp(fixture->model->checks[i].name, name) == 0)
            return &fixture->model->checks[i];
    return NULL;
}

/* The printed form of a node, in the fixture's arena. */
static inline const char *cat_fixture_print(struct cat_fixture *fixture, cat_node_id id)
{
    static const char *const words[] = {
        [CAT_UNION] = "|",   [CAT_INTER] = "&",   [CAT_DIFF] = "\\",     [CAT_COMP] = "~",
        [CAT_SEQ] = ";",     [CAT_PRODUCT] = "x", [CAT_INVERSE] = "inv", [CAT_OPT] = "opt",
        [CAT_PLUS] = "plus", [CAT_STAR] = "star", [CAT_TOID] = "id",     [CAT_DOMAIN] = "dom",
        [CAT_RANGE] = "rng"};
    const struct cat_node *node = &fixture->model->nodes[id];
    struct arena *arena = &fixture->arena;
    if (node->op == CAT_BASE)
        return fixture->model->basis->names[node->base].name;
    if (node->op == CAT_EMPTY)
        return "0";
    if (node->op == CAT_TAGGED)
        return arena_printf(arena, "'%s.%c", fixture->model->tagged[node->base].tag,
                            "ilt"[fixture->model->tagged[node->base].bearer]);
    if (node->op == CAT_CHOICE)
        return arena_printf(arena, "choice.%u", node->base);
    if (node->op == CAT_VAR || node->op == CAT_FIX)
        return arena_printf(arena, "%s.%u", node->op == CAT_VAR ? "var" : "fix", node->base);
    const char *a = cat_fixture_print(fixture, node->a);
    if (node->b == CAT_NONE)
        return arena_printf(arena, "(%s %s)", words[node->op], a);
    const char *b = cat_fixture_print(fixture, node->b);
    bool swap = (node->op == CAT_UNION || node->op == CAT_INTER) && strcmp(a, b) > 0;
    return arena_printf(arena, "(%s %s %s)", words[node->op], swap ? b : a, swap ? a : b);
}

/* Asserts the printed form of what check `name` is about. */
static inline void cat_assert_check(struct cat_fixture *fixture, const char *name,
                                    const char *shape)
{
    const struct cat_check *check = cat_fixture_check(fixture, name);
    const char *found = check ? cat_fixture_print(fixture, check->node) : "(no such check)";
    if (strcmp(found, shape) != 0)
        fprintf(stderr, "check %s: %s, expected %s\n", name, found, shape);
    CU_ASSERT_STRING_EQUAL(found, shape);
}

/* Loads `prelude` and the definition of `probe` by `expr`; asserts the printed form. */
static inline void cat_assert_shape_after(const char *prelude, const char *expr, const char *shape)
{
    struct cat_fixture fixture;
    struct strbuf text = {0};
    strbuf_printf(&text, "%s\nlet probe = %s\nempty probe as probe\n", prelude, expr);
    cat_fixture_load(&fixture, strbuf_text(&text), "");
    const struct cat_check *check = cat_fixture_check(&fixture, "probe");
    const char *found = check ? cat_fixture_print(&fixture, check->node) : "(refused)";
    if (strcmp(found, shape) != 0)
        fprintf(stderr, "%s: %s, expected %s\n", expr, found, shape);
    CU_ASSERT_STRING_EQUAL(found, shape);
    strbuf_fini(&text);
    cat_fixture_free(&fixture);
}

static inline void cat_assert_shape(const char *expr, const char *shape)
{
    cat_assert_shape_after("", expr, shape);
}

/* Asserts that the first error of `text` has this id and place. */
static inline void cat_assert_error(const char *text, enum diag_id id, uint32_t line,
                                    uint32_t column)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, text, "");
    CU_ASSERT_PTR_NULL(fixture.model);
    CU_ASSERT_FATAL(fixture.diag.entries.count > 0);
    const struct diag_entry *first = &fixture.diag.entries.items[0];
    if (first->id != id || first->span.line != line || first->span.column != column)
        fprintf(stderr, "%s: %u:%u %s [%s]\n", text, first->span.line, first->span.column,
                first->message, diag_id_text(first->id));
    CU_ASSERT_EQUAL(first->id, id);
    CU_ASSERT_EQUAL(first->span.line, line);
    CU_ASSERT_EQUAL(first->span.column, column);
    cat_fixture_free(&fixture);
}

/* Asserts that `text` is accepted. */
static inline void cat_assert_loads(const char *text)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, text, "");
    for (size_t i = 0; fixture.diag.errors && i < fixture.diag.entries.count; i++)
        fprintf(stderr, "%s\n", fixture.diag.entries.items[i].message);
    CU_ASSERT_PTR_NOT_NULL(fixture.model);
    CU_ASSERT_EQUAL(fixture.diag.errors, 0);
    cat_fixture_free(&fixture);
}

#endif
