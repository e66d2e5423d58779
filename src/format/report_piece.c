/* Pieces: what there is to say of one input, as text of a format, and as cases for formats that
 * serve test runners. */
#include "base/build.h"
#include "base/utf8.h"
#include "format/report_format.h"

struct report_piece *report_piece_new(const struct report_format *format, const char *path)
{
    struct report_piece *piece = base_realloc(NULL, sizeof *piece);
    *piece = (struct report_piece){.format = format, .path = path, .version = base_version};
    piece->file = utf8_name(&piece->names, path);
    piece->state = report_state_new(format->piece_size);
    return piece;
}

void report_piece_free(struct report_piece *piece)
{
    if (piece->format->piece_fini)
        piece->format->piece_fini(piece);
    base_free(piece->state);
    report_stream_fini(&piece->out);
    strbuf_fini(&piece->parcel);
    arena_fini(&piece->names);
    base_free(piece);
}

const struct report_format *report_piece_format(const struct report_piece *piece)
{
    return piece->format;
}

const char *report_piece_path(const struct report_piece *piece)
{
    return piece->path;
}

uint32_t report_piece_parts(const struct report_piece *piece)
{
    return piece->format->apart ? (uint32_t)piece->out.marks.count : 1;
}

struct report_piece *report_piece_part(const struct report_piece *piece, uint32_t number)
{
    const struct report_stream *all = &piece->out;
    struct report_piece *part = report_piece_new(piece->format, piece->path);
    if (!piece->format->apart) {
        report_stream_append(&part->out, all);
        strbuf_add_bytes(&part->parcel, strbuf_text(&piece->parcel), piece->parcel.length);
        return part;
    }
    size_t begin = all->marks.items[number];
    size_t end = number + 1 < all->marks.count ? all->marks.items[number + 1] : all->text.length;
    strbuf_add_bytes(&part->out.text, strbuf_text(&all->text) + begin, end - begin);
    VEC_PUSH(&part->out.marks, 0);
    struct unpack sizes = unpack_start(strbuf_text(&piece->parcel), piece->parcel.length);
    for (uint32_t i = 0; i < REPORT_PICTURE_NUMBERS * number; i++)
        (void)unpack_number(&sizes);
    for (int i = 0; i < REPORT_PICTURE_NUMBERS; i++)
        pack_number(&part->parcel, unpack_number(&sizes));
    return part;
}

bool report_piece_is_words(const struct report_piece *part)
{
    if (!part->format->apart)
        return false;
    struct unpack numbers = unpack_start(strbuf_text(&part->parcel), part->parcel.length);
    for (int i = 1; i < REPORT_PICTURE_NUMBERS; i++)
        (void)unpack_number(&numbers);
    return unpack_number(&numbers) == 1;
}

bool report_piece_is_empty(const struct report_piece *piece)
{
    return piece->out.text.length == 0;
}

static enum report_result result_of(const struct report_view *view)
{
    if (view->known)
        return REPORT_SKIPPED;
    if (view->verdict == view->expected)
        return view->verdict == LIT_UNKNOWN ? REPORT_SKIPPED : REPORT_PASSED;
    return view->verdict == LIT_UNKNOWN || view->verdict == LIT_ERROR ? REPORT_ERRED
                                                                      : REPORT_FAILED;
}

void report_test_name(const struct report_test *test, struct strbuf *out)
{
    strbuf_printf(out, "%s under %s + %s [%s]", test->program->name, test->model->visibility,
                  test->model->persistency, test->engine);
}

static void add_place(const struct span *span, struct strbuf *out)
{
    if (!span->source || !span_told(*span).line)
        return;
    utf8_add_name(out, span->source->name);
    strbuf_printf(out, ":%u:%u: ", span->line, span->column);
}

static void add_line(const struct report_finding *finding, struct strbuf *out)
{
    add_place(&finding->span, out);
    strbuf_printf(out, "%s\n", finding->message);
}

static void view_as_case(struct report_piece *piece, const struct report_view *view)
{
    SCOPED(strbuf) name = {0}, message = {0}, details = {0}, remarks = {0};
    strbuf_printf(&name, "%s under %s + %s [%s]", view->test, view->visibility, view->persistency,
                  view->engine);
    strbuf_printf(&message, "verdict %s, expected %s%s", lit_verdict_text(view->verdict),
                  lit_verdict_text(view->expected), view->known ? ", a known failure" : "");
    for (size_t i = 0; i < view->finding_count; i++) {
        add_line(&view->findings[i], &details);
        if (report_is_aside(view->findings[i].kind))
            add_line(&view->findings[i], &remarks);
    }
    piece->format->case_(piece, &(struct report_case){.name = strbuf_text(&name),
                                                      .result = result_of(view),
                                                      .type = lit_verdict_text(view->verdict),
                                                      .message = strbuf_text(&message),
                                                      .details = strbuf_text(&details),
                                                      .remarks = strbuf_text(&remarks),
                                                      .explanation = view->explanation,
                                                      .span = view->head,
                                                      .seconds = view->seconds});
}

bool report_format_lists(const struct report_format *format)
{
    return format->case_ || format->view || format->record;
}

static void add_view(struct report_piece *piece, const struct report_view *view)
{
    if (piece->format->case_)
        view_as_case(piece, view);
    if (piece->format->view)
        piece->format->view(piece, view);
}

void report_piece_view(struct report_piece *piece, const struct report_view *view)
{
    add_view(piece, view);
    if (piece->format->record)
        piece->format->record(piece, view);
}

void report_piece_test(struct report_piece *piece, const struct report_test *test)
{
    SCOPED(arena) arena = {0};
    if (report_format_lists(piece->format) && !test->explained) {
        const struct report_view view = report_view_of(&arena, test);
        add_view(piece, &view);
    }
    if (piece->format->test)
        piece->format->test(piece, test);
}

static void fault_as_case(struct report_piece *piece, const struct report_fault *fault)
{
    SCOPED(strbuf) name = {0}, details = {0};
    const struct span *span = &fault->span;
    strbuf_add(&name, "input");
    if (span->source && span_told(*span).line)
        strbuf_printf(&name, " line %u column %u", span->line, span->column);
    strbuf_printf(&name, " [%s]", fault->id);
    add_place(span, &details);
    strbuf_printf(&details, "%s\n%s", fault->message, fault->details ? fault->details : "");
    piece->format->case_(piece, &(struct report_case){.name = strbuf_text(&name),
                                                      .result = REPORT_ERRED,
                                                      .type = fault->id,
                                                      .message = fault->message,
                                                      .details = strbuf_text(&details),
                                                      .span = fault->span});
}

void report_piece_fault(struct report_piece *piece, const struct report_fault *fault)
{
    if (fault->severity == DIAG_ERROR) {
        piece->faults++;
        piece->unread = 1;
        if (piece->format->case_)
            fault_as_case(piece, fault);
    }
    if (piece->format->fault)
        piece->format->fault(piece, fault);
}

void report_piece_unread(struct report_piece *piece, size_t files)
{
    piece->unread = files;
    piece->is_run = true;
}

void report_piece_faults(struct report_piece *piece, const struct diag *diag)
{
    EACH_IN (const struct diag_entry, entry, diag->entries) {
        if (entry->severity != DIAG_NOTE)
            report_piece_fault(piece, &(struct report_fault){.severity = entry->severity,
                                                             .id = diag_id_text(entry->id),
                                                             .message = entry->message,
                                                             .span = entry->span,
                                                             .fix = entry->fix});
    }
}

static void accord_as_case(struct report_piece *piece, const struct report_accord *accord)
{
    static const char *const messages[] = {"engines agree", "engines were not compared",
                                           "engines disagree", "engines disagree"};
    SCOPED(strbuf) name = {0};
    strbuf_printf(&name, "%s under %s + %s [engines agree]", accord->test, accord->visibility,
                  accord->persistency);
    piece->format->case_(piece, &(struct report_case){.name = strbuf_text(&name),
                                                      .result = accord->result,
                                                      .type = "engines",
                                                      .message = messages[accord->result],
                                                      .details = accord->details,
                                                      .span = accord->head});
}

void report_piece_accord(struct report_piece *piece, const struct report_accord *accord)
{
    if (piece->format->case_)
        accord_as_case(piece, accord);
    if (piece->format->accord)
        piece->format->accord(piece, accord);
}

void report_piece_end(struct report_piece *piece, const struct lit_program *program)
{
    if (program) {
        piece->test = program->name;
        piece->title = program->title;
    }
    if (piece->format->end)
        piece->format->end(piece, program);
}

void report_piece_end_as(struct report_piece *piece, const char *test, const char *title,
                         const char *version)
{
    piece->test = test;
    piece->title = title;
    piece->version = version;
    report_piece_end(piece, NULL);
}

static void pack_stream(const struct report_stream *stream, struct strbuf *out)
{
    pack_bytes(out, strbuf_text(&stream->text), stream->text.length);
    pack_number(out, stream->marks.count);
    for (size_t i = 0; i < stream->marks.count; i++)
        pack_number(out, stream->marks.items[i]);
}

/* What comes from a process that a test may have taken over is looked at before it is used. */
static void unpack_stream(struct report_stream *stream, struct unpack *from)
{
    size_t last = 0;
    unpack_text(from, &stream->text);
    for (uint64_t i = unpack_number(from); i > 0 && !from->short_of_bytes; i--) {
        size_t mark = (size_t)unpack_number(from);
        if (mark < last || mark > stream->text.length)
            from->short_of_bytes = true;
        VEC_PUSH(&stream->marks, mark);
        last = mark;
    }
}

/* What only `end` uses is not part of it. */
void report_piece_pack(const struct report_piece *piece, struct strbuf *out)
{
    pack_stream(&piece->out, out);
    pack_bytes(out, strbuf_text(&piece->parcel), piece->parcel.length);
    pack_number(out, piece->faults);
    pack_number(out, piece->unread);
}

void report_piece_unpack(struct report_piece *piece, struct unpack *from)
{
    unpack_stream(&piece->out, from);
    unpack_text(from, &piece->parcel);
    piece->faults = (size_t)unpack_number(from);
    piece->unread = (size_t)unpack_number(from);
}

void report_stream_mark(struct report_stream *stream)
{
    VEC_PUSH(&stream->marks, stream->text.length);
}

void report_stream_append(struct report_stream *to, const struct report_stream *from)
{
    size_t base = to->text.length;
    for (size_t i = 0; i < from->marks.count; i++)
        VEC_PUSH(&to->marks, base + from->marks.items[i]);
    strbuf_add_bytes(&to->text, strbuf_text(&from->text), from->text.length);
}

void report_stream_fini(struct report_stream *stream)
{
    VEC_FREE(&stream->marks);
    strbuf_fini(&stream->text);
}
