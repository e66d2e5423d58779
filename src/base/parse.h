/* parse: what the parsers of both languages share: flex and bison as they are used here, and words
 * for what a grammar expected.
 */
#ifndef CRASHLIT_PARSE_H
#define CRASHLIT_PARSE_H

#include "base/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* For YYLLOC_DEFAULT: from the first part of a rule to the last; without any, behind what stands
 * before it. */
#define PARSE_LOCATION(current, rhs, n)                                             \
    do {                                                                            \
        const struct span *last_ = &YYRHSLOC(rhs, n);                               \
        (current) = *last_;                                                         \
        if (n)                                                                      \
            memcpy(&(current), &YYRHSLOC(rhs, 1), SPAN_START_BYTES);                \
        else                                                                        \
            (current).line = last_->end_line, (current).column = last_->end_column; \
    } while (0)
/* Those of a span's source and start. */
#define SPAN_START_BYTES offsetof(struct span, end_line)

/* What bison calls at a fault; `tell` gets the parser, the place, whether the text ends there, and
 * the names of the tokens expected. `token_at` gives those of all tokens, by number; NULL behind
 * the last. */
#define PARSE_REPORT(type, tell, token_at)                                                       \
    static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, type *parser)   \
    {                                                                                            \
        enum { MOST = 128 };                                                                     \
        yysymbol_kind_t kinds[MOST];                                                             \
        const char *expected[MOST];                                                              \
        (void)scanner;                                                                           \
        int count = yypcontext_expected_tokens(context, kinds, MOST);                            \
        for (int i = 0; i < count; i++)                                                          \
            expected[i] = yysymbol_name(kinds[i]);                                               \
        tell(parser, *yypcontext_location(context), yypcontext_token(context) == YYSYMBOL_YYEOF, \
             expected, count);                                                                   \
        return 0;                                                                                \
    }                                                                                            \
    const char *token_at(size_t number)                                                          \
    {                                                                                            \
        enum { OWN = YYSYMBOL_YYUNDEF + 1 };                                                     \
        return number + OWN < YYNTOKENS ? yysymbol_name((yysymbol_kind_t)(number + OWN)) : NULL; \
    }

/* The memory of a scanner: as everywhere, it never fails (base/arena.h). */
#define PARSE_MEMORY(yyalloc, yyrealloc, yyfree)                    \
    void *yyalloc(yy_size_t size, yyscan_t scanner)                 \
    {                                                               \
        (void)scanner;                                              \
        return base_realloc(NULL, size);                            \
    }                                                               \
    void *yyrealloc(void *memory, yy_size_t size, yyscan_t scanner) \
    {                                                               \
        (void)scanner;                                              \
        return base_realloc(memory, size);                          \
    }                                                               \
    void yyfree(void *memory, yyscan_t scanner)                     \
    {                                                               \
        (void)scanner;                                              \
        base_free(memory);                                          \
    }

/* A group of tokens that shows as one phrase when its witness is expected. */
struct parse_phrase {
    const char *witness; /* the token that stands for the group */
    const char *text;
    const char *members; /* its tokens, each between blanks or quotes */
};

bool parse_covers(const struct parse_phrase *phrase, const char *token);
bool parse_expects(const char *token, const char *const *expected, int count);
/* Adds to a list; *said counts. Texts may be lists, too. */
void parse_add_expected(struct strbuf *list, const char *text, bool quote, int *said);
/* "expected A, B or C" */
void parse_tell_expected(struct strbuf *out, const char *list);

#endif
