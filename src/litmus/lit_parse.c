#include "litmus/lit_parse.h"

#include "litmus/lit_exercise.h"
#include "litmus/lit_lower.h"
#include "litmus/lit_syntax.h"

#include <string.h>

static void fini(struct lit_lower *lower)
{
    VEC_FREE(&lower->constants);
    VEC_FREE(&lower->structures);
    VEC_FREE(&lower->symbols);
    VEC_FREE(&lower->tags);
    VEC_FREE(&lower->launches);
    VEC_FREE(&lower->pragmas);
    VEC_FREE(&lower->code);
    VEC_FREE(&lower->registers);
    VEC_FREE(&lower->locals);
    VEC_FREE(&lower->returning);
}

static void lower_metadata(struct lit_program *program, const struct ast_test *test,
                           struct arena *arena)
{
    struct lit_metadata *out = ARENA_ARRAY(arena, struct lit_metadata, test->metadata.count);
    program->metadata = out;
    program->metadata_count = test->metadata.count;
    for (const struct ast_metadata *at = test->metadata.first; at; at = at->next)
        *out++ = (struct lit_metadata){at->name, at->text};
}

static bool is_offer(const struct lit_definitions *definitions, uint32_t i)
{
    const struct lit_definition *of = definitions->items[i];
    return !of->value && !of->marks && !of->acts && (of->orders || of->tag_count) &&
           (of->count == 0 || (of->count == 1 && of->kinds[0] == LIT_FORMAL_PLACE)) &&
           lit_uses_find(definitions, definitions->count, of->name) == of;
}

static void note_fence(const struct lit_definition *of, struct lit_offer *offer)
{
    const struct ast_stmt *stmt = of->body.first;
    bool ordered = false, scoped = false;
    if (of->count || of->tag_count || !stmt || stmt->next || stmt->kind != AST_S_EXPR ||
        stmt->expr->kind != AST_CALL || strcmp(stmt->expr->name.text, "__fence") != 0)
        return;
    for (const struct ast_tag *tag = stmt->expr->tags.first; tag; tag = tag->next) {
        uint32_t value = 0;
        enum lit_word_class word = lit_word_class(tag->name.text, &value);
        if (word == LIT_WORD_ORDER)
            offer->order = (enum lit_order)value;
        else
            offer->scope = (enum lit_scope)value;
        ordered |= word == LIT_WORD_ORDER;
        scoped |= word == LIT_WORD_SCOPE;
    }
    offer->fences = ordered && scoped;
}

static void list_offers(struct lit_program *program, const struct lit_definitions *definitions,
                        struct arena *arena)
{
    struct lit_offer *offers = ARENA_ARRAY(arena, struct lit_offer, definitions->count);
    for (uint32_t i = 0; i < definitions->count; i++) {
        const struct lit_definition *of = definitions->items[i];
        if (!is_offer(definitions, i))
            continue;
        struct lit_offer *offer = &offers[program->offer_count++];
        *offer = (struct lit_offer){.name = of->name,
                                    .of_location = of->count == 1,
                                    .orders = of->orders,
                                    .tags = of->tags,
                                    .tag_count = of->tag_count};
        note_fence(of, offer);
    }
    program->offers = offers;
}

/* To be used only when no error was added. */
static const struct lit_program *lower_test(const struct lit_syntax *syntax,
                                            struct lit_definitions definitions)
{
    const struct ast_test *test = syntax->test;
    struct lit_program *program = ARENA_NEW(syntax->arena, struct lit_program);
    program->name = test->name;
    program->title = test->title ? test->title : "";
    lower_metadata(program, test, syntax->arena);
    list_offers(program, &definitions, syntax->arena);
    program->models = definitions.models;
    program->weaker = definitions.weaker;
    program->weaker_count = definitions.weaker_count;
    program->source = syntax->source;
    program->digest = source_digest(definitions.digest, syntax->source);
    program->line = test->header.line;
    program->is_table = test->dialect->is_table;
    program->split_rmw = test->dialect->split_rmw;
    program->partial_coherence = test->dialect->partial_coherence;
    program->jumps = test->dialect->jumps;
    struct lit_lower lower = {.arena = syntax->arena,
                              .names = syntax->names,
                              .diag = syntax->diag,
                              .errors = syntax->errors,
                              .test = test,
                              .definitions = definitions,
                              .program = program};
    lit_define_all(&lower);
    lit_declare_locations(&lower);
    lit_thread_lower_all(&lower);
    if (lit_lower_errors(&lower) == 0)
        lit_declare_check_local(&lower);
    /* Without threads, every name of a register would be reported again. */
    if (program->thread_count)
        lit_condition_lower_all(&lower);
    if (test->dialect->finish)
        test->dialect->finish(&lower);
    program->tags = VEC_KEEP(syntax->arena, &lower.tags);
    program->tag_count = (uint32_t)lower.tags.count;
    program->pragmas = VEC_KEEP(syntax->arena, &lower.pragmas);
    program->pragma_count = (uint32_t)lower.pragmas.count;
    if (lit_lower_errors(&lower) == 0) {
        lit_mistake_final(&lower);
        lit_mistake_lost(&lower);
        lit_mistake_meetings(&lower);
        lit_await_settle(syntax->arena, program);
        lit_mistake_spins(&lower, program);
        lit_contract_check(program);
        lit_settle_conditions(&lower, (struct lit_condition *)program->conditions);
    }
    fini(&lower);
    return program;
}

/* The tree so far, with the one condition that `property` is. */
static void parse_property(struct lit_syntax *syntax, const struct source *property)
{
    struct lit_syntax inner = {.arena = syntax->arena,
                               .names = syntax->names,
                               .diag = syntax->diag,
                               .source = property,
                               .errors = syntax->errors,
                               .test = syntax->test,
                               .initialised = true,
                               .property = true};
    syntax->test->conditions = (struct ast_conditions){0};
    syntax->test->expects = (struct ast_expects){0};
    lit_syntax_parse(&inner);
    syntax->broken |= inner.broken;
}

/* The exercise of the tree so far, which gets its conditions. NULL: it could not be read. */
static const struct lit_program *take_conditions(struct lit_syntax *syntax,
                                                 const struct lit_surroundings *surroundings)
{
    struct lit_surroundings around = *surroundings;
    const struct ast_test *tree;
    around.exercise = NULL;
    around.instead_count = 0;
    const struct lit_program *exercise = lit_parse_tree(
        syntax->arena, syntax->names, surroundings->exercise, &around, syntax->diag, &tree);
    syntax->broken |= exercise && !lit_exercise_recognize(syntax->test, tree,
                                                          surroundings->exercise, syntax->diag);
    syntax->test->conditions = tree->conditions;
    syntax->test->filter = tree->filter;
    syntax->test->observed = tree->observed;
    syntax->test->expects = (struct ast_expects){0};
    return exercise;
}

/* Is nobody asked about what the test observes? Whoever has other conditions asks those. */
static void warn_unobserved(const struct ast_test *test, const struct lit_program *program,
                            const struct lit_surroundings *surroundings, struct diag *diag)
{
    const bool others = surroundings->bare || surroundings->property || surroundings->exercise;
    if (test->robust_in.count && !surroundings->observed && !others &&
        !lit_asks_property(program, LIT_PROPERTY_ROBUST))
        diag_warning(diag, DIAG_LIT_PROPERTY, test->robust_in.first->span,
                     "'observe' says what 'property robust;' compares, and nothing asks for that: "
                     "add it, or leave 'observe' away");
}

const struct lit_program *lit_parse(struct arena *arena, struct intern *names,
                                    const struct source *source, struct diag *diag)
{
    static const struct lit_surroundings nothing;
    return lit_parse_in(arena, names, source, &nothing, diag);
}

const struct lit_program *lit_parse_in(struct arena *arena, struct intern *names,
                                       const struct source *source,
                                       const struct lit_surroundings *surroundings,
                                       struct diag *diag)
{
    const struct ast_test *tree;
    return lit_parse_tree(arena, names, source, surroundings, diag, &tree);
}

const struct lit_program *lit_parse_tree(struct arena *arena, struct intern *names,
                                         const struct source *source,
                                         const struct lit_surroundings *surroundings,
                                         struct diag *diag, const struct ast_test **tree)
{
    struct lit_syntax syntax = {.arena = arena,
                                .names = names,
                                .diag = diag,
                                .source = source,
                                .errors = diag->errors,
                                .test = ARENA_NEW(arena, struct ast_test)};
    struct lit_definitions definitions;
    syntax.test->weak_volatile = surroundings->weak_volatile;
    *tree = syntax.test;
    lit_syntax_parse(&syntax);
    if (surroundings->bare) {
        syntax.test->conditions = (struct ast_conditions){0};
        syntax.test->expects = (struct ast_expects){0};
        syntax.test->observed = (struct ast_atoms){0};
    }
    if (surroundings->property && !syntax.broken && diag->errors == syntax.errors)
        parse_property(&syntax, surroundings->property);
    const struct lit_program *exercise = NULL;
    if (surroundings->exercise && !syntax.broken && diag->errors == syntax.errors)
        exercise = take_conditions(&syntax, surroundings);
    if (syntax.broken || !lit_uses_read(&syntax, surroundings, &definitions) ||
        !lit_uses_code(&syntax, surroundings, &definitions))
        return NULL;
    if (exercise)
        definitions.digest = source_digest(definitions.digest, exercise->source);
    const struct lit_program *program = lower_test(&syntax, definitions);
    if (exercise && diag->errors == syntax.errors)
        lit_exercise_compare(program, exercise, diag);
    if (diag->errors == syntax.errors)
        warn_unobserved(syntax.test, program, surroundings, diag);
    return diag->errors == syntax.errors ? program : NULL;
}
