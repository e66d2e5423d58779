/* lit_dialect: the table of the dialects that tests are written in, a row each.
 *
 * The first word of a test chooses its row. Code that scans, checks, lowers or reports asks the row
 * for a property. No code asks which dialect it is. Initial blocks, conditions and expectations are
 * the same in all dialects.
 */
#ifndef CRASHLIT_LIT_DIALECT_H
#define CRASHLIT_LIT_DIALECT_H

#include "base/strbuf.h"
#include "litmus/lit_spelling.h"

struct ast_thread;
struct lit_lower;
struct lit_table_word;
struct ast_name;

/* A word that may stand in an instruction of a table. A list of them ends with a word without text.
 */
struct lit_qualifier {
    const char *text;
    uint32_t value; /* enum lit_order or lit_scope */
};

struct lit_dialect {
    const char *word;
    bool is_table;           /* threads are the columns of a table, else functions */
    bool has_aliases;        /* of locations; they are reported as unsupported */
    bool split_rmw;          /* as in struct lit_program */
    bool partial_coherence;  /* likewise */
    bool jumps;              /* likewise */
    bool launches;           /* code stands in files of its own, which a host program launches */
    uint32_t warp;           /* of launches: the threads of a block that are one sg */
    const char *compiled_by; /* how such a file comes to be, for messages */
    bool adopts;             /* a name that is assigned and nowhere declared is a register */
    bool operators;          /* on an atomic object are seq_cst, as in C11 */
    const char *recovery;    /* how a recovery program begins, for messages */
    const char *level_words; /* those of a thread's header, for messages */
    bool (*level)(const char *text, enum lit_scope *level);
    const struct lit_writing *writing;
    /* For tables. Lowers the instruction that a word stands for; false after a report when there is
     * none (lit_table.h). The others tell: is it a jump, is it a launch or a join? */
    bool (*decode)(struct lit_lower *lower, const struct ast_name *name,
                   struct lit_table_word *word);
    bool (*is_jump)(const char *word);
    bool (*hosts)(const char *word, bool *joins);
    /* What may stand behind the dot of that number (from 1) of an instruction that begins with
     * `text`; `last`: nothing follows it. Scopes, or orders; NULL: neither. */
    const struct lit_qualifier *(*qualifiers)(const char *text, uint32_t at, bool last,
                                              bool *order);
    /* Locations that the initial block leaves out, and what it may not have; NULL: nothing. */
    void (*declare)(struct lit_lower *lower);
    /* What is to be done once the conditions are lowered, even after errors; NULL: nothing. */
    void (*finish)(struct lit_lower *lower);
    /* The code of one thread. */
    void (*lower)(struct lit_lower *lower, const struct ast_thread *thread);
};

/* The row of CUDA, which is of src/ptx: it lowers to what stands in lit_lower.h, and nothing here
 * knows it but for its name. */
extern const struct lit_dialect ptx_dialect;

/* The row of the dialect with this word; NULL when no dialect has it. */
const struct lit_dialect *lit_dialect_find(const char *word, size_t length);
/* Is this line "WORD NAME": a dialect's word, one blank, and a name up to the end of the line? */
bool lit_dialect_begins_test(const char *at, const char *end);
/* The row of that number; NULL past the last. */
const struct lit_dialect *lit_dialect_at(size_t number);
/* "OPENCL, C or PTX". */
void lit_dialect_list(struct strbuf *out);

#endif
