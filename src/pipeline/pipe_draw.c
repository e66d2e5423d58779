/* The lines of all boxes are collected first, as the widest one sets their width. */
#include "pipeline/pipe_draw.h"

#include "base/vec.h"
#include "pipeline/pipe_parse.h"

#include <string.h>

/* Columns of a box besides its lines, but for the last. */
enum { BESIDE = 5 };

struct drawing {
    const struct mach_pipe *pipe;
    struct arena arena;
    VEC(const char *) boxes[MACH_PIPE_STAGES + 1]; /* their lines; the last is the medium */
    size_t width;
};

/* ---- Statements as text ---- */

static void add_word(struct strbuf *out, const char *before, const char *word)
{
    strbuf_printf(out, "%s%s%s", out->length ? " " : "", before, word);
}

static void add_whom(struct strbuf *out, const char *what, bool not_so, const char *tag)
{
    if (!tag)
        return;
    add_word(out, not_so ? "not " : "", what);
    add_word(out, "", tag);
}

/* As in a file, but for the quote of a tag that looks like something else. */
static const char *match_text(struct drawing *d, const struct mach_pipe_match *match)
{
    SCOPED(strbuf) out = {0};
    if (match->kind != MACH_PIPE_KIND_ANY)
        add_word(&out, "", mach_pipe_kinds[match->kind]);
    if (match->tag)
        add_word(&out, "", match->tag);
    if (match->order >= 0)
        add_word(&out, "", mach_pipe_memory_orders[match->order]);
    if (match->scope >= 0)
        add_word(&out, "", mach_pipe_scopes[match->scope]);
    add_whom(&out, "by", match->not_by, match->by);
    add_whom(&out, "at", match->not_at, match->at);
    if (match->inside >= 0)
        add_word(&out, "", match->inside ? "inside" : "outside");
    return arena_strdup(&d->arena, strbuf_text(&out));
}

static const char *operation_text(struct drawing *d, const struct mach_pipe_op *op)
{
    const char *name = mach_pipe_operations[op->op];
    if (mach_pipe_takes_stage[op->op]) {
        const struct mach_pipe_stage *stage = &d->pipe->stages[op->stage];
        const char *text =
            arena_printf(&d->arena, "%s %s %s", name, mach_pipe_whiches[op->which], stage->name);
        return op->further ? arena_printf(&d->arena, "%s past %s", text, stage[op->further].name)
                           : text;
    }
    if (op->op == MACH_PIPE_AWAIT && op->scope != LIT_SCOPE_WI)
        return arena_printf(&d->arena, "%s %s", name, mach_pipe_scopes[op->scope]);
    if (op->op == MACH_PIPE_SET)
        return arena_printf(&d->arena, "set %s = %s", d->pipe->variables[op->variable],
                            d->pipe->values[op->variable][op->value]);
    return name;
}

static const char *rule_text(struct drawing *d, const struct mach_pipe_rule *rule)
{
    const char *text = arena_printf(&d->arena, "%s :", match_text(d, &rule->match));
    for (uint32_t i = 0; i < rule->count; i++)
        text = arena_printf(&d->arena, "%s%s %s", text, i ? " ;" : "",
                            operation_text(d, &rule->ops[i]));
    return rule->count ? text : arena_printf(&d->arena, "%s nothing", text);
}

static const char *stage_text(struct drawing *d, const struct mach_pipe_stage *stage)
{
    const struct {
        bool has;
        const char *name;
    } attributes[] = {{stage->merge, "merge"}, {stage->group, "group"}, {stage->hold, "hold"},
                      {stage->apart, "apart"}, {stage->lines, "lines"}, {stage->joint, "joint"}};
    const char *text = arena_printf(&d->arena, "%s: per %s, order %s", stage->name,
                                    mach_pipe_pers[stage->per], mach_pipe_orders[stage->order]);
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++)
        if (attributes[i].has)
            text = arena_printf(&d->arena, "%s, %s", text, attributes[i].name);
    if (stage->variable != MACH_PIPE_VARIABLES)
        text =
            arena_printf(&d->arena, "%s, when %s = %s", text, d->pipe->variables[stage->variable],
                         d->pipe->values[stage->variable][stage->value]);
    return text;
}

/* ---- Boxes ---- */

static void put(struct drawing *d, uint32_t box, const char *text)
{
    size_t length = strlen(text);
    d->width = length > d->width ? length : d->width;
    VEC_PUSH(&d->boxes[box], text);
}

static bool names(const struct mach_pipe_rule *rule, uint32_t stage)
{
    return ANY(i, rule->count,
               mach_pipe_takes_stage[rule->ops[i].op] && rule->ops[i].stage == stage);
}

static bool names_any(const struct drawing *d, const struct mach_pipe_rule *rule)
{
    return ANY(s, d->pipe->stage_count, names(rule, s));
}

static void draw_all(struct drawing *d)
{
    const struct mach_pipe *pipe = d->pipe;
    for (uint32_t s = 0; s < pipe->stage_count; s++)
        put(d, s, stage_text(d, &pipe->stages[s]));
    put(d, pipe->stage_count, "NVM");
    EACH_IN (const struct mach_pipe_way, bypass, pipe->bypasses)
        put(d, bypass->stage,
            arena_printf(&d->arena, "  passed by: %s", match_text(d, &bypass->match)));
    EACH_IN (const struct mach_pipe_way, view, pipe->views)
        put(d, view->stage,
            arena_printf(&d->arena, "  seen only from here on: %s", match_text(d, &view->match)));
    for (uint32_t s = 0; s < pipe->stage_count; s++)
        for (uint32_t r = 0; r < pipe->rule_count; r++)
            if (names(&pipe->rules[r], s))
                put(d, s, arena_printf(&d->arena, "  %s", rule_text(d, &pipe->rules[r])));
}

/* As wide as all of them, with the way of a write through it. */
static void add_border(const struct drawing *d, struct strbuf *out, const char *begin, char line)
{
    strbuf_add(out, begin);
    for (size_t i = strlen(begin); i < d->width + BESIDE; i++)
        strbuf_printf(out, "%c", line);
    strbuf_add(out, line == '=' ? "\n" : "+\n");
}

static void add_box(const struct drawing *d, uint32_t box, struct strbuf *out)
{
    strbuf_add(out, "    |\n    v\n");
    add_border(d, out, "  +--", '-');
    for (size_t i = 0; i < d->boxes[box].count; i++)
        strbuf_printf(out, "  | %-*s |\n", (int)d->width, d->boxes[box].items[i]);
    add_border(d, out, "  +--", '-');
}

static void add_boxes(const struct drawing *d, struct strbuf *out)
{
    const struct mach_pipe *pipe = d->pipe;
    bool durable = false;
    for (uint32_t s = 0; s <= pipe->stage_count; s++) {
        if (!durable && (s == pipe->stage_count || pipe->stages[s].durable)) {
            strbuf_add(out, "    |\n");
            add_border(d, out, "  ==|== durable ", '=');
            durable = true;
        }
        add_box(d, s, out);
    }
}

static void add_others(struct drawing *d, struct strbuf *out)
{
    const struct mach_pipe *pipe = d->pipe;
    const char *title = "\nIn no stage:\n";
    for (uint32_t r = 0; r < pipe->rule_count; r++)
        if (!names_any(d, &pipe->rules[r])) {
            strbuf_printf(out, "%s  %s\n", title, rule_text(d, &pipe->rules[r]));
            title = "";
        }
}

void mach_pipe_draw(const struct mach_pipe *pipe, struct strbuf *out)
{
    struct drawing d = {.pipe = pipe};
    draw_all(&d);
    strbuf_printf(out, "A write, of %u under way at most%s%s:\n", pipe->entries,
                  !pipe->isolate       ? ""
                  : pipe->aborts_alone ? "; where one can abort, one transaction at a time"
                                       : "; one transaction at a time",
                  pipe->redo ? ", seen by others when it ends" : "");
    add_boxes(&d, out);
    add_others(&d, out);
    for (size_t i = 0; i < sizeof d.boxes / sizeof d.boxes[0]; i++)
        VEC_FREE(&d.boxes[i]);
    arena_fini(&d.arena);
}
