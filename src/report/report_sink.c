#include "base/utf8.h"
#include "report/report_format.h"

#include <errno.h>
#include <string.h>

static void json_test(struct report_piece *piece, const struct report_test *test)
{
    report_json(test, &piece->out.text);
}

/* Of a file that could not be read the first error is told, each model pair by itself. */
static void json_fault(struct report_piece *piece, const struct report_fault *fault)
{
    const struct report_failure whole = {.path = piece->path,
                                         .verdict = fault->unknown ? LIT_UNKNOWN : LIT_ERROR,
                                         .expected = LIT_OK,
                                         .reason = fault->message};
    if (fault->pair)
        report_json_failure(fault->pair, &piece->out.text);
    else if (fault->severity == DIAG_ERROR && piece->inside.text.length == 0)
        report_json_failure(&whole, &piece->inside.text);
}

static void json_end(struct report_piece *piece, const struct lit_program *program)
{
    if (!program)
        report_stream_append(&piece->out, &piece->inside);
}

const struct report_format report_format_json = {
    .name = "json", .test = json_test, .fault = json_fault, .end = json_end};

static const struct report_format *const formats[] = {
#define X(name) &report_format_##name,
    REPORT_FORMATS(X)
#undef X
};

const struct report_format *report_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

bool report_format_shows_executions(const struct report_format *format)
{
    return format->shows_executions;
}

const char *report_format_name(const struct report_format *format)
{
    return format->name;
}

bool report_format_is_of_pictures(const struct report_format *format)
{
    return format->of_pictures;
}

/* ---- Pieces ---- */

struct report_piece *report_piece_new(const struct report_format *format, const char *path)
{
    struct report_piece *piece = base_realloc(NULL, sizeof *piece);
    *piece = (struct report_piece){.format = format, .path = path};
    piece->file = utf8_name(&piece->names, path);
    return piece;
}

void report_piece_free(struct report_piece *piece)
{
    for (size_t i = 0; i < piece->notes.count; i++)
        base_free(piece->notes.items[i].text);
    VEC_FREE(&piece->notes);
    VEC_FREE(&piece->cells);
    VEC_FREE(&piece->sizes);
    report_stream_fini(&piece->out);
    report_stream_fini(&piece->inside);
    strbuf_fini(&piece->remarks);
    strbuf_fini(&piece->name);
    arena_fini(&piece->names);
    base_free(piece);
}

const char *report_piece_path(const struct report_piece *piece)
{
    return piece->path;
}

bool report_piece_is_empty(const struct report_piece *piece)
{
    return piece->out.text.length == 0;
}

static void count(struct report_piece *piece, enum report_result result, double seconds)
{
    struct report_counts *counts = &piece->counts;
    counts->tests++;
    counts->failures += result == REPORT_FAILED;
    counts->errors += result == REPORT_ERRED;
    counts->skipped += result == REPORT_SKIPPED;
    counts->seconds += seconds;
}

enum report_result report_result_of(const struct report_test *test)
{
    if (test->verdict == test->expected)
        return test->verdict == LIT_UNKNOWN ? REPORT_SKIPPED : REPORT_PASSED;
    return test->verdict == LIT_UNKNOWN || test->verdict == LIT_ERROR ? REPORT_ERRED
                                                                      : REPORT_FAILED;
}

void report_test_name(const struct report_test *test, struct strbuf *out)
{
    strbuf_printf(out, "%s under %s + %s [%s]", test->program->name, test->model->visibility,
                  test->model->persistency, test->engine);
}

static void add_place(const struct span *span, struct strbuf *out)
{
    if (!span->source || !span->line)
        return;
    utf8_add_name(out, span->source->name);
    strbuf_printf(out, ":%u:%u: ", span->line, span->column);
}

static void add_line(void *context, const struct report_finding *finding)
{
    struct strbuf *out = context;
    add_place(&finding->span, out);
    strbuf_printf(out, "%s\n", finding->message);
}

static void add_remark(void *context, const struct report_finding *finding)
{
    if (finding->kind == REPORT_REMARK || finding->kind == REPORT_UNKNOWN)
        add_line(context, finding);
}

static void test_as_case(struct report_piece *piece, const struct report_test *test)
{
    const struct lit_program *program = test->program;
    struct strbuf name = {0}, message = {0}, details = {0}, remarks = {0};
    report_test_name(test, &name);
    strbuf_printf(&message, "verdict %s, expected %s", lit_verdict_text(test->verdict),
                  lit_verdict_text(test->expected));
    report_each_finding(test, add_line, &details);
    report_each_finding(test, add_remark, &remarks);
    piece->format->case_(
        piece, &(struct report_case){.name = strbuf_text(&name),
                                     .result = report_result_of(test),
                                     .type = lit_verdict_text(test->verdict),
                                     .message = strbuf_text(&message),
                                     .details = strbuf_text(&details),
                                     .remarks = strbuf_text(&remarks),
                                     .span = {program->source, program->line, 1, program->line, 1},
                                     .seconds = test->outcome->stats.seconds});
    strbuf_fini(&name);
    strbuf_fini(&message);
    strbuf_fini(&details);
    strbuf_fini(&remarks);
}

void report_piece_test(struct report_piece *piece, const struct report_test *test)
{
    count(piece, report_result_of(test), test->outcome->stats.seconds);
    if (piece->format->case_)
        test_as_case(piece, test);
    if (piece->format->test)
        piece->format->test(piece, test);
}

static void fault_as_case(struct report_piece *piece, const struct report_fault *fault)
{
    struct strbuf name = {0}, details = {0};
    const struct span *span = &fault->span;
    strbuf_add(&name, "input");
    if (span->source && span->line)
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
    strbuf_fini(&name);
    strbuf_fini(&details);
}

void report_piece_fault(struct report_piece *piece, const struct report_fault *fault)
{
    if (fault->severity == DIAG_ERROR) {
        count(piece, REPORT_ERRED, 0);
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
}

void report_piece_faults(struct report_piece *piece, const struct diag *diag)
{
    for (size_t i = 0; i < diag->entries.count; i++) {
        const struct diag_entry *entry = &diag->entries.items[i];
        if (entry->severity != DIAG_NOTE)
            report_piece_fault(piece, &(struct report_fault){.severity = entry->severity,
                                                             .id = diag_id_text(entry->id),
                                                             .message = entry->message,
                                                             .span = entry->span});
    }
}

static void accord_as_case(struct report_piece *piece, const struct report_accord *accord)
{
    static const char *const messages[] = {"engines agree", "engines were not compared",
                                           "engines disagree", "engines disagree"};
    const struct lit_program *program = accord->program;
    struct strbuf name = {0};
    strbuf_printf(&name, "%s under %s + %s [engines agree]", program->name,
                  accord->model->visibility, accord->model->persistency);
    piece->format->case_(piece, &(struct report_case){
                                    .name = strbuf_text(&name),
                                    .result = accord->result,
                                    .type = "engines",
                                    .message = messages[accord->result],
                                    .details = accord->details,
                                    .span = {program->source, program->line, 1, program->line, 1}});
    strbuf_fini(&name);
}

void report_piece_accord(struct report_piece *piece, const struct report_accord *accord)
{
    count(piece, accord->result, 0);
    if (piece->format->case_)
        accord_as_case(piece, accord);
    if (piece->format->accord)
        piece->format->accord(piece, accord);
}

void report_piece_end(struct report_piece *piece, const struct lit_program *program)
{
    if (piece->format->end)
        piece->format->end(piece, program);
}

static void pack_stream(const struct report_stream *stream, struct strbuf *out)
{
    pack_bytes(out, strbuf_text(&stream->text), stream->text.length);
    pack_number(out, stream->marks.count);
    for (size_t i = 0; i < stream->marks.count; i++)
        pack_number(out, stream->marks.items[i]);
}

static void unpack_stream(struct report_stream *stream, struct unpack *from)
{
    unpack_text(from, &stream->text);
    for (uint64_t i = unpack_number(from); i > 0 && !from->short_of_bytes; i--)
        VEC_PUSH(&stream->marks, (size_t)unpack_number(from));
}

/* Numbers of `struct report_counts`: X(name). */
#define REPORT_COUNTS(X) X(tests) X(failures) X(errors) X(skipped)

/* What only `end` uses is not part of it. */
void report_piece_pack(const struct report_piece *piece, struct strbuf *out)
{
    pack_stream(&piece->out, out);
#define X(name) pack_number(out, piece->counts.name);
    REPORT_COUNTS(X)
#undef X
    pack_real(out, piece->counts.seconds);
    pack_number(out, piece->faults);
    pack_number(out, piece->unread);
    pack_bytes(out, strbuf_text(&piece->name), piece->name.length);
    pack_number(out, piece->cells.count);
    for (size_t i = 0; i < piece->cells.count; i++) {
        const struct report_cell *cell = &piece->cells.items[i];
        pack_text(out, cell->visibility);
        pack_text(out, cell->persistency);
        pack_text(out, cell->engine);
        pack_number(out, (uint64_t)cell->verdict);
        pack_number(out, (uint64_t)cell->expected);
    }
    pack_number(out, piece->sizes.count);
    for (size_t i = 0; i < piece->sizes.count; i++) {
        pack_number(out, (uint64_t)piece->sizes.items[i].width);
        pack_number(out, (uint64_t)piece->sizes.items[i].height);
    }
}

static const char *unpack_name(struct report_piece *piece, struct unpack *from)
{
    size_t length;
    const char *bytes = unpack_bytes(from, &length);
    return arena_strndup(&piece->names, bytes, length);
}

void report_piece_unpack(struct report_piece *piece, struct unpack *from)
{
    unpack_stream(&piece->out, from);
#define X(name) piece->counts.name = (size_t)unpack_number(from);
    REPORT_COUNTS(X)
#undef X
    piece->counts.seconds = unpack_real(from);
    piece->faults = (size_t)unpack_number(from);
    piece->unread = (size_t)unpack_number(from);
    unpack_text(from, &piece->name);
    for (uint64_t i = unpack_number(from); i > 0 && !from->short_of_bytes; i--) {
        struct report_cell cell = {.visibility = unpack_name(piece, from)};
        cell.persistency = unpack_name(piece, from);
        cell.engine = unpack_name(piece, from);
        cell.verdict = (enum lit_verdict)unpack_number(from);
        cell.expected = (enum lit_verdict)unpack_number(from);
        VEC_PUSH(&piece->cells, cell);
    }
    for (uint64_t i = unpack_number(from); i > 0 && !from->short_of_bytes; i--) {
        struct report_size size = {.width = (int)unpack_number(from)};
        size.height = (int)unpack_number(from);
        VEC_PUSH(&piece->sizes, size);
    }
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

/* ---- The sink ---- */

struct report_sink *report_sink_new(const struct report_format *format,
                                    const struct report_run *run)
{
    struct report_sink *sink = base_realloc(NULL, sizeof *sink);
    *sink = (struct report_sink){.format = format, .run = *run};
    if (format->open)
        format->open(sink);
    return sink;
}

void report_sink_free(struct report_sink *sink)
{
    for (size_t i = 0; i < sink->rows.count; i++) {
        base_free(sink->rows.items[i].name);
        base_free(sink->rows.items[i].path);
        base_free(sink->rows.items[i].cells);
    }
    VEC_FREE(&sink->rows);
    if (sink->spool)
        fclose(sink->spool);
    strbuf_fini(&sink->kept);
    arena_fini(&sink->names);
    base_free(sink);
}

void report_sink_write(struct report_sink *sink, const struct strbuf *text)
{
    if (text->length)
        sink->run.write(sink->run.context, text->text, text->length);
}

/* Of what has just failed. */
static void note_spool_error(struct report_sink *sink)
{
    if (!sink->spool_error)
        sink->spool_error = errno ? errno : EIO;
}

void report_sink_spool(struct report_sink *sink, const struct strbuf *text)
{
    if (!sink->spool)
        strbuf_add_bytes(&sink->kept, strbuf_text(text), text->length);
    else if (fwrite(strbuf_text(text), 1, text->length, sink->spool) != text->length)
        note_spool_error(sink);
}

void report_sink_unspool(struct report_sink *sink)
{
    char buffer[1 << 14];
    size_t count;
    report_sink_write(sink, &sink->kept);
    if (!sink->spool)
        return;
    if (fseek(sink->spool, 0, SEEK_SET) != 0)
        note_spool_error(sink);
    while ((count = fread(buffer, 1, sizeof buffer, sink->spool)) > 0)
        sink->run.write(sink->run.context, buffer, count);
    if (ferror(sink->spool))
        note_spool_error(sink);
}

void report_sink_flush(struct report_sink *sink, struct report_piece *piece,
                       void (*put)(struct report_sink *sink, const struct strbuf *text))
{
    const struct report_stream *stream = &piece->out;
    struct strbuf text = {0};
    size_t at = 0;
    for (size_t i = 0; i < stream->marks.count; i++) {
        strbuf_add_bytes(&text, strbuf_text(&stream->text) + at, stream->marks.items[i] - at);
        sink->format->mark(sink, &text);
        at = stream->marks.items[i];
    }
    strbuf_add_bytes(&text, strbuf_text(&stream->text) + at, stream->text.length - at);
    put(sink, &text);
    strbuf_fini(&text);
}

void report_sink_add(struct report_sink *sink, struct report_piece *piece)
{
    const struct report_counts *counts = &piece->counts;
    sink->counts.tests += counts->tests;
    sink->counts.failures += counts->failures;
    sink->counts.errors += counts->errors;
    sink->counts.skipped += counts->skipped;
    sink->counts.seconds += counts->seconds;
    sink->faults += piece->faults;
    sink->unread += piece->unread;
    if (sink->format->add)
        sink->format->add(sink, piece);
    else
        report_sink_flush(sink, piece, report_sink_write);
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
    return sink->spool_error;
}
