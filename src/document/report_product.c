/* States that are not listed: factors that know nothing of one another, each a union of boxes.
 * In a box columns that have the same values are told together. */
#include "base/json.h"
#include "mdd/mdd_cover.h"
#include "document/report_product.h"
#include "document/report_json.h"

#include <stdlib.h>
#include <string.h>

struct box {
    const struct lit_program *program;
    const struct outcome_states *states;
    const struct mdd_factor *factor;
    const struct mdd_values *values; /* per column of the factor */
};

static struct box box_of(const struct lit_program *program, const struct outcome_states *states,
                         const struct mdd_factor *factor, uint32_t number)
{
    return (struct box){program, states, factor, factor->boxes + (size_t)number * factor->width};
}

static const struct lit_atom *item_of(const struct box *box, uint32_t place)
{
    return &box->states->items[box->factor->columns[place]];
}

/* ---- Values ---- */

/* A register is told beside the column that says whether it has a value. */
static struct mdd_cover cover_of(struct arena *arena, const struct outcome_states *states)
{
    bool *follows = ARENA_ARRAY(arena, bool, states->width);
    for (uint32_t i = 1; i < states->width; i++)
        follows[i] = states->items[i - 1].kind == LIT_ATOM_GIVEN;
    return mdd_cover(arena, states->product, states->root, follows);
}

/* What the column before it says of a register: may it have a value, may it have none? Where that
 * is of another factor it has one: alone it says one thing of all states, and of none with a value
 * the register's column is alone as well. */
static void look_at_given(const struct box *box, uint32_t place, bool *some, bool *none)
{
    uint32_t column = box->factor->columns[place];
    *some = true;
    *none = false;
    if (item_of(box, place)->kind != LIT_ATOM_REGISTER || place == 0 ||
        box->factor->columns[place - 1] != column - 1 ||
        item_of(box, place - 1)->kind != LIT_ATOM_GIVEN)
        return;
    const struct mdd_values *given = &box->values[place - 1];
    *none = given->items[0] == 0;
    *some = given->items[given->count - 1] != 0;
}

static bool same_values(const struct box *box, uint32_t a, uint32_t b)
{
    const struct mdd_values *x = &box->values[a], *y = &box->values[b];
    bool some_x, none_x, some_y, none_y;
    look_at_given(box, a, &some_x, &none_x);
    look_at_given(box, b, &some_y, &none_y);
    return x->count == y->count && some_x == some_y && none_x == none_y &&
           lit_atom_type(box->program, item_of(box, a)) ==
               lit_atom_type(box->program, item_of(box, b)) &&
           memcmp(x->items, y->items, x->count * sizeof *x->items) == 0;
}

/* "0, 1 or 2", "0..9"; "-" is no value. */
static void add_values(const struct box *box, uint32_t place, struct strbuf *out)
{
    const struct mdd_values *values = &box->values[place];
    const struct lit_atom *item = item_of(box, place);
    bool some, none;
    look_at_given(box, place, &some, &none);
    if (none)
        strbuf_add(out, "-");
    for (uint32_t i = 0; some && i < values->count; i++) {
        uint32_t last = i;
        while (last + 1 < values->count && values->items[last + 1] == values->items[last] + 1)
            last++;
        if (i || none)
            strbuf_add(out, i + 1 == values->count || (last > i + 2 && last + 1 == values->count)
                                ? " or "
                                : ", ");
        report_item_value(box->program, item, values->items[i], out);
        if (last > i + 2) {
            strbuf_add(out, "..");
            i = last;
            report_item_value(box->program, item, values->items[i], out);
        }
    }
}

/* ---- Names ---- */

/* Is the second the name that follows the first, as x8 x9, a[9] a[10]? */
static bool follows(const char *a, const char *b)
{
    size_t head = 0;
    while (a[head] && a[head] == b[head])
        head++;
    while (head > 0 && a[head - 1] >= '0' && a[head - 1] <= '9')
        head--;
    char *a_end, *b_end;
    if (a[head] < '0' || a[head] > '9' || b[head] < '0' || b[head] > '9' ||
        (b[head] == '0' && b[head + 1] >= '0' && b[head + 1] <= '9'))
        return false;
    unsigned long long x = strtoull(a + head, &a_end, 10), y = strtoull(b + head, &b_end, 10);
    return y == x + 1 && y != 0 && strcmp(a_end, b_end) == 0;
}

typedef VEC(char *) name_list;

/* "x0..x19, y" */
static void add_names(const name_list *names, struct strbuf *out)
{
    for (size_t i = 0; i < names->count; i++) {
        size_t last = i;
        while (last + 1 < names->count && follows(names->items[last], names->items[last + 1]))
            last++;
        strbuf_printf(out, "%s%s", i ? ", " : "", names->items[i]);
        if (last > i + 1) {
            strbuf_printf(out, "..%s", names->items[last]);
            i = last;
        }
    }
}

/* ---- Text ---- */

/* Adds all columns from this one on that have the same values. */
static void add_group(const struct box *box, uint32_t place, bool *told, struct strbuf *out)
{
    name_list names = {0};
    bool some, none;
    for (uint32_t i = place; i < box->factor->width; i++) {
        if (told[i] || !report_is_shown(item_of(box, i)) || !same_values(box, place, i))
            continue;
        struct strbuf name = {0};
        report_item(box->program, item_of(box, i), &name);
        VEC_PUSH(&names, name.text);
        told[i] = true;
    }
    look_at_given(box, place, &some, &none);
    bool several = box->values[place].count > 1 || (some && none);
    strbuf_add(out, names.count > 1 ? "{" : "");
    add_names(&names, out);
    strbuf_printf(out, "%s%s", names.count > 1 ? "}" : "",
                  !several          ? "="
                  : names.count > 1 ? " each "
                                    : " is ");
    add_values(box, place, out);
    for (size_t i = 0; i < names.count; i++)
        base_free(names.items[i]);
    VEC_FREE(&names);
}

/* "1,048,576" */
static void add_grouped(const char *digits, struct strbuf *out)
{
    for (size_t left = strlen(digits); left > 0; left--, digits++) {
        strbuf_add_char(out, *digits);
        if (left > 1 && left % 3 == 1)
            strbuf_add_char(out, ',');
    }
}

static void add_box(const struct box *box, uint32_t number, struct strbuf *out)
{
    bool *told = base_realloc(NULL, box->factor->width);
    SCOPED(strbuf) count = {0};
    const char *between = "";
    memset(told, 0, box->factor->width);
    for (uint32_t i = 0; i < box->factor->width; i++) {
        if (told[i] || !report_is_shown(item_of(box, i)))
            continue;
        strbuf_add(out, between);
        add_group(box, i, told, out);
        between = "; ";
    }
    base_free(told);
    mdd_box_count(box->factor, number, &count);
    if (strcmp(strbuf_text(&count), "1") == 0) {
        strbuf_add(out, ";\n");
    } else {
        strbuf_add(out, ": ");
        add_grouped(strbuf_text(&count), out);
        strbuf_add(out, " states\n");
    }
}

void report_text_product(const struct lit_program *program, const struct outcome_states *states,
                         struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    const struct mdd_cover cover = cover_of(&arena, states);
    for (uint32_t f = 0; f < cover.count; f++) {
        const struct mdd_factor *factor = &cover.factors[f];
        strbuf_add(out, f ? "times\n" : "");
        for (uint32_t b = 0; b < factor->box_count; b++) {
            const struct box box = box_of(program, states, factor, b);
            add_box(&box, b, out);
        }
        if (factor->partial)
            strbuf_add(out, "and states that no line has\n");
    }
}

/* ---- JSON ---- */

/* A value of up to 18 digits fits a signed number of 64 bits; a longer one becomes a text. */
void report_json_digits(const char *name, const char *digits, struct strbuf *out)
{
    bool fits = strlen(digits) < 19;
    if (fits) {
        emit_name(out, name);
        strbuf_add(out, digits);
    } else {
        emit_string(out, name, digits);
    }
}

static void add_json_column(const struct box *box, uint32_t place, struct strbuf *out)
{
    SCOPED(strbuf) name = {0};
    const struct mdd_values *values = &box->values[place];
    bool some, none;
    look_at_given(box, place, &some, &none);
    report_item(box->program, item_of(box, place), &name);
    emit_array(out, strbuf_text(&name));
    if (none)
        strbuf_add(out, "null");
    for (uint32_t i = 0; some && i < values->count; i++) {
        strbuf_add(out, i || none ? "," : "");
        report_item_value(box->program, item_of(box, place), values->items[i], out);
    }
    emit_end(out, ']');
}

static void add_json_box(const struct box *box, struct strbuf *out)
{
    emit_object(out, NULL);
    for (uint32_t i = 0; i < box->factor->width; i++)
        if (report_is_shown(item_of(box, i)))
            add_json_column(box, i, out);
    emit_end(out, '}');
}

void report_json_product(const char *name, const struct lit_program *program,
                         const struct outcome_states *states, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    SCOPED(strbuf) digits = {0};
    bool partial = false;
    char digest[REPORT_DIGEST_SIZE];
    const struct mdd_cover cover = cover_of(&arena, states);
    outcome_state_count_text(states, &digits);
    report_digest(mdd_digest(states->product, states->root), digest);
    emit_object(out, name);
    report_json_digits("count", strbuf_text(&digits), out);
    emit_string(out, "digest", digest);
    emit_array(out, "product");
    for (uint32_t f = 0; f < cover.count; f++) {
        emit_array(out, NULL);
        for (uint32_t b = 0; b < cover.factors[f].box_count; b++) {
            const struct box box = box_of(program, states, &cover.factors[f], b);
            add_json_box(&box, out);
        }
        emit_end(out, ']');
        partial |= cover.factors[f].partial;
    }
    emit_end(out, ']');
    if (partial)
        emit_bool(out, "partial", true);
    emit_end(out, '}');
}
