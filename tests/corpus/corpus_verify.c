/* corpus_verify RESULTS.json FILE.litmus...
 *
 * Reads the `expect` lines of the tests by itself, line by line, and holds them
 * against the objects `crashlit check --format json` printed: each line must have an
 * object with that file, model pair and expected verdict whose verdict is the same.
 * An object that no line asked for, a test without a line, and a repeated state are
 * failures too; so is an engine that answered for a model pair somewhere, unasked by a label, but
 * not for each line that names the pair and is not labelled with another engine. Shares no code
 * with the checker. Last line: N passed, N failed.
 */
#include <ctype.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD = 200 };

struct expectation {
    const char *file;
    unsigned line;
    char model[FIELD], persistency[FIELD], engine[FIELD], verdict[FIELD];
    unsigned compared; /* objects that matched */
};

static struct expectation *expectations;
static size_t expectation_count;

/* An object of the results; its texts stay the object's. */
struct answer {
    json_t *object;
    const char *file, *model, *persistency, *engine;
    bool is_labelled; /* a line with its engine's label asks for it */
};

static struct answer *answers;
static size_t answer_count;
static unsigned passed, failed;

static void fault(const char *file, unsigned line, const char *what, const char *detail)
{
    printf("%s:%u: %s%s\n", file, line, what, detail);
    failed++;
}

/* Copies the text from..to without the blanks around it. */
static void take(char *field, const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    size_t length = (size_t)(to - from) < FIELD ? (size_t)(to - from) : FIELD - 1;
    memcpy(field, from, length);
    field[length] = '\0';
}

/* A model that is a file is named from the test's folder; answers name it from where we are. */
static void locate(char *model, const char *file)
{
    const char *slash = strrchr(file, '/');
    size_t length = strlen(model);
    char whole[2 * FIELD];
    if (!slash || length < 4 || strcmp(model + length - 4, ".cat") != 0)
        return;
    snprintf(whole, sizeof whole, "%.*s%s", (int)(slash + 1 - file), file, model);
    take(model, whole, whole + strlen(whole));
}

/* expect MODEL + PERSISTENCY [ENGINE] : VERDICT */
static bool parse_expect(const char *text, struct expectation *made)
{
    const char *plus = strchr(text, '+'), *colon = plus ? strchr(plus, ':') : NULL;
    if (!colon)
        return false;
    const char *comment = strstr(colon, "//");
    const char *open = memchr(plus, '[', (size_t)(colon - plus));
    const char *close = open ? memchr(open, ']', (size_t)(colon - open)) : NULL;
    take(made->model, text, plus);
    take(made->persistency, plus + 1, open ? open : colon);
    take(made->engine, open ? open + 1 : "", open ? (close ? close : colon) : "");
    take(made->verdict, colon + 1, comment ? comment : text + strlen(text));
    return true;
}

static void add_expectation(const char *file, unsigned line, const char *text)
{
    struct expectation made = {.file = file, .line = line};
    if (!parse_expect(text, &made)) {
        fault(file, line, "not an expect line: ", text);
        return;
    }
    locate(made.model, file);
    locate(made.persistency, file);
    expectations = realloc(expectations, (expectation_count + 1) * sizeof *expectations);
    if (!expectations)
        abort();
    expectations[expectation_count++] = made;
}

static void read_expectations(const char *file)
{
    char text[2000];
    size_t before = expectation_count;
    FILE *stream = fopen(file, "r");
    if (!stream) {
        fault(file, 0, "cannot be read", "");
        return;
    }
    for (unsigned line = 1; fgets(text, sizeof text, stream); line++) {
        const char *at = text + strspn(text, " \t");
        if (strncmp(at, "expect", 6) == 0 && isspace((unsigned char)at[6]))
            add_expectation(file, line, at + 6);
    }
    fclose(stream);
    if (expectation_count == before)
        fault(file, 0, "has no expect line", "");
}

static const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool is_pair(const struct expectation *wanted, const struct answer *answer)
{
    return strcmp(wanted->model, answer->model) == 0 &&
           strcmp(wanted->persistency, answer->persistency) == 0;
}

static bool names(const struct expectation *wanted, const struct answer *answer)
{
    return strcmp(wanted->file, answer->file) == 0 && is_pair(wanted, answer) &&
           (!wanted->engine[0] || strcmp(wanted->engine, answer->engine) == 0);
}

/* A machine answers where a line with its label stands, whatever it promises. */
static bool is_labelled(const struct answer *answer)
{
    for (size_t i = 0; i < expectation_count; i++)
        if (expectations[i].engine[0] && names(&expectations[i], answer))
            return true;
    return false;
}

static void add_answer(json_t *object)
{
    struct answer made = {.object = object,
                          .file = string_of(object, "file"),
                          .model = string_of(object, "model"),
                          .persistency = string_of(object, "persistency"),
                          .engine = string_of(object, "engine")};
    if (strncmp(made.file, "./", 2) == 0)
        made.file += 2;
    made.is_labelled = is_labelled(&made);
    answers = realloc(answers, (answer_count + 1) * sizeof *answers);
    if (!answers)
        abort();
    answers[answer_count++] = made;
}

static void check_states(const json_t *object, const char *key)
{
    const json_t *states = json_object_get(object, key);
    for (size_t i = 1; i < json_array_size(states); i++)
        for (size_t j = 0; j < i; j++)
            if (json_equal(json_array_get(states, i), json_array_get(states, j)))
                fault(string_of(object, "file"), 0, "a state is listed twice in ", key);
}

static void check_answer(const struct answer *answer)
{
    const json_t *object = answer->object;
    const char *file = answer->file, *verdict = string_of(object, "verdict");
    struct expectation *found = NULL;
    check_states(object, "final_states");
    check_states(object, "crash_states");
    check_states(object, "recovered_states");
    if (json_integer_value(json_object_get(object, "schema")) != 1)
        fault(file, 0, "schema is not 1", "");
    if (json_array_size(json_object_get(object, "conditions")) == 0)
        fault(file, 0, "no condition was judged", "");
    for (size_t i = 0; i < expectation_count; i++)
        if (names(&expectations[i], answer) && (!found || expectations[i].engine[0]))
            found = &expectations[i];
    if (!found)
        fault(file, 0, "a result that no expect line asks for: ", answer->model);
    else if (strcmp(found->verdict, string_of(object, "expected")) != 0)
        fault(file, found->line, "compared with another verdict: ", string_of(object, "expected"));
    else if (strcmp(found->verdict, verdict) != 0)
        fault(file, found->line, "verdict is ", verdict);
    else
        found->compared++;
}

static bool engine_ran(const char *engine)
{
    for (size_t i = 0; i < answer_count; i++)
        if (strcmp(answers[i].engine, engine) == 0)
            return true;
    return false;
}

static void count_expectations(void)
{
    for (size_t i = 0; i < expectation_count; i++) {
        const struct expectation *wanted = &expectations[i];
        if (wanted->compared)
            passed++;
        else if (!wanted->engine[0] || engine_ran(wanted->engine))
            fault(wanted->file, wanted->line,
                  "expect line not met by any result: ", wanted->verdict);
    }
}

/* Does the engine answer for the line's pair anywhere, and for the line itself? */
static void count_answers(const char *engine, const struct expectation *wanted)
{
    bool anywhere = false, here = false;
    for (size_t i = 0; i < answer_count; i++) {
        const struct answer *answer = &answers[i];
        if (!is_pair(wanted, answer) || strcmp(answer->engine, engine) != 0)
            continue;
        anywhere |= !answer->is_labelled;
        here |= names(wanted, answer);
    }
    if (here)
        passed++;
    else if (anywhere)
        fault(wanted->file, wanted->line, "not answered by the engine ", engine);
}

static void check_answers(void)
{
    static const char *const engines[] = {"enum", "smt", "machine"};
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++)
        for (size_t i = 0, ran = engine_ran(engines[e]); ran && i < expectation_count; i++)
            if (!expectations[i].engine[0] || strcmp(expectations[i].engine, engines[e]) == 0)
                count_answers(engines[e], &expectations[i]);
}

/* One object a line, nothing else. */
static void read_results(const char *path)
{
    FILE *stream = fopen(path, "r");
    json_error_t error;
    if (!stream) {
        fault(path, 0, "cannot be read", "");
        return;
    }
    for (int c; (c = fgetc(stream)) != EOF;) {
        ungetc(c, stream);
        json_t *object =
            json_loadf(stream, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
        if (!object || fgetc(stream) != '\n') {
            fault(path, (unsigned)answer_count + 1,
                  "not a line of JSON: ", object ? "text after the object" : error.text);
            json_decref(object);
            break;
        }
        add_answer(object);
    }
    fclose(stream);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: corpus_verify RESULTS.json FILE.litmus...\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; i++)
        read_expectations(argv[i]);
    read_results(argv[1]);
    for (size_t i = 0; i < answer_count; i++)
        check_answer(&answers[i]);
    count_expectations();
    check_answers();
    for (size_t i = 0; i < answer_count; i++)
        json_decref(answers[i].object);
    free(answers);
    free(expectations);
    printf("%u passed, %u failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
