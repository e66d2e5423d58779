/* fuzz_api: any bytes as a sequence of calls of libcrashlit. Each line is a call:
 *
 *     s OPTION VALUE     set; without a value the default
 *     t TEXT             adds a line to the text of a test
 *     c                  checks the text, or when there is none all bytes
 *     n                  another context
 *
 * Limits are small, so that every call ends soon. No call may crash, hang, leak or print;
 * only an exhausted heap makes one fail, a refused option changes nothing, and records are whole.
 * Options name no paths: files are not for a fuzzer to find. */
#include "base/arena.h"
#include "base/strbuf.h"
#include "crashlit.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_CHECKS = 4 };

struct session {
    struct crashlit *context;
    struct strbuf text;
    const char *bytes;
    size_t size;
    int checks;
};

static void demand(bool holds)
{
    if (!holds)
        abort();
}

/* The library never finds its own state wrong. */
static void expect_exhausted(const struct session *session)
{
    demand(strstr(crashlit_error(session->context), "out of memory") != NULL);
}

static void limit(struct session *session)
{
    static const char *const limits[][2] = {
        {"timeout", "0.05"}, {"max-states", "2000"}, {"unroll", "1"}, {"rounds", "2"}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        demand(crashlit_set(session->context, limits[i][0], limits[i][1]) == CRASHLIT_OK);
}

/* Of one or two digits, or the usual one; the smallest make calls fail. */
static void limit_memory(struct session *session, const char *value)
{
    if (!value || strlen(value) > 2 ||
        crashlit_set(session->context, "memory", value) != CRASHLIT_OK)
        demand(crashlit_set(session->context, "memory", "64") == CRASHLIT_OK);
}

static void start(struct session *session)
{
    crashlit_free(session->context);
    session->context = crashlit_new();
    if (!session->context)
        exit(0);
    limit_memory(session, NULL);
    limit(session);
}

static void set(struct session *session, char *name)
{
    char *value = strchr(name, ' ');
    if (value)
        *value++ = '\0';
    if (value && strpbrk(value, "/.") && strcmp(name, "property") != 0)
        return;
    if (strcmp(name, "memory") == 0) {
        limit_memory(session, value);
        return;
    }
    enum crashlit_status status = crashlit_set(session->context, name, value);
    demand(status == CRASHLIT_OK || status == CRASHLIT_INPUT || status == CRASHLIT_FAILED);
    demand((status == CRASHLIT_OK) == (*crashlit_error(session->context) == '\0'));
    if (status == CRASHLIT_FAILED)
        expect_exhausted(session);
    limit(session);
}

static void read_result(const struct crashlit_result *result)
{
    size_t count = crashlit_result_count(result);
    demand(crashlit_result_status(result) <= CRASHLIT_DISAGREE);
    for (size_t i = 0; i < count; i++) {
        const char *json = crashlit_result_json(result, i);
        demand(json[0] == '{' && json[strlen(json) - 1] == '}' && !strchr(json, '\n'));
        demand(*crashlit_result_verdict(result, i) && *crashlit_result_expected(result, i));
        demand(crashlit_result_test(result, i) && crashlit_result_model(result, i));
        demand(crashlit_result_persistency(result, i) && crashlit_result_engine(result, i));
    }
    demand(!crashlit_result_json(result, count));
    /* What could not be read is said. */
    demand(crashlit_result_status(result) != CRASHLIT_INPUT ||
           *crashlit_result_diagnostics(result));
}

static void check(struct session *session)
{
    const bool own = session->text.length > 0;
    const char *text = own ? strbuf_text(&session->text) : session->bytes;
    size_t length = own ? session->text.length : session->size;
    session->checks++;
    struct crashlit_result *result = crashlit_check(session->context, "fuzz.litmus", text, length);
    demand((result == NULL) == (*crashlit_error(session->context) != '\0'));
    if (result)
        read_result(result);
    else
        expect_exhausted(session);
    crashlit_result_free(result);
    strbuf_clear(&session->text);
}

static void call(struct session *session, char *line)
{
    switch (line[0]) {
    case 's':
        if (line[1] == ' ')
            set(session, line + 2);
        break;
    case 't':
        if (line[1] == ' ') {
            strbuf_add(&session->text, line + 2);
            strbuf_add_char(&session->text, '\n');
        }
        break;
    case 'c':
        if (session->checks < MOST_CHECKS)
            check(session);
        break;
    case 'n': start(session); break;
    default: break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session session = {.bytes = (const char *)data, .size = size};
    char *copy = malloc(size + 1);
    if (!copy)
        return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    start(&session);
    for (char *line = copy, *end; line < copy + size; line = end + 1) {
        end = memchr(line, '\n', (size_t)(copy + size - line));
        end = end ? end : copy + size;
        *end = '\0';
        call(&session, line);
    }
    check(&session);
    crashlit_free(session.context);
    strbuf_fini(&session.text);
    free(copy);
    return 0;
}
