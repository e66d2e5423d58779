/* Runs the suites of suites.def: every one, or those named on the command line.
 *
 *     unit [--list | --light] [SUITE...]
 *
 * Prints each failed assertion, a line for each suite, and last
 * `N passed, N failed`, counting tests. Exits 0 when at least one test ran and
 * none failed.
 */
#include "unit.h"

#include <CUnit/TestRun.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void judge(bool holds, const char *message, struct unit_place place)
{
    CU_assertImplementation(holds, place.line, message, place.file, "", place.fatal);
}

void unit_equal(long long actual, long long expected, const char *what, struct unit_place place)
{
    char message[512];
    if (actual != expected)
        snprintf(message, sizeof message, "%s: found %lld, expected %lld", what, actual, expected);
    judge(actual == expected, actual == expected ? what : message, place);
}

void unit_same_text(const char *actual, const char *expected, const char *what,
                    struct unit_place place)
{
    bool same = strcmp(actual, expected) == 0;
    size_t size = strlen(what) + strlen(actual) + strlen(expected) + 64;
    char *message = same ? NULL : malloc(size);
    if (message)
        snprintf(message, size, "%s:\nfound    \"%s\"\nexpected \"%s\"", what, actual, expected);
    judge(same, message ? message : what, place);
    free(message);
}

static bool light;

CU_BOOL unit_is_light(void)
{
    return light;
}

uint64_t unit_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static const struct {
    const char *name;
    void (*add)(void);
} suites[] = {
#define SUITE(module) {#module, suite_##module},
#include "suites.def"
#undef SUITE
};

enum { SUITE_COUNT = sizeof suites / sizeof suites[0] };

static bool wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

static bool known(const char *name)
{
    for (size_t i = 0; i < SUITE_COUNT; i++)
        if (strcmp(suites[i].name, name) == 0)
            return true;
    return false;
}

static int list(void)
{
    for (size_t i = 0; i < SUITE_COUNT; i++)
        puts(suites[i].name);
    return 0;
}

static void print_failures(void)
{
    for (CU_pFailureRecord at = CU_get_failure_list(); at; at = at->pNext)
        printf("%s:%u: %s/%s: %s\n", at->strFileName ? at->strFileName : "?", at->uiLineNumber,
               at->pSuite ? at->pSuite->pName : "?", at->pTest ? at->pTest->pName : "?",
               at->strCondition ? at->strCondition : "failed");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    light = argc > 1 && strcmp(argv[1], "--light") == 0;
    argc -= light, argv += light;
    for (int i = 1; i < argc; i++)
        if (!known(argv[i])) {
            fprintf(stderr, "unit: no suite `%s`; --list names them\n", argv[i]);
            return 2;
        }
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 70;
    for (size_t i = 0; i < SUITE_COUNT; i++)
        if (wanted(suites[i].name, argc - 1, argv + 1))
            suites[i].add();
    CU_ErrorCode status = CU_run_all_tests();
    unsigned run = CU_get_number_of_tests_run(), failed = CU_get_number_of_tests_failed();
    if (status != CUE_SUCCESS)
        printf("unit: CUnit: %s\n", CU_get_error_msg());
    print_failures();
    printf("%u assertions\n%u passed, %u failed\n", CU_get_number_of_asserts(), run - failed,
           failed);
    CU_cleanup_registry();
    return status == CUE_SUCCESS && run > 0 && failed == 0 ? 0 : 1;
}
