#define _GNU_SOURCE /* for sched_getaffinity */
#include "base/team.h"

#include "base/arena.h"
#include "base/guard.h"

#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <unistd.h>

/* Of a member's stack, whatever the process has: no thread of ours needs more. */
enum { STACK_BYTES = 2 << 20 };

struct member {
    struct team *team;
    pthread_t thread;
    uint32_t number;
};

struct team {
    uint32_t size, started; /* members besides the caller, who is there */
    struct member members[TEAM_MOST];
    pthread_mutex_t lock; /* of the rest */
    pthread_cond_t begins, ends;
    team_job *job; /* NULL: none is to be taken up */
    void *context;
    uint64_t round; /* grows with each job */
    uint32_t busy;  /* members that have taken it up */
    bool over;
    struct base_cleanup cleanup;
};

static void *serve(void *context)
{
    struct member *member = context;
    struct team *team = member->team;
    uint64_t done = 0;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (!team->over && (!team->job || team->round == done))
            pthread_cond_wait(&team->begins, &team->lock);
        if (team->over)
            break;
        done = team->round;
        team_job *job = team->job;
        void *its = team->context;
        team->busy++;
        pthread_mutex_unlock(&team->lock);
        job(its, member->number);
        pthread_mutex_lock(&team->lock);
        if (--team->busy == 0)
            pthread_cond_signal(&team->ends);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

static void begin_job(struct team *team, team_job *job, void *context)
{
    pthread_mutex_lock(&team->lock);
    team->job = job;
    team->context = context;
    team->round++;
    pthread_cond_broadcast(&team->begins);
    pthread_mutex_unlock(&team->lock);
}

/* Who has not taken the job up by now, as there was no processor, need not. */
static void await_end(struct team *team)
{
    pthread_mutex_lock(&team->lock);
    team->job = NULL;
    while (team->busy > 0)
        pthread_cond_wait(&team->ends, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

/* A cleanup, too: a job may be under way then. */
static void dismiss(void *context)
{
    struct team *team = context;
    await_end(team);
    pthread_mutex_lock(&team->lock);
    team->over = true;
    pthread_cond_broadcast(&team->begins);
    pthread_mutex_unlock(&team->lock);
    for (uint32_t i = 0; i < team->started; i++)
        pthread_join(team->members[i].thread, NULL);
    pthread_cond_destroy(&team->begins);
    pthread_cond_destroy(&team->ends);
    pthread_mutex_destroy(&team->lock);
}

struct team *team_new(uint32_t size)
{
    BASE_CHECK(size >= 1 && size <= TEAM_MOST);
    struct team *team = base_realloc(NULL, sizeof *team);
    *team = (struct team){.size = size};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begins, NULL);
    pthread_cond_init(&team->ends, NULL);
    base_cleanup_add(&team->cleanup, dismiss, team);
    return team;
}

void team_free(struct team *team)
{
    if (!team)
        return;
    base_cleanup_remove(&team->cleanup);
    dismiss(team);
    base_free(team);
}

static void start_members(struct team *team)
{
    pthread_attr_t attributes;
    if (team->started + 1 >= team->size || pthread_attr_init(&attributes) != 0)
        return;
    bool sized = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0;
    while (sized && team->started + 1 < team->size) {
        struct member *member = &team->members[team->started];
        *member = (struct member){team, .number = team->started + 1};
        if (pthread_create(&member->thread, &attributes, serve, member) != 0)
            break;
        team->started++;
    }
    team->size = team->started + 1;
    pthread_attr_destroy(&attributes);
}

void team_do(struct team *team, team_job *job, void *context)
{
    start_members(team);
    if (team->started > 0)
        begin_job(team, job, context);
    job(context, 0);
    if (team->started > 0)
        await_end(team);
}

uint32_t team_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set) > 0 ? (uint32_t)CPU_COUNT(&set) : 1;
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (uint32_t)online : 1;
}
