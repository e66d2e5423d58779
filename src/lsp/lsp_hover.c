/* What stands under the cursor: words of the language, models that a test names, names of a model
 * with their definition; and a test's own words: completion, and where its lenses stand. */
#include "base/json.h"
#include "cat/cat_parse.h"
#include "exec/exec_basis.h"
#include "lsp/lsp_look.h"
#include "lsp/lsp_words.h"
#include "report/report.h"
#include "report/report_string.h"
#include "session/session_test.h"

#include <string.h>

static void add_hover(const struct span *span, const char *text, struct strbuf *out)
{
    emit_object(out, "result");
    emit_object(out, "contents");
    emit_string(out, "kind", "markdown");
    emit_string(out, "value", text);
    emit_end(out, '}');
    lsp_span_add(out, "range", span);
    emit_end(out, '}');
}

static void add_nothing(struct strbuf *out)
{
    emit_string(out, "result", NULL);
}

/* ---- Models by name ---- */

static const char *title_of(struct arena *arena, const struct source_builtin *builtin)
{
    const char *open = memchr(builtin->text, '"', builtin->length);
    const char *close = open ? strchr(open + 1, '"') : NULL;
    return close ? arena_strndup(arena, open + 1, (size_t)(close - open - 1)) : "";
}

/* Of that name, as one or both kinds; false: there is none. */
static bool add_model(struct arena *arena, const char *name, struct strbuf *out)
{
    bool found = false;
    EACH (const struct source_builtin, builtin, cat_builtins, cat_builtin_count) {
        const char *slash = strchr(builtin->path, '/');
        if (!slash || strcmp(source_builtin_name(arena, builtin), name) != 0)
            continue;
        strbuf_printf(out, "%s**%s**, a %.*s model: %s", found ? "\n\n" : "", name,
                      (int)(slash - builtin->path), builtin->path, title_of(arena, builtin));
        found = true;
    }
    return found;
}

/* ---- In a test ---- */

/* A condition, or an expectation but for the models that it names: the verdict is to be found. */
static bool is_judged(const struct lit_program *program, uint32_t line, uint32_t column)
{
    bool judged = false;
    for (uint32_t c = 0; program && c < program->condition_count; c++)
        judged |= lsp_span_has(&program->conditions[c].span, line, column);
    for (uint32_t e = 0; program && e < program->expect_count; e++)
        judged |= lsp_span_has(&program->expects[e].span, line, column);
    return judged;
}

static bool is_expected(const struct lit_program *program, uint32_t line)
{
    for (uint32_t e = 0; program && e < program->expect_count; e++)
        if (program->expects[e].span.line == line)
            return true;
    return false;
}

static void add_word(const struct lsp_word *word, const char *text, struct strbuf *out)
{
    strbuf_printf(out, "**%s**: %s", text, word->meaning);
}

/* A model's name has hyphens, which a word of a test has not. */
static bool hover_model(struct arena *arena, const struct lsp_question *question,
                        const struct source *source, const struct lit_program *program,
                        struct strbuf *out)
{
    struct span span;
    SCOPED(strbuf) text = {0};
    const char *name = lsp_word_at(arena, source, LSP_CAT, question->position, &span);
    bool found = name && is_expected(program, span.line) && add_model(arena, name, &text);
    if (found)
        add_hover(&span, strbuf_text(&text), out);
    return found;
}

static void hover_test(struct arena *arena, const struct lsp_question *question, struct strbuf *out)
{
    SCOPED(session_test) test;
    struct span span;
    SCOPED(strbuf) text = {0};
    uint32_t line, column;
    lsp_read_test(question, &test);
    const struct source *source = test.program ? test.program->source : lsp_source(arena, question);
    const char *name = lsp_word_at(arena, source, LSP_LITMUS, question->position, &span);
    const struct lsp_word *word = name ? lsp_word_find(LSP_LITMUS, name) : NULL;
    lsp_position_in(source, question->position, &line, &column);
    if (hover_model(arena, question, source, test.program, out))
        ;
    else if (is_judged(test.program, line, column))
        emit_bool(out, "check", true);
    else if (word) {
        add_word(word, name, &text);
        add_hover(&span, strbuf_text(&text), out);
    } else
        add_nothing(out);
}

/* ---- In a model ---- */

/* Where a name is bound: by the last definition that stands before the place in question, or, where
 * there is none, the first one. */
struct bound {
    const struct cat_binding *binding;
    const struct cat_instr *instr;
    struct span name;
};

static bool is_before(const struct span *span, uint32_t line)
{
    return span->line <= line;
}

static struct bound find_binding(const struct cat_instrs *instrs, const char *name, uint32_t line)
{
    struct bound found = {NULL, NULL, NOWHERE};
    for (const struct cat_instr *at = instrs->first; at; at = at->next) {
        if (at->kind != CAT_INSTR_LET && at->kind != CAT_INSTR_LET_REC)
            continue;
        for (const struct cat_binding *b = at->bindings.first; b; b = b->next)
            for (const struct cat_name *n = b->pattern->names.first; n; n = n->next)
                if (n->text && strcmp(n->text, name) == 0 &&
                    (!found.binding || is_before(&n->span, line)))
                    found = (struct bound){b, at, n->span};
    }
    return found;
}

/* Of what a `let` of the text gave that name to, where the model as a whole could be read. */
static const char *type_of(const struct cat_model *model, const struct bound *bound,
                           const char *name)
{
    if (bound->binding->expr->kind == CAT_EXPR_FUN)
        return "function";
    for (uint32_t i = 0; model && i < model->node_count; i++)
        if (text_same(model->nodes[i].name, name))
            return model->nodes[i].sort == CAT_SET ? "set" : "relation";
    return "definition";
}

static const char *base_type(const char *name)
{
    const struct cat_basis *basis = exec_basis();
    for (uint32_t i = 0; i < basis->count; i++)
        if (strcmp(basis->names[i].name, name) == 0)
            return basis->names[i].sort == CAT_SET ? "base set" : "base relation";
    return NULL;
}

/* From the name to the end of what it stands for. */
static void add_definition(const struct bound *bound, struct strbuf *out)
{
    struct span from = bound->name, to = bound->binding->expr->span;
    size_t length;
    for (uint32_t n = from.line; n <= to.end_line; n++) {
        const char *line = source_line(from.source, n, &length);
        size_t begin = n == from.line ? from.column - 1 : 0;
        size_t end = n == to.end_line && to.end_column - 1 < length ? to.end_column - 1 : length;
        if (end > begin)
            strbuf_add_bytes(out, line + begin, end - begin);
        strbuf_add_char(out, '\n');
    }
}

/* The file with that definition, of all that the model is read from; the text itself first. */
struct definition {
    const struct source *source;
    struct bound bound;
};

static struct definition find_in(struct arena *arena, struct intern *names,
                                 const struct source *source, const char *name, uint32_t line)
{
    SCOPED(diag) ignored = {0};
    const struct cat_file *file = cat_parse_file(arena, names, NULL, source, &ignored);
    return (struct definition){source, find_binding(&file->instrs, name, line)};
}

static struct definition find_definition(struct arena *arena, struct intern *names,
                                         const struct lsp_question *question,
                                         const struct source *own, const char *name, uint32_t line)
{
    struct definition found = find_in(arena, names, own, name, line);
    struct cat_asker asker = session_models_user(&question->options->settings);
    struct cat_sources sources;
    SCOPED(diag) ignored = {0};
    asker.instead = own;
    bool more = !found.bound.binding && question->path &&
                cat_model_sources(arena, &asker, "visibility", question->path, &sources, &ignored);
    for (size_t i = more ? sources.count : 0; i > 0 && !found.bound.binding; i--)
        found = find_in(arena, names, sources.items[i - 1], name, UINT32_MAX);
    return found;
}

static void tell_definition(struct arena *arena, const struct lsp_question *question,
                            const struct source *own, const char *name,
                            const struct definition *found, struct strbuf *text)
{
    const char *kind, *base = base_type(name);
    SCOPED(diag) ignored = {0};
    if (!found->bound.binding) {
        if (base)
            strbuf_printf(text, "**%s**: a %s", name, base);
        return;
    }
    const struct cat_model *model = lsp_load_model(arena, question, own, &kind, &ignored);
    strbuf_printf(text, "**%s**: %s\n\n```cat\nlet ", name, type_of(model, &found->bound, name));
    add_definition(&found->bound, text);
    strbuf_add(text, "```");
    if (found->source != own)
        strbuf_printf(text, "\n\n%s", found->source->name);
}

static void hover_cat(struct arena *arena, const struct lsp_question *question, struct strbuf *out)
{
    struct span span;
    SCOPED(strbuf) text = {0};
    struct intern *names = intern_new();
    const struct source *own = lsp_source(arena, question);
    const char *name = lsp_word_at(arena, own, LSP_CAT, question->position, &span);
    const struct lsp_word *word = name ? lsp_word_find(LSP_CAT, name) : NULL;
    if (word)
        add_word(word, name, &text);
    else if (name) {
        const struct definition found =
            find_definition(arena, names, question, own, name, span.line);
        tell_definition(arena, question, own, name, &found, &text);
    }
    if (text.length)
        add_hover(&span, strbuf_text(&text), out);
    else
        add_nothing(out);
    intern_free(names);
}

/* ---- In what both are read with ---- */

/* Does a definition file name its models there? */
static bool names_models(const struct lsp_question *question, const struct source *source,
                         uint32_t number)
{
    static const char word[] = "models ";
    size_t length;
    const char *line = source_line(source, number, &length);
    return question->language == LSP_DEF && length >= sizeof word &&
           memcmp(line, word, sizeof word - 1) == 0;
}

static void hover_rest(struct arena *arena, const struct lsp_question *question, struct strbuf *out)
{
    struct span span;
    SCOPED(strbuf) text = {0};
    const struct source *source = lsp_source(arena, question);
    const char *name = lsp_word_at(arena, source, question->language, question->position, &span);
    bool models = name && names_models(question, source, span.line);
    if (models)
        name = lsp_word_at(arena, source, LSP_CAT, question->position, &span);
    const struct lsp_word *word = name ? lsp_word_find(question->language, name) : NULL;
    if (word)
        add_word(word, name, &text);
    if (word ||
        (name && (models || question->language != LSP_DEF) && add_model(arena, name, &text)))
        add_hover(&span, strbuf_text(&text), out);
    else
        add_nothing(out);
}

void lsp_hover(const struct lsp_question *question, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    if (question->length > SOURCE_MAX_BYTES || question->language == LSP_OTHER)
        add_nothing(out);
    else if (question->language == LSP_CAT)
        hover_cat(&arena, question, out);
    else if (question->language == LSP_LITMUS)
        hover_test(&arena, question, out);
    else
        hover_rest(&arena, question, out);
}

/* What is built in has no file that an editor could open. */
void lsp_define(const struct lsp_question *question, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    struct intern *names = intern_new();
    struct span span;
    bool cat = question->language == LSP_CAT && question->length <= SOURCE_MAX_BYTES;
    const struct source *own = cat ? lsp_source(&arena, question) : NULL;
    const char *name = cat ? lsp_word_at(&arena, own, LSP_CAT, question->position, &span) : NULL;
    struct definition found = {0};
    if (name)
        found = find_definition(&arena, names, question, own, name, span.line);
    if (found.bound.binding && (found.source == own || *found.source->path == '/')) {
        SCOPED(strbuf) uri = {0};
        if (lsp_is_own(question, found.source))
            strbuf_add(&uri, question->uri);
        else
            report_uri(&uri, found.source->path);
        emit_object(out, "result");
        emit_string(out, "uri", strbuf_text(&uri));
        lsp_span_add(out, "range", &found.bound.name);
        emit_end(out, '}');
    } else
        add_nothing(out);
    intern_free(names);
}
