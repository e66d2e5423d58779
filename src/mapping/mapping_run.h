/* mapping_run: a mapping at work on a test. Private to mapping*.c (mapping.h). */
#ifndef CRASHLIT_MAPPING_RUN_H
#define CRASHLIT_MAPPING_RUN_H

#include "mapping/mapping.h"
#include "mapping/mapping_edit.h"
#include "litmus/lit_syntax.h"

/* A location as a statement may name it again. */
struct lit_stored {
    const char *text; /* what instructions take: `x`, `&a[i]` */
    const char
        *loops;       /* `for (..) `, within which it is the locations that were stored to, or "" */
    const char *flag; /* the register that is 1 when it was stored to; NULL: it always is */
};

/* What a pragma covers, or the whole of a work-item. */
struct lit_region {
    const struct lit_scheme *scheme;
    uint32_t scope;                /* of its pragma */
    const struct ast_stmt *pragma; /* NULL: the scheme is for everything */
    const struct ast_stmts *list;  /* where it stands */
    const struct ast_stmt *end;    /* in the list: behind what it covers; NULL: all that follows */
    VEC(struct lit_stored) stored;
    VEC(const char *) registers; /* that its statements need, 0 at first */
    VEC(int64_t) launched;       /* and not joined */
    uint32_t launches;           /* since an epoch began */
    bool stores;                 /* some store of it is behind */

    /* Of one that counts iterations, at the end of an epoch of `iterations`. */
    const char *counter, *by; /* NULL: the counter is not needed */
    uint32_t iterations;
};

/* Where a statement stands in its region. */
struct lit_context {
    const struct lit_context *outer;
    const struct ast_stmt *loop; /* whose body it is in; NULL: a branch */
    const char *head;            /* of a loop that can be repeated, or NULL */
    const char *counter;         /* its register */
    bool declares;               /* in the head */
    bool counted;                /* the loop whose iterations the pragma counts */
};

/* A pragma that is none of the mapping's. */
struct lit_stranger {
    struct span span;
    const char *word; /* its first */
    const char *near; /* that of a pragma which it may have meant; NULL: of none */
};

struct mapping_run {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    const struct mapping *mapping;
    const struct ast_test *test;
    const struct lit_program *program;
    struct lit_edits edits;
    uint32_t errors;  /* in diag before */
    uint32_t numbers; /* of registers, so far */
    size_t inserted;  /* bytes, so far; with more than a source may have it ends */
    bool mapped;      /* some scheme has applied */
    VEC(struct lit_stranger) strangers;

    /* The work-item at hand. */
    const struct ast_thread *ast;
    const struct lit_thread *thread;
    bool first;                       /* of its work-group */
    const struct lit_thread *threads; /* that it is one of */
    uint32_t *firsts; /* of each of them: how often a rule has something for a first one alone */
    bool *handled;    /* of its instructions: nothing is to be said of them */
};

#define MAP_FAULT(run, ...) diag_error((run)->diag, DIAG_LIT_MAPPED, __VA_ARGS__)

/* ---- mapping_pragma ---- */

/* Does some scheme have pragmas that begin as this text does? */
bool mapping_is_ours(const struct mapping_run *run, const char *text);
/* Notes one that is not; what is said of it depends on whether the test has others. */
void mapping_note_stranger(struct mapping_run *run, const char *text, struct span span);
/* When the whole test was seen: pragmas that are nearly the mapping's, and that it has none. */
void mapping_check_pragmas(struct mapping_run *run);
/* The scheme of a pragma's text; NULL when it has none, which is reported if it should have one.
 * *ends: the pragma ends what one before it covers. */
const struct lit_scheme *mapping_scheme(struct mapping_run *run, const char *text, struct span span,
                                        uint32_t *scope, bool *ends);

/* ---- mapping_render ---- */

/* A register that the test does not have. */
const char *mapping_register(struct mapping_run *run, const char *purpose);
/* The items of a rule with `args` for its formals, all in one text; blocks are lines of their own
 * where `lines` are given. Those for each location or kernel are left out. */
typedef VEC(const char *) mapping_lines;
void mapping_render(struct mapping_run *run, const struct lit_rule *rule,
                    const struct lit_item *items, const char *const *args,
                    struct lit_region *region, mapping_lines *lines);
const struct lit_rule *mapping_rule(const struct lit_scheme *scheme, enum lit_rule_kind kind);
/* Puts lines behind a statement, or where it is alone in a branch or a loop, with it in braces. */
struct lit_spot {
    const struct ast_stmt *stmt;
    const char *indent; /* NULL: others stand before it in its line */
    bool braces;        /* needs them */
};
void mapping_insert(struct mapping_run *run, const struct lit_spot *spot,
                    const mapping_lines *lines);

/* ---- mapping ---- */

/* As statements of a table, or of code. */
bool mapping_is_table(const struct mapping_run *run);

/* The work-item is the one at hand from here on. */
void mapping_begin(struct mapping_run *run, const struct ast_thread *ast,
                   const struct lit_thread *threads, uint32_t count);
/* Reports, when all work-items were at hand, those of `list` that leave to the first of their
 * work-group what that one does not have. */
void mapping_check_firsts(struct mapping_run *run, const struct ast_threads *list, uint32_t count);

/* ---- mapping_store ---- */

/* To non-volatile memory. */
bool mapping_stores(const struct mapping_run *run, const struct lit_instr *instr);

/* What the rules say of a statement without statements in it. */
void mapping_statement(struct mapping_run *run, struct lit_region *region,
                       const struct lit_context *context, const struct lit_spot *spot);
/* Reports what stores, or is to be replaced, in `span` and was not handled. */
void mapping_check(struct mapping_run *run, const struct lit_region *region, struct span span);
/* Whatever stands there is handled. */
void mapping_leave(struct mapping_run *run, struct span span);

/* ---- mapping_instead ---- */

/* Puts a rule's items, with `args` for its formals, in the place of a statement. */
void mapping_replace(struct mapping_run *run, const struct lit_rule *rule, const char *const *args,
                     struct lit_region *region, const struct lit_spot *spot);
/* What does something is done once: a rule names its parameter once. What it names several times
 * has to be one thing each time. False after reporting. */
bool mapping_check_uses(struct mapping_run *run, const struct lit_rule *rule,
                        const struct ast_expr *const *values, uint32_t count);
/* Replaces a statement that is an instruction of some rule; false: it is none. */
bool mapping_instead(struct mapping_run *run, struct lit_region *region,
                     const struct lit_spot *spot);

/* ---- mapping_name ---- */

/* May a statement from `first` up to `end` (NULL: the last) assign the register? */
bool mapping_assigns(const struct ast_stmt *first, const struct ast_stmt *end, const char *name);
/* A location in memory, not a register of the work-item. */
bool mapping_is_location(const struct mapping_run *run, const char *name);
bool mapping_is_constant(const struct mapping_run *run, const char *name);
/* Statements of a list, from the first up to `end`, which is none of them; NULL: the last. */
struct lit_stretch {
    const struct ast_stmt *first, *end;
};
struct lit_stretch mapping_stretch(const struct mapping_run *run, const struct lit_region *region);
/* Is a value made of numbers, constants, counters of loops around it, and registers that these
 * statements do not assign? */
bool mapping_is_kept(const struct mapping_run *run, struct lit_stretch stretch,
                     const struct ast_expr *value, const struct lit_context *context);

/* ---- mapping_loop ---- */

/* What can be said of a `for`. */
struct lit_counted {
    const char *counter; /* NULL: nothing */
    const char *head;    /* `for (..)` */
    const char *by;      /* what is added to it */
    const char *number;  /* of the iteration at hand, from 0, as an expression */
    bool declares;       /* the head declares the register */
};
struct lit_counted mapping_counted(const struct mapping_run *run, struct lit_stretch stretch,
                                   const struct ast_stmt *stmt);
/* The loop that a statement is, a `for` with its head too; else NULL. */
const struct ast_stmt *mapping_loop_of(const struct ast_stmt *stmt);
/* The first break, continue or return that leaves what is in the statement: `in_loop`, a break or
 * continue of its own loop does not. NULL: none. */
const struct ast_stmt *mapping_leaves(const struct ast_stmt *stmt, bool in_loop);
/* What `every N iterations` says of a statement, which is a loop. */
void mapping_iterations(struct mapping_run *run, struct lit_region *region,
                        const struct ast_stmt *stmt);

/* ---- mapping_table ---- */

void mapping_table(struct mapping_run *run);
/* What a persist barrier of statements is called in columns; else the same name. */
const char *mapping_cell_word(const struct mapping_run *run, const char *name);

#endif
