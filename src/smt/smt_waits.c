#include "smt/smt_waits.h"

#include <string.h>

struct search {
    const struct smt_attempt_question *question;
    struct explanation *out;
    bool may_wait[LIT_SCOPE_COUNT]; /* persist barriers of these scopes do, by the model */
    bool waits[LIT_SCOPE_COUNT];    /* they still do */
};

static const struct lit_program *test_of(const struct search *s)
{
    return s->question->request->program;
}

/* Is the state reached under no rule, or under all? */
static enum smt_answer ask(const struct search *s, const bool *waits, bool rules)
{
    struct smt_attempt a;
    enum smt_answer answer = SMT_UNKNOWN;
    smt_attempt_init(&a, s->question);
    memcpy(a.query.program.options.pbarrier_waits, waits, sizeof s->waits);
    if (smt_attempt_build(&a)) {
        bool *assumed = ARENA_ARRAY(&a.query.arena, bool, a.count + 1u);
        memset(assumed, rules, a.count);
        answer = smt_attempt_ask(&a, assumed, NULL);
    }
    smt_attempt_fini(&a);
    return answer;
}

/* Of the barriers of this scope alone, all others waiting as the model has it. */
static enum explanation_need need_of(const struct search *s, enum lit_scope scope)
{
    bool waits[LIT_SCOPE_COUNT];
    memcpy(waits, s->may_wait, sizeof waits);
    waits[scope] = false;
    enum smt_answer answer = ask(s, waits, true);
    return answer == SMT_SAT     ? EXPLANATION_NECESSARY
           : answer == SMT_UNSAT ? EXPLANATION_SPARE
                                 : EXPLANATION_UNTRIED;
}

/* Only scopes that the test has a persist barrier of, and the model lets wait. */
static void find_scopes(struct search *s)
{
    const struct lit_program *test = test_of(s);
    struct arena scratch;
    arena_init(&scratch);
    engine_find_waiting(&scratch, s->question->request, s->may_wait);
    arena_fini(&scratch);
    for (uint32_t t = 0; t < test->thread_count; t++)
        for (uint32_t i = 0; i < test->threads[t].code_count; i++) {
            const struct lit_instr *instr = &test->threads[t].code[i];
            if (instr->op == LIT_PBARRIER)
                s->waits[instr->scope] = s->may_wait[instr->scope];
        }
}

/* The test's persist barriers of one scope, as pairs of each with itself. */
static void add_barriers(struct search *s, enum lit_scope scope, struct explanation_reason *reason)
{
    const struct lit_program *test = test_of(s);
    uint32_t room = 0;
    for (uint32_t t = 0; t < test->thread_count; t++)
        room += test->threads[t].code_count;
    reason->pairs = ARENA_ARRAY(&s->out->arena, struct explanation_pair, room);
    for (uint32_t t = 0; t < test->thread_count; t++)
        for (uint32_t i = 0; i < test->threads[t].code_count; i++) {
            const struct lit_instr *instr = &test->threads[t].code[i];
            struct ev ev = {.kind = EV_PBARRIER,
                            .thread = t,
                            .instr = instr,
                            .location = LIT_NONE,
                            .meeting = {.kind = EV_PBARRIER, .scope = scope}};
            if (instr->op != LIT_PBARRIER || instr->scope != scope)
                continue;
            struct outcome_event event = explanation_event(s->out, test, &ev);
            reason->pairs[reason->pair_count++] = (struct explanation_pair){event, event};
        }
}

static void add_reason(struct search *s, enum lit_scope scope)
{
    const struct cat_model *model = s->question->request->model;
    const struct span *span = &model->nodes[model->reserved[CAT_WAITS]].span;
    struct explanation_reason reason = {.kind = EXPLANATION_BY_WAITS,
                                        .need = need_of(s, scope),
                                        .name = "waits",
                                        .file = span->source ? span->source->name : NULL,
                                        .line = span->line};
    add_barriers(s, scope, &reason);
    VEC_PUSH(&s->out->reasons, reason);
}

/* One scope after the other waits no longer, unless the state is reached then. */
static enum smt_answer drop_scopes(struct search *s)
{
    enum smt_answer answer = SMT_UNSAT;
    for (int scope = 0; scope < LIT_SCOPE_COUNT && answer != SMT_UNKNOWN; scope++) {
        if (!s->waits[scope])
            continue;
        s->waits[scope] = false;
        answer = ask(s, s->waits, false);
        s->waits[scope] = answer == SMT_SAT;
    }
    return answer == SMT_UNKNOWN ? answer : SMT_UNSAT;
}

enum smt_answer smt_explain_waits(const struct smt_attempt_question *question,
                                  struct explanation *explanation)
{
    struct search s = {.question = question, .out = explanation};
    find_scopes(&s);
    enum smt_answer answer = drop_scopes(&s);
    for (int scope = 0; scope < LIT_SCOPE_COUNT && answer == SMT_UNSAT; scope++)
        if (s.waits[scope])
            add_reason(&s, (enum lit_scope)scope);
    return answer;
}
