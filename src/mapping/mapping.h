/* mapping: compiles a test's instructions of one mechanism to those of another.
 *
 * A mapping file (docs/models/mappings.md) has schemes: one for each pragma that it knows, or one
 * for everything. A scheme's rules say what to insert behind a store, in place of a store or an
 * instruction, at the end of what the pragma covers, or behind so many iterations or launches.
 * Applied to a test, a mapping changes just that in the text: layout and comments stay. Pragmas are
 * removed, and so are expectations, as they are the source's.
 *
 *   mapping_read     files: words, structure, names
 *   mapping          a test: what pragmas cover, in C-like dialects
 *   mapping_pragma   the words of pragmas
 *   mapping_render   what rules insert
 *   mapping_instead  statements that are replaced
 *   mapping_store    statements that store: what they write, and whether that can be told later
 *   mapping_name     names of a work-item, and values that keep
 *   mapping_loop     loops whose iterations are counted
 *   mapping_table    columns of a table
 *   mapping_edit     changes of a text
 *
 * Whatever cannot be mapped as a rule says is an error with its place: no store is passed over. The
 * mapped text is read again before it is given.
 *
 * Ownership: a mapping lives in the arena and the names that it was loaded with. */
#ifndef CRASHLIT_MAPPING_H
#define CRASHLIT_MAPPING_H

#include "litmus/lit_parse.h"

/* Built-in mappings, generated from models/mappings at build time. */
extern const struct source_builtin map_builtins[];
extern const size_t map_builtin_count;

#define MAPPINGS ".map"
enum { LIT_MAX_MAPPED_FORMALS = 4, LIT_MAX_PERIOD = 1000000 };

/* A promise: a mapped test has, under the target's models, only crash and recovered states that the
 * test has under the source's. */
struct lit_promise {
    struct span span;
    const char *source_visibility, *source_persistency;
    const char *target_visibility, *target_persistency;
};

enum lit_item_kind {
    LIT_ITEM_CALL,
    LIT_ITEM_EACH_STORED,   /* its items, for each location that was stored to */
    LIT_ITEM_EACH_LAUNCHED, /* for each kernel that was launched and not joined */
    LIT_ITEM_FIRST          /* its items, only in the first work-item of a work-group */
};

/* A statement that a rule inserts. */
struct lit_item {
    enum lit_item_kind kind;
    struct span span;
    const char *name; /* CALL; EACH: the parameter */
    bool parentheses; /* CALL */
    const char *args[LIT_MAX_MAPPED_FORMALS];
    uint32_t arg_count;
    const struct lit_item *items; /* EACH, FIRST */
    const struct lit_item *next;
};

enum lit_rule_kind {
    LIT_RULE_AFTER_STORE,
    LIT_RULE_STORE, /* in place of it */
    LIT_RULE_KEEP,  /* an instruction stays, wherever it stands */
    LIT_RULE_INSTRUCTION,
    LIT_RULE_END,
    LIT_RULE_ITERATIONS,
    LIT_RULE_LAUNCHES,
    LIT_RULE_COUNT
};

struct lit_rule {
    enum lit_rule_kind kind;
    struct span span;
    const char *name; /* INSTRUCTION, KEEP */
    const char *formals[LIT_MAX_MAPPED_FORMALS];
    uint32_t formal_count;
    bool scoped; /* ITERATIONS, LAUNCHES: the pragma's scope says how many, else `period` */
    uint32_t period;
    const struct lit_item *items;
    const struct lit_rule *next;
};

struct lit_scheme {
    const char *pragma; /* its words, separated by single blanks; NULL: everything */
    const char *scope;  /* the rules' name for the pragma's scope; NULL: the pragma takes none */
    struct span span;
    const struct lit_promise *promises;
    uint32_t promise_count;
    const struct lit_rule *rules;
    uint32_t kinds; /* of its rules: bit k for kind k */
    const struct lit_scheme *next;
};

struct mapping {
    const char *name;
    const char *title; /* the comment that the file begins with, "" without */
    const struct source *source;
    const char *const *uses; /* definition files of the inserted instructions */
    uint32_t use_count;
    const struct lit_scheme *schemes;
};

/* Reads a mapping from a text, which finds the files it uses as a file of `folder` does
 * (reach_folder; NULL: a text in memory). NULL after reporting. */
const struct mapping *mapping_read(struct arena *arena, struct intern *names,
                                   const struct reach *reach, const char *folder,
                                   const struct source *source, struct diag *diag)
    __attribute__((warn_unused_result));

/* Does the name mean a file, not a built-in mapping? */
bool mapping_is_file(const char *name);
/* Loads a built-in mapping by its name, or the file of a path that ends in ".map". NULL after
 * reporting. */
const struct mapping *mapping_load(struct arena *arena, struct intern *names,
                                   const struct reach *reach, const char *name, struct diag *diag)
    __attribute__((warn_unused_result));

struct lit_mapped {
    const char *name; /* of the test */
    const char *text; /* in the arena */
    size_t length;
};

/* Maps a test. `names` are those that the mapping was loaded with. False after reporting to
 * `diag`. */
bool mapping_apply(struct arena *arena, struct intern *names, const struct mapping *mapping,
                   const struct source *source, const struct lit_surroundings *surroundings,
                   struct diag *diag, struct lit_mapped *mapped)
    __attribute__((warn_unused_result));

#endif
