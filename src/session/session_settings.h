/* session_settings: everything besides the test that the answer to a question depends on.
 *
 * The command line fills it from its options, the library from its own. Ownership: texts and
 * folders are the caller's, and must live as long as the settings are used. */
#ifndef CRASHLIT_SESSION_SETTINGS_H
#define CRASHLIT_SESSION_SETTINGS_H

#include "base/clock.h"
#include "base/reach.h"
#include "cat/cat_variants.h"
#include "engine/thresholds.h"
#include "explore/mach_config.h"

#include <stdbool.h>
#include <stdint.h>

/* What is judged: a test's conditions, or a property of its recovery instead. For peers: does the
 * test have a race? SESSION_REFINES: are all its states the source's? SESSION_PROPERTIES: those of
 * `properties`. */
enum session_property {
    SESSION_CONDITION,
    SESSION_RACE,
    SESSION_IDEMPOTENT_RECOVERY,
    SESSION_RECOVERS_TO,
    SESSION_REFINES,
    SESSION_PROPERTIES
};
enum session_crash {
    SESSION_CRASH_DEFAULT,
    SESSION_CRASH_ANYWHERE,
    SESSION_CRASH_POINTS,
    SESSION_CRASH_END
};

enum { SESSION_MAX_USES = 16, SESSION_MAX_LAUNCHES = 16 };

/* A model that is asked in place of each of two, of the same kind, that a source of a test is named
 * under; of the user, as they are. */
struct session_stand_in {
    const char *const *names; /* two */
    const char *model;
    bool persists; /* they are persistency models */
};

struct session_settings {
    const char *model, *persistency;    /* NULL when not given */
    struct reach reach;                 /* of the user, and of tests */
    struct cat_variants variants;       /* of all models */
    const char *uses[SESSION_MAX_USES]; /* definition files, for tests that name none */
    uint32_t uses_count;
    const struct source *const *instead; /* texts in place of definition files (lit_parse.h) */
    uint32_t instead_count;
    const char *engine;
    bool beside_first; /* an engine is asked beside the first one, for comparison */
    enum session_crash crash;
    uint32_t unroll;
    double timeout_seconds; /* of each question; 0: no limit */
    double timeout_cpu;     /* likewise, of processor time */
    uint32_t memory_mib;    /* 0: no limit */
    bool brief;             /* as in engine.h; what is not shown then is unknown */
    enum session_property property;
    uint32_t properties; /* with SESSION_PROPERTIES: a bit for each of enum lit_property */
    const char *launches[SESSION_MAX_LAUNCHES]; /* of PTX files (session_launch.h) */
    uint32_t launch_count;
    const struct source *launched; /* the code of a test that launches make, for session_test */
    const char *volatiles;         /* of compiled code: "sys", as the manual has it, or "weak" */
    const char *recovers_to;       /* with SESSION_RECOVERS_TO: the proposition */
    const char *source;            /* with SESSION_REFINES: the path of the test that is refined */
    const char *exercise;          /* the path of the test that others are answers to, or a lesson's
                                (session_lesson.h); NULL: none */
    const struct source *model_instead; /* a text in place of the user's model file of its path;
                                           NULL: none */
    const struct session_stand_in *stand_in; /* NULL: none */
    const char *stream;  /* the folder of tests that came on standard input; NULL: there is none */
    const char *mapping; /* what makes the test of the source; NULL: the test is another file */
    const char *source_model, *source_persistency; /* for the source's states */
    bool decide, conditions_alone; /* as in engine.h; the latter is set by `peers` */
    bool endless;                  /* as in engine.h, set for a question of `property ends` */
    bool no_symmetry;              /* look at interchangeable work-items one by one */
    bool thresholds_given;         /* else the usual ones apply */
    struct engine_thresholds thresholds;
    bool states;                   /* states are wanted, from an engine that would rather decide */
    bool certify;                  /* a certificate of each answer is wanted */
    bool certified;                /* answers count only with one that the checker accepts */
    bool narrowest;                /* ask of an ok test whether less would do */
    bool recovery_crash;           /* recovery may crash, declared so or not */
    uint32_t rounds;               /* of recovery; 0: the default */
    const char *machine, *fault;   /* NULL when not given */
    struct mach_choice on_machine; /* its file is loaded by session_machine_load */
};

static inline bool session_settings_limit(const struct session_settings *settings)
{
    return settings->timeout_seconds > 0 || settings->timeout_cpu > 0;
}
/* The clock of a question that begins now. */
static inline struct clock_limit session_settings_clock(const struct session_settings *settings)
{
    return clock_limit_of(settings->timeout_seconds, settings->timeout_cpu);
}

/* Items of an array: the names that may be those of files, or NULL; all but the machine's, whose
 * file is read by the process that begins the work, and `uses`. */
#define SESSION_SETTINGS_FILES(s)                                                          \
    (s)->model, (s)->persistency, (s)->source, (s)->source_model, (s)->source_persistency, \
        (s)->mapping, (s)->exercise

#endif
