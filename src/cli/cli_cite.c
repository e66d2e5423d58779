/* `crashlit cite`: what to cite of a model or a machine. */
#include "base/build.h"
#include "cli/cli_commands.h"
#include "cli/cli_model_file.h"
#include "document/report_json.h"
#include "explore/mach_config.h"
#include "report/report_string.h"
#include "session/session_machines.h"
#include "session/session_models.h"

#include <ctype.h>
#include <string.h>

#define TITLE "crashlit: a formal persistency model checker and litmus tool for GPUs"
#define AUTHORS "The authors of crashlit"

enum { PHRASES = 3 };

struct paper {
    const char *key, *kind, *authors, *title, *venue;
    uint32_t year;
    const char *phrases[PHRASES]; /* "": no more */
};

static const struct paper papers[] = {
#define PAPER(key, kind, authors, title, venue, year, ...) \
    {key, kind, authors, title, venue, year, {__VA_ARGS__}},
#include "cli/cli_papers.def"
#undef PAPER
};
enum { PAPERS = sizeof papers / sizeof *papers };

/* A model, or a machine with the persistency models that it promises. */
struct cite {
    struct arena *arena;
    const struct ask_options *options;
    bool bibtex;
    bool told[PAPERS]; /* its BibTeX is printed */
    bool found[PAPERS];
    VEC(const char *) own; /* what files say themselves, behind "cite:" */
    size_t own_from;       /* those of the model or machine at hand */
    struct strbuf *out;
    struct diag *diag;
};

/* ---- Papers ---- */

static void add_without_braces(struct strbuf *out, const char *text)
{
    for (; *text; text++)
        if (*text != '{' && *text != '}')
            strbuf_add_char(out, *text);
}

/* "A, B and C: Title. Venue, year." */
static void add_words(const struct paper *paper, struct strbuf *out)
{
    static const char and[] = " and ";
    const char *at = paper->authors, *next;
    strbuf_add(out, "    ");
    for (; (next = strstr(at, and)) != NULL; at = next + strlen(and)) {
        strbuf_add_bytes(out, at, (size_t)(next - at));
        strbuf_add(out, strstr(next + strlen(and), and) ? ", " : and);
    }
    add_without_braces(out, at);
    strbuf_add(out, ": ");
    add_without_braces(out, paper->title);
    strbuf_add(out, ". ");
    add_without_braces(out, paper->venue);
    strbuf_printf(out, ", %u.\n", paper->year);
}

static void add_bibtex(const struct paper *paper, struct strbuf *out)
{
    const char *where = strcmp(paper->kind, "article") == 0  ? "journal"
                        : strcmp(paper->kind, "manual") == 0 ? "organization"
                                                             : "booktitle";
    strbuf_printf(
        out, "@%s{%s,\n  author = {%s},\n  title = {%s},\n  %s = {%s},\n  year = {%u}\n}\n\n",
        paper->kind, paper->key, paper->authors, paper->title, where, paper->venue, paper->year);
}

static void add_own(struct cite *cite, const char *name)
{
    const char *file = source_file_name(name);
    for (size_t i = cite->own_from; i < cite->own.count; i++) {
        if (!cite->bibtex) {
            strbuf_printf(cite->out, "    %s\n", cite->own.items[i]);
            continue;
        }
        strbuf_add(cite->out, "@misc{");
        for (const char *at = file; *at && *at != '.'; at++)
            strbuf_add_char(cite->out, isalnum((unsigned char)*at) ? *at : '-');
        strbuf_printf(cite->out, "-%zu,\n  note = {", i + 1);
        report_tex_text(cite->out, cite->own.items[i]);
        strbuf_add(cite->out, "}\n}\n\n");
    }
}

static void add_papers(struct cite *cite, const char *name)
{
    bool any = cite->own.count > cite->own_from;
    add_own(cite, name);
    for (uint32_t i = 0; i < PAPERS; i++) {
        if (!cite->found[i])
            continue;
        any = true;
        if (!cite->bibtex)
            add_words(&papers[i], cite->out);
        else if (!cite->told[i])
            add_bibtex(&papers[i], cite->out);
        cite->told[i] = true;
    }
    if (!any && !cite->bibtex)
        strbuf_add(cite->out, "    its files name no paper that is known here; a comment line "
                              "'cite: AUTHORS: TITLE. VENUE, YEAR.' names one\n");
}

/* A line of text, where marks of comments and line ends are blanks. */
static const char *one_line(struct arena *arena, const struct source *source)
{
    struct strbuf line = {0};
    bool gap = false;
    for (const char *at = source->text; *at; at++) {
        bool blank = strchr(" \t\n#*", *at) != NULL;
        if (!blank && gap)
            strbuf_add_char(&line, ' ');
        if (!blank)
            strbuf_add_char(&line, *at);
        gap = blank;
    }
    return strbuf_take(&line, arena);
}

/* What stands behind "cite:" in a line of a comment; NULL: nothing does. */
static const char *said_in(struct arena *arena, const char *line, size_t length)
{
    static const char mark[] = "cite:", marks[] = " \t#(*/";
    const char *end = line + length;
    while (line < end && strchr(marks, *line))
        line++;
    if ((size_t)(end - line) < sizeof mark || memcmp(line, mark, sizeof mark - 1) != 0)
        return NULL;
    line += sizeof mark - 1;
    while (line < end && strchr(" \t", *line))
        line++;
    while (line < end && strchr(" \t\r*)", end[-1]) && !(end[-1] == ')' && end[-2] != '*'))
        end--;
    return line < end ? arena_strndup(arena, line, (size_t)(end - line)) : NULL;
}

/* Each text once. */
static void look_for_own(struct cite *cite, const struct source *source)
{
    const char *end = source->text + source->length, *next;
    for (const char *at = source->text; at < end; at = next) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        next = line_end ? line_end + 1 : end;
        const char *said = said_in(cite->arena, at, (size_t)((line_end ? line_end : end) - at));
        if (said && !ANY(i, cite->own.count, strcmp(cite->own.items[i], said) == 0))
            VEC_PUSH(&cite->own, said);
    }
}

static void look_for_papers(struct cite *cite, const struct source *source)
{
    SCOPED(arena) arena = {0};
    look_for_own(cite, source);
    const char *line = one_line(&arena, source);
    for (uint32_t i = 0; i < PAPERS; i++)
        for (uint32_t k = 0; k < PHRASES && papers[i].phrases[k] && *papers[i].phrases[k]; k++)
            cite->found[i] |= strstr(line, papers[i].phrases[k]) != NULL;
}

/* ---- Models and machines ---- */

/* A line. It has no '@', with which an entry of BibTeX begins wherever it stands. */
static void add_remark(struct cite *cite, const char *text)
{
    for (; *text; text++)
        strbuf_add_char(cite->out, *text == '\n'                  ? ' '
                                   : cite->bibtex && *text == '@' ? '?'
                                                                  : *text);
    strbuf_add_char(cite->out, '\n');
}

static void add_head(struct cite *cite, const char *name, const char *what, const char *title,
                     uint64_t digest, const char *files)
{
    char digits[REPORT_DIGEST_SIZE];
    report_digest(digest, digits);
    strbuf_add(cite->out, cite->bibtex ? "% " : "");
    add_remark(cite,
               arena_printf(cite->arena, "%s, %s%s%s", name, what, *title ? ": " : "", title));
    strbuf_add(cite->out, cite->bibtex ? "% " : "  ");
    add_remark(cite, arena_printf(cite->arena, "digest %s of %s", digits, files));
    strbuf_add(cite->out, cite->bibtex ? "\n" : "");
}

static bool sources_of(struct cite *cite, const char *kind, const char *name,
                       struct cat_sources *sources)
{
    const struct cat_asker asker = session_models_user(&cite->options->settings);
    return cat_model_sources(cite->arena, &asker, kind, name, sources, cite->diag);
}

enum { OF_EVERY_MODEL = 2 /* files, which are the tool's */ };

static void look_for_papers_of(struct cite *cite, const struct cat_sources *sources)
{
    for (size_t i = OF_EVERY_MODEL; i < sources->count; i++)
        look_for_papers(cite, sources->items[i]);
}

/* In words each has its own, in BibTeX what is told is not told again. */
static void begin(struct cite *cite)
{
    memset(cite->found, 0, sizeof cite->found);
    if (!cite->bibtex)
        VEC_CLEAR(&cite->own);
    cite->own_from = cite->own.count;
}

static void cite_model(struct cite *cite, const char *kind, const char *name)
{
    struct cat_sources sources;
    uint64_t digest = 0;
    const char *files = "";
    if (!sources_of(cite, kind, name, &sources) || sources.count <= OF_EVERY_MODEL)
        return;
    for (size_t i = OF_EVERY_MODEL; i < sources.count; i++) {
        digest = source_digest(digest, sources.items[i]);
        files =
            arena_printf(cite->arena, "%s%s%s", files, *files ? ", " : "", sources.items[i]->name);
    }
    begin(cite);
    look_for_papers_of(cite, &sources);
    add_head(cite, name, arena_printf(cite->arena, "a %s model", kind),
             cli_model_file_title(cite->arena, sources.items[OF_EVERY_MODEL]), digest, files);
    add_papers(cite, name);
}

static void cite_machine(struct cite *cite, const char *name)
{
    const struct mach_file *file =
        session_machine_read(cite->arena, &cite->options->settings, name, cite->diag);
    struct cat_sources sources;
    if (!file)
        return;
    begin(cite);
    look_for_papers(cite, file->source);
    for (uint32_t i = 0; i < file->promise_count; i++)
        if (sources_of(cite, "persistency", file->promises[i].persistency, &sources))
            look_for_papers_of(cite, &sources);
    add_head(cite, name, "a machine", "", source_digest(0, file->source), file->source->name);
    add_papers(cite, name);
}

static const char *kind_of(const struct cite *cite, const char *path)
{
    const struct cat_asker asker = session_models_user(&cite->options->settings);
    return cli_model_file_kind(&asker, path);
}

/* Where a model and a machine have one name it is of both. */
static void cite_named(struct cite *cite, const char *name)
{
    static const char *const kinds[] = {"visibility", "persistency"};
    const char *machines[ASK_MAX_WORDS];
    bool found = false;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < cat_builtin_count; i++)
            if (source_builtin_is_in(&cat_builtins[i], kinds[k]) &&
                strcmp(source_builtin_name(cite->arena, &cat_builtins[i]), name) == 0) {
                cite_model(cite, kinds[k], name);
                found = true;
            }
    const size_t count = ask_machine_words(cite->arena, machines);
    bool is_machine = ANY(i, count, strcmp(machines[i], name) == 0);
    if (is_machine || reach_ends(name, MACH_CONFIG_ENDS))
        cite_machine(cite, name);
    else if (!found && cat_model_is_path(name))
        cite_model(cite, kind_of(cite, name), name);
    else if (!found)
        diag_error(cite->diag, DIAG_CAT_MODEL, NOWHERE,
                   "no built-in model or machine '%s'; crashlit models and crashlit machines list "
                   "them, and the path of a file ends in .cat or .machine",
                   name);
}

static void cite_tool(const struct cite *cite)
{
    if (cite->bibtex)
        strbuf_printf(cite->out,
                      "@misc{crashlit,\n  author = {{" AUTHORS "}},\n  title = {{" TITLE
                      "}},\n  note = {Version %s}\n}\n\n",
                      base_version);
    else
        strbuf_printf(cite->out, "crashlit, the tool\n    " AUTHORS ": " TITLE ". Version %s.\n",
                      base_version);
}

void cli_cite(struct arena *arena, const struct ask_options *options, struct strbuf *out,
              struct diag *diag)
{
    struct cite cite = {.arena = arena,
                        .options = options,
                        .bibtex = options->format == RUN_DOCUMENT,
                        .out = out,
                        .diag = diag};
    cite_tool(&cite);
    for (uint32_t i = 0; i < options->input_count; i++)
        cite_named(&cite, options->inputs[i]);
    VEC_FREE(&cite.own);
}
