/* cat_parse: parses a cat file to its syntax tree.
 *
 * The language is herd's (lexical rules, precedences, associativities). After a fault parsing goes
 * on at the next definition or check, so one run reports several.
 *
 * Ownership: the tree lives in `arena`, its names in `names`; spans point at `source`, which must
 * outlive both the tree and the diagnostics. Errors: reported to `diag`; `failed` is then set, and
 * the tree holds what could be read. Cost: linear in the text. */
#ifndef CRASHLIT_CAT_PARSE_H
#define CRASHLIT_CAT_PARSE_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/parse.h"
#include "cat/cat_ast.h"
#include "cat/cat_variants.h"

struct cat_file {
    const struct source *source;
    const char *title; /* the title string, else the name before it, else "" */
    const char *name;  /* the name before it, else "" */
    struct cat_instrs instrs;
    struct cat_names asked; /* variants asked about, once per question */
    bool failed;
};

/* `variants` NULL: all are off. */
struct cat_file *cat_parse_file(struct arena *arena, struct intern *names,
                                const struct cat_variants *variants, const struct source *source,
                                struct diag *diag);

/* ---- For the lexer and the grammar ---- */

struct cat_parser {
    struct arena *arena;
    struct intern *names;
    const struct cat_variants *variants;
    struct diag *diag;
    struct cat_file *file;
    struct source_place at; /* how far the text is read */
    struct span comment;    /* where the open comment began */
    uint32_t comment_depth;
    bool unclosed; /* the file ended inside a comment or string */
    bool hasty;    /* the file is taken to be correct; places may be wrong */
};

void cat_parse_character(struct cat_parser *parser, struct span span, const char *text,
                         size_t length);
void cat_parse_unclosed(struct cat_parser *parser, struct span span, const char *what);
/* `expected` are the names of tokens in the grammar. */
void cat_parse_syntax(struct cat_parser *parser, struct span span, bool at_end,
                      const char *const *expected, int count);
void cat_parse_too_deep(struct cat_parser *parser, struct span span);
/* A node with these fields, or a broken one where the tree would grow too deep. */
struct cat_expr *cat_parse_expr(struct cat_parser *parser, const struct cat_expr *fields);
/* The pattern of `formals` in parentheses; a single one binds the whole argument. */
struct cat_pattern *cat_parse_pattern(struct cat_parser *parser, struct cat_names formals,
                                      struct span span);
/* The pattern of one name. */
struct cat_pattern *cat_parse_one(struct cat_parser *parser, const char *name, struct span span);
/* The binding of an expression that `show` gives no name; a name stands for itself. */
struct cat_binding *cat_parse_shown(struct cat_parser *parser, struct cat_expr *expr);
/* The names of tokens, one after the other; NULL behind the last. */
const char *cat_token_at(size_t number);
/* Is a variant on? The question is noted. */
bool cat_parse_variant(struct cat_parser *parser, const char *name, struct span span);

#endif
