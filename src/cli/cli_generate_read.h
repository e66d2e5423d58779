/* cli_generate_read: reads the tests that `generate` made of a unit from its record
 * (run/run_search.h). */
#ifndef CRASHLIT_CLI_GENERATE_READ_H
#define CRASHLIT_CLI_GENERATE_READ_H

#include <stdbool.h>
#include <stdint.h>

struct json_t; /* jansson's */

/* Takes a test, without its first line of dialect and name. */
typedef void cli_generate_visit(void *context, uint64_t number, const char *line, const char *body);

bool cli_generate_count(const struct json_t *record, const char *name, uint64_t *count);
/* Visits the tests of a record. If one of them is no test, visits none and returns false. */
bool cli_generate_each(const struct json_t *record, cli_generate_visit *visit, void *context);

#endif
