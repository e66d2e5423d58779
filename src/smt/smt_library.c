#include "smt/smt_library.h"

#include "base/guard.h"
#include "smt/smt_library_file.h"
#include "smt/smt_z3.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of its file, as the linker would have noted it (Makefile). */
#ifndef CRASHLIT_Z3
#define CRASHLIT_Z3 "libz3.so.4"
#endif

struct smt_library z3;

/* Code of the process like z3 itself: written once. */
static struct {
    pthread_mutex_t lock;
    enum { UNTRIED, LOADED, FAILED } state;
    char fault[256];
    void *handle;
    void (*ask)(void);
} library = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct symbol {
    const char *name;
    void *at; /* a pointer to a function */
};

/* POSIX has functions fit into void *, ISO C does not know of that. */
static bool look_up(void *handle, const struct symbol *symbol)
{
    void *found = dlsym(handle, symbol->name);
    memcpy(symbol->at, &found, sizeof found);
    return found != NULL;
}

static bool look_up_all(void *handle)
{
    const struct symbol symbols[] = {
#define X(name) {"Z3_" #name, &z3.name},
        SMT_Z3_FUNCTIONS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (!look_up(handle, &symbols[i])) {
            snprintf(library.fault, sizeof library.fault, CRASHLIT_Z3 " has no %s",
                     symbols[i].name);
            return false;
        }
    return true;
}

/* C++'s functions, of the library that Z3 is linked to, and the type that it throws when memory is
 * exhausted. */
static struct {
    void (*(*set_terminate)(void (*)(void)))(void);
    void *(*current_exception)(void);
    void *bad_alloc;
    void (*terminate)(void); /* what was done before */
} cxx;

/* Nobody catches an exception that Z3 lets through. */
static void end_worker(void)
{
    if (cxx.current_exception() == cxx.bad_alloc)
        _exit(base_memory_status());
    cxx.terminate();
}

/* In a worker alone: elsewhere the exceptions may be the host's. */
static void mind_exceptions(void)
{
    const struct symbol symbols[] = {{"_ZSt13set_terminatePFvvE", &cxx.set_terminate},
                                     {"__cxa_current_exception_type", &cxx.current_exception},
                                     {"_ZTISt9bad_alloc", &cxx.bad_alloc}};
    bool all = true;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        all &= look_up(library.handle, &symbols[i]);
    if (all)
        cxx.terminate = cxx.set_terminate(end_worker);
}

/* It stays open as long as the process: solvers may be left behind (base/guard.h). */
static void load(void)
{
    if (library.ask)
        library.ask();
    bool sound = smt_library_is_whole(CRASHLIT_Z3, library.fault, sizeof library.fault);
    void *handle = sound ? dlopen(CRASHLIT_Z3, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (sound && !handle) {
        const char *why = dlerror();
        snprintf(library.fault, sizeof library.fault, "%s", why ? why : CRASHLIT_Z3);
    }
    bool whole = handle && look_up_all(handle);
    if (handle && !whole)
        dlclose(handle);
    library.handle = handle;
    library.state = whole ? LOADED : FAILED;
}

bool smt_library_load(void)
{
    pthread_mutex_lock(&library.lock);
    if (library.state == UNTRIED)
        load();
    bool loaded = library.state == LOADED;
    if (loaded && base_memory_status() && !cxx.terminate)
        mind_exceptions();
    pthread_mutex_unlock(&library.lock);
    return loaded;
}

const char *smt_library_fault(void)
{
    return library.state == FAILED ? library.fault : "";
}

void smt_library_defer(void (*ask)(void))
{
    library.ask = ask;
}

bool smt_library_is_deferred(void)
{
    pthread_mutex_lock(&library.lock);
    bool deferred = library.ask && library.state == UNTRIED;
    pthread_mutex_unlock(&library.lock);
    return deferred;
}

const char *smt_library_version(void)
{
    return z3.get_full_version();
}
