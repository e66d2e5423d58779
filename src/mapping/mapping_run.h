/* mapping_run: one application of a mapping to a test. Private to mapping*.c (mapping.h). */
#ifndef CRASHLIT_MAPPING_RUN_H
#define CRASHLIT_MAPPING_RUN_H

#include "mapping/mapping.h"
#include "mapping/mapping_edit.h"
#include "litmus/lit_syntax.h"

/* A location that was stored to, as later statements can name it. */
struct lit_stored {
    const char *text;  /* what instructions take: `x`, `&a[i]` */
    const char *loops; /* `for (..) `, in which it names the locations stored to, or "" */
    const char *flag;  /* the register that is 1 if it was stored to; NULL: it always was */
};

/* What a pragma covers, or a whole work-item. */
struct lit_region {
    const struct lit_scheme *scheme;
    uint32_t scope;                /* the pragma's scope */
    const struct ast_stmt *pragma; /* NULL: the scheme is for everything */
    const struct ast_stmts *list;  /* the statements in which it stands */
    const struct ast_stmt *end;    /* in the list: the statement behind the region; NULL: it reaches
                                      to the list's end */
    VEC(struct lit_stored) stored;
    VEC(const char *) registers; /* needed by inserted statements, 0 at first */
    VEC(int64_t) launched;       /* launched and not joined */
    uint32_t launches;           /* since an epoch began */
    bool stores;                 /* some store of it has been passed */

    /* For a region that counts iterations: at the end of an epoch of `iterations`. */
    const char *counter, *by; /* NULL: the counter is not needed */
    uint32_t iterations;
};

/* The place of a statement in its region. */
struct lit_context {
    const struct lit_context *outer;
    const struct ast_stmt *loop; /* the loop in whose body it is; NULL: a branch */
    const char *head;            /* the head, if the loop can be repeated; else NULL */
    const char *counter;         /* its register */
    bool declares;               /* the head declares it */
    bool counted;                /* the loop whose iterations the pragma counts */
};

/* A pragma that the mapping does not know. */
struct lit_stranger {
    struct span span;
    const char *word; /* its first */
    const char *near; /* the first word of a pragma that may be meant; NULL: none */
};

struct mapping_run {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    const struct mapping *mapping;
    const struct ast_test *test;
    const struct lit_program *program;
    struct lit_edits edits;
    uint32_t errors;  /* number of errors in diag before */
    uint32_t numbers; /* of registers, so far */
    size_t inserted;  /* bytes, so far; with more than a source may have it ends */
    bool mapped;      /* some scheme has applied */
    VEC(struct lit_stranger) strangers;

    /* The present work-item. */
    const struct ast_thread *ast;
    const struct lit_thread *thread;
    bool first;                       /* of its work-group */
    const struct lit_thread *threads; /* those that it is one of */
    uint32_t *firsts; /* per thread: how often a rule has something for the first work-item alone */
    bool *handled;    /* per instruction: nothing has to be said of it */
};

#define MAP_FAULT(run, ...) diag_error((run)->diag, DIAG_LIT_MAPPED, __VA_ARGS__)

/* ---- mapping_pragma ---- */

/* Does some scheme's pragma begin as this text does? */
bool mapping_is_ours(const struct mapping_run *run, const char *text);
/* Notes an unknown pragma; whether it is reported depends on whether the test has known ones. */
void mapping_note_stranger(struct mapping_run *run, const char *text, struct span span);
/* After the whole test: reports pragmas that are nearly the mapping's, and a test without any of
 * its pragmas. */
void mapping_check_pragmas(struct mapping_run *run);
/* The scheme of a pragma's text; NULL: it has none, which is reported if it should. *ends: the
 * pragma ends the region of an earlier one. */
const struct lit_scheme *mapping_scheme(struct mapping_run *run, const char *text, struct span span,
                                        uint32_t *scope, bool *ends);

/* ---- mapping_render ---- */

/* A register name that is new in the test. */
const char *mapping_register(struct mapping_run *run, const char *purpose);
/* Renders the items of a rule in one text, with `args` for its formals; given `lines`, blocks are
 * lines of their own. Leaves out items for each location or kernel. */
typedef VEC(const char *) mapping_lines;
void mapping_render(struct mapping_run *run, const struct lit_rule *rule,
                    const struct lit_item *items, const char *const *args,
                    struct lit_region *region, mapping_lines *lines);
const struct lit_rule *mapping_rule(const struct lit_scheme *scheme, enum lit_rule_kind kind);
/* Inserts lines behind a statement. If the statement is alone in a branch or a loop, it gets
 * braces. */
struct lit_spot {
    const struct ast_stmt *stmt;
    const char *indent; /* NULL: other statements precede it in its line */
    bool braces;        /* needs them */
};
void mapping_insert(struct mapping_run *run, const struct lit_spot *spot,
                    const mapping_lines *lines);

/* ---- mapping ---- */

/* Is the test a table of statements, not code? */
bool mapping_is_table(const struct mapping_run *run);

/* Makes a work-item the present one. */
void mapping_begin(struct mapping_run *run, const struct ast_thread *ast,
                   const struct lit_thread *threads, uint32_t count);
/* After all work-items: reports those of `list` that leave something to the first of their
 * work-group which that one does not have. */
void mapping_check_firsts(struct mapping_run *run, const struct ast_threads *list, uint32_t count);

/* ---- mapping_store ---- */

/* Does it store to non-volatile memory? */
bool mapping_stores(const struct mapping_run *run, const struct lit_instr *instr);

/* Applies the rules to a statement without inner statements. */
void mapping_statement(struct mapping_run *run, struct lit_region *region,
                       const struct lit_context *context, const struct lit_spot *spot);
/* Reports stores, and instructions to be replaced, in `span` that were not handled. */
void mapping_check(struct mapping_run *run, const struct lit_region *region, struct span span);
/* Marks everything in `span` as handled. */
void mapping_leave(struct mapping_run *run, struct span span);

/* ---- mapping_instead ---- */

/* Replaces a statement by a rule's items, with `args` for its formals. */
void mapping_replace(struct mapping_run *run, const struct lit_rule *rule, const char *const *args,
                     struct lit_region *region, const struct lit_spot *spot);
/* A value with an effect must be evaluated once, so its parameter must be used once. A parameter
 * used several times must have the same value each time. False after reporting. */
bool mapping_check_uses(struct mapping_run *run, const struct lit_rule *rule,
                        const struct ast_expr *const *values, uint32_t count);
/* Replaces a statement that is an instruction of some rule; false: it is not one. */
bool mapping_instead(struct mapping_run *run, struct lit_region *region,
                     const struct lit_spot *spot);

/* ---- mapping_name ---- */

/* May a statement from `first` up to `end` (NULL: the list's end) assign the register? */
bool mapping_assigns(const struct ast_stmt *first, const struct ast_stmt *end, const char *name);
/* Is it a location in memory, not a register of the work-item? */
bool mapping_is_location(const struct mapping_run *run, const char *name);
bool mapping_is_constant(const struct mapping_run *run, const char *name);
/* Statements from the first up to `end`, exclusive; NULL: to the list's end. */
struct lit_stretch {
    const struct ast_stmt *first, *end;
};
struct lit_stretch mapping_stretch(const struct mapping_run *run, const struct lit_region *region);
/* Does a value keep: is it made of numbers, constants, counters of surrounding loops, and registers
 * that these statements do not assign? */
bool mapping_is_kept(const struct mapping_run *run, struct lit_stretch stretch,
                     const struct ast_expr *value, const struct lit_context *context);

/* ---- mapping_loop ---- */

/* What is known of a `for`. */
struct lit_counted {
    const char *counter; /* NULL: nothing is known */
    const char *head;    /* `for (..)` */
    const char *by;      /* its increment */
    const char *number;  /* the number of the present iteration, from 0, as an expression */
    bool declares;       /* the head declares the register */
};
struct lit_counted mapping_counted(const struct mapping_run *run, struct lit_stretch stretch,
                                   const struct ast_stmt *stmt);
/* The statement if it is a loop; for a `for` with its head; else NULL. */
const struct ast_stmt *mapping_loop_of(const struct ast_stmt *stmt);
/* The first break, continue or return that leaves the statement; NULL: none. `in_loop`: break and
 * continue of its own loop do not leave it. */
const struct ast_stmt *mapping_leaves(const struct ast_stmt *stmt, bool in_loop);
/* Applies `every N iterations` to a loop. */
void mapping_iterations(struct mapping_run *run, struct lit_region *region,
                        const struct ast_stmt *stmt);

/* ---- mapping_table ---- */

void mapping_table(struct mapping_run *run);
/* The name in columns of a persist barrier in statements; any other name as it is. */
const char *mapping_cell_word(const struct mapping_run *run, const char *name);

#endif
