/* The grammar of litmus tests: an initial state, threads (C-like code, or columns of a
 * table), a recovery program, conditions and expectations; and that of definition files. The first
 * token says which kind of text it is. Actions only make the nodes of lit_ast.h. */
%code requires {
#include "base/parse.h"
#include "litmus/lit_syntax.h"
typedef void *lit_scanner;

struct lit_literal {
    struct ast_number number;
    enum lit_type type;
};

/* A word of a type or a qualifier. */
struct lit_type_word {
    uint32_t bits;
    struct span span;
};
}

%define api.pure full
%define api.prefix {lit_yy}
%define api.token.prefix {TOK_}
%define api.location.type {struct span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {lit_scanner scanner}
%parse-param {struct lit_syntax *syntax}

%code {
/* The parser's stack. */
#define YYMALLOC(size) base_realloc(NULL, (size))
#define YYFREE(memory) base_free(memory)

#define YYLLOC_DEFAULT PARSE_LOCATION

int lit_yylex(LIT_YYSTYPE *value, LIT_YYLTYPE *span, lit_scanner scanner);
/* For a hasty parser each token has passed the look-ahead correction that finds faults early. */
#undef yylex
#define yylex(value, span, scanner) \
    (yy_lac_established = syntax->hasty, lit_yylex(value, span, scanner))

static const struct ast_number *ast_number(struct lit_syntax *syntax, struct ast_number number)
{
    return arena_copy(syntax->arena, &number, sizeof number);
}

static void lit_yyerror(LIT_YYLTYPE *span, lit_scanner scanner, struct lit_syntax *syntax,
                        const char *message)
{
    (void)scanner;
    (void)message; /* only ever that the parser's stack is full */
    lit_syntax_too_deep(syntax, *span);
}

/* Each with its place, and then the fields it has. */
#define EXPR(sort, ...) \
    ast_expr(syntax, NEW(expr, .kind = AST_##sort, .span = __VA_ARGS__))
/* One without parts, which inherits nothing. */
#define LEAF(sort, ...) NEW(expr, .kind = AST_##sort, .depth = 1, .weight = 1, .span = __VA_ARGS__)
#define STMT(sort, ...) \
    ast_stmt(syntax, NEW(stmt, .kind = AST_S_##sort, .span = __VA_ARGS__))
#define PROP(sort, ...) \
    ast_prop(syntax, NEW(prop, .op = LIT_PROP_##sort, .span = __VA_ARGS__))
/* The parser moves its values at every step: what is large is a pointer there. */
#define ATOM(sort, ...) \
    ARENA_MAKE(syntax->arena, struct ast_atom, .kind = AST_ATOM_##sort, .span = __VA_ARGS__)
#define SPECS(...) ARENA_MAKE(syntax->arena, struct ast_specs, __VA_ARGS__)
#define NEW(type, ...) AST_NEW(syntax, ast_##type, __VA_ARGS__)
#define ADD(list, node) CHAIN_ADD(&(list), node)

/* The initial block, or what is defined before it. */
static void begin(struct lit_syntax *syntax, struct span span)
{
    if (!syntax->test->start.line)
        syntax->test->start = span;
}

#define UNARY(sign, operand, at) EXPR(UNARY, at, .op = LIT_OP_##sign, .a = operand)
#define BINARY(sign, left, right, at) EXPR(BINARY, at, .op = LIT_OP_##sign, .a = left, .b = right)
#define NOTHING ((struct ast_name){NULL, {0}})
/* The last character of what stands there. */
#define LAST(at) \
    ((struct span){(at).source, (at).end_line, (at).end_column - 1, (at).end_line, (at).end_column})
}

%initial-action {
    @$ = (struct span){syntax->source, 1, 1, 1, 1};
}

%union {
    struct ast_name name;
    struct ast_tags tags;
    struct lit_type_word type_word;
    struct ast_specs *specs;
    const struct ast_number *number;
    const struct lit_literal *literal;
    enum lit_operator op;
    enum lit_when when;
    enum lit_quantifier quantifier;
    struct ast_expr *expr;
    struct ast_exprs exprs;
    struct ast_stmt *stmt;
    struct ast_stmts stmts;
    struct ast_init *init;
    struct ast_value *value;
    struct ast_values values;
    struct ast_fields fields;
    struct ast_places places;
    struct ast_params params;
    struct ast_param *param;
    struct ast_formals formals;
    struct ast_thread *thread;
    struct ast_threads threads;
    struct ast_operand *operand;
    struct ast_operands operands;
    struct ast_cell *cell;
    struct ast_cells cells;
    struct ast_atom *atom;
    struct ast_atoms atoms;
    struct ast_range *range;
    struct ast_ranges ranges;
    struct ast_prop *prop;
    struct ast_launch *launch;
    struct ast_launchs launches;
    bool flag;
}

%token END_OF_FILE 0 "the end of the file"
%token CODE_TEST TABLE_TEST LAUNCH_TEST PROPERTY DEFINITIONS TAGS "tags in braces" TAGS_END "'}' behind the tags"
%token HOLE "a hole"
%token <name> NAME "a name" STRING "a string" WORD "an instruction"
%token <number> THREAD "a thread"
%token <literal> INTEGER "an integer"
%token <type_word> SPEC "a type"
%token ATOMIC_OF "atomic<" ATOMIC_IN "_Atomic("
%token EXISTS "exists" NOT_EXISTS "~exists" FORALL "forall" FILTER "filter" LOCATIONS "locations"
%token FINAL "final" CRASH_CONDITION "crash" RECOVERED "recovered" RECOVERY "recovery"
%token ALL_OF "all" SOME_OF "some" INIT_OF "init("
%token REFINES "refines" UNDER "under" PROPERTIES "property" OBSERVE "observe"
%token RESTARTABLE "restartable" RELAUNCH "relaunch" EXPECT "expect" LINE_END "the end of the line"
%token CRASH "crash point" IF "if" ELSE "else" WHILE "while" FOR "for" DO "do" BREAK "break"
%token LINE "line" UNIT "unit" TAGGED "tags" DOTS ".." SWITCH "switch" CASE "case" DEFAULT "default" SIZEOF "sizeof" SIZEOF_STRUCT "sizeof(struct"
%token CODE_FILE "code" HOST "host"
%token USES "uses" MODELS "models" ORDER "order" CONST "const" ENUM "enum" STRUCT "struct" RETURN "return"
%token <name> PRAGMA "a pragma"
%token LAUNCH "launch" JOIN "join" CONTINUE "continue" TRUE "true" FALSE "false" NOT_WORD "not"
%token CONJ "/\\" DISJ "\\/" IMPLIES "=>" DIFFERENT "<>"
%token EQ "==" NE "!=" LE "<=" GE ">=" AND "&&" OR "||" SHL "<<" SHR ">>" INC "++" DEC "--"
%token ARROW "->"
%token <op> UPDATE "+="

%type <name> optional_string optional_engine word
%type <tags> tags tag_names optional_tags rising
%type <specs> spec other_spec specs
%type <number> signed
%type <init> init_target init_declared init_more
%type <value> value given initial columns step
%type <values> values
%type <fields> fields
%type <places> places some_places
%type <params> params some_params
%type <param> parameter
%type <formals> formals some_formals
%type <stmts> block stmts
%type <stmt> stmt plain_stmt declaration declarator for_first
%type <expr> expr enumerator_value commas optional_expr sign
%type <exprs> args some_args
%type <thread> code_thread
%type <threads> recovery_threads table header heads rows
%type <thread> head
%type <operand> operand
%type <operands> operands some_operands
%type <cell> cell operation
%type <cells> cells
%type <when> when
%type <quantifier> quantifier
%type <prop> prop counted
%type <atom> limit atom element place row inner
%type <atoms> line_places
%type <ranges> ranges
%type <range> range elements
%type <op> comparison
%type <flag> restartable
%type <launch> launch extents
%type <launches> launches launch_block

/* Threads after `recovery P0 ..` are the recovery's. */
%precedence ALL_RECOVERY
%precedence "a thread"

/* An error before the end of a table is one in its rows. */
%precedence ROWS
%precedence error

%right "=>"
%precedence THEN
%precedence "else"
%right '=' "+="
%right '?' ':'
%left "||" "\\/"
%left "&&" "/\\"
%left '|'
%left '^'
%left '&'
%left "==" "!="
%left '<' '>' "<=" ">="
%left "<<" ">>"
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY '~' '!' "not"
/* In the order that messages name them in. */
%token ';' '(' ')' ',' '{' '}' '[' ']' '@' '.'
%precedence '.' '[' "->" "++" "--"

%%

test:
  CODE_TEST title all_uses definitions init items
| LAUNCH_TEST title all_code definitions init launch_items
| TABLE_TEST titles all_uses init table table_items
                                { syntax->test->threads = $5; }
| PROPERTY prop                 {
        ADD(syntax->test->conditions,
            NEW(condition, .when = LIT_RECOVERED, .quantifier = LIT_FORALL, .prop = $2, .span = @2));
    }
| DEFINITIONS macros
;

title:
  %empty
| STRING                        { syntax->test->title = $1.text; }
;

titles:
  %empty
| titles STRING                 {
        if (!syntax->test->title)
            syntax->test->title = lit_syntax_title(syntax, $2.text);
    }
;

/* ---- Definition files: those that a test uses, and what stands in them ---- */

all_uses:
  %empty
| all_uses "uses" STRING optional_semicolon     {
        ADD(syntax->test->uses, NEW(use, .name = $3, .span = @3));
    }
;

/* Definition files, and files of compiled code. */
all_code:
  %empty
| all_code "code" STRING optional_semicolon     { ADD(syntax->test->codes, NEW(code, .name = $3)); }
| all_code "uses" STRING optional_semicolon     {
        ADD(syntax->test->uses, NEW(use, .name = $3, .span = @3));
    }
;

optional_semicolon: %empty | ';';

macros:
  %empty
| macros macro                  { yyerrok; }
| macros "models" word '+' word "the end of the line" {
        struct span whole = @5;
        memcpy(&whole, &@2, SPAN_START_BYTES);
        ADD(syntax->models, NEW(expect, .visibility = $3, .persistency = $5, .span = whole));
        yyerrok;
    }
| macros "models" error "the end of the line" { yyerrok; }
| macros "order" rising "the end of the line" {
        ADD(syntax->orders, NEW(order, .tags = $3));
        yyerrok;
    }
| macros "order" error "the end of the line" { yyerrok; }
| macros ';'
| macros error block            { yyerrok; }
| macros error ';'              { yyerrok; }
;

/* Tags, the weakest first. */
rising:
  word '<' word                 {
        $$ = (struct ast_tags){0};
        ADD($$, NEW(tag, .name = $1));
        ADD($$, NEW(tag, .name = $3));
    }
| rising '<' word               { $$ = $1; ADD($$, NEW(tag, .name = $3)); }
;

macro:
  NAME '(' formals ')' block    {
        ADD(syntax->macros, NEW(macro, .name = $1, .called = true, .formals = $3, .body = $5));
    }
| NAME '(' formals ')' expr     {
        ADD(syntax->macros, NEW(macro, .name = $1, .called = true, .formals = $3, .value = $5));
    }
| NAME block                    { ADD(syntax->macros, NEW(macro, .name = $1, .body = $2)); }
;

formals:
  %empty                        { $$ = (struct ast_formals){0}; }
| some_formals
;

some_formals:
  NAME                          { $$ = (struct ast_formals){0}; ADD($$, NEW(formal, .name = $1)); }
| some_formals ',' NAME         { $$ = $1; ADD($$, NEW(formal, .name = $3)); }
;

/* ---- Constants and structures ---- */

definitions:
  %empty
| definitions definition ';'      { begin(syntax, @2); }
;

definition:
  "const" constants
| "enum" '{' enumerators optional_comma '}'
| "struct" NAME '{' fields ';' '}'      {
        ADD(syntax->test->structures, NEW(structure, .name = $2, .fields = $4));
    }
;

constants:
  NAME '=' expr                 { ADD(syntax->test->constants, NEW(constant, .name = $1, .expr = $3)); }
| specs NAME '=' expr           {
        ADD(syntax->test->constants, NEW(constant, .specs = *$1, .name = $2, .expr = $4));
    }
| constants ',' NAME '=' expr   {
        const struct ast_specs specs = syntax->test->constants.last->specs;
        ADD(syntax->test->constants, NEW(constant, .specs = specs, .name = $3, .expr = $5));
    }
;

enumerators:
  NAME enumerator_value         { ADD(syntax->test->constants, NEW(constant, .name = $1, .expr = $2)); }
| enumerators ',' NAME enumerator_value {
        const struct ast_constant *last = syntax->test->constants.last;
        ADD(syntax->test->constants, NEW(constant, .name = $3, .expr = $4, .before = last));
    }
;

enumerator_value:
  %empty                        { $$ = NULL; }
| '=' expr                      { $$ = $2; }
;

optional_comma: %empty | ',';

/* Members of one declaration have its type. */
fields:
  specs NAME columns            {
        $$ = (struct ast_fields){0};
        ADD($$, NEW(field, .specs = *$1, .name = $2, .size = $3));
    }
| fields ',' NAME columns       {
        $$ = $1;
        ADD($$, NEW(field, .specs = $1.last->specs, .name = $3, .size = $4));
    }
| fields ';' specs NAME columns { $$ = $1; ADD($$, NEW(field, .specs = *$3, .name = $4, .size = $5)); }
;

/* ---- The initial state ---- */

init: '{' init_items '}'         { begin(syntax, @1); };

init_items:
  %empty
| some_init_items
| some_init_items ';'
;

some_init_items:
  init_entry
| some_init_items ';' init_entry        { yyerrok; }
| some_init_items ';' error
| some_init_items ';' error block NAME
| error
| error block NAME
;

init_entry:
  declared_list
| definition
| "line" '{' line_places '}'    {
        ADD(syntax->test->lines, NEW(line, .places = $3, .span = @$));
    }
| "line" '(' value ')' place    {
        struct ast_atom *place = AST_COPY(syntax, ast_atom, $5);
        ADD(syntax->test->lines, NEW(line, .places = {place, place, 1}, .size = $3, .span = @$));
    }
| "unit" '(' value ')' place    {
        struct ast_atom *place = AST_COPY(syntax, ast_atom, $5);
        ADD(syntax->test->lines,
            NEW(line, .places = {place, place, 1}, .size = $3, .unit = true, .span = @$));
    }
| "tags" tags ranges            { ADD(syntax->test->tagged, NEW(tagged, .tags = $2, .ranges = $3)); }
;

ranges:
  range                         { $$ = (struct ast_ranges){$1, $1, 1}; }
| ranges ',' range              { $$ = $1; ADD($$, $3); }
;

range:
  place                         { $$ = NEW(range, .place = *$1); }
| elements
| elements '.' NAME             { $$ = $1; $$->place.member = $3; $$->place.span = @$; }
;

elements:
  NAME '[' value ".." value step ']'    {
        $$ = NEW(range, .place = *ATOM(ELEMENT, @$, .name = $1), .from = $3, .to = $5, .step = $6);
    }
;

step:
  %empty                        { $$ = NULL; }
| ':' value                     { $$ = $2; }
;

/* Those behind a comma have the type of the first. */
declared_list:
  init_declared initial         { ADD(syntax->test->inits, ast_init_given($1, $2)); }
| declared_list ',' init_more initial   {
        ast_init_more(syntax, $3);
        ADD(syntax->test->inits, ast_init_given($3, $4));
    }
;

initial:
  %empty                        { $$ = NULL; }
| '=' value                     { $$ = $2; }
| '=' '{' values optional_comma '}'     { $$ = NEW(value, .list = true, .values = $3, .span = @$); }
;

init_more:
  NAME                          { $$ = NEW(init, .thread = AST_NO_THREAD, .name = $1, .span = @$); }
| NAME '[' value ']' columns    {
        $$ = NEW(init, .thread = AST_NO_THREAD, .name = $1, .array = true, .size = $3, .columns = $5,
                 .span = @$);
    }
;

/* Of a second dimension. */
columns:
  %empty                        { $$ = NULL; }
| '[' value ']'                 { $$ = $2; }
;

line_places:
  place                         { $$ = (struct ast_atoms){0}; ADD($$, AST_COPY(syntax, ast_atom, $1)); }
| line_places ',' place         { $$ = $1; ADD($$, AST_COPY(syntax, ast_atom, $3)); }
;

init_declared:
  init_target
| init_target '[' value ']' columns     {
        $$ = $1;
        $$->array = true;
        $$->size = $3;
        $$->columns = $5;
        $$->span = @$;
    }
| init_target '[' error ']' columns     { $$ = $1; yyerrok; }
;

init_target:
  NAME                          { $$ = NEW(init, .thread = AST_NO_THREAD, .name = $1, .span = @$); }
| '[' NAME ']'                  { $$ = NEW(init, .thread = AST_NO_THREAD, .name = $2, .span = @$); }
| INTEGER ':' NAME              {
        $$ = NEW(init, .thread = lit_syntax_thread(syntax, $1->number), .name = $3, .span = @$);
    }
| THREAD ':' NAME               {
        $$ = NEW(init, .thread = lit_syntax_thread(syntax, *$1), .name = $3, .span = @$);
    }
| spec init_target              { $$ = $2; $$->specs = ast_specs_join(syntax, *$1, $2->specs); $$->span = @$; }
;

/* In braces: values, or lists of them. */
values:
  given                         { $$ = (struct ast_values){$1, $1, 1}; }
| values ',' given              { $$ = $1; ADD($$, $3); }
;

given:
  value
| '{' values optional_comma '}' { $$ = NEW(value, .list = true, .values = $2, .span = @$); }
;

value: expr                     { $$ = ast_value(syntax, $1); };

signed:
  INTEGER                       { $$ = &$1->number; }
| '-' INTEGER                   { $$ = ast_number(syntax, lit_syntax_negate(syntax, $2->number, @$)); }
;

spec:
  SPEC                          { $$ = SPECS(.bits = $1.bits, .span = $1.span); }
| other_spec
;

other_spec:
  SPEC tags                     { $$ = SPECS(.bits = $1.bits, .tags = $2, .span = @$); }
| "atomic<" specs '>'           { $$ = $2; $$->bits |= AST_ATOMIC; $$->span = @$; }
| "_Atomic(" specs ')'          { $$ = $2; $$->bits |= AST_ATOMIC; $$->span = @$; }
| "struct" NAME                 { $$ = SPECS(.structure = $2, .span = @$); }
;

tags:
  TAGS "'}' behind the tags"    { $$ = (struct ast_tags){0}; }
| TAGS tag_names "'}' behind the tags"  { $$ = $2; }
;

tag_names:
  NAME                          { $$ = (struct ast_tags){0}; ADD($$, NEW(tag, .name = $1)); }
| tag_names ',' NAME            { $$ = $1; ADD($$, NEW(tag, .name = $3)); }
;

optional_tags:
  %empty                        { $$ = (struct ast_tags){0}; }
| tags
;

/* One word that is a type alone is the most frequent. */
specs:
  SPEC                          { $$ = SPECS(.bits = $1.bits, .span = $1.span); }
| other_spec
| specs spec                    { $$ = $1; *$$ = ast_specs_join(syntax, *$1, *$2); }
;

/* ---- Threads ---- */

items:
  %empty
| items item                    { yyerrok; }
| items error
;

item:
  code_thread                   { ADD(syntax->test->threads, $1); }
| THREAD error block            {
        ADD(syntax->test->threads, NEW(thread, .number = lit_syntax_thread(syntax, *$1), .body = $3,
                                       .span = @1, .end = LAST(@3)));
    }
| recovery
| judgement
;

/* ---- Launches of kernels whose code stands in another file ---- */

launch_items:
  %empty
| launch_items launch_item      { yyerrok; }
| launch_items error
;

launch_item:
  "host" launch_block           {
        if (syntax->test->threads.count)
            diag_error(syntax->diag, DIAG_LIT_DUPLICATE, @1,
                       "found a second host program; a test has one");
        else
            syntax->test->threads = ast_launched(syntax, &$2, @1);
    }
| "recovery" restartable "host" launch_block    {
        ast_test_recovery(syntax, $2, ast_launched(syntax, &$4, @3), @1);
    }
| relaunch
| judgement
;

launch_block: '{' launches '}'  { $$ = $2; };

launches:
  %empty                        { $$ = (struct ast_launchs){0}; }
| launches launch ';'           { $$ = $1; ADD($$, $2); }
| launches error ';'            { $$ = $1; yyerrok; }
;

launch:
  NAME "<<" '<' extents[grid] ',' extents[block] ">>" '>' '(' args ')' {
        $$ = $block;
        memcpy($$->grid, $grid->block, sizeof $$->grid);
        $$->kernel = $1;
        $$->args = $args;
        $$->span = @$;
    }
| NAME "<<" '<' extents[grid] ',' extents[block] ',' INTEGER ">>" '>' '(' args ')' {
        $$ = $block;
        memcpy($$->grid, $grid->block, sizeof $$->grid);
        $$->bytes = $INTEGER->number;
        $$->kernel = $1;
        $$->args = $args;
        $$->span = @$;
    }
;

extents:
  INTEGER                       { $$ = NEW(launch, .block = {ast_extent(syntax, &$1->number), 1, 1}); }
| '(' INTEGER[x] ',' INTEGER[y] ')' {
        $$ = NEW(launch, .block = {ast_extent(syntax, &$x->number), ast_extent(syntax, &$y->number), 1});
    }
| '(' INTEGER[x] ',' INTEGER[y] ',' INTEGER[z] ')' {
        $$ = NEW(launch, .block = {ast_extent(syntax, &$x->number), ast_extent(syntax, &$y->number),
                                   ast_extent(syntax, &$z->number)});
    }
;

judgement:
  quantifier prop               {
        ADD(syntax->test->conditions, NEW(condition, .quantifier = $1, .prop = $2, .bare = true, .span = @$));
    }
| when quantifier prop          {
        ADD(syntax->test->conditions,
            NEW(condition, .when = $1, .quantifier = $2, .prop = $3, .span = @$));
    }
| when "refines" STRING "under" word '+' word "the end of the line" {
        ADD(syntax->test->conditions,
            NEW(condition, .when = $1, .quantifier = LIT_FORALL, .source = $3, .visibility = $5,
                .persistency = $7, .span = @$));
    }
| when "refines" STRING "under" error "the end of the line" { yyerrok; }
| "filter" prop                 {
        struct ast_prop **filter = &syntax->test->filter;
        *filter = *filter ? PROP(AND, @$, .a = *filter, .b = $2) : $2;
    }
| "property" properties ';'
| "property" error ';'          { yyerrok; }
| "observe" observes ';'
| "observe" error ';'           { yyerrok; }
| "locations" '[' observed ']'
| "locations" error ']'
| expectation
;

properties:
  property
| properties ',' property
;

property:
  NAME                          { ADD(syntax->test->conditions, NEW(condition, .property = $1, .span = @$)); }
;

observes:
  place                         { ADD(syntax->test->robust_in, AST_COPY(syntax, ast_atom, $1)); }
| observes ',' place            { ADD(syntax->test->robust_in, AST_COPY(syntax, ast_atom, $3)); }
;

code_thread:
  THREAD optional_tags places params block      {
        $$ = NEW(thread, .number = lit_syntax_thread(syntax, *$1), .tags = $2, .places = $3,
                 .params = $4, .body = $5, .span = @1, .end = LAST(@5));
    }
;

recovery:
  "recovery" restartable params block   {
        struct ast_thread *only = NEW(thread, .params = $3, .body = $4, .span = @1, .end = LAST(@4));
        ast_test_recovery(syntax, $2, (struct ast_threads){only, only, 1}, @1);
    }
| "recovery" restartable recovery_threads %prec ALL_RECOVERY   { ast_test_recovery(syntax, $2, $3, @1); }
| relaunch
| "recovery" error block        { ast_test_recovery(syntax, false, (struct ast_threads){0}, @1); }
;

relaunch:
  "recovery" "relaunch" restartable ';'   {
        syntax->test->relaunch = true;
        ast_test_recovery(syntax, $3, (struct ast_threads){0}, @1);
    }
;

recovery_threads:
  code_thread                   { $$ = (struct ast_threads){$1, $1, 1}; }
| recovery_threads code_thread  { $$ = $1; ADD($$, $2); }
;

restartable:
  %empty                        { $$ = false; }
| "restartable"                 { $$ = true; }
;

places:
  %empty                        { $$ = (struct ast_places){0}; }
| '@' some_places               { $$ = $2; }
;

some_places:
  NAME INTEGER                  {
        $$ = (struct ast_places){0};
        ADD($$, NEW(place, .level = $1, .number = $2->number));
    }
| some_places ',' NAME INTEGER  { $$ = $1; ADD($$, NEW(place, .level = $3, .number = $4->number)); }
;

params:
  %empty                        { $$ = (struct ast_params){0}; }
| '(' ')'                       { $$ = (struct ast_params){0}; }
| '(' some_params ')'           { $$ = $2; }
;

some_params:
  parameter                     { $$ = (struct ast_params){$1, $1, 1}; }
| some_params ',' parameter     { $$ = $1; ADD($$, $3); }
;

parameter:
  specs NAME                    { $$ = NEW(param, .specs = *$1, .name = $2); }
| specs '*' NAME                { $$ = NEW(param, .specs = *$1, .pointer = true, .name = $3); }
| specs '*' specs NAME          { $$ = NEW(param, .specs = *$1, .pointer = true, .name = $4); }
| specs NAME '[' ']'            { $$ = NEW(param, .specs = *$1, .pointer = true, .name = $2); }
| specs NAME '[' value ']' columns      { $$ = NEW(param, .specs = *$1, .pointer = true, .name = $2); }
;

/* ---- Threads as a table ---- */

table_items:
  %empty
| table_items table_item        { yyerrok; }
| table_items error
;

table_item:
  "recovery" restartable table  { ast_test_recovery(syntax, $2, $3, @1); }
| relaunch
| judgement
;

table: rows %prec ROWS;

header:
  heads ';'
| error ';'                     { $$ = (struct ast_threads){0}; yyerrok; }
;

heads:
  head                          { $$ = (struct ast_threads){$1, $1, 1}; }
| heads '|' head                { $$ = $1; ADD($$, $3); }
;

head:
  THREAD optional_tags places   {
        $$ = NEW(thread, .number = lit_syntax_thread(syntax, *$1), .tags = $2, .places = $3,
                 .span = @1);
    }
;

rows:
  header
| rows cells ';'                { $$ = $1; ast_row(syntax, &$$, &$2, @2); }
| rows error ';'                { $$ = $1; yyerrok; }
;

cells:
  cell                          { $$ = (struct ast_cells){$1, $1, 1}; }
| cells '|' cell                { $$ = $1; ADD($$, $3); }
;

cell:
  %empty                        { $$ = NEW(cell, .span = @$); }
| WORD ':'                      { $$ = NEW(cell, .label = $1, .span = @$); }
| operation
| WORD ':' operation            { $$ = $3; $$->label = $1; }
;

operation: WORD operands        { $$ = NEW(cell, .word = $1, .operands = $2, .span = @$); };

operands:
  %empty                        { $$ = (struct ast_operands){0}; }
| some_operands
;

some_operands:
  operand                       { $$ = (struct ast_operands){$1, $1, 1}; }
| some_operands ',' operand     { $$ = $1; ADD($$, $3); }
;

operand:
  NAME                          { $$ = NEW(operand, .kind = AST_OPERAND_NAME, .name = $1, .span = @$); }
| '[' NAME ']'                  {
        $$ = NEW(operand, .kind = AST_OPERAND_NAME, .name = $2, .bracketed = true, .span = @$);
    }
| signed                        { $$ = NEW(operand, .kind = AST_OPERAND_NUMBER, .number = *$1, .span = @$); }
| STRING                        { $$ = NEW(operand, .kind = AST_OPERAND_STRING, .name = $1, .span = @$); }
;

/* ---- Statements ---- */

block:
  '{' stmts '}'                 { $$ = $2; }
| '{' stmts error '}'           { $$ = $2; yyerrok; }
;

stmts:
  %empty                        { $$ = (struct ast_stmts){0}; }
| stmts plain_stmt              { $$ = $1; $2->extent = @2; ADD($$, $2); }
| stmts "a pragma"              {
        $$ = $1;
        ADD($$, STMT(PRAGMA, @2, .extent = @2, .name = $2));
    }
;

stmt: plain_stmt                { $$ = $1; $$->extent = @1; };

plain_stmt:
  ';'                           { $$ = STMT(EMPTY, @$); }
| block                         { $$ = STMT(BLOCK, @$, .body = $1); }
| commas ';'                    { $$ = STMT(EXPR, @1, .expr = $1); }
| declaration ';'
| "if" '(' expr ')' stmt %prec THEN     { $$ = STMT(IF, @1, .expr = $3, .a = $5); }
| "if" '(' expr ')' stmt[yes] "else" stmt[no]   { $$ = STMT(IF, @1, .expr = $3, .a = $yes, .b = $no); }
| "while" '(' expr ')' stmt[body]       { $$ = STMT(LOOP, @1, .expr = $3, .a = $body); }
| "do" stmt[body] "while" '(' expr ')' ';'      {
        $$ = STMT(LOOP, @1, .test_last = true, .expr = $5, .a = $body);
    }
| "for" '(' for_first optional_expr[test] ';' optional_expr[step] ')' stmt[body] {
        struct ast_stmts both = {$3, $3, 1};
        ADD(both, STMT(LOOP, @1, .expr = $test, .step = $step, .a = $body));
        $3->in_head = true;
        $$ = STMT(BLOCK, @1, .body = both);
    }
| "switch" '(' expr ')' block[body]     {
        struct ast_stmt *body = STMT(BLOCK, @body, .extent = @body, .body = $body);
        $$ = STMT(SWITCH, @1, .expr = $3, .a = body);
    }
| "case" expr ':'               { $$ = STMT(CASE, @$, .expr = $2); }
| "default" ':'                 { $$ = STMT(CASE, @$); }
| "break" ';'                   { $$ = STMT(BREAK, @1); }
| "continue" ';'                { $$ = STMT(CONTINUE, @1); }
| "return" ';'                  { $$ = STMT(RETURN, @1); }
| "crash point" optional_string ';'     { $$ = STMT(CRASH, @1, .name = $2); }
| "launch" INTEGER ';'          {
        $$ = STMT(LAUNCH, @$, .kernel = $2->number);
        syntax->test->hosts = true;
    }
| "join" INTEGER ';'            {
        $$ = STMT(JOIN, @$, .kernel = $2->number);
        syntax->test->hosts = true;
    }
| NAME ':' stmt[body]           { $$ = STMT(LABEL, @1, .name = $1, .a = $body); }
| error ';'                     { $$ = STMT(EMPTY, @$); yyerrok; }
| error block %prec THEN        { $$ = STMT(BLOCK, @2, .body = $2); yyerrok; }
| error block "else" stmt       { $$ = $4; }
;

optional_string:
  %empty                        { $$ = NOTHING; }
| STRING
;

for_first:
  ';'                           { $$ = STMT(EMPTY, @$); }
| commas ';'                    { $$ = STMT(EXPR, @1, .expr = $1); }
| declaration ';'
;

declaration:
  specs declarator              {
        $2->specs = *$1;
        $$ = STMT(GROUP, @$, .body = {$2, $2, 1});
    }
| declaration ',' declarator    {
        $$ = $1;
        $$->span = @$;
        $3->specs = $1->body.first->specs;
        ADD($$->body, $3);
    }
;

declarator:
  NAME                          { $$ = STMT(DECL, @$, .name = $1); }
| NAME '=' expr                 { $$ = STMT(DECL, @$, .name = $1, .expr = $3); }
;

/* ---- Expressions ---- */

optional_expr:
  %empty                        { $$ = NULL; }
| commas
;

commas:
  expr
| commas ',' expr               { $$ = EXPR(COMMA, @$, .a = $1, .b = $3); }
;

expr:
  NAME                          { $$ = LEAF(NAME, @$, .name = $1); }
| INTEGER                       { $$ = LEAF(NUMBER, @$, .type = $1->type, .value = $1->number.value); }
| "true"                        { $$ = LEAF(NUMBER, @$, .value = 1); }
| "false"                       { $$ = LEAF(NUMBER, @$, .value = 0); }
| '(' commas ')'                {
        $$ = $2;
        $$->grouped = true;
    }
| NAME '(' args ')'             { $$ = EXPR(CALL, @$, .name = $1, .args = $3); }
| NAME tags                     { $$ = EXPR(CALL, @$, .name = $1, .tags = $2); }
| NAME tags '(' args ')'        { $$ = EXPR(CALL, @$, .name = $1, .tags = $2, .args = $4); }
| expr '.' NAME '(' args ')'    { $$ = EXPR(METHOD, @$, .a = $1, .name = $3, .args = $5); }
| expr "->" NAME '(' args ')'   { $$ = EXPR(METHOD, @$, .a = $1, .name = $3, .args = $5); }
| expr '.' NAME                 { $$ = EXPR(MEMBER, @$, .a = $1, .name = $3); }
| expr "->" NAME                { $$ = EXPR(MEMBER, @$, .arrow = true, .a = $1, .name = $3); }
| expr '[' expr ']'             { $$ = EXPR(INDEX, @$, .a = $1, .b = $3); }
| expr "++"                     { $$ = EXPR(STEP, @$, .op = LIT_OP_ADD, .post = true, .a = $1); }
| expr "--"                     { $$ = EXPR(STEP, @$, .op = LIT_OP_SUB, .post = true, .a = $1); }
| expr '=' expr                 { $$ = EXPR(ASSIGN, @$, .op = LIT_OP_CONST, .a = $1, .b = $3); }
| expr "+=" expr                { $$ = EXPR(ASSIGN, @$, .op = $2, .a = $1, .b = $3); }
| expr '?' expr ':' expr        { $$ = EXPR(SELECT, @$, .a = $1, .b = $3, .c = $5); }
| expr "||" expr                { $$ = BINARY(OR, $1, $3, @$); }
| expr "&&" expr                { $$ = BINARY(AND, $1, $3, @$); }
| expr '|' expr                 { $$ = BINARY(BITOR, $1, $3, @$); }
| expr '^' expr                 { $$ = BINARY(BITXOR, $1, $3, @$); }
| expr '&' expr                 { $$ = BINARY(BITAND, $1, $3, @$); }
| expr "==" expr                { $$ = BINARY(EQ, $1, $3, @$); }
| expr "!=" expr                { $$ = BINARY(NE, $1, $3, @$); }
| expr '<' expr                 { $$ = BINARY(LT, $1, $3, @$); }
| expr '>' expr                 { $$ = BINARY(GT, $1, $3, @$); }
| expr "<=" expr                { $$ = BINARY(LE, $1, $3, @$); }
| expr ">=" expr                { $$ = BINARY(GE, $1, $3, @$); }
| expr "<<" expr                { $$ = BINARY(SHL, $1, $3, @$); }
| expr ">>" expr                { $$ = BINARY(SHR, $1, $3, @$); }
| expr '+' expr                 { $$ = BINARY(ADD, $1, $3, @$); }
| expr '-' expr                 { $$ = BINARY(SUB, $1, $3, @$); }
| expr '*' expr                 { $$ = BINARY(MUL, $1, $3, @$); }
| expr '/' expr                 { $$ = BINARY(DIV, $1, $3, @$); }
| expr '%' expr                 { $$ = BINARY(MOD, $1, $3, @$); }
| '-' expr %prec UNARY          { $$ = UNARY(NEG, $2, @$); }
| '+' expr %prec UNARY          { $$ = $2; }
| '~' expr                      { $$ = UNARY(BITNOT, $2, @$); }
| '!' expr                      { $$ = UNARY(NOT, $2, @$); }
| '*' expr %prec UNARY          { $$ = EXPR(DEREF, @$, .a = $2); }
| '&' expr %prec UNARY          { $$ = EXPR(ADDRESS, @$, .a = $2); }
| "++" expr %prec UNARY         { $$ = EXPR(STEP, @$, .op = LIT_OP_ADD, .a = $2); }
| "--" expr %prec UNARY         { $$ = EXPR(STEP, @$, .op = LIT_OP_SUB, .a = $2); }
| "sizeof" NAME %prec UNARY     { $$ = EXPR(SIZE, @$, .a = LEAF(NAME, @2, .name = $2)); }
| "sizeof" NAME '[' expr ']'    {
        struct ast_expr *whole = LEAF(NAME, @2, .name = $2);
        $$ = EXPR(SIZE, @$, .a = EXPR(INDEX, @$, .a = whole, .b = $4));
    }
| "sizeof" '(' commas ')'       { $$ = EXPR(SIZE, @$, .a = $3); }
| "sizeof" '(' specs ')'        { $$ = LEAF(SIZE, @$, .type = ast_specs_type($3)); }
| "sizeof(struct" NAME ')'      { $$ = LEAF(SIZE, @$, .name = $2); }
| '(' specs ')' expr %prec UNARY        { $$ = EXPR(CAST, @$, .type = ast_specs_type($2), .a = $4); }
;

args:
  %empty                        { $$ = (struct ast_exprs){0}; }
| some_args
;

some_args:
  expr                          { $$ = (struct ast_exprs){$1, $1, 1}; }
| sign                          { $$ = (struct ast_exprs){$1, $1, 1}; }
| some_args ',' expr            { $$ = $1; ADD($$, $3); }
| some_args ',' sign            { $$ = $1; ADD($$, $3); }
;

/* Alone it says what a read-modify-write does. */
sign:
  '+'                           { $$ = LEAF(OPERATOR, @$, .op = LIT_OP_ADD); }
| '-'                           { $$ = LEAF(OPERATOR, @$, .op = LIT_OP_SUB); }
| '&'                           { $$ = LEAF(OPERATOR, @$, .op = LIT_OP_BITAND); }
| '|'                           { $$ = LEAF(OPERATOR, @$, .op = LIT_OP_BITOR); }
| '^'                           { $$ = LEAF(OPERATOR, @$, .op = LIT_OP_BITXOR); }
| '&' '~'                       { $$ = LEAF(OPERATOR, @$, .op = LIT_OP_BITNOT); }
;

/* ---- Conditions ---- */

when:
  "final"                       { $$ = LIT_FINAL; }
| "crash"                       { $$ = LIT_CRASHED; }
| "recovered"                   { $$ = LIT_RECOVERED; }
;

quantifier:
  "exists"                      { $$ = LIT_EXISTS; }
| "~exists"                     { $$ = LIT_NOT_EXISTS; }
| "forall"                      { $$ = LIT_FORALL; }
;

prop:
  atom[a] comparison atom[b]    { $$ = PROP(COMPARE, @$, .compare = $2, .left = *$a, .right = *$b); }
| "true"                        { $$ = PROP(TRUE, @$); }
| "false"                       { $$ = PROP(FALSE, @$); }
| '(' prop[p] ')'               { $$ = $p; }
| '(' ')'                       { $$ = PROP(TRUE, @$); }
| '~' prop[p]                   { $$ = PROP(NOT, @$, .a = $p); }
| '!' prop[p]                   { $$ = PROP(NOT, @$, .a = $p); }
| "not" prop[p]                 { $$ = PROP(NOT, @$, .a = $p); }
| "all" counted[p]              { $$ = $p; }
| "some" counted[p]             { $$ = $p; $$->op = LIT_PROP_OR; }
| prop[a] "/\\" prop[b]         { $$ = PROP(AND, @$, .a = $a, .b = $b); }
| prop[a] "\\/" prop[b]         { $$ = PROP(OR, @$, .a = $a, .b = $b); }
| prop[a] "&&" prop[b]          { $$ = PROP(AND, @$, .a = $a, .b = $b); }
| prop[a] "||" prop[b]          { $$ = PROP(OR, @$, .a = $a, .b = $b); }
| prop[a] "=>" prop[b]          { $$ = PROP(IMPLIES, @$, .a = $a, .b = $b); }
;

/* Of each value of the name from 0 on, below the limit. */
counted:
  NAME '<' limit ':' '(' prop ')'       {
        $$ = PROP(AND, @$, .variable = $1, .limit = *$limit, .a = $prop);
    }
;

limit:
  INTEGER                       { $$ = ATOM(NUMBER, @$, .number = $1->number); }
| NAME                          { $$ = ATOM(NAME, @$, .name = $1); }
;

comparison:
  '='                           { $$ = LIT_OP_EQ; }
| "=="                          { $$ = LIT_OP_EQ; }
| "!="                          { $$ = LIT_OP_NE; }
| "<>"                          { $$ = LIT_OP_NE; }
| '<'                           { $$ = LIT_OP_LT; }
| "<="                          { $$ = LIT_OP_LE; }
| '>'                           { $$ = LIT_OP_GT; }
| ">="                          { $$ = LIT_OP_GE; }
;

atom:
  signed                        { $$ = ATOM(NUMBER, @$, .number = *$1); }
| "true"                        { $$ = ATOM(NUMBER, @$, .number = {1, .span = @1}); }
| "false"                       { $$ = ATOM(NUMBER, @$, .number = {0, .span = @1}); }
| place
| "init(" place ')'             { $$ = $2; $$->initial = true; $$->span = @$; }
| '[' NAME ']'                  { $$ = ATOM(NAME, @$, .name = $2); }
| INTEGER ':' NAME              {
        $$ = ATOM(REGISTER, @$, .thread = lit_syntax_thread(syntax, $1->number), .name = $3);
    }
| THREAD ':' NAME               {
        $$ = ATOM(REGISTER, @$, .thread = lit_syntax_thread(syntax, *$1), .name = $3);
    }
;

place:
  row
| element '.' NAME              { $$ = $1; $$->member = $3; $$->span = @$; }
| element '.' NAME inner        { $$ = $1; $$->member = $3; $$->inner = $4; $$->span = @$; }
;

row:
  element
| NAME inner inner              {
        $$ = ATOM(ELEMENT, @$, .name = $1, .number = $2->number, .index = $2->index, .inner = $3);
    }
;

/* An index into a member, or into a row. */
inner:
  '[' INTEGER ']'               { $$ = ATOM(ELEMENT, @$, .number = $2->number); }
| '[' NAME ']'                  { $$ = ATOM(ELEMENT, @$, .index = $2); }
;

element:
  NAME                          { $$ = ATOM(NAME, @$, .name = $1); }
| NAME inner                    {
        $$ = ATOM(ELEMENT, @$, .name = $1, .number = $2->number, .index = $2->index);
    }
;

observed:
  %empty
| some_observed
| some_observed ';'
;

some_observed:
  observed_atom
| some_observed ';' observed_atom
;

observed_atom:
  atom                          { ADD(syntax->test->observed, AST_COPY(syntax, ast_atom, $1)); }
| specs atom                    { ADD(syntax->test->observed, AST_COPY(syntax, ast_atom, $2)); }
;

/* ---- Expectations: words up to the end of the line, as behind "under" ---- */

expectation:
  "expect" word '+' word optional_engine ':' word "the end of the line" {
        ADD(syntax->test->expects, NEW(expect, .visibility = $2, .persistency = $4, .engine = $5,
                                       .verdict = $7, .span = @$));
    }
| "expect" error "the end of the line"  { yyerrok; }
;

word: NAME;

optional_engine:
  %empty                        { $$ = NOTHING; }
| '[' word ']'                  { $$ = $2; }
;

%%

PARSE_REPORT(struct lit_syntax, lit_syntax_unexpected, lit_token_at)
