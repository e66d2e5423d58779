/* cli_generate_read: what `generate` made of a unit, out of its record (run/run_search.h).
 */
#ifndef CRASHLIT_CLI_GENERATE_READ_H
#define CRASHLIT_CLI_GENERATE_READ_H

#include <stdbool.h>
#include <stdint.h>

struct json_t; /* jansson's */

/* A test without the line of its dialect and name. */
typedef void cli_generate_visit(void *context, uint64_t number, const char *line, const char *body);

bool cli_generate_count(const struct json_t *record, const char *name, uint64_t *count);
/* The tests of a record; false, and none is visited, when one of them is none. */
bool cli_generate_each(const struct json_t *record, cli_generate_visit *visit, void *context);

#endif
