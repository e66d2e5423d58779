/* What the suites of the enumerator share: a test run with every witness rechecked,
 * listed or decided, and the verdicts that follow. */
#ifndef CRASHLIT_TEST_ENUM_FIXTURE_H
#define CRASHLIT_TEST_ENUM_FIXTURE_H

#include "fixture.h"

#include "engine/recheck.h"
#include "enumerate/enumerate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char enum_anything[] = "tests/unit/anything.cat";

struct enum_case {
    struct fixture f;
    struct outcome o;
    struct engine_request request;
    struct recheck *recheck;
    uint64_t witnesses, refused; /* shown, and not standing up to the recheck */
};

static inline void enum_case_witness(void *context, const struct engine_witness *witness)
{
    struct enum_case *c = context;
    const char *fault = recheck_witness(c->recheck, witness);
    c->witnesses++;
    c->refused += fault != NULL;
    if (fault)
        fprintf(stderr, "refused: %s\n", fault);
}

/* Runs a test under a model pair; every witness has to stand. */
static inline void enum_case_init(struct enum_case *c, const char *text, const char *visibility,
                                  const char *persistency, bool decide)
{
    *c = (struct enum_case){.witnesses = 0};
    fixture_init(&c->f, text, visibility, persistency);
    c->request = (struct engine_request){.program = c->f.program,
                                         .model = c->f.model,
                                         .plan = c->f.plan,
                                         .crash_mode = engine_default_crash_mode(c->f.program),
                                         .limits = {.unroll = 2},
                                         .decide = decide,
                                         .on_witness = enum_case_witness,
                                         .context = c};
    c->recheck = recheck_new(&c->request);
    outcome_init(&c->o, c->f.program);
    enum_run(&c->request, &c->o);
    CU_ASSERT_EQUAL(c->refused, 0);
}

static inline void enum_case_fini(struct enum_case *c)
{
    recheck_free(c->recheck);
    outcome_fini(&c->o);
    fixture_fini(&c->f);
}

static inline enum lit_verdict enum_case_verdict(const struct enum_case *c, uint32_t condition)
{
    return outcome_judge(&c->o, c->f.program, &c->f.program->conditions[condition]).verdict;
}

/* A visibility model of this text, as a file; the path is to be given to enum_model_drop. */
enum { ENUM_MODEL_PATH = 64 };

static inline void enum_model_make(char path[ENUM_MODEL_PATH], const char *text)
{
    char folder[] = "/tmp/crashlit-unit-XXXXXX";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, ENUM_MODEL_PATH, "%s/m.cat", folder);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "m \"of a unit test\"\n%s\n", text);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

static inline void enum_model_drop(char path[ENUM_MODEL_PATH])
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
}

/* How many consistent executions a listing visits. Where memory is volatile an
 * execution whose final state is known is passed over: count with `nvm` locations. */
static inline uint64_t enum_count(const char *text, const char *visibility)
{
    struct enum_case c;
    enum_case_init(&c, text, visibility, enum_anything, false);
    uint64_t count = c.o.stats.consistent;
    enum_case_fini(&c);
    return count;
}

/* The same under a model of this text. */
static inline uint64_t enum_count_under(const char *model, const char *text)
{
    char path[ENUM_MODEL_PATH];
    enum_model_make(path, model);
    uint64_t count = enum_count(text, path);
    enum_model_drop(path);
    return count;
}

#endif
