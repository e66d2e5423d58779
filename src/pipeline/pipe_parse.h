/* pipe_parse: the statements of a machine file that describe a pipeline
 * (docs/models/machines.md).
 *
 *     stage NAME per PER order ORDER ATTRIBUTE.. [when VARIABLE = VALUE]
 *     durable
 *     variable NAME = VALUE | VALUE ..
 *     bypass STAGE MATCH
 *     view STAGE MATCH
 *     isolate [aborts]
 *     redo
 *     on MATCH : OPERATION ; OPERATION ..
 *
 * A statement is a line. Names are declared above the lines that use them. The reader is given one
 * line after the other; when it has had all, what they say together is looked at for sense.
 *
 * Ownership: the reader and what it makes live in the arena given. Errors go to `diag`, several a
 * file, one a line.
 */
#ifndef CRASHLIT_PIPE_PARSE_H
#define CRASHLIT_PIPE_PARSE_H

#include "base/diag.h"
#include "machine/mach_pipe.h"

/* The words of files for what mach_pipe.h lists, by number. */
extern const char *const mach_pipe_pers[], *const mach_pipe_orders[], *const mach_pipe_kinds[];
extern const char *const mach_pipe_operations[], *const mach_pipe_whiches[];
extern const char *const mach_pipe_memory_orders[], *const mach_pipe_scopes[];
extern const bool mach_pipe_takes_stage[]; /* does an operation say which entries of which stage? */

/* Attributes of a stage besides `when`, and words with a place of their own. */
#define MACH_PIPE_ATTRIBUTES(X) X(merge) X(group) X(hold) X(apart) X(lines) X(joint)
#define MACH_PIPE_WORDS(X) \
    X(per) X(order) X(when) X(medium) X(past) X(aborts) X(not ) X(by) X(at) X(outside) X(inside)
TABLE_WORDS(mach_pipe_word, MACH_PIPE_WORDS);
#define MACH_PIPE_WORD(word) TABLE_WORD(mach_pipe_word, word)

enum { MACH_PIPE_VALUES = 8, MACH_PIPE_DEFAULT_ENTRIES = 16 };

/* Where the parts of a description stand, for what is said of them; line 0: nowhere. */
struct mach_pipe_places {
    struct span variables[MACH_PIPE_VARIABLES], bypasses[MACH_PIPE_LINES], views[MACH_PIPE_LINES];
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
/* Reads line `number`, of which `text` is `length` bytes without a comment, as a statement of
 * mach_pipe_statements, which its first word names or, in a faulty file, nearly names. */
void mach_pipe_read(struct mach_pipe_reader *reader, uint32_t statement, const char *text,
                    size_t length, uint32_t number);
/* The pipeline with room for `entries`, checked by mach_pipe_check when every line was good. */
const struct mach_pipe *mach_pipe_finish(struct mach_pipe_reader *reader, uint32_t entries);

/* Reports what makes no sense in a whole description: what says nothing, can never come to pass,
 * or has no end. */
void mach_pipe_check(const struct mach_pipe *pipe, const struct mach_pipe_places *places,
                     struct diag *diag);

#endif
