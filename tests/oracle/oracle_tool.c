/* Asks the tool under test and reads its JSON lines. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "oracle.h"

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
    ora_set_init(&r->answer.finals, sizeof(struct ora_final));
    ora_set_init(&r->answer.crashes, sizeof(struct ora_image));
}

void ora_reply_fini(struct ora_reply *r)
{
    ora_set_fini(&r->answer.finals);
    ora_set_fini(&r->answer.crashes);
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
        for (int r = 0; r < p->thread[t].n_regs; r++) {
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
    return found == json_object_size(state);
}

static void refuse(struct ora_reply *r, const char *why)
{
    r->said = false;
    snprintf(r->why, sizeof r->why, "%s", why);
}

static bool read_finals(const struct ora_program *p, const json_t *line, struct ora_reply *r)
{
    const json_t *list = json_object_get(line, "final_states");
    if (!json_is_array(list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct ora_final f;
        if (!read_final(p, json_array_get(list, i), &f) || !ora_set_add(&r->answer.finals, &f))
            return false;
    }
    return true;
}

static bool read_crashes(const struct ora_program *p, const json_t *line, struct ora_reply *r)
{
    const json_t *list = json_object_get(line, "crash_states");
    if (!json_is_array(list))
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct ora_image image;
        if (!read_image(p, json_array_get(list, i), &image) ||
            !ora_set_add(&r->answer.crashes, &image))
            return false;
    }
    return true;
}

/* The conditions hold of any state: `violated` says there is none. */
static bool read_verdict(const json_t *line, struct ora_reply *r)
{
    const char *verdict = json_string_value(json_object_get(line, "verdict"));
    if (!verdict)
        return false;
    r->answer.undefined = strcmp(verdict, "undefined") == 0;
    bool no_state = r->answer.finals.count == 0 || r->answer.crashes.count == 0;
    return r->answer.undefined || strcmp(verdict, no_state ? "violated" : "ok") == 0;
}

static void read_line(const struct ora_program *p, const json_t *line, struct ora_reply *r)
{
    if (r->said) {
        refuse(r, "two lines of output for this test");
        return;
    }
    r->said = true;
    if (!read_finals(p, line, r))
        refuse(r, "final_states missing, malformed or with a duplicate");
    else if (!read_crashes(p, line, r))
        refuse(r, "crash_states missing, malformed or with a duplicate");
    else if (!read_verdict(line, r))
        refuse(r, "verdict is none of the possible ones");
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

static void read_all(FILE *in, const struct ora_program *programs, int n,
                     struct ora_reply *replies)
{
    char *text = NULL;
    size_t room = 0;
    while (getline(&text, &room, in) > 0) {
        json_error_t error;
        json_t *line = json_loads(text, 0, &error);
        int i = line ? test_index(line, n) : -1;
        if (i >= 0)
            read_line(&programs[i], line, &replies[i]);
        else
            fprintf(stderr, "oracle: unusable line of output: %s", text);
        json_decref(line);
    }
    free(text);
}

/* 0 and 1 are verdicts, 3 an unknown verdict, which read_verdict refuses by itself. */
static bool ended_well(int status)
{
    return WIFEXITED(status) &&
           (WEXITSTATUS(status) <= 1 || WEXITSTATUS(status) == 3);
}

bool ora_tool_ask(const struct ora_tool *tool, const char *path, struct ora_pair pair,
                  const struct ora_program *programs, int n, struct ora_reply *replies)
{
    char command[4096];
    int length = snprintf(command, sizeof command,
                          "'%s' --format json -m %s -p %s '%s' 2>'%s/stderr'", tool->binary,
                          ora_visibility_name(pair.visibility),
                          ora_persistency_name(pair.persistency), path, tool->workdir);
    if (length < 0 || (size_t)length >= sizeof command)
        return false;
    FILE *in = popen(command, "r");
    if (!in)
        return false;
    read_all(in, programs, n, replies);
    int status = pclose(in);
    if (!ended_well(status))
        fprintf(stderr, "oracle: status 0x%x from: %s\n", (unsigned)status, command);
    return ended_well(status);
}

/* ---- Comparing ---------------------------------------------------------------------------- */

bool ora_reply_agrees(const struct ora_reply *reply, const struct ora_answer *answer)
{
    return reply->said && reply->answer.undefined == answer->undefined &&
           ora_set_equal(&reply->answer.finals, &answer->finals) &&
           ora_set_equal(&reply->answer.crashes, &answer->crashes);
}

static void print_final(FILE *out, const struct ora_program *p, const struct ora_final *f)
{
    for (int t = 0; t < p->n_threads; t++)
        for (int r = 0; r < p->thread[t].n_regs; r++)
            fprintf(out, " %d:r%d=%d", t, r, f->value[t * ORA_MAX_REGS + r]);
    for (int l = 0; l < p->n_locs; l++)
        fprintf(out, " %s=%d", ora_loc_name(l), f->value[ORA_MAX_THREADS * ORA_MAX_REGS + l]);
}

static void print_image(FILE *out, const struct ora_program *p, const struct ora_image *image)
{
    for (int l = 0; l < p->n_locs; l++)
        if (p->nvm[l])
            fprintf(out, " %s=%d", ora_loc_name(l), image->value[l]);
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
    print_missing(out, p, &reply->answer, answer, "tool");
    print_missing(out, p, answer, &reply->answer, "reference");
}
