#include "smt/smt_attempt.h"

#include <string.h>

struct search {
    const struct smt_attempt_question *question;
    struct explanation *out;
    struct ev_waits may_wait; /* barriers that do, by the model */
    struct ev_waits waits;    /* of those in the test, the ones that still do */
};

static const struct lit_program *test_of(const struct search *s)
{
    return s->question->request->program;
}

/* Is the state reached under no rule, or under all? */
static enum smt_answer ask_solver(const struct search *s, const struct ev_waits *waits, bool rules)
{
    struct smt_attempt a;
    enum smt_answer answer = SMT_UNKNOWN;
    smt_attempt_init(&a, s->question);
    a.query.program.options.waits = *waits;
    if (smt_attempt_build(&a)) {
        bool *assumed = ARENA_ARRAY(&a.query.arena, bool, a.count + 1u);
        memset(assumed, rules, a.count);
        answer = smt_attempt_ask(&a, assumed, NULL);
    }
    smt_attempt_fini(&a);
    return answer;
}

/* Do barriers of this kind and scope have to wait, if all others wait as the model says? */
static enum explanation_need need_of(const struct search *s, enum ev_kind kind,
                                     enum lit_scope scope)
{
    struct ev_waits waits = s->may_wait;
    waits.of[kind][scope] = false;
    enum smt_answer answer = ask_solver(s, &waits, true);
    return answer == SMT_SAT     ? EXPLANATION_NECESSARY
           : answer == SMT_UNSAT ? EXPLANATION_SPARE
                                 : EXPLANATION_UNTRIED;
}

/* Only what the test has a barrier of, and the model lets wait. */
static void find_waits(struct search *s)
{
    const struct lit_program *test = test_of(s);
    struct arena scratch;
    arena_init(&scratch);
    engine_find_waiting(&scratch, s->question->request, &s->may_wait);
    arena_fini(&scratch);
    for (uint32_t t = 0; t < test->thread_count; t++)
        for (uint32_t i = 0; i < test->threads[t].code_count; i++) {
            const struct lit_instr *instr = &test->threads[t].code[i];
            uint32_t kind = ev_kind_of(instr->op);
            if (ev_kind_may_wait(kind))
                s->waits.of[kind][instr->scope] = s->may_wait.of[kind][instr->scope];
        }
}

/* The test's barriers of one kind and scope, as pairs of each with itself. */
static void add_barriers(struct search *s, enum ev_kind kind, enum lit_scope scope,
                         struct explanation_reason *reason)
{
    const struct lit_program *test = test_of(s);
    uint32_t room = 0;
    for (uint32_t t = 0; t < test->thread_count; t++)
        room += test->threads[t].code_count;
    reason->pairs = ARENA_ARRAY(&s->out->arena, struct explanation_pair, room);
    for (uint32_t t = 0; t < test->thread_count; t++)
        for (uint32_t i = 0; i < test->threads[t].code_count; i++) {
            const struct lit_instr *instr = &test->threads[t].code[i];
            struct ev ev = {.kind = kind,
                            .thread = t,
                            .instr = instr,
                            .location = LIT_NONE,
                            .meeting = {.kind = kind, .scope = scope}};
            if (ev_kind_of(instr->op) != kind || instr->scope != scope)
                continue;
            struct outcome_event event = explanation_event(s->out, test, &ev);
            reason->pairs[reason->pair_count++] =
                (struct explanation_pair){.from = event, .to = event};
        }
}

static void add_reason(struct search *s, enum ev_kind kind, enum lit_scope scope)
{
    const struct cat_model *model = s->question->request->model;
    const struct span *span = &model->nodes[model->reserved[CAT_WAITS]].span;
    struct explanation_reason reason = {.kind = EXPLANATION_BY_WAITS,
                                        .need = need_of(s, kind, scope),
                                        .name = "waits",
                                        .file = span->source ? span->source->name : NULL,
                                        .line = span->line};
    add_barriers(s, kind, scope, &reason);
    VEC_PUSH(&s->out->reasons, reason);
}

/* Drops one wait after the other, and keeps those without which the state is reached. */
static enum smt_answer drop_waits(struct search *s)
{
    enum smt_answer answer = SMT_UNSAT;
    bool *waits = &s->waits.of[0][0];
    for (uint32_t i = 0; i < EV_KIND_COUNT * LIT_SCOPE_COUNT && answer != SMT_UNKNOWN; i++) {
        if (!waits[i])
            continue;
        waits[i] = false;
        answer = ask_solver(s, &s->waits, false);
        waits[i] = answer == SMT_SAT;
    }
    return answer == SMT_UNKNOWN ? answer : SMT_UNSAT;
}

enum smt_answer smt_explain_waits(const struct smt_attempt_question *question,
                                  struct explanation *explanation)
{
    struct search s = {.question = question, .out = explanation};
    find_waits(&s);
    enum smt_answer answer = drop_waits(&s);
    for (int kind = 0; kind < EV_KIND_COUNT && answer == SMT_UNSAT; kind++)
        for (int scope = 0; scope < LIT_SCOPE_COUNT; scope++)
            if (s.waits.of[kind][scope])
                add_reason(&s, (enum ev_kind)kind, (enum lit_scope)scope);
    return answer;
}
