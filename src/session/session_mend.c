/* A place for a barrier, or a wider scope, is tried by asking the engine anew about the changed
 * code, for one condition alone; the first that makes it hold ends the search for a gap. A test
 * that has fences of its own, which the model knows, or uses definitions of some, is in the words
 * of another mechanism: there these take the place of the barrier. A definition is put there as
 * text, and the test read anew; alone first, then behind one another as mechanisms want it: what is
 * written back is waited for by a fence, or by one between two others that drains a queue. */
#include "session/session_mend.h"

#include "engine/meaning.h"
#include "litmus/lit_code.h"
#include "session/session_engines.h"
#include "session/session_put.h"
#include "session/session_run.h"

#include <string.h>

/* The program with one of its conditions alone. */
static struct lit_program with_condition(const struct lit_program *program, uint32_t index)
{
    struct lit_program alone = *program;
    alone.conditions = &program->conditions[index];
    alone.condition_count = 1;
    return alone;
}

/* Fences of the test that the model knows, each once, and who has them; but for marks of
 * transactions, which come in pairs. */
enum { MOST_FENCES = 4 };

struct mending_fences {
    const struct lit_instr *instrs[MOST_FENCES];
    uint64_t thread_tags[MOST_FENCES]; /* of the work-item: a host's is not tried on a device */
    uint32_t count;
};

/* One condition of a test, and the gap of a crash in the test or in its recovery. */
struct mending {
    const struct session_case *question;
    uint32_t index;
    bool in_recovery;
    struct explanation *explanation;
    struct explanation_gap *gap;
    const struct mending_fences *fences;
};

/* The code that the gap is in. */
static struct lit_program code_of(const struct mending *m)
{
    return m->in_recovery ? lit_recovery_program(m->question->program) : *m->question->program;
}

static enum explanation_mend mend_of(const struct outcome_judgement *judgement)
{
    if (judgement->vacuous)
        return EXPLANATION_MEND_VACUOUS;
    switch (judgement->verdict) {
    case LIT_OK: return EXPLANATION_MEND_HOLDS;
    case LIT_VIOLATED: return EXPLANATION_MEND_VIOLATED;
    case LIT_UNDEFINED: return EXPLANATION_MEND_UNDEFINED;
    default: return EXPLANATION_MEND_UNKNOWN;
    }
}

/* What becomes of the only condition of this program. */
static enum explanation_mend result_of(const struct mending *m, const struct lit_program *program)
{
    struct outcome outcome;
    session_run_as(m->question, session_engine_alone, program, true, &outcome);
    struct outcome_judgement judgement = outcome_judge(&outcome, program, &program->conditions[0]);
    outcome_fini(&outcome);
    return mend_of(&judgement);
}

/* What becomes of the condition with this code, which a program that is its own recovery has both
 * times. */
static enum explanation_mend result_with(const struct mending *m, const struct lit_program *mended)
{
    struct lit_program program = with_condition(m->question->program, m->index);
    if (m->in_recovery || program.relaunch)
        program.recovery = mended->threads;
    if (!m->in_recovery || program.relaunch)
        program.threads = mended->threads;
    return result_of(m, &program);
}

/* The statement that begins here, a wait as a whole; NULL: none does. */
static const struct span *statement_at(const struct lit_thread *thread, uint32_t at)
{
    const struct lit_instr *await = lit_code_await_from(thread, at);
    return await ? await->statement : thread->code[at].statement;
}

/* With a new barrier before the statement, or with that fence. Whether the condition holds. */
static bool try_instr(const struct mending *m, uint32_t thread, uint32_t at,
                      const struct lit_instr *fence)
{
    struct arena arena;
    arena_init(&arena);
    const struct lit_program code = code_of(m);
    const struct span *statement = statement_at(&code.threads[thread], at);
    struct explanation_try tried = {.fence = fence,
                                    .scope = LIT_SCOPE_WI,
                                    .thread = thread,
                                    .before_line = statement->line,
                                    .before_column = statement->column};
    const struct lit_instr put = fence ? *fence : explanation_barrier(tried.scope);
    tried.result = result_with(m, explanation_mended(&arena, &code, thread, at, &put));
    arena_fini(&arena);
    VEC_PUSH(&m->gap->tries, tried);
    return tried.result == EXPLANATION_MEND_HOLDS;
}

/* ---- Definitions that the test uses ---- */

/* Of one gap: tries at all, and definitions that are put behind one another. */
enum { MOST_OFFERED = 40, MOST_KNOWN = 6 };

/* A place, and what can stand there: calls that the model knows. */
struct offering {
    const struct mending *m;
    uint32_t thread, at;
    const char *known[2][MOST_KNOWN]; /* without an argument; of the location */
    uint32_t known_count[2];
};

/* With this before the statement; nothing is tried that does not fit there, or that the model does
 * not know. Whether the condition holds. */
static bool try_text(const struct offering *o, const char *text, bool *fits)
{
    const struct mending *m = o->m;
    const struct lit_program code = code_of(m);
    const struct span *statement = statement_at(&code.threads[o->thread], o->at);
    const char *put = arena_printf(&m->explanation->arena, "%s; ", text);
    struct session_test test;
    struct explanation_try tried = {.put = text,
                                    .scope = LIT_SCOPE_WI,
                                    .thread = o->thread,
                                    .before_line = statement->line,
                                    .before_column = statement->column};
    *fits = session_put_read(&test, m->question, statement, put) &&
            m->index < test.program->condition_count &&
            session_put_is_known(&test, m->question, statement, strlen(put));
    if (*fits) {
        struct lit_program program = with_condition(test.program, m->index);
        const struct lit_condition *asked = &m->question->program->conditions[m->index];
        if (asked->refines) /* its source is listed already, and the locations are the same */
            program.conditions = asked;
        tried.result = result_of(m, &program);
        VEC_PUSH(&m->gap->tries, tried);
    }
    session_test_fini(&test);
    return *fits && tried.result == EXPLANATION_MEND_HOLDS;
}

/* The gap may be tried further: there is a try left, and time. */
static bool goes_on(const struct explanation_gap *gap)
{
    return gap->tries.count < MOST_OFFERED &&
           (!gap->tries.count || VEC_LAST(&gap->tries).result != EXPLANATION_MEND_UNKNOWN);
}

/* The call; of a location, that of the gap's earlier write. */
static const char *call_of(const struct mending *m, const struct lit_offer *offer)
{
    struct arena *arena = &m->explanation->arena;
    const char *location = strrchr(m->gap->earlier.access, ' ');
    location = location ? location + 1 : "";
    if (!offer->of_location)
        return arena_printf(arena, "%s()", offer->name);
    return arena_printf(arena, "%s(%s%s)", offer->name, strpbrk(location, "[.") ? "&" : "",
                        location);
}

/* As a fence that the test has somewhere. */
static bool was_tried(const struct offering *o, const struct lit_offer *offer)
{
    const struct mending_fences *fences = o->m->fences;
    uint64_t tags = code_of(o->m).threads[o->thread].tags;
    for (uint32_t i = 0; i < fences->count; i++)
        if (fences->thread_tags[i] == tags && text_same(fences->instrs[i]->name, offer->name))
            return true;
    return false;
}

static bool try_calls(struct offering *o)
{
    const struct lit_program *program = o->m->question->program;
    for (uint32_t i = 0; i < program->offer_count && goes_on(o->m->gap); i++) {
        const struct lit_offer *offer = &program->offers[i];
        const char *call = call_of(o->m, offer);
        uint32_t *count = &o->known_count[offer->of_location];
        bool fits = was_tried(o, offer);
        if (!fits && try_text(o, call, &fits))
            return true;
        if (fits && *count < MOST_KNOWN)
            o->known[offer->of_location][(*count)++] = call;
    }
    return false;
}

/* What is written back, and a fence. */
static bool try_pairs(const struct offering *o)
{
    bool fits;
    for (uint32_t i = 0; i < o->known_count[1]; i++)
        for (uint32_t k = 0; k < o->known_count[0] && goes_on(o->m->gap); k++)
            if (try_text(o,
                         arena_printf(&o->m->explanation->arena, "%s; %s", o->known[1][i],
                                      o->known[0][k]),
                         &fits))
                return true;
    return false;
}

/* What is written back, a fence, another, and the first again. */
static bool try_drains(const struct offering *o)
{
    bool fits;
    for (uint32_t i = 0; i < o->known_count[1]; i++)
        for (uint32_t k = 0; k < o->known_count[0]; k++)
            for (uint32_t d = 0; d < o->known_count[0] && goes_on(o->m->gap); d++)
                if (d != k && try_text(o,
                                       arena_printf(&o->m->explanation->arena, "%s; %s; %s; %s",
                                                    o->known[1][i], o->known[0][k], o->known[0][d],
                                                    o->known[0][k]),
                                       &fits))
                    return true;
    return false;
}

/* Whether the condition holds with one of the fences that the work-item has, or with definitions
 * that the test uses; where there are none, with a persist barrier. */
static bool try_place(const struct mending *m, uint32_t thread, uint32_t at)
{
    struct offering offering = {.m = m, .thread = thread, .at = at};
    uint64_t tags = code_of(m).threads[thread].tags;
    uint32_t fit = 0;
    for (uint32_t i = 0; i < m->fences->count; i++)
        if (m->fences->thread_tags[i] == tags && ++fit &&
            try_instr(m, thread, at, m->fences->instrs[i]))
            return true;
    if (try_calls(&offering) || try_pairs(&offering) || try_drains(&offering))
        return true;
    fit += offering.known_count[0] + offering.known_count[1];
    return !fit && try_instr(m, thread, at, NULL);
}

/* ---- Barriers ---- */

/* Lines of barriers that have another scope than they had, but for the gap's own. */
static void find_widened(const struct mending *m, const struct lit_program *code,
                         const struct lit_program *mended, struct explanation_try *tried)
{
    uint32_t *lines = NULL;
    for (uint32_t t = 0; t < code->thread_count; t++)
        for (uint32_t i = 0; i < code->threads[t].code_count; i++) {
            const struct lit_instr *was = &code->threads[t].code[i];
            if (was->scope == mended->threads[t].code[i].scope || was == m->gap->barrier_instr)
                continue;
            if (!lines)
                lines = ARENA_ARRAY(&m->explanation->arena, uint32_t, code->thread_count);
            lines[tried->widened_count++] = was->span.line;
        }
    tried->widened = lines;
}

/* With the gap's barrier, and what takes its place, as wide as this. Whether the condition holds.
 */
static bool try_scope(const struct mending *m, enum lit_scope scope)
{
    struct arena arena;
    arena_init(&arena);
    const struct lit_program code = code_of(m);
    const struct lit_program *mended = explanation_widened(&arena, &code, m->gap, scope);
    struct explanation_try tried = {.scope = scope, .result = result_with(m, mended)};
    find_widened(m, &code, mended, &tried);
    arena_fini(&arena);
    VEC_PUSH(&m->gap->tries, tried);
    return tried.result == EXPLANATION_MEND_HOLDS;
}

/* In one work-item; where the writes are of two, and no barrier is between. */
enum { MOST_PLACES = 16, MOST_PLACES_OF_TWO = 4 };

static bool is_in_await(const struct lit_thread *thread, uint32_t at)
{
    for (uint32_t i = 0; i < thread->code_count; i++)
        if (thread->code[i].op == LIT_AWAIT && thread->code[i].begin <= at &&
            at < thread->code[i].target)
            return true;
    return false;
}

/* Does a statement begin here that accesses memory, waits for others, or for what they write? In a
 * loop that may wait, none that reads: with a barrier there it would not only wait. */
static bool is_place(const struct lit_thread *thread, uint32_t at)
{
    if (!statement_at(thread, at))
        return false;
    bool is = thread->code[at].op == LIT_BARRIER || lit_code_await_from(thread, at);
    for (uint32_t i = at; i == at || (i < thread->code_count && thread->code[i].within); i++)
        is |= thread->code[i].op == LIT_STORE ||
              (lit_instruction_accesses(thread->code[i].op) && !is_in_await(thread, i));
    return is;
}

/* Places for a new barrier, from the later write back to the earlier one; in a loop, where the
 * earlier one may stand behind it, back to the start. */
static void try_places(const struct mending *m)
{
    const struct explanation_gap *gap = m->gap;
    const struct lit_program program = code_of(m);
    const struct lit_thread *thread = &program.threads[gap->threads[1]];
    const struct lit_instr *code = thread->code;
    uint32_t first = (uint32_t)(gap->instrs[0] - code), last = (uint32_t)(gap->instrs[1] - code);
    uint32_t end = first < last ? first + 1 : 0;
    for (uint32_t at = last + 1; at-- > end && gap->tries.count < MOST_PLACES;)
        if (is_place(thread, at) && try_place(m, gap->threads[1], at))
            return;
}

/* Where another work-item has the later write: behind the earlier one, such as before the release
 * that tells of it, or the execution barrier. */
static void try_places_behind(const struct mending *m)
{
    const struct explanation_gap *gap = m->gap;
    const struct lit_program program = code_of(m);
    const struct lit_thread *thread = &program.threads[gap->threads[0]];
    uint32_t first = (uint32_t)(gap->instrs[0] - thread->code), tried = 0;
    for (uint32_t at = first + 1; at < thread->code_count; at++)
        if (is_place(thread, at) &&
            (++tried > MOST_PLACES_OF_TWO || try_place(m, gap->threads[0], at)))
            return;
}

/* Whether the condition holds with one of them. */
static bool try_scopes(const struct mending *m)
{
    if (m->gap->has_barrier)
        for (enum lit_scope s = m->gap->barrier_scope + 1; s <= m->gap->scope; s++)
            if (try_scope(m, s))
                return true;
    return false;
}

static bool is_listed(const struct mending_fences *fences, const struct lit_instr *fence,
                      uint64_t thread_tags)
{
    for (uint32_t i = 0; i < fences->count; i++)
        if (fences->thread_tags[i] == thread_tags && fences->instrs[i]->tags == fence->tags &&
            fences->instrs[i]->scope == fence->scope && fences->instrs[i]->order == fence->order)
            return true;
    return false;
}

static void add_fences(const struct session_case *question, const struct lit_thread *threads,
                       uint32_t count, struct mending_fences *fences)
{
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t i = 0; i < threads[t].code_count && fences->count < MOST_FENCES; i++) {
            const struct lit_instr *instr = &threads[t].code[i];
            if (instr->op == LIT_FENCE && !(instr->tags & lit_program_marks(question->program)) &&
                !is_listed(fences, instr, threads[t].tags) &&
                meaning_of_instr(question->program, question->model->model, instr)) {
                fences->thread_tags[fences->count] = threads[t].tags;
                fences->instrs[fences->count++] = instr;
            }
        }
}

static void mend_all(const struct session_case *question, uint32_t index, bool in_recovery,
                     struct explanation *explanation)
{
    struct mending_fences fences = {.count = 0};
    add_fences(question, question->program->threads, question->program->thread_count, &fences);
    add_fences(question, question->program->recovery, question->program->recovery_count, &fences);
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct mending m = {
            question, index, in_recovery, explanation, &explanation->gaps.items[i], &fences};
        if (m.gap->threads[0] == m.gap->threads[1])
            try_places(&m);
        else if (!try_scopes(&m))
            try_places_behind(&m);
    }
}

static bool stand_alike(const struct explanation_try *a, const struct explanation_try *b)
{
    return a->before_line == b->before_line && a->before_column == b->before_column &&
           a->thread == b->thread;
}

/* Is there a gap among the first that the same barrier closes for the same write? */
static bool is_repeated(const struct explanation *explanation, size_t count,
                        const struct explanation_gap *gap)
{
    const struct explanation_gap *gaps = explanation->gaps.items;
    for (size_t i = 0; i < count; i++)
        if (gaps[i].instrs[0] == gap->instrs[0] &&
            stand_alike(&VEC_LAST(&gaps[i].tries), &VEC_LAST(&gap->tries)))
            return true;
    return false;
}

bool session_is_mended(const struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->gaps.count; i++)
        if (explanation_is_mended(&explanation->gaps.items[i]))
            return true;
    return false;
}

/* Those that mend the condition; without any the next durable write behind each lost one. */
static void choose_gaps(struct explanation *explanation)
{
    size_t kept = 0;
    bool holds = session_is_mended(explanation);
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        struct explanation_gap gap = explanation->gaps.items[i];
        if (holds ? explanation_is_mended(&gap) && !is_repeated(explanation, kept, &gap) : gap.next)
            explanation->gaps.items[kept++] = gap;
        else
            VEC_FREE(&gap.tries);
    }
    explanation->gaps.count = kept;
}

void session_mend(const struct session_case *question, uint32_t index, bool in_recovery,
                  struct explanation *explanation)
{
    mend_all(question, index, in_recovery, explanation);
    choose_gaps(explanation);
}
