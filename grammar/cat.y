/* The grammar of cat, as herd reads it. From loosest to tightest: `|`, `++`, `;`,
 * `\` (to the left), `&`, prefix `~`, then product and the postfix operators, and
 * `^-1`. `a * b` is a product when an operand follows the star, a closure else. */
%code requires {
#include "cat/cat_parse.h"
typedef void *cat_scanner;
}

%define api.pure full
%define api.prefix {cat_yy}
%define api.token.prefix {CAT_}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {cat_scanner scanner}
%parse-param {struct cat_parser *parser}

%code {
/* The parser's stack. */
#define YYMALLOC(size) base_realloc(NULL, (size))
#define YYFREE(memory) base_free(memory)

#define YYLLOC_DEFAULT(current, rhs, n)                                      \
    do {                                                                     \
        (current) = YYRHSLOC(rhs, (n) ? 1 : 0);                              \
        if (!(n)) {                                                          \
            (current).line = (current).end_line;                             \
            (current).column = (current).end_column;                         \
        }                                                                    \
        (current).end_line = YYRHSLOC(rhs, n).end_line;                      \
        (current).end_column = YYRHSLOC(rhs, n).end_column;                  \
    } while (0)

int cat_yylex(CAT_YYSTYPE *value, CAT_YYLTYPE *span, cat_scanner scanner);

static void cat_yyerror(CAT_YYLTYPE *span, cat_scanner scanner, struct cat_parser *parser,
                        const char *message)
{
    (void)scanner;
    (void)message; /* only ever that the parser's stack is full */
    cat_parse_too_deep(parser, *span);
}

#define UNARY(op, a, span) \
    cat_parse_bound(parser, cat_expr_unary(parser->arena, op, a, span))
#define BINARY(op, a, b, span) \
    cat_parse_bound(parser, cat_expr_binary(parser->arena, op, a, b, span))
#define INSTR(kind, span) cat_instr_new(parser->arena, CAT_INSTR_##kind, span)
#define CLAUSE(kind, span, expr) \
    cat_clause_new(parser->arena, CAT_CLAUSE_##kind, span, expr)
#define CONDITION(kind, a, b) \
    cat_condition_new(parser->arena, CAT_CONDITION_##kind, a, b)
}

%initial-action {
    @$ = (struct span){parser->file->source, 1, 1, 1, 1};
}

%union {
    const char *name;
    enum cat_test test;
    struct cat_names names;
    struct cat_pattern *pattern;
    struct cat_expr *expr;
    struct cat_exprs exprs;
    struct cat_binding *binding;
    struct cat_bindings bindings;
    struct cat_instr *instr;
    struct cat_instrs instrs;
    struct cat_clauses clauses;
    struct cat_condition *condition;
    bool flag;
}

%token END_OF_FILE 0 "the end of the file"
%token <name> NAME "a name" TAG "a tag" STRING "a string"
%token <test> TEST "a check" NOT_TEST "a negated check"
%token LET "let" RECURSIVE "rec" ALONG "and" WHEN "when" SHOW "show" UNSHOW "unshow"
%token SUBSET "subset" AS "as" FUN "fun" IN "in" UNLESS "undefined_unless" FLAGGED "flag"
%token ASSERT "assert" INCLUDE "include" VARIANT "variant" BEGIN "begin" END "end"
%token PROCEDURE "procedure" CALL "call" ENUM "enum" DEBUG "debug" MATCH "match" WITH "with"
%token FORALL "forall" FROM "from" DO "do" TRY "try" IF "if" THEN "then" ELSE "else"
%token CATDEP "catdep" INSTRUCTIONS "instructions" DEFAULT "default" NOT "not"
%token OR "||" AND_ALSO "&&" ADD "++" MINUS_ONE "-1" ARROW "->"

%type <names> name names formals some_formals tags
%type <instrs> body
%type <clauses> clauses clause choices choice set_choices no_element an_element
%type <condition> condition
%type <flag> variant optional_rec
%type <pattern> argument procedure_argument
%type <expr> exp base simple applied operand braces
%type <exprs> tuple elements some_elements
%type <binding> binding shown_one
%type <bindings> bindings shown
%type <instr> item instr check test
%type <name> as_name

%left '|'
%right "++"
%left ';'
%left '\\'
%left '&'
%precedence '~'
%left '*' '+' '?'
%precedence '^'
%left "||"
%left "&&"
%precedence "not"

%%

file: title dependent items;

title:
  %empty
| NAME                      { parser->file->title = $1; }
| STRING                    { parser->file->title = $1; }
| NAME[n] NAME              { parser->file->title = $n; }
| NAME STRING               { parser->file->title = $2; }
;

dependent: %empty | "catdep";

items:
  %empty
| items item                { cat_instrs_add(&parser->file->instrs, $2); }
| items error
;

item:
  instr
| "enum" NAME '=' first_bar tags    { $$ = INSTR(ENUM, @1); $$->name = $2; $$->name_span = @2; $$->names = $5; }
;

body:
  %empty                            { $$ = (struct cat_instrs){0}; }
| body instr                        { $$ = $1; cat_instrs_add(&$$, $2); }
;
tags:
  TAG                               { $$ = cat_names_one(parser->arena, $1, @1); }
| tags "||" TAG                     { $$ = cat_names_join($1, cat_names_one(parser->arena, $3, @3)); }
;
first_bar: %empty | "||";

instr:
  "let" bindings optional_in        { $$ = cat_instr_let(parser->arena, CAT_INSTR_LET, $2, @$); }
| "let" "rec" bindings optional_in  { $$ = cat_instr_let(parser->arena, CAT_INSTR_LET_REC, $3, @$); }
| "let" "rec" bindings "when" test optional_in  {
        $$ = cat_instr_let(parser->arena, CAT_INSTR_LET_REC, $3, @$);
        cat_instrs_add(&$$->body, $5);
    }
| check
| "include" STRING                  { $$ = cat_instr_include(parser->arena, $2, @2); }
| "show" shown                      { $$ = INSTR(SHOW, @$); $$->bindings = $2; }
| "unshow" names                    { $$ = INSTR(UNSHOW, @$); $$->names = $2; }
| "match" exp "with" first_bar clauses "end"    { $$ = INSTR(MATCH, @1); $$->expr = $2; $$->clauses = $5; }
| "procedure" optional_rec NAME procedure_argument '=' body "end"  {
        $$ = INSTR(PROCEDURE, @1);
        $$->recursive = $2;
        $$->name = $3;
        $$->name_span = @3;
        $$->pattern = $4;
        $$->body = $6;
    }
| "call" NAME operand as_name       { $$ = INSTR(CALL, @$); $$->callee = $2; $$->name_span = @2; $$->expr = $3; $$->name = $4; }
| "debug" exp                       { $$ = INSTR(DEBUG, @1); $$->expr = $2; }
| "forall" NAME "in" exp "do" body "end"        { $$ = INSTR(FORALL, @1); $$->name = $2; $$->name_span = @2; $$->expr = $4; $$->body = $6; }
| "with" NAME "from" exp            { $$ = INSTR(WITH, @$); $$->name = $2; $$->name_span = @2; $$->expr = $4; }
| "if" variant body "else" body "end"   { $$ = INSTR(IF, @1); $$->condition = cat_condition_known(parser->arena, $2); $$->body = $3; $$->otherwise = $5; }
| "if" variant body "end"           { $$ = INSTR(IF, @1); $$->condition = cat_condition_known(parser->arena, $2); $$->body = $3; }
| "instructions" NAME '[' elements ']'          { $$ = INSTR(BELL, @1); $$->items = $4; }
| "default" NAME '[' elements ']'   { $$ = INSTR(BELL, @1); $$->items = $4; }
;

optional_in: %empty | "in";
optional_rec:
  %empty                            { $$ = false; }
| "rec"                             { $$ = true; }
;
procedure_argument:
  '(' formals ')'                   { $$ = cat_pattern_of(parser->arena, $2, @$); }
| name                              { $$ = cat_pattern_of(parser->arena, $1, @1); }
;

clauses:
  clause
| '_' "->" body                     { $$ = CLAUSE(OTHER, @1, NULL); $$.first->body = $3; }
| clause "||" clauses               { $$ = cat_clauses_join($1, $3); }
;
clause:
  TAG "->" body                     { $$ = CLAUSE(TAG, @1, NULL); $$.first->tag = $1; $$.first->body = $3; }
;

names:
  NAME                              { $$ = cat_names_one(parser->arena, $1, @1); }
| names ',' NAME                    { $$ = cat_names_join($1, cat_names_one(parser->arena, $3, @3)); }
;
shown:
  shown_one                         { $$ = cat_bindings_join((struct cat_bindings){0}, $1); }
| shown ',' shown_one               { $$ = cat_bindings_join($1, $3); }
;
shown_one:
  base                              { $$ = cat_parse_shown(parser, $1); }
| base "as" NAME                    {
        struct cat_names name = cat_names_one(parser->arena, $3, @3);
        $$ = cat_binding_new(parser->arena, cat_pattern_of(parser->arena, name, @3), $1);
    }
;

check:
  test
| "flag" test                       { $$ = $2; $$->check = CAT_FLAG; $$->span = @$; }
| "undefined_unless" test           { $$ = $2; $$->check = CAT_UNDEFINED_UNLESS; $$->span = @$; }
| "assert" test                     { $$ = cat_instr_assert($2); $$->span = @$; }
;

test:
  TEST exp as_name                  { $$ = cat_instr_check(parser->arena, $1, false, $2, $3, @$); }
| NOT_TEST exp as_name              { $$ = cat_instr_check(parser->arena, $1, true, $2, $3, @$); }
;

as_name:
  %empty                            { $$ = NULL; }
| "as" NAME                         { $$ = $2; }
;

/* Definitions. */

bindings:
  binding                           { $$ = cat_bindings_join((struct cat_bindings){0}, $1); }
| bindings "and" binding            { $$ = cat_bindings_join($1, $3); }
;

binding:
  '(' formals ')' '=' exp           { $$ = cat_binding_new(parser->arena, cat_pattern_of(parser->arena, $2, @2), $5); }
| some_formals '=' exp              { $$ = cat_binding_new(parser->arena, cat_pattern_of(parser->arena, $1, @1), $3); }
| NAME argument '=' exp             {
        struct cat_names name = cat_names_one(parser->arena, $1, @1);
        struct cat_expr *fun = cat_parse_bound(parser, cat_expr_fun(parser->arena, $1, $2, $4, @1));
        $$ = cat_binding_new(parser->arena, cat_pattern_of(parser->arena, name, @1), fun);
    }
;

argument:
  name                              { $$ = cat_pattern_of(parser->arena, $1, @1); }
| '(' formals ')'                   { $$ = cat_pattern_of(parser->arena, $2, @$); }
;

name:
  NAME                              { $$ = cat_names_one(parser->arena, $1, @1); }
| '_'                               { $$ = cat_names_one(parser->arena, NULL, @1); }
;

formals:
  %empty                            { $$ = (struct cat_names){0}; }
| some_formals
;

some_formals:
  name
| some_formals ',' name             { $$ = cat_names_join($1, $3); }
;

/* Expressions. */

exp:
  base
| tuple                             { $$ = cat_parse_bound(parser, cat_expr_tuple(parser->arena, $1, @$)); }
| "let" bindings "in" exp           { $$ = cat_parse_bound(parser, cat_expr_let(parser->arena, CAT_EXPR_LET, $2, $4, @$)); }
| "let" "rec" bindings "in" exp     { $$ = cat_parse_bound(parser, cat_expr_let(parser->arena, CAT_EXPR_LET_REC, $3, $5, @$)); }
| "fun" argument "->" exp           { $$ = cat_parse_bound(parser, cat_expr_fun(parser->arena, NULL, $2, $4, @$)); }
| "try" exp "with" exp              { $$ = cat_parse_bound(parser, cat_expr_pair(parser->arena, CAT_EXPR_TRY, $2, $4, @$)); }
| "if" condition "then" exp "else" exp          { $$ = cat_parse_bound(parser, cat_expr_if(parser->arena, $2, $4, $6, @$)); }
| "match" exp "with" first_bar choices "end"    { $$ = cat_parse_bound(parser, cat_expr_match(parser->arena, $2, $5, @$)); }
| "match" exp "with" first_bar set_choices "end" { $$ = cat_parse_bound(parser, cat_expr_match(parser->arena, $2, $5, @$)); }
;

tuple:
  base[a] ',' base[b]               { $$ = cat_exprs_join(cat_exprs_join((struct cat_exprs){0}, $a), $b); }
| tuple ',' base                    { $$ = cat_exprs_join($1, $3); }
;

base:
  simple
| applied
| base '*' base                     { $$ = BINARY(CAT_PRODUCT, $1, $3, @$); }
| base '*'                          { $$ = UNARY(CAT_STAR, $1, @$); }
| base '+'                          { $$ = UNARY(CAT_PLUS, $1, @$); }
| base '?'                          { $$ = UNARY(CAT_OPT, $1, @$); }
| base '^' "-1"                     { $$ = UNARY(CAT_INVERSE, $1, @$); }
| base ';' base                     { $$ = BINARY(CAT_SEQ, $1, $3, @$); }
| base '|' base                     { $$ = BINARY(CAT_UNION, $1, $3, @$); }
| base "++" base                    { $$ = cat_parse_bound(parser, cat_expr_pair(parser->arena, CAT_EXPR_ADD, $1, $3, @$)); }
| base '\\' base                    { $$ = BINARY(CAT_DIFF, $1, $3, @$); }
| base '&' base                     { $$ = BINARY(CAT_INTER, $1, $3, @$); }
| '~' base                          { $$ = UNARY(CAT_COMP, $2, @$); }
;

simple:
  '0'                               { $$ = cat_expr_empty(parser->arena, CAT_REL, @$); }
| TAG                               { $$ = cat_expr_name(parser->arena, $1, @1); $$->kind = CAT_EXPR_TAG; }
| braces
| '_'                               { $$ = cat_expr_leaf(parser->arena, CAT_EXPR_UNIVERSE, @$); }
| '(' ')'                           { $$ = cat_expr_tuple(parser->arena, (struct cat_exprs){0}, @$); }
| '(' exp ')'                       { $$ = $2; }
| "begin" exp "end"                 { $$ = $2; }
| '[' exp ']'                       { $$ = UNARY(CAT_TOID, $2, @$); }
;

braces:
  '{' '}'                           { $$ = cat_expr_empty(parser->arena, CAT_SET, @$); }
| '{' some_elements '}'             { $$ = cat_parse_bound(parser, cat_expr_list(parser->arena, $2, @$)); }
;

elements:
  %empty                            { $$ = (struct cat_exprs){0}; }
| some_elements
;
some_elements:
  base                              { $$ = cat_exprs_join((struct cat_exprs){0}, $1); }
| some_elements ',' base            { $$ = cat_exprs_join($1, $3); }
;

applied:
  NAME                              { $$ = cat_expr_name(parser->arena, $1, @1); }
| applied operand                   { $$ = cat_parse_bound(parser, cat_expr_pair(parser->arena, CAT_EXPR_APPLY, $1, $2, @$)); }
;

operand:
  NAME                              { $$ = cat_expr_name(parser->arena, $1, @1); }
| simple
;

/* Conditions. A variant is on or off for the whole run, so it is looked up here. */

condition:
  exp '=' exp                       { $$ = CONDITION(EQUAL, $1, $3); }
| exp "subset" exp                  { $$ = CONDITION(SUBSET, $1, $3); }
| exp "in" exp                      { $$ = CONDITION(IN, $1, $3); }
| variant                           { $$ = cat_condition_known(parser->arena, $1); }
;

variant:
  "variant" STRING                  { $$ = cat_parse_variant($2); }
| STRING                            { $$ = cat_parse_variant($1); }
| "not" variant                     { $$ = !$2; }
| variant "&&" variant              { $$ = $1 && $3; }
| variant "||" variant              { $$ = $1 || $3; }
| '(' variant ')'                   { $$ = $2; }
;

choices:
  choice
| '_' "->" exp                      { $$ = CLAUSE(OTHER, @1, $3); }
| choice "||" choices               { $$ = cat_clauses_join($1, $3); }
;
choice:
  TAG "->" exp                      { $$ = CLAUSE(TAG, @1, $3); $$.first->tag = $1; }
;

set_choices:
  no_element "||" an_element        { $$ = cat_clauses_join($1, $3); }
| an_element "||" no_element        { $$ = cat_clauses_join($1, $3); }
;
no_element:
  '{' '}' "->" exp                  { $$ = CLAUSE(NONE, @1, $4); }
;
an_element:
  name[x] "++" name[xs] "->" exp    { $$ = CLAUSE(SOME, @x, $5); $$.first->names = cat_names_join($x, $xs); }
| name[a] '|' name[x] "++" name[b] "->" exp     {
        $$ = CLAUSE(SOME, @a, $7);
        $$.first->names = cat_names_join(cat_names_join($a, $x), $b);
    }
;

%%

static int yyreport_syntax_error(const yypcontext_t *context, cat_scanner scanner,
                                 struct cat_parser *parser)
{
    enum { MOST = 80 };
    yysymbol_kind_t kinds[MOST];
    const char *expected[MOST];
    (void)scanner;
    int count = yypcontext_expected_tokens(context, kinds, MOST);
    for (int i = 0; i < count; i++)
        expected[i] = yysymbol_name(kinds[i]);
    cat_parse_syntax(parser, *yypcontext_location(context),
                     yypcontext_token(context) == YYSYMBOL_YYEOF, expected, count);
    return 0;
}
