/* lit_syntax: from the text of a test to its syntax tree.
 *
 * What the lexer and the grammar share, and the entry that drives both. Parsing goes
 * on after a fault (at `;`, `}` or the next thread, condition or expectation), so one
 * run reports several.
 *
 * Ownership: the tree lives in `arena`, its names in `names`.
 * Errors: reported to `diag`.
 * Cost: linear in the text; the parser's stack is bounded by bison's YYMAXDEPTH.
 */
#ifndef CRASHLIT_LIT_SYNTAX_H
#define CRASHLIT_LIT_SYNTAX_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/parse.h"
#include "litmus/lit_ast.h"

/* So many of the braces that are open are known by their place. */
enum { LIT_BRACES_KEPT = 16 };
/* What the lexer's keywords are found by. */
enum { LIT_KEYWORDS = 128, LIT_KEYWORD_SLOTS = 32 };

struct lit_syntax {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    const struct source *source;
    struct ast_test *test;
    struct ast_macros macros;  /* of a definition file */
    struct ast_expects models; /* that it names: pairs of which nothing is expected */
    struct ast_orders orders;  /* of tags, that it says */
    uint32_t errors;           /* in diag before this test */
    struct source_place at;    /* how far it is read */
    struct span comment;       /* where the open comment began */
    uint32_t comment_depth;
    uint32_t braces;   /* how many are open */
    bool initialised;  /* the initial block is behind */
    bool behind_title; /* a definition, or more, has begun */
    bool defining;     /* the braces are a definition's, before the initial block */
    bool property;     /* the text is a proposition on recovered states, not a test */
    bool defines;      /* the text is a definition file */
    bool sketches;     /* holes are told as such (lit_syntax_tokens), not as '?' and what follows */
    int before;        /* then: the token before */
    bool hasty;        /* the text is taken to be without faults, and left at the first */
    bool started;      /* the parser knows the dialect */
    bool heading;      /* of a table: the header row is next, up to its `;` */
    bool rows;         /* in the rows of a table */
    bool row_start;    /* in them: a row or a line begins */
    bool cell_start;   /* in them: nothing but a label stands in this cell yet */
    bool refines;      /* in a condition: the source's name is next, or what it is taken under */
    bool tagging;      /* the brace that follows begins tags */
    uint32_t nodes;    /* of the tree so far */
    bool broken;       /* reported a fault that leaves the tree incomplete */
    bool stopped;      /* read no further: the tree is too large */
    bool unclosed;     /* reported: the end that follows is no news */
    bool brace_missing; /* reported */
    struct span brace_open[LIT_BRACES_KEPT];
    uint32_t brace_indentation[LIT_BRACES_KEPT]; /* of the lines they stand in */
    struct span brace_suspect; /* the first whose '}' begins a line further left than its own */
    uint32_t brace_suspicious; /* the line of that '}' */
    struct span before_span;   /* of the token before the last one */
    bool too_deep;             /* reported */
    /* Keywords of one slot: the first, and behind each the next; 0: none */
    uint8_t keyword_first[LIT_KEYWORD_SLOTS], keyword_next[LIT_KEYWORDS];
};

/* The names of tokens and the keywords, one after the other; NULL behind the last. */
const char *lit_token_at(size_t number);
const char *lit_keyword_at(size_t number);
/* Parses the source into `test`; all but the header if that has its dialect. */
void lit_syntax_parse(struct lit_syntax *syntax);

/* A token: the bytes from `begin` to `end`, which are one line or a string. */
struct lit_token {
    uint32_t begin, end, line, column;
    bool hole;   /* `?s`, `?s in {wi, wg}`, `?slot:b` as a whole */
    bool code;   /* in the text of a work-item or a definition */
    bool table;  /* in the rows of a table */
    bool closes; /* the '}' that is missing before a thread, of no bytes; or the end of the text */
};
typedef void lit_token_function(void *context, const struct lit_token *token);

/* Shows all tokens of the source, and the end, as the parser would see them. Faults of the lexer
 * alone are reported. */
void lit_syntax_tokens(struct lit_syntax *syntax, lit_token_function *visit, void *context);

/* ---- For the lexer and the grammar ---- */

/* The header's word, of no length where something else stands; the rest of its line; no header at
 * all. False: reported, and nothing is read any more. */
bool lit_syntax_dialect(struct lit_syntax *syntax, struct span span, const char *word,
                        size_t length);
bool lit_syntax_name(struct lit_syntax *syntax, const char *line, size_t length);
bool lit_syntax_empty(struct lit_syntax *syntax);
void lit_syntax_character(struct lit_syntax *syntax, struct span span, const char *text,
                          size_t length);
/* A line `Name=text` before the initial state. */
void lit_syntax_metadata(struct lit_syntax *syntax, const char *text, size_t length);
/* The text up to `end` without blanks around it, as a name of so many bytes. */
const char *lit_syntax_trimmed(struct lit_syntax *syntax, const char *text, const char *end,
                               size_t *length);
/* `what` is "comment" or "string". */
void lit_syntax_unclosed(struct lit_syntax *syntax, struct span span, const char *what);
/* Reads an integer literal of C; reports one that is malformed or out of range, and
 * then gives 0. */
struct ast_number lit_syntax_number(struct lit_syntax *syntax, struct span span, const char *text,
                                    size_t length, enum lit_type *type);
struct ast_number lit_syntax_negate(struct lit_syntax *syntax, struct ast_number number,
                                    struct span span);
/* In a table's initial block, reports a value that is the name of a location. */
void lit_syntax_alias(struct lit_syntax *syntax, struct span span);
/* The number of `P0` or `0:`; reports one past the largest. */
int64_t lit_syntax_thread(struct lit_syntax *syntax, struct ast_number number);
/* Reports a word of C that tests do not have; false when it is none. */
bool lit_syntax_foreign(struct lit_syntax *syntax, struct span span);
/* The title of a table, which may take several lines, as one. */
const char *lit_syntax_title(struct lit_syntax *syntax, const char *text);
/* Reports a row of `found` cells in a table of `expected` threads. */
void lit_syntax_row(struct lit_syntax *syntax, struct span span, uint32_t found, uint32_t expected);
/* A brace opens, before it is counted; one closes, before that. It has just been read. */
void lit_syntax_open_brace(struct lit_syntax *syntax, struct span span);
void lit_syntax_close_brace(struct lit_syntax *syntax, struct span span);
/* A hole, which is reported; false: it is none. */
bool lit_syntax_hole(struct lit_syntax *syntax, struct span span, const char *text);
/* A thread begins where braces are open. */
void lit_syntax_brace(struct lit_syntax *syntax, struct span span, const char *text, size_t length);
void lit_syntax_too_deep(struct lit_syntax *syntax, struct span span);
/* Reports once that the tree is too large, and ends the text here. */
void lit_syntax_too_large(struct lit_syntax *syntax);
/* Room for a node of the tree, unset. */
static inline void *ast_room(struct lit_syntax *syntax, size_t size)
{
    if (++syntax->nodes > AST_MAX_NODES)
        lit_syntax_too_large(syntax);
    return arena_alloc_unset(syntax->arena, size);
}
/* A node with these fields. */
#define AST_NEW(syntax, type, ...)                                    \
    __extension__({                                                   \
        struct type *node_ = ast_room((syntax), sizeof(struct type)); \
        *node_ = (struct type){__VA_ARGS__};                          \
        node_;                                                        \
    })
/* Of another's fields. */
#define AST_COPY(syntax, type, node) \
    ((struct type *)memcpy(ast_room((syntax), sizeof(struct type)), (node), sizeof(struct type)))
void lit_syntax_unexpected(struct lit_syntax *syntax, struct span span, bool at_end,
                           const char *const *expected, int count);

/* Generated by bison and flex. */
int lit_syntax_run(struct lit_syntax *syntax);

#endif
