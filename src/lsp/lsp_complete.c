/* Words to go on with, and what can be asked of a test, above its first line. */
#include "ask/ask_options.h"
#include "base/json.h"
#include "lsp/lsp_look.h"
#include "lsp/lsp_words.h"
#include "report/report.h"
#include "session/session_test.h"

#include <string.h>

static void add_item(const char *label, unsigned kind, const char *detail, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "label", label);
    emit_number(out, "kind", kind);
    emit_string(out, "detail", detail);
    emit_end(out, '}');
}

static void add_words(enum lsp_language language, struct strbuf *out)
{
    EACH (const struct lsp_word, word, lsp_words, lsp_word_count) {
        if (word->language != language)
            continue;
        add_item(word->text, lsp_word_items[word->class], word->meaning, out);
        if (word->class != LSP_WORD_METHOD)
            continue;
        char name[64];
        snprintf(name, sizeof name, "atomic_%s", word->text);
        add_item(name, lsp_word_items[LSP_WORD_FUNCTION], word->meaning, out);
        snprintf(name, sizeof name, "atomic_%s_explicit", word->text);
        add_item(name, lsp_word_items[LSP_WORD_FUNCTION], word->meaning, out);
    }
}

static void add_names(ask_words *words, const char *detail, struct strbuf *out)
{
    enum { MODULE = 9 };
    const char *names[ASK_MAX_WORDS];
    SCOPED(arena) arena = {0};
    size_t count = words(&arena, names);
    for (size_t i = 0; i < count; i++)
        add_item(names[i], MODULE, detail, out);
}

/* Names of the text itself: while it is written it need not be a test. Of a comment, too, as it
 * cannot be told in a text that is no test where one ends. */
static void add_own_names(const struct lsp_question *question, struct strbuf *out)
{
    enum { VARIABLE = 6, MOST = 500, LONGEST = 60 };
    const char *at = question->text, *end = at + question->length;
    struct intern *seen = intern_new();
    const char *names[MOST];
    size_t count = 0;
    while (at < end && count < MOST) {
        size_t length = 0;
        while (at + length < end &&
               (at[length] == '_' || (at[length] >= '0' && at[length] <= '9') ||
                (at[length] >= 'a' && at[length] <= 'z') ||
                (at[length] >= 'A' && at[length] <= 'Z')))
            length++;
        if (length && length <= LONGEST && (*at < '0' || *at > '9')) {
            const char *name = intern_bytes(seen, at, length);
            size_t i = 0;
            while (i < count && names[i] != name)
                i++;
            if (i == count && !lsp_word_find(question->language, name))
                names[count++] = name;
        }
        at += length ? length : 1;
    }
    for (size_t i = 0; i < count; i++)
        add_item(names[i], VARIABLE, "of this text", out);
    intern_free(seen);
}

/* Behind `expect`, or `models` of a definition file, on its line, models are meant and nothing else
 * is. */
static bool expects(const struct lsp_question *question, const struct source *source)
{
    size_t length;
    uint32_t number, column;
    lsp_position_in(source, question->position, &number, &column);
    const char *line = source_line(source, number, &length);
    size_t blanks = 0;
    while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t'))
        blanks++;
    const char *word = question->language == LSP_DEF ? "models" : "expect";
    return length - blanks >= 6 && memcmp(line + blanks, word, 6) == 0;
}

void lsp_complete(const struct lsp_question *question, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    emit_array(out, "result");
    bool defines = question->language == LSP_DEF;
    bool expecting = (defines || question->language == LSP_LITMUS) &&
                     question->length <= SOURCE_MAX_BYTES &&
                     expects(question, lsp_source(&arena, question));
    if (expecting) {
        add_names(ask_visibility_words, "visibility model", out);
        add_names(ask_persistency_words, "persistency model", out);
        for (size_t i = 0; i < lsp_word_count && !defines; i++)
            if (lsp_words[i].class == LSP_WORD_VERDICT)
                add_item(lsp_words[i].text, lsp_word_items[LSP_WORD_VERDICT], lsp_words[i].meaning,
                         out);
    } else if (question->language != LSP_OTHER) {
        add_words(lsp_word_language(question->language), out);
        add_own_names(question, out);
    }
    emit_end(out, ']');
}

/* ---- Lenses ---- */

static void add_lens(const struct lsp_question *question, const struct span *span,
                     const char *title, const char *command, struct strbuf *out)
{
    emit_object(out, NULL);
    lsp_span_add(out, "range", span);
    emit_object(out, "command");
    emit_string(out, "title", title);
    emit_string(out, "command", command);
    emit_array(out, "arguments");
    emit_string(out, NULL, question->uri);
    emit_end(out, ']');
    emit_end(out, '}');
    emit_end(out, '}');
}

void lsp_lens(const struct lsp_question *question, struct strbuf *out)
{
    struct session_test test;
    SCOPED(strbuf) check = {0};
    emit_array(out, "result");
    if (question->language == LSP_LITMUS) {
        lsp_read_test(question, &test);
        strbuf_add(&check, "check");
        if (question->verdict)
            strbuf_printf(&check, ": %s", question->verdict);
        if (test.program) {
            struct span span = report_head(test.program);
            add_lens(question, &span, strbuf_text(&check), "crashlit.check", out);
            add_lens(question, &span, "explain", "crashlit.explain", out);
            add_lens(question, &span, "narrow", "crashlit.narrow", out);
        }
        session_test_fini(&test);
    }
    emit_end(out, ']');
}
