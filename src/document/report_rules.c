#include "document/report_rules.h"

#include "base/vec.h"
#include "cat/cat_parse.h"
#include "cat/cat_text.h"
#include "document/report_rules_expr.h"
#include "report/report_string.h"

#include <string.h>

/* Files that include each other, and which of them are printed or begun. */
struct files {
    const struct source *const *items;
    size_t count;
    bool *told;
};

struct rules {
    const struct files *files; /* NULL: includes are not followed */
    const struct cat_file *parsed;
    bool is_headed;       /* what is printed now stands below its head */
    bool is_begun;        /* it had a head before */
    struct strbuf behind; /* what is to be said below the next head */
    struct arena arena;
    const struct source *source;
    const char *file; /* its name, as labels have it */
    report_rules_wanted *wanted;
    const void *context;
    size_t at; /* up to here its comments are printed */
    VEC(const char *) labels;
    struct strbuf *out;
};

void report_rules_begin(struct strbuf *out)
{
    strbuf_add(out, "\\ifdefined\\crashlitsection\\else\\let\\crashlitsection\\subsection\\fi\n"
                    "\\ifdefined\\crashlitdefinition\\else\n"
                    "\\newcounter{crashlitdefinition}\\newcounter{crashlitaxiom}\n"
                    "\\newenvironment{crashlitdefinition}[1]{\\par\\medskip\\noindent"
                    "\\refstepcounter{crashlitdefinition}"
                    "\\textbf{Definition \\thecrashlitdefinition} (#1)\\textbf{.} }{\\par}\n"
                    "\\newenvironment{crashlitaxiom}[1]{\\par\\medskip\\noindent"
                    "\\refstepcounter{crashlitaxiom}"
                    "\\textbf{Axiom \\thecrashlitaxiom} (#1)\\textbf{.} }{\\par}\\fi\n"
                    "\\ifdefined\\crashlitname\\else\\def\\crashlitname#1{\\textit{#1}}\\fi\n"
                    "\\ifdefined\\crashlitset\\else\\def\\crashlitset#1{\\textsf{#1}}\\fi\n"
                    "\\binoppenalty=100 \\relpenalty=50 \\raggedright\n");
}

/* ---- Labels ---- */

/* "epoch" of "builtin:persistency/epoch.cat", "hrf" of "builtin:hrf.cat". */
static const char *name_of(struct arena *arena, const char *path)
{
    const char *name = source_file_name(path);
    name += strncmp(name, "builtin:", 8) == 0 ? 8 : 0;
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, ".cat") == 0)
        length -= 4;
    return arena_strndup(arena, name, length);
}

/* Signs that LaTeX takes for itself are hyphens. */
static const char *label_of(struct rules *rules, const char *file, const char *name)
{
    struct strbuf label = {0};
    strbuf_printf(&label, "crashlit:%s%s%s", file, *name ? ":" : "", name);
    for (char *at = label.text; *at; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= '0' && *at <= '9') || strchr(":.-", *at);
        *at = plain ? *at : '-';
    }
    return strbuf_take(&label, &rules->arena);
}

/* What is defined again has a number behind its name. */
static void add_label(struct rules *rules, const char *name)
{
    const char *label = label_of(rules, rules->file, name);
    const size_t again =
        COUNT_IF(i, rules->labels.count, strcmp(rules->labels.items[i], label) == 0);
    VEC_PUSH(&rules->labels, label);
    strbuf_printf(rules->out, "\\label{%s", label);
    if (again)
        strbuf_printf(rules->out, ":%zu", again + 1);
    strbuf_add(rules->out, "}");
}

/* ---- Comments ---- */

/* What a comment says, in one line. */
static void add_comment(const struct rules *rules, const char *text, size_t length)
{
    SCOPED(strbuf) line = {0};
    bool bracketed = *text == '(', gap = false;
    size_t from = bracketed ? 2 : strspn(text, "/#");
    size_t to = bracketed && length >= 4 ? length - 2 : length;
    for (; from < to; from++) {
        bool blank = strchr(" \t\n*", text[from]) && (text[from] != '*' || !line.length);
        if (!blank && gap && line.length)
            strbuf_add_char(&line, ' ');
        if (!blank)
            strbuf_add_char(&line, text[from]);
        gap = blank;
    }
    report_tex_bytes(rules->out, strbuf_text(&line), line.length);
}

/* The next comment from `at` on, before `end`; its length, 0: there is none. */
static size_t next_comment(const char *text, size_t *at, size_t end)
{
    while (*at < end) {
        const char *from = text + *at, *behind = cat_text_behind_comment(from);
        size_t length = (size_t)(behind - from);
        if (length)
            return *at + length < end ? length : end - *at;
        *at += *from == '"' ? 1 + strcspn(from + 1, "\"\n") : 0;
        *at += *at < end;
    }
    return 0;
}

static void add_paragraphs(struct rules *rules, size_t end)
{
    const char *text = rules->source->text;
    for (size_t length; (length = next_comment(text, &rules->at, end)) > 0; rules->at += length) {
        if (strncmp(text + rules->at, "(* family", 9) == 0)
            continue;
        strbuf_add(rules->out, "\n\\medskip\\noindent ");
        add_comment(rules, text + rules->at, length);
        strbuf_add(rules->out, "\\par\n");
    }
}

/* Those in the statement, and those that begin on its last line. */
static void add_footnote(struct rules *rules, size_t end, size_t next)
{
    const char *text = rules->source->text, *before = "\\footnote{";
    size_t limit = end + strcspn(text + end, "\n");
    limit = limit < next ? limit : next;
    for (size_t length; (length = next_comment(text, &rules->at, next)) > 0; rules->at += length) {
        if (rules->at >= limit)
            break;
        strbuf_add(rules->out, before);
        add_comment(rules, text + rules->at, length);
        before = " ";
    }
    strbuf_add(rules->out, *before == ' ' ? "}" : "");
}

/* ---- Statements ---- */

static size_t start_of(const struct rules *rules, const struct cat_instr *instr)
{
    return source_offset(rules->source, instr->span.line, instr->span.column);
}

/* Behind the last byte that is neither blank nor in a comment. */
static size_t end_within(const struct rules *rules, size_t from, size_t next)
{
    const char *text = rules->source->text;
    size_t end = from;
    for (size_t at = from; at < next;) {
        const char *behind = cat_text_behind_comment(text + at);
        if (behind == text + at && !strchr(" \t\r\n", text[at]))
            end = at + 1;
        at = behind == text + at ? at + 1 : (size_t)(behind - text);
    }
    return end;
}

/* Only of these the span reaches to the end. */
static size_t end_of(const struct rules *rules, const struct cat_instr *instr, size_t next)
{
    bool whole = instr->kind == CAT_INSTR_LET || instr->kind == CAT_INSTR_WITH ||
                 instr->kind == CAT_INSTR_LET_REC || instr->kind == CAT_INSTR_CHECK ||
                 instr->kind == CAT_INSTR_CALL;
    return whole ? source_offset(rules->source, instr->span.end_line, instr->span.end_column)
                 : end_within(rules, start_of(rules, instr), next);
}

static void add_code(struct rules *rules, size_t from, size_t end)
{
    const char *text = rules->source->text;
    strbuf_add(rules->out, "\\begin{flushleft}\\ttfamily\\small\\frenchspacing\n");
    for (size_t at = from, length; at < end; at += length) {
        length = (size_t)(cat_text_behind_comment(text + at) - (text + at));
        if (length == 0)
            report_tex_code(rules->out, text + at, length = 1);
    }
    strbuf_add(rules->out, "\\end{flushleft}\n");
    rules->at = end;
}

/* "let rec a = .. and b = ..": a line each. */
static void add_bindings(struct rules *rules, const struct cat_instr *instr)
{
    if (instr->kind == CAT_INSTR_LET_REC)
        strbuf_add(rules->out, "The least with ");
    for (const struct cat_binding *at = instr->bindings.first; at; at = at->next) {
        report_rules_binding(at, rules->out);
        strbuf_add(rules->out, at->next ? ", and " : "");
    }
}

static void add_definition(struct rules *rules, const struct cat_instr *instr, size_t end,
                           size_t next)
{
    const char *before = "";
    strbuf_add(rules->out, "\\begin{crashlitdefinition}{");
    for (const struct cat_binding *at = instr->bindings.first; at; at = at->next)
        for (const struct cat_name *name = at->pattern->names.first; name; name = name->next) {
            strbuf_add(rules->out, before);
            report_tex_text(rules->out, name->text ? name->text : "_");
            before = ", ";
        }
    strbuf_add(rules->out, "}");
    for (const struct cat_binding *at = instr->bindings.first; at; at = at->next)
        for (const struct cat_name *name = at->pattern->names.first; name; name = name->next)
            add_label(rules, name->text ? name->text : "");
    strbuf_add(rules->out, "\n");
    add_bindings(rules, instr);
    add_footnote(rules, end, next);
    strbuf_add(rules->out, "\n\\end{crashlitdefinition}\n");
}

/* "A flag: r is not empty." */
static void add_test(struct rules *rules, const struct cat_instr *instr)
{
    static const char *const says[][2] = {
        [CAT_ACYCLIC] = {" is acyclic", " has a cycle"},
        [CAT_IRREFLEXIVE] = {" is irreflexive", " is not irreflexive"},
        [CAT_IS_EMPTY] = {" is empty", " is not empty"}};
    static const char *const kinds[] = {[CAT_CHECK] = "",
                                        [CAT_FLAG] = "It is flagged that ",
                                        [CAT_UNDEFINED_UNLESS] = "Behaviour is undefined unless "};
    strbuf_add(rules->out, kinds[instr->check]);
    report_rules_expr(instr->expr, rules->out);
    strbuf_printf(rules->out, "%s.", says[instr->test][instr->negated]);
}

static void add_axiom(struct rules *rules, const struct cat_instr *instr, size_t end, size_t next)
{
    const char *name = instr->name                          ? instr->name
                       : instr->expr->kind == CAT_EXPR_NAME ? instr->expr->name
                                                            : "";
    strbuf_add(rules->out, "\\begin{crashlitaxiom}{");
    report_tex_text(rules->out, *name ? name : "without a name");
    strbuf_add(rules->out, "}");
    if (*name)
        add_label(rules, name);
    strbuf_add(rules->out, "\n");
    add_test(rules, instr);
    add_footnote(rules, end, next);
    strbuf_add(rules->out, "\n\\end{crashlitaxiom}\n");
}

static void add_file(const struct source *source, const struct files *files,
                     report_rules_wanted *wanted, const void *context, struct strbuf *out);

/* The first time the file stands here, before the next head. */
static void add_include(struct rules *rules, const struct cat_instr *instr, size_t end, size_t next)
{
    const char *name = name_of(&rules->arena, instr->name);
    struct strbuf *out = rules->out;
    for (size_t i = 0; rules->files && i < rules->files->count; i++) {
        const struct source *file = rules->files->items[i];
        if (rules->files->told[i] || strcmp(name_of(&rules->arena, file->name), name) != 0)
            continue;
        rules->files->told[i] = true;
        add_file(file, rules->files, NULL, NULL, out);
        rules->is_headed = false;
    }
    rules->out = &rules->behind;
    strbuf_add(rules->out, "\n\\medskip\\noindent With all of \\texttt{");
    report_tex_text(rules->out, instr->name);
    strbuf_printf(rules->out, "} (section \\ref{%s}).", label_of(rules, name, ""));
    add_footnote(rules, end, next);
    strbuf_add(rules->out, "\\par\n");
    rules->out = out;
}

static void add_head(struct rules *rules)
{
    if (!rules->is_headed) {
        strbuf_add(rules->out, "\\crashlitsection{");
        report_tex_text(rules->out, rules->file);
        strbuf_add(rules->out, rules->is_begun ? ", continued}\n" : "}");
    }
    if (!rules->is_begun) {
        add_label(rules, "");
        strbuf_add(rules->out, "\n");
        report_tex_text(rules->out, rules->parsed->title);
        strbuf_add(rules->out, "\\par\n");
    }
    rules->is_headed = rules->is_begun = true;
    strbuf_add(rules->out, strbuf_text(&rules->behind));
    strbuf_clear(&rules->behind);
}

/* What such tags are on, in words. */
static const char *bearers_of(const char *kind)
{
    static const char *const kinds[][2] = {
#define X(kind, bearer, set, words) {#kind, words},
        CAT_DECLARED_KINDS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i][0], kind) == 0)
            return kinds[i][1];
    return kind;
}

/* "Some r of linearisations(S, r)": one that is picked. */
static void add_pick(struct rules *rules, const struct cat_instr *instr, size_t end, size_t next)
{
    strbuf_add(rules->out, "\\begin{crashlitdefinition}{");
    report_tex_text(rules->out, instr->name);
    strbuf_add(rules->out, "}");
    add_label(rules, instr->name);
    strbuf_add(rules->out, "\nSome member of ");
    report_rules_expr(instr->expr, rules->out);
    strbuf_add(rules->out, ".");
    add_footnote(rules, end, next);
    strbuf_add(rules->out, "\n\\end{crashlitdefinition}\n");
}

static void add_declaration(struct rules *rules, const struct cat_instr *instr, size_t end,
                            size_t next)
{
    strbuf_add(rules->out, "\n\\medskip\\noindent Tags of ");
    report_tex_text(rules->out, bearers_of(instr->name));
    const char *before = ": ";
    for (const struct cat_expr *at = instr->items.first; at; at = at->next, before = ", ") {
        strbuf_add(rules->out, before);
        report_rules_expr(at, rules->out);
    }
    strbuf_add(rules->out, ".");
    add_footnote(rules, end, next);
    strbuf_add(rules->out, "\\par\n");
}

static void add_all(struct rules *rules, const struct cat_instrs *instrs, size_t next);

/* "Where variants are: `"race"`", and the statements below. */
static void add_choice(struct rules *rules, const struct cat_instr *instr, size_t next)
{
    const struct cat_instr *first = instr->body.first;
    const size_t from = start_of(rules, instr), to = first ? start_of(rules, first) : next;
    SCOPED(strbuf) question = {0};
    strbuf_add_bytes(&question, rules->source->text + from, end_within(rules, from, to) - from);
    strbuf_add(rules->out, "\n\\medskip\\noindent\\texttt{");
    report_tex_code(rules->out, strbuf_text(&question), question.length);
    strbuf_add(rules->out, "}:\\par\n");
    const struct cat_instr *other = instr->otherwise.first;
    add_all(rules, &instr->body, other ? start_of(rules, other) : next);
    if (other) {
        strbuf_add(rules->out, "\n\\medskip\\noindent\\texttt{else}:\\par\n");
        add_all(rules, &instr->otherwise, next);
    }
    strbuf_add(rules->out, "\n\\medskip\\noindent\\texttt{end}\\par\n");
}

static bool are_signs(const struct cat_exprs *items)
{
    const struct cat_expr *at = items->first;
    while (at && report_rules_has_signs(at))
        at = at->next;
    return !at;
}

static bool is_said_in_signs(const struct cat_instr *instr)
{
    if (instr->kind == CAT_INSTR_INSTRUCTIONS)
        return are_signs(&instr->items);
    if (instr->kind == CAT_INSTR_CHECK || instr->kind == CAT_INSTR_WITH)
        return report_rules_has_signs(instr->expr);
    for (const struct cat_binding *at = instr->bindings.first; at; at = at->next)
        if (!report_rules_has_signs(at->expr->kind == CAT_EXPR_FUN && at->expr->name ? at->expr->a
                                                                                     : at->expr))
            return false;
    return (instr->kind == CAT_INSTR_LET || instr->kind == CAT_INSTR_LET_REC) &&
           instr->body.count == 0;
}

static bool is_only_shown(const struct cat_instr *instr)
{
    return instr->kind == CAT_INSTR_SHOW || instr->kind == CAT_INSTR_UNSHOW ||
           instr->kind == CAT_INSTR_DEBUG;
}

static void add_instr(struct rules *rules, const struct cat_instr *instr, size_t next)
{
    const size_t start = start_of(rules, instr), end = end_of(rules, instr, next);
    if (instr->kind == CAT_INSTR_INCLUDE) {
        struct strbuf *out = rules->out;
        rules->out = &rules->behind;
        add_paragraphs(rules, start);
        rules->out = out;
        add_include(rules, instr, end, next);
        return;
    }
    add_head(rules);
    add_paragraphs(rules, start);
    if (is_only_shown(instr))
        rules->at = next;
    else if (instr->kind == CAT_INSTR_IF && instr->condition->kind == CAT_CONDITION_KNOWN)
        add_choice(rules, instr, next);
    else if (!is_said_in_signs(instr))
        add_code(rules, start, end);
    else if (instr->kind == CAT_INSTR_WITH)
        add_pick(rules, instr, end, next);
    else if (instr->kind == CAT_INSTR_INSTRUCTIONS)
        add_declaration(rules, instr, end, next);
    else if (instr->kind == CAT_INSTR_CHECK)
        add_axiom(rules, instr, end, next);
    else
        add_definition(rules, instr, end, next);
}

static bool defines_wanted(const struct rules *rules, const struct cat_instr *instr)
{
    if (instr->kind == CAT_INSTR_LET || instr->kind == CAT_INSTR_LET_REC)
        for (const struct cat_binding *at = instr->bindings.first; at; at = at->next)
            for (const struct cat_name *name = at->pattern->names.first; name; name = name->next)
                if (name->text && rules->wanted(rules->context, name->text))
                    return true;
    return false;
}

static void add_all(struct rules *rules, const struct cat_instrs *instrs, size_t next)
{
    for (const struct cat_instr *at = instrs->first; at; at = at->next) {
        const size_t behind = at->next ? start_of(rules, at->next) : next;
        if (!rules->wanted) {
            add_instr(rules, at, behind);
        } else if (defines_wanted(rules, at)) {
            rules->at = start_of(rules, at);
            add_instr(rules, at, behind);
        }
    }
}

/* ---- A file ---- */

static struct cat_file *parse(struct arena *arena, struct intern *names,
                              const struct source *source)
{
    SCOPED(diag) diag = {0};
    return cat_parse_file(arena, names, NULL, source, &diag);
}

static bool says_something(const struct rules *rules, const struct cat_file *file)
{
    const struct cat_instr *at = file->instrs.first;
    while (rules->wanted && at && !defines_wanted(rules, at))
        at = at->next;
    return at || !rules->wanted;
}

static void add_file(const struct source *source, const struct files *files,
                     report_rules_wanted *wanted, const void *context, struct strbuf *out)
{
    struct rules rules = {
        .files = files, .source = source, .wanted = wanted, .context = context, .out = out};
    struct intern *names = intern_new();
    const struct cat_file *file = parse(&rules.arena, names, source);
    rules.file = name_of(&rules.arena, source->name);
    rules.parsed = file;
    if (says_something(&rules, file))
        add_all(&rules, &file->instrs, source->length);
    if (!wanted) {
        add_head(&rules);
        add_paragraphs(&rules, source->length);
    }
    intern_free(names);
    strbuf_fini(&rules.behind);
    VEC_FREE(&rules.labels);
    arena_fini(&rules.arena);
}

void report_rules_file(const struct source *source, report_rules_wanted *wanted,
                       const void *context, struct strbuf *out)
{
    add_file(source, NULL, wanted, context, out);
}

void report_rules_files(const struct source *const *items, size_t count, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    const struct files files = {items, count, ARENA_ARRAY(&arena, bool, count + 1)};
    for (size_t i = 0; i < count; i++)
        if (!files.told[i]) {
            files.told[i] = true;
            add_file(items[i], &files, NULL, NULL, out);
        }
}

bool report_rules_bind(const struct source *source, const char *name)
{
    SCOPED(arena) arena = {0};
    struct intern *names = intern_new();
    bool binds = false;
    const struct cat_file *file = parse(&arena, names, source);
    for (const struct cat_instr *at = file->instrs.first; at; at = at->next)
        for (const struct cat_binding *b = at->bindings.first; b; b = b->next)
            for (const struct cat_name *n = b->pattern->names.first; n; n = n->next)
                binds |= at->kind != CAT_INSTR_SHOW && n->text && strcmp(n->text, name) == 0;
    intern_free(names);
    return binds;
}
