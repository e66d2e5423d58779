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

/* A bracket that is open, and what stands before its current comma. */
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
    bool blind;                        /* there may be others */
    const struct lit_dialect *dialect; /* NULL: the header names none */
    uint32_t suspect;                  /* the brace of a `?{` that may lack its other, or 0 */
    uint32_t cell; /* of a table: the token that it begins with, behind a label */
    VEC(struct lit_token) tokens;
    VEC(struct lit_bracket) open;
};

/* The lexer at work, with its faults left aside, which the parser tells. */
struct lit_lexing {
    struct arena arena;
    struct diag diag;
    struct lit_syntax syntax;
};

#define SCAN_FAULT(scan, at, ...) \
    diag_error((scan)->holes->diag, DIAG_LIT_HOLE, lit_scan_span(scan, at), __VA_ARGS__)

/* ---- sketch_tokens ---- */

/* The tokens of scan->source, which are given back by the second. */
void lit_scan_begin(struct lit_lexing *lexing, struct lit_scan *scan);
void lit_scan_end(struct lit_lexing *lexing, struct lit_scan *scan);

/* One of no bytes where there is none. */
const struct lit_token *lit_scan_token(const struct lit_scan *scan, uint32_t at);
bool lit_scan_is(const struct lit_scan *scan, uint32_t at, const char *text);
/* The character that it is alone, or 0. */
char lit_scan_mark(const struct lit_scan *scan, uint32_t at);
/* Its bytes, in the arena. */
const char *lit_scan_text(const struct lit_scan *scan, uint32_t at);
/* Does it stand right behind the one before it? */
bool lit_scan_adjoins(const struct lit_scan *scan, uint32_t at);
struct span lit_scan_span(const struct lit_scan *scan, uint32_t at);

/* ---- sketch_room ---- */

/* What the hole at a token can be, which stands for a word; false after reporting. */
bool lit_scan_word(struct lit_scan *scan, uint32_t at, struct lit_hole *hole);
/* A comma: the argument before it may have been a word. */
void lit_scan_argument(struct lit_scan *scan, uint32_t at);

#endif
