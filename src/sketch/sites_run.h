/* sites_run: the data that the parts of sites share. Private to sites*.c (sites.h).
 *
 *   sites         the whole sketch
 *   sites_code    statements and accesses of C-like dialects
 *   sites_table   cells of a table
 *   sites_launched kernels, whose code stands in files of its own
 *   sites_flushes slots behind stores, for calls with their locations
 *   sites_several statements in a row at one point
 *   sites_swaps   two stores that change places
 *   sites_alike   the effects of kinds and calls: equal ones, and fences that are wider than others
 *   sites_words   how orders and scopes are spelled where they stand
 *   sites_meet    groups of persist barriers that are one choice
 *   sites_values  a choice of a site, or of those that meet
 */
#ifndef CRASHLIT_SITES_RUN_H
#define CRASHLIT_SITES_RUN_H

#include "litmus/lit_ast.h"
#include "litmus/lit_dialect.h"
#include "mapping/mapping_edit.h"
#include "sketch/sites.h"
#include "sketch/sketch_scan.h"

/* A word of an order or a scope, as the bytes that a new word replaces. There are no bytes when no
 * word stands there; the default then needs none. */
struct site_word {
    bool open; /* it is a part of the site */
    size_t begin, end;
    const struct lit_spelling *spelling;
    const char *before; /* between it and what stands before, where there is no word yet */
};

enum site_form {
    SITE_BARRIER, /* a persist barrier, as a statement */
    SITE_FENCE,
    SITE_CALL, /* of a definition, or a primitive instruction: there or not */
    SITE_ORDER,
    SITE_SCOPE,
    SITE_ACCESS, /* both, of an access without words for them */
    SITE_SLOT
};

struct sites_code;

struct site {
    enum site_form form;
    size_t begin, end; /* the bytes that its text takes the place of */
    struct span span;  /* of the statement or the access */
    const struct lit_thread *thread;
    const struct lit_instr *instr;   /* NULL of a slot */
    const struct lit_origin *origin; /* of a kernel's; else NULL */
    struct site_word order, scope;
    bool fails;       /* ORDER: that of a compare-exchange which fails */
    size_t explicit;  /* ACCESS: where "_explicit" has to stand with a word; 0: nowhere */
    const char *gone; /* its text when it is left out; NULL: it cannot be */
    const char *before, *behind; /* SLOT: around the text of what is added */
    const char *location;        /* SLOT, CALL: what flushes are called with; NULL: of none */
    uint32_t beside[2];          /* SLOT: sites of calls in front and behind, from 1; 0: none */
    bool padded;                 /* a shorter text is made as long as what stands there */
};

typedef VEC(struct site) site_list;
typedef VEC(struct sketch_choice) sketch_choice_list;

/* The file that is being read. */
struct sites_run {
    struct arena *arena;
    const struct sites_wish *wish;
    const struct ast_test *test;
    const struct lit_program *program;
    uint32_t file;
    struct lit_edits edits;          /* for places of its text; nothing is changed */
    const struct lit_thread *thread; /* at hand */
    bool in_recovery;
    uint32_t scopes;                 /* the scopes that are offered: bit s for scope s */
    struct sketch_open_values kinds; /* of a slot without a location; 0 is nothing */
    const uint64_t *kinds_below;
    uint32_t single_count;                  /* of the kinds, those of one statement, 0 among them */
    struct sites_code *codes, *flush_codes; /* sites_alike */
    const uint64_t *widths;
    site_list sites;
    uint32_t *chosen; /* per site that is a choice alone: its number, from 1 */
    sketch_choice_list *choices;
};

/* Does an offer of a definition file have a meaning, as far as the wish tells? */
bool sites_knows(const struct sites_wish *wish, const struct lit_offer *offer);

/* ---- sites_code, sites_table: all sites of the work-item at hand ---- */

void sites_code(struct sites_run *run, const struct ast_thread *thread);
void sites_table(struct sites_run *run, const struct ast_thread *thread);
/* The first instruction that is written there, if all are fences or cache maintenance; else NULL.
 * Marks of transactions do not count: they come in pairs, so none can be removed alone. */
const struct lit_instr *sites_only_fences(const struct sites_run *run, const struct span *span);
/* Does the statement of this extent have an effect that others can see? */
bool sites_matters(const struct sites_run *run, const struct span *extent);
/* The instruction of that kind which is written there, not in a definition; NULL: none. */
const struct lit_instr *sites_instr(const struct sites_run *run, const struct span *span,
                                    enum lit_instr_op op);

/* ---- sites_launched: what a test launches ---- */

struct sites_kernels;
struct sites_launched {
    struct sites_kernels **items;
    size_t count, capacity;
};

/* Adds what the test of the run comes to in kernels, and what it does not. */
void sites_note_launched(struct sites_launched *all, const struct sites_run *run);
/* Makes the choices for all of these, by `choose` with the first site of each site's choice. Puts
 * the files of the kernels behind those of the sketch, and frees what was noted. */
typedef void site_choose(struct sites_run *run, uint32_t *groups);
void sites_choose_launched(struct sites_launched *all, struct arena *arena, struct sketch *sketch,
                           site_choose *choose);

/* ---- sites_flushes: flushes that may be added behind a store ---- */

/* Adds a slot for flushes behind the statement: in front of `next`, or at the statement's end if
 * that is NULL. Adds none if the statement stores to no known NVM location, or the definition files
 * have no flush. */
void sites_flush(struct sites_run *run, const struct ast_stmt *stmt, const struct span *next);
/* The values of such a slot: nothing, and each call that a definition file offers; per value those
 * that it is more than. */
struct sketch_open_values sites_flushes(const struct sites_run *run, const char *location,
                                        const uint64_t **below);

/* ---- sites_swaps ---- */

/* Adds the choices of a list of statements. */
void sites_swaps(struct sites_run *run, const struct ast_stmts *list);

/* ---- sites_several ---- */

/* The kinds of a slot, and those of two or three in a row, of the kinds that the wish has rows of,
 * where neighbours stand in no order: the wider of two that do is enough. Three are a, b, a. As
 * many of these as there is room for: all, or those of two alone, or none. */
struct sketch_open_values sites_several(struct arena *arena, struct sketch_open_values kinds,
                                        const struct sites_wish *wish);
/* `below` for kinds: a row is below another one whose statements it has, or smaller ones, in the
 * same order with others between. */
uint64_t *sites_kinds_order(struct arena *arena, struct sketch_open_values kinds);

/* ---- sites_alike ---- */

/* Reads what the kinds and flushes of definition files do, if they can be read. */
void sites_read_kinds(struct sites_run *run, struct intern *names);
/* Keeps one of several kinds with the same effect, if possible one that the test calls. */
void sites_join_kinds(struct sites_run *run);
/* The same for flushes, which are calls of these offers. `below`: per kind those that it is more
 * than. */
struct sketch_open_values sites_join_flushes(const struct sites_run *run,
                                             struct sketch_open_values kinds,
                                             const uint32_t *offers, const uint64_t **below);
/* Is the kind, of one statement, a fence as the statement of the site, but wider or stronger, to
 * repair, else narrower or weaker? And per kind those that it is wider or stronger than. */
bool sites_may_become(const struct sites_run *run, const struct site *site, uint32_t kind);
const uint64_t *sites_widths(struct sites_run *run);

/* ---- sites_words ---- */

/* The spelling of this word in a C-like dialect. */
const struct lit_spelling *sites_spelling(const char *word);
/* The first tells whether the site may have this order, the second whether one order is at most as
 * strong as another. */
bool sites_may_order(const struct sites_run *run, const struct site *site, enum lit_order order);
bool lit_order_within(enum lit_order a, enum lit_order b);
/* The order that the site has now. */
enum lit_order sites_order_of(const struct site *site);

/* ---- sites_meet ---- */

/* For each site finds the first site of its choice, which may be itself. */
void sites_meet(const struct sites_run *run, uint32_t *groups);
/* Are two work-items in the same instance of a scope, from the sub-group up? */
bool sites_together(const struct lit_thread *a, const struct lit_thread *b, enum lit_scope scope);

/* ---- sites_values ---- */

/* Adds one choice for these sites together, unless it would have a single value. */
void sites_choose(struct sites_run *run, const uint32_t *sites, uint32_t count);

#endif
