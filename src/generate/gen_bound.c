#include "generate/gen_bound.h"

#include "base/arena.h"
#include "base/bits.h"
#include "generate/gen_print.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 12, MOST_WORDS = 32 };

/* The words of a set, a bit each. */
static const char *const scope_words[] = {"wi", "sg", "wg", "kr", "dev", "all", NULL};
static const char *const order_words[] = {"na", "rlx", "acq", "rel", "acq_rel", "sc", NULL};
static const char *const dependency_words[] = {"none", "ctrl", "data", "addr", NULL};
static const char *const memory_words[] = {"nvm", "volatile", NULL};
static const char *const host_words[] = {"no", "yes", NULL};

struct row {
    const char *name;
    uint32_t *number;     /* NULL: a set */
    uint32_t least, most; /* of the number */
    uint32_t *set;
    const char *const *words; /* of the set */
};

enum { ROWS = 11 };

/* Sets that the bound has as flags, and the families' names. */
struct reading {
    struct gen_bound *bound;
    uint32_t memory, hosts;
    const char *families[MOST_WORDS + 1];
    struct row rows[ROWS];
    uint32_t read; /* rows, a bit each */
};

static void begin_bound(struct reading *r, struct gen_bound *bound)
{
    const struct gen_vocabulary *v = bound->vocabulary;
    BASE_CHECK(v->family_count <= MOST_WORDS);
    r->bound = bound;
    r->read = 0;
    r->memory = (uint32_t)(bound->nvm | bound->volatiles << 1);
    r->hosts = 1u << bound->hosts;
    for (uint32_t f = 0; f < v->family_count; f++)
        r->families[f] = v->families[f].name;
    r->families[v->family_count] = NULL;
    bound->families &= (uint32_t)((UINT64_C(1) << v->family_count) - 1);
    const struct row rows[ROWS] = {
        {"events", &bound->events, 1, MOST_EVENTS, NULL, NULL},
        {"barriers", &bound->barriers, 0, GEN_MAX_OPS - MOST_EVENTS, NULL, NULL},
        {"threads", &bound->threads, 1, GEN_MAX_THREADS, NULL, NULL},
        {"locations", &bound->locations, 1, GEN_MAX_LOCATIONS, NULL, NULL},
        {"scopes", NULL, 0, 0, &bound->scopes, scope_words},
        {"levels", NULL, 0, 0, &bound->levels, scope_words},
        {"orders", NULL, 0, 0, &bound->orders, order_words},
        {"deps", NULL, 0, 0, &bound->dependencies, dependency_words},
        {"memory", NULL, 0, 0, &r->memory, memory_words},
        {"families", NULL, 0, 0, &bound->families, r->families},
        {"hosts", NULL, 0, 0, &r->hosts, host_words},
    };
    memcpy(r->rows, rows, sizeof rows);
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

static void list_words(const char *const *words, struct strbuf *out)
{
    for (uint32_t i = 0; words[i]; i++)
        strbuf_printf(out, "%s%s", i ? ", " : "", words[i]);
}

static bool refuse_word(const char *option, const char *at, size_t length, const char *const *words,
                        struct diag *diag)
{
    SCOPED(strbuf) list = {0};
    list_words(words, &list);
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "%s: found '%.*s', expected one of %s", option,
               (int)length, at, strbuf_text(&list));
    return false;
}

static bool read_set(const struct row *row, const char *option, const char *at, size_t length,
                     struct diag *diag)
{
    uint32_t set = 0;
    for (const char *end = at + length; at <= end;) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        size_t word = (size_t)((colon ? colon : end) - at);
        uint32_t i = 0;
        while (row->words[i] && !is_word(at, word, row->words[i]))
            i++;
        if (!row->words[i])
            return refuse_word(option, at, word, row->words, diag);
        set |= 1u << i;
        at += word + 1;
    }
    *row->set = set;
    return true;
}

static bool read_number(const struct row *row, const char *option, const char *at, size_t length,
                        struct diag *diag)
{
    char *end = NULL;
    unsigned long number = length && *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
    if (end != at + length || number < row->least || number > row->most) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "%s: found %s=%.*s, expected a number from %u to %u", option, row->name,
                   (int)length, at, row->least, row->most);
        return false;
    }
    *row->number = (uint32_t)number;
    return true;
}

static bool refuse_twice(const struct row *row, const char *option, struct diag *diag)
{
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "%s: found %s= twice, expected it once%s",
               option, row->name, row->set ? ", with its words joined by ':'" : "");
    return false;
}

static bool read_part(struct reading *r, const char *option, const char *at, size_t length,
                      struct diag *diag)
{
    const char *names[ROWS + 1] = {NULL}, *equals = memchr(at, '=', length);
    size_t name = equals ? (size_t)(equals - at) : length;
    for (uint32_t i = 0; i < ROWS; i++) {
        const struct row *row = &r->rows[i];
        names[i] = row->name;
        if (!equals || !is_word(at, name, row->name))
            continue;
        if (r->read >> i & 1)
            return refuse_twice(row, option, diag);
        r->read |= 1u << i;
        return row->number ? read_number(row, option, equals + 1, length - name - 1, diag)
                           : read_set(row, option, equals + 1, length - name - 1, diag);
    }
    return refuse_word(option, at, name, names, diag);
}

bool gen_bound_read(const char *text, const char *option, struct gen_bound *bound,
                    struct diag *diag)
{
    struct reading r;
    begin_bound(&r, bound);
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        if (!read_part(&r, option, at, length, diag))
            return false;
        at += length + (at[length] == ',');
    }
    bound->nvm = r.memory & 1;
    bound->volatiles = r.memory >> 1 & 1;
    bound->hosts = r.hosts >> 1 & 1;
    /* What has no scope, and what is not dependent, is there whatever is named. */
    bound->scopes |= 1u << LIT_SCOPE_WI;
    bound->orders |= 1u << LIT_ORDER_NA;
    bound->dependencies |= 1u << GEN_FREE;
    return true;
}

void gen_bound_text(const struct gen_bound *bound, struct strbuf *out)
{
    struct gen_bound copy = *bound;
    struct reading r;
    begin_bound(&r, &copy);
    for (uint32_t i = 0; i < ROWS; i++) {
        const struct row *row = &r.rows[i];
        if (!row->number && !*row->set)
            continue;
        strbuf_printf(out, "%s%s=", i ? "," : "", row->name);
        if (row->number)
            strbuf_printf(out, "%u", *row->number);
        const char *before = "";
        for (uint32_t w = 0; !row->number && row->words[w]; w++)
            if (*row->set >> w & 1) {
                strbuf_printf(out, "%s%s", before, row->words[w]);
                before = ":";
            }
    }
}

void gen_bound_left_out(const struct gen_bound *bound, struct strbuf *out)
{
    const struct gen_vocabulary *v = bound->vocabulary;
    if (v->left_out)
        strbuf_printf(out, "%s%s", out->length ? ", " : "", v->left_out);
    for (uint32_t f = GEN_COMMON; v->derived && f < v->family_count; f++)
        if (!v->families[f].text[bound->dialect])
            strbuf_printf(out, "%s'%s' (the dialect has no word for it)", out->length ? ", " : "",
                          v->families[f].name);
}
