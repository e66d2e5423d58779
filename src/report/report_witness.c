/* A witness as lines of text: the state, then every event with the write a read reads
 * from, whether it had executed, and whether it was durable at the crash. */
#include "report/report.h"

#include "base/bits.h"

static void add_state(const struct engine_request *request, const struct engine_witness *witness,
                      struct strbuf *out)
{
    strbuf_add(out, witness->cut ? "Crash witness" : "Witness");
    for (uint32_t i = 0; i < witness->width; i++) {
        if (!report_is_shown(&witness->items[i]))
            continue;
        strbuf_add_char(out, ' ');
        report_item(request->program, &witness->items[i], out);
        strbuf_add_char(out, '=');
        report_column(request->program, witness->items, witness->row, i, out);
    }
    if (witness->cut && witness->cut->mark)
        strbuf_printf(out, " (crash statement at line %u)", witness->cut->mark->instr->span.line);
    strbuf_add_char(out, '\n');
}

static void add_event(const struct engine_witness *witness, uint32_t e, struct strbuf *out)
{
    const struct exec_skeleton *skeleton = witness->skeleton;
    const struct ev *event = &skeleton->events[e];
    strbuf_printf(out, "  e%-3u ", e);
    if (event->init)
        strbuf_add(out, "init     ");
    else
        strbuf_printf(out, "%-4s:%-3u ", skeleton->program->threads[event->thread].name,
                      event->instr->span.line);
    ev_print(event, skeleton->program, out);
    for (uint32_t w = 0; w < skeleton->dim.n; w++) {
        if (rel_has(skeleton->dim, witness->rf, w, e))
            strbuf_printf(out, " rf:e%u", w);
        if (rel_has(skeleton->dim, witness->co, w, e) && !skeleton->events[w].init)
            strbuf_printf(out, " co:e%u", w);
    }
    if (witness->cut)
        strbuf_add(out, bits_get(witness->cut->durable, e)    ? " durable"
                        : bits_get(witness->cut->executed, e) ? " executed"
                                                              : " not executed");
    strbuf_add_char(out, '\n');
}

void report_witness(const struct engine_request *request, const struct engine_witness *witness,
                    struct strbuf *out)
{
    add_state(request, witness, out);
    for (uint32_t e = 0; e < witness->skeleton->dim.n; e++)
        add_event(witness, e, out);
}
