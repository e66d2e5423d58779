/* threads: contexts of libcrashlit used at the same time, one a thread, with engines that differ;
 * every answer is the one that a thread alone gets, also while calls of another thread meet its
 * limit of memory and fail. Ends with 1 when some is not.
 *
 * Z3 is not instrumented and synchronises by means that a thread sanitizer does not see, so under
 * one it is left out. */
#include "crashlit.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 2, ROUNDS = 25 };

/* Without a barrier the key can outlive its value (SPB section 1); with one it cannot. */
static const char *const tests[] = {
    "OPENCL bare\n{ nvm k = 0; nvm v = 0; }\n"
    "P0@wg 0 (global int* k, global int* v) { *v = 42; *k = 1; }\ncrash ~exists (k=1 /\\ v=0)\n",
    "OPENCL kept\n{ nvm k = 0; nvm v = 0; }\n"
    "P0@wg 0 (global int* k, global int* v) { *v = 42; p_barrier_wi; *k = 1; }\n"
    "crash ~exists (k=1 /\\ v=0)\n",
    "OPENCL broken\n{ nvm k = 0;\n",
};
static const enum crashlit_status wanted[] = {CRASHLIT_DIFFERS, CRASHLIT_OK, CRASHLIT_INPUT};
static const char *const engines[] = {"enum", "machine", "smt"};

#if defined(__SANITIZE_THREAD__)
#define ENGINES 2
#else
#define ENGINES 3
#endif

static int check(struct crashlit *context, int number)
{
    const char *text = tests[number];
    struct crashlit_result *result = crashlit_check(context, "t.litmus", text, strlen(text));
    int wrong = !result || crashlit_result_status(result) != wanted[number];
    crashlit_result_free(result);
    return wrong;
}

/* Each of 16 writes may be durable alone: 2^16 states of 16 values take 8 MiB, of which there is
 * one. They are listed because a recovery may be crashed and begin with any of them. */
static const char wide[] =
    "OPENCL wide\n{ nvm a[16]; }\n"
    "P0 (global int* a) { for (int i = 0; i < 16; i++) { a[i] = 1; } }\n"
    "recovery restartable (global int* a) { int r = a[0]; }\n"
    "crash exists (a[0]=1 /\\ a[1]=1 /\\ a[2]=1 /\\ a[3]=1 /\\ a[4]=1 /\\ a[5]=1 /\\ a[6]=1 /\\ "
    "a[7]=1 /\\ a[8]=1 /\\ a[9]=1 /\\ a[10]=1 /\\ a[11]=1 /\\ a[12]=1 /\\ a[13]=1 /\\ a[14]=1 /\\ "
    "a[15]=1)\n";

static int exhaust(struct crashlit *context)
{
    int wrong = crashlit_set(context, "engine", "enum") != CRASHLIT_OK;
    wrong += crashlit_set(context, "memory", "1") != CRASHLIT_OK;
    wrong += crashlit_check(context, "t.litmus", wide, strlen(wide)) != NULL;
    wrong += strstr(crashlit_error(context), "out of memory") == NULL;
    return wrong + (crashlit_set(context, "memory", NULL) != CRASHLIT_OK);
}

/* `number`: which engine comes first; then how many answers were wrong. */
static void *work(void *number)
{
    int *wrong = number, first = *wrong;
    struct crashlit *context = crashlit_new();
    *wrong = !context;
    for (int i = 0; context && i < ROUNDS; i++) {
        if ((i + 4 * first) % 8 == 0)
            *wrong += exhaust(context);
        *wrong += crashlit_set(context, "engine", engines[(i + first) % ENGINES]) != CRASHLIT_OK;
        *wrong += crashlit_set(context, "engine", "none") != CRASHLIT_INPUT;
        for (int test = 0; test < 3; test++)
            *wrong += check(context, test);
        if (i == ROUNDS / 2) { /* a context goes while others are used */
            crashlit_free(context);
            context = crashlit_new();
        }
    }
    crashlit_free(context);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int wrong[THREADS], sum = 0;
    for (int i = 0; i < THREADS; i++) {
        wrong[i] = i;
        if (pthread_create(&threads[i], NULL, work, &wrong[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += wrong[i];
    }
    if (sum)
        printf("%d answers of two threads were wrong\n", sum);
    return sum != 0;
}
