#include "exec/exec_event.h"

bool ev_same_place(const struct ev_meeting *a, const struct ev_meeting *b)
{
    return a->kind == b->kind && a->scope == b->scope && a->label == b->label &&
           a->ordinal == b->ordinal;
}

bool ev_same_meeting(const struct ev_meeting *a, const struct ev_meeting *b)
{
    return ev_same_place(a, b) && a->resource == b->resource;
}

static const char *const words[] = {EV_KINDS(TABLE_SECOND)};

/* Fences and cache maintenance are known by the names that definitions give them, else by their
 * tags. */
static void print_word(const struct ev *event, const struct lit_program *program,
                       struct strbuf *out)
{
    bool named = (event->kind == EV_FENCE || event->kind == EV_CM) && event->instr;
    bool defined = named && event->instr->name;
    strbuf_add(out, defined ? event->instr->name : words[event->kind]);
    if (!named || defined || !ev_tags(event))
        return;
    const char *before = "{";
    for (uint32_t i = 0; i < program->tag_count; i++)
        if (ev_tags(event) >> i & 1) {
            strbuf_printf(out, "%s%s", before, program->tags[i]);
            before = ",";
        }
    strbuf_add(out, "}");
}

/* Without a place of the source that in the code. */
static void print_origin(const struct lit_origin *origin, struct strbuf *out)
{
    if (origin->text)
        strbuf_printf(out, " (%s)", origin->text);
    else
        strbuf_printf(out, " (%s:%u)", source_file_name(origin->code.source->name),
                      origin->code.line);
}

void ev_print(const struct ev *event, const struct lit_program *program, struct strbuf *out)
{
    print_word(event, program, out);
    if (event->location != LIT_NONE)
        strbuf_printf(out, " %s", program->locations[event->location].name);
    else if (ev_kind_meets(event->kind))
        strbuf_printf(out, " %s", lit_scope_tags[event->meeting.scope]);
    if (event->instr && event->instr->origin)
        print_origin(event->instr->origin, out);
}

const char *ev_name(struct arena *arena, const struct ev *event, const struct lit_program *program)
{
    struct strbuf text = {0};
    ev_print(event, program, &text);
    return strbuf_take(&text, arena);
}

const char *ev_meeting_name(struct arena *arena, const struct ev_meeting *meeting,
                            const struct lit_instr *instr)
{
    const struct ev barrier = {
        .kind = meeting->kind, .location = LIT_NONE, .meeting = *meeting, .instr = instr};
    return ev_name(arena, &barrier, NULL);
}

bool ev_may_make(enum lit_instr_op op, enum ev_kind kind)
{
    return kind == EV_READ    ? lit_instruction_reads(op)
           : kind == EV_WRITE ? lit_instruction_writes(op)
                              : ev_kind_of(op) == kind;
}
