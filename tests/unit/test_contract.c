/* What programs and models promise to who reads them: each way to break it is seen. */
#include "fixture.h"

#include "base/guard.h"

#include <string.h>

static const char text[] = "OPENCL t\n{ nvm x = 0; nvm a[2]; atomic_int f = 0; }\n"
                           "P0 (global int* x, global int* a, global atomic_int* f) {\n"
                           "  while (!f.load(memory_order_acquire));\n  int r = *x; a[r] = r;\n}\n"
                           "P1 (global int* x) { *x = 1; }\n"
                           "recovery P0 (global int* x) { int q = *x; }\n"
                           "locations [x;]\nexists (0:r = 1 /\\ x = 1)\n";

/* A copy that may be broken; its first thread's code is its own. */
struct broken {
    struct lit_program program;
    struct lit_thread threads[2];
    struct lit_instr code[32];
    struct lit_condition condition;
    struct lit_prop prop;
    struct lit_instr *access, *jump, *await; /* the last access to an array, ... */
};

static void copy_program(struct broken *b, const struct lit_program *program)
{
    static const struct lit_atom x_of_9 = {.kind = LIT_ATOM_REGISTER, .thread = 9};
    *b = (struct broken){.program = *program, .condition = program->conditions[0]};
    memcpy(b->threads, program->threads, sizeof b->threads);
    CU_ASSERT_FATAL(b->threads[0].code_count <= 32);
    memcpy(b->code, b->threads[0].code, b->threads[0].code_count * sizeof *b->code);
    b->threads[0].code = b->code;
    b->program.threads = b->threads;
    b->program.conditions = &b->condition;
    b->prop = (struct lit_prop){.op = LIT_PROP_COMPARE, .left = x_of_9};
    for (struct lit_instr *i = b->code; i < b->code + b->threads[0].code_count; i++) {
        b->access = i->op == LIT_STORE ? i : b->access;
        b->jump = lit_instruction_jumps(i->op) ? i : b->jump;
        b->await = i->op == LIT_AWAIT ? i : b->await;
    }
    CU_ASSERT_FATAL(b->access && b->jump && b->await && b->access->addr.index);
}

static void check_program(void *program)
{
    lit_contract_check(program);
}

static void check_model(void *model)
{
    cat_contract_check(model);
}

static bool passes(void (*check)(void *), void *what)
{
    struct base_pool pool = {0};
    struct base_guard guard = {.pool = &pool};
    bool passed = base_guard_call(&guard, check, what);
    CU_ASSERT_EQUAL(passed, strstr(guard.message, "does not hold") == NULL);
    base_pool_free(&pool);
    return passed;
}

static void test_programs(void)
{
    enum { WHOLE, LOCATION, EMPTY, INDEX, TARGET, REGISTER, LOOP, KEPT, NUMBER, ATOM, SEEN, WAYS };
    static const uint32_t far[] = {1000};
    static const struct lit_expr far_register = {.op = LIT_OP_REG, .reg = 1000};
    static const struct lit_atom far_location = {.kind = LIT_ATOM_LOCATION, .location = 1000};
    struct fixture f;
    struct broken b;
    fixture_init(&f, text, "hrf-direct", "epoch");
    for (int way = WHOLE; way < WAYS; way++) {
        copy_program(&b, f.program);
        switch (way) {
        case LOCATION: b.access->addr.first = 1000; break;
        case EMPTY: b.access->addr.count = 0; break;
        case INDEX: b.access->addr.index = &far_register; break;
        case TARGET: b.jump->target = b.threads[0].code_count + 1; break;
        case REGISTER: b.access->dst = b.threads[0].register_count; break;
        case LOOP: b.await->loop = b.threads[0].loop_count; break;
        case KEPT: b.await->kept = far, b.await->kept_count = 1; break;
        case NUMBER: b.threads[1].number = b.threads[0].number; break;
        case ATOM: b.condition.prop = &b.prop; break;
        case SEEN: b.program.observed = &far_location; break;
        default: break;
        }
        CU_ASSERT_EQUAL(passes(check_program, &b.program), way == WHOLE);
    }
    fixture_fini(&f);
}

static void test_models(void)
{
    enum { WHOLE, ORDER, ARITY, SORT, STATIC, RESERVED, CHECK, WAYS };
    struct fixture f;
    fixture_init(&f, text, "hrf-direct", "epoch");
    for (int way = WHOLE; way < WAYS; way++) {
        struct cat_model model = *f.model;
        struct cat_node *nodes = ARENA_ARRAY(&f.arena, struct cat_node, model.picture_node_count);
        struct cat_check check = model.checks[0];
        struct cat_node *user = NULL, *base = NULL, *moved = NULL;
        memcpy(nodes, model.nodes, model.picture_node_count * sizeof *nodes);
        model.nodes = nodes;
        for (struct cat_node *n = nodes; n < nodes + model.picture_node_count; n++) {
            user = n->b != CAT_NONE ? n : user;
            base = n->op == CAT_BASE ? n : base;
            moved = n->a != CAT_NONE && nodes[n->a].dynamic ? n : moved;
        }
        CU_ASSERT_FATAL(user && base && moved);
        switch (way) {
        case ORDER: user->b = (cat_node_id)(user - nodes); break;
        case ARITY: user->b = CAT_NONE; break;
        case SORT: base->sort = base->sort == CAT_SET ? CAT_REL : CAT_SET; break;
        case STATIC: moved->dynamic = false; break;
        case RESERVED: model.reserved[CAT_WAITS] = model.reserved[CAT_PERSIST_BEFORE]; break;
        case CHECK:
            check.node = model.node_count, model.checks = &check, model.check_count = 1;
            break;
        default: break;
        }
        CU_ASSERT_EQUAL(passes(check_model, &model), way == WHOLE);
    }
    fixture_fini(&f);
}

/* Pairs are looked up by halves, so only in order. */
static void test_sorted(void)
{
    struct fixture f;
    struct outcome o;
    fixture_init(&f, text, "hrf-direct", "epoch");
    outcome_init(&o, f.program);
    const int64_t row[8] = {0};
    outcome_sort(&o);
    CU_ASSERT_TRUE(o.crash.sorted);
    outcome_add_state(&o.crash, row);
    CU_ASSERT_FALSE(o.crash.sorted);
    outcome_sort(&o);
    CU_ASSERT_TRUE(o.crash.sorted);
    outcome_fini(&o);
    fixture_fini(&f);
}

void suite_contract(void)
{
    CU_pSuite suite = CU_add_suite("contract", NULL, NULL);
    UNIT_TEST(suite, test_programs);
    UNIT_TEST(suite, test_models);
    UNIT_TEST(suite, test_sorted);
}
