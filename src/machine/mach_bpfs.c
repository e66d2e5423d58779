/* The barrier identifiers of SPB's tags only serve to compare: whose write has to be durable
 * before whose. The state holds the outcome of that comparison instead, which is finite and the
 * same for all numberings: sets of lines whose newest content is not yet durable. An event's set is
 * the lines that hold NV writes before it in pmo (docs/semantics.md), itself included.
 *
 * Kept are, per line, `written`: the set of its last write, and `seen`: of the reads since; per
 * work-item, `past`: of all it did, and `before`: what persist barriers put before what
 * it does next. A line that becomes durable leaves all sets. So a dirty line is one that is in its
 * own `written`, and it may be written back when nothing else is in there.
 *
 * As in BPFS (Condit et al., section 4.4) a block holds one version. A write that a persist barrier
 * puts behind the line's dirty content waits until that is written back. So does one that would
 * have to be durable after a line that waits for this one. Any other merges with what is there, and
 * both become durable at once.
 *
 * Bytes of the machine's part: values of the locations in the caches, and in NVRAM; the sets. */
#include "machine/mach_bpfs.h"

#include "machine/mach_instr.h"

#include <string.h>

#define BPFS_STEPS(X) X(RUN, "executes") X(WRITE_BACK, "is written back to NVRAM")

enum bpfs_step {
#define X(name, text) BPFS_##name,
    BPFS_STEPS(X)
#undef X
};

/* Bit i: line i of those in NVRAM. */
typedef uint64_t line_set;

/* Sets of the work-items, then of the lines. */
enum thread_set { BEFORE, PAST };
enum line_tag { WRITTEN, SEEN };

/* ---- Where things stand ---- */

static uint32_t locations(const struct mach_test *test)
{
    return test->program->location_count;
}

/* Lines in NVRAM are numbered after the others. */
static uint32_t first_nv_line(const struct mach_test *test)
{
    uint32_t first = test->line_count;
    for (uint32_t l = 0; l < locations(test); l++)
        if (test->program->locations[l].nvm && test->line_of[l] < first)
            first = test->line_of[l];
    return first;
}

/* Empty for a line of DRAM. */
static line_set only(const struct mach_test *test, uint32_t line)
{
    uint32_t first = first_nv_line(test);
    return line < first ? 0 : (line_set)1 << (line - first) % MACH_BPFS_LINES;
}

static uint32_t set_bytes(const struct mach_test *test)
{
    uint32_t lines = test->line_count - first_nv_line(test);
    return lines < MACH_BPFS_LINES ? (lines + 7) / 8 : (uint32_t)sizeof(line_set);
}

static uint32_t sets_at(const struct mach_test *test)
{
    return test->machine_bytes + 2 * locations(test);
}

static uint32_t count_sets(const struct mach_test *test)
{
    return 2 * (test->program->thread_count + test->line_count);
}

static uint32_t of_thread(uint32_t thread, enum thread_set which)
{
    return 2 * thread + which;
}

static uint32_t of_line(const struct mach_test *test, uint32_t line, enum line_tag which)
{
    return 2 * (test->program->thread_count + line) + which;
}

static line_set get(const struct mach_test *test, const uint8_t *state, uint32_t number)
{
    uint32_t width = set_bytes(test);
    const uint8_t *bytes = state + sets_at(test) + number * width;
    line_set set = 0;
    for (uint32_t i = 0; i < width; i++)
        set |= (line_set)bytes[i] << 8 * i;
    return set;
}

static void put(const struct mach_test *test, uint8_t *state, uint32_t number, line_set set)
{
    uint32_t width = set_bytes(test);
    uint8_t *bytes = state + sets_at(test) + number * width;
    for (uint32_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)(set >> 8 * i);
}

static void join(const struct mach_test *test, uint8_t *state, uint32_t number, line_set set)
{
    put(test, state, number, get(test, state, number) | set);
}

static uint8_t *cached(const struct mach_test *test, uint8_t *state)
{
    return state + test->machine_bytes;
}

static uint8_t *durable(const struct mach_test *test, uint8_t *state)
{
    return cached(test, state) + locations(test);
}

static uint32_t bpfs_size(const struct mach_test *test)
{
    return 2 * locations(test) + count_sets(test) * set_bytes(test);
}

static void bpfs_start(struct mach_test *test, uint8_t *state)
{
    test->overflow |= test->line_count - first_nv_line(test) > MACH_BPFS_LINES;
    mach_start_threads(test, state);
    for (uint32_t l = 0; l < locations(test); l++) {
        uint8_t number = mach_number(test, test->program->locations[l].init);
        cached(test, state)[l] = number;
        durable(test, state)[l] = test->program->locations[l].nvm ? number : 0;
    }
}

/* ---- Accesses ---- */

/* The lines that have to be durable before, or together with, some line of a set. */
static line_set closure(const struct mach_test *test, const uint8_t *state, line_set set)
{
    line_set last;
    do {
        last = set;
        for (uint32_t line = first_nv_line(test); line < test->line_count; line++)
            if (set & only(test, line))
                set |= get(test, state, of_line(test, line, WRITTEN));
    } while (set != last);
    return set;
}

static void did_read(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t line)
{
    line_set set = get(test, state, of_thread(thread, BEFORE)) |
                   get(test, state, of_line(test, line, WRITTEN));
    join(test, state, of_line(test, line, SEEN), set);
    join(test, state, of_thread(thread, PAST), set);
}

/* False when the line's older content has to be written back first. */
static bool write_line(const struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t line)
{
    line_set self = only(test, line), before = get(test, state, of_thread(thread, BEFORE));
    line_set older = get(test, state, of_line(test, line, WRITTEN));
    line_set set = before | older | get(test, state, of_line(test, line, SEEN));
    if (older & self && (before & self || closure(test, state, set & ~self) & self))
        return false;
    put(test, state, of_line(test, line, WRITTEN), set | self);
    put(test, state, of_line(test, line, SEEN), 0);
    join(test, state, of_thread(thread, PAST), set | self);
    return true;
}

static bool access(struct mach_test *test, uint8_t *state, uint32_t thread,
                   const struct lit_instr *instr)
{
    uint32_t location = mach_location(test, state, thread, instr);
    uint32_t line = test->line_of[location];
    uint8_t *word = cached(test, state) + location;
    if (instr->op != LIT_STORE)
        did_read(test, state, thread, line);
    return !mach_access(test, state, thread, instr, location, *word, word) ||
           write_line(test, state, thread, line);
}

/* ---- Barriers ---- */

static line_set of_scope(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                         enum lit_scope scope, enum thread_set which)
{
    line_set set = 0;
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_is_member(test, thread, u, scope))
            set |= get(test, state, of_thread(u, which));
    return set;
}

/* SPB section 5, definitions (1) to (3): what the scope did comes before what it will do. An
 * execution barrier is itself an event after what earlier persist barriers ordered, the
 * same one for all who meet. */
static void take_effect(const struct mach_test *test, uint8_t *state, uint32_t thread,
                        const struct lit_instr *instr)
{
    bool persist = instr->op == LIT_PBARRIER;
    enum lit_scope scope = mach_meeting_scope(instr);
    line_set set = of_scope(test, state, thread, scope, persist ? PAST : BEFORE);
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_is_member(test, thread, u, scope))
            join(test, state, of_thread(u, persist ? BEFORE : PAST), set);
}

static bool meet(struct mach_test *test, uint8_t *state, uint32_t thread,
                 const struct lit_instr *instr)
{
    mach_set_status(test, state, thread, MACH_WAITING);
    if (!mach_all_wait(test, state, thread))
        return true;
    take_effect(test, state, thread, instr);
    for (uint32_t u = 0; u < test->program->thread_count; u++)
        if (mach_is_member(test, thread, u, mach_meeting_scope(instr)))
            mach_go_on(test, state, u);
    return true;
}

static bool pass(struct mach_test *test, uint8_t *state, uint32_t thread,
                 const struct lit_instr *instr)
{
    take_effect(test, state, thread, instr);
    mach_go_on(test, state, thread);
    return true;
}

/* ---- Steps ---- */

static bool run(struct mach_test *test, uint8_t *state, uint32_t thread, bool waits)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    if (instr->op == LIT_BARRIER || (instr->op == LIT_PBARRIER && waits))
        return meet(test, state, thread, instr);
    if (instr->op == LIT_PBARRIER)
        return pass(test, state, thread, instr);
    if (instr->op != LIT_FENCE && instr->op != LIT_CRASH && !access(test, state, thread, instr))
        return false;
    mach_go_on(test, state, thread);
    return true;
}

static void write_back(const struct mach_test *test, uint8_t *state, uint32_t line)
{
    for (uint32_t l = 0; l < locations(test); l++)
        if (test->line_of[l] == line)
            durable(test, state)[l] = cached(test, state)[l];
    for (uint32_t i = 0; i < count_sets(test); i++)
        put(test, state, i, get(test, state, i) & ~only(test, line));
}

/* What will be before a work-item that does nothing more is no part of the state. */
static void forget(const struct mach_test *test, uint8_t *state)
{
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (mach_status(test, state, t) == MACH_DONE)
            put(test, state, of_thread(t, BEFORE), 0);
}

static bool perform(struct mach_test *test, uint8_t *state, struct mach_step step, bool waits)
{
    if (step.kind == BPFS_WRITE_BACK)
        write_back(test, state, step.line);
    else if (!run(test, state, step.thread, waits))
        return false;
    forget(test, state);
    return true;
}

static bool perform_waiting(struct mach_test *test, uint8_t *state, struct mach_step step)
{
    return perform(test, state, step, true);
}

static bool perform_passing(struct mach_test *test, uint8_t *state, struct mach_step step)
{
    return perform(test, state, step, false);
}

static uint32_t bpfs_enabled(struct mach_test *test, const uint8_t *state, struct mach_step *steps)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (mach_status(test, state, t) == MACH_RUNNING)
            steps[count++] = (struct mach_step){.kind = BPFS_RUN, .thread = (uint8_t)t};
    for (uint32_t line = first_nv_line(test); line < test->line_count; line++)
        if (get(test, state, of_line(test, line, WRITTEN)) == only(test, line))
            steps[count++] = (struct mach_step){.kind = BPFS_WRITE_BACK, .line = (uint8_t)line};
    return count;
}

static uint8_t bpfs_memory(const struct mach_test *test, const uint8_t *state, uint32_t location)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)state; /* the accessors serve both uses */
    return test->program->locations[location].nvm ? durable(test, bytes)[location]
                                                  : cached(test, bytes)[location];
}

static bool bpfs_quiet(const struct mach_test *test, const uint8_t *state)
{
    for (uint32_t line = first_nv_line(test); line < test->line_count; line++)
        if (get(test, state, of_line(test, line, WRITTEN)) & only(test, line))
            return false;
    return true;
}

static void bpfs_print(const struct mach_test *test, struct mach_step step, struct strbuf *out)
{
    static const char *const texts[] = {
#define X(name, text) text,
        BPFS_STEPS(X)
#undef X
    };
    if (step.kind == BPFS_RUN)
        strbuf_printf(out, "%s %s", test->program->threads[step.thread].name, texts[step.kind]);
    else
        strbuf_printf(out, "line %u %s", step.line, texts[step.kind]);
}

const struct machine mach_bpfs = {
    .name = "bpfs",
    .description = "blocks tagged with persist barriers, which wait for arrival (SPB section 6.1)",
    .visibility = "hrf-direct",
    .persistency = "buffered-epoch",
    .size = bpfs_size,
    .start = bpfs_start,
    .enabled = bpfs_enabled,
    .perform = perform_waiting,
    .memory = bpfs_memory,
    .quiet = bpfs_quiet,
    .print = bpfs_print,
};

const struct machine mach_bpfs_no_wait = {
    .name = "bpfs-no-wait",
    .description = "blocks tagged with persist barriers, which nobody waits at (SPB section 6.1)",
    .visibility = "hrf-direct",
    .persistency = "buffered-epoch-individual",
    .size = bpfs_size,
    .start = bpfs_start,
    .enabled = bpfs_enabled,
    .perform = perform_passing,
    .memory = bpfs_memory,
    .quiet = bpfs_quiet,
    .print = bpfs_print,
};
