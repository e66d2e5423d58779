/* sketch_tokens: a text that is scanned for holes. Private to sketch_*.c.
 *
 *   sketch_tokens  tokens and what they are
 *   sketch_scan    brackets, statements, holes
 *   sketch_room    what a word can be
 */
#ifndef CRASHLIT_SKETCH_TOKENS_H
#define CRASHLIT_SKETCH_TOKENS_H

#include "sketch/sketch_scan.h"
#include "litmus/lit_syntax.h"

enum { SCAN_MOST_TOKENS = 1 << 19 };

/* An open bracket, and the text since its last comma. */
struct lit_bracket {
    uint32_t token, first; /* its own, and the first behind the last comma */
    uint32_t commas, orders;
    bool scope, tags;
    uint32_t hole; /* of `?{`, or LIT_NONE */
};

struct lit_scan {
    struct lit_holes *holes;
    const struct source *source;
    uint32_t file;
    const struct lit_definitions *definitions;
    bool blind;                        /* there may be other definitions */
    const struct lit_dialect *dialect; /* NULL: the header names none */
    uint32_t suspect;                  /* the brace of a `?{` that may lack its other, or 0 */
    uint32_t cell; /* of a table: the token that it begins with, behind a label */
    VEC(struct lit_token) tokens;
    VEC(struct lit_bracket) open;
};

/* The lexer at work. Its faults are dropped, as the parser reports them. */
struct lit_lexing {
    struct arena arena;
    struct diag diag;
    struct lit_syntax syntax;
};

#define SCAN_FAULT(scan, at, ...) \
    diag_error((scan)->holes->diag, DIAG_LIT_HOLE, lit_scan_span(scan, at), __VA_ARGS__)

/* ---- sketch_tokens ---- */

/* The first reads the tokens of scan->source, the second releases them. */
void lit_scan_begin(struct lit_lexing *lexing, struct lit_scan *scan);
void lit_scan_end(struct lit_lexing *lexing, struct lit_scan *scan);

/* The token of that number; an empty one if there is none. */
const struct lit_token *lit_scan_token(const struct lit_scan *scan, uint32_t at);
bool lit_scan_is(const struct lit_scan *scan, uint32_t at, const char *text);
/* The character of a token of one character, else 0. */
char lit_scan_mark(const struct lit_scan *scan, uint32_t at);
/* The bytes of a token, in the arena. */
const char *lit_scan_text(const struct lit_scan *scan, uint32_t at);
/* Does the token directly follow the one before it? */
bool lit_scan_adjoins(const struct lit_scan *scan, uint32_t at);
struct span lit_scan_span(const struct lit_scan *scan, uint32_t at);

/* ---- sketch_room ---- */

/* Finds the kinds of the hole at a token, which stands for a word; false after reporting. */
bool lit_scan_word(struct lit_scan *scan, uint32_t at, struct lit_hole *hole);
/* A comma: the argument before it may have been a word. */
void lit_scan_argument(struct lit_scan *scan, uint32_t at);

#endif
