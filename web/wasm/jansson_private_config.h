/* What jansson's own configure would find of emscripten's C library. */
#define HAVE_STDINT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UNISTD_H 1
#define HAVE_GETTIMEOFDAY 1
#define INITIAL_HASHTABLE_ORDER 3
