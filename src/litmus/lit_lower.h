/* lit_lower: from the syntax tree of a test to the program. Private to the front end: what the
 * parts of the lowering share. Code of tables is lit_table.h's.
 *
 *   lit_define      constants and structures
 *   lit_declare     locations: the initial block, parameters, layout
 *   lit_line        cache lines
 *   lit_thread      threads: registers, code, and their statements
 *   lit_loop        loops
 *   lit_switch      choices between many
 *   lit_slice       what loops do to no purpose
 *   lit_bound       what bounds loops
 *   lit_await       loops that wait
 *   lit_launch      kernels that are launched and joined
 *   lit_transaction marks of transactions
 *   lit_token       registers with tokens
 *   lit_evaluate    expressions
 *   lit_place       what lvalues and addresses name
 *   lit_access      functions and methods: atomics, fences, barriers
 *   lit_primitive   primitive instructions, tags
 *   lit_expand      functions that a definition file defines
 *   lit_condition   conditions, filter, observed names, expectations
 *
 * One walk both checks and lowers. After an error the walk goes on with a harmless value, to find
 * the next error; the program is then not used. A part that is walked twice is `quiet` in one of
 * the walks, so that faults are reported once.
 */
#ifndef CRASHLIT_LIT_LOWER_H
#define CRASHLIT_LIT_LOWER_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/vec.h"
#include "litmus/lit_code.h"
#include "litmus/lit_syntax.h"
#include "litmus/lit_uses.h"

enum {
    LIT_MAX_LOCATIONS = 4096, /* elements of arrays count */
    LIT_MAX_CODE = 4096,      /* instructions of a thread */
    LIT_MAX_REGISTERS = 4096, /* of a thread */
    LIT_MAX_CONSTANTS = 1024, /* also the most structures */
    LIT_MAX_MEMBERS = 64      /* of a structure */
};

/* A named constant. */
struct lit_constant {
    const char *name;
    struct span span;
    enum lit_type type;
    int64_t value;
};

/* A structure: its members are locations in a row, in this order. */
struct lit_field {
    const char *name;  /* "old", and of an array in a structure "old[1]" */
    const char *base;  /* "old", interned */
    uint32_t elements; /* of the array, of which the first stands first; 0: no array */
    struct span span;
    enum lit_type type;
    bool atomic;
    bool operators;    /* are seq_cst */
    bool two_readings; /* reported: accesses to it are not what its type says in C */
};

struct lit_structure {
    const char *name;
    struct span span;
    struct lit_field *fields;
    uint32_t count; /* at least 1 */
    bool row;       /* of an array of two dimensions: no structure of the test, and has no name */
};

enum { LIT_KIND_PLAIN = 1, LIT_KIND_ATOMIC = 2 };

/* A declared name: a scalar or a structure, or an array of either. */
struct lit_symbol {
    const char *name;
    struct span span;
    enum lit_type type;
    uint32_t spaces;    /* mask of enum lit_space */
    bool typed, spaced; /* said in a declaration, not assumed */
    bool nvm, atomic, array;
    uint64_t tags;
    bool hidden;        /* of lit_launch: no test names it, and no state shows it */
    bool exchanged;     /* see struct lit_location */
    bool always_atomic; /* the initial block says atomic */
    bool operators;     /* are seq_cst */
    bool two_readings;  /* reported: accesses to it are not what its type says in C */
    bool mixed;         /* reported: declared in several spaces or kinds */
    uint32_t kinds;     /* that work-items say: LIT_KIND_PLAIN, LIT_KIND_ATOMIC */
    bool unsized;       /* an array whose size has a fault, which was reported */
    bool shared;        /* reported: local, and named by several work-groups */
    bool is_volatile;   /* some declaration says so, which means nothing */
    const struct ast_thread *alone, *undeclared; /* reported (lit_mistakes): the last of them */
    const struct lit_structure *structure;       /* or NULL */
    uint32_t first;                              /* its first location, once laid out */
    uint32_t count;                              /* its elements */
    uint32_t size;                               /* locations of an element, one after the other */
    const struct ast_init *init;                 /* NULL: declared by a parameter */
    const struct lit_thread *user; /* of a local location: the first thread that names it */
};

/* A name that is in scope in a thread. */
struct lit_local {
    const char *name;
    uint32_t reg;
    uint32_t level; /* of the block; 0: declared in the initial block */
};

/* An enclosing loop. */
struct lit_loop {
    struct lit_loop *outer;
    uint32_t number;
    bool chooses;             /* a `switch`, which 'break' leaves and 'continue' passes by */
    uint32_t errors;          /* reported before the loop */
    VEC(uint32_t) leaving;    /* jumps to the end */
    VEC(uint32_t) continuing; /* jumps to the step or the condition */
    VEC(uint32_t) awaits;     /* to be told where the loop ends */
};

/* A kernel that is launched. */
struct lit_launch {
    int64_t kernel;
    bool in_recovery; /* of the recovery program */
    bool always;      /* a host that comes to its end has launched it in any case */
    bool joined;      /* some thread joins it */
    const struct ast_thread *host;
    struct span span; /* of the `launch` */
    uint32_t done;    /* the host's register that is 1 once it is launched; unless `always` */
};

struct lit_lower {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    const struct ast_test *test;
    struct lit_program *program;
    uint32_t errors; /* in diag before this test */
    bool quiet;
    bool told_volatile;
    bool consumes; /* reported: an order is `consume` */
    bool unscoped; /* reported: a call of CUDA's without a scope */
    VEC(struct lit_constant) constants;
    VEC(const struct lit_structure *) structures;
    struct lit_definitions definitions;
    uint32_t copies;              /* of propositions that names count */
    uint32_t expanding, expanded; /* definitions that are open; what they were copied to so far */
    const char *written;          /* the innermost of them, or NULL */
    struct span written_span;     /* where the test calls it, or what it is called by */
    const struct lit_definition *told; /* in a note, when there were so many errors in diag */
    uint32_t told_errors;
    VEC(struct lit_symbol) symbols;
    VEC(const char *) tags; /* interned */
    VEC(struct lit_launch) launches;
    VEC(struct lit_pragma) pragmas;

    /* The thread at hand. */
    bool in_recovery;
    const struct ast_thread *thread;
    const char *thread_name;
    VEC(struct lit_instr) code;
    VEC(struct lit_register) registers;
    VEC(struct lit_local) locals;
    uint32_t level;
    struct lit_loop *loop;
    struct lit_choice *choice; /* the innermost `switch` */
    VEC(uint32_t) returning;   /* jumps to the end of the code */
    uint32_t loop_count;
    void *kernels;          /* of src/ptx, for the whole test */
    bool hosts;             /* it has launched or joined a kernel */
    uint32_t open;          /* the register that is 1 inside a transaction, or LIT_NONE */
    uint32_t start_errors;  /* errors there were when the thread began */
    const char *label;      /* of the barrier that follows, or NULL */
    bool too_large;         /* reported for this thread */
    struct lit_instr spill; /* takes what is emitted past the bound */
};

#define LIT_FAULT(lower, ...) ((lower)->quiet ? (void)0 : diag_error((lower)->diag, __VA_ARGS__))

/* Errors of this test so far. */
static inline uint32_t lit_lower_errors(const struct lit_lower *lower)
{
    return lower->diag->errors - lower->errors;
}

/* As DIAG_NEAREST. NULL when so many errors were reported that this one is not shown. */
#define LIT_NEAREST(lower, name, items, count, text) \
    (lit_lower_errors(lower) < DIAG_MAX_KEPT ? DIAG_NEAREST(name, items, count, text) : NULL)

/* ---- lit_define ---- */

void lit_define_all(struct lit_lower *lower);
/* The constant of this name; NULL when there is none. */
const struct lit_constant *lit_define_find(const struct lit_lower *lower, const char *name);
/* The value of a constant; false after reporting that there is none of this name. */
bool lit_define_constant(struct lit_lower *lower, const struct ast_name *name,
                         struct ast_number *number) __attribute__((warn_unused_result));
/* Sizes in bytes: of a type, of a structure. The third finds the structure that a `sizeof` names;
 * it returns NULL after reporting that there is none. */
uint32_t lit_define_size(enum lit_type type);
uint32_t lit_define_structure_size(const struct lit_structure *structure);
/* The size in bytes of an element of the symbol. */
struct lit_symbol;
uint32_t lit_define_element_size(const struct lit_symbol *symbol);
/* How many bytes a member, or an element of a row, begins behind the element of the symbol. */
uint32_t lit_define_member_offset(const struct lit_symbol *symbol, uint32_t member);
const struct lit_expr *lit_define_type_size(struct lit_lower *lower, const struct ast_expr *expr);
/* The structure of this name; NULL after reporting that there is none. */
const struct lit_structure *lit_define_structure(struct lit_lower *lower,
                                                 const struct ast_name *name);
/* The number of a member of the symbol's structure; LIT_NONE after reporting that there
 * is none. */
uint32_t lit_define_member(struct lit_lower *lower, const struct lit_symbol *symbol,
                           const struct ast_name *member);
/* Evaluates a value that is no list. False after reporting that it is not constant. */
bool lit_define_number(struct lit_lower *lower, const struct ast_value *value,
                       struct ast_number *number) __attribute__((warn_unused_result));

/* ---- lit_declare ---- */

/* Declares every location of the test and lays them out in program->locations. */
void lit_declare_locations(struct lit_lower *lower);
/* Adds a location that the initial block does not name. It has type int, is global, and holds 0.
 * The pointer is valid until the next one is added. */
struct lit_symbol *lit_declare_add(struct lit_lower *lower, const struct ast_name *name);
const struct lit_symbol *lit_declare_find(const struct lit_lower *lower, const char *name);
/* Gives each access of a thread the space and kind in which the thread declares the location, or
 * else those of the location. */
void lit_declare_views(const struct lit_lower *lower, const struct ast_thread *thread,
                       struct lit_instr *code, uint32_t count);
/* Warns of local locations that threads of different work-groups name, once the
 * threads are known. */
void lit_declare_check_local(struct lit_lower *lower);
/* The inclusive bounds of a type as text, "-2147483648 to 2147483647". */
const char *lit_declare_range(enum lit_type type);
bool lit_declare_fits(enum lit_type type, const struct ast_number *number);
/* Does the number fit the type of what it is stored in? Reports at `span` one that does not. A
 * negative number is converted to an unsigned type as C does it. */
bool lit_declare_convert(struct lit_lower *lower, enum lit_type type, struct ast_number *number,
                         struct span span);
/* The type of a member, or of the symbol when it has no structure. */
enum lit_type lit_declare_type_of(const struct lit_symbol *symbol, uint32_t member);
/* Are operators on what is declared so seq_cst in this dialect? */
bool lit_declare_operators(const struct lit_lower *lower, const struct ast_specs *specs);

struct lit_place;

/* ---- lit_mistakes: what is well formed and most likely not what was meant ---- */

/* Warns of a parameter that stands where `*name` would in C, once for each thread. */
void lit_mistake_alone(struct lit_lower *lower, const struct ast_name *name);
/* Warns where an operator reads or assigns the place, and a parameter alone says that the place is
 * atomic: C11 and herd read that differently. */
void lit_mistake_operator(struct lit_lower *lower, const struct lit_place *place, struct span span);
/* Warns once of a location that a dialect without operators on atomic objects reads or assigns by
 * one, if the initial block says that it is atomic. Definition files have atomics of their own, beside
 * which plain accesses may be meant. */
void lit_mistake_plain(struct lit_lower *lower, const struct lit_place *place, struct span span);
/* Warns once of a method, as in `x.store(1)`, on what the work-item's parameter or the initial block
 * gives a type that is not atomic: it has none. */
void lit_mistake_method(struct lit_lower *lower, const struct lit_place *place, struct span span);
/* Warns once of `volatile`, if the test uses a definition file: kernels wait on such locations.
 * herd's tests use none. They write `volatile` everywhere and mean nothing by it. */
void lit_mistake_volatile(struct lit_lower *lower, struct lit_symbol *symbol,
                          const struct ast_specs *specs);
/* Warns of loops that wait with plain reads alone, if the test uses a definition file: a compiler
 * may read once. Where the location is volatile, that is reported instead (lit_mistakes_spin.c). */
void lit_mistake_spins(const struct lit_lower *lower, const struct lit_program *settled);
/* What reads the location of that name atomically, by the test's own function where it has one. */
const char *lit_mistake_read(const struct lit_lower *lower, const char *name);
/* Warns of a parameter that names no location of the initial block, if that block declares
 * non-volatile locations. herd's tests declare none and leave such locations out. Parameters of
 * local memory declare it, so they are not meant. */
void lit_mistake_new(struct lit_lower *lower, const struct ast_param *param);
/* If a thread has parameters, warns of a location that is not among them; once for each thread. */
void lit_mistake_undeclared(struct lit_lower *lower, const struct ast_name *name);
/* Warns of a statement that is a comparison, where '=' would store. */
void lit_mistake_compares(struct lit_lower *lower, const struct ast_expr *expr);
/* Is this expression a product only because a ';' is missing at the end of the line before its '*'?
 * Reports that. */
bool lit_mistake_semicolon(struct lit_lower *lower, const struct ast_expr *expr);
/* Warns of an `if` or a loop whose ';' cuts its body off. */
void lit_mistake_empty(struct lit_lower *lower, const struct ast_stmt *stmt);
/* Warns of `x & 1 == 0` and `!x == 0`, which C reads otherwise than they look. */
void lit_mistake_binding(struct lit_lower *lower, const struct ast_expr *expr);
/* Warns of `a < b < c`. */
void lit_mistake_chained(struct lit_lower *lower, const struct ast_expr *expr);
/* Warns of an unsigned value, `a` or `b`, that is asked whether it is below 0; of one that is compared as
 * unsigned since the 0 is, and of a negative constant that is. */
void lit_mistake_unsigned(struct lit_lower *lower, const struct ast_expr *expr,
                          const struct lit_expr *a, const struct lit_expr *b);
/* Warns of a statement behind an `if` or a loop without braces that is indented as their body is. */
void lit_mistake_indented(struct lit_lower *lower, const struct ast_stmt *stmt);
/* Warns of a body on a later line that is not indented below its `while`: it looks like the next
 * statement. */
void lit_mistake_body(struct lit_lower *lower, const struct ast_stmt *loop);
/* Warns of a condition without a word for its states that speaks of non-volatile locations
 * alone. */
void lit_mistake_final(const struct lit_lower *lower);
/* Warns of a location that is not non-volatile, and to which the program writes another value than
 * the first, where recovery loads it before it has written it (lit_mistakes_lost.c). */
void lit_mistake_lost(const struct lit_lower *lower);
/* What those find: of each location which of the threads may write it, LIT_NONE where none does; the
 * symbol that a location is of, or NULL. */
#define LIT_SEVERAL (LIT_NONE - 1)
uint32_t *lit_mistake_writers(struct arena *arena, const struct lit_program *program,
                              const struct lit_thread *threads, uint32_t count);
const struct lit_symbol *lit_mistake_symbol(const struct lit_lower *lower, uint32_t location);
/* Finds the conditions of the lowered program that no order of stores can decide
 * (lit_condition.settled). */
void lit_settle_conditions(const struct lit_lower *lower, struct lit_condition *conditions);
/* Warns of two barriers without labels, in branches of which a work-item takes one, that meet the
 * same barrier of others: what OpenCL C and CUDA leave undefined (lit_mistakes_meet.c). */
void lit_mistake_meetings(const struct lit_lower *lower);

/* ---- lit_line ---- */

/* Puts the locations into cache lines: a line for each location, unless the initial block says
 * otherwise. */
void lit_line_lower_all(struct lit_lower *lower, struct lit_location *locations);

/* ---- lit_tagged ---- */

/* Adds the tags of single elements and of ranges of them. */
void lit_tagged_lower_all(struct lit_lower *lower, struct lit_location *locations);

/* ---- lit_thread ---- */

void lit_thread_lower_all(struct lit_lower *lower);
/* Appends an instruction with neutral operands; valid until the next one. */
struct lit_instr *lit_thread_emit(struct lit_lower *lower, enum lit_instr_op op, struct span span);
uint32_t lit_thread_here(const struct lit_lower *lower);
/* Makes an emitted jump or branch lead to `target`. */
void lit_thread_aim(struct lit_lower *lower, uint32_t instr, uint32_t target);
uint32_t lit_thread_temporary(struct lit_lower *lower, enum lit_type type);
const struct lit_local *lit_thread_find_local(const struct lit_lower *lower, const char *name);
/* The register of this name. If there is none, makes one of type int. */
uint32_t lit_thread_register(struct lit_lower *lower, const struct ast_name *name);
/* Reports once per thread that it is too large. */
void lit_thread_too_large(struct lit_lower *lower, struct span span);
/* A crash point; `text` may be NULL. */
void lit_thread_crash(struct lit_lower *lower, struct span span, const char *text);
void lit_thread_pragma(struct lit_lower *lower, const char *text, struct span span);
void lit_thread_scoped(struct lit_lower *lower, const struct ast_stmt *stmt);
/* All jumps to the end of the thread's own code lead here. */
void lit_thread_close(struct lit_lower *lower);
/* Lowers the statements of a definition, up to the first one with a fault. None counts as a
 * statement of the thread. */
void lit_thread_expanded(struct lit_lower *lower, const struct ast_stmt *first);
/* Lowers the C-like code of one thread. */
void lit_thread_body(struct lit_lower *lower, const struct ast_thread *thread);

/* ---- lit_loop ---- */

void lit_loop_lower(struct lit_lower *lower, const struct ast_stmt *stmt);
/* `break` or `continue`. */
void lit_loop_jump(struct lit_lower *lower, const struct ast_stmt *stmt);
/* Lowers a block that is no loop and that 'break' leaves. */
void lit_loop_leave_by_break(struct lit_lower *lower, const struct ast_stmt *body);
/* Does the expression mention the name outside of arguments of calls? False when `expr` is NULL. */
bool lit_loop_mentions(const struct ast_expr *expr, const char *name);

/* ---- lit_switch ---- */

void lit_switch_lower(struct lit_lower *lower, const struct ast_stmt *stmt);
/* `case` or `default`. */
void lit_switch_case(struct lit_lower *lower, const struct ast_stmt *stmt);

/* ---- lit_slice, lit_bound, lit_await ---- */

/* Slices the thread's loops: takes out what neither memory nor an observed register needs. */
void lit_slice_loops(struct arena *arena, struct lit_thread *thread, const bool *observed);
/* Finds what bounds the thread's loops. It must run while each loop still has its AWAIT. */
void lit_bound_find(struct arena *arena, struct lit_thread *thread);
/* Once threads and conditions are lowered: slices the loops of all threads, keeps the AWAIT of
 * those that may wait, with the registers it needs, and takes the others out. */
void lit_await_settle(struct arena *arena, struct lit_program *program);

/* ---- lit_launch ---- */

/* Finds what the program, or the recovery, launches and joins, and declares locations for that. */
void lit_launch_declare(struct lit_lower *lower);
/* These emit what launches need: code before and behind that of a thread, and `launch K` and `join
 * K` in it. */
void lit_launch_begin(struct lit_lower *lower, const struct ast_thread *thread);
void lit_launch_end(struct lit_lower *lower, const struct ast_thread *thread);
void lit_launch_emit(struct lit_lower *lower, int64_t kernel, struct span span);
void lit_launch_join(struct lit_lower *lower, int64_t kernel, struct span span);
/* Is the thread, lowered, of the host: does it launch or join, and is launched by nobody? */
bool lit_launch_is_host(const struct lit_lower *lower);
/* Reports launches that stand in loops. Loops must be marked before. */
void lit_launch_check(struct lit_lower *lower, const struct ast_thread *thread);

/* ---- lit_transaction ---- */

/* These emit the marks of transactions: around a fence with these tags, and at the end of a
 * thread's own code. */
void lit_transaction_before(struct lit_lower *lower, uint64_t tags, struct span span);
void lit_transaction_behind(struct lit_lower *lower, uint64_t tags, struct span span);
void lit_transaction_close(struct lit_lower *lower, const struct ast_thread *thread);
/* Reports marks of the thread's whole code that are wrong on all ways to them. Removes the run-time
 * checks of marks that are right on all ways. */
void lit_transaction_settle(struct lit_lower *lower, struct lit_thread *thread);

/* ---- lit_token ---- */

/* Reports what a thread's whole code does with tokens and may not: a fence can name but those that it
 * has in a register, whatever way it came. */
void lit_token_check(struct lit_lower *lower, const struct lit_thread *thread);

/* ---- lit_evaluate ---- */

const struct lit_expr *lit_evaluate_const(struct lit_lower *lower, enum lit_type type,
                                          int64_t value);
const struct lit_expr *lit_evaluate_reg(struct lit_lower *lower, uint32_t reg);
/* Applies an operator with C's conversions; folds constants. */
const struct lit_expr *lit_evaluate_apply(struct lit_lower *lower, enum lit_operator op,
                                          const struct lit_expr *a, const struct lit_expr *b);
const struct lit_expr *lit_evaluate_select(struct lit_lower *lower, const struct lit_expr *a,
                                           const struct lit_expr *b, const struct lit_expr *c);
/* Reports a division by the constant 0. */
void lit_evaluate_check_divisor(struct lit_lower *lower, enum lit_operator op,
                                const struct lit_expr *divisor, struct span span);
/* The value of an expression; loads and assignments in it are emitted, left to right. */
const struct lit_expr *lit_evaluate(struct lit_lower *lower, const struct ast_expr *expr);
/* The condition of an if or a loop. Warns of `x = 1`, where `x == 1` was perhaps meant. */
const struct lit_expr *lit_evaluate_condition(struct lit_lower *lower, const struct ast_expr *expr);
/* Evaluates an expression for its effects only. */
void lit_evaluate_effects(struct lit_lower *lower, const struct ast_expr *expr);
const struct lit_expr *lit_evaluate_cast(struct lit_lower *lower, enum lit_type type,
                                         const struct lit_expr *a);
/* The value so far of a chain of operators. After a number of operators it is put into a temporary,
 * since expressions are walked by recursion. */
const struct lit_expr *lit_evaluate_cut(struct lit_lower *lower, const struct lit_expr *value,
                                        uint32_t operators, struct span span);
/* Operands of binary operators (C11 6.5, paragraph 3) and of calls are unsequenced. This records
 * it: the code of the later operands, from `middle` to here, has no order with that of the earlier
 * ones, from `begin` to `middle`. */
void lit_evaluate_unsequenced(struct lit_lower *lower, uint32_t begin, uint32_t middle);
/* A value that does not change when `next` is evaluated after it. NULL: nothing is evaluated. */
const struct lit_expr *lit_evaluate_hold(struct lit_lower *lower, const struct lit_expr *value,
                                         const struct ast_expr *next);
void lit_evaluate_set(struct lit_lower *lower, uint32_t reg, const struct lit_expr *value,
                      struct span span);

/* Something that can be read and assigned: a register or memory. */
struct lit_place {
    bool is_register;
    uint32_t reg;
    struct lit_address addr;
    enum lit_type type;
    bool operators;                  /* are seq_cst */
    const struct lit_symbol *symbol; /* that it belongs to; NULL: a register */
    struct lit_field *field;         /* of a structure of the test; NULL: it is no member */
};

/* Can the place have this read-modify-write? False after a report. */
bool lit_evaluate_check_rmw(struct lit_lower *lower, const struct lit_place *place,
                            enum lit_rmw rmw, struct span span);
const struct lit_expr *lit_evaluate_read(struct lit_lower *lower, const struct lit_place *place,
                                         struct span span);
void lit_evaluate_write(struct lit_lower *lower, const struct lit_place *place,
                        const struct lit_expr *value, struct span span);

/* ---- lit_place ---- */

/* `sizeof` of a type or of what it names, which is not evaluated. */
const struct lit_expr *lit_place_size(struct lit_lower *lower, const struct ast_expr *expr);
bool lit_place_find(struct lit_lower *lower, const struct ast_expr *expr, struct lit_place *place);
/* The place an address points to: `x` (a parameter), `&x`, `&a[i]`, `a + i`. */
bool lit_place_pointed(struct lit_lower *lower, const struct ast_expr *expr,
                       struct lit_place *place);
/* Does the expression have the form of an address? */
bool lit_place_is_pointer(const struct lit_lower *lower, const struct ast_expr *expr);

/* ---- lit_access ---- */

/* The order of the read when a compare-exchange fails: nothing is released. */
enum lit_order lit_access_without_release(enum lit_order order);

/* A call as an expression; `wanted`: its value is used. NULL when it has none. */
const struct lit_expr *lit_access_call(struct lit_lower *lower, const struct ast_expr *expr,
                                       bool wanted);

/* Reports a call of what a definition file defines that the test does not use; false: it is none.
 */
bool lit_access_advise(struct lit_lower *lower, const struct ast_name *name);

/* ---- lit_primitive ---- */

/* The mask of the tags in a list. The test has these tags from now on. 0 after reporting that there
 * are too many. */
uint64_t lit_primitive_tags(struct lit_lower *lower, const struct ast_tags *tags);
/* Does the expression have the form of a call of a primitive? */
/* The name of the primitive of that number; NULL past the last. */
const char *lit_primitive_at(size_t number);
bool lit_primitive_is(const struct ast_expr *expr);
/* As lit_access_call. */
const struct lit_expr *lit_primitive_call(struct lit_lower *lower, const struct ast_expr *expr,
                                          bool wanted);

/* ---- lit_expand ---- */

/* Definitions that are expanded within each other. What they expand to is at most AST_MAX_NODES. */
enum { LIT_MAX_EXPANDING = 32 };

/* The definition that a call, or a name that stands for one, means; NULL: none. */
const struct lit_definition *lit_expand_find(const struct lit_lower *lower,
                                             const struct ast_expr *expr);
/* Expands the call of a definition: the code has the places of the call. Otherwise as
 * lit_access_call. */
const struct lit_expr *lit_expand(struct lit_lower *lower, const struct lit_definition *definition,
                                  const struct ast_expr *call, bool wanted);

/* ---- lit_condition ---- */

void lit_condition_lower_all(struct lit_lower *lower);

/* ---- lit_property ---- */

/* The condition that asks a property of the program. In the arena. */
struct lit_condition lit_property_condition(struct arena *arena, const struct lit_program *program,
                                            enum lit_property property, struct span span);
/* Without `observe`, `property robust` looks at what conditions on recovery name. */
void lit_property_observe(struct arena *arena, struct lit_program *program);
/* What an atom names in memory: a location, or all locations of a struct or an array, which are
 * adjacent. False after reporting that there is none. */
struct lit_places {
    const struct lit_symbol *symbol;
    uint32_t first, count;
};
bool lit_condition_places(struct lit_lower *lower, const struct ast_atom *atom,
                          struct lit_places *places) __attribute__((warn_unused_result));
void lit_condition_print_atom(const struct lit_program *program, enum lit_when when,
                              const struct lit_atom *atom, struct strbuf *out);
void lit_condition_print_prop(const struct lit_program *program, enum lit_when when,
                              const struct lit_prop *prop, struct strbuf *out);

#endif
