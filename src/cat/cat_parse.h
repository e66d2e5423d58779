/* cat_parse: the text of a cat file to its syntax tree.
 *
 * The language is herd's (lexical rules, precedences, associativities). Parsing
 * goes on after a fault at the next definition or check, so one run reports
 * several. What herd has and crashlit has not is parsed and reported by name.
 *
 * Ownership: the tree lives in `arena`, its names in `names`; spans point at
 * `source`, which must outlive both the tree and the diagnostics.
 * Errors: reported to `diag`; `failed` is then set, and the tree holds what could
 * be read.
 * Cost: linear in the text.
 */
#ifndef CRASHLIT_CAT_PARSE_H
#define CRASHLIT_CAT_PARSE_H

#include "base/diag.h"
#include "base/intern.h"
#include "cat/cat_ast.h"

struct cat_file {
    const struct source *source;
    const char *title; /* the title string, else the name before it, else "" */
    struct cat_instrs instrs;
    bool failed;
};

struct cat_file *cat_parse_file(struct arena *arena, struct intern *names,
                                const struct source *source, struct diag *diag);

/* ---- For the lexer and the grammar ---- */

/* What is recognised and not supported: X(name, how it reads, how to mend). */
#define CAT_CONSTRUCTS(X)                                                                    \
    X(PROCEDURE, "procedures are", "write the checks where the procedure is called")         \
    X(CALL, "procedure calls are", "write the checks of the procedure here")                 \
    X(MATCH, "'match' is", "write the case that applies")                                    \
    X(ENUM, "enumerations of tags are", "use one named set for each tag")                    \
    X(WITH_FROM, "choosing with 'with ... from' is",                                         \
      "rf and co are enumerated by the tool; use those names")                               \
    X(FORALL, "'forall' is", "write one check for each element")                             \
    X(TAG, "tags are", "use the set of the events that carry the tag")                       \
    X(IF, "'if' is", "keep the branch that applies")                                         \
    X(INSTRUCTIONS, "Bell 'instructions' are", "remove the declaration")                     \
    X(DEFAULT, "Bell 'default' is", "remove the declaration")                                \
    X(DEBUG, "'debug' is", "remove it")                                                      \
    X(WHEN, "'let rec ... when' is", "write the condition as a check of its own")            \
    X(ADD, "'++' (sets of sets, adding an element) is", "use '|' to join sets or relations") \
    X(LISTED_SET, "sets listed in braces are", "join named sets with '|'; '{}' is the empty set")

enum cat_construct {
#define X(name, text, mend) CAT_CONSTRUCT_##name,
    CAT_CONSTRUCTS(X)
#undef X
};

struct cat_unsupported {
    enum cat_construct construct;
    struct span at;    /* the word to point at */
    struct span whole; /* all of it, to keep quiet about what is inside */
};

struct cat_parser {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    struct cat_file *file;
    uint32_t line, column; /* of the next byte */
    struct span comment;   /* where the open comment began */
    uint32_t comment_depth;
    bool unclosed; /* the file ended inside a comment or string */
    VEC(struct cat_unsupported) unsupported;
};

/* Moves past `length` bytes and sets `span` to their place. */
void cat_parse_advance(struct cat_parser *parser, const char *text, size_t length,
                       struct span *span);
void cat_parse_character(struct cat_parser *parser, struct span span, const char *text,
                         size_t length);
void cat_parse_unclosed(struct cat_parser *parser, struct span span, const char *what);
/* `expected` are the names of tokens in the grammar. */
void cat_parse_syntax(struct cat_parser *parser, struct span span, bool at_end,
                      const char *const *expected, int count);
void cat_parse_too_deep(struct cat_parser *parser, struct span span);
/* The expression itself, or a broken one where the tree would grow too deep. */
struct cat_expr *cat_parse_bound(struct cat_parser *parser, struct cat_expr *expr);
struct cat_expr *cat_parse_unsupported(struct cat_parser *parser, enum cat_construct construct,
                                       struct span at, struct span whole);

#endif
