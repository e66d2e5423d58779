/* hw_result: what a device showed of one test, as a record: one JSON line, schema 1
 * (tests/schemas/hardware.schema.json). */
#ifndef CRASHLIT_HW_RESULT_H
#define CRASHLIT_HW_RESULT_H

#include "base/diag.h"
#include "hw/hw_plan.h"

struct hw_seen {
    const int64_t *values;           /* of the names */
    uint64_t count, launches, first; /* instances, launches that showed it, the first of these */
    uint64_t seed;                   /* of that launch; where it was read */
    const char *file;
    uint32_t line;
};

struct hw_result {
    const char *test, *test_digest, *emitted_digest, *target, *widened, *device;
    uint64_t seed, launches, instances, unfinished, other;
    const char *const *names; /* "0:r0", "x": columns of all outcomes */
    uint32_t width;
    struct hw_seen *seen;
    size_t seen_count;
    const char *file; /* that it was read from, and the line there */
    uint32_t line;
};

enum { HW_RESULT_MOST_OUTCOMES = 65536 };

/* A digest as records have it. */
const char *hw_result_digest(struct arena *arena, uint64_t digest);
/* One of the plan without outcomes. */
void hw_result_begin(struct arena *arena, struct hw_result *result, const struct hw_plan *plan,
                     const char *text);
/* Appends the line. */
void hw_result_write(const struct hw_result *result, struct strbuf *out);

typedef VEC(struct hw_result) hw_result_list;

/* Adds the records of a file. A line that is no record, or no whole one, one whose figures cannot be
 * right, and one that says again what an earlier one said is an error that names file and line.
 * False after any. */
bool hw_result_read(struct arena *arena, const char *path, hw_result_list *list, struct diag *diag)
    __attribute__((warn_unused_result));

#endif
