/* The orders of tags that definition files say. All pairs are kept, those that follow from others
 * too, so a look at them answers which of two is weaker. */
#include "litmus/lit_uses_reading.h"
#include "litmus/lit_words.h"

#include <ctype.h>
#include <string.h>

enum { MOST_TOLD = 20 }; /* tags that no instruction has */

bool lit_is_weaker(const struct lit_weaker *pairs, uint32_t count, const char *a, const char *b)
{
    return ANY(i, count, strcmp(pairs[i].weaker, a) == 0 && strcmp(pairs[i].stronger, b) == 0);
}

static bool is_weaker(const struct lit_uses_reading *reading, const char *a, const char *b)
{
    return lit_is_weaker(reading->weaker.items, (uint32_t)reading->weaker.count, a, b);
}

static bool has_tag(const struct lit_uses_reading *reading, const char *tag)
{
    return ANY(i, reading->definitions.count,
               ANY(t, reading->definitions.items[i]->tag_count,
                   reading->definitions.items[i]->tags[t] == tag));
}

/* Of a file by itself, definitions with the tag may be in one that a test uses before it. */
static void look_up(struct lit_uses_reading *reading, const struct ast_name *tag)
{
    VEC(const char *) tags = {0};
    uint32_t ignored;
    if (lit_word_class(tag->text, &ignored) != LIT_WORD_OTHER)
        LIT_USES_FAIL(reading, DIAG_LIT_DEFINITION, tag->span,
                      "'%s' is no tag: memory orders and scopes have their order already",
                      tag->text);
    else if (isdigit((unsigned char)*tag->text))
        LIT_USES_FAIL(reading, DIAG_LIT_DEFINITION, tag->span,
                      "'%s' is no tag; expected a name, which begins with a letter", tag->text);
    if (reading->failed || has_tag(reading, tag->text) || ++reading->unknown > MOST_TOLD)
        return;
    for (size_t i = 0; i < reading->definitions.count; i++)
        for (uint32_t t = 0; t < reading->definitions.items[i]->tag_count; t++)
            VEC_PUSH(&tags, reading->definitions.items[i]->tags[t]);
    const char *near = diag_nearest(tag->text, tags.items, tags.count);
    diag_warning(reading->test->diag, DIAG_LIT_DEFINITION, tag->span,
                 "no instruction up to here has the tag '%s'%s%s%s", tag->text,
                 near ? "; did you mean '" : ", so its order says nothing", near ? near : "",
                 near ? "'?" : "");
    diag_meant_by(reading->test->diag, tag->span, tag->text, near);
    VEC_FREE(&tags);
}

static void add_pair(struct lit_uses_reading *reading, const char *weaker, const char *stronger)
{
    if (!is_weaker(reading, weaker, stronger) && reading->weaker.count <= LIT_MAX_WEAKER)
        VEC_PUSH(&reading->weaker, (struct lit_weaker){weaker, stronger});
}

/* What is weaker than the one, or is it, with what the other is weaker than, or is. */
static void add_closed(struct lit_uses_reading *reading, const char *weaker, const char *stronger)
{
    const size_t count = reading->weaker.count;
    add_pair(reading, weaker, stronger);
    for (size_t i = 0; i < count; i++) {
        const struct lit_weaker below = reading->weaker.items[i];
        if (below.stronger == weaker)
            add_pair(reading, below.weaker, stronger);
        if (below.weaker == stronger)
            add_pair(reading, weaker, below.stronger);
        for (size_t k = 0; k < count && below.stronger == weaker; k++)
            if (reading->weaker.items[k].weaker == stronger)
                add_pair(reading, below.weaker, reading->weaker.items[k].stronger);
    }
}

static void take_pair(struct lit_uses_reading *reading, const struct ast_name *weaker,
                      const struct ast_name *stronger)
{
    if (weaker->text == stronger->text)
        LIT_USES_FAIL(reading, DIAG_LIT_DEFINITION, stronger->span,
                      "'%s' cannot be weaker than itself", weaker->text);
    else if (is_weaker(reading, stronger->text, weaker->text))
        LIT_USES_FAIL(reading, DIAG_LIT_DEFINITION, stronger->span,
                      "'%s' is weaker than '%s' by what stands before; take one of the two out",
                      stronger->text, weaker->text);
    else if (!is_weaker(reading, weaker->text, stronger->text))
        add_closed(reading, weaker->text, stronger->text);
    if (reading->weaker.count > LIT_MAX_WEAKER)
        LIT_USES_FAIL(reading, DIAG_LIT_TOO_LARGE, stronger->span,
                      "the definition files of this test order more than %d pairs of tags",
                      LIT_MAX_WEAKER);
}

void lit_uses_order(struct lit_uses_reading *reading, const struct ast_orders *orders)
{
    for (const struct ast_order *order = orders->first; order; order = order->next)
        for (const struct ast_tag *tag = order->tags.first; tag && !reading->failed;
             tag = tag->next) {
            if (++reading->ordered > LIT_MAX_DEFINITIONS)
                LIT_USES_FAIL(reading, DIAG_LIT_TOO_LARGE, tag->name.span,
                              "the definition files of this test order more than %d tags",
                              LIT_MAX_DEFINITIONS);
            look_up(reading, &tag->name);
            if (tag->next && !reading->failed)
                take_pair(reading, &tag->name, &tag->next->name);
        }
}
