/* lsp_question: a question of an editor about one text. A worker (lsp_lane.h) answers it as JSON.
 *
 * Ownership: the caller owns everything, and it must outlive the answer.
 */
#ifndef CRASHLIT_LSP_QUESTION_H
#define CRASHLIT_LSP_QUESTION_H

#include "ask/ask_check.h"
#include "lsp/lsp_place.h"

/* Kinds of questions: X(name, whether the answer needs an engine). */
#define LSP_QUESTIONS(X) \
    X(LOOK, false)       \
    X(HOVER, false)      \
    X(LENS, false)       \
    X(COMPLETE, false)   \
    X(DEFINE, false)     \
    X(CHECK, true)       \
    X(EXPLAIN, true)     \
    X(MEND, true)        \
    X(NARROW, true)      \
    X(REPAIR, true)

enum lsp_kind {
#define X(name, is_long) LSP_##name,
    LSP_QUESTIONS(X)
#undef X
};

/* Languages of texts: X(name, an editor's word for it, the ending of its files' names). The name of
 * the file decides before the editor's word. */
#define LSP_LANGUAGES(X)                             \
    X(LITMUS, "litmus", REACH_TESTS)                 \
    X(CAT, "cat", REACH_MODELS)                      \
    X(DEF, "crashlit-def", REACH_DEFINITIONS)        \
    X(MACHINE, "crashlit-machine", MACH_CONFIG_ENDS) \
    X(MAP, "crashlit-map", MAPPINGS)

/* OTHER: an unknown language. */
enum lsp_language {
#define X(name, ...) LSP_##name,
    LSP_LANGUAGES(X)
#undef X
        LSP_OTHER
};

/* The settings of the command line; layers above provide them. */
struct lsp_services {
    ask_of_pair *explain;
};

struct lsp_question {
    enum lsp_kind kind;
    enum lsp_language language;
    const struct ask_options *options; /* as of `check` */
    const struct lsp_services *services;
    const char *uri;
    const char *path; /* of its file; NULL: it has none, and can only name built-in files */
    const char *text;
    size_t length;
    struct lsp_position position; /* HOVER, COMPLETE, DEFINE */
    const char *verdict;          /* LENS: the known answer in words; NULL: none is known yet */
};

/* In a worker: appends the answer, as members of an object without its braces. */
void lsp_answer(const struct lsp_question *question, struct session_parts parts,
                struct strbuf *out);

/* ---- The parts that answer each one or several kinds of questions ---- */

void lsp_look(const struct lsp_question *question, struct strbuf *out);
void lsp_hover(const struct lsp_question *question, struct strbuf *out);
void lsp_lens(const struct lsp_question *question, struct strbuf *out);
void lsp_complete(const struct lsp_question *question, struct strbuf *out);
void lsp_define(const struct lsp_question *question, struct strbuf *out);
void lsp_check(const struct lsp_question *question, struct session_parts parts, struct strbuf *out);
void lsp_explain(const struct lsp_question *question, struct session_parts parts,
                 struct strbuf *out);
/* Answers MEND, NARROW and REPAIR. */
void lsp_mend(const struct lsp_question *question, struct session_parts parts, struct strbuf *out);

/* The text as a source, named by its file or its URI. */
const char *lsp_name(const struct lsp_question *question);
const struct source *lsp_source(struct arena *arena, const struct lsp_question *question);
/* Reads the text as a test. End it by session_test_fini. */
struct session_test;
void lsp_read_test(const struct lsp_question *question, struct session_test *test);

#endif
