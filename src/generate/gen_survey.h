/* gen_survey: compares models on all programs up to a bound, smallest first. Each model is asked
 * once a program. The survey finds the smallest programs on which one model has more than another.
 *
 * engine/contrast.h says when a model has more than another on a program. A program is written in
 * one vocabulary; several vocabularies are gone through in turn. An instruction to which a model
 * gives no meaning orders nothing there. A program on which it is not known whether one model has
 * more is open for that pair, and counted.
 *
 * A survey is made of units (gen_enumerate.h), numbered over all vocabularies. Each is looked at on
 * its own, in any process, and results are taken in the order of units. So the answer depends on
 * the bound alone.
 *
 * Ownership: what is found lives in the arena of the survey. */
#ifndef CRASHLIT_GEN_SURVEY_H
#define CRASHLIT_GEN_SURVEY_H

#include "generate/gen_enumerate.h"
#include "generate/gen_mapped.h"
#include "generate/gen_observe.h"

#include <stdatomic.h>

enum { GEN_MAX_FINDS = 16 };

/* A program on which the first model has more than the second. */
struct gen_find {
    uint64_t unit, number;  /* of the program: the survey's unit, and the number in it */
    bool undefined;         /* it has more by undefined behaviour, not by a state */
    enum agree_aspect kind; /* of the state; if undefined, of a state that the second has */
    size_t count;           /* how many such states */
    const char *state; /* of the first alone, as a proposition; NULL: see gen_observe_tell_apart */
    const char *row;   /* the whole of it: "x=0; y=1" */
};

struct gen_pair {
    struct gen_find *finds; /* of the smallest size, GEN_MAX_FINDS at most; NULL: none */
    uint32_t find_count;
    uint64_t smallest;   /* how many programs there are of that size */
    uint32_t size;       /* in operations; UINT32_MAX: nothing was found */
    uint64_t open;       /* programs on which it is unknown who has more */
    const char *doubt;   /* the reason for the first of these */
    const char *open_at; /* and its line */
};

struct gen_survey {
    const struct session_settings *settings;
    const struct session_model *const *models; /* for gen_survey_look */
    uint32_t model_count;
    const struct mach_file *const
        *machines; /* per model the machine that is asked under it; NULL: no machines are. A program
                      that the first does not encode is passed over; another shows none of its
                      states */
    const struct gen_bound *bounds; /* of each vocabulary */
    uint32_t bound_count;
    bool is_mapped; /* the second of two models is asked about what a mapping makes of programs, and
                       it alone may have more than the first */
    struct gen_mapper *mapper;            /* for gen_survey_look, where it is */
    uint64_t units[GEN_MAX_VOCABULARIES]; /* of each, once they are counted */
    struct gen_alike **sifts; /* of each vocabulary, for gen_survey_look (gen_alike.h); NULL: all
                                 programs are asked, although rules tell that models are alike */
    bool all; /* do not stop at the size at which each pair was told apart: count all */
    bool
        from_first; /* each other model is held against the first alone, until either of the two has
                        more somewhere */
    bool defined;   /* leave out programs that are undefined under some model */

    /* What came of it. */
    struct arena *arena;
    struct gen_pair *pairs; /* the first's number * model_count + the second's */
    struct contrast_counts counts;
    const char *const *blind; /* per pair: why no program can tell it apart (gen_blind.h); NULL of
                                 all, or of one: nothing is known to be in the way */
    bool ended;               /* all was gone through, or what was wanted was found */
    uint64_t next;            /* the first unit that was not looked at, when it was not */
};

/* The results of one unit, independent of earlier ones. */
struct gen_part {
    uint64_t unit;
    uint32_t bound,
        size; /* its vocabulary; how many operations its programs have, 0: it has none */
    struct contrast_counts counts;
    struct gen_pair *pairs; /* as of the survey; of their sizes only whether something was found */
};

/* Who is asked meanwhile. */
struct gen_look {
    struct session_parts parts;
    const atomic_uint *sizes;       /* per pair, of the smallest found so far: what is larger is not
                                       wanted.       NULL: those of the survey */
    bool (*is_late)(void *context); /* NULL: never */
    void *context;
};

/* Room for what is known of each vocabulary's programs, in the arena. */
void gen_survey_sift(struct gen_survey *survey);
/* Begins without results. */
void gen_survey_begin(struct gen_survey *survey);
/* The number of units; counts them, which the functions below need. */
uint64_t gen_survey_units(struct gen_survey *survey);
/* The vocabulary of a unit, and the unit's number there. */
uint32_t gen_survey_bound(const struct gen_survey *survey, uint64_t unit, uint64_t *number);
/* Looks at the programs of a unit; results live in the arena. Skips programs larger than wanted.
 * False when it is late: then the result is incomplete. */
bool gen_survey_look(const struct gen_survey *survey, uint64_t unit, const struct gen_look *look,
                     struct arena *arena, struct gen_part *part)
    __attribute__((warn_unused_result));
/* Why it does not follow, from finding no program on which the first has more than the second, that
 * there is none; in words. NULL: it follows. */
const char *gen_survey_doubt(const struct gen_survey *survey, uint32_t first, uint32_t second);
/* Is a unit with programs of that size wanted, once all before it are taken? */
bool gen_survey_wants(const struct gen_survey *survey, uint32_t size);
/* Takes a part. Take parts in the order of their units. */
void gen_survey_take(struct gen_survey *survey, const struct gen_part *part);
/* Finds the program again; false when there is none, as a record may say anything. */
bool gen_survey_program(const struct gen_survey *survey, const struct gen_find *find,
                        struct gen_program *program);
/* The size of a program: its accesses, fences and barriers. */
uint32_t gen_size(const struct gen_program *program);

#endif
