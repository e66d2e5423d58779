/* What a rule inserts is looked up in the definition files that the mapping uses, so a wrong name
 * is found without a test. */
#include "mapping/mapping_read.h"
#include "litmus/lit_words.h"

#include <string.h>

enum { MOST_ITEMS = 4096, MOST_NESTED = 4 };

static bool is_formal(const struct lit_reading *reading, const char *name)
{
    return ANY(i, reading->rule->formal_count, reading->rule->formals[i] == name);
}

/* Is it a function, or defined by the mapping's files, with so many arguments? */
static void check_call(struct lit_reading *reading, const struct lit_item *item)
{
    const struct lit_definition *definition =
        lit_uses_find(&reading->definitions, reading->definitions.count, item->name);
    if (definition && definition->count != item->arg_count)
        READING_FAULT(reading, item->span, "'%s' takes %u argument%s, found %u", item->name,
                      definition->count, definition->count == 1 ? "" : "s", item->arg_count);
    if (definition || lit_word_function(item->name))
        return;
    for (size_t i = 0; i < reading->unknown.count; i++)
        if (reading->unknown.items[i] == item->name)
            return; /* one report is enough */
    VEC_PUSH(&reading->unknown, item->name);
    const char *near = lit_uses_nearest(reading->arena, &reading->definitions, item->name, true);
    const char *file_to_use;
    const char *advice = near ? NULL : lit_uses_advice(reading->arena, item->name, &file_to_use);
    if (near)
        READING_FAULT(reading, item->span, "there is no function '%s' here; did you mean '%s'?",
                      item->name, near);
    else
        READING_FAULT(
            reading, item->span, "there is no function '%s' here; %s", item->name,
            advice ? advice
                   : "expected one of the language, or of a file that stands behind 'uses' at "
                     "the top");
    diag_meant_by(reading->diag, item->span, item->name, near);
}

static bool read_args(struct lit_reading *reading, struct lit_item *item)
{
    item->parentheses = true;
    lit_reading_next(reading);
    while (!lit_reading_is(reading, ")")) {
        if (item->arg_count == LIT_MAX_MAPPED_FORMALS || !lit_reading_is_letter(reading->word[0]))
            return lit_reading_unexpected(reading, "an argument: a parameter, a word or a number",
                                          NULL, 0);
        item->args[item->arg_count++] = reading->word;
        lit_reading_next(reading);
        if (!lit_reading_is(reading, ")") && !lit_reading_take(reading, ","))
            return false;
    }
    lit_reading_next(reading);
    return true;
}

/* `each stored X { .. }`, `each launched K { .. }` */
static bool read_each(struct lit_reading *reading, struct lit_item *item)
{
    static const char *const sorts[] = {MAPPING_WORD(stored), MAPPING_WORD(launched)};
    if (reading->rule->formal_count)
        return lit_reading_unexpected(
            reading,
            "a statement that is not for each of some: one 'each' goes over all of "
            "them",
            NULL, 0);
    lit_reading_next(reading);
    item->kind = lit_reading_is(reading, MAPPING_WORD(stored)) ? LIT_ITEM_EACH_STORED
                                                               : LIT_ITEM_EACH_LAUNCHED;
    if (!lit_reading_is(reading, MAPPING_WORD(stored)) &&
        !lit_reading_is(reading, MAPPING_WORD(launched)))
        return lit_reading_unexpected(reading, "'stored' or 'launched'", sorts, 2);
    bool launched = item->kind == LIT_ITEM_EACH_LAUNCHED;
    if (launched != (reading->rule->kind == LIT_RULE_LAUNCHES) ||
        (!launched && reading->rule->kind != LIT_RULE_END &&
         reading->rule->kind != LIT_RULE_ITERATIONS)) {
        READING_FAULT(reading, item->span, "'each %s' has no place here; expected in a rule '%s'",
                      reading->word,
                      launched ? "every N launches" : "at end' or 'every N iterations");
        reading->stopped = true;
        return false;
    }
    lit_reading_next(reading);
    if (!lit_reading_take_name(reading, "a parameter", &item->name))
        return false;
    struct lit_rule *rule = reading->rule;
    rule->formals[rule->formal_count++] = item->name;
    bool good = lit_reading_take(reading, "{");
    item->items = good ? lit_reading_items(reading) : NULL;
    rule->formal_count--;
    return good && lit_reading_take(reading, "}");
}

static bool read_call(struct lit_reading *reading, struct lit_item *item)
{
    static const char *const opening[] = {MAPPING_WORD(first), MAPPING_WORD(each)};
    item->name = reading->word;
    if (lit_reading_is(reading, MAPPING_WORD(join)) && reading->rule->kind == LIT_RULE_LAUNCHES) {
        lit_reading_next(reading);
        if (!is_formal(reading, reading->word))
            return lit_reading_unexpected(reading, "the parameter of 'each launched'", NULL, 0);
        item->args[item->arg_count++] = reading->word;
        lit_reading_next(reading);
        return lit_reading_take(reading, ";");
    }
    lit_reading_next(reading);
    if (lit_reading_is(reading, "{"))
        return lit_reading_unexpected_at(reading, item->span, item->name,
                                         "a statement, or 'first {'", opening, 2);
    if (lit_reading_is(reading, "(") ? !read_args(reading, item) : !lit_reading_is(reading, ";"))
        return lit_reading_unexpected(reading, "'(' or ';'", NULL, 0);
    check_call(reading, item);
    return lit_reading_take(reading, ";");
}

static bool read_item(struct lit_reading *reading, struct lit_item *item)
{
    item->span = reading->span;
    if (++reading->items > MOST_ITEMS || reading->nested > MOST_NESTED) {
        READING_FAIL(reading, DIAG_LIT_TOO_LARGE, reading->span,
                     "this mapping inserts more than %d statements, or in more than %d levels",
                     MOST_ITEMS, MOST_NESTED);
        reading->stopped = true;
        return false;
    }
    if (lit_reading_is(reading, MAPPING_WORD(each)))
        return read_each(reading, item);
    if (!lit_reading_is(reading, MAPPING_WORD(first)))
        return read_call(reading, item);
    item->kind = LIT_ITEM_FIRST;
    lit_reading_next(reading);
    bool good = lit_reading_take(reading, "{");
    item->items = good ? lit_reading_items(reading) : NULL;
    return good && lit_reading_take(reading, "}");
}

static bool begins_rule(const struct lit_reading *reading)
{
    return lit_reading_is(reading, MAPPING_WORD(after)) ||
           lit_reading_is(reading, MAPPING_WORD(instead)) ||
           lit_reading_is(reading, MAPPING_WORD(at)) ||
           lit_reading_is(reading, MAPPING_WORD(every)) ||
           lit_reading_is(reading, MAPPING_WORD(promises)) ||
           lit_reading_is(reading, MAPPING_WORD(keep));
}

const struct lit_item *lit_reading_items(struct lit_reading *reading)
{
    const struct lit_item *first = NULL, **last = &first;
    reading->nested++;
    while (!reading->stopped && !begins_rule(reading) && !lit_reading_is(reading, "}")) {
        if (lit_reading_is(reading, ";")) { /* nothing */
            lit_reading_next(reading);
            continue;
        }
        if (!lit_reading_is_name(reading) || lit_reading_is(reading, MAPPING_WORD(pragma)) ||
            lit_reading_is(reading, MAPPING_WORD(everywhere))) {
            lit_reading_unexpected(reading, "a statement, a rule or '}'", NULL, 0);
            break;
        }
        struct lit_item *item = ARENA_NEW(reading->arena, struct lit_item);
        if (!read_item(reading, item))
            break;
        *last = item;
        last = (const struct lit_item **)&item->next;
    }
    reading->nested--;
    return first;
}
