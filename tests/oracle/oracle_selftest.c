/* Programs whose answers were worked out on paper: the reference itself can be wrong.
 *
 * Locations are x y z f; x and y are non-volatile, z and f volatile. Crash states are
 * written as the values of x and y. Each case says in a line why its answer is that. */
#include <string.h>

#include "oracle.h"

enum { LOC_X, LOC_Y, LOC_Z, LOC_F };

#define STORE(where, what)                               \
    {                                                    \
        .op = ORA_STORE, .loc = (where), .value = (what) \
    }
#define LOAD(where, into)                             \
    {                                                 \
        .op = ORA_LOAD, .loc = (where), .reg = (into) \
    }
#define RELEASE(where, what, in)                                                          \
    {                                                                                     \
        .op = ORA_STORE, .loc = (where), .value = (what), .order = ORA_REL, .scope = (in) \
    }
#define ACQUIRE(where, into, in)                                                       \
    {                                                                                  \
        .op = ORA_LOAD, .loc = (where), .reg = (into), .order = ORA_ACQ, .scope = (in) \
    }
#define RELAXED_STORE(where, what, in)                                                    \
    {                                                                                     \
        .op = ORA_STORE, .loc = (where), .value = (what), .order = ORA_RLX, .scope = (in) \
    }
#define RELAXED_LOAD(where, into, in)                                                  \
    {                                                                                  \
        .op = ORA_LOAD, .loc = (where), .reg = (into), .order = ORA_RLX, .scope = (in) \
    }
#define FENCE(what, in)                                 \
    {                                                   \
        .op = ORA_FENCE, .order = (what), .scope = (in) \
    }
#define AWAIT(where, in)                                                 \
    {                                                                    \
        .op = ORA_AWAIT, .loc = (where), .order = ORA_ACQ, .scope = (in) \
    }
#define ADD(where, into, in)                                                                  \
    {                                                                                         \
        .op = ORA_FETCH_ADD, .loc = (where), .value = 1, .reg = (into), .order = ORA_ACQ_REL, \
        .scope = (in)                                                                         \
    }
#define PB(in)                            \
    {                                     \
        .op = ORA_PBARRIER, .scope = (in) \
    }
#define BAR(in)                          \
    {                                    \
        .op = ORA_BARRIER, .scope = (in) \
    }
#define CRASH           \
    {                   \
        .op = ORA_CRASH \
    }
#define IF(which, is, over)                                         \
    {                                                               \
        .op = ORA_IF, .reg = (which), .value = (is), .body = (over) \
    }
#define THREAD(group, kernel, registers, count, ...)                                       \
    {                                                                                      \
        .wg = (group), .kr = (kernel), .n_regs = (registers), .n_code = (count), .code = { \
            __VA_ARGS__                                                                    \
        }                                                                                  \
    }

struct known {
    const char *why;
    struct ora_thread thread[3];
    int visibility, persistency;
    bool undefined;
    size_t finals;
    const char *crashes; /* "00 10": the set of values of x and y */
};

static const struct known cases[] = {
    {"store buffering: SC forbids one of four outcomes, and nothing orders the persists",
     {THREAD(0, 0, 1, 2, STORE(LOC_X, 1), LOAD(LOC_Y, 0)),
      THREAD(0, 0, 1, 2, STORE(LOC_Y, 1), LOAD(LOC_X, 0))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     3,
     "00 01 10 11"},
    {"the same with plain accesses races under HRF",
     {THREAD(0, 0, 1, 2, STORE(LOC_X, 1), LOAD(LOC_Y, 0)),
      THREAD(0, 0, 1, 2, STORE(LOC_Y, 1), LOAD(LOC_X, 0))},
     ORA_VIS_DIRECT,
     ORA_PERS_BUFFERED_EPOCH,
     true,
     3,
     "00 01 10 11"},
    {"strict persistency persists in program order",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_STRICT,
     false,
     1,
     "00 10 11"},
    {"epoch persistency without a barrier orders nothing",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_EPOCH,
     false,
     1,
     "00 01 10 11"},
    {"definition (1): a work-item barrier orders the work-item's own stores",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), PB(ORA_WI), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 10 11"},
    {"definition (1): and not those of another work-item",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), PB(ORA_WI)),
      THREAD(0, 0, 0, 2, PB(ORA_WI), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 01 10 11"},
    {"definition (2): a work-group barrier orders stores of its work-items",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), PB(ORA_WG)),
      THREAD(0, 0, 0, 2, PB(ORA_WG), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 10 11"},
    {"definition (2): not those of two work-groups",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), PB(ORA_WG)),
      THREAD(1, 0, 0, 2, PB(ORA_WG), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 01 10 11"},
    {"definition (3): a kernel barrier orders stores of two work-groups",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), PB(ORA_KR)),
      THREAD(1, 0, 0, 2, PB(ORA_KR), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 10 11"},
    {"definition (3): not those of two kernels",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), PB(ORA_KR)),
      THREAD(0, 1, 0, 2, PB(ORA_KR), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 01 10 11"},
    {"read alone, a work-group barrier without communication orders nothing across work-items",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), PB(ORA_WG)),
      THREAD(0, 0, 0, 2, PB(ORA_WG), STORE(LOC_Y, 1))},
     ORA_VIS_DIRECT,
     ORA_PERS_BUFFERED_EPOCH_INDIVIDUAL,
     false,
     1,
     "00 01 10 11"},
    {"a persist barrier one work-item never reaches hangs the other: y is never stored",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), PB(ORA_WG), STORE(LOC_Y, 1)),
      THREAD(0, 0, 0, 1, STORE(LOC_Z, 1))},
     ORA_VIS_SC,
     ORA_PERS_EPOCH,
     true,
     0,
     "00 10"},
    {"read alone the same barrier waits for nobody",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), PB(ORA_WG), STORE(LOC_Y, 1)),
      THREAD(0, 0, 0, 1, STORE(LOC_Z, 1))},
     ORA_VIS_SC,
     ORA_PERS_EPOCH_INDIVIDUAL,
     false,
     1,
     "00 10 11"},
    {"barriers of two scopes met in opposite orders: a deadlock, so undefined",
     {THREAD(0, 0, 0, 2, BAR(ORA_WG), BAR(ORA_KR)), THREAD(0, 0, 0, 2, BAR(ORA_KR), BAR(ORA_WG))},
     ORA_VIS_SC,
     ORA_PERS_EPOCH,
     true,
     0,
     "00"},
    {"epoch: the flag follows the barrier, which follows x's persist",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), PB(ORA_WI), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 0, 2, AWAIT(LOC_F, ORA_WG), STORE(LOC_Y, 1))},
     ORA_VIS_DIRECT,
     ORA_PERS_EPOCH,
     false,
     1,
     "00 10 11"},
    {"buffered: without a second barrier the flag carries no persist order to y",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), PB(ORA_WI), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 0, 2, AWAIT(LOC_F, ORA_WG), STORE(LOC_Y, 1))},
     ORA_VIS_DIRECT,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 01 10 11"},
    {"buffered: with one after the await it does (M includes volatile accesses)",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), PB(ORA_WI), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 0, 3, AWAIT(LOC_F, ORA_WG), PB(ORA_WI), STORE(LOC_Y, 1))},
     ORA_VIS_DIRECT,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 10 11"},
    {"an execution barrier orders persists as a flag would",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), PB(ORA_WI), BAR(ORA_WG)),
      THREAD(0, 0, 0, 3, BAR(ORA_WG), PB(ORA_WI), STORE(LOC_Y, 1))},
     ORA_VIS_DIRECT,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 10 11"},
    {"message passing in one work-group with its scope is race-free",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 1, 2, AWAIT(LOC_F, ORA_WG), LOAD(LOC_X, 0))},
     ORA_VIS_DIRECT,
     ORA_PERS_EPOCH,
     false,
     1,
     "00 10"},
    {"with the work-group's scope between two work-groups it races",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(1, 0, 1, 2, AWAIT(LOC_F, ORA_WG), LOAD(LOC_X, 0))},
     ORA_VIS_DIRECT,
     ORA_PERS_EPOCH,
     true,
     1,
     "00 10"},
    {"fences synchronise through relaxed accesses",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), FENCE(ORA_REL, ORA_WG), RELAXED_STORE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 2, 4, RELAXED_LOAD(LOC_F, 0, ORA_WG), FENCE(ORA_ACQ, ORA_WG), IF(0, 1, 1),
             LOAD(LOC_X, 1))},
     ORA_VIS_DIRECT,
     ORA_PERS_EPOCH,
     false,
     2,
     "00 10"},
    {"but not with fences of a scope that does not hold both",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), FENCE(ORA_REL, ORA_WG), RELAXED_STORE(LOC_F, 1, ORA_KR)),
      THREAD(1, 0, 2, 4, RELAXED_LOAD(LOC_F, 0, ORA_KR), FENCE(ORA_ACQ, ORA_WG), IF(0, 1, 1),
             LOAD(LOC_X, 1))},
     ORA_VIS_INDIRECT,
     ORA_PERS_EPOCH,
     true,
     2,
     "00 10"},
    {"levels do not mix in hrf-direct: work-group then kernel is no chain",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 0, 2, AWAIT(LOC_F, ORA_WG), RELEASE(LOC_Z, 1, ORA_KR)),
      THREAD(1, 0, 1, 2, AWAIT(LOC_Z, ORA_KR), LOAD(LOC_X, 0))},
     ORA_VIS_DIRECT,
     ORA_PERS_EPOCH,
     true,
     1,
     "00 10"},
    {"and in hrf-indirect it is one",
     {THREAD(0, 0, 0, 2, STORE(LOC_X, 1), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 0, 2, AWAIT(LOC_F, ORA_WG), RELEASE(LOC_Z, 1, ORA_KR)),
      THREAD(1, 0, 1, 2, AWAIT(LOC_Z, ORA_KR), LOAD(LOC_X, 0))},
     ORA_VIS_INDIRECT,
     ORA_PERS_EPOCH,
     false,
     1,
     "00 10"},
    {"the crash is at its point: x stored, y not yet",
     {THREAD(0, 0, 0, 4, STORE(LOC_X, 1), PB(ORA_WI), CRASH, STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_EPOCH,
     false,
     1,
     "10"},
    {"buffered: x may still be on its way at that point",
     {THREAD(0, 0, 0, 4, STORE(LOC_X, 1), PB(ORA_WI), CRASH, STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 10"},
    {"a crash point behind an await that never ends is never reached",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), AWAIT(LOC_F, ORA_WG), CRASH)},
     ORA_VIS_SC,
     ORA_PERS_EPOCH,
     false,
     0,
     ""},
    {"a stuck execution crashes too",
     {THREAD(0, 0, 0, 3, STORE(LOC_X, 1), AWAIT(LOC_F, ORA_WG), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_EPOCH,
     false,
     0,
     "00 10"},
    {"a failing read of an await races with a store of another scope",
     {THREAD(0, 0, 0, 1, RELAXED_STORE(LOC_F, 1, ORA_KR)),
      THREAD(0, 0, 0, 1, AWAIT(LOC_F, ORA_WG))},
     ORA_VIS_DIRECT,
     ORA_PERS_EPOCH,
     true,
     1,
     "00"},
    {"behind the barrier the await cannot fail, and its read is ordered",
     {THREAD(0, 0, 0, 2, STORE(LOC_F, 1), BAR(ORA_WG)),
      THREAD(0, 0, 0, 2, BAR(ORA_WG), AWAIT(LOC_F, ORA_WG))},
     ORA_VIS_DIRECT,
     ORA_PERS_EPOCH,
     false,
     1,
     "00"},
    {"updates of one location are atomic: 0 and 1 are read, in either order",
     {THREAD(0, 0, 1, 1, ADD(LOC_X, 0, ORA_WG)), THREAD(0, 0, 1, 1, ADD(LOC_X, 0, ORA_WG))},
     ORA_VIS_DIRECT,
     ORA_PERS_STRICT,
     false,
     2,
     "00 10 20"},
    {"coherence of persists: y=1 needs x=2 durable, so x's older value cannot be left",
     {THREAD(0, 0, 0, 4, STORE(LOC_X, 1), STORE(LOC_X, 2), PB(ORA_WI), STORE(LOC_Y, 1))},
     ORA_VIS_SC,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 10 20 21"},
    {"coherence carries order: y before x=1 by the barrier, x=1 before x=2 by coherence alone",
     {THREAD(0, 0, 0, 4, STORE(LOC_Y, 1), PB(ORA_WI), STORE(LOC_X, 1), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 0, 2, AWAIT(LOC_F, ORA_WG), STORE(LOC_X, 2))},
     ORA_VIS_DIRECT,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 01 11 21"},
    {"from-read carries order: y, then a read of x's old value, then the store it did not see",
     {THREAD(0, 0, 1, 4, STORE(LOC_Y, 1), PB(ORA_WI), LOAD(LOC_X, 0), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 0, 2, AWAIT(LOC_F, ORA_WG), STORE(LOC_X, 1))},
     ORA_VIS_DIRECT,
     ORA_PERS_BUFFERED_EPOCH,
     false,
     1,
     "00 01 11"},
    {"the read that leaves the await synchronises with both stores, a failing one races",
     {THREAD(0, 0, 0, 2, STORE(LOC_F, 0), RELEASE(LOC_F, 1, ORA_WG)),
      THREAD(0, 0, 0, 1, AWAIT(LOC_F, ORA_WG))},
     ORA_VIS_DIRECT,
     ORA_PERS_EPOCH,
     true,
     1,
     "00"},
};

static void build(const struct known *k, struct ora_program *p)
{
    memset(p, 0, sizeof *p);
    p->n_locs = ORA_MAX_LOCS;
    p->nvm[LOC_X] = p->nvm[LOC_Y] = 1;
    for (int t = 0; t < 3 && k->thread[t].n_code; t++)
        p->thread[p->n_threads++] = k->thread[t];
}

static bool crashes_are(const struct ora_set *images, const char *expected)
{
    size_t n = 0;
    for (const char *s = expected; *s; s += s[2] ? 3 : 2, n++) {
        struct ora_image image = {.value = {s[0] - '0', s[1] - '0'}};
        if (!ora_set_has(images, &image))
            return false;
    }
    return n == images->count;
}

static bool holds(const struct known *k, int mutation)
{
    struct ora_program p;
    struct ora_truth truth;
    build(k, &p);
    ora_truth_init(&truth);
    const struct ora_answer *a = &truth.at[k->visibility][k->persistency];
    bool ok = ora_solve(&p, mutation, &truth) && a->undefined == k->undefined &&
              a->finals.count == k->finals && crashes_are(&a->crashes, k->crashes);
    ora_truth_fini(&truth);
    return ok;
}

int ora_known_count(void)
{
    return (int)(sizeof cases / sizeof *cases);
}

void ora_known_program(int index, struct ora_program *p)
{
    build(&cases[index], p);
}

int ora_selftest(FILE *out, int mutation)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!holds(&cases[i], mutation)) {
            fprintf(out, "oracle: the reference gets this wrong (%s + %s): %s\n",
                    ora_visibility_name(cases[i].visibility),
                    ora_persistency_name(cases[i].persistency), cases[i].why);
            failed++;
        }
    return failed;
}
