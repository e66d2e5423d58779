/* lit_sites_run: what the parts of lit_sites share. Private to lit_sites*.c (lit_sites.h).
 *
 *   lit_sites         all of a sketch
 *   lit_sites_code    statements and accesses of C-like dialects
 *   lit_sites_table   cells of a table
 *   lit_sites_flushes slots behind stores, for what is called with their locations
 *   lit_sites_several statements in a row at one point
 *   lit_sites_words   how orders and scopes are spelled where they stand
 *   lit_sites_meet    which persist barriers are one choice
 *   lit_sites_values  a choice of a site, or of those that meet
 */
#ifndef CRASHLIT_LIT_SITES_RUN_H
#define CRASHLIT_LIT_SITES_RUN_H

#include "litmus/lit_ast.h"
#include "litmus/lit_mapping_edit.h"
#include "litmus/lit_sites.h"
#include "litmus/lit_sketch_scan.h"

/* A word of an order or a scope: the bytes that it takes the place of. Without bytes none stands
 * there, and the default needs none. */
enum lit_spelling {
    LIT_SPELLING_LONG,   /* memory_order_relaxed, memory_scope_work_group */
    LIT_SPELLING_SHORT,  /* mo_rlx, wg_scope */
    LIT_SPELLING_BARE,   /* wg */
    LIT_SPELLING_SUFFIX, /* the wg of p_barrier_wg */
    LIT_SPELLING_PTX,    /* relaxed, cta */
    LIT_SPELLING_MEMBAR, /* gl */
    LIT_SPELLING_PBAR    /* thread */
};

struct lit_site_word {
    bool open; /* it is a part of the site */
    size_t begin, end;
    enum lit_spelling spelling;
    const char *before; /* between it and what stands before, where there is no word yet */
};

enum lit_site_form {
    LIT_SITE_BARRIER, /* a persist barrier, as a statement */
    LIT_SITE_FENCE,
    LIT_SITE_CALL, /* of a definition, or a primitive instruction: there or not */
    LIT_SITE_ORDER,
    LIT_SITE_SCOPE,
    LIT_SITE_ACCESS, /* both, of an access without words for them */
    LIT_SITE_SLOT
};

struct lit_site {
    enum lit_site_form form;
    size_t begin, end; /* the bytes that its text takes the place of */
    struct span span;  /* of the statement or the access */
    const struct lit_thread *thread;
    const struct lit_instr *instr; /* NULL of a slot */
    struct lit_site_word order, scope;
    bool fails;       /* ORDER: that of a compare-exchange which fails */
    size_t explicit;  /* ACCESS: where "_explicit" has to stand with a word; 0: nowhere */
    const char *gone; /* its text when it is left out; NULL: it cannot be */
    const char *before, *behind; /* SLOT: around the text of what is added */
    const char *location;        /* SLOT: what flushes are called with; NULL: of no location */
    bool padded;                 /* a shorter text is made as long as what stands there */
};

typedef VEC(struct lit_site) lit_site_list;
typedef VEC(struct lit_choice) lit_choice_list;

/* One file at work. */
struct lit_sites_run {
    struct arena *arena;
    const struct lit_sites_wish *wish;
    const struct ast_test *test;
    const struct lit_program *program;
    uint32_t file;
    struct lit_edits edits;          /* for places of its text; nothing is changed */
    const struct lit_thread *thread; /* at hand */
    bool in_recovery;
    uint32_t scopes;              /* that are offered: bit s for scope s */
    struct lit_open_values kinds; /* of a slot without a location; 0 is nothing */
    const uint64_t *kinds_below;
    lit_site_list sites;
    lit_choice_list *choices;
};

/* Has what a definition file offers a meaning, as far as the wish tells? */
bool lit_sites_knows(const struct lit_sites_wish *wish, const struct lit_offer *offer);

/* ---- lit_sites_code, lit_sites_table: all sites of the work-item at hand ---- */

void lit_sites_code(struct lit_sites_run *run, const struct ast_thread *thread);
void lit_sites_table(struct lit_sites_run *run, const struct ast_thread *thread);
/* The first instruction that is written there, when all are fences and cache maintenance. Marks of
 * transactions come in pairs, so none goes alone. */
const struct lit_instr *lit_sites_only_fences(const struct lit_sites_run *run,
                                              const struct span *span);
/* Does the statement of this extent do what others see? */
bool lit_sites_matters(const struct lit_sites_run *run, const struct span *extent);
/* The instruction of that kind which is written there, not in a definition; NULL: none. */
const struct lit_instr *lit_sites_instr(const struct lit_sites_run *run, const struct span *span,
                                        enum lit_instr_op op);

/* Does an instruction at that place stand within the extent? */
bool lit_sites_is_within(const struct lit_instr *instr, const struct span *extent);

/* ---- lit_sites_flushes: what may be written back behind a store ---- */

/* Behind the statement, in front of `next`; NULL: at its end. Nothing where it stores to no NVM
 * location that is known, or the definition files have no flush. */
void lit_sites_flush(struct lit_sites_run *run, const struct ast_stmt *stmt,
                     const struct span *next);
/* Nothing, and the calls that a definition file has for it. */
struct lit_open_values lit_sites_flushes(const struct lit_sites_run *run, const char *location);

/* ---- lit_sites_several ---- */

/* The kinds of a slot, and those of two or three in a row, of the kinds that the wish has rows of,
 * where neighbours stand in no order: the wider of two that do is enough. Three are a, b, a. As
 * many of these as there is room for: all, or those of two alone, or none. */
struct lit_open_values lit_sites_several(struct arena *arena, struct lit_open_values kinds,
                                         const struct lit_sites_wish *wish);
/* `below` for kinds: a row is below another one whose statements it has, or smaller ones, in the
 * same order with others between. */
const uint64_t *lit_sites_kinds_order(struct arena *arena, struct lit_open_values kinds);

/* ---- lit_sites_words ---- */

/* How this word is spelled. */
enum lit_spelling lit_sites_spelling(const char *word);
/* NULL: that spelling has none. */
const char *lit_sites_order(enum lit_spelling spelling, enum lit_order order);
const char *lit_sites_scope(enum lit_spelling spelling, enum lit_scope scope);
/* May the site have this order? Is one order at most as strong as another one? */
bool lit_sites_may_order(const struct lit_sites_run *run, const struct lit_site *site,
                         enum lit_order order);
bool lit_order_within(enum lit_order a, enum lit_order b);
/* What the site's own order is. */
enum lit_order lit_sites_order_of(const struct lit_site *site);

/* ---- lit_sites_meet ---- */

/* For each site the first one that is one choice with it, which may be itself. */
void lit_sites_meet(const struct lit_sites_run *run, uint32_t *groups);
/* Are two work-items in one instance of a scope from the sub-group on? */
bool lit_sites_together(const struct lit_thread *a, const struct lit_thread *b,
                        enum lit_scope scope);

/* ---- lit_sites_values ---- */

/* Adds the choice that these sites are together, unless nothing is open there. */
void lit_sites_choose(struct lit_sites_run *run, const uint32_t *sites, uint32_t count);

#endif
