#include "machine/mach_view.h"

#include <stdarg.h>
void mach_view_init(struct mach_view *view, struct arena *arena, const struct mach_test *test)
{
    *view = (struct mach_view){.arena = arena, .test = test};
}

void mach_view_fini(struct mach_view *view)
{
    VEC_FREE(&view->parts);
    VEC_FREE(&view->cells);
}

/* ---- Parts ---- */

static void close_part(struct mach_view *view)
{
    if (view->parts.count == 0)
        return;
    struct trace_part *part = &VEC_LAST(&view->parts);
    part->count = (uint32_t)view->cells.count;
    part->cells = VEC_KEEP(view->arena, &view->cells);
    VEC_CLEAR(&view->cells);
}

static void open_part(struct mach_view *view, enum trace_part_kind kind, const char *name)
{
    close_part(view);
    VEC_PUSH(&view->parts, (struct trace_part){kind, name, NULL, 0});
}

void mach_view_places(struct mach_view *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    open_part(view, TRACE_PLACES, arena_vprintf(view->arena, format, arguments));
    va_end(arguments);
}

void mach_view_queue(struct mach_view *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    open_part(view, TRACE_QUEUE, arena_vprintf(view->arena, format, arguments));
    va_end(arguments);
}

void mach_view_place(struct mach_view *view, uint32_t location, uint8_t number, const char *mark)
{
    const struct lit_location *place = &view->test->program->locations[location];
    VEC_PUSH(&view->cells, (struct trace_cell){place->name, true, mach_value(view->test, number),
                                               place->type, arena_strdup(view->arena, mark)});
}

void mach_view_empty_place(struct mach_view *view, uint32_t location)
{
    const struct lit_location *place = &view->test->program->locations[location];
    VEC_PUSH(&view->cells, (struct trace_cell){place->name, false, 0, place->type, ""});
}

void mach_view_entry(struct mach_view *view, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    VEC_PUSH(&view->cells, (struct trace_cell){arena_vprintf(view->arena, format, arguments), false,
                                               0, LIT_INT, ""});
    va_end(arguments);
}

const char *mach_view_line(struct mach_view *view, uint32_t line)
{
    const char *text = "";
    for (uint32_t l = 0; l < view->test->program->location_count; l++)
        if (view->test->line_of[l] == line)
            text = arena_printf(view->arena, "%s%s%s", text, *text ? "," : "",
                                view->test->program->locations[l].name);
    return text;
}

/* ---- Steps ---- */

void mach_tell_thread(struct mach_view *view, uint32_t thread, const char *kind, const char *text)
{
    view->told = (struct trace_step){.kind = kind,
                                     .actor = view->test->program->threads[thread].name,
                                     .text = text ? arena_strdup(view->arena, text) : "",
                                     .thread = thread};
}

void mach_tell_part(struct mach_view *view, const char *actor, const char *kind, const char *format,
                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    view->told = (struct trace_step){.kind = kind,
                                     .actor = arena_strdup(view->arena, actor),
                                     .text = arena_vprintf(view->arena, format, arguments),
                                     .thread = LIT_NONE};
    va_end(arguments);
}

/* ---- States ---- */

const struct trace_part *mach_view_state(struct mach_view *view, const uint8_t *state,
                                         uint32_t *count)
{
    VEC_CLEAR(&view->parts);
    view->test->machine->view(view->test, state, view);
    close_part(view);
    *count = (uint32_t)view->parts.count;
    return VEC_KEEP(view->arena, &view->parts);
}
