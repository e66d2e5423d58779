/* report_mutate: which changes of a model no test notices, as a document and JSON lines.
 *
 * Plain data, made by who asked; texts, sources and changes are theirs. The score is the part of
 * the mutants that are killed. Those that are equal up to the bound do not count, those of which
 * something is not known count as not killed. */
#ifndef CRASHLIT_REPORT_MUTATE_H
#define CRASHLIT_REPORT_MUTATE_H

#include "base/mutation.h"
#include "document/report_document.h"
#include "document/report_survey.h"

/* What became of a mutant: X(identifier, word). */
#define REPORT_MUTANTS(X)                                                                     \
    X(KILLED, "killed") /* some test has another verdict */                                   \
    X(ALIVE, "alive")   /* none has, and a program up to the bound tells it from the model */ \
    X(EQUAL, "equal")   /* none has, and no program up to the bound does */                   \
    X(UNKNOWN, "unknown")

enum report_mutant_fate {
#define X(identifier, word) REPORT_MUTANT_##identifier,
    REPORT_MUTANTS(X)
#undef X
        REPORT_MUTANT_COUNT
};

struct report_mutant {
    const struct mutation *change;
    size_t number; /* from 1; changes that leave no model have one */
    enum report_mutant_fate fate;
    const char *pair;        /* KILLED, ALIVE: "sc + epoch", under which it was told */
    const char *test, *file; /* KILLED: which test, and its verdicts by the model and the mutant */
    const char *verdicts[2];
    const char *difference; /* of a machine: "crash state x=0; y=1 of the mutant alone"; NULL: the
                               verdicts tell */
    const char *why;        /* EQUAL, UNKNOWN: what that rests on */
    bool allows_more;       /* ALIVE: the mutant has the state, else the model */
    bool unencoded;         /* ALIVE: it has no line for something in the test */
    const char *name;       /* and of the smallest test */
    struct report_survey_test smallest;
};

struct report_mutate {
    const char *model; /* or a machine */
    bool is_machine;
    const struct source *const *files; /* of the model, in the order that they are read */
    size_t file_count;
    const struct report_mutant *mutants; /* file by file, rule by rule */
    size_t mutant_count;
    size_t broken;            /* changes that leave no model; they stand behind the mutants */
    bool verbose;             /* as text, too, it tells what kills each mutant */
    const char *const *pairs; /* that tests were asked under */
    size_t pair_count;
    size_t tests, verdicts;        /* that were asked */
    size_t silent;                 /* tests that ask nothing of the model */
    size_t unencoded;              /* and that the machine does not encode */
    size_t unread;                 /* files */
    const char *engine, *bound;    /* of programs that survivors were asked; NULL: none were */
    const char *under;             /* the pair that they were asked under */
    uint64_t programs;             /* how many */
    uint32_t least;                /* the score that is wanted */
    const char *version, *command; /* of the program; the command line */
    int status;                    /* that it leaves with */
    const char *interrupted;       /* why something was not asked; NULL: all was */
};

/* Per fate how many. */
void report_mutate_count(const struct report_mutate *report, size_t counts[REPORT_MUTANT_COUNT]);
/* -1: the score is below what is wanted, whatever the unknown ones are; 1: it is not; 0: that is not
 * known, as where nothing counts. */
int report_mutate_judge(const struct report_mutate *report);

/* "collective.cat:6:40: executes-before: without '| syncpb'"; of one alive, who allows what. */
void report_mutate_change(const struct mutation *change, struct strbuf *out);
void report_mutate_state(const struct report_mutate *report, const struct report_mutant *mutant,
                         struct strbuf *out);

/* Results, and what stands before and behind them (report_mutate_sarif.c). */
void report_mutate_sarif(const void *answer, struct strbuf *out);
void report_mutate_sarif_begin(const void *answer, struct strbuf *out);
void report_mutate_sarif_end(const void *answer, struct strbuf *out);

/* JSON has a line for each mutant, for each line of the model with mutants, and one of totals. */
extern const struct report_subject report_mutate;

#endif
