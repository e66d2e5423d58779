/* The IR as text: one node a line, then groups, checks, reserved names and what is shown. */
#include "base/strbuf.h"
#include "cat/cat_model.h"

static const struct {
    const char *text;
    int arity;
} operators[] = {
#define X(name, arity, text, ...) {text, arity},
    CAT_OPERATORS(X)
#undef X
};

static const char *const bearers[] = {CAT_BEARERS(TABLE_SECOND)};

static void dump_node(const struct cat_model *model, cat_node_id id, struct strbuf *out)
{
    const struct cat_node *node = &model->nodes[id];
    strbuf_printf(out, "n%u : %s%s = ", id, node->sort == CAT_SET ? "set" : "rel",
                  node->dynamic ? " dynamic" : "");
    switch (node->op) {
    case CAT_BASE: strbuf_add(out, model->basis->names[node->base].name); break;
    case CAT_TAGGED:
        strbuf_printf(out, "'%s of %ss", model->tagged[node->base].tag,
                      bearers[model->tagged[node->base].bearer]);
        break;
    case CAT_VAR:
    case CAT_FIX:
        strbuf_printf(out, "%s %u.%u", operators[node->op].text, node->group, node->base);
        break;
    case CAT_CHOICE: strbuf_printf(out, "choice %u", node->base); break;
    default:
        strbuf_add(out, operators[node->op].text);
        if (node->a != CAT_NONE)
            strbuf_printf(out, " n%u", node->a);
        if (node->b != CAT_NONE)
            strbuf_printf(out, " n%u", node->b);
    }
    if (node->name)
        strbuf_printf(out, "  (%s)", node->name);
    strbuf_add_char(out, '\n');
}

static void dump_group(const struct cat_model *model, uint32_t id, struct strbuf *out)
{
    const struct cat_rec_group *group = &model->rec_groups[id];
    strbuf_printf(out, "rec %u in n%u..n%u :", id, group->begin, group->end);
    for (uint32_t i = 0; i < group->count; i++)
        strbuf_printf(out, "%s n%u = n%u -> n%u", i ? "," : "", group->vars[i], group->bodies[i],
                      group->fixes[i]);
    strbuf_add_char(out, '\n');
}

static void dump_choice(const struct cat_choice *choice, uint32_t id, struct strbuf *out)
{
    strbuf_printf(out, "choice %u %s :", id, choice->name);
    if (choice->kind == CAT_LINEARISATIONS)
        strbuf_printf(out, " linearisations n%u n%u", choice->set, choice->relation);
    for (uint32_t i = 0; i < choice->alternative_count; i++)
        strbuf_printf(out, "%s n%u", i ? " or" : "", choice->alternatives[i]);
    strbuf_add_char(out, '\n');
}

static void dump_declaration(const struct cat_declaration *declaration, struct strbuf *out)
{
    strbuf_printf(out, "tag '%s of", declaration->tag);
    for (uint32_t kind = 0; kind < CAT_DECLARED_COUNT; kind++)
        if (declaration->kinds >> kind & 1)
            strbuf_printf(out, " %s", cat_declared_kinds[kind]);
    strbuf_add_char(out, '\n');
}

static void dump_check(const struct cat_check *check, struct strbuf *out)
{
    static const char *const kinds[] = {
        [CAT_CHECK] = "", [CAT_FLAG] = "flag ", [CAT_UNDEFINED_UNLESS] = "undefined_unless "};
    static const char *const tests[] = {CAT_TESTS(TABLE_SECOND)};
    strbuf_printf(out, "%s%s%s n%u as %s\n", kinds[check->kind], check->negated ? "~" : "",
                  tests[check->test], check->node, check->name);
}

void cat_model_dump(const struct cat_model *model, struct strbuf *out)
{
    static const char *const reserved[] = {CAT_RESERVED(TABLE_SECOND)};
    for (cat_node_id id = 0; id < model->picture_node_count; id++)
        dump_node(model, id, out);
    for (uint32_t id = 0; id < model->picture_group_count; id++)
        dump_group(model, id, out);
    for (uint32_t id = 0; id < model->choice_count; id++)
        dump_choice(&model->choices[id], id, out);
    for (uint32_t i = 0; i < model->declaration_count; i++)
        dump_declaration(&model->declarations[i], out);
    for (uint32_t i = 0; i < model->check_count; i++)
        dump_check(&model->checks[i], out);
    for (int i = 0; i < CAT_RESERVED_COUNT; i++)
        strbuf_printf(out, "%s n%u\n", reserved[i], model->reserved[i]);
    for (uint32_t i = 0; i < model->shown_count; i++)
        strbuf_printf(out, "show n%u as %s\n", model->shown[i].node, model->shown[i].name);
    for (uint32_t i = 0; i < model->hidden_count; i++)
        strbuf_printf(out, "unshow %s\n", model->hidden[i]);
}
