#include "format/report_format.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct report_format *const formats[] = {
#define X(name) &report_format_##name,
    REPORT_FORMATS(X) REPORT_PAGES(X)
#undef X
};

const struct report_format *report_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

bool report_format_has(const struct report_format *format, enum report_trait trait)
{
    return (format->traits & (unsigned)trait) != 0;
}

const char *report_format_name(const struct report_format *format)
{
    return format ? format->name : "";
}

const struct report_format *report_format_of_slides(const struct report_format *format)
{
    return format == &report_format_svg ? &report_format_slide : format;
}

const struct report_format *report_format_of_many(const struct report_format *format)
{
    return format == &report_format_html ? &report_format_html_many : format;
}

void *report_state_new(size_t size)
{
    return size ? memset(base_realloc(NULL, size), 0, size) : NULL;
}

struct report_sink *report_sink_new(const struct report_format *format,
                                    const struct report_run *run)
{
    struct report_sink *sink = base_realloc(NULL, sizeof *sink);
    *sink = (struct report_sink){.format = format, .run = *run};
    sink->state = report_state_new(format->sink_size);
    if (format->waits)
        sink->spool = tmpfile();
    if (format->open)
        format->open(sink);
    report_sink_flush(sink);
    return sink;
}

void report_sink_free(struct report_sink *sink)
{
    if (sink->format->sink_fini)
        sink->format->sink_fini(sink);
    base_free(sink->state);
    if (sink->spool)
        fclose(sink->spool);
    strbuf_fini(&sink->kept);
    strbuf_fini(&sink->out);
    base_free(sink);
}

void report_sink_flush(struct report_sink *sink)
{
    if (sink->out.length)
        sink->run.write(sink->run.context, sink->out.text, sink->out.length);
    strbuf_clear(&sink->out);
}

/* Of what has just failed. */
static void note_spool_error(struct report_sink *sink)
{
    if (!sink->spool_error)
        sink->spool_error = errno ? errno : EIO;
}

static void spool(struct report_sink *sink)
{
    const struct strbuf *text = &sink->out;
    if (!sink->spool)
        strbuf_add_bytes(&sink->kept, strbuf_text(text), text->length);
    else if (fwrite(strbuf_text(text), 1, text->length, sink->spool) != text->length)
        note_spool_error(sink);
    strbuf_clear(&sink->out);
}

void report_sink_unspool(struct report_sink *sink)
{
    char buffer[1 << 14];
    size_t count;
    report_sink_flush(sink);
    if (sink->kept.length)
        sink->run.write(sink->run.context, sink->kept.text, sink->kept.length);
    if (!sink->spool)
        return;
    if (fseek(sink->spool, 0, SEEK_SET) != 0)
        note_spool_error(sink);
    while ((count = fread(buffer, 1, sizeof buffer, sink->spool)) > 0)
        sink->run.write(sink->run.context, buffer, count);
    if (ferror(sink->spool))
        note_spool_error(sink);
}

void report_sink_unspool_all(struct report_sink *sink)
{
    report_sink_unspool(sink);
    strbuf_clear(&sink->kept);
    if (sink->spool &&
        (fseek(sink->spool, 0, SEEK_SET) != 0 || ftruncate(fileno(sink->spool), 0) != 0))
        note_spool_error(sink);
}

static void add_text(struct report_sink *sink, const struct report_stream *stream)
{
    const char *text = strbuf_text(&stream->text);
    size_t at = 0;
    for (size_t i = 0; i < stream->marks.count; i++) {
        strbuf_add_bytes(&sink->out, text + at, stream->marks.items[i] - at);
        sink->format->mark(sink);
        sink->marks++;
        at = stream->marks.items[i];
    }
    strbuf_add_bytes(&sink->out, text + at, stream->text.length - at);
}

void report_sink_add(struct report_sink *sink, struct report_piece *piece)
{
    sink->faults += piece->faults;
    sink->unread += piece->unread;
    sink->skips = false;
    if (sink->format->add)
        sink->format->add(sink, piece);
    if (!sink->skips)
        add_text(sink, &piece->out);
    if (sink->format->waits)
        spool(sink);
    else
        report_sink_flush(sink);
    sink->pieces++;
}

void report_sink_interrupt(struct report_sink *sink)
{
    sink->interrupted = true;
}

int report_sink_close(struct report_sink *sink, int status)
{
    if (sink->format->close)
        sink->format->close(sink, status);
    report_sink_flush(sink);
    return sink->spool_error;
}
