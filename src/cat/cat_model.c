/* Finds model files, and runs them as one.
 *
 * First every file is parsed, included ones in place; that leaves one sequence of definitions and
 * checks. Names and sorts are resolved only if everything could be read. */
#include "cat/cat_model.h"

#include "base/utf8.h"
#include "cat/cat_parse.h"
#include "cat/cat_resolve.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

enum { MAX_INCLUDE_DEPTH = 20, MAX_FILES = 200 };

struct loader {
    struct arena *arena; /* of the model: sources live there */
    const struct cat_asker *asker;
    struct arena scratch;
    struct intern *names;
    struct diag *diag;
    VEC(const struct cat_instr *) instrs;
    VEC(const struct source *) sources; /* in the order they are read */
    VEC(const char *) asked;            /* variants, each time that one is asked about */
    size_t contract_instrs;             /* that were read before the contract */
    struct {
        size_t instrs, sources; /* that were read before */
    } visibility;
    struct {
        size_t instrs, sources;
    } persistency; /* the same before the persistency model */
    uint32_t files;
    bool failed;
    bool replaced; /* a built-in file has another text */
};

/* A file that is being read, the innermost first. */
struct open_file {
    const struct open_file *includer;
    const struct source *source;
    const char *folder; /* path of its folder with the final '/', "" when it has none */
    bool builtin, in_memory;
};

/* ---- Built-in files ---- */

static const struct source_builtin *find_builtin(const char *path)
{
    return FIND(i, cat_builtins, cat_builtin_count, strcmp(cat_builtins[i].path, path) == 0);
}

static const struct source_builtin *find_builtin_file(const char *name)
{
    return FIND(i, cat_builtins, cat_builtin_count,
                strcmp(source_file_name(cat_builtins[i].path), name) == 0);
}

/* ---- Reading one file and what it includes ---- */

static const struct cat_file *read_source(struct loader *loader, const struct open_file *open);

/* diag_error, after which there is no model. */
#define FAIL(loader, ...) ((void)((loader)->failed = true), diag_error((loader)->diag, __VA_ARGS__))

static bool is_open(const struct open_file *open, const char *name)
{
    for (; open; open = open->includer)
        if (strcmp(open->source->name, name) == 0)
            return true;
    return false;
}

static void read_included(struct loader *loader, const struct open_file *includer,
                          struct open_file *file, struct span span)
{
    uint32_t depth = 0;
    for (const struct open_file *at = includer; at; at = at->includer)
        depth++;
    if (is_open(includer, file->source->name))
        FAIL(loader, DIAG_CAT_INCLUDE_CYCLE, span,
             "'%s' includes itself, by way of this line; remove one 'include' of the "
             "circle",
             file->source->name);
    else if (depth >= MAX_INCLUDE_DEPTH)
        FAIL(loader, DIAG_CAT_INCLUDE_CYCLE, span,
             "files include each other more than %d deep here", MAX_INCLUDE_DEPTH);
    else
        (void)read_source(loader, file);
}

/* Beside a built-in file, then anywhere among the built-in ones. */
static bool open_builtin(struct loader *loader, const struct open_file *includer, const char *name,
                         struct open_file *file)
{
    const struct source_builtin *found = NULL;
    if (includer->builtin)
        found = find_builtin(arena_printf(&loader->scratch, "%s%s", includer->folder, name));
    if (!found)
        found = find_builtin(name);
    if (!found)
        found = find_builtin_file(name);
    if (!found)
        return false;
    *file = (struct open_file){.includer = includer,
                               .source = source_from_builtin(loader->arena, found),
                               .folder = reach_folder(&loader->scratch, found->path),
                               .builtin = true};
    return true;
}

static void refuse_reach(struct loader *loader, const char *name, struct span span)
{
    FAIL(loader, DIAG_FILE_REACH, span, "'%s' is out of reach: " REACH_ADVICE(".cat"), name);
}

/* Beside the including file, or in a folder that the user adds. */
static enum reach_answer open_beside(struct loader *loader, const struct open_file *includer,
                                     const char *name, struct open_file *file, const char **why)
{
    const struct reach *reach = loader->asker->reach;
    if (includer->builtin || includer->in_memory)
        return REACH_MISSING;
    const char *path = reach_find(&loader->scratch, reach, includer->folder, name);
    const struct source *source;
    enum reach_answer answer =
        reach_load(loader->arena, reach, includer->folder, path, REACH_MODELS, &source, why);
    if (answer == REACH_FOUND)
        *file = (struct open_file){
            .includer = includer, .source = source, .folder = reach_folder(&loader->scratch, path)};
    return answer;
}

static const char *nearest_file(struct loader *loader, const char *name)
{
    const char **names = ARENA_ARRAY(&loader->scratch, const char *, cat_builtin_count);
    for (size_t i = 0; i < cat_builtin_count; i++)
        names[i] = source_file_name(cat_builtins[i].path);
    return diag_nearest(name, names, cat_builtin_count);
}

static void report_missing(struct loader *loader, const char *name, struct span span)
{
    const char *nearest = nearest_file(loader, name);
    const char *mend = nearest ? arena_printf(&loader->scratch, "did you mean \"%s\"?", nearest)
                               : "give its path from the folder of this file";
    FAIL(loader, DIAG_CAT_INCLUDE, span,
         "no file \"%s\" beside this one or among the built-in models; %s", name, mend);
    diag_meant_by(loader->diag, span, name, nearest);
}

/* Files of herd's library that say what base relations say here. They are built in
 * wherever a file of that bare name lies beside the including one. */
static bool is_library(const char *name)
{
    static const char *const library[] = {"stdlib.cat", "cos.cat", "cross.cat", "lock.cat"};
    return ANY(i, sizeof library / sizeof *library, strcmp(library[i], name) == 0);
}

static void include(struct loader *loader, const struct open_file *includer,
                    const struct cat_instr *instr)
{
    if (loader->files > MAX_FILES)
        return;
    struct open_file file;
    const char *why = NULL;
    enum reach_answer found = is_library(instr->name)
                                  ? REACH_MISSING
                                  : open_beside(loader, includer, instr->name, &file, &why);
    if (found == REACH_REFUSED)
        refuse_reach(loader, instr->name, instr->span);
    else if (found == REACH_UNREADABLE)
        FAIL(loader, DIAG_CAT_INCLUDE, instr->span, "cannot read \"%s\": %s", instr->name, why);
    else if (found == REACH_FOUND || open_builtin(loader, includer, instr->name, &file))
        read_included(loader, includer, &file, instr->span);
    else
        report_missing(loader, instr->name, instr->span);
}

/* Includes are followed; of an `if` the branch that applies is read. */
static void read_instrs(struct loader *loader, const struct open_file *open,
                        const struct cat_instrs *instrs)
{
    for (const struct cat_instr *at = instrs->first; at; at = at->next) {
        if (at->kind == CAT_INSTR_INCLUDE)
            include(loader, open, at);
        else if (at->kind == CAT_INSTR_IF)
            read_instrs(loader, open, at->condition->holds ? &at->body : &at->otherwise);
        else
            VEC_PUSH(&loader->instrs, at);
    }
}

/* With the text that takes its place. */
static const struct source *text_for(struct loader *loader, const struct source *source)
{
    const struct source *instead = loader->asker->instead;
    if (!instead || instead->is_builtin != source->is_builtin ||
        !(source->is_builtin ? strcmp(instead->name, source->name) == 0
                             : source_same_file(instead->path, source->path)))
        return source;
    loader->replaced |= source->is_builtin;
    return instead;
}

static const struct cat_file *read_source(struct loader *loader, const struct open_file *open)
{
    const struct source *source = text_for(loader, open->source);
    if (++loader->files > MAX_FILES) {
        if (loader->files == MAX_FILES + 1)
            FAIL(loader, DIAG_CAT_TOO_LARGE, (struct span){open->source, 0, 0, 0, 0},
                 "more than %d files are included in all", MAX_FILES);
        return NULL;
    }
    VEC_PUSH(&loader->sources, source);
    struct cat_file *file = cat_parse_file(&loader->scratch, loader->names, loader->asker->variants,
                                           source, loader->diag);
    for (const struct cat_name *at = file->asked.first; at; at = at->next)
        VEC_PUSH(&loader->asked, at->text);
    loader->failed |= file->failed;
    read_instrs(loader, open, &file->instrs);
    return file;
}

/* ---- The files of a model ---- */

static void read_library(struct loader *loader, const char *path)
{
    const struct source_builtin *builtin = find_builtin(path);
    BASE_CHECK(builtin != NULL);
    struct open_file file = {
        .source = source_from_builtin(loader->arena, builtin), .folder = "", .builtin = true};
    (void)read_source(loader, &file);
}

bool cat_model_is_path(const char *name)
{
    return reach_is_path(name, REACH_MODELS);
}

bool cat_model_same(const char *a, const char *b)
{
    return cat_model_is_path(a) ? cat_model_is_path(b) && source_same_file(a, b)
                                : strcmp(a, b) == 0;
}

/* What to write when `name` is a model of the other kind; else NULL. */
static const char *other_kind(struct loader *loader, const char *kind, const char *name)
{
    bool persists = strcmp(kind, "visibility") == 0;
    const char *other = persists ? "persistency" : "visibility";
    if (!find_builtin(arena_printf(&loader->scratch, "%s/%s.cat", other, name)))
        return NULL;
    return arena_printf(&loader->scratch,
                        "it is a %s model, which goes with -%c, and in a test %s the '+'", other,
                        persists ? 'p' : 'm', persists ? "after" : "before");
}

/* More names than that are no help. */
enum { MOST_LISTED = 16 };

static void report_unknown(struct loader *loader, const char *kind, const char *name)
{
    const char **names = ARENA_ARRAY(&loader->scratch, const char *, cat_builtin_count);
    size_t count = 0;
    SCOPED(strbuf) all = {0}, like = {0};
    for (size_t i = 0; i < cat_builtin_count; i++) {
        if (!source_builtin_is_in(&cat_builtins[i], kind))
            continue;
        const char *known = source_builtin_name(&loader->scratch, &cat_builtins[i]);
        strbuf_printf(&all, "%s%s", count ? ", " : "", known);
        if (strstr(known, name))
            strbuf_printf(&like, "%s%s", like.length ? ", " : "", known);
        names[count++] = known;
    }
    const char *nearest = diag_meant(name, names, count);
    const char *other = other_kind(loader, kind, name);
    const char *mend =
        other     ? other
        : nearest ? arena_printf(&loader->scratch, "did you mean '%s'?", nearest)
        : like.length
            ? arena_printf(&loader->scratch, "did you mean one of %s?", strbuf_text(&like))
            : arena_printf(&loader->scratch, "%s%s; a path to a file of your own ends in .cat",
                           count > MOST_LISTED ? "'crashlit models' lists them" : "built in are ",
                           count > MOST_LISTED ? "" : strbuf_text(&all));
    FAIL(loader, DIAG_CAT_MODEL, NOWHERE, "no built-in %s model '%s'; %s", kind, name, mend);
    diag_meant_by(loader->diag, NOWHERE, name, other ? NULL : nearest);
}

static const struct source_builtin *find_named(struct loader *loader, const char *kind,
                                               const char *name)
{
    const struct source_builtin *found =
        find_builtin(arena_printf(&loader->scratch, "%s/%s.cat", kind, name));
    if (!found)
        report_unknown(loader, kind, name);
    return found;
}

/* NULL after a report. */
static const struct source *load_file(struct loader *loader, const char *kind, const char *path)
{
    const struct cat_asker *asker = loader->asker;
    const struct source *source = NULL;
    const char *why = strerror(ENOENT);
    enum reach_answer answer = REACH_MISSING;
    if (asker->instead && source_same_file(asker->instead->path, path))
        source = asker->instead;
    else if (asker->is_user || text_same(asker->named, path))
        source = source_load(loader->arena, reach_find(&loader->scratch, asker->reach, NULL, path),
                             &why);
    else
        answer = reach_load(loader->arena, asker->reach, asker->folder, path, REACH_MODELS, &source,
                            &why);
    if (answer == REACH_REFUSED)
        refuse_reach(loader, path, NOWHERE);
    else if (!source)
        FAIL(loader, DIAG_FILE_READ, NOWHERE, "cannot read the %s model '%s': %s", kind, path, why);
    return source;
}

/* The source of what the user or a test named, NULL after a report. */
static const struct source *find_model(struct loader *loader, const char *kind, const char *name,
                                       bool *builtin, const char **folder)
{
    if (cat_model_is_path(name)) {
        const struct source *source = load_file(loader, kind, name);
        *builtin = false;
        *folder = source ? reach_folder(&loader->scratch, source->path) : "";
        return source;
    }
    const struct source_builtin *found = find_named(loader, kind, name);
    if (!found)
        return NULL;
    *builtin = true;
    *folder = reach_folder(&loader->scratch, found->path);
    return source_from_builtin(loader->arena, found);
}

static bool is_built_in(struct loader *loader, const char *head)
{
    EACH (const struct source_builtin, of, cat_builtins, cat_builtin_count)
        if (strcasecmp(source_builtin_name(&loader->scratch, of), head) == 0)
            return true;
    return false;
}

/* By the name at its head. */
static const char *called(struct loader *loader, const char *given, const struct cat_file *parsed)
{
    const char *head = parsed ? parsed->name : "";
    const bool is_path = cat_model_is_path(given);
    if (*head && !(is_path && is_built_in(loader, head)))
        return arena_strdup(loader->arena, head);
    return utf8_name(loader->arena, is_path ? source_file_name(given) : given);
}

/* The visibility model first; NULL: the files alone count. */
static void read_named(struct loader *loader, const char *kind, const char *name, int side,
                       struct cat_model *model)
{
    struct open_file file = {0};
    file.source = find_model(loader, kind, name, &file.builtin, &file.folder);
    const struct cat_file *parsed = file.source ? read_source(loader, &file) : NULL;
    if (parsed && !parsed->failed && !*parsed->title && parsed->instrs.count == 0)
        FAIL(loader, DIAG_CAT_MODEL, NOWHERE,
             "the %s model '%s' says nothing: expected a title, or rules; crashlit models -v lists "
             "built-in ones to begin with",
             kind, name);
    if (model) {
        model->title[side] = arena_strdup(loader->arena, parsed ? parsed->title : "");
        model->called[side] = called(loader, arena_strdup(loader->arena, name), parsed);
    }
}

static void read_text(struct loader *loader, const struct source *source, int side,
                      struct cat_model *model)
{
    struct open_file file = {.source = source, .folder = "", .in_memory = true};
    const struct cat_file *parsed = read_source(loader, &file);
    model->title[side] = arena_strdup(loader->arena, parsed ? parsed->title : "");
    model->called[side] = called(loader, source->name, parsed);
}

/* ---- The whole ---- */

static void begin_model(struct loader *loader, struct arena *arena, const struct cat_asker *asker,
                        struct diag *diag)
{
    static const struct reach nothing;
    static const struct cat_asker user = {.reach = &nothing, .is_user = true};
    *loader = (struct loader){
        .arena = arena, .asker = asker ? asker : &user, .diag = diag, .names = intern_new()};
    read_library(loader, "stdlib.cat");
    loader->contract_instrs = loader->instrs.count;
    read_library(loader, "contract.cat");
    loader->visibility.instrs = loader->instrs.count;
    loader->visibility.sources = loader->sources.count;
}

static void begin_persistency(struct loader *loader)
{
    loader->persistency.instrs = loader->instrs.count;
    loader->persistency.sources = loader->sources.count;
}

static bool resolve(struct loader *loader, const struct cat_basis *basis, struct cat_model *model)
{
    struct cat_resolver *resolver =
        cat_resolve_new(&loader->scratch, loader->names, basis, loader->diag);
    const struct cat_instr *const *instrs = loader->instrs.items;
    size_t persistency = loader->persistency.instrs;
    const struct source *own = loader->sources.items[loader->persistency.sources];
    for (size_t i = 0; i <= loader->instrs.count; i++) {
        if (i == loader->contract_instrs)
            cat_resolve_begin_contract(resolver);
        if (i == loader->visibility.instrs) {
            cat_resolve_ahead(resolver, instrs + persistency, loader->instrs.count - persistency);
            cat_resolve_begin_visibility(resolver,
                                         loader->sources.items[loader->visibility.sources]);
        }
        if (i == persistency)
            cat_resolve_begin_persistency(resolver);
        if (i < loader->instrs.count)
            cat_resolve_instr(resolver, instrs[i]);
        if (i >= persistency && i < loader->instrs.count)
            cat_resolve_keep_added(resolver, instrs[i]);
        if (i >= persistency && i < loader->instrs.count && instrs[i]->span.source == own)
            cat_resolve_note_own(resolver, instrs[i]);
    }
    bool fine = cat_resolve_finish(resolver, loader->arena, model);
    cat_resolve_free(resolver);
    return fine;
}

static void release(struct loader *loader)
{
    VEC_FREE(&loader->instrs);
    VEC_FREE(&loader->sources);
    VEC_FREE(&loader->asked);
    intern_free(loader->names);
    arena_fini(&loader->scratch);
}

/* ---- Variants ---- */

static bool is_asked(const struct loader *loader, const struct cat_variant *variant)
{
    size_t i = 0;
    while (i < loader->asked.count && !cat_variant_is(variant, loader->asked.items[i]))
        i++;
    return i < loader->asked.count;
}

/* "'a', 'b' and more", the first that are asked about. */
static const char *asked_list(struct loader *loader)
{
    enum { LISTED = 8 };
    const char *names[LISTED + 1];
    size_t count = 0;
    for (size_t i = 0; i < loader->asked.count && count <= LISTED; i++) {
        const char *name = utf8_name(&loader->scratch, loader->asked.items[i]);
        name = arena_printf(&loader->scratch, "'%s'", name);
        size_t k = 0;
        while (k < count && strcmp(names[k], name) != 0)
            k++;
        if (k == count) {
            names[count] = count < LISTED ? name : "more";
            count++;
        }
    }
    return count ? arena_list(&loader->scratch, names, count) : "none";
}

static void warn_unasked(struct loader *loader, const struct cat_model *model,
                         const struct cat_variant *variant)
{
    const char *name = utf8_name(&loader->scratch,
                                 arena_strndup(&loader->scratch, variant->text, variant->length));
    const char *near = diag_nearest(name, loader->asked.items, loader->asked.count);
    const char *mend =
        near ? arena_printf(&loader->scratch, "did you mean '%s'?",
                            utf8_name(&loader->scratch, near))
             : arena_printf(&loader->scratch, "they ask about %s", asked_list(loader));
    diag_warning(loader->diag, DIAG_CAT_VARIANT, NOWHERE,
                 "no file of %s + %s asks about the variant '%s'; %s", model->visibility,
                 model->persistency, name, mend);
}

/* What a variant turns on makes another model of the same files: in whatever order they are on. */
static void note_variants(struct loader *loader, struct cat_model *model)
{
    const struct cat_variants *on = loader->asker->variants;
    uint64_t digests = 0;
    for (uint32_t i = 0; on && i < on->count; i++) {
        const struct source name = {.text = on->on[i].text, .length = on->on[i].length};
        if (is_asked(loader, &on->on[i]))
            digests += source_digest(model->digest, &name);
        else
            warn_unasked(loader, model, &on->on[i]);
    }
    model->digest += digests;
}

static const struct cat_model *end_model(struct loader *loader, const struct cat_basis *basis,
                                         struct cat_model *model)
{
    bool fine = !loader->failed && resolve(loader, basis, model);
    for (size_t i = 0; i < loader->sources.count; i++)
        model->digest = source_digest(model->digest, loader->sources.items[i]);
    if (fine)
        note_variants(loader, model);
    release(loader);
    return fine ? model : NULL;
}

bool cat_model_accepts(const char *kind, const char *name, struct diag *diag)
{
    struct loader loader = {.diag = diag};
    bool fine = cat_model_is_path(name) || find_named(&loader, kind, name);
    arena_fini(&loader.scratch);
    return fine;
}

bool cat_model_sources(struct arena *arena, const struct cat_asker *asker, const char *kind,
                       const char *name, struct cat_sources *sources, struct diag *diag)
{
    struct loader loader;
    begin_model(&loader, arena, asker, diag);
    read_named(&loader, kind, name, 0, NULL);
    *sources = (struct cat_sources){VEC_KEEP(arena, &loader.sources), loader.sources.count};
    bool fine = !loader.failed;
    release(&loader);
    return fine;
}

const struct cat_model *cat_model_load(struct arena *arena, const struct cat_basis *basis,
                                       const struct cat_asker *asker, const char *visibility,
                                       const char *persistency, struct diag *diag)
{
    struct loader loader;
    begin_model(&loader, arena, asker, diag);
    struct cat_model *model = ARENA_NEW(arena, struct cat_model);
    model->visibility = utf8_name(arena, arena_strdup(arena, visibility));
    model->persistency = utf8_name(arena, arena_strdup(arena, persistency));
    read_named(&loader, "visibility", visibility, 0, model);
    begin_persistency(&loader);
    read_named(&loader, "persistency", persistency, 1, model);
    model->builtin =
        !cat_model_is_path(visibility) && !cat_model_is_path(persistency) && !loader.replaced;
    return end_model(&loader, basis, model);
}

const struct cat_model *cat_model_load_sources(struct arena *arena, const struct cat_basis *basis,
                                               const struct cat_variants *variants,
                                               const struct source *visibility,
                                               const struct source *persistency, struct diag *diag)
{
    const struct cat_asker user = {.is_user = true, .variants = variants};
    struct loader loader;
    begin_model(&loader, arena, &user, diag);
    struct cat_model *model = ARENA_NEW(arena, struct cat_model);
    model->visibility = visibility->name;
    model->persistency = persistency->name;
    read_text(&loader, visibility, 0, model);
    begin_persistency(&loader);
    read_text(&loader, persistency, 1, model);
    return end_model(&loader, basis, model);
}
