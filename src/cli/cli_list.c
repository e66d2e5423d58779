#include "cli/cli_commands.h"

#include "exec/exec_basis.h"
#include "litmus/lit_uses.h"
#include "explore/mach_config.h"
#include "pipeline/pipe_draw.h"
#include "session/session_machines.h"
#include "session/session_models.h"

#include <string.h>

/* ---- Models ---- */

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

/* `note` stands behind the name: " (default)", or nothing. */
static void list_model(struct arena *arena, const struct source_builtin *builtin, const char *note,
                       struct strbuf *out)
{
    const char *name = arena_printf(arena, "%s%s", source_builtin_name(arena, builtin), note);
    strbuf_printf(out, "%-11s %-26s %s\n", kind_of(arena, builtin), name,
                  title_of_model(arena, builtin));
}

static void add_source(const struct source *source, struct strbuf *out)
{
    strbuf_printf(out, "\n(* ---- %s ---- *)\n", source->name);
    strbuf_add_bytes(out, source->text, source->length);
    if (source->length == 0 || source->text[source->length - 1] != '\n')
        strbuf_add_char(out, '\n');
}

/* A list that is being written. */
struct list {
    struct arena *arena;
    struct cat_asker asker;
    struct strbuf *out;
    struct diag *diag;
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
        struct diag diag;
        const char *partner = source_builtin_name(list->arena, other);
        bool persists = is_persistency(kind);
        diag_init(&diag);
        model = cat_model_load(list->arena, exec_basis(), &list->asker, persists ? partner : name,
                               persists ? name : partner, &diag);
        diag_fini(&diag);
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

/* What is wrong with a file of the user's, as the model that it is nearest to. */
static void report_faults(struct list *list, const char *name)
{
    static const char *const pairs[][2] = {{NULL, "none"}, {"sc", NULL}};
    uint32_t best = 0, fewest = UINT32_MAX;
    for (uint32_t i = 0; i < 2; i++) {
        struct diag diag;
        diag_init(&diag);
        (void)!cat_model_load(list->arena, exec_basis(), &list->asker,
                              pairs[i][0] ? pairs[i][0] : name, pairs[i][1] ? pairs[i][1] : name,
                              &diag);
        if (diag.errors < fewest) {
            fewest = diag.errors;
            best = i;
        }
        diag_fini(&diag);
    }
    (void)!cat_model_load(list->arena, exec_basis(), &list->asker,
                          pairs[best][0] ? pairs[best][0] : name,
                          pairs[best][1] ? pairs[best][1] : name, list->diag);
}

/* The files first, as they are read, and the tags that they declare; then what stands in them, that
 * of every model last. */
static void add_sources(struct list *list, const char *kind, const char *name)
{
    enum { OF_EVERY_MODEL = 2 };
    struct strbuf *out = list->out;
    struct cat_sources sources;
    if (!cat_model_sources(list->arena, &list->asker, kind, name, &sources, list->diag))
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

/* Every built-in model of that name, or with NULL of any; returns whether there was one. */
static bool list_models(struct list *list, const char *wanted, bool sources)
{
    struct arena *arena = list->arena;
    bool found = false;
    for (size_t i = 0; i < cat_builtin_count; i++) {
        const struct source_builtin *builtin = &cat_builtins[i];
        if (!is_model(builtin) ||
            (wanted && strcmp(source_builtin_name(arena, builtin), wanted) != 0))
            continue;
        list_model(arena, builtin, "", list->out);
        if (sources)
            add_sources(list, kind_of(arena, builtin), source_builtin_name(arena, builtin));
        found = true;
    }
    return found;
}

/* ---- Families ---- */

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

static bool is_of(const char *family, const char *other)
{
    size_t length = strcspn(family, ":");
    return strcspn(other, ":") == length && strncmp(family, other, length) == 0;
}

/* Models of a kind. */
struct kind {
    struct arena *arena;
    const char *name, *standard; /* "visibility", and which one is asked by default */
    VEC(const struct source_builtin *) models;
    struct strbuf *out;
};

static bool is_standard(const struct kind *kind, const struct source_builtin *model)
{
    return strcmp(source_builtin_name(kind->arena, model), kind->standard) == 0;
}

/* The heading is what the model says that says most of it; it comes first, with the default. */
static void list_family(const struct kind *kind, const char *family)
{
    const char *heading = family;
    for (size_t i = 0; i < kind->models.count; i++) {
        const char *other = family_of(kind->arena, kind->models.items[i]);
        if (is_of(family, other) && strlen(other) > strlen(heading))
            heading = other;
    }
    strbuf_printf(kind->out, "%s\n", heading);
    for (size_t i = 0; i < 2 * kind->models.count; i++) {
        const struct source_builtin *model = kind->models.items[i % kind->models.count];
        const char *own = family_of(kind->arena, model);
        bool standard = is_standard(kind, model), first = standard || strchr(own, ':');
        if (is_of(family, own) && first == (i < kind->models.count))
            list_model(kind->arena, model, standard ? " (default)" : "", kind->out);
    }
    strbuf_add_char(kind->out, '\n');
}

/* That of the default first, then as their models are. */
static void list_families(struct kind *kind)
{
    for (size_t i = 0; i < cat_builtin_count; i++)
        if (is_model(&cat_builtins[i]) &&
            strcmp(kind_of(kind->arena, &cat_builtins[i]), kind->name) == 0)
            VEC_PUSH(&kind->models, &cat_builtins[i]);
    const char *first = "";
    for (size_t i = 0; i < kind->models.count; i++)
        if (is_standard(kind, kind->models.items[i]))
            list_family(kind, first = family_of(kind->arena, kind->models.items[i]));
    for (size_t i = 0; i < kind->models.count; i++) {
        const char *family = family_of(kind->arena, kind->models.items[i]);
        bool told = is_of(family, first) ||
                    ANY(k, i, is_of(family, family_of(kind->arena, kind->models.items[k])));
        if (!told)
            list_family(kind, family);
    }
    VEC_FREE(&kind->models);
}

/* What an option is when it is not given. */
static const char *standard_of(const char *option)
{
    for (int i = 0; i < ASK_OPTION_COUNT; i++)
        if (strcmp(ask_option_rows[i].name, option) == 0 && ask_option_rows[i].standard)
            return ask_option_rows[i].standard;
    return "";
}

static void list_all_families(struct list *list)
{
    struct kind sees = {list->arena, "visibility", standard_of("model"), {0}, list->out};
    struct kind lasts = {list->arena, "persistency", standard_of("persistency"), {0}, list->out};
    list_families(&sees);
    list_families(&lasts);
    strbuf_add(list->out, "Definition files, for tests: uses \"NAME.def\"\n");
}

/* ---- Definition files ---- */

/* The first comment, without its mark. */
static const char *title_of_definitions(struct arena *arena, const struct source_builtin *builtin)
{
    size_t length = strcspn(builtin->text, "\n");
    size_t mark = strspn(builtin->text, "/ ");
    return arena_strndup(arena, builtin->text + mark, length - mark);
}

/* As list_models; NAME and NAME.def are the same. */
static bool list_definitions(struct list *list, const char *wanted, bool sources)
{
    bool found = false;
    for (size_t i = 0; i < lit_builtin_count; i++) {
        const struct source_builtin *builtin = &lit_builtins[i];
        const char *file = strchr(builtin->path, '/') + 1;
        size_t length = strlen(file) - strlen(REACH_DEFINITIONS);
        if (wanted && strcmp(file, wanted) != 0 &&
            (strncmp(file, wanted, length) != 0 || wanted[length]))
            continue;
        strbuf_printf(list->out, "%-11s %-26.*s %s\n", "definitions", (int)length, file,
                      title_of_definitions(list->arena, builtin));
        if (sources)
            strbuf_printf(list->out, "\n%s\n", builtin->text);
        found = true;
    }
    return found;
}

void cli_list_models(struct arena *arena, const struct ask_options *options, struct strbuf *out,
                     struct diag *diag)
{
    struct list list = {
        .arena = arena, .asker = session_models_user(&options->settings), .out = out, .diag = diag};
    if (options->input_count == 0) {
        if (options->verbose)
            list_models(&list, NULL, true);
        else
            list_all_families(&list);
        list_definitions(&list, NULL, options->verbose);
    }
    for (uint32_t i = 0; i < options->input_count; i++) {
        const char *name = options->inputs[i], *end = strrchr(name, '.');
        bool found = list_models(&list, name, options->verbose);
        if (list_definitions(&list, name, options->verbose) || found)
            continue;
        if (end && reach_ends(name, REACH_MODELS)) {
            add_sources(&list, "visibility", name);
            if (diag->errors == 0)
                report_faults(&list, name);
        } else
            tell_unknown(list.arena, name, diag);
    }
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
        if (file) /* else what is wrong is in `diag` */
            list_machine(arena, file, i || options->input_count ? "" : " (default)",
                         options->verbose, out);
    }
}
