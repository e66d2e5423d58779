/* sketch: tests with holes.
 *
 * A sketch is one or more texts with holes: `p_barrier(?s)`, `f.store(1, ?o, ?s in {wg, dev})`,
 * `fence.?o.?s`, `?{ p_barrier_wi; }`, `?slot` (docs/using/language.md, Holes). Holes of one name
 * are one choice, wherever they stand. A filling gives each choice one of its values. The filled
 * texts are read like any other test, and nothing behind the parser knows of holes.
 *
 *   sketch_tokens  tokens of a text, holes among them
 *   sketch_scan    the places of holes: brackets, statements
 *   sketch_room    the kinds that a word can have at its place
 *   sketch_words   the words of values, and their order
 *   sketch         from holes to choices: kinds, names, limits
 *   sketch_read    all files of a sketch, and a first filling
 *   sketch_fill    the text of a filling
 *
 * Lines keep their numbers: line 7 of a filling is line 7 of the sketch.
 *
 * The values of a choice are in an order, point by point: left out < anything; scopes by inclusion;
 * relaxed < acquire, release < acq_rel < seq_cst, and no order at all (`na`) below these; tags as
 * definition files order them. Other makers of sketches (of a plain test, say) fill in the same structures;
 * sketch_choice_order sets `below`.
 *
 * A filling may be no valid test: an operation may not take the order that another place of the
 * choice takes, or a statement that is left out may declare a name. A value that a place by itself
 * cannot have is not offered there.
 *
 * Ownership: everything lives in the arena and points to the sources.
 * Errors: to `diag`, at the hole; several per run.
 * Cost: linear in the texts.
 */
#ifndef CRASHLIT_SKETCH_H
#define CRASHLIT_SKETCH_H

#include "base/diag.h"
#include "litmus/lit_parse.h"
#include "litmus/lit_spelling.h"

enum sketch_open_kind {
    LIT_OPEN_SCOPE,
    LIT_OPEN_ORDER,
    LIT_OPEN_TAG,
    LIT_OPEN_PRESENCE, /* ?{ .. }: value 0 is left out, 1 is there */
    LIT_OPEN_SLOT,     /* value 0 is nothing */
    LIT_OPEN_SWAP      /* value 0 is the order of statements as it stands; by another one two of the
                          places have each other's text, and what stands within them stays */
};

enum {
    LIT_MOST_CHOICES = 1024,   /* of a sketch */
    LIT_MOST_OPEN_VALUES = 64, /* of a choice */
    LIT_LEFT_OUT = 0           /* the value of PRESENCE and SLOT that puts nothing there */
};

struct sketch_open_value {
    const char *text;  /* what stands in the file; NULL: what stands there already, within the
                          braces of `?{ }`, with the holes in it filled */
    const char *label; /* what messages call it: "wi", "acq_rel", "left out", "p_barrier_wg" */
    uint32_t meaning;  /* SCOPE: enum lit_scope, ORDER: enum lit_order */
    /* SLOT: a value of several statements has these parts, each the value for one statement. */
    const struct sketch_open_value *const *parts;
    uint32_t part_count;                  /* 0: it is one statement, or none */
    const struct sketch_open_value *twin; /* SLOT: another spelling of it, which is not offered */
};

/* The bytes of a file, by its number, that the value replaces. */
struct sketch_open_place {
    uint32_t file;
    size_t begin, end;
    size_t inner_begin, inner_end;   /* PRESENCE: what is there if it is there; may have places */
    const char *const *texts;        /* by value, where a dialect or an operation has words of its
                                      own; NULL: those of the values */
    struct span span;                /* of the hole as it is written */
    const struct lit_origin *origin; /* of code that was compiled; NULL: it stands in a test */
};

/* A choice: all holes of one name. */
struct sketch_choice {
    enum sketch_open_kind kind;
    const char *name; /* "s" of `?s`; NULL: unnamed */
    const struct sketch_open_value *values;
    uint32_t value_count;  /* at least 1 */
    const uint64_t *below; /* below[v]: bit w for each value w that is strictly smaller than v.
                              Values stand in such an order that w < v then */
    const struct sketch_open_place *places; /* by file and place, at least 1 */
    uint32_t place_count;
    int32_t original; /* the value that the files have as they are; -1: none, it is a hole */
    bool is_barrier;  /* that value is a persist barrier, whose scope alone may be another */
};

/* The text that a value puts at a place; NULL: the text within the braces. */
static inline const char *sketch_open_text(const struct sketch_choice *choice,
                                           const struct sketch_open_place *place, uint32_t value)
{
    return place->texts ? place->texts[value] : choice->values[value].text;
}

/* Choices are in the order of their first places. */
struct sketch {
    const struct source *const *files; /* those that were given, then definition files with holes */
    uint32_t file_count, given_count;
    const struct sketch_choice *choices;
    uint32_t choice_count;
    /* Fences of launched kernels that no thread comes to. */
    const struct lit_origin *const *unreached;
    uint32_t unreached_count;
};

/* A filling: the index of a value for each choice. */
struct sketch_filling {
    uint8_t value[LIT_MOST_CHOICES];
};

/* The filling that leaves ordinary tests as they are. */
struct sketch_filling sketch_as_it_is(const struct sketch *sketch);

/* The settings under which a sketch is read. Zeroed: texts in memory, and every kind of statement
 * in slots. */
struct sketch_wish {
    const struct lit_surroundings *surroundings; /* of each file, in an array; NULL: none */
    /* What a `?slot` without limits may be: statements ("p_barrier_wg", "sfence()") and families of
     * them ("p_barrier", "fence", "barrier"), with commas between; NULL: all families. */
    const char *kinds;
};

/* Reads a sketch. NULL after reporting. A sketch without holes has no choices. */
const struct sketch *sketch_read(struct arena *arena, const struct source *const *files,
                                 uint32_t count, const struct sketch_wish *wish, struct diag *diag)
    __attribute__((warn_unused_result));

/* The text of a file under a filling. It has the file's name and path, lives in the arena, and
 * knows the origin of its bytes (source_origin): the text of a value is from the beginning of its
 * place. */
const struct source *sketch_filled(struct arena *arena, const struct sketch *sketch,
                                   const struct sketch_filling *filling, uint32_t file);

struct sketch_open_values {
    const struct sketch_open_value *items;
    uint32_t count;
};

/* The values of a `?slot` by a list of `kinds`, as in a wish. The first value is nothing. */
struct sketch_open_values sketch_kinds(struct arena *arena, const char *kinds,
                                       const struct lit_writing *writing);

/* Computes `below` for the values of a choice of that kind, in the arena. The values must have
 * their meanings, and each must stand behind those that are smaller. */
const uint64_t *sketch_choice_order(struct arena *arena, enum sketch_open_kind kind,
                                    const struct sketch_open_value *values, uint32_t count);

/* A quick test: does the text contain a hole, or something that looks like one? */
bool sketch_has_hole(const struct source *source);

#endif
