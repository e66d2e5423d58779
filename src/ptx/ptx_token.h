/* ptx_token: the text of a PTX file as tokens, and the markers in its comments.
 *
 * Ownership: names are interned; tokens and markers point into the source. Who reads gives back
 * `markers`.
 * Errors: the first one is reported at its place and sets `failed`.
 */
#ifndef CRASHLIT_PTX_TOKEN_H
#define CRASHLIT_PTX_TOKEN_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/vec.h"

enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_WORD,
    PTX_TOKEN_NUMBER,
    PTX_TOKEN_FLOAT,
    PTX_TOKEN_STRING,
    PTX_TOKEN_SIGN
};

struct ptx_token {
    enum ptx_token_kind kind;
    const char *text;
    size_t length;
    uint32_t line, column;
    int64_t number;
    bool bad; /* a number that is not read */
};

/* `crashlit: clwb [%rd2]` in a comment, to be read before the statement that follows. */
struct ptx_marked {
    const char *begin, *end;
    struct span span;
};

struct ptx_text {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    const struct source *source;
    const char *at, *end;
    uint32_t line;
    const char *line_start;
    struct ptx_token token; /* the next one */
    VEC(struct ptx_marked) markers;
    uint32_t asm_depth;  /* inline assembly stands here, perhaps a marker's in another's */
    bool in_body;        /* of a kernel or a function, which may have markers */
    bool in_instruction; /* up to its ';' */
    bool failed;
};

#define PTX_TEXT_REPORT_AT(t, id, span, ...)              \
    do {                                                  \
        if (!(t)->failed)                                 \
            diag_error((t)->diag, id, span, __VA_ARGS__); \
        (t)->failed = true;                               \
    } while (0)
#define PTX_TEXT_REPORT(t, id, ...) PTX_TEXT_REPORT_AT(t, id, ptx_text_span(t), __VA_ARGS__)

/* For "%.*s": a token, cut. */
#define PTX_TOKEN_TEXT(t) (int)((t)->token.length < 40 ? (t)->token.length : 40), (t)->token.text

/* The first token of the source. */
void ptx_text_begin(struct ptx_text *t);
/* The same of what a marker says, which ends with it. */
struct ptx_text ptx_text_of_marker(const struct ptx_text *t, const struct ptx_marked *marker);
void ptx_text_next(struct ptx_text *t);
struct span ptx_text_span(const struct ptx_text *t); /* of the token */
bool ptx_text_is(const struct ptx_text *t, const char *text);
/* Passes the token where it is this one; true: it was. */
bool ptx_text_accept(struct ptx_text *t, const char *text);
/* The same, and reports another one. */
void ptx_text_expect(struct ptx_text *t, const char *text);
const char *ptx_text_name(struct ptx_text *t);
int64_t ptx_text_number(struct ptx_text *t);
/* Up to a sign at this level of braces, which is passed as well. */
void ptx_text_pass(struct ptx_text *t, char sign);

#endif
