/* The grammar of cat, as herd reads it. From loosest to tightest: `|`, `++`, `;`,
 * `\` (to the left), `&`, prefix `~`, then product and the postfix operators, and
 * `^-1`. `a * b` is a product when an operand follows the star, a closure else. */
%code requires {
#include "base/parse.h"
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

#define YYLLOC_DEFAULT PARSE_LOCATION

int cat_yylex(CAT_YYSTYPE *value, CAT_YYLTYPE *span, cat_scanner scanner);
/* For a hasty parser each token has passed the look-ahead correction that finds faults early. */
#undef yylex
#define yylex(value, span, scanner) \
    (yy_lac_established = parser->hasty, cat_yylex(value, span, scanner))

static void cat_yyerror(CAT_YYLTYPE *span, cat_scanner scanner, struct cat_parser *parser,
                        const char *message)
{
    (void)scanner;
    (void)message; /* only ever that the parser's stack is full */
    cat_parse_too_deep(parser, *span);
}

/* Each with its place, and then the fields it has. */
#define NEW(type, ...) ARENA_MAKE(parser->arena, struct cat_##type, __VA_ARGS__)
#define INSTR(sort, ...) NEW(instr, .kind = CAT_INSTR_##sort, .span = __VA_ARGS__)
#define CLAUSE(sort, ...) NEW(clause, .kind = CAT_CLAUSE_##sort, .span = __VA_ARGS__)
#define CONDITION(sort, ...) NEW(condition, .kind = CAT_CONDITION_##sort, __VA_ARGS__)
#define NAMED(word, at) NEW(name, word, at)
#define PATTERN(names, at) cat_parse_pattern(parser, names, at)
#define EXPR(sort, ...) \
    cat_parse_expr(parser, &(struct cat_expr){.kind = CAT_EXPR_##sort, .span = __VA_ARGS__})
#define UNARY(sign, operand, at) EXPR(UNARY, at, .op = sign, .a = operand)
#define BINARY(sign, left, right, at) EXPR(BINARY, at, .op = sign, .a = left, .b = right)
#define ADD(list, node) CHAIN_ADD(&(list), node)
}

%initial-action {
    @$ = (struct span){parser->file->source, 1, 1, 1, 1};
}

%union {
    const char *name;
    enum cat_test test;
    struct cat_name *one;
    struct cat_names names;
    struct cat_pattern *pattern;
    struct cat_expr *expr;
    struct cat_exprs exprs;
    struct cat_binding *binding;
    struct cat_bindings bindings;
    struct cat_instr *instr;
    struct cat_instrs instrs;
    struct cat_clause *clause;
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

%type <one> name
%type <names> names formals some_formals tags
%type <instrs> body
%type <clause> clause choice no_element an_element
%type <clauses> clauses choices set_choices
%type <condition> condition
%type <flag> variant optional_rec
%type <pattern> argument
%type <expr> exp base simple applied operand braces
%type <exprs> tuple elements some_elements two_tags
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
| NAME                      { parser->file->title = parser->file->name = $1; }
| STRING                    { parser->file->title = $1; }
| NAME[n] NAME              { parser->file->title = parser->file->name = $n; }
| NAME[n] STRING            { parser->file->title = $2; parser->file->name = $n; }
;

dependent: %empty | "catdep";

items:
  %empty
| items item                { $2->whole = @2; ADD(parser->file->instrs, $2); }
| items error
;

item:
  instr
| "enum" NAME '=' first_bar tags    { $$ = INSTR(ENUM, @1, .name = $2, .name_span = @2, .names = $5); }
;

body:
  %empty                            { $$ = (struct cat_instrs){0}; }
| body instr                        { $$ = $1; ADD($$, $2); }
;
tags:
  TAG                               { $$ = (struct cat_names){0}; ADD($$, NAMED($1, @1)); }
| tags "||" TAG                     { $$ = $1; ADD($$, NAMED($3, @3)); }
;
two_tags:
  TAG[a] "||" TAG[b]                {
        $$ = (struct cat_exprs){0};
        ADD($$, EXPR(TAG, @a, .name = $a));
        ADD($$, EXPR(TAG, @b, .name = $b));
    }
| two_tags "||" TAG                 { $$ = $1; ADD($$, EXPR(TAG, @3, .name = $3)); }
;
first_bar: %empty | "||";

instr:
  "let" bindings optional_in        { $$ = INSTR(LET, @$, .bindings = $2); }
| "let" "rec" bindings optional_in  { $$ = INSTR(LET_REC, @$, .bindings = $3); }
| "let" "rec" bindings "when" test optional_in  {
        $$ = INSTR(LET_REC, @$, .bindings = $3, .body = {$5, $5, 1});
    }
| check
| "include" STRING                  { $$ = INSTR(INCLUDE, @2, .name = $2); }
| "show" shown                      { $$ = INSTR(SHOW, @$, .bindings = $2); }
| "unshow" names                    { $$ = INSTR(UNSHOW, @$, .names = $2); }
| "match" exp "with" first_bar clauses "end"    { $$ = INSTR(MATCH, @1, .expr = $2, .clauses = $5); }
| "procedure" optional_rec NAME argument '=' body "end"  {
        $$ = INSTR(PROCEDURE, @1, .recursive = $2, .name = $3, .name_span = @3, .pattern = $4,
                   .body = $6);
    }
| "call" NAME operand as_name       {
        $$ = INSTR(CALL, @$, .callee = $2, .name_span = @2, .expr = $3, .name = $4);
    }
| "debug" exp                       { $$ = INSTR(DEBUG, @1, .expr = $2); }
| "forall" NAME "in" exp "do" body "end"        {
        $$ = INSTR(FORALL, @1, .name = $2, .name_span = @2, .expr = $4, .body = $6);
    }
| "with" NAME "from" exp            { $$ = INSTR(WITH, @$, .name = $2, .name_span = @2, .expr = $4); }
| "if" variant body "else" body "end"   {
        $$ = INSTR(IF, @1, .condition = CONDITION(KNOWN, .holds = $2), .body = $3, .otherwise = $5);
    }
| "if" variant body "end"           {
        $$ = INSTR(IF, @1, .condition = CONDITION(KNOWN, .holds = $2), .body = $3);
    }
| "instructions" NAME '[' elements ']'          {
        $$ = INSTR(INSTRUCTIONS, @1, .name = $2, .name_span = @2, .items = $4);
    }
| "instructions" NAME '[' two_tags ']'          {
        $$ = INSTR(INSTRUCTIONS, @1, .name = $2, .name_span = @2, .items = $4, .alternatives = true);
    }
| "default" NAME '[' elements ']'   { $$ = INSTR(BELL, @1, .items = $4); }
;

optional_in: %empty | "in";
optional_rec:
  %empty                            { $$ = false; }
| "rec"                             { $$ = true; }
;

argument:
  '(' formals ')'                   { $$ = PATTERN($2, @$); }
| name                              { $$ = PATTERN(((struct cat_names){$1, $1, 1}), @1); }
;

clauses:
  clause                            { $$ = (struct cat_clauses){$1, $1, 1}; }
| '_' "->" body                     { $$ = (struct cat_clauses){0}; ADD($$, CLAUSE(OTHER, @1, .body = $3)); }
| clause "||" clauses               {
        $1->next = $3.first;
        $$ = (struct cat_clauses){$1, $3.last, $3.count + 1};
    }
;
clause:
  TAG "->" body                     { $$ = CLAUSE(TAG, @1, .tag = $1, .body = $3); }
;

names:
  NAME                              { $$ = (struct cat_names){0}; ADD($$, NAMED($1, @1)); }
| names ',' NAME                    { $$ = $1; ADD($$, NAMED($3, @3)); }
;
shown:
  shown_one                         { $$ = (struct cat_bindings){$1, $1, 1}; }
| shown ',' shown_one               { $$ = $1; ADD($$, $3); }
;
shown_one:
  base                              { $$ = cat_parse_shown(parser, $1); }
| base "as" NAME                    { $$ = NEW(binding, cat_parse_one(parser, $3, @3), $1); }
;

/* herd stops when an `assert` fails; here the failure is raised as a flag. */
check:
  test
| "flag" test                       { $$ = $2; $$->check = CAT_FLAG; $$->span = @$; }
| "undefined_unless" test           { $$ = $2; $$->check = CAT_UNDEFINED_UNLESS; $$->span = @$; }
| "assert" test                     { $$ = $2; $$->check = CAT_FLAG; $$->negated = !$$->negated; $$->span = @$; }
;

test:
  TEST exp as_name                  { $$ = INSTR(CHECK, @$, .test = $1, .expr = $2, .name = $3); }
| NOT_TEST exp as_name              { $$ = INSTR(CHECK, @$, .test = $1, .negated = true, .expr = $2, .name = $3); }
;

as_name:
  %empty                            { $$ = NULL; }
| "as" NAME                         { $$ = $2; }
;

/* Definitions. */

bindings:
  binding                           { $$ = (struct cat_bindings){$1, $1, 1}; }
| bindings "and" binding            { $$ = $1; ADD($$, $3); }
;

binding:
  '(' formals ')' '=' exp           { $$ = NEW(binding, PATTERN($2, @2), $5); }
| some_formals '=' exp              { $$ = NEW(binding, PATTERN($1, @1), $3); }
| NAME argument '=' exp             {
        struct cat_expr *fun = EXPR(FUN, @1, .name = $1, .pattern = $2, .a = $4);
        $$ = NEW(binding, cat_parse_one(parser, $1, @1), fun);
    }
;

name:
  NAME                              { $$ = NAMED($1, @1); }
| '_'                               { $$ = NAMED(NULL, @1); }
;

formals:
  %empty                            { $$ = (struct cat_names){0}; }
| some_formals
;

some_formals:
  name                              { $$ = (struct cat_names){$1, $1, 1}; }
| some_formals ',' name             { $$ = $1; ADD($$, $3); }
;

/* Expressions. */

exp:
  base
| tuple                             { $$ = EXPR(TUPLE, @$, .items = $1); }
| "let" bindings "in" exp           { $$ = EXPR(LET, @$, .bindings = $2, .a = $4); }
| "let" "rec" bindings "in" exp     { $$ = EXPR(LET_REC, @$, .bindings = $3, .a = $5); }
| "fun" argument "->" exp           { $$ = EXPR(FUN, @$, .pattern = $2, .a = $4); }
| "try" exp "with" exp              { $$ = EXPR(TRY, @$, .a = $2, .b = $4); }
| "if" condition "then" exp "else" exp          { $$ = EXPR(IF, @$, .condition = $2, .a = $4, .b = $6); }
| "match" exp "with" first_bar choices "end"    { $$ = EXPR(MATCH, @$, .a = $2, .clauses = $5); }
| "match" exp "with" first_bar set_choices "end" { $$ = EXPR(MATCH, @$, .a = $2, .clauses = $5); }
;

tuple:
  base[a] ',' base[b]               { $$ = (struct cat_exprs){$a, $a, 1}; ADD($$, $b); }
| tuple ',' base                    { $$ = $1; ADD($$, $3); }
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
| base "++" base                    { $$ = EXPR(ADD, @$, .a = $1, .b = $3); }
| base '\\' base                    { $$ = BINARY(CAT_DIFF, $1, $3, @$); }
| base '&' base                     { $$ = BINARY(CAT_INTER, $1, $3, @$); }
| '~' base                          { $$ = UNARY(CAT_COMP, $2, @$); }
;

simple:
  '0'                               { $$ = EXPR(EMPTY, @$, .sort = CAT_REL); }
| TAG                               { $$ = EXPR(TAG, @1, .name = $1); }
| braces
| '_'                               { $$ = EXPR(UNIVERSE, @$); }
| '(' ')'                           { $$ = EXPR(TUPLE, @$); }
| '(' exp ')'                       { $$ = $2; }
| "begin" exp "end"                 { $$ = $2; }
| '[' exp ']'                       { $$ = UNARY(CAT_TOID, $2, @$); }
;

braces:
  '{' '}'                           { $$ = EXPR(EMPTY, @$, .sort = CAT_SET); }
| '{' some_elements '}'             { $$ = EXPR(LIST, @$, .items = $2); }
;

elements:
  %empty                            { $$ = (struct cat_exprs){0}; }
| some_elements
;
some_elements:
  base                              { $$ = (struct cat_exprs){$1, $1, 1}; }
| some_elements ',' base            { $$ = $1; ADD($$, $3); }
;

applied:
  NAME                              { $$ = EXPR(NAME, @1, .name = $1); }
| applied operand                   { $$ = EXPR(APPLY, @$, .a = $1, .b = $2); }
;

operand:
  NAME                              { $$ = EXPR(NAME, @1, .name = $1); }
| simple
;

/* Conditions. A variant is on or off for the whole run, so it is looked up here. */

condition:
  exp '=' exp                       { $$ = CONDITION(EQUAL, .a = $1, .b = $3); }
| exp "subset" exp                  { $$ = CONDITION(SUBSET, .a = $1, .b = $3); }
| exp "in" exp                      { $$ = CONDITION(IN, .a = $1, .b = $3); }
| variant                           { $$ = CONDITION(KNOWN, .holds = $1); }
;

variant:
  "variant" STRING                  { $$ = cat_parse_variant(parser, $2, @2); }
| STRING                            { $$ = cat_parse_variant(parser, $1, @1); }
| "not" variant                     { $$ = !$2; }
| variant "&&" variant              { $$ = $1 && $3; }
| variant "||" variant              { $$ = $1 || $3; }
| '(' variant ')'                   { $$ = $2; }
;

choices:
  choice                            { $$ = (struct cat_clauses){$1, $1, 1}; }
| '_' "->" exp                      { $$ = (struct cat_clauses){0}; ADD($$, CLAUSE(OTHER, @1, .expr = $3)); }
| choice "||" choices               {
        $1->next = $3.first;
        $$ = (struct cat_clauses){$1, $3.last, $3.count + 1};
    }
;
choice:
  TAG "->" exp                      { $$ = CLAUSE(TAG, @1, .tag = $1, .expr = $3); }
;

set_choices:
  no_element "||" an_element        { $$ = (struct cat_clauses){$1, $1, 1}; ADD($$, $3); }
| an_element "||" no_element        { $$ = (struct cat_clauses){$1, $1, 1}; ADD($$, $3); }
;
no_element:
  '{' '}' "->" exp                  { $$ = CLAUSE(NONE, @1, .expr = $4); }
;
an_element:
  name[x] "++" name[xs] "->" exp    { $$ = CLAUSE(SOME, @x, .expr = $5); ADD($$->names, $x); ADD($$->names, $xs); }
| name[a] '|' name[x] "++" name[b] "->" exp     {
        $$ = CLAUSE(SOME, @a, .expr = $7);
        ADD($$->names, $a);
        ADD($$->names, $x);
        ADD($$->names, $b);
    }
;

%%

PARSE_REPORT(struct cat_parser, cat_parse_syntax, cat_token_at)
