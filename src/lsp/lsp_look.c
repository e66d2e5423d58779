#include "lsp/lsp_look.h"

#include "base/json.h"
#include "cat/cat_parse.h"
#include "exec/exec_basis.h"
#include "litmus/lit_uses.h"
#include "report/report_string.h"
#include "session/session_ask.h"
#include "session/session_machines.h"
#include "session/session_mapping.h"
#include "session/session_test.h"

#include <string.h>

/* ---- Diagnostics ---- */

bool lsp_is_own(const struct lsp_question *question, const struct source *source)
{
    return source && strcmp(source->path, lsp_name(question)) == 0;
}

/* The document itself, or the file of a path; what is built in has no place that an editor opens.
 */
static bool add_uri(const struct lsp_question *question, const struct source *source,
                    struct strbuf *out)
{
    SCOPED(strbuf) uri = {0};
    bool own = lsp_is_own(question, source), named = own || (source && source->path[0] == '/');
    if (own)
        strbuf_add(&uri, question->uri);
    else if (named)
        report_uri(&uri, source->path);
    if (named)
        emit_string(out, "uri", strbuf_text(&uri));
    return named;
}

void lsp_diagnostic_begin(const struct lsp_question *question, const struct span *span,
                          enum lsp_severity severity, const char *code, const char *message,
                          struct strbuf *out)
{
    SCOPED(strbuf) text = {0};
    bool foreign = span->source && !lsp_is_own(question, span->source);
    if (foreign)
        strbuf_printf(&text, "%s:%u:%u: ", span->source->name, span->line, span->column);
    strbuf_add(&text, message);
    emit_object(out, NULL);
    lsp_span_add(out, "range", foreign ? &NOWHERE : span);
    emit_number(out, "severity", (uint64_t)severity);
    if (code)
        emit_string(out, "code", code);
    emit_string(out, "source", "crashlit");
    emit_string(out, "message", strbuf_text(&text));
    emit_array(out, "relatedInformation");
}

void lsp_diagnostic_relate(const struct lsp_question *question, const struct span *span,
                           const char *message, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_object(out, "location");
    if (!add_uri(question, span->source, out))
        emit_string(out, "uri", question->uri);
    lsp_span_add(out, "range",
                 span->source && span->source->path[0] != '/' && !lsp_is_own(question, span->source)
                     ? &NOWHERE
                     : span);
    emit_end(out, '}');
    emit_string(out, "message", message);
    emit_end(out, '}');
}

void lsp_diagnostic_end(struct strbuf *out)
{
    emit_end(out, ']');
    emit_end(out, '}');
}

/* What is said of the text, and what would mend it. */
struct looking {
    const struct lsp_question *question;
    const char *folder;
    struct session_models *models;
    struct strbuf *out, fixes;
    size_t count; /* of diagnostics */
};

/* Of the next diagnostic: the edit that makes the text what was perhaps meant, if one is known. */
static void add_fix(struct looking *looking, const struct diag_fix *fix)
{
    struct strbuf title = {0}, *out = &looking->fixes;
    struct span place;
    size_t diagnostic = looking->count++;
    if (!diag_fix_place(fix, &place) || !lsp_is_own(looking->question, place.source))
        return;
    strbuf_printf(&title, "Change '%s' to '%s'", fix->word, fix->meant);
    emit_object(out, NULL);
    emit_string(out, "title", strbuf_text(&title));
    emit_number(out, "diagnostic", diagnostic);
    emit_array(out, "edits");
    emit_object(out, NULL);
    lsp_span_add(out, "range", &place);
    emit_string(out, "newText", fix->meant);
    emit_end(out, '}');
    emit_end(out, ']');
    emit_end(out, '}');
    strbuf_fini(&title);
}

/* All of them, in the order of `diag`, notes with what they add to. */
static void add_diagnostics(struct looking *looking, const struct diag *diag)
{
    const struct lsp_question *question = looking->question;
    struct strbuf *out = looking->out;
    static const enum lsp_severity levels[] = {LSP_ERROR, LSP_WARNING, LSP_INFORMATION};
    for (size_t i = 0; i < diag->entries.count; i++) {
        const struct diag_entry *entry = &diag->entries.items[i];
        lsp_diagnostic_begin(question, &entry->span, levels[entry->severity],
                             diag_id_text(entry->id), entry->message, out);
        for (; i + 1 < diag->entries.count && diag->entries.items[i + 1].severity == DIAG_NOTE; i++)
            lsp_diagnostic_relate(question, &diag->entries.items[i + 1].span,
                                  diag->entries.items[i + 1].message, out);
        lsp_diagnostic_end(out);
        add_fix(looking, &entry->fix);
    }
}

/* ---- Tests ---- */

/* Models that lines name are those that a check would load. */
static void look_at_pair(void *context, const struct session_pair *pair)
{
    struct looking *looking = context;
    const struct session_settings *settings = &looking->question->options->settings;
    if (!pair->asked_at)
        return;
    struct cat_asker asker = session_pair_asker(settings, looking->folder, pair);
    const struct session_model *model =
        session_models_get(looking->models, &asker, pair->visibility, pair->persistency);
    if (model->model)
        return;
    lsp_diagnostic_begin(looking->question, pair->asked_at, LSP_ERROR,
                         diag_id_text(DIAG_CLI_EXPECT_MODEL), model->reason, looking->out);
    lsp_diagnostic_end(looking->out);
    add_fix(looking, &(struct diag_fix){*pair->asked_at, model->fix.word, model->fix.meant});
}

static void look_at_models(struct looking *looking, const struct lit_program *program)
{
    const struct session_settings *settings = &looking->question->options->settings;
    SCOPED(diag) hosts = {0};
    looking->models = session_models_new();
    session_ask_hosts(settings, looking->models, program, looking->folder, &hosts);
    add_diagnostics(looking, &hosts);
    session_ask_each_pair(settings, program, look_at_pair, looking);
    session_models_free(looking->models);
}

static void look_at_test(struct looking *looking)
{
    const struct lsp_question *question = looking->question;
    SCOPED(session_test) test;
    lsp_read_test(question, &test);
    add_diagnostics(looking, &test.diag);
    looking->folder = test.folder;
    if (test.program)
        look_at_models(looking, test.program);
}

/* ---- Models ---- */

static bool is_reserved(const char *name)
{
#define X(identifier, text, sort)        \
    if (name && strcmp(name, text) == 0) \
        return true;
    CAT_RESERVED(X)
#undef X
    return false;
}

static bool binds_reserved(const struct cat_instrs *instrs)
{
    for (const struct cat_instr *at = instrs->first; at; at = at->next)
        for (const struct cat_binding *b = at->bindings.first; b; b = b->next)
            for (const struct cat_name *n = b->pattern->names.first; n; n = n->next)
                if (is_reserved(n->text))
                    return true;
    return false;
}

static const char *kind_of(const struct source *source)
{
    SCOPED(arena) arena = {0};
    SCOPED(diag) diag = {0};
    struct intern *names = intern_new();
    const struct cat_file *file = cat_parse_file(&arena, names, NULL, source, &diag);
    bool persists = binds_reserved(&file->instrs);
    intern_free(names);
    return persists ? "persistency" : "visibility";
}

static const struct cat_model *load_with(struct arena *arena, const struct lsp_question *question,
                                         const struct source *source, const char *kind,
                                         const struct source_builtin *partner, struct diag *diag)
{
    struct cat_asker asker = session_models_user(&question->options->settings);
    bool persists = strcmp(kind, "persistency") == 0;
    const char *name = source_builtin_name(arena, partner);
    asker.instead = source;
    if (!question->path) {
        const struct source *other = source_from_text(arena, name, partner->text, partner->length);
        return cat_model_load_sources(arena, exec_basis(), asker.variants,
                                      persists ? other : source, persists ? source : other, diag);
    }
    return cat_model_load(arena, exec_basis(), &asker, persists ? name : question->path,
                          persists ? question->path : name, diag);
}

static void exchange(struct diag *a, struct diag *b)
{
    struct diag kept = *a;
    *a = *b;
    *b = kept;
}

/* Of the other kind; those that least is asked of first. */
static bool is_partner(const struct source_builtin *builtin, const char *kind, bool plain)
{
    static const char *const first[] = {"visibility/sc.cat", "persistency/none.cat"};
    bool is_first = strcmp(builtin->path, first[0]) == 0 || strcmp(builtin->path, first[1]) == 0;
    return strchr(builtin->path, '/') && !source_builtin_is_in(builtin, kind) && is_first == plain;
}

const struct cat_model *lsp_load_model(struct arena *arena, const struct lsp_question *question,
                                       const struct source *source, const char **kind,
                                       struct diag *diag)
{
    const struct cat_model *model = NULL;
    bool tried = false;
    *kind = kind_of(source);
    for (size_t i = 0; i < 2 * cat_builtin_count && !model; i++) {
        const struct source_builtin *partner = &cat_builtins[i % cat_builtin_count];
        SCOPED(diag) own = {0};
        if (!is_partner(partner, *kind, i < cat_builtin_count))
            continue;
        model = load_with(arena, question, source, *kind, partner, &own);
        if (!tried || model || own.errors < diag->errors)
            exchange(diag, &own);
        tried = true;
    }
    return model;
}

/* ---- What tests and models are read with ---- */

/* By the reader that the command line has for such a file. */
static void read_text(const struct lsp_question *question, struct arena *arena, struct diag *diag,
                      const struct lit_models **models)
{
    const struct session_settings *settings = &question->options->settings;
    const struct source *source = lsp_source(arena, question);
    struct intern *names = intern_new();
    const char *folder = question->path ? reach_folder(arena, question->path) : NULL, *kind;
    bool good = true;
    switch (question->language) {
    case LSP_CAT: good = lsp_load_model(arena, question, source, &kind, diag) != NULL; break;
    case LSP_DEF: good = lit_uses_check(arena, names, source, diag, models); break;
    case LSP_MACHINE: good = session_machine_parse(arena, settings, source, diag) != NULL; break;
    case LSP_MAP:
        good = session_mapping_read(arena, names, &settings->reach, folder, source, diag) != NULL;
        break;
    case LSP_LITMUS:
    case LSP_OTHER: break;
    }
    intern_free(names);
    BASE_CHECK(good == (diag->errors == 0));
}

static void look_at_text(struct looking *looking)
{
    SCOPED(arena) arena = {0};
    SCOPED(diag) diag = {0};
    const struct session_settings *settings = &looking->question->options->settings;
    const struct lit_models *models = NULL;
    if (looking->question->length > SOURCE_MAX_BYTES)
        diag_error(&diag, DIAG_FILE_READ, NOWHERE, "this text is larger than 4 MiB");
    else
        read_text(looking->question, &arena, &diag, &models);
    add_diagnostics(looking, &diag);
    look_at_models(looking,
                   &(struct lit_program){.models = session_test_models(&arena, settings, models)});
}

void lsp_look(const struct lsp_question *question, struct strbuf *out)
{
    struct looking looking = {.question = question, .out = out};
    emit_array(out, "diagnostics");
    if (question->language == LSP_LITMUS)
        look_at_test(&looking);
    else
        look_at_text(&looking);
    emit_end(out, ']');
    emit_array(out, "fixes");
    strbuf_add(out, strbuf_text(&looking.fixes));
    emit_end(out, ']');
    strbuf_fini(&looking.fixes);
}
