/* Dependencies of joined paths: those of the run that is taken. */
#include "fixture.h"

#include "base/strbuf.h"
#include "exec/exec_basis.h"
#include "exec/exec_skeleton.h"

static uint32_t path_events;
static const struct exec_run_options joining = {
    .unroll = 2, .join = true, .dependencies = true, .path_events = &path_events};

static void run(struct fixture *f, const char *text, struct exec_paths *paths)
{
    path_events = 0;
    fixture_init(f, text, "sc", "epoch");
    exec_run_thread(&f->arena, f->program, 0, &joining, paths);
}

/* The path's event of this kind at the location, by its place in the program. */
static uint32_t at(const struct fixture *f, const struct exec_path *path, enum ev_kind kind,
                   const char *name)
{
    for (uint32_t i = 0; i < path->event_count; i++)
        if (path->events[i].kind == kind &&
            strcmp(f->program->locations[path->events[i].location].name, name) == 0)
            return i;
    CU_FAIL_FATAL("no such event");
    return 0;
}

/* Does the store to y depend on what is read of x, with these values of z and w? */
static bool depends(const struct fixture *f, const struct exec_path *path, uint32_t base, int64_t z,
                    int64_t w)
{
    uint32_t read = at(f, path, EV_READ, "x");
    const struct exec_deps *deps = exec_path_deps(path, base, at(f, path, EV_WRITE, "y"));
    const struct exec_value *when = exec_deps_when(deps, read);
    int64_t values[EXEC_CUT_EVENTS] = {0}, result = 1;
    bool known[EXEC_CUT_EVENTS] = {0};
    const char *const names[] = {"z", "w"};
    for (uint32_t i = 0; i < path->event_count; i++)
        for (int k = 0; k < 2; k++)
            if (path->events[i].kind == EV_READ &&
                strcmp(f->program->locations[path->events[i].location].name, names[k]) == 0) {
                values[i] = k ? w : z;
                known[i] = true;
            }
    if (!exec_deps_has(deps, read))
        return false;
    CU_ASSERT(!when || exec_value_get(when, &(struct exec_reads){values, known}, &result));
    return result != 0;
}

/* v is what was read of x in one of two runs, those with z not 0. The store is behind the branch on
 * z. */
static void test_one_part(void)
{
    struct fixture f;
    struct exec_paths paths;
    run(&f,
        "OPENCL t\n{ x = 0; y = 0; z = 0; }\nP0 (global int* x, global int* y, global int* z) {"
        " int r = *x; int s = *z; int v = 1; if (s) v = r; *y = v; }\n",
        &paths);
    CU_ASSERT_EQUAL_FATAL(paths.count, 1);
    const struct exec_path *path = paths.items[0];
    uint32_t store = at(&f, path, EV_WRITE, "y"), z = at(&f, path, EV_READ, "z");
    CU_ASSERT(depends(&f, path, EXEC_REL_DATA, 1, 0));
    CU_ASSERT(!depends(&f, path, EXEC_REL_DATA, 0, 0));
    CU_ASSERT(!exec_deps_has(&path->data[store], z));
    CU_ASSERT(!exec_deps_has(&path->ctrl[store], z));
    fixture_fini(&f);
}

/* Where z is 0 u is read, else w, after which x's value is taken, and branched on, if that is not
 * 0. The store's value, and whether there is one, depend on what was taken, and not on w, whose
 * branch has ended. */
static void own_reads(const char *before, const char *branch)
{
    struct fixture f;
    struct exec_paths paths;
    char text[500];
    snprintf(text, sizeof text,
             "OPENCL t\n{ x = 0; y = 0; z = 0; w = 0; u = 0; }\n"
             "P0 (global int* x, global int* y, global int* z, global int* w, global int* u) {"
             " int r = *x; int v = 1; %s %s if (v) { *y = v; } }\n",
             before, branch);
    run(&f, text, &paths);
    CU_ASSERT_EQUAL_FATAL(paths.count, 1);
    const struct exec_path *path = paths.items[0];
    uint32_t store = at(&f, path, EV_WRITE, "y"), w = at(&f, path, EV_READ, "w"),
             u = at(&f, path, EV_READ, "u");
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(depends(&f, path, EXEC_REL_DATA, i / 2, i % 2), i == 3);
        CU_ASSERT_EQUAL(depends(&f, path, EXEC_REL_CTRL, i / 2, i % 2), i == 3);
    }
    CU_ASSERT(!exec_deps_has(&path->ctrl[store], w));
    CU_ASSERT(exec_deps_has(&path->ctrl[store], u));
    CU_ASSERT(exec_deps_has(&path->data[store], u));
    CU_ASSERT_PTR_NULL(exec_deps_when(&path->data[store], u));
    fixture_fini(&f);
}

static void test_own_reads(void)
{
    static const char many[] = "for (int i = 0; i < 64; i++) { *w = i; }"; /* more than a word */
    static const char *const branches[] = {
        "if (*z) { if (*w) { v = r; if (r) v = r + 1; } } else { v = *u; }",
        "if (!*z) { v = *u; } else { if (*w) { v = r; if (r) v = r + 1; } }"};
    for (int i = 0; i < 4; i++)
        own_reads(i / 2 ? many : "", branches[i % 2]);
}

/* Is there a run in which the store to y depends on the read of x, by control? */
static bool is_controlled(const struct fixture *f, const struct exec_paths *paths)
{
    for (uint32_t i = 0; i < paths->count; i++) {
        const struct exec_path *path = paths->items[i];
        for (uint32_t e = 0; e < path->event_count; e++)
            if (path->events[e].kind == EV_WRITE &&
                strcmp(f->program->locations[path->events[e].location].name, "y") == 0 &&
                exec_deps_has(&path->ctrl[e], at(f, path, EV_READ, "x")))
                return true;
    }
    return false;
}

/* A branch decides until its ways meet. */
static void test_where_control_ends(void)
{
    static const struct {
        const char *code;
        bool controlled;
    } cases[] = {
        {"if (*x) { *z = 1; } *y = 1;", false},
        {"if (*x) { *z = 1; } else { *z = 2; } *y = 1;", false},
        {"if (*x) { *z = 1; } else { *y = 1; }", true},
        {"if (*x) { if (*z) { *z = 1; } *y = 1; }", true},
        {"if (*x) return; *y = 1;", true},
        {"if (*z) { if (*x) return; } *y = 1;", true},
        {"while (*x) { *z = 1; } *y = 1;", false},
        {"while (*x) { *y = 1; }", true},
        {"for (int i = 0; i < 2; i++) { if (*x) break; *y = 1; }", true},
        {"for (int i = 0; i < 2; i++) { if (*x) break; } *y = 1;", false},
        {"if (*x) { for (int i = 0; i < 2; i++) { if (*z) break; } *y = 1; }", true},
        {"int i = 0; while (i < 1) { i++; if (*x) continue; *z = 1; } *y = 1;", false},
        {"int i = 0; while (i < 2) { if (i) { *y = 1; } i++; if (*x) continue; *z = 1; }", false},
        {"int i = 0; do { if (i) { *y = 1; } i++; } while (i < 2 && *x);", true},
        {"while (1) { if (*x) { *y = 1; break; } }", true},
        {"int t = *x && *z; if (t) { *y = 1; }", true},
        {"int t = *x && *z; *y = 1;", false},
        {"int t = *x ? *z : *w; if (t) { *y = 1; }", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        struct exec_paths paths;
        char text[300];
        snprintf(text, sizeof text,
                 "OPENCL t\n{ x = 0; y = 0; z = 0; w = 0; }\n"
                 "P0 (global int* x, global int* y, global int* z, global int* w) { %s }\n",
                 cases[i].code);
        run(&f, text, &paths);
        CU_ASSERT_EQUAL(is_controlled(&f, &paths), cases[i].controlled);
        fixture_fini(&f);
    }
}

/* ---- Random programs -------------------------------------------------------------------- */

static void statement(struct strbuf *out, uint64_t *seed, int depth);

static void statements(struct strbuf *out, uint64_t *seed, int depth)
{
    for (uint32_t count = 1 + unit_below(seed, 3); count > 0; count--)
        statement(out, seed, depth);
}

static void statement(struct strbuf *out, uint64_t *seed, int depth)
{
    uint32_t a = unit_below(seed, 4), b = unit_below(seed, 4);
    switch (unit_below(seed, depth > 0 ? 12 : 7)) {
    case 0:
    case 1: strbuf_printf(out, "r%u = *x%u; ", a, b % 2); break;
    case 2: strbuf_printf(out, "*x%u = r%u; ", a % 2, b); break;
    case 3: strbuf_printf(out, "r%u = r%u + %u; ", a, b, a % 2); break;
    case 4: strbuf_printf(out, "r%u = s[r%u & 1]; ", a, b); break;
    case 5: strbuf_printf(out, "s[r%u & 1] = r%u; ", a, b); break;
    case 6:
        strbuf_printf(
            out, "r%u = c.compare_exchange_strong(r%u & 1, 1, mo_acq, mo_rlx, dev_scope); ", a, b);
        break;
    case 7: strbuf_printf(out, "if (r%u) return; ", a); break;
    case 8:
        strbuf_printf(out, "for (int i = 0; i < 2; i++) { if (s[i]) { ");
        statements(out, seed, depth - 1);
        strbuf_printf(out, "} } ");
        break;
    default:
        strbuf_printf(out, "if (r%u & 1) { ", a);
        statements(out, seed, depth - 1);
        strbuf_printf(out, "} else { ");
        statements(out, seed, depth - 1);
        strbuf_printf(out, "} ");
    }
}

/* How many dependencies were compared, and of those that are cases how many there were and were
 * not. */
struct compared {
    uint32_t all, there, not_there;
};

static bool holds(const struct exec_value *value, const struct exec_reads *reads)
{
    int64_t result;
    CU_ASSERT_FATAL(exec_value_get(value, reads, &result));
    return result != 0;
}

static bool happens(const struct exec_path *path, uint32_t event, const struct exec_reads *reads)
{
    for (const struct exec_guard *guard = path->guards[event]; guard; guard = guard->outer)
        if (!holds(guard->when, reads))
            return false;
    return true;
}

static bool is_possible(const struct exec_path *path, const struct exec_reads *reads)
{
    for (uint32_t i = 0; i < path->constraint_count; i++)
        if (holds(path->constraints[i].value, reads) != path->constraints[i].truth)
            return false;
    return true;
}

/* The one run in which the path's `events` return what they do. */
static const struct exec_path *follow(struct fixture *f, const struct exec_reads *reads,
                                      const uint32_t *events, uint32_t count)
{
    int64_t values[EXEC_CUT_EVENTS + 2] = {0};
    bool known[EXEC_CUT_EVENTS + 2] = {0};
    const struct exec_reads taken = {values, known};
    struct exec_run_options options = joining;
    struct exec_paths runs;
    for (uint32_t i = 0; i < count; i++) {
        values[i] = reads->values[events[i]];
        known[i] = true;
    }
    options.join = false;
    options.follow = &taken;
    path_events = 0;
    exec_run_thread(&f->arena, f->program, 0, &options, &runs);
    CU_ASSERT_EQUAL_FATAL(runs.count, 1);
    CU_ASSERT_EQUAL_FATAL(runs.items[0]->event_count, count);
    return runs.items[0];
}

static void compare_run(struct fixture *f, const struct exec_path *path,
                        const struct exec_reads *reads, struct compared *compared)
{
    uint32_t events[EXEC_CUT_EVENTS + 2], count = 0;
    for (uint32_t i = 0; i < path->event_count; i++)
        if (happens(path, i, reads))
            events[count++] = i;
    const struct exec_path *taken = follow(f, reads, events, count);
    for (uint32_t base = EXEC_REL_ADDR; base <= EXEC_REL_CTRL; base++)
        for (uint32_t j = 0; j < count; j++)
            for (uint32_t i = 0; i < j; i++) {
                const struct exec_deps *deps = exec_path_deps(path, base, events[j]);
                const struct exec_value *when = exec_deps_when(deps, events[i]);
                bool there = exec_deps_has(deps, events[i]) && (!when || holds(when, reads));
                CU_ASSERT_EQUAL(there, exec_deps_has(exec_path_deps(taken, base, j), i));
                compared->all++;
                compared->there += when && there;
                compared->not_there += when && !there;
            }
}

/* Some values for all reads of the path: where they belong to one of its runs, the run with them
 * has these dependencies. */
static void compare_path(struct fixture *f, const struct exec_path *path, uint64_t *seed,
                         struct compared *compared)
{
    int64_t values[EXEC_CUT_EVENTS + 2];
    bool known[EXEC_CUT_EVENTS + 2];
    const struct exec_reads reads = {values, known};
    bool fits = path->end == EXEC_COMPLETE && path->event_count <= EXEC_CUT_EVENTS;
    for (int round = 0; round < 8 && fits; round++) {
        for (uint32_t i = 0; i < path->event_count; i++) {
            values[i] = unit_below(seed, 2);
            known[i] = true;
        }
        if (is_possible(path, &reads))
            compare_run(f, path, &reads, compared);
    }
}

static void test_random_programs(void)
{
    struct compared compared = {0};
    uint64_t seed = 5;
    for (int round = 0; round < 150; round++) {
        struct strbuf text = {0};
        struct fixture f;
        struct exec_paths paths;
        strbuf_printf(&text, "OPENCL t\n{ x0 = 0; x1 = 0; s[2]; atomic_int c = 0; }\n"
                             "P0 (global int* x0, global int* x1, global int* s,"
                             " global atomic_int* c) {"
                             " int r0 = 0; int r1 = *x0; int r2 = *x1; int r3 = 1; ");
        if (round % 2) /* sets of more than one word */
            strbuf_printf(&text, "for (int i = 0; i < 64; i++) *x0 = 0; ");
        for (int i = 0; i < 3; i++)
            statements(&text, &seed, 2);
        strbuf_printf(&text, "*x1 = r0; *x0 = r3; s[r1 & 1] = r2; }\n");
        run(&f, strbuf_text(&text), &paths);
        for (uint32_t i = 0; i < paths.count; i++)
            compare_path(&f, paths.items[i], &seed, &compared);
        fixture_fini(&f);
        strbuf_fini(&text);
    }
    CU_ASSERT(compared.all > 50000);
    CU_ASSERT(compared.there > 500);
    CU_ASSERT(compared.not_there > 500);
}

void suite_exec_deps(void)
{
    CU_pSuite suite = CU_add_suite("exec_deps", NULL, NULL);
    UNIT_TEST(suite, test_one_part);
    UNIT_TEST(suite, test_own_reads);
    UNIT_TEST(suite, test_where_control_ends);
    UNIT_TEST(suite, test_random_programs);
}
