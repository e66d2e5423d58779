/* Does the execution have a write that its transaction keeps to itself (docs/models/semantics.md,
 * "Writes that a transaction keeps to itself")? */
#include "engine/recheck_parts.h"

struct marks {
    uint64_t begin, end, abort; /* tags */
};

static bool is_mark(const struct recheck *r, uint32_t e, uint64_t tags)
{
    BASE_ASSERT(e < r->n);
    const struct ev *event = recheck_event(r, e);
    return event->kind == EV_FENCE && (event->instr->tags & tags);
}

static bool is_write_in(const struct recheck *r, enum cat_reserved name, uint32_t e)
{
    BASE_ASSERT(e < r->n);
    return recheck_event(r, e)->kind == EV_WRITE &&
           naive_has(r->n, r->fixed.values[r->request->model->reserved[name]], 0, e);
}

/* Events `from` to `to`, exclusive, stand in front of the end: each a withheld write, of a location
 * of its own. */
static bool is_written_out(const struct recheck *r, uint32_t from, uint32_t to)
{
    BASE_ASSERT(from <= to && to <= r->n);
    for (uint32_t e = from; e < to; e++) {
        if (!is_write_in(r, CAT_WITHHELD, e))
            return false;
        for (uint32_t other = from; other < e; other++)
            if (recheck_same_place(r, other, e))
                return false;
    }
    return true;
}

/* What a transaction encloses; the event at `to` is its mark, or its work-item has no more. */
static const char *check_transaction(const struct recheck *r, uint32_t from, uint32_t to, bool ends,
                                     bool aborts)
{
    BASE_ASSERT(from <= to && to <= r->n);
    for (uint32_t e = from; e < to; e++) {
        if (is_write_in(r, CAT_WITHHELD, e))
            return ends && is_written_out(r, e, to)
                       ? NULL
                       : "a write is there that its transaction withholds";
        if (aborts && is_write_in(r, CAT_UNDONE, e) && !is_write_in(r, CAT_MAY_STAY, e))
            return "a write is there that its aborted transaction undoes";
    }
    return NULL;
}

static const char *check_thread(const struct recheck *r, const struct marks *marks, uint32_t first,
                                uint32_t last)
{
    BASE_ASSERT(first <= last && last <= r->n);
    const char *fault = NULL;
    uint32_t from = last;
    for (uint32_t e = first; e < last && !fault; e++) {
        bool ends = is_mark(r, e, marks->end), aborts = is_mark(r, e, marks->abort);
        if (ends || aborts)
            fault = check_transaction(r, from, e, ends, aborts);
        if (ends || aborts || is_mark(r, e, marks->begin))
            from = ends || aborts ? last : e + 1;
    }
    return fault ? fault : check_transaction(r, from, last, false, false);
}

const char *recheck_transactions(const struct recheck *r)
{
    const struct lit_program *program = r->skeleton->program;
    struct marks marks = {.begin = lit_program_tag(program, "tx_begin"),
                          .end = lit_program_tag(program, "tx_end"),
                          .abort = lit_program_tag(program, "tx_abort")};
    const char *fault = NULL;
    for (uint32_t t = 0; t < program->thread_count && marks.begin && !fault; t++)
        fault = check_thread(r, &marks, r->skeleton->first[t],
                             r->skeleton->first[t] + r->skeleton->paths[t]->event_count);
    return fault;
}
