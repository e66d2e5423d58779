#include "litmus/lit_uses_reading.h"
#include "litmus/lit_words.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

const struct lit_definition *lit_uses_find(const struct lit_definitions *definitions,
                                           uint32_t count, const char *name)
{
    while (count-- > 0)
        if (definitions->items[count]->name == name)
            return definitions->items[count];
    return NULL;
}

/* ---- Files ---- */

static const char *file_name(const struct source_builtin *builtin)
{
    return strchr(builtin->path, '/') + 1;
}

/* "lin.def", and of the user "lin". */
static const struct source *builtin_source(struct lit_uses_reading *reading, const char *name)
{
    EACH (const struct source_builtin, builtin, lit_builtins, lit_builtin_count)
        if (strcmp(file_name(builtin), name) == 0)
            return source_from_builtin(reading->test->arena, builtin);
    return NULL;
}

static void report_missing(struct lit_uses_reading *reading, const char *name, struct span span)
{
    SCOPED(strbuf) list = {0};
    VEC(const char *) names = {0};
    for (size_t i = 0; i < lit_builtin_count; i++) {
        VEC_PUSH(&names, file_name(&lit_builtins[i]));
        strbuf_printf(&list, "%s%s", i ? ", " : "", names.items[i]);
    }
    const char *near = diag_nearest(name, names.items, names.count);
    if (reading->surroundings->nowhere)
        LIT_USES_FAIL(reading, DIAG_LIT_USES, NOWHERE,
                      "there is no definition file '%s': a test of standard input stands in no "
                      "folder; name the file with --uses, or its folder with -I",
                      name);
    else if (near)
        LIT_USES_FAIL(reading, DIAG_LIT_USES, span,
                      "there is no definition file '%s'; did you mean '%s'?", name, near);
    else
        LIT_USES_FAIL(
            reading, DIAG_LIT_USES, span,
            "there is no definition file '%s' beside the test or in a folder of -I; built in are "
            "%s",
            name, strbuf_text(&list));
    if (!reading->surroundings->nowhere)
        diag_meant_by(reading->test->diag, span, name, near);
    VEC_FREE(&names);
}

static const struct reach *reach_of(const struct lit_surroundings *surroundings)
{
    static const struct reach nothing;
    return surroundings->reach ? surroundings->reach : &nothing;
}

/* The file of a name in a test; a text in memory has no folder of its own. */
static enum reach_answer find_file(struct arena *arena, const struct lit_surroundings *surroundings,
                                   const char *name, const char *endings,
                                   const struct source **source, const char **why)
{
    const struct reach *reach = reach_of(surroundings);
    const char *folder = surroundings->folder;
    if (!folder && reach->searched_count)
        folder = reach->searched[0];
    const char *path = reach_find(arena, reach, folder, name);
    return reach_load(arena, reach, folder, path, endings, source, why);
}

/* What is to be read in place of that file. */
static const struct source *instead_of(const struct lit_surroundings *surroundings,
                                       const struct source *source)
{
    for (uint32_t i = 0; source && i < surroundings->instead_count; i++)
        if (source_same_path(surroundings->instead[i]->path, source->path))
            return surroundings->instead[i];
    return source;
}

static bool is_bare(const char *name)
{
    return !reach_is_path(name, REACH_DEFINITIONS);
}

/* Of the user: a file, or else the name of a built-in one with its ending or without. */
static const struct source *source_of_user(struct lit_uses_reading *reading, const char *name,
                                           const char **why)
{
    struct arena *arena = reading->test->arena;
    bool bare = is_bare(name);
    const struct source *source =
        bare ? NULL
             : source_load(arena, reach_find(arena, reach_of(reading->surroundings), NULL, name),
                           why);
    if (!source)
        source = builtin_source(reading,
                                bare ? arena_printf(arena, "%s" REACH_DEFINITIONS, name) : name);
    return instead_of(reading->surroundings, source);
}

/* A text in memory, or one that came on standard input, names a file of the user's as that is called. */
static const struct source *named_by_user(struct lit_uses_reading *reading, const char *name,
                                          const char **why)
{
    const struct lit_surroundings *surroundings = reading->surroundings;
    const bool has_none = !surroundings->folder || surroundings->nowhere;
    for (uint32_t i = 0; i < surroundings->uses_count && has_none; i++)
        if (strcmp(source_file_name(surroundings->uses[i]), name) == 0)
            return source_of_user(reading, surroundings->uses[i], why);
    return NULL;
}

/* NULL: as the answer says. */
static const struct source *used_source(struct lit_uses_reading *reading, const char *name,
                                        enum reach_answer *answer, const char **why)
{
    const struct source *source = named_by_user(reading, name, why);
    *answer = REACH_FOUND;
    if (source)
        return source;
    *answer = find_file(reading->test->arena, reading->surroundings, name, REACH_DEFINITIONS,
                        &source, why);
    bool in_memory = !reading->surroundings->folder && *answer == REACH_REFUSED;
    if (*answer == REACH_MISSING || in_memory)
        source = builtin_source(reading, name);
    return instead_of(reading->surroundings, source);
}

static void use(struct lit_uses_reading *reading, const struct ast_use *use)
{
    const char *name = use->name.text, *why = NULL;
    enum reach_answer answer;
    const struct source *source = used_source(reading, name, &answer, &why);
    if (source)
        lit_uses_define(reading, source);
    else if (answer == REACH_REFUSED)
        LIT_USES_FAIL(reading, DIAG_FILE_REACH, use->span,
                      "'%s' is out of reach: " REACH_ADVICE(REACH_DEFINITIONS), name);
    else if (answer == REACH_UNREADABLE)
        LIT_USES_FAIL(reading, DIAG_LIT_USES, use->span, "cannot read '%s': %s", name, why);
    else
        report_missing(reading, name, use->span);
}

static void use_of_user(struct lit_uses_reading *reading, const char *name)
{
    const char *why = strerror(ENOENT);
    const struct source *source = source_of_user(reading, name, &why);
    if (source)
        lit_uses_define(reading, source);
    else if (is_bare(name))
        report_missing(reading, name, NOWHERE);
    else
        LIT_USES_FAIL(reading, DIAG_FILE_READ, NOWHERE, "cannot read the definition file '%s': %s",
                      name, why);
}

/* Which of them are meant is the user's to say, or an expectation's. */
static void settle_models(struct lit_uses_reading *reading)
{
    const struct lit_models *one = reading->models, *other = reading->others;
    struct diag *diag = reading->test->diag;
    if (!other)
        return;
    reading->models = NULL;
    if (reading->surroundings->models_named || reading->test->test->expects.count)
        return;
    diag_warning(
        diag, DIAG_LIT_USES, other->span,
        "this definition file names the models %s + %s, and one used before it %s + %s, so "
        "the models are hrf-direct + epoch; choose others with -m and -p, or in the test, "
        "as in expect %s + %s : ok",
        other->visibility, other->persistency, one->visibility, one->persistency, one->visibility,
        one->persistency);
    diag_note(diag, one->span, "%s + %s is named here", one->visibility, one->persistency);
}

bool lit_uses_read(struct lit_syntax *syntax, const struct lit_surroundings *surroundings,
                   struct lit_definitions *definitions)
{
    struct lit_uses_reading reading = {.test = syntax, .surroundings = surroundings};
    const struct ast_uses *uses = &syntax->test->uses;
    uint32_t number = 0;
    for (const struct ast_use *at = uses->first; at; at = at->next)
        if (number++ < LIT_MAX_USES)
            use(&reading, at);
        else if (number == LIT_MAX_USES + 1)
            LIT_USES_FAIL(&reading, DIAG_LIT_TOO_LARGE, at->span,
                          "this test uses more than %d definition files", LIT_MAX_USES);
    for (uint32_t i = 0; i < surroundings->uses_count && !uses->count; i++)
        use_of_user(&reading, surroundings->uses[i]);
    settle_models(&reading);
    *definitions = (struct lit_definitions){VEC_KEEP(syntax->arena, &reading.definitions),
                                            (uint32_t)reading.definitions.count,
                                            reading.digest,
                                            reading.models,
                                            VEC_KEEP(syntax->arena, &reading.weaker),
                                            (uint32_t)reading.weaker.count};
    VEC_FREE(&reading.definitions);
    VEC_FREE(&reading.weaker);
    return !reading.failed;
}

bool lit_uses_check(struct arena *arena, struct intern *names, const struct source *source,
                    struct diag *diag, const struct lit_models **models)
{
    struct ast_test test = {.dialect = lit_dialect_find("OPENCL", strlen("OPENCL"))};
    struct lit_syntax syntax = {.arena = arena, .names = names, .diag = diag, .test = &test};
    const struct lit_surroundings nothing = {0};
    struct lit_uses_reading reading = {.test = &syntax, .surroundings = &nothing, .alone = true};
    lit_uses_define(&reading, source);
    *models = NULL;
    if (reading.models) {
        struct lit_models *kept = arena_copy(arena, reading.models, sizeof *kept);
        kept->visibility = arena_strdup(arena, kept->visibility);
        kept->persistency = arena_strdup(arena, kept->persistency);
        *models = kept;
    }
    VEC_FREE(&reading.definitions);
    VEC_FREE(&reading.weaker);
    return !reading.failed;
}

uint32_t lit_uses_sources(struct lit_syntax *syntax, const struct lit_surroundings *surroundings,
                          const struct source **sources)
{
    struct lit_uses_reading reading = {.test = syntax, .surroundings = surroundings};
    const struct ast_uses *uses = &syntax->test->uses;
    enum reach_answer answer;
    const char *why;
    uint32_t count = 0;
    for (const struct ast_use *at = uses->first; at && count < LIT_MAX_USES; at = at->next)
        if ((sources[count] = used_source(&reading, at->name.text, &answer, &why)) != NULL)
            count++;
    for (uint32_t i = 0; i < surroundings->uses_count && !uses->count && count < LIT_MAX_USES; i++)
        if ((sources[count] = source_of_user(&reading, surroundings->uses[i], &why)) != NULL)
            count++;
    return count;
}

/* ---- Names nearby ---- */

const char *lit_uses_nearest(struct arena *arena, const struct lit_definitions *definitions,
                             const char *name, bool called)
{
    const char **names = ARENA_ARRAY(arena, const char *, definitions->count + 1);
    for (uint32_t i = 0; i < definitions->count; i++)
        names[i] = definitions->items[i]->name;
    names[definitions->count] = called ? lit_word_nearest_call(name, false) : NULL;
    return diag_meant(name, names, definitions->count + (names[definitions->count] != NULL));
}

/* Does a line of the file begin with a definition of that name? */
static bool is_defined_in(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, name, length) == 0 && line[length] && strchr("( {", line[length]))
            return true;
    return false;
}

static bool names_models(const char *text)
{
    return strstr(text, "\nmodels ") != NULL;
}

/* What the file is of, by its first line: "Lin" of "// Lin: lines written back". */
static void add_subject(const char *text, struct strbuf *out)
{
    static const char comment[] = "// ";
    const char *title = text + sizeof comment - 1;
    size_t length = strcspn(title, ":\n");
    if (strncmp(text, comment, sizeof comment - 1) == 0 && title[length] == ':') {
        strbuf_add(out, " (");
        strbuf_add_bytes(out, title, length);
        strbuf_add_char(out, ')');
    }
}

/* Those that name models come first: under these the name has a meaning. */
const char *lit_uses_advice(struct arena *arena, const char *name, const char **file_to_use)
{
    SCOPED(strbuf) files = {0};
    const char *first = NULL;
    bool several = false;
    for (size_t i = 0; i < 2 * lit_builtin_count; i++) {
        const char *text = lit_builtins[i % lit_builtin_count].text;
        const char *file = file_name(&lit_builtins[i % lit_builtin_count]);
        if (!is_defined_in(text, name) || names_models(text) != (i < lit_builtin_count))
            continue;
        several = first != NULL;
        strbuf_printf(&files, "%s'%s'", several ? ", " : "", file);
        add_subject(text, &files);
        if (!first)
            first = file;
    }
    const char *advice =
        first ? arena_printf(arena, "%s %s: write uses \"%s\"%s before the initial state",
                             strbuf_text(&files), several ? "define it" : "defines it", first,
                             several ? ", or another of them," : "")
              : NULL;
    *file_to_use = first;
    return advice;
}

const char *lit_uses_file_like(const char *word, size_t length)
{
    for (size_t i = 0; i < lit_builtin_count; i++) {
        const char *file = file_name(&lit_builtins[i]);
        if (strncasecmp(file, word, length) == 0 && strcmp(file + length, REACH_DEFINITIONS) == 0)
            return file;
    }
    return NULL;
}

const char *lit_uses_lack(struct arena *arena, const struct lit_definitions *definitions)
{
    SCOPED(strbuf) files = {0};
    const struct source *before = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < definitions->count; i++) {
        const struct source *source = definitions->items[i]->span.source;
        const char *slash = strrchr(source->name, '/');
        if (source != before)
            strbuf_printf(&files, "%s'%s'", count++ ? ", " : "", slash ? slash + 1 : source->name);
        before = source;
    }
    return count ? arena_printf(arena, "%s %s not have it", strbuf_text(&files),
                                count > 1 ? "do" : "does")
                 : NULL;
}

/* The line goes before the first word of what is there. */
void lit_uses_offer(struct arena *arena, const struct ast_test *test, struct diag *diag,
                    struct span span, const char *file_to_use)
{
    size_t length, word = 0;
    if (!file_to_use || !test->start.source)
        return;
    const char *at = source_slice(&test->start, &length);
    while (word < length && at[word] >= 'a' && at[word] <= 'z')
        word++;
    const char *text = arena_strndup(arena, at, word ? word : 1);
    struct span within = test->start;
    within.end_line = within.line;
    within.end_column = within.column + (uint32_t)strlen(text);
    diag_meant_within(diag, span, within, text,
                      arena_printf(arena, "uses \"%s\"\n%s", file_to_use, text));
}

static bool read_code(struct lit_syntax *syntax, const struct lit_surroundings *surroundings,
                      struct ast_code *code)
{
    const char *name = code->name.text, *why = NULL;
    code->source = surroundings->code;
    if (code->source)
        return true;
    switch (find_file(syntax->arena, surroundings, name, REACH_CODE, &code->source, &why)) {
    case REACH_FOUND: code->source = instead_of(surroundings, code->source); return true;
    case REACH_MISSING:
        diag_error(
            syntax->diag, DIAG_PTX_FILE, code->name.span,
            "there is no file '%s' beside the test or in a folder of -I; the compiler writes "
            "it: %s",
            name, syntax->test->dialect->compiled_by);
        break;
    case REACH_REFUSED:
        diag_error(syntax->diag, DIAG_FILE_REACH, code->name.span,
                   "'%s' is out of reach: " REACH_ADVICE(REACH_CODE), name);
        break;
    case REACH_UNREADABLE:
        diag_error(syntax->diag, DIAG_PTX_FILE, code->name.span, "cannot read '%s': %s", name, why);
        break;
    }
    return false;
}

bool lit_uses_code(struct lit_syntax *syntax, const struct lit_surroundings *surroundings,
                   struct lit_definitions *definitions)
{
    for (struct ast_code *code = syntax->test->codes.first; code; code = code->next) {
        if (!read_code(syntax, surroundings, code))
            return false;
        definitions->digest = source_digest(definitions->digest, code->source);
    }
    return true;
}
