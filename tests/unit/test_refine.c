/* What a test is held against: sets of states as propositions, the locations that two tests have in
 * common, and the verdict by what is known of the source. Source: docs/models/semantics.md,
 * Refinement. */
#include "fixture.h"

#include "engine/inclusion.h"
#include "session/session_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char three[] = "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                            "P0 (global int* x) { *x = 1; }\ncrash forall (x = y /\\ y = z)\n";

enum { WIDTH = 3, VALUES = 4 };

static bool agrees(const int64_t *row, const int64_t *other)
{
    return row[0] == other[0] && row[2] == other[2];
}

/* Of all states over x, z: is it one of the kept rows in both columns, by comparing with each? */
static void check_against_rows(struct fixture *f, const struct outcome *o)
{
    const uint32_t columns[] = {2, 0};
    const struct lit_atom atoms[] = {o->crash.items[2], o->crash.items[0]};
    uint64_t distinct;
    uint32_t members = 0;
    const struct lit_prop *prop =
        inclusion_prop(&f->arena, &o->crash, columns, atoms, 2, &distinct);
    for (int64_t x = -1; x < VALUES; x++)
        for (int64_t z = -1; z < VALUES; z++) {
            const int64_t row[WIDTH] = {x, 99, z};
            bool member = false;
            for (size_t i = 0; i < o->crash.count; i++)
                member |= agrees(outcome_row(&o->crash, i), row);
            members += member;
            CU_ASSERT_EQUAL(outcome_satisfies(&o->crash, row, f->program, prop), member);
        }
    CU_ASSERT_EQUAL(distinct, members);
}

static void test_rows(void)
{
    struct fixture f;
    fixture_init(&f, three, "sc", "none");
    srand(7);
    for (int round = 0; round < 200; round++) {
        struct outcome o;
        outcome_init(&o, f.program);
        for (int count = rand() % 12; count > 0; count--) {
            int64_t row[WIDTH];
            for (int k = 0; k < WIDTH; k++)
                row[k] = rand() % VALUES;
            outcome_add_state(&o.crash, row);
        }
        check_against_rows(&f, &o);
        outcome_fini(&o);
    }
    fixture_fini(&f);
}

static int depth_of(const struct lit_prop *prop)
{
    int a = prop->a ? depth_of(prop->a) : 0, b = prop->b ? depth_of(prop->b) : 0;
    return 1 + (a > b ? a : b);
}

/* The rows of a staircase, i ones and then zeros, part at each of their columns: 65 rows of 64.
 * Each time one row is aside, so there are 65 forks in a list, halved 7 times with a disjunction
 * and a conjunction each; in the end a conjunction of way and row, halved 6 times; and a
 * comparison. A row with one value changed is another one of them only where its ones end. */
static void test_staircase(void)
{
    enum { COLUMNS = 64 };
    uint32_t columns[COLUMNS];
    int64_t row[COLUMNS] = {0};
    uint64_t distinct;
    char text[200];
    struct fixture f;
    struct outcome o;
    (void)snprintf(text, sizeof text,
                   "OPENCL t\n{ nvm a[%d]; }\nP0 (global int* a) { a[0] = 1; }\n"
                   "crash forall (a[0] = 1)\n",
                   COLUMNS);
    fixture_init(&f, text, "sc", "none");
    outcome_init(&o, f.program);
    for (uint32_t i = 0; i <= COLUMNS; i++) {
        outcome_add_state(&o.crash, row);
        if (i == COLUMNS)
            break;
        columns[i] = i;
        row[i] = 1;
    }
    const struct lit_prop *prop =
        inclusion_prop(&f.arena, &o.crash, columns, o.crash.items, COLUMNS, &distinct);
    CU_ASSERT_EQUAL(distinct, COLUMNS + 1);
    CU_ASSERT_TRUE(depth_of(prop) <= 2 * 7 + 1 + 6 + 1);
    for (uint32_t ones = COLUMNS + 1; ones-- > 0;) {
        if (ones < COLUMNS)
            row[ones] = 0;
        CU_ASSERT_TRUE(outcome_satisfies(&o.crash, row, f.program, prop));
        for (uint32_t k = 0; k < COLUMNS; k++) {
            row[k] = !row[k];
            CU_ASSERT_EQUAL(outcome_satisfies(&o.crash, row, f.program, prop),
                            k == ones || k + 1 == ones);
            row[k] = !row[k];
        }
    }
    outcome_fini(&o);
    fixture_fini(&f);
}

/* ---- What is compared ---- */

static void find(const char *target, const char *source, struct fixture fixtures[2],
                 struct session_common *common, bool fits)
{
    const struct span nowhere = {0};
    fixture_init(&fixtures[0], target, "sc", "none");
    fixture_init(&fixtures[1], source, "sc", "none");
    CU_ASSERT_EQUAL(session_common_find(&fixtures[0].arena, fixtures[0].program,
                                        fixtures[1].program, nowhere, common, &fixtures[0].diag),
                    fits);
    CU_ASSERT_EQUAL(fixtures[0].diag.errors > 0, !fits);
}

static void end(struct fixture fixtures[2])
{
    fixture_fini(&fixtures[0]);
    fixture_fini(&fixtures[1]);
}

#define CODE "P0 (global int* x) { *x = 1; }\n"

/* a[0] and a[1] are in both, whatever is declared before them; b is volatile in the one, a[2] is no
 * element of the other, c and x are there once. Locations: x b a[0] a[1] a[2], and c b a[0] a[1] x.
 */
static void test_common(void)
{
    struct fixture fixtures[2];
    struct session_common common;
    find("OPENCL t\n{ x = 0; nvm b = 0; nvm a[3]; }\n" CODE,
         "OPENCL s\n{ nvm c = 0; b = 0; nvm a[2]; nvm x = 0; }\n" CODE, fixtures, &common, true);
    CU_ASSERT_EQUAL_FATAL(common.count, 2);
    const struct lit_location *here = fixtures[0].program->locations;
    const struct lit_location *there = fixtures[1].program->locations;
    for (uint32_t i = 0; i < 2; i++) {
        CU_ASSERT_STRING_EQUAL(here[common.target[i]].name, i ? "a[1]" : "a[0]");
        CU_ASSERT_STRING_EQUAL(there[common.source[i]].name, i ? "a[1]" : "a[0]");
    }
    static const char *const alone[] = {"b", "a[2]", "c", "x"};
    CU_ASSERT_EQUAL_FATAL(common.alone_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        CU_ASSERT_STRING_EQUAL(common.alone[i], alone[i]);
    end(fixtures);
}

/* Volatile in one of the two, of another type, of another first value. */
static void test_nothing_common(void)
{
    static const char *const sources[] = {"OPENCL s\n{ x = 0; }\n" CODE,
                                          "OPENCL s\n{ nvm long x = 0; }\n"
                                          "P0 (global long* x) { *x = 1; }\n",
                                          "OPENCL s\n{ nvm x = 3; }\n" CODE};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct fixture fixtures[2];
        struct session_common common;
        find("OPENCL t\n{ nvm x = 0; }\n" CODE, sources[i], fixtures, &common, false);
        end(fixtures);
    }
}

/* ---- Verdicts ---- */

/* Without a source that is listed nothing is known. What is broken only by states of which the
 * source may have more is not known; what holds, holds. */
static void test_verdicts(void)
{
    static const char doubt[] = "a doubt", undefined[] = "vacuous: it is undefined";
    static const struct {
        struct lit_refines source;
        bool broken;
        enum lit_verdict verdict;
        const char *reason;
        bool vacuous;
    } rows[] = {
        {{.own = NULL}, false, LIT_UNKNOWN, "the source's states were not listed", false},
        {{.own = three}, false, LIT_OK, NULL, false},
        {{.own = three}, true, LIT_VIOLATED, NULL, false},
        {{.own = three, .doubt = doubt}, false, LIT_OK, NULL, false},
        {{.own = three, .doubt = doubt}, true, LIT_UNKNOWN, doubt, false},
        {{.own = three, .undefined = undefined}, false, LIT_UNKNOWN, undefined, true},
        {{.own = three, .livelock = true},
         false,
         LIT_ERROR,
         "from some crash state the source's recovery never completes",
         false},
    };
    static const int64_t same[] = {1, 1, 1}, other[] = {1, 0, 1};
    struct fixture f;
    fixture_init(&f, three, "sc", "none");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct lit_condition condition = f.program->conditions[0];
        struct outcome o;
        outcome_init(&o, f.program);
        outcome_add_state(&o.crash, same);
        if (rows[i].broken)
            outcome_add_state(&o.crash, other);
        condition.refines = &rows[i].source;
        struct outcome_judgement j = outcome_judge(&o, f.program, &condition);
        CU_ASSERT_EQUAL(j.verdict, rows[i].verdict);
        CU_ASSERT_EQUAL(j.vacuous, rows[i].vacuous);
        CU_ASSERT_TRUE(rows[i].reason ? j.reason && strcmp(j.reason, rows[i].reason) == 0
                                      : !j.reason);
        o.vacuity_is_meant = true;
        j = outcome_judge(&o, f.program, &condition);
        CU_ASSERT_EQUAL(j.verdict, rows[i].vacuous ? LIT_OK : rows[i].verdict);
        outcome_add_undefined(&o,
                              &(struct outcome_undefined){.kind = OUTCOME_CHECK, .name = "race"});
        CU_ASSERT_EQUAL(outcome_judge(&o, f.program, &condition).verdict, LIT_UNDEFINED);
        outcome_fini(&o);
    }
    fixture_fini(&f);
}

void suite_refine(void)
{
    CU_pSuite suite = CU_add_suite("refine", NULL, NULL);
    UNIT_TEST(suite, test_rows);
    UNIT_TEST(suite, test_staircase);
    UNIT_TEST(suite, test_common);
    UNIT_TEST(suite, test_nothing_common);
    UNIT_TEST(suite, test_verdicts);
}
