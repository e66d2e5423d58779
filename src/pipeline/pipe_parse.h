/* pipe_parse: parses the statements of a machine file that describe a pipeline
 * (docs/models/machines.md).
 *
 *   stage NAME per PER order ORDER ATTRIBUTE.. [when VARIABLE = VALUE]
 *   durable
 *   variable NAME = VALUE | VALUE ..
 *   bypass STAGE MATCH
 *   view STAGE MATCH
 *   isolate [aborts]
 *   redo
 *   on MATCH : OPERATION ; OPERATION ..
 *
 * A statement is a line. Names are declared above the lines that use them. The reader gets one line
 * after the other; after the last it checks the whole description.
 *
 * Ownership: the reader and what it makes live in the arena given. Errors go to `diag`, several a
 * file, one a line. */
#ifndef CRASHLIT_PIPE_PARSE_H
#define CRASHLIT_PIPE_PARSE_H

#include "base/diag.h"
#include "machine/mach_pipe.h"

/* The words of files for the tables of mach_pipe.h, by number. */
extern const char *const mach_pipe_pers[], *const mach_pipe_orders[], *const mach_pipe_kinds[];
extern const char *const mach_pipe_operations[], *const mach_pipe_whiches[];
extern const char *const mach_pipe_memory_orders[], *const mach_pipe_scopes[];
extern const bool mach_pipe_takes_stage[]; /* does the operation name entries of a stage? */

/* Attributes of a stage besides `when`, and keywords with a fixed place. */
#define MACH_PIPE_ATTRIBUTES(X) X(merge) X(group) X(hold) X(apart) X(lines) X(joint)
#define MACH_PIPE_WORDS(X) \
    X(per) X(order) X(when) X(medium) X(past) X(aborts) X(not ) X(by) X(at) X(outside) X(inside)
TABLE_WORDS(mach_pipe_word, MACH_PIPE_WORDS);
#define MACH_PIPE_WORD(word) TABLE_WORD(mach_pipe_word, word)

enum { MACH_PIPE_VALUES = 8, MACH_PIPE_DEFAULT_ENTRIES = 16 };

/* The places of a description's parts, for diagnostics; line 0: nowhere. */
struct mach_pipe_places {
    struct span variables[MACH_PIPE_VARIABLES];
    struct span ops[MACH_PIPE_LINES][MACH_PIPE_OPS];
    struct span durable, isolate, redo;
    const struct source *source;
};

struct mach_pipe_reader;

/* The first words of statements, and how many there are. */
extern const char *const mach_pipe_statements[];
extern const uint32_t mach_pipe_statement_count;

struct mach_pipe_reader *mach_pipe_reader_new(struct arena *arena, const struct source *source,
                                              struct diag *diag);
/* Reads line `number` as a statement of mach_pipe_statements. `text` has `length` bytes, without a
 * comment. Its first word names the statement, or, in a faulty file, nearly does. */
void mach_pipe_read(struct mach_pipe_reader *reader, uint32_t statement, const char *text,
                    size_t length, uint32_t number);
/* The pipeline with room for `entries`. If every line was good, mach_pipe_check has checked it. */
const struct mach_pipe *mach_pipe_finish(struct mach_pipe_reader *reader, uint32_t entries);

/* Reports senseless parts of a whole description: parts that say nothing, can never happen, or have
 * no end. */
void mach_pipe_check(const struct mach_pipe *pipe, const struct mach_pipe_places *places,
                     struct diag *diag);

#endif
