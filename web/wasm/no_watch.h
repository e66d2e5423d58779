/* Compiled in front of smt/smt_solver.c: there are no threads, so nobody watches Z3 while it
 * thinks. It then is ended by whoever ends the instance; without this nothing with a limit would be
 * asked at all. */
#include <pthread.h>

static inline int no_watch_create(pthread_t *thread, const void *attributes, void *(*start)(void *),
                                  void *context)
{
    (void)attributes;
    (void)start;
    (void)context;
    *thread = pthread_self();
    return 0;
}

#define pthread_create(thread, attributes, start, context) \
    no_watch_create(thread, attributes, start, context)
#define pthread_join(thread, answer) ((void)(thread))
