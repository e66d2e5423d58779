/* Markdown, for a comment of a code review: a table of what is not as expected, then folded, by
 * folder, how many tests are. It has no more characters than GitHub takes, and says what it has no
 * room for.
 *
 * What comes from tests stands in code spans, where it is no markup and mentions nobody. */
#include "base/hash.h"
#include "base/pack.h"
#include "base/utf8.h"
#include "format/report_format.h"

#include <string.h>

enum {
    MOST_ROWS = 40000, /* bytes; with the rest less than the 65536 characters of a comment */
    MOST_FOLDERS = 20000,
    MOST_NAME = 200 /* characters of a name or message */
};

struct md_piece {
    uint64_t verdicts[LIT_ERROR + 1], odd, known, remarked;
};

struct folder {
    const char *name;
    uint64_t tests, verdicts[LIT_ERROR + 1];
    UT_hash_handle hh;
};

struct md_sink {
    struct arena arena;
    struct folder *folders; /* with tests that are as expected */
    struct strbuf rows;
    size_t left_out; /* rows */
    uint64_t tests, as_expected, verdicts, odd, known, remarked;
};

/* ---- Pieces ---- */

/* The most backquotes in a row. */
static size_t longest_run(const char *text)
{
    size_t most = 0;
    for (size_t run; *text; text += run ? run : 1) {
        run = strspn(text, "`");
        most = run > most ? run : most;
    }
    return most;
}

static void add_quotes(struct strbuf *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strbuf_add_char(out, '`');
}

/* A code span in a cell of a table: a bar is escaped, and no backslash stands before it. */
static void add_code(struct strbuf *out, const char *text)
{
    const size_t quotes = longest_run(text) + 1;
    size_t shown = 0;
    add_quotes(out, quotes);
    strbuf_add(out, *text == '`' ? " " : "");
    for (; *text && shown < MOST_NAME; shown++) {
        const size_t length = utf8_length(text);
        const unsigned char c = (unsigned char)*text;
        if (*text == '|')
            strbuf_add(out, out->text[out->length - 1] == '\\' ? " \\|" : "\\|");
        else if (length == 0 || c < ' ' || c == 127)
            strbuf_add_char(out, length ? ' ' : '?');
        else
            strbuf_add_bytes(out, text, length);
        text += length ? length : 1;
    }
    strbuf_add(out, *text ? "..." : out->text[out->length - 1] == '`' ? " " : "");
    add_quotes(out, quotes);
}

static void add_row(struct report_piece *piece, const char *sign, const struct span *span,
                    const char *models, const char *verdict, const char *why)
{
    struct strbuf *out = &piece->out.text;
    SCOPED(strbuf) place = {0};
    strbuf_add(&place, piece->file);
    if (span && span_told(*span).line)
        strbuf_printf(&place, ":%u", span->line);
    strbuf_printf(out, "| %s | ", sign);
    add_code(out, strbuf_text(&place));
    strbuf_add(out, " | ");
    if (*models)
        add_code(out, models);
    strbuf_printf(out, " | %s | ", verdict);
    if (*why)
        add_code(out, why);
    strbuf_add(out, " |\n");
}

static const char WRONG[] = "\xe2\x9c\x97"; /* ballot x */

/* What is found first tells why, unless it is an aside that nothing fails for. */
static const struct report_finding *first_of(const struct report_view *view)
{
    const bool differs = view->verdict != view->expected;
    for (size_t i = 0; i < view->finding_count; i++)
        if (differs ? !report_is_aside(view->findings[i].kind)
                    : report_finding_fails(view->findings[i].kind, view->fails))
            return &view->findings[i];
    return view->finding_count ? view->findings : NULL;
}

static void md_view(struct report_piece *piece, const struct report_view *view)
{
    struct md_piece *own = piece->state;
    SCOPED(strbuf) models = {0}, verdict = {0};
    bool remarked = false;
    const bool differs = view->verdict != view->expected, odd = differs || view->fails;
    const bool known = view->known && !view->fails;
    const struct report_finding *first = first_of(view);
    for (size_t i = 0; i < view->finding_count; i++)
        remarked |= report_is_aside(view->findings[i].kind);
    own->verdicts[view->verdict]++;
    own->remarked += remarked && !odd;
    *(known ? &own->known : &own->odd) += odd;
    if (!odd)
        return;
    strbuf_printf(&models, "%s + %s [%s]", view->visibility, view->persistency, view->engine);
    strbuf_add(&verdict, lit_verdict_text(view->verdict));
    if (differs)
        strbuf_printf(&verdict, ", expected %s", lit_verdict_text(view->expected));
    if (view->fails)
        strbuf_printf(&verdict, ", but %s", report_failing_words(view->fails));
    add_row(piece, known ? "known" : WRONG, first ? &first->span : &view->head,
            strbuf_text(&models), strbuf_text(&verdict), first ? first->message : "");
}

static void md_fault(struct report_piece *piece, const struct report_fault *fault)
{
    const bool error = fault->severity == DIAG_ERROR;
    struct md_piece *own = piece->state;
    own->odd += error;
    if (error)
        add_row(piece, WRONG, fault->span.source ? &fault->span : NULL, "", "error",
                fault->message);
}

static void md_accord(struct report_piece *piece, const struct report_accord *accord)
{
    SCOPED(strbuf) models = {0};
    struct md_piece *own = piece->state;
    if (accord->result != REPORT_FAILED)
        return;
    own->odd++;
    strbuf_printf(&models, "%s + %s", accord->visibility, accord->persistency);
    add_row(piece, WRONG, &accord->head, strbuf_text(&models), "engines disagree", accord->details);
}

static void md_end(struct report_piece *piece, const struct lit_program *program)
{
    const struct md_piece *own = piece->state;
    (void)program;
    for (int i = LIT_OK; i <= LIT_ERROR; i++)
        pack_number(&piece->parcel, own->verdicts[i]);
    pack_number(&piece->parcel, own->odd);
    pack_number(&piece->parcel, own->known);
    pack_number(&piece->parcel, own->remarked);
}

/* ---- The document ---- */

static struct folder *folder_of(struct md_sink *md, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash - path) : 0;
    struct folder *folder;
    HASH_FIND(hh, md->folders, path, length, folder);
    if (folder)
        return folder;
    folder = ARENA_NEW(&md->arena, struct folder);
    folder->name = arena_strndup(&md->arena, path, length);
    HASH_ADD_KEYPTR(hh, md->folders, folder->name, length, folder);
    return folder;
}

/* Rows that there is room for. */
static void take_rows(struct md_sink *md, const struct strbuf *rows)
{
    for (const char *row = strbuf_text(rows), *end; *row; row = end) {
        end = strchr(row, '\n') + 1;
        if (md->rows.length + (size_t)(end - row) <= MOST_ROWS)
            strbuf_add_bytes(&md->rows, row, (size_t)(end - row));
        else
            md->left_out++;
    }
}

static void md_add(struct report_sink *sink, const struct report_piece *piece)
{
    struct md_sink *md = sink->state;
    struct md_piece own = {0};
    struct unpack from = unpack_start(strbuf_text(&piece->parcel), piece->parcel.length);
    for (int i = LIT_OK; i <= LIT_ERROR; i++)
        md->verdicts += own.verdicts[i] = unpack_number(&from);
    own.odd = unpack_number(&from);
    own.known = unpack_number(&from);
    md->odd += own.odd;
    md->known += own.known;
    md->remarked += unpack_number(&from);
    md->tests += !piece->is_run;
    take_rows(md, &piece->out.text);
    sink->skips = true;
    if (own.odd || own.known || piece->is_run)
        return;
    struct folder *folder = folder_of(md, piece->file);
    md->as_expected++;
    folder->tests++;
    for (int i = LIT_OK; i <= LIT_ERROR; i++)
        folder->verdicts[i] += own.verdicts[i];
}

static void add_number(struct strbuf *out, uint64_t number, const char *words)
{
    strbuf_add_number(out, number);
    strbuf_add(out, words);
}

static void add_folder(struct strbuf *out, const struct folder *folder)
{
    strbuf_add(out, "| ");
    add_code(out, *folder->name ? folder->name : ".");
    strbuf_add(out, " | ");
    add_number(out, folder->tests, " |");
    for (int i = LIT_OK; i <= LIT_ERROR; i++) {
        strbuf_add_char(out, ' ');
        if (folder->verdicts[i])
            strbuf_add_number(out, folder->verdicts[i]);
        strbuf_add(out, " |");
    }
    strbuf_add_char(out, '\n');
}

static void add_folders(struct strbuf *out, const struct md_sink *md)
{
    const size_t begin = out->length, count = HASH_COUNT(md->folders);
    size_t shown = 0;
    strbuf_add(out, "<details><summary>");
    add_number(out, md->as_expected, " tests are as expected, in ");
    strbuf_printf(out, "%zu folder%s</summary>\n\n| folder | tests |", count,
                  count == 1 ? "" : "s");
    for (int i = LIT_OK; i <= LIT_ERROR; i++)
        strbuf_printf(out, " %s |", lit_verdict_text((enum lit_verdict)i));
    strbuf_add(out, "\n|---|---|---|---|---|---|---|\n");
    for (const struct folder *folder = md->folders; folder && out->length - begin <= MOST_FOLDERS;
         folder = folder->hh.next, shown++)
        add_folder(out, folder);
    if (shown < count)
        strbuf_printf(out, "\nThere is no room for %zu more folders.\n", count - shown);
    strbuf_add(out, "\n</details>\n\n");
}

static void add_head(struct strbuf *out, const struct report_sink *sink, int status)
{
    const struct md_sink *md = sink->state;
    strbuf_add(out, "### crashlit: ");
    if (md->odd)
        add_number(out, md->odd, " not as expected\n\n");
    else if (sink->unread || sink->faults)
        strbuf_add(out, "not all could be read\n\n");
    else
        strbuf_printf(out, "as expected%s\n\n", status ? ", but the exit status is not 0" : "");
    if (sink->interrupted)
        strbuf_add(out, "**" REPORT_INTERRUPTED "**\n\n");
    add_number(out, md->tests, " tests, ");
    add_number(out, md->verdicts, " verdicts, ");
    strbuf_printf(out, "%zu files with errors", sink->unread);
    if (md->known)
        add_number((strbuf_add(out, ", "), out), md->known, " known failures");
    if (md->remarked)
        add_number((strbuf_add(out, ", "), out), md->remarked, " as expected with a remark");
}

static void md_close(struct report_sink *sink, int status)
{
    const struct md_sink *md = sink->state;
    struct strbuf *out = &sink->out;
    add_head(out, sink, status);
    strbuf_printf(out, "; exit status %d; crashlit %.100s\n\n", status, sink->run.version);
    if (md->rows.length)
        strbuf_printf(out, "| | test | models | verdict | why |\n|---|---|---|---|---|\n%s\n",
                      strbuf_text(&md->rows));
    if (md->left_out)
        strbuf_printf(
            out,
            "There is no room for %zu more rows: `--format json`, `junit` and `html` have "
            "all.\n\n",
            md->left_out);
    if (md->as_expected)
        add_folders(out, md);
}

static void md_fini(struct report_sink *sink)
{
    struct md_sink *md = sink->state;
    HASH_CLEAR(hh, md->folders);
    strbuf_fini(&md->rows);
    arena_fini(&md->arena);
}

const struct report_format report_format_md = {.name = "md",
                                               .piece_size = sizeof(struct md_piece),
                                               .sink_size = sizeof(struct md_sink),
                                               .view = md_view,
                                               .fault = md_fault,
                                               .accord = md_accord,
                                               .end = md_end,
                                               .add = md_add,
                                               .close = md_close,
                                               .sink_fini = md_fini};
