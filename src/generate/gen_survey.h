/* gen_survey: programs up to a bound, smallest first, with their states under several models, each
 * asked once a program, and the smallest programs on which one model has more than another.
 *
 * One model has more than another on a program as in engine/contrast.h. Programs are written in one
 * vocabulary each; several are gone through one after the other, and an instruction that a model
 * gives no meaning to orders nothing there. A program on which it is not known whether one has more
 * is open for that pair, and counted.
 *
 * The answer depends on the bound alone, not on the number of threads.
 *
 * Ownership: what is found lives in the arena of the survey.
 */
#ifndef CRASHLIT_GEN_SURVEY_H
#define CRASHLIT_GEN_SURVEY_H

#include "generate/gen_observe.h"
#include "generate/gen_enumerate.h"

enum { GEN_MAX_MODELS = 64, GEN_MAX_FINDS = 16, GEN_MAX_VOCABULARIES = 8 };

/* A program on which the first model has more than the second. */
struct gen_find {
    uint32_t vocabulary; /* its number */
    struct gen_program program;
    uint64_t unit, number;  /* as gen_enumerate counts */
    bool undefined;         /* by undefined behaviour, and not by a state */
    enum agree_aspect kind; /* of the state, or where undefined of one that the second has */
    size_t count;           /* how many such states */
    const char *state; /* of the first alone, as a proposition; NULL: see gen_observe_tell_apart */
    const char *row;   /* the whole of it: "x=0; y=1" */
};

struct gen_pair {
    struct gen_find *finds; /* of the smallest size, GEN_MAX_FINDS at most; NULL: none */
    uint32_t find_count;
    uint64_t smallest;   /* how many programs there are of that size */
    uint32_t size;       /* in operations; UINT32_MAX: nothing was found */
    uint64_t open;       /* programs on which it is not known */
    const char *doubt;   /* of the first of these: why */
    const char *open_at; /* and its line */
};

struct gen_survey {
    const struct session_settings *settings;
    const struct session_model *const *models;
    uint32_t model_count;
    const struct gen_bound *bounds; /* of each vocabulary */
    uint32_t bound_count;
    uint32_t shard, shards; /* the units to be looked at: one in so many, from 0; 0: all */
    bool all;      /* do not stop at the size at which each pair was told apart: count all */
    bool defined;  /* leave out programs that are undefined under some model */
    bool unsifted; /* ask all, although rules tell that models are alike (gen_alike.h) */
    uint32_t jobs;
    struct session_parts parts;
    double seconds; /* for the whole; 0: no limit */
    void (*progress)(void *context, const struct gen_survey *survey); /* NULL: nobody asks */
    void *context;

    /* What came of it. */
    struct arena *arena;
    struct gen_pair *pairs;          /* the first's number * model_count + the second's */
    uint64_t programs;               /* looked at */
    uint64_t alike;                  /* of these not asked, as all models are alike on them */
    uint64_t states;                 /* of all models, on those that were asked */
    uint64_t undefined;              /* of those the ones that are so under all models */
    uint32_t size;                   /* the largest size that was gone through as a whole */
    bool ended;                      /* all was gone through, or what was wanted was found */
    uint32_t next_bound;             /* where to go on when it was not: which vocabulary, */
    uint64_t next_unit, next_number; /* and which of its programs */
};

/* Begins at next_bound, next_unit and next_number, and adds to what is there; `pairs` NULL: nothing
 * is. */
void gen_survey(struct gen_survey *survey);
/* Operations: accesses, fences, barriers. */
uint32_t gen_size(const struct gen_program *program);

#endif
