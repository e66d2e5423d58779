/* The grammar of litmus tests: an initial state, threads (C-like code, or columns of a
 * table), a recovery program, conditions and expectations. The first token says which
 * kind of test it is. Actions only call the builders of lit_ast.h. */
%code requires {
#include "litmus/lit_syntax.h"
typedef void *lit_scanner;

struct lit_literal {
    struct ast_number number;
    enum lit_type type;
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

int lit_yylex(LIT_YYSTYPE *value, LIT_YYLTYPE *span, lit_scanner scanner);

static void lit_yyerror(LIT_YYLTYPE *span, lit_scanner scanner, struct lit_syntax *syntax,
                        const char *message)
{
    (void)scanner;
    (void)message; /* only ever that the parser's stack is full */
    lit_syntax_too_deep(syntax, *span);
}

#define UNARY(op, a, at) ast_unary(syntax, AST_UNARY, LIT_OP_##op, a, at)
#define BINARY(op, a, b, at) ast_binary(syntax, AST_BINARY, LIT_OP_##op, a, b, at)
#define NOTHING ((struct ast_name){NULL, {0}})
}

%initial-action {
    @$ = (struct span){syntax->source, syntax->line, syntax->column, syntax->line, syntax->column};
}

%union {
    struct ast_name name;
    struct ast_specs specs;
    struct ast_number number;
    struct lit_literal literal;
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
    struct ast_constants constants;
    struct ast_fields fields;
    struct ast_places places;
    struct ast_params params;
    struct ast_thread *thread;
    struct ast_threads threads;
    struct ast_operand operand;
    struct ast_operands operands;
    struct ast_cell *cell;
    struct ast_cells cells;
    struct ast_rows rows;
    struct ast_atom atom;
    struct ast_prop *prop;
    bool flag;
}

%token END_OF_FILE 0 "the end of the file"
%token CODE_TEST TABLE_TEST PROPERTY
%token <name> NAME "a name" STRING "a string" WORD "an instruction"
%token <number> THREAD "a thread"
%token <literal> INTEGER "an integer"
%token <specs> SPEC "a type" ATOMIC_OF "atomic<"
%token EXISTS "exists" NOT_EXISTS "~exists" FORALL "forall" FILTER "filter" LOCATIONS "locations"
%token FINAL "final" CRASH_CONDITION "crash" RECOVERED "recovered" RECOVERY "recovery"
%token RESTARTABLE "restartable" EXPECT "expect" LINE_END "the end of the line"
%token CRASH "crash point" IF "if" ELSE "else" WHILE "while" FOR "for" DO "do" BREAK "break"
%token CONST "const" ENUM "enum" STRUCT "struct" RETURN "return"
%token CONTINUE "continue" TRUE "true" FALSE "false" NOT_WORD "not"
%token CONJ "/\\" DISJ "\\/" IMPLIES "=>" DIFFERENT "<>"
%token EQ "==" NE "!=" LE "<=" GE ">=" AND "&&" OR "||" SHL "<<" SHR ">>" INC "++" DEC "--"
%token ARROW "->"
%token <op> UPDATE "+="

%type <name> optional_string optional_engine word
%type <specs> spec specs parameter_specs
%type <number> signed
%type <init> init_target init_declared init_item
%type <value> value given
%type <values> values givens
%type <constants> constants enumerators
%type <fields> fields field_names
%type <places> places some_places
%type <params> params some_params
%type <stmts> block stmts
%type <stmt> stmt declaration declarators declarator for_first
%type <expr> expr commas optional_expr postfix primary
%type <exprs> args some_args
%type <thread> thread recovery_thread
%type <threads> recovery_threads table header heads
%type <thread> head
%type <operand> operand
%type <operands> operands some_operands
%type <cell> cell operation
%type <cells> cells
%type <rows> rows
%type <when> when
%type <quantifier> quantifier
%type <prop> prop
%type <atom> atom element
%type <op> comparison
%type <flag> restartable pointer

/* Threads after `recovery P0 ..` are the recovery's. */
%precedence ALL_RECOVERY
%precedence "a thread"

/* An error before the end of a table is one in its rows. */
%precedence ROWS
%precedence error

%right "=>"
%left "\\/"
%left "/\\"

%precedence THEN
%precedence "else"
%right '=' "+="
%right '?' ':'
%left "||"
%left "&&"
%left '|'
%left '^'
%left '&'
%left "==" "!="
%left '<' '>' "<=" ">="
%left "<<" ">>"
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY '~' '!' "not"

%%

test:
  CODE_TEST title definitions init items
| TABLE_TEST titles init table table_items
                                { syntax->test->threads = $4; }
| PROPERTY prop                 { ast_test_condition(syntax, LIT_RECOVERED, LIT_FORALL, $2, @2); }
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

/* ---- Constants and structures ---- */

definitions:
  %empty
| definitions definition ';'
;

definition:
  "const" constants             { ast_test_constants(syntax->test, NULL, $2); }
| "const" specs constants       { ast_test_constants(syntax->test, &$2, $3); }
| "enum" '{' enumerators optional_comma '}'
                                { ast_test_constants(syntax->test, NULL, $3); }
| "struct" NAME '{' fields '}'  { ast_test_structure(syntax, $2, $4); }
;

constants:
  NAME '=' expr                 { $$ = ast_constants_add(syntax, (struct ast_constants){0}, $1, $3); }
| constants ',' NAME '=' expr   { $$ = ast_constants_add(syntax, $1, $3, $5); }
;

enumerators:
  NAME                          { $$ = ast_constants_add(syntax, (struct ast_constants){0}, $1, NULL); }
| NAME '=' expr                 { $$ = ast_constants_add(syntax, (struct ast_constants){0}, $1, $3); }
| enumerators ',' NAME          { $$ = ast_constants_add(syntax, $1, $3, NULL); }
| enumerators ',' NAME '=' expr { $$ = ast_constants_add(syntax, $1, $3, $5); }
;

optional_comma: %empty | ',';

fields:
  specs field_names ';'         { $$ = ast_fields_typed($2, &$1); }
| fields specs field_names ';'  { $$ = ast_fields_join($1, ast_fields_typed($3, &$2)); }
;

field_names:
  NAME                          { $$ = ast_fields_add(syntax, (struct ast_fields){0}, $1); }
| field_names ',' NAME          { $$ = ast_fields_add(syntax, $1, $3); }
;

/* ---- The initial state ---- */

init: '{' init_items '}';

init_items:
  %empty
| some_init_items
| some_init_items ';'
;

some_init_items:
  init_entry
| some_init_items ';' init_entry        { yyerrok; }
| some_init_items ';' error
| error
;

init_entry:
  init_item                     { ast_test_init(syntax->test, $1); }
| definition
;

init_item:
  init_declared
| init_declared '=' value       {
        $$ = ast_init_values($1, false, ast_values_add((struct ast_values){0}, $3));
    }
| init_declared '=' '{' values '}'      { $$ = ast_init_values($1, true, $4); }
;

init_declared:
  init_target
| init_target '[' value ']'     { $$ = ast_init_array($1, $3); $$->span = @$; }
;

init_target:
  NAME                          { $$ = ast_init(syntax, AST_NO_THREAD, $1, @$); }
| '[' NAME ']'                  { $$ = ast_init(syntax, AST_NO_THREAD, $2, @$); }
| INTEGER ':' NAME              { $$ = ast_init(syntax, lit_syntax_thread(syntax, $1.number), $3, @$); }
| THREAD ':' NAME               { $$ = ast_init(syntax, lit_syntax_thread(syntax, $1), $3, @$); }
| spec init_target              { $$ = $2; $$->specs = ast_specs_join($1, $2->specs); $$->span = @$; }
;

/* In braces: values, or lists of them. */
values:
  given                         { $$ = ast_values_add((struct ast_values){0}, $1); }
| values ',' given              { $$ = ast_values_add($1, $3); }
;

given:
  value
| '{' givens '}'                { $$ = ast_value_list(syntax, $2, @$); }
;

givens:
  value                         { $$ = ast_values_add((struct ast_values){0}, $1); }
| givens ',' value              { $$ = ast_values_add($1, $3); }
;

value: expr                     { $$ = ast_value(syntax, $1); };

signed:
  INTEGER                       { $$ = $1.number; }
| '-' INTEGER                   { $$ = lit_syntax_negate(syntax, $2.number, @$); }
;

spec:
  SPEC
| "atomic<" specs '>'           { $$ = $2; $$.bits |= AST_ATOMIC; $$.span = @$; }
| "struct" NAME                 { $$ = (struct ast_specs){.structure = $2, .span = @$}; }
;

specs:
  spec
| specs spec                    { $$ = ast_specs_join($1, $2); }
;

/* ---- Threads ---- */

items:
  %empty
| items item                    { yyerrok; }
| items error
;

item:
  thread                        { ast_test_thread(syntax->test, $1); }
| recovery
| judgement
;

judgement:
  quantifier prop               { ast_test_condition(syntax, LIT_FINAL, $1, $2, @$); }
| when quantifier prop          { ast_test_condition(syntax, $1, $2, $3, @$); }
| "filter" prop                 { ast_test_filter(syntax, $2, @$); }
| "locations" '[' observed ']'
| "locations" error ']'
| expectation
;

thread:
  THREAD places params block    {
        $$ = ast_thread(syntax, lit_syntax_thread(syntax, $1), $2, $3, $4, @1);
    }
| THREAD error block            {
        $$ = ast_thread(syntax, lit_syntax_thread(syntax, $1), (struct ast_places){0},
                        (struct ast_params){0}, $3, @1);
    }
;

recovery:
  "recovery" restartable params block   {
        struct ast_thread *only = ast_thread(syntax, 0, (struct ast_places){0}, $3, $4, @1);
        ast_test_recovery(syntax, $2, ast_threads_add((struct ast_threads){0}, only), @1);
    }
| "recovery" restartable recovery_threads %prec ALL_RECOVERY   { ast_test_recovery(syntax, $2, $3, @1); }
| "recovery" error block        { ast_test_recovery(syntax, false, (struct ast_threads){0}, @1); }
;

recovery_threads:
  recovery_thread               { $$ = ast_threads_add((struct ast_threads){0}, $1); }
| recovery_threads recovery_thread      { $$ = ast_threads_add($1, $2); }
;

recovery_thread:
  THREAD places params block    {
        $$ = ast_thread(syntax, lit_syntax_thread(syntax, $1), $2, $3, $4, @1);
    }
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
  NAME INTEGER                  { $$ = ast_places_add(syntax, (struct ast_places){0}, $1, $2.number); }
| some_places ',' NAME INTEGER  { $$ = ast_places_add(syntax, $1, $3, $4.number); }
;

params:
  %empty                        { $$ = (struct ast_params){0}; }
| '(' ')'                       { $$ = (struct ast_params){0}; }
| '(' some_params ')'           { $$ = $2; }
;

some_params:
  parameter_specs pointer NAME  { $$ = ast_params_add(syntax, (struct ast_params){0}, &$1, $2, $3); }
| some_params ',' parameter_specs pointer NAME
                                { $$ = ast_params_add(syntax, $1, &$3, $4, $5); }
;

parameter_specs: specs;

pointer:
  %empty                        { $$ = false; }
| '*'                           { $$ = true; }
| '*' specs                     { $$ = true; }
;

/* ---- Threads as a table ---- */

table_items:
  %empty
| table_items table_item        { yyerrok; }
| table_items error
;

table_item:
  "recovery" restartable table  { ast_test_recovery(syntax, $2, $3, @1); }
| judgement
;

table:
  header rows %prec ROWS        { $$ = ast_table(syntax, $1, &$2); }
;

header:
  heads ';'
| error ';'                     { $$ = (struct ast_threads){0}; yyerrok; }
;

heads:
  head                          { $$ = ast_threads_add((struct ast_threads){0}, $1); }
| heads '|' head                { $$ = ast_threads_add($1, $3); }
;

head:
  THREAD places                 {
        $$ = ast_thread(syntax, lit_syntax_thread(syntax, $1), $2, (struct ast_params){0},
                        (struct ast_stmts){0}, @1);
    }
;

rows:
  %empty                        { $$ = (struct ast_rows){0}; }
| rows cells ';'                { $$ = ast_rows_add(syntax, $1, $2, @2); }
| rows error ';'                { yyerrok; }
;

cells:
  cell                          { $$ = ast_cells_add((struct ast_cells){0}, $1); }
| cells '|' cell                { $$ = ast_cells_add($1, $3); }
;

cell:
  %empty                        { $$ = ast_cell(syntax, NOTHING, (struct ast_operands){0}, @$); }
| WORD ':'                      {
        $$ = ast_cell(syntax, NOTHING, (struct ast_operands){0}, @$);
        $$->label = $1;
    }
| operation
| WORD ':' operation            { $$ = $3; $$->label = $1; }
;

operation: WORD operands        { $$ = ast_cell(syntax, $1, $2, @$); };

operands:
  %empty                        { $$ = (struct ast_operands){0}; }
| some_operands
;

some_operands:
  operand                       { $$ = ast_operands_add(syntax, (struct ast_operands){0}, $1); }
| some_operands ',' operand     { $$ = ast_operands_add(syntax, $1, $3); }
;

operand:
  NAME                          { $$ = ast_operand_name($1, false, @$); }
| '[' NAME ']'                  { $$ = ast_operand_name($2, true, @$); }
| signed                        { $$ = ast_operand_number($1); }
| STRING                        { $$ = ast_operand_string($1); }
;

/* ---- Statements ---- */

block:
  '{' stmts '}'                 { $$ = $2; }
| '{' stmts error '}'           { $$ = $2; yyerrok; }
;

stmts:
  %empty                        { $$ = (struct ast_stmts){0}; }
| stmts stmt                    { $$ = ast_stmts_add($1, $2); }
;

stmt:
  ';'                           { $$ = ast_stmt(syntax, AST_S_EMPTY, @$); }
| block                         { $$ = ast_stmt_list(syntax, AST_S_BLOCK, $1, @$); }
| commas ';'                    { $$ = ast_stmt_expr(syntax, $1, @1); }
| declaration ';'
| "if" '(' expr ')' stmt %prec THEN     { $$ = ast_stmt_if(syntax, $3, $5, NULL, @1); }
| "if" '(' expr ')' stmt[yes] "else" stmt[no]
                                { $$ = ast_stmt_if(syntax, $3, $yes, $no, @1); }
| "while" '(' expr ')' stmt[body]       { $$ = ast_stmt_loop(syntax, false, $3, NULL, $body, @1); }
| "do" stmt[body] "while" '(' expr ')' ';'      { $$ = ast_stmt_loop(syntax, true, $5, NULL, $body, @1); }
| "for" '(' for_first optional_expr[test] ';' optional_expr[step] ')' stmt[body] {
        struct ast_stmt *loop = ast_stmt_loop(syntax, false, $test, $step, $body, @1);
        $3->in_head = true;
        struct ast_stmts both = ast_stmts_add((struct ast_stmts){0}, $3);
        $$ = ast_stmt_list(syntax, AST_S_BLOCK, ast_stmts_add(both, loop), @1);
    }
| "break" ';'                   { $$ = ast_stmt(syntax, AST_S_BREAK, @1); }
| "continue" ';'                { $$ = ast_stmt(syntax, AST_S_CONTINUE, @1); }
| "return" ';'                  { $$ = ast_stmt(syntax, AST_S_RETURN, @1); }
| "crash point" optional_string ';'
                                { $$ = ast_stmt_named(syntax, AST_S_CRASH, $2, NULL, @1); }
| NAME ':' stmt[body]           { $$ = ast_stmt_named(syntax, AST_S_LABEL, $1, $body, @1); }
| error ';'                     { $$ = ast_stmt(syntax, AST_S_EMPTY, @$); yyerrok; }
| error block %prec THEN        { $$ = ast_stmt_list(syntax, AST_S_BLOCK, $2, @2); yyerrok; }
| error block "else" stmt       { $$ = $4; }
;

optional_string:
  %empty                        { $$ = NOTHING; }
| STRING
;

for_first:
  ';'                           { $$ = ast_stmt(syntax, AST_S_EMPTY, @$); }
| commas ';'                    { $$ = ast_stmt_expr(syntax, $1, @1); }
| declaration ';'
;

declaration:
  specs declarators             { $$ = ast_stmt_typed($2, &$1, @$); }
;

declarators:
  declarator                    {
        $$ = ast_stmt_list(syntax, AST_S_GROUP, ast_stmts_add((struct ast_stmts){0}, $1), @$);
    }
| declarators ',' declarator    { $$ = $1; $$->body = ast_stmts_add($$->body, $3); }
;

declarator:
  NAME                          { $$ = ast_stmt_decl(syntax, $1, NULL, @$); }
| NAME '=' expr                 { $$ = ast_stmt_decl(syntax, $1, $3, @$); }
;

/* ---- Expressions ---- */

optional_expr:
  %empty                        { $$ = NULL; }
| commas
;

commas:
  expr
| commas ',' expr               { $$ = ast_binary(syntax, AST_COMMA, LIT_OP_CONST, $1, $3, @$); }
;

expr:
  postfix
| expr '=' expr                 { $$ = ast_binary(syntax, AST_ASSIGN, LIT_OP_CONST, $1, $3, @$); }
| expr "+=" expr                { $$ = ast_binary(syntax, AST_ASSIGN, $2, $1, $3, @$); }
| expr '?' expr ':' expr        { $$ = ast_select(syntax, $1, $3, $5, @$); }
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
| '*' expr %prec UNARY          { $$ = ast_unary(syntax, AST_DEREF, LIT_OP_CONST, $2, @$); }
| '&' expr %prec UNARY          { $$ = ast_unary(syntax, AST_ADDRESS, LIT_OP_CONST, $2, @$); }
| "++" expr %prec UNARY         { $$ = ast_step(syntax, LIT_OP_ADD, false, $2, @$); }
| "--" expr %prec UNARY         { $$ = ast_step(syntax, LIT_OP_SUB, false, $2, @$); }
| '(' specs ')' expr %prec UNARY        { $$ = ast_cast(syntax, &$2, $4, @$); }
;

postfix:
  primary
| NAME '(' args ')'             { $$ = ast_call(syntax, NULL, $1, $3, @$); }
| postfix '.' NAME '(' args ')' { $$ = ast_call(syntax, $1, $3, $5, @$); }
| postfix "->" NAME '(' args ')'        { $$ = ast_call(syntax, $1, $3, $5, @$); }
| postfix '.' NAME              { $$ = ast_member(syntax, false, $1, $3, @$); }
| postfix "->" NAME             { $$ = ast_member(syntax, true, $1, $3, @$); }
| postfix '[' expr ']'          { $$ = ast_binary(syntax, AST_INDEX, LIT_OP_CONST, $1, $3, @$); }
| postfix "++"                  { $$ = ast_step(syntax, LIT_OP_ADD, true, $1, @$); }
| postfix "--"                  { $$ = ast_step(syntax, LIT_OP_SUB, true, $1, @$); }
;

primary:
  NAME                          { $$ = ast_variable(syntax, $1); }
| INTEGER                       { $$ = ast_number(syntax, $1.type, $1.number.value, @$); }
| "true"                        { $$ = ast_number(syntax, LIT_INT, 1, @$); }
| "false"                       { $$ = ast_number(syntax, LIT_INT, 0, @$); }
| '(' commas ')'                { $$ = $2; }
;

args:
  %empty                        { $$ = (struct ast_exprs){0}; }
| some_args
;

some_args:
  expr                          { $$ = ast_exprs_add((struct ast_exprs){0}, $1); }
| some_args ',' expr            { $$ = ast_exprs_add($1, $3); }
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
  atom[a] comparison atom[b]    { $$ = ast_prop_compare(syntax, $2, $a, $b, @$); }
| "true"                        { $$ = ast_prop_leaf(syntax, LIT_PROP_TRUE, @$); }
| "false"                       { $$ = ast_prop_leaf(syntax, LIT_PROP_FALSE, @$); }
| '(' prop[p] ')'               { $$ = $p; }
| '~' prop[p]                   { $$ = ast_prop_join(syntax, LIT_PROP_NOT, $p, NULL, @$); }
| "not" prop[p]                 { $$ = ast_prop_join(syntax, LIT_PROP_NOT, $p, NULL, @$); }
| prop[a] "/\\" prop[b]         { $$ = ast_prop_join(syntax, LIT_PROP_AND, $a, $b, @$); }
| prop[a] "\\/" prop[b]         { $$ = ast_prop_join(syntax, LIT_PROP_OR, $a, $b, @$); }
| prop[a] "=>" prop[b]          { $$ = ast_prop_join(syntax, LIT_PROP_IMPLIES, $a, $b, @$); }
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
  signed                        { $$ = ast_atom_number($1); }
| element
| element '.' NAME            { $$ = ast_atom_member($1, $3, @$); }
| '[' NAME ']'                  { $$ = ast_atom_name($2, @$); }
| INTEGER ':' NAME              { $$ = ast_atom_register(lit_syntax_thread(syntax, $1.number), $3, @$); }
| THREAD ':' NAME               { $$ = ast_atom_register(lit_syntax_thread(syntax, $1), $3, @$); }
;

element:
  NAME                          { $$ = ast_atom_name($1, @$); }
| NAME '[' INTEGER ']'          { $$ = ast_atom_element($1, $3.number, @$); }
| NAME '[' NAME ']'             { $$ = ast_atom_indexed($1, $3, @$); }
;

observed:
  %empty
| some_observed
| some_observed ';'
;

some_observed:
  atom                          { ast_test_observe(syntax, $1); }
| some_observed ';' atom        { ast_test_observe(syntax, $3); }
;

/* ---- Expectations: words up to the end of the line ---- */

expectation:
  "expect" word '+' word optional_engine ':' word "the end of the line"
                                { ast_test_expect(syntax, $2, $4, $5, $7, @$); }
| "expect" error "the end of the line"  { yyerrok; }
;

word: NAME;

optional_engine:
  %empty                        { $$ = NOTHING; }
| '[' word ']'                  { $$ = $2; }
;

%%

static int yyreport_syntax_error(const yypcontext_t *context, lit_scanner scanner,
                                 struct lit_syntax *syntax)
{
    enum { MOST = 128 };
    yysymbol_kind_t kinds[MOST];
    const char *expected[MOST];
    (void)scanner;
    int count = yypcontext_expected_tokens(context, kinds, MOST);
    for (int i = 0; i < count; i++)
        expected[i] = yysymbol_name(kinds[i]);
    lit_syntax_unexpected(syntax, *yypcontext_location(context),
                          yypcontext_token(context) == YYSYMBOL_YYEOF, expected, count);
    return 0;
}
