/* Asks the tool under test and reads its JSON lines. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle.h"

enum { PATH_ROOM = 1024, MOST_IN_FOLDER = 100 };

static const char *const visibility_names[] = {
#define X(tag, name) name,
    ORA_VISIBILITIES(X)
#undef X
};

static const char *const persistency_names[] = {
#define X(tag, name) name,
    ORA_PERSISTENCIES(X)
#undef X
};

static const char *const crash_modes[] = {
#define X(tag, name) name,
    ORA_CRASH_MODES(X)
#undef X
};

bool ora_crash_mode_find(const char *name, int *mode)
{
    for (int m = 0; m < ORA_CRASH_MODE_COUNT; m++)
        if (strcmp(crash_modes[m], name) == 0) {
            *mode = m;
            return true;
        }
    return false;
}

const char *ora_visibility_name(int visibility)
{
    return visibility_names[visibility];
}

const char *ora_persistency_name(int persistency)
{
    return persistency_names[persistency];
}

void ora_reply_init(struct ora_reply *r)
{
    memset(r, 0, sizeof *r);
    snprintf(r->why, sizeof r->why, "no line of output names this test");
    ora_answer_init(&r->answer);
}

void ora_reply_fini(struct ora_reply *r)
{
    ora_answer_fini(&r->answer);
}

/* ---- One JSON line ------------------------------------------------------------------ */

/* The key must be there and an integer; counts it in *found. */
static bool take(const json_t *state, const char *key, int *value, size_t *found)
{
    const json_t *v = json_object_get(state, key);
    if (!json_is_integer(v))
        return false;
    *value = (int)json_integer_value(v);
    ++*found;
    return true;
}

static bool read_final(const struct ora_program *p, const json_t *state, struct ora_final *f)
{
    size_t found = 0;
    memset(f, 0, sizeof *f);
    for (int t = 0; t < p->n_threads; t++)
        for (int r = 0; r < ora_shown_regs(p, t); r++) {
            char key[32];
            snprintf(key, sizeof key, "%d:r%d", t, r);
            if (!take(state, key, &f->value[t * ORA_MAX_REGS + r], &found))
                return false;
        }
    for (int l = 0; l < p->n_locs; l++)
        if (!take(state, ora_loc_name(l), &f->value[ORA_MAX_THREADS * ORA_MAX_REGS + l], &found))
            return false;
    return found == json_object_size(state);
}

static bool read_image(const struct ora_program *p, const json_t *state, struct ora_image *image)
{
    size_t found = 0;
    memset(image, 0, sizeof *image);
    for (int l = 0; l < p->n_locs; l++)
        if (p->nvm[l] && !take(state, ora_loc_name(l), &image->value[l], &found))
            return false;
    for (int t = 0; t < p->n_threads; t++)
        for (int r = 0; r < ORA_MAX_REGS; r++) {
            char key[32];
            snprintf(key, sizeof key, "%d:r%d", t, r);
            bool nothing = json_is_null(json_object_get(state, key));
            if (ora_crash_names(p, t, r) && nothing)
                image->reg[t][r] = ORA_NOTHING;
            else if (ora_crash_names(p, t, r) && !take(state, key, &image->reg[t][r], &found))
                return false;
            found += nothing;
        }
    return found == json_object_size(state);
}

static void refuse(struct ora_reply *r, const char *why)
{
    r->said = false;
    snprintf(r->why, sizeof r->why, "%s", why);
}

/* False: it is malformed, or there already where `again` is false. */
typedef bool add_state(const struct ora_program *p, const json_t *state, bool again,
                       struct ora_reply *r);

static bool add_final(const struct ora_program *p, const json_t *state, bool again,
                      struct ora_reply *r)
{
    struct ora_final f;
    return read_final(p, state, &f) && (ora_set_add(&r->answer.finals, &f) || again);
}

static bool add_crash(const struct ora_program *p, const json_t *state, bool again,
                      struct ora_reply *r)
{
    struct ora_image image;
    return read_image(p, state, &image) && (ora_set_add(&r->answer.crashes, &image) || again);
}

/* Many states are told as a product: of each factor a box, and of that a value for each column. Boxes
 * may have states in common. */
struct product {
    const struct ora_program *program;
    const json_t *factors;
    json_t *state;
    add_state *add;
    struct ora_reply *reply;
};

static bool add_factors(const struct product *product, size_t factor);

static bool add_columns(const struct product *product, size_t factor, json_t *box, void *column)
{
    if (!column)
        return add_factors(product, factor + 1);
    const json_t *values = json_object_iter_value(column);
    for (size_t i = 0; i < json_array_size(values); i++)
        if (json_object_set(product->state, json_object_iter_key(column),
                            json_array_get(values, i)) != 0 ||
            !add_columns(product, factor, box, json_object_iter_next(box, column)))
            return false;
    return json_array_size(values) > 0;
}

static bool add_factors(const struct product *product, size_t factor)
{
    if (factor == json_array_size(product->factors))
        return product->add(product->program, product->state, true, product->reply);
    json_t *boxes = json_array_get(product->factors, factor);
    for (size_t i = 0; i < json_array_size(boxes); i++) {
        json_t *box = json_array_get(boxes, i);
        if (!add_columns(product, factor, box, json_object_iter(box)))
            return false;
        const char *column;
        json_t *values;
        json_object_foreach (box, column, values)
            json_object_del(product->state, column);
    }
    return json_array_size(boxes) > 0;
}

static bool read_states(const struct ora_program *p, const json_t *list, add_state *add,
                        struct ora_reply *r)
{
    const json_t *factors = json_object_get(list, "product");
    if (json_is_array(factors)) {
        struct product product = {p, factors, json_object(), add, r};
        bool good = add_factors(&product, 0);
        json_decref(product.state);
        return good;
    }
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!add(p, json_array_get(list, i), false, r))
            return false;
    return json_is_array(list);
}

/* Finds the memory access of a kind that thread and line of a report name. */
static bool read_racer(const struct ora_program *p, const json_t *event, struct ora_race *race,
                       int side)
{
    int line[ORA_MAX_THREADS][ORA_MAX_CODE];
    const char *access = json_string_value(json_object_get(event, "access"));
    int t = (int)json_integer_value(json_object_get(event, "thread"));
    json_int_t at = json_integer_value(json_object_get(event, "line"));
    ora_find_lines(p, line);
    if (!access || t < 0 || t >= p->n_threads)
        return false;
    for (int k = 0; k < p->thread[t].n_code; k++)
        if (line[t][k] == at) {
            race->thread[side] = t;
            race->place[side] = k;
            race->kind[side] = access[0] == 'W' ? ORA_WRITE : ORA_READ;
            return strcmp(access + 2, ora_loc_name(p->thread[t].code[k].loc)) == 0;
        }
    return false;
}

static bool read_race(const struct ora_program *p, const json_t *events, struct ora_reply *r)
{
    struct ora_race race;
    memset(&race, 0, sizeof race);
    if (json_array_size(events) != 2)
        return false;
    size_t lower = json_integer_value(json_object_get(json_array_get(events, 0), "thread")) >
                   json_integer_value(json_object_get(json_array_get(events, 1), "thread"));
    if (!read_racer(p, json_array_get(events, lower), &race, 0) ||
        !read_racer(p, json_array_get(events, 1 - lower), &race, 1))
        return false;
    ora_set_add(&r->answer.races, &race);
    return true;
}

static bool read_undefined(const struct ora_program *p, const json_t *line, struct ora_reply *r)
{
    const json_t *list = json_object_get(line, "undefined");
    if (!json_is_array(list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *kind = json_string_value(json_object_get(entry, "kind"));
        if (kind && strcmp(kind, "barrier-divergence") == 0)
            r->answer.divergent = true;
        else if (kind && strcmp(kind, "transaction-marks") == 0)
            r->answer.disordered = true;
        else if (!kind || strcmp(kind, "race") != 0 ||
                 !read_race(p, json_object_get(entry, "events"), r))
            return false;
    }
    return true;
}

/* The verdict must be what the states the tool itself lists make of the condition. */
static bool condition_fits(const struct ora_condition *c, const struct ora_set *states,
                           const json_t *said, bool undefined)
{
    size_t positive, negative;
    const char *verdict = json_string_value(json_object_get(said, "verdict"));
    const char *expected = ora_condition_verdict(c, states);
    ora_count_states(c, states, &positive, &negative);
    return verdict && strcmp(verdict, undefined ? "undefined" : expected) == 0 &&
           json_integer_value(json_object_get(said, "positive")) == (json_int_t)positive &&
           json_integer_value(json_object_get(said, "negative")) == (json_int_t)negative;
}

static bool read_verdict(const struct ora_program *p, const json_t *line, struct ora_reply *r)
{
    const char *verdict = json_string_value(json_object_get(line, "verdict"));
    const json_t *conditions = json_object_get(line, "conditions");
    struct ora_answer *a = &r->answer;
    if (!verdict || json_array_size(conditions) != 2)
        return false;
    a->undefined = strcmp(verdict, "undefined") == 0;
    const char *final = ora_condition_verdict(&p->final, &a->finals);
    const char *crash = ora_condition_verdict(&p->crash, &a->crashes);
    const char *worse = strcmp(final, "violated") == 0 || strcmp(crash, "ok") == 0 ? final : crash;
    return (a->undefined || strcmp(verdict, worse) == 0) &&
           condition_fits(&p->final, &a->finals, json_array_get(conditions, 0), a->undefined) &&
           condition_fits(&p->crash, &a->crashes, json_array_get(conditions, 1), a->undefined);
}

/* A decided test lists no state and counts none: what it says are two verdicts. */
static bool read_decided(const json_t *line, struct ora_reply *r)
{
    const json_t *conditions = json_object_get(line, "conditions");
    if (!json_is_true(json_object_get(line, "decided")) || json_array_size(conditions) != 2 ||
        json_object_get(line, "final_states") || json_object_get(line, "crash_states"))
        return false;
    for (size_t i = 0; i < 2; i++) {
        const json_t *condition = json_array_get(conditions, i);
        const char *verdict = json_string_value(json_object_get(condition, "verdict"));
        if (!verdict || !json_is_null(json_object_get(condition, "positive")))
            return false;
        snprintf(r->verdict[i], sizeof r->verdict[i], "%s", verdict);
    }
    return true;
}

static void read_line(const struct ora_tool *tool, const struct ora_program *p, const json_t *line,
                      struct ora_reply *r)
{
    if (r->said) {
        refuse(r, "two lines of output for this test");
        return;
    }
    r->said = true;
    if (tool->decide) {
        if (!read_decided(line, r))
            refuse(r, "a decided test without its verdicts, or with states");
        return;
    }
    if (!read_states(p, json_object_get(line, "final_states"), add_final, r))
        refuse(r, "final_states missing, malformed or with a duplicate");
    else if (!read_states(p, json_object_get(line, "crash_states"), add_crash, r))
        refuse(r, "crash_states missing, malformed or with a duplicate");
    else if (!read_undefined(p, line, r))
        refuse(r, "undefined missing, malformed, or naming an access that is not there");
    else if (!read_verdict(p, line, r))
        refuse(r, "the verdict of the test or of a condition is not what its states make of it");
}

/* ---- Running it ------------------------------------------------------------------------ */

static int test_index(const json_t *line, int n)
{
    const char *name = json_string_value(json_object_get(line, "test"));
    int index = -1;
    if (!name || sscanf(name, "t%d", &index) != 1 || index < 0 || index >= n)
        return -1;
    return index;
}

static void read_all(const struct ora_tool *tool, FILE *in, const struct ora_program *programs,
                     int n, struct ora_reply *replies)
{
    char *text = NULL;
    size_t room = 0;
    while (getline(&text, &room, in) > 0) {
        json_error_t error;
        json_t *line = json_loads(text, 0, &error);
        int i = line ? test_index(line, n) : -1;
        if (i >= 0)
            read_line(tool, &programs[i], line, &replies[i]);
        else
            fprintf(stderr, "oracle: unusable line of output: %s", text);
        json_decref(line);
    }
    free(text);
}

static bool write_test(const char *folder, const struct ora_program *p, int i)
{
    char path[PATH_ROOM], name[ORA_NAME];
    snprintf(path, sizeof path, "%s/t%d.litmus", folder, i);
    snprintf(name, sizeof name, "t%d", i);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    ora_write_litmus(out, p, name, "a random program");
    return fclose(out) == 0;
}

void ora_remove_folder(const char *folder, int n)
{
    char path[PATH_ROOM];
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/t%d.litmus", folder, i);
        unlink(path);
    }
    rmdir(folder);
}

bool ora_write_folder(const char *folder, const struct ora_program *programs, int n)
{
    ora_remove_folder(folder, MOST_IN_FOLDER); /* what a run that was cut short left */
    bool ok = mkdir(folder, 0777) == 0 || errno == EEXIST;
    for (int i = 0; i < n; i++)
        ok = ok && write_test(folder, &programs[i], i);
    if (!ok)
        fprintf(stderr, "oracle: cannot write tests into %s\n", folder);
    return ok;
}

/* 0 and 1 are verdicts, 3 an unknown verdict, which read_verdict refuses by itself. */
static bool ended_well(int status)
{
    return WIFEXITED(status) && (WEXITSTATUS(status) <= 1 || WEXITSTATUS(status) == 3);
}

struct ora_models ora_pair_models(struct ora_pair pair)
{
    return (struct ora_models){ora_visibility_name(pair.visibility),
                               ora_persistency_name(pair.persistency)};
}

bool ora_tool_ask(const struct ora_tool *tool, const char *path, struct ora_models models,
                  const struct ora_program *programs, int n, struct ora_reply *replies)
{
    char command[4096];
    int length = snprintf(
        command, sizeof command,
        "'%s' --engine enum --format json%s %s%s -m '%s' -p '%s' '%s' 2>'%s/stderr'", tool->binary,
        tool->decide ? " --decide" : "", programs[0].crash_mode ? "--crash " : "",
        programs[0].crash_mode ? crash_modes[programs[0].crash_mode] : "", models.visibility,
        models.persistency, path, tool->workdir);
    if (length < 0 || (size_t)length >= sizeof command)
        return false;
    FILE *in = popen(command, "r");
    if (!in)
        return false;
    read_all(tool, in, programs, n, replies);
    int status = pclose(in);
    if (!ended_well(status))
        fprintf(stderr, "oracle: status 0x%x from: %s\n", (unsigned)status, command);
    return ended_well(status);
}

/* ---- Comparing ---------------------------------------------------------------------------- */

bool ora_reply_agrees(const struct ora_reply *reply, const struct ora_answer *answer)
{
    return reply->said && reply->answer.undefined == answer->undefined &&
           reply->answer.divergent == answer->divergent &&
           reply->answer.disordered == answer->disordered &&
           ora_set_equal(&reply->answer.races, &answer->races) &&
           ora_set_equal(&reply->answer.finals, &answer->finals) &&
           ora_set_equal(&reply->answer.crashes, &answer->crashes);
}

bool ora_verdicts_agree(const struct ora_program *p, const struct ora_reply *reply,
                        const struct ora_answer *answer)
{
    const char *final = ora_condition_verdict(&p->final, &answer->finals);
    const char *crash = ora_condition_verdict(&p->crash, &answer->crashes);
    return reply->said && strcmp(reply->verdict[0], answer->undefined ? "undefined" : final) == 0 &&
           strcmp(reply->verdict[1], answer->undefined ? "undefined" : crash) == 0;
}

static void print_final(FILE *out, const struct ora_program *p, const struct ora_final *f)
{
    for (int t = 0; t < p->n_threads; t++)
        for (int r = 0; r < ora_shown_regs(p, t); r++)
            fprintf(out, " %d:r%d=%d", t, r, f->value[t * ORA_MAX_REGS + r]);
    for (int l = 0; l < p->n_locs; l++)
        fprintf(out, " %s=%d", ora_loc_name(l), f->value[ORA_MAX_THREADS * ORA_MAX_REGS + l]);
}

static void print_image(FILE *out, const struct ora_program *p, const struct ora_image *image)
{
    for (int l = 0; l < p->n_locs; l++)
        if (p->nvm[l])
            fprintf(out, " %s=%d", ora_loc_name(l), image->value[l]);
    for (int t = 0; t < p->n_threads; t++)
        for (int r = 0; r < ORA_MAX_REGS; r++)
            if (ora_crash_names(p, t, r) && image->reg[t][r] == ORA_NOTHING)
                fprintf(out, " %d:r%d=-", t, r);
            else if (ora_crash_names(p, t, r))
                fprintf(out, " %d:r%d=%d", t, r, image->reg[t][r]);
}

static void print_missing(FILE *out, const struct ora_program *p, const struct ora_answer *has,
                          const struct ora_answer *lacks, const char *who)
{
    for (size_t i = 0; i < has->finals.count; i++)
        if (!ora_set_has(&lacks->finals, ora_set_at(&has->finals, i))) {
            fprintf(out, "  final state of the %s only:", who);
            print_final(out, p, ora_set_at(&has->finals, i));
            fputc('\n', out);
        }
    for (size_t i = 0; i < has->crashes.count; i++)
        if (!ora_set_has(&lacks->crashes, ora_set_at(&has->crashes, i))) {
            fprintf(out, "  crash state of the %s only:", who);
            print_image(out, p, ora_set_at(&has->crashes, i));
            fputc('\n', out);
        }
}

void ora_print_difference(FILE *out, const struct ora_program *p, const struct ora_reply *reply,
                          const struct ora_answer *answer)
{
    if (!reply->said) {
        fprintf(out, "  the tool: %s\n", reply->why);
        return;
    }
    if (reply->answer.undefined != answer->undefined)
        fprintf(out, "  the tool says %s, the reference %s\n",
                reply->answer.undefined ? "undefined" : "defined",
                answer->undefined ? "undefined" : "defined");
    if (reply->answer.divergent != answer->divergent)
        fprintf(out, "  barrier divergence according to the %s only\n",
                answer->divergent ? "reference" : "tool");
    if (reply->answer.disordered != answer->disordered)
        fprintf(out, "  marks in disorder according to the %s only\n",
                answer->disordered ? "reference" : "tool");
    if (!ora_set_equal(&reply->answer.races, &answer->races))
        fprintf(out, "  the tool names %zu races, the reference %zu\n", reply->answer.races.count,
                answer->races.count);
    print_missing(out, p, &reply->answer, answer, "tool");
    print_missing(out, p, answer, &reply->answer, "reference");
}
