/* lsp_question: what an editor asks about one text, answered in a worker (lsp_lane.h) as JSON.
 *
 * Ownership: all is the caller's, and outlives the answer.
 */
#ifndef CRASHLIT_LSP_QUESTION_H
#define CRASHLIT_LSP_QUESTION_H

#include "ask/ask_check.h"
#include "lsp/lsp_place.h"

/* X(name, whether it takes as long as an engine does). */
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

/* What a text is: X(name, an editor's word for it, how names of its files end). Of two that fit a
 * file's name and an editor's word, the file's counts. */
#define LSP_LANGUAGES(X)                             \
    X(LITMUS, "litmus", REACH_TESTS)                 \
    X(CAT, "cat", REACH_MODELS)                      \
    X(DEF, "crashlit-def", REACH_DEFINITIONS)        \
    X(MACHINE, "crashlit-machine", MACH_CONFIG_ENDS) \
    X(MAP, "crashlit-map", MAPPINGS)

/* OTHER: nothing is known of it. */
enum lsp_language {
#define X(name, ...) LSP_##name,
    LSP_LANGUAGES(X)
#undef X
        LSP_OTHER
};

/* What the command line has for this: layers above have it. */
struct lsp_services {
    ask_of_pair *explain;
};

struct lsp_question {
    enum lsp_kind kind;
    enum lsp_language language;
    const struct ask_options *options; /* as of `check` */
    const struct lsp_services *services;
    const char *uri;
    const char *path; /* of its file; NULL: it has none, and names what is built in alone */
    const char *text;
    size_t length;
    struct lsp_position position; /* HOVER, COMPLETE, DEFINE */
    const char *verdict;          /* LENS: what was found, in words; NULL: nothing yet */
};

/* In a worker: appends the answer, as the members of an object without its brackets. */
void lsp_answer(const struct lsp_question *question, struct session_parts parts,
                struct strbuf *out);

/* ---- Parts of it, each of one or some kinds of question ---- */

void lsp_look(const struct lsp_question *question, struct strbuf *out);
void lsp_hover(const struct lsp_question *question, struct strbuf *out);
void lsp_lens(const struct lsp_question *question, struct strbuf *out);
void lsp_complete(const struct lsp_question *question, struct strbuf *out);
void lsp_define(const struct lsp_question *question, struct strbuf *out);
void lsp_check(const struct lsp_question *question, struct session_parts parts, struct strbuf *out);
void lsp_explain(const struct lsp_question *question, struct session_parts parts,
                 struct strbuf *out);
/* Of MEND, NARROW, REPAIR. */
void lsp_mend(const struct lsp_question *question, struct session_parts parts, struct strbuf *out);

/* The text, called as its file, or by its URI. */
const char *lsp_name(const struct lsp_question *question);
const struct source *lsp_source(struct arena *arena, const struct lsp_question *question);
/* The text as a test; to be ended by session_test_fini. */
struct session_test;
void lsp_read_test(const struct lsp_question *question, struct session_test *test);

#endif
