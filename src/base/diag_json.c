/* A diagnostic as data: its words, its place and its fix. */
#include "base/diag.h"

#include "base/json.h"

/* Of a place in a file that has lines; else there is none. */
static void add_place(const struct span *span, struct strbuf *out)
{
    const bool file = span->source && !span->source->option;
    emit_string(out, "file", file ? span->source->name : NULL);
    if (!file || !span->line)
        return;
    emit_number(out, "line", span->line);
    emit_number(out, "column", span->column);
    emit_number(out, "end_line", span->end_line);
    emit_number(out, "end_column", span->end_column);
}

static void add_fix(const struct diag_fix *fix, struct strbuf *out)
{
    struct span place;
    if (!diag_fix_place(fix, &place))
        return;
    emit_object(out, "fix");
    add_place(&place, out);
    emit_string(out, "found", fix->word);
    emit_string(out, "text", fix->meant);
    emit_end(out, '}');
}

void diag_json(const struct diag_entry *entry, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "severity", diag_severity_text(entry->severity));
    emit_string(out, "id", entry->id < DIAG_COUNT ? diag_id_text(entry->id) : NULL);
    emit_string(out, "text", entry->message);
    add_place(&entry->span, out);
    add_fix(&entry->fix, out);
    emit_end(out, '}');
    strbuf_add_char(out, '\n');
}
