#define _XOPEN_SOURCE 700 /* for realpath */
/* Workers find which verdicts are others than their `expect` lines say, and where these words stand.
 * The process that began the run writes the files: it does not read tests, so it holds each place
 * against the bytes that are there. */
#include "cli/cli_commands.h"

#include "base/build.h"
#include "base/hash.h"
#include "base/pack.h"
#include "document/report_place.h"
#include "run/run_batch.h"
#include "run/run_limits.h"
#include "session/session_ask.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What becomes of a line: X(identifier, what the summary calls it). */
#define FATES(X)            \
    X(CHANGED, "changed")   \
    X(KEPT, "as expected")  \
    X(REFUSED, "not known") \
    X(UNWRITTEN, "not written")

enum fate {
#define X(identifier, text) BLESS_##identifier,
    FATES(X)
#undef X
        BLESS_FATES
};

struct bless {
    const struct ask_options *options;
    struct run_output *out;
    struct arena arena;
    struct blessed *seen; /* files, by their real paths */
    uint64_t counts[BLESS_FATES];
    uint64_t files; /* that have changes */
};

struct blessed {
    UT_hash_handle hh;
};

/* The word of a verdict, in a file. */
struct edit {
    uint32_t line, column;
    enum lit_verdict before, after;
};

typedef VEC(struct edit) edit_list;

/* ---- In a worker ---- */

static void note(const struct lit_expect *expect, enum fate fate, enum lit_verdict verdict,
                 struct strbuf *out)
{
    pack_number(out, (uint64_t)fate);
    pack_number(out, source_digest(0, expect->verdict_span.source));
    pack_number(out, expect->verdict_span.line);
    pack_number(out, expect->verdict_span.column);
    pack_number(out, (uint64_t)expect->verdict);
    pack_number(out, (uint64_t)verdict);
}

static void refuse(const struct session_case *question, const struct lit_expect *expect,
                   const struct outcome *outcome, struct run_result *result)
{
    const char *doubt = outcome_any_doubt(outcome);
    diag_tell(&result->err, DIAG_LIT_EXPECT, expect->span,
              "the verdict of %s is unknown%s%s; an expectation is never made of that, so this one "
              "stays",
              question->program->name, doubt ? ": " : "", doubt ? doubt : "");
    run_result_raise(result, RUN_EXIT_UNKNOWN);
}

/* A machine shows some of what a model allows, so its verdict is none of other engines. */
static bool is_of_others(const struct lit_expect *expect, const struct engine_entry *engine)
{
    return !expect || (engine->trace && !expect->engine);
}

static void bless_pair(const struct ask_options *options, const struct session_case *question,
                       struct run_result *result)
{
    const struct session_model *model = question->model;
    struct session_answers answers;
    (void)options;
    session_answers_init(&answers, question);
    const struct engine_entry *engine = answers.engines[0];
    const struct lit_expect *expect = session_ask_expectation(question->program, model->visibility,
                                                              model->persistency, engine->name);
    if (!is_of_others(expect, engine)) {
        (void)session_answers_ask(&answers, question, NULL);
        enum lit_verdict verdict = outcome_verdict(&answers.outcomes[0], question->program);
        if (verdict == LIT_UNKNOWN)
            refuse(question, expect, &answers.outcomes[0], result);
        note(expect,
             verdict == LIT_UNKNOWN       ? BLESS_REFUSED
             : verdict == expect->verdict ? BLESS_KEPT
                                          : BLESS_CHANGED,
             verdict, &result->note);
    }
    session_answers_fini(&answers);
}

static void bless_one(const void *context, const struct run_surroundings *run, const char *path,
                      struct run_result *result)
{
    const struct bless *bless = context;
    struct ask_options own = *bless->options;
    run_limits_apply(run->limits, path, &own.settings);
    const struct ask_surroundings surroundings = {
        .options = &own, .run = *run, .of_pair = bless_pair};
    ask_check_file(&surroundings, path, result);
}

/* ---- The file ---- */

struct file {
    struct arena arena;
    const char *path;
    struct strbuf bytes;
    const struct source *source; /* of these */
};

static void file_fini(struct file *file)
{
    strbuf_fini(&file->bytes);
    arena_fini(&file->arena);
}

static bool read_file(struct file *file, const char **why)
{
    char piece[1 << 12];
    size_t count;
    FILE *stream = source_open(&file->arena, file->path, why);
    if (!stream)
        return false;
    while ((count = fread(piece, 1, sizeof piece, stream)) > 0 &&
           file->bytes.length <= SOURCE_MAX_BYTES)
        strbuf_add_bytes(&file->bytes, piece, count);
    bool whole = !ferror(stream) && file->bytes.length <= SOURCE_MAX_BYTES;
    fclose(stream);
    *why = "it cannot be read to its end";
    if (whole)
        file->source = source_from_text(&file->arena, file->path, strbuf_text(&file->bytes),
                                        file->bytes.length);
    return whole;
}

/* Where a line begins in the bytes, which may have any line ends; the length past the last. */
static size_t start_of(const struct strbuf *bytes, uint32_t line)
{
    const char *text = strbuf_text(bytes);
    size_t at = strncmp(text, SOURCE_MARK, strlen(SOURCE_MARK)) == 0 ? strlen(SOURCE_MARK) : 0;
    for (; line > 1 && at < bytes->length; at++)
        line -= text[at] == '\n' || (text[at] == '\r' && text[at + 1] != '\n');
    return line > 1 ? bytes->length : at;
}

static size_t offset_of(const struct strbuf *bytes, const struct edit *edit)
{
    size_t at = start_of(bytes, edit->line) + edit->column - 1;
    return at < bytes->length ? at : bytes->length;
}

/* In that line, whatever a worker says. */
static bool stands_there(const struct file *file, const struct edit *edit)
{
    size_t length, at = edit->column - 1u;
    const char *line = source_line(file->source, edit->line, &length);
    const char *before = lit_verdict_text(edit->before);
    return at < length && strlen(before) <= length - at &&
           memcmp(line + at, before, strlen(before)) == 0;
}

/* The bytes from there to the edit's place, and its new word; false where the old one is not there.
 */
static bool add_edited(const struct file *file, const struct edit *edit, size_t *from,
                       struct strbuf *out)
{
    const char *before = lit_verdict_text(edit->before);
    size_t at = offset_of(&file->bytes, edit);
    if (at < *from || !stands_there(file, edit) ||
        strncmp(strbuf_text(&file->bytes) + at, before, strlen(before)) != 0)
        return false;
    strbuf_add_bytes(out, strbuf_text(&file->bytes) + *from, at - *from);
    strbuf_add(out, lit_verdict_text(edit->after));
    *from = at + strlen(before);
    return true;
}

static bool add_all_edited(const struct file *file, const struct edit *edits, size_t count,
                           struct strbuf *out)
{
    size_t from = 0;
    for (size_t i = 0; i < count; i++)
        if ((i > 0 && edits[i].line == edits[i - 1].line) || /* a line has one */
            !add_edited(file, &edits[i], &from, out))
            return false;
    strbuf_add_bytes(out, strbuf_text(&file->bytes) + from, file->bytes.length - from);
    return true;
}

/* For patch lines end with LF alone, and what stands in front of it is a part of the line. */
static struct source lines_of(const struct file *file, const struct strbuf *bytes)
{
    return (struct source){.name = file->source->name,
                           .path = file->source->path,
                           .text = strbuf_text(bytes),
                           .length = bytes->length};
}

static uint32_t line_at(const struct strbuf *bytes, size_t offset)
{
    return 1 + (uint32_t)COUNT_IF(i, offset, bytes->text[i] == '\n');
}

/* The words have no line ends, so both texts have the same lines; several may stand in one. */
static void add_diff(struct file *file, const edit_list *edits, const struct strbuf *text,
                     struct strbuf *out)
{
    struct change *items = ARENA_ARRAY(&file->arena, struct change, edits->count);
    const struct source before = lines_of(file, &file->bytes), after = lines_of(file, text);
    uint32_t count = 0;
    EACH_IN (const struct edit, edit, *edits) {
        size_t length;
        const uint32_t line = line_at(&file->bytes, offset_of(&file->bytes, edit));
        const char *now = source_line(&after, line, &length);
        if (count == 0 || items[count - 1].line != line)
            items[count++] = (struct change){line, before.text,
                                             arena_strndup(&file->arena, now, length), length};
    }
    const struct changes changes = {items, count, after.text, after.length};
    report_place_diff(&before, &changes, out);
}

/* ---- What workers have found ---- */

static int order_edits(const void *left, const void *right)
{
    const struct edit *a = left, *b = right;
    return a->line != b->line ? (a->line < b->line ? -1 : 1) : (a->column > b->column) - 1;
}

static enum lit_verdict unpack_verdict(struct unpack *from)
{
    uint64_t verdict = unpack_number(from);
    return verdict <= LIT_ERROR ? (enum lit_verdict)verdict : LIT_UNKNOWN;
}

/* Counts what there is, and keeps what is to be changed. Returns the digest of the text. */
static uint64_t unpack_edits(struct bless *bless, const struct strbuf *note, edit_list *edits)
{
    struct unpack from = unpack_start(strbuf_text(note), note->length);
    uint64_t digest = 0;
    while (from.at < from.end && !from.short_of_bytes) {
        uint64_t fate = unpack_number(&from);
        digest = unpack_number(&from);
        struct edit edit = {.line = (uint32_t)unpack_number(&from)};
        edit.column = (uint32_t)unpack_number(&from);
        edit.before = unpack_verdict(&from);
        edit.after = unpack_verdict(&from);
        bless->counts[fate < BLESS_FATES ? fate : BLESS_REFUSED]++;
        if (fate == BLESS_CHANGED && edit.line && edit.column)
            VEC_PUSH(edits, edit);
    }
    return digest;
}

/* What nobody could read is not written: a diff that is lost tells nobody what to take back. */
static bool show(struct bless *bless, struct file *file, const edit_list *edits,
                 const struct strbuf *text, struct diag *diag)
{
    SCOPED(strbuf) diff = {0};
    add_diff(file, edits, text, &diff);
    run_output_add_bytes(bless->out, &diff);
    run_output_flush(bless->out);
    if (!bless->out->error)
        return true;
    diag_error(diag, DIAG_FILE_WRITE, NOWHERE,
               "'%s' is left as it is, as what is changed cannot be shown: %s", file->path,
               strerror(bless->out->error));
    return false;
}

static bool write_file(struct bless *bless, struct file *file, const edit_list *edits,
                       const struct strbuf *text, struct diag *diag)
{
    struct run_output output;
    const char *why;
    if (!run_output_open(&output, file->path, &why)) {
        diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot write '%s': %s", file->path, why);
        return false;
    }
    if (!show(bless, file, edits, text, diag)) {
        run_output_drop(&output);
        return false;
    }
    run_output_add_text(&output, text);
    run_output_end(&output, diag);
    return diag->errors == 0;
}

/* Shows what is changed, and writes it. */
static void change_file(struct bless *bless, const char *path, const edit_list *edits,
                        uint64_t digest, struct run_result *result)
{
    struct file file __attribute__((cleanup(file_fini))) = {.path = path};
    SCOPED(strbuf) text = {0};
    SCOPED(diag) diag = {0};
    const char *why;
    if (!read_file(&file, &why))
        diag_error(&diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
    else if (source_digest(0, file.source) != digest ||
             !add_all_edited(&file, edits->items, edits->count, &text))
        diag_error(&diag, DIAG_FILE_READ, NOWHERE,
                   "'%s' has changed since it was checked, so it is left as it is; bless it again",
                   path);
    else if (bless->options->dry_run ? show(bless, &file, edits, &text, &diag)
                                     : write_file(bless, &file, edits, &text, &diag))
        bless->files++;
    diag_render(&diag, &result->err);
    if (diag.errors) {
        bless->counts[BLESS_CHANGED] -= edits->count;
        bless->counts[BLESS_UNWRITTEN] += edits->count;
    }
    if (diag.errors)
        run_result_raise(result, RUN_EXIT_INPUT);
    else if (bless->options->dry_run)
        run_result_raise(result, RUN_EXIT_DIFFERS);
}

/* A file that is named twice is one. */
static bool is_seen(struct bless *bless, const char *path)
{
    char *real = realpath(path, NULL);
    const char *name = arena_strdup(&bless->arena, real ? real : path);
    struct blessed *blessed;
    base_free_foreign(real);
    HASH_FIND_STR(bless->seen, name, blessed);
    if (blessed)
        return true;
    blessed = ARENA_NEW(&bless->arena, struct blessed);
    HASH_ADD_KEYPTR(hh, bless->seen, name, strlen(name), blessed);
    return false;
}

static void take(void *context, const char *path, struct run_result *result)
{
    struct bless *bless = context;
    edit_list edits = {0};
    if (is_seen(bless, path))
        return;
    uint64_t digest = unpack_edits(bless, &result->note, &edits);
    if (edits.count) {
        qsort(edits.items, edits.count, sizeof *edits.items, order_edits);
        change_file(bless, path, &edits, digest, result);
    }
    VEC_FREE(&edits);
}

/* ---- The run ---- */

static void print_summary(const struct bless *bless, struct run_output *out)
{
    static const char *const words[] = {
#define X(identifier, text) text,
        FATES(X)
#undef X
    };
    SCOPED(strbuf) text = {0};
    strbuf_add(&text, "Summary: ");
    for (int i = 0; i < (bless->counts[BLESS_UNWRITTEN] ? BLESS_FATES : BLESS_UNWRITTEN); i++)
        strbuf_printf(&text, "%s%" PRIu64 " %s%s", i ? ", " : "", bless->counts[i],
                      i == BLESS_CHANGED && bless->options->dry_run ? "to be " : "", words[i]);
    strbuf_printf(&text, "; %" PRIu64 " files %s\n", bless->files,
                  bless->options->dry_run ? "would be written" : "written");
    run_output_add_lines(out, &text);
}

/* Nobody expects anything, so nothing can be blessed. */
static bool has_none(const struct bless *bless)
{
    for (int i = 0; i < BLESS_FATES; i++)
        if (bless->counts[i])
            return false;
    return true;
}

int cli_bless_run(const struct ask_options *options, struct run_output *out)
{
    struct bless bless = {.options = options, .out = out};
    const struct run_plan plan = {.kind = RUN_OTHER,
                                  .settings = &options->settings,
                                  .inputs = {options->inputs, options->input_count, options->shard,
                                             options->shards, options->settings.memory_mib,
                                             ask_options_choice(options)},
                                  .format = RUN_TEXT,
                                  .limits = options->limits,
                                  .jobs = options->jobs,
                                  .version = base_version,
                                  .command_line = options->command_line,
                                  .check = bless_one,
                                  .context = &bless,
                                  .take = take,
                                  .taker = &bless};
    int status = run_batch_run(&plan, out);
    HASH_CLEAR(hh, bless.seen);
    arena_fini(&bless.arena);
    if (status == RUN_EXIT_OK && has_none(&bless)) {
        SCOPED(diag) diag = {0};
        diag_error(
            &diag, DIAG_CLI_NO_TESTS, NOWHERE,
            "found no `expect` line that could be blessed; write one for each model pair, as "
            "in expect sc + epoch : ok");
        run_output_tell(&diag);
        return (int)RUN_EXIT_INPUT;
    }
    print_summary(&bless, out);
    return status;
}
