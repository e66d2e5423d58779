#include "cli/cli_commands.h"
#include "cli/cli_model_file.h"
#include "cli/cli_rules.h"

#include "base/json.h"
#include "base/utf8.h"
#include "exec/exec_basis.h"
#include "litmus/lit_uses.h"
#include "explore/mach_config.h"
#include "pipeline/pipe_draw.h"
#include "run/run_inputs.h"
#include "run/run_tags.h"
#include "session/session_machines.h"
#include "session/session_models.h"

#include <stdlib.h>
#include <string.h>

#define DEFINITIONS "definitions"

/* ---- Records ---- */

void cli_list_record(const char *name, const char *title, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "schema", 1);
    emit_string(out, "name", name);
    emit_string(out, "title", title);
}

/* ---- Tests ---- */

/* As a line of a list, where '#' and '@' mean something at the beginning. What would be printed as something else is
 * no path there. */
static void add_file(const char *path, struct strbuf *out, struct diag *diag)
{
    SCOPED(strbuf) shown = {0};
    utf8_add_name(&shown, path);
    if (strcmp(path, "-") == 0)
        diag_error(diag, DIAG_FILE_READ, NOWHERE,
                   "'-' stands for tests on standard input, which have no paths to be listed");
    else if (strcmp(strbuf_text(&shown), path) != 0)
        diag_error(diag, DIAG_FILE_READ, NOWHERE,
                   "'%s' has a line end, a control character or a byte that is no UTF-8 in its "
                   "name, so it cannot "
                   "stand in a list; rename it",
                   path);
    else
        strbuf_printf(out, "%s%s\n", *path == '#' || *path == '@' ? "./" : "", path);
}

/* For who reads it: "PATH: slow, gpm". */
static void add_tags(const char *path, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    const char *at = run_tags_read(&arena, path), *tag, *before = ": ";
    utf8_add_name(out, path);
    for (size_t length; (length = run_tags_next(&at, &tag)) > 0; before = ", ")
        strbuf_printf(out, "%s%.*s", before, (int)length, tag);
    strbuf_add_char(out, '\n');
}

void cli_list_files(struct arena *arena, const struct ask_options *options, struct strbuf *out,
                    struct diag *diag)
{
    const struct run_arguments tests = {
        options->inputs, options->input_count,         options->shard,
        options->shards, options->settings.memory_mib, ask_options_choice(options)};
    const struct run_inputs inputs = run_inputs_find(arena, &tests, &options->settings.reach, diag);
    if (options->format == RUN_DOCUMENT) {
        cli_list_tests(arena, &inputs, options, out, diag);
        return;
    }
    for (size_t i = 0; i < inputs.count; i++)
        if (options->verbose)
            add_tags(inputs.paths[i], out);
        else
            add_file(inputs.paths[i], out, diag);
}

/* ---- What stands in models ---- */

static const char *title_of_model(struct arena *arena, const struct source_builtin *builtin)
{
    const char *open = memchr(builtin->text, '"', builtin->length);
    const char *end = builtin->text + builtin->length;
    const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
    return close ? arena_strndup(arena, open + 1, (size_t)(close - open - 1)) : "";
}

/* Files that models include are built in, too, but in no folder. */
static bool is_model(const struct source_builtin *builtin)
{
    return strchr(builtin->path, '/') != NULL;
}

static const char *kind_of(struct arena *arena, const struct source_builtin *builtin)
{
    return arena_strndup(arena, builtin->path, strcspn(builtin->path, "/"));
}

enum { OF_EVERY_MODEL = 2 /* files, the first of each */ };

static void add_source(const struct source *source, struct strbuf *out)
{
    strbuf_printf(out, "\n(* ---- %s ---- *)\n", source->name);
    strbuf_add_bytes(out, source->text, source->length);
    if (source->length == 0 || source->text[source->length - 1] != '\n')
        strbuf_add_char(out, '\n');
}

/* What is built in: a model, or a file of definitions. */
struct entry {
    const char *kind, *name, *title;
    const char *family; /* "SPB", of one of its models "SPB: what it is" */
    const struct source_builtin *builtin;
    bool standard;                   /* it is the default of its kind */
    size_t rank;                     /* of its family */
    const struct lit_models *models; /* that a file of definitions names; NULL: none */
};

/* A list that is being written. */
struct list {
    struct arena *arena;
    struct cat_asker asker;
    struct strbuf *out;
    struct diag *diag;
    bool json, sources;      /* the latter: with what stands in them */
    struct cli_rules *rules; /* takes what stands in them; NULL: it is printed */
    VEC(struct entry) entries;
};

static bool is_persistency(const char *kind)
{
    return strcmp(kind, "persistency") == 0;
}

/* In a pair with the first model that goes with it; NULL when none does. */
static const struct cat_model *load(struct list *list, const char *kind, const char *name)
{
    const struct cat_model *model = NULL;
    for (size_t i = 0; i < cat_builtin_count && !model; i++) {
        const struct source_builtin *other = &cat_builtins[i];
        if (!is_model(other) || strcmp(kind_of(list->arena, other), kind) == 0)
            continue;
        SCOPED(diag) diag = {0};
        const char *partner = source_builtin_name(list->arena, other);
        bool persists = is_persistency(kind);
        model = cat_model_load(list->arena, exec_basis(), &list->asker, persists ? partner : name,
                               persists ? name : partner, &diag);
    }
    return model;
}

/* What tags it gives a meaning to: "  instructions F: sfence, pcommit", a line each kind. */
static void add_instructions(const struct cat_model *model, struct strbuf *out)
{
    for (uint32_t kind = 0; kind < CAT_DECLARED_COUNT; kind++) {
        const char *before = "";
        for (uint32_t i = 0; i < model->declaration_count; i++) {
            if (!(model->declarations[i].kinds >> kind & 1))
                continue;
            if (!*before)
                strbuf_printf(out, "  instructions %s: ", cat_declared_kinds[kind]);
            strbuf_printf(out, "%s%s", before, model->declarations[i].tag);
            before = ", ";
        }
        strbuf_add(out, *before ? "\n" : "");
    }
}

static void json_file(const char *name, const char *text, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "name", name);
    emit_string(out, "text", text);
    emit_end(out, '}');
}

/* The files first, as they are read, and the tags that they declare; then what stands in them, that
 * of every model last. */
static void add_sources(struct list *list, const char *kind, const char *name)
{
    struct strbuf *out = list->out;
    struct cat_sources sources;
    if (!cat_model_sources(list->arena, &list->asker, kind, name, &sources, list->diag))
        return;
    if (list->rules) {
        cli_rules_add(list->rules, &sources);
        return;
    }
    for (size_t i = 0; list->json && i < sources.count; i++)
        json_file(sources.items[i]->name, sources.items[i]->text, out);
    if (list->json)
        return;
    for (size_t i = 0; i < sources.count; i++)
        strbuf_printf(out, "  %s%s\n", sources.items[i]->name,
                      i < OF_EVERY_MODEL ? " (of every model)" : "");
    const struct cat_model *model = load(list, kind, name);
    if (model)
        add_instructions(model, out);
    for (size_t i = OF_EVERY_MODEL; i < sources.count; i++)
        add_source(sources.items[i], out);
    for (size_t i = 0; i < OF_EVERY_MODEL; i++)
        add_source(sources.items[i], out);
    strbuf_add_char(out, '\n');
}

static void tell_unknown(struct arena *arena, const char *name, struct diag *diag)
{
    const char *names[ASK_MAX_WORDS];
    const char *near = diag_meant(name, names, ask_model_words(arena, names));
    if (near)
        diag_error(diag, DIAG_CAT_MODEL, NOWHERE, "no built-in model '%s'; did you mean '%s'?",
                   name, near);
    else
        diag_error(diag, DIAG_CAT_MODEL, NOWHERE,
                   "no built-in model '%s'; crashlit models lists them, and the path of a file "
                   "ends in .cat",
                   name);
}

/* ---- Entries ---- */

/* What stands behind the title: (* family SPB *), or of one model of each family (* family SPB: what
 * it is *). */
static const char *family_of(struct arena *arena, const struct source_builtin *builtin)
{
    static const char mark[] = "(* family ";
    const char *end = memchr(builtin->text, '\n', builtin->length);
    const char *line =
        arena_strndup(arena, builtin->text, end ? (size_t)(end - builtin->text) : builtin->length);
    const char *open = strstr(line, mark);
    const char *close = open ? strstr(open, " *)") : NULL;
    size_t length = close ? (size_t)(close - open) - (sizeof mark - 1) : 0;
    return length ? arena_strndup(arena, open + sizeof mark - 1, length) : "Others";
}

/* The first comment, without its mark. */
static const char *title_of_definitions(struct arena *arena, const struct source_builtin *builtin)
{
    size_t length = strcspn(builtin->text, "\n");
    size_t mark = strspn(builtin->text, "/ ");
    return arena_strndup(arena, builtin->text + mark, length - mark);
}

/* The models that it names, NULL: none. */
static const struct lit_models *models_of_definitions(struct arena *arena,
                                                      const struct source_builtin *builtin)
{
    const struct source *source = source_from_builtin(arena, builtin);
    struct intern *names = intern_new();
    const struct lit_models *models;
    SCOPED(diag) diag = {0};
    bool good = lit_uses_check(arena, names, source, &diag, &models);
    BASE_CHECK(good);
    intern_free(names);
    return models;
}

static bool is_standard(const char *kind, const char *name)
{
    const struct ask_option *option =
        &ask_option_rows[is_persistency(kind) ? ASK_OPTION_PERSISTENCY : ASK_OPTION_MODEL];
    return strcmp(option->standard, name) == 0;
}

static bool are_family(const struct entry *a, const struct entry *b)
{
    size_t length = strcspn(a->family, ":");
    return strcmp(a->kind, b->kind) == 0 && strcspn(b->family, ":") == length &&
           strncmp(a->family, b->family, length) == 0;
}

/* The default's family is first, the others are as their models are. */
static size_t rank_of(const struct list *list, const struct entry *entry)
{
    size_t rank = SIZE_MAX;
    for (size_t i = list->entries.count; i-- > 0 && rank;)
        if (are_family(entry, &list->entries.items[i]))
            rank = list->entries.items[i].standard ? 0 : i + 1;
    return rank;
}

static void find_entries(struct list *list)
{
    struct arena *arena = list->arena;
    EACH (const struct source_builtin, of, cat_builtins, cat_builtin_count) {
        const char *kind = kind_of(arena, of), *name = source_builtin_name(arena, of);
        if (is_model(of))
            VEC_PUSH(&list->entries,
                     ((struct entry){kind, name, title_of_model(arena, of), family_of(arena, of),
                                     of, is_standard(kind, name), 0, NULL}));
    }
    EACH (const struct source_builtin, of, lit_builtins, lit_builtin_count) {
        VEC_PUSH(&list->entries, ((struct entry){DEFINITIONS, source_builtin_name(arena, of),
                                                 title_of_definitions(arena, of),
                                                 "Definition files, for tests: uses \"NAME.def\"",
                                                 of, false, 0, models_of_definitions(arena, of)}));
    }
    for (size_t i = 0; i < list->entries.count; i++)
        list->entries.items[i].rank = rank_of(list, &list->entries.items[i]);
}

/* The default, and who says what the family is. */
static bool leads(const struct entry *entry)
{
    return entry->standard || strchr(entry->family, ':');
}

/* Visibility models, persistency models, definitions; who leads comes first in its family. */
static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int kinds = strcmp(b->kind, a->kind);
    return kinds                     ? kinds
           : a->rank != b->rank      ? (a->rank < b->rank ? -1 : 1)
           : leads(a) != leads(b)    ? (leads(a) ? -1 : 1)
           : a->builtin < b->builtin ? -1
                                     : 1;
}

/* ---- Models ---- */

static void list_sources(struct list *list, const struct entry *entry)
{
    const bool is_model = strcmp(entry->kind, DEFINITIONS) != 0;
    if (list->rules && !is_model)
        return;
    if (is_model)
        add_sources(list, entry->kind, entry->name);
    else if (list->json)
        json_file(entry->builtin->path, entry->builtin->text, list->out);
    else
        strbuf_printf(list->out, "\n%s\n", entry->builtin->text);
}

/* Of its family: what the model says that says most of it. */
static const char *heading_of(const struct list *list, const struct entry *entry)
{
    const char *heading = entry->family;
    EACH_IN (const struct entry, other, list->entries)
        if (are_family(entry, other) && strlen(other->family) > strlen(heading))
            heading = other->family;
    return heading;
}

static void list_json(struct list *list, const struct entry *entry)
{
    struct strbuf *out = list->out;
    cli_list_record(entry->name, entry->title, out);
    emit_string(out, "kind", entry->kind);
    emit_string(out, "family",
                arena_strndup(list->arena, entry->family, strcspn(entry->family, ":")));
    emit_string(out, "heading", heading_of(list, entry));
    emit_bool(out, "default", entry->standard);
    if (entry->models) {
        emit_object(out, "models");
        emit_string(out, "visibility", entry->models->visibility);
        emit_string(out, "persistency", entry->models->persistency);
        emit_end(out, '}');
    }
    if (list->sources) {
        emit_array(out, "files");
        list_sources(list, entry);
        emit_end(out, ']');
    }
    strbuf_add(out, "}\n");
}

/* `note` stands behind the name: " (default)", or nothing. */
static void list_entry(struct list *list, const struct entry *entry, const char *note)
{
    if (list->rules) {
        list_sources(list, entry);
        return;
    }
    if (list->json) {
        list_json(list, entry);
        return;
    }
    strbuf_printf(list->out, "%-11s %-26s %s", entry->kind,
                  arena_printf(list->arena, "%s%s", entry->name, note), entry->title);
    if (entry->models)
        strbuf_printf(list->out, "; models %s + %s", entry->models->visibility,
                      entry->models->persistency);
    strbuf_add(list->out, "\n");
    if (list->sources)
        list_sources(list, entry);
}

static void list_families(struct list *list)
{
    const struct entry *entries = list->entries.items;
    qsort(list->entries.items, list->entries.count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < list->entries.count; i++) {
        if (!list->json && (i == 0 || !are_family(&entries[i], &entries[i - 1])))
            strbuf_printf(list->out, "%s%s\n", i ? "\n" : "", heading_of(list, &entries[i]));
        list_entry(list, &entries[i], entries[i].standard ? " (default)" : "");
    }
}

/* NAME.def is a file of definitions, NAME may be one as well. */
static bool is_called(const struct list *list, const struct entry *entry, const char *name)
{
    return strcmp(entry->name, name) == 0 ||
           (strcmp(entry->kind, DEFINITIONS) == 0 &&
            strcmp(arena_printf(list->arena, "%s" REACH_DEFINITIONS, entry->name), name) == 0);
}

/* A file of the user's. One that cannot be read has no line. */
static void list_file(struct list *list, const char *path)
{
    struct cat_sources sources;
    const char *kind = cli_model_file_kind(&list->asker, path);
    if (!cat_model_sources(list->arena, &list->asker, kind, path, &sources, list->diag))
        return;
    const char *title = cli_model_file_title(list->arena, sources.items[OF_EVERY_MODEL]);
    const struct entry file = {kind, path, title, "", NULL, false, 0, NULL};
    list_entry(list, &file, "");
    if (list->diag->errors == 0)
        cli_model_file_check(&list->asker, path, list->arena, list->diag);
}

static void list_named(struct list *list, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < list->entries.count; i++)
        if (is_called(list, &list->entries.items[i], name) &&
            (!list->rules || strcmp(list->entries.items[i].kind, DEFINITIONS) != 0)) {
            list_entry(list, &list->entries.items[i], "");
            found = true;
        }
    if (found)
        return;
    if (!strrchr(name, '.') || !reach_ends(name, REACH_MODELS)) {
        tell_unknown(list->arena, name, list->diag);
        return;
    }
    list_file(list, name);
}

void cli_list_models(struct arena *arena, const struct ask_options *options, struct strbuf *out,
                     struct diag *diag)
{
    const bool tex = options->format == RUN_DOCUMENT;
    struct cli_rules rules = {.all = options->verbose};
    struct list list = {.arena = arena,
                        .rules = tex ? &rules : NULL,
                        .asker = session_models_user(&options->settings),
                        .out = out,
                        .diag = diag,
                        .json = options->format == RUN_JSON,
                        .sources = options->verbose || tex};
    find_entries(&list);
    if (options->input_count == 0 && !list.sources)
        list_families(&list);
    for (size_t i = 0; i < list.entries.count && !options->input_count && list.sources; i++)
        list_entry(&list, &list.entries.items[i], "");
    for (uint32_t i = 0; i < options->input_count; i++)
        list_named(&list, options->inputs[i]);
    if (tex)
        cli_rules_write(&rules, out);
    VEC_FREE(&list.entries);
}

/* ---- Machines ---- */

/* The first comment of a file, without the mark and the full stop. */
static const char *title_of_machine(struct arena *arena, const struct source *source)
{
    const char *end = memchr(source->text, '\n', source->length);
    size_t length = end ? (size_t)(end - source->text) : source->length;
    if (length == 0 || source->text[0] != '#')
        return "";
    size_t mark = length > 1 && source->text[1] == ' ' ? 2 : 1;
    bool stops = length > mark && source->text[length - 1] == '.';
    return arena_strndup(arena, source->text + mark, length - mark - stops);
}

static void list_faults(uint64_t faults, struct strbuf *out)
{
    strbuf_add(out, faults ? "\nFaults, for --fault:\n" : "");
    for (int i = 0; i < MACH_FAULT_COUNT; i++)
        if (faults >> i & 1)
            strbuf_printf(out, "  %-24s %s\n", mach_faults[i].name, mach_faults[i].description);
}

static void json_machine(const struct mach_file *file, const char *title, bool standard,
                         bool verbose, struct strbuf *out)
{
    uint64_t faults = verbose ? mach_file_faults(file) : 0;
    cli_list_record(file->name, title, out);
    emit_bool(out, "default", standard);
    emit_array(out, "promises");
    for (uint32_t i = 0; i < file->promise_count; i++) {
        emit_object(out, NULL);
        emit_string(out, "visibility", file->promises[i].visibility);
        emit_string(out, "persistency", file->promises[i].persistency);
        emit_end(out, '}');
    }
    emit_end(out, ']');
    if (verbose) {
        emit_string(out, "text", file->source->text);
        emit_array(out, "faults");
        for (int i = 0; i < MACH_FAULT_COUNT; i++)
            if (faults >> i & 1)
                emit_string(out, NULL, mach_faults[i].name);
        emit_end(out, ']');
    }
    strbuf_add(out, "}\n");
}

static void list_machine(struct arena *arena, const struct mach_file *file, const char *note,
                         bool verbose, struct strbuf *out)
{
    const struct source *source = file->source;
    const char *pair = "";
    for (uint32_t i = 0; i < file->promise_count; i++)
        pair = arena_printf(arena, "%s%s%s + %s", pair, i ? ", " : "", file->promises[i].visibility,
                            file->promises[i].persistency);
    strbuf_printf(out, "%-18s %-38s %s\n", arena_printf(arena, "%s%s", file->name, note), pair,
                  title_of_machine(arena, source));
    if (!verbose)
        return;
    strbuf_add(out, "\n");
    strbuf_add_bytes(out, source->text, source->length);
    strbuf_add(out, source->length && source->text[source->length - 1] == '\n' ? "" : "\n");
    if (file->config.pipe) {
        strbuf_add(out, "\n");
        mach_pipe_draw(file->config.pipe, out);
    }
    list_faults(mach_file_faults(file), out);
    strbuf_add(out, "\n");
}

/* Those named, built in or one's own, in their order; without a name all that are built in, in the
 * order in which they are asked: the first is the default. */
void cli_list_machines(struct arena *arena, const struct ask_options *options, struct strbuf *out,
                       struct diag *diag)
{
    size_t count = options->input_count ? options->input_count : mach_builtin_count;
    for (size_t i = 0; i < count; i++) {
        const char *name = options->input_count ? options->inputs[i] : mach_config_name(arena, i);
        const struct mach_file *file = session_machine_read(arena, &options->settings, name, diag);
        if (file && options->format == RUN_JSON) /* else what is wrong is in `diag` */
            json_machine(file, title_of_machine(arena, file->source),
                         strcmp(file->name, mach_config_name(arena, 0)) == 0, options->verbose,
                         out);
        else if (file)
            list_machine(arena, file, i || options->input_count ? "" : " (default)",
                         options->verbose, out);
    }
}
