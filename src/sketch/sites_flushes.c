/* What a definition file calls with a location and nothing else, such as clwb(x), is offered behind
 * each store of a work-item to NVRAM, with the location as the store has it. Of a store whose
 * address is a matter of registers it is not known what to call it with behind the statement. */
#include "sketch/sites_run.h"

#include <string.h>

static bool is_flush(const struct sites_run *run, const struct lit_offer *offer)
{
    return offer->of_location && sites_knows(run->wish, offer);
}

/* What definition files offer stands in the dialect's own words. */
struct sketch_open_values sites_flushes(const struct sites_run *run, const char *location,
                                        const uint64_t **below)
{
    uint32_t *offers = ARENA_ARRAY(run->arena, uint32_t, run->program->offer_count), count = 0;
    struct strbuf names = {0};
    for (uint32_t i = 0; i < run->program->offer_count; i++)
        if (is_flush(run, &run->program->offers[i])) {
            strbuf_printf(&names, "%s%s(%s)", count ? "," : "", run->program->offers[i].name,
                          location);
            offers[count++] = i;
        }
    const struct sketch_open_values kinds =
        sketch_kinds(run->arena, strbuf_take(&names, run->arena), &lit_writing_code);
    return sites_join_flushes(run, kinds, offers, below);
}

static bool has_flush(const struct sites_run *run)
{
    return ANY(i, run->program->offer_count, is_flush(run, &run->program->offers[i]));
}

/* Does the statement write to NVRAM, always at one address? */
static bool stores(const struct sites_run *run, const struct ast_stmt *stmt)
{
    bool some = false;
    EACH (const struct lit_instr, instr, run->thread->code, run->thread->code_count) {
        if (!lit_instruction_writes(instr->op) || !span_begins_in(instr->span, stmt->extent))
            continue;
        if (instr->addr.index || !run->program->locations[instr->addr.first].nvm)
            return false;
        some = true;
    }
    return some;
}

/* The address that the expression writes to, as a text; NULL: it is not known how to say it. */
static const char *address_of(const struct sites_run *run, const struct ast_expr *expr)
{
    const struct ast_expr *at = expr->kind == AST_CALL ? expr->args.first : expr->a;
    bool place = expr->kind == AST_ASSIGN || expr->kind == AST_METHOD;
    if (!at || (!place && expr->kind != AST_CALL) || at->changes)
        return NULL;
    if (place && at->kind == AST_DEREF)
        return lit_edit_text(&run->edits, at->a->span);
    if (place && (at->kind == AST_INDEX || at->kind == AST_MEMBER))
        return arena_printf(run->arena, "&%s", lit_edit_text(&run->edits, at->span));
    return expr->kind == AST_ASSIGN ? NULL : lit_edit_text(&run->edits, at->span);
}

void sites_flush(struct sites_run *run, const struct ast_stmt *stmt, const struct span *next)
{
    bool plain = stmt->kind == AST_S_EXPR || stmt->kind == AST_S_DECL;
    if (run->wish->kinds || !plain || !stmt->expr || !has_flush(run) || !stores(run, stmt))
        return;
    const char *location = address_of(run, stmt->expr);
    size_t at = next ? lit_edit_begin(&run->edits, *next) : lit_edit_end(&run->edits, stmt->extent);
    if (location)
        VEC_PUSH(&run->sites, (struct site){.form = SITE_SLOT,
                                            .thread = run->thread,
                                            .span = stmt->extent,
                                            .begin = at,
                                            .end = at,
                                            .gone = "",
                                            .before = next ? "" : " ",
                                            .behind = next ? " " : "",
                                            .location = location});
}
