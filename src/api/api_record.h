/* api_record: the fields of a record that callers ask for, read back from its line of JSON.
 *
 * It reads what report_json writes and no JSON of others, in place and without allocating: a
 * reader that has to allocate can lose part of a field when the heap is exhausted.
 */
#ifndef CRASHLIT_API_RECORD_H
#define CRASHLIT_API_RECORD_H

/* Texts at the top level of a record: X(identifier, name). */
#define API_FIELDS(X)               \
    X(TEST, "test")                 \
    X(MODEL, "model")               \
    X(PERSISTENCY, "persistency")   \
    X(ENGINE, "engine")             \
    X(VERDICT, "verdict")           \
    X(EXPECTED, "expected")

enum api_field {
#define X(identifier, name) API_FIELD_##identifier,
    API_FIELDS(X)
#undef X
        API_FIELD_COUNT
};

struct api_record {
    const char *line; /* with its fields still in it */
    const char *fields[API_FIELD_COUNT];
};

/* `copy` is a copy of the line, which the fields are decoded in and point into; a field that the
 * line has not is NULL. */
void api_record_read(struct api_record *record, const char *line, char *copy);

#endif
