/* Renders what rules insert: parameters become the test's text, and items for each location or
 * kernel are repeated. */
#include "mapping/mapping_run.h"

#include <string.h>

const char *mapping_register(struct mapping_run *run, const char *purpose)
{
    const char *name;
    do
        name = arena_printf(run->arena, "%s_%u", purpose, ++run->numbers);
    while (strstr(run->edits.source->text, name));
    return intern_text(run->names, name);
}

const struct lit_rule *mapping_rule(const struct lit_scheme *scheme, enum lit_rule_kind kind)
{
    const struct lit_rule *rule = scheme->rules;
    while (rule && rule->kind != kind)
        rule = rule->next;
    return rule;
}

/* Parameters of a rule and what they stand for here. */
struct names {
    const char *formals[LIT_MAX_MAPPED_FORMALS], *values[LIT_MAX_MAPPED_FORMALS];
    uint32_t count;
};

struct rendering {
    struct mapping_run *run;
    struct lit_region *region;
    struct names names;
    mapping_lines *lines;
    struct strbuf line; /* that is being written */
};

static void end_line(struct rendering *rendering)
{
    if (rendering->line.length)
        VEC_PUSH(rendering->lines, strbuf_take(&rendering->line, rendering->run->arena));
}

static const char *value_of(const struct names *names, const char *word)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->formals[i] == word)
            return names->values[i];
    return word;
}

static void render_call(struct rendering *rendering, const struct lit_item *item)
{
    struct strbuf *line = &rendering->line;
    bool table = mapping_is_table(rendering->run);
    size_t before = line->length;
    bool joins = item->arg_count && !item->parentheses;
    if (table)
        end_line(rendering);
    strbuf_printf(line, "%s%s%s", line->length ? " " : "",
                  table ? mapping_cell_word(rendering->run, item->name) : item->name,
                  joins || (table && item->arg_count) ? " "
                  : item->parentheses && !table       ? "("
                                                      : "");
    for (uint32_t i = 0; i < item->arg_count; i++)
        strbuf_printf(line, "%s%s", i ? ", " : "", value_of(&rendering->names, item->args[i]));
    strbuf_add(line, item->parentheses && !table ? ")" : "");
    strbuf_add(line, table ? "" : ";");
    rendering->run->inserted += line->length - (table ? 0 : before);
}

/* A test would be larger than tests may be. */
static bool is_too_large(const struct mapping_run *run)
{
    return run->inserted > SOURCE_MAX_BYTES;
}

static void render_items(struct rendering *rendering, const struct lit_item *item);

static void render_with(struct rendering *rendering, const struct lit_item *item, const char *value)
{
    struct names *names = &rendering->names;
    names->formals[names->count] = item->name;
    names->values[names->count++] = value;
    render_items(rendering, item->items);
    names->count--;
}

/* A location that may not have been stored to, or several of a loop, has a line of its own. */
static void render_place(struct rendering *rendering, const struct lit_item *item,
                         const struct lit_stored *place)
{
    if (!place->flag && !place->loops[0]) {
        render_with(rendering, item, place->text);
        return;
    }
    end_line(rendering);
    if (place->flag)
        strbuf_printf(&rendering->line, "if (%s) {", place->flag);
    else
        strbuf_printf(&rendering->line, "%s{", place->loops);
    render_with(rendering, item, place->text);
    strbuf_add(&rendering->line, " }");
    end_line(rendering);
}

/* How many letters and digits it begins with. */
static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* A text with the value that the counter had so many iterations ago. */
static const char *iterations_ago(struct mapping_run *run, const struct lit_region *region,
                                  const char *text, uint32_t ago)
{
    struct strbuf out = {0};
    while (*text) {
        size_t length = word_length(text);
        bool counts = length && length == strlen(region->counter) &&
                      strncmp(text, region->counter, length) == 0;
        if (counts && strcmp(region->by, "1") == 0)
            strbuf_printf(&out, "(%s - %u)", region->counter, ago);
        else if (counts)
            strbuf_printf(&out, "(%s - %u * (%s))", region->counter, ago, region->by);
        else
            strbuf_add_bytes(&out, text, length ? length : 1);
        text += length ? length : 1;
    }
    return strbuf_take(&out, run->arena);
}

/* What earlier iterations of an epoch have stored to, the counter names by its values in them. */
static void render_stored(struct rendering *rendering, const struct lit_item *item)
{
    struct lit_region *region = rendering->region;
    end_line(rendering);
    for (size_t i = 0; region && i < region->stored.count; i++) {
        const struct lit_stored *place = &region->stored.items[i];
        for (uint32_t ago = region->counter ? region->iterations - 1 : 0; ago > 0; ago--) {
            struct lit_stored then = *place;
            then.text = iterations_ago(rendering->run, region, place->text, ago);
            then.loops = iterations_ago(rendering->run, region, place->loops, ago);
            if (strcmp(then.text, place->text) != 0 || strcmp(then.loops, place->loops) != 0)
                render_place(rendering, item, &then);
        }
        render_place(rendering, item, place);
    }
    end_line(rendering);
}

static void render_launched(struct rendering *rendering, const struct lit_item *item)
{
    end_line(rendering);
    for (size_t i = 0; rendering->region && i < rendering->region->launched.count; i++)
        render_with(rendering, item,
                    arena_printf(rendering->run->arena, "%lld",
                                 (long long)rendering->region->launched.items[i]));
    end_line(rendering);
}

static void render_items(struct rendering *rendering, const struct lit_item *item)
{
    for (; item && !is_too_large(rendering->run); item = item->next)
        switch (item->kind) {
        case LIT_ITEM_CALL: render_call(rendering, item); break;
        case LIT_ITEM_EACH_STORED: render_stored(rendering, item); break;
        case LIT_ITEM_EACH_LAUNCHED: render_launched(rendering, item); break;
        case LIT_ITEM_FIRST:
            end_line(rendering);
            rendering->run->firsts[rendering->run->thread - rendering->run->threads]++;
            if (rendering->run->first)
                render_items(rendering, item->items);
            end_line(rendering);
            break;
        }
}

void mapping_render(struct mapping_run *run, const struct lit_rule *rule,
                    const struct lit_item *items, const char *const *args,
                    struct lit_region *region, mapping_lines *lines)
{
    struct rendering rendering = {.run = run, .region = region, .lines = lines};
    for (uint32_t i = 0; i < rule->formal_count; i++) {
        rendering.names.formals[i] = rule->formals[i];
        rendering.names.values[i] = args[i];
    }
    rendering.names.count = rule->formal_count;
    if (is_too_large(run))
        return; /* is told already */
    render_items(&rendering, items);
    if (is_too_large(run))
        diag_error(run->diag, DIAG_LIT_TOO_LARGE, rule->span,
                   "this inserts more than the %d bytes that a test may have", SOURCE_MAX_BYTES);
    end_line(&rendering);
}

void mapping_insert(struct mapping_run *run, const struct lit_spot *spot,
                    const mapping_lines *lines)
{
    lit_edit_behind(&run->edits, lit_edit_end(&run->edits, spot->stmt->extent),
                    spot->braces ? NULL : spot->indent, lines->items, lines->count);
}
