#include "lsp/lsp_question.h"

#include "session/session_test.h"

#include <string.h>

const char *lsp_name(const struct lsp_question *question)
{
    return question->path ? question->path : question->uri;
}

const struct source *lsp_source(struct arena *arena, const struct lsp_question *question)
{
    return source_from_text(arena, lsp_name(question), question->text, question->length);
}

void lsp_read_test(const struct lsp_question *question, struct session_test *test)
{
    const struct session_settings *settings = &question->options->settings;
    const char *name = lsp_name(question);
    if (!question->path) {
        session_test_read(test, settings, name, question->text, question->length);
        return;
    }
    session_test_begin(test, name);
    session_test_take(test, settings, name, question->text, question->length);
}

void lsp_answer(const struct lsp_question *question, struct session_parts parts, struct strbuf *out)
{
    switch (question->kind) {
    case LSP_LOOK: lsp_look(question, out); return;
    case LSP_HOVER: lsp_hover(question, out); return;
    case LSP_LENS: lsp_lens(question, out); return;
    case LSP_COMPLETE: lsp_complete(question, out); return;
    case LSP_DEFINE: lsp_define(question, out); return;
    case LSP_CHECK: lsp_check(question, parts, out); return;
    case LSP_EXPLAIN: lsp_explain(question, parts, out); return;
    case LSP_MEND:
    case LSP_NARROW:
    case LSP_REPAIR: lsp_mend(question, parts, out); return;
    }
}
