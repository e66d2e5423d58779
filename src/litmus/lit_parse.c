#include "litmus/lit_parse.h"

#include "litmus/lit_lower.h"
#include "litmus/lit_syntax.h"

/* The tree so far, with the one condition that `property` is. */
static void parse_property(struct lit_syntax *syntax, const struct source *property)
{
    struct lit_syntax inner = {.arena = syntax->arena,
                               .names = syntax->names,
                               .diag = syntax->diag,
                               .source = property,
                               .errors = syntax->errors,
                               .test = syntax->test,
                               .line = 1,
                               .column = 1,
                               .initialised = true,
                               .property = true};
    syntax->test->conditions = (struct ast_conditions){0};
    syntax->test->expects = (struct ast_expects){0};
    lit_syntax_parse(&inner);
    syntax->broken |= inner.broken;
}

const struct lit_program *lit_parse(struct arena *arena, struct intern *names,
                                    const struct source *source, struct diag *diag)
{
    return lit_parse_property(arena, names, source, NULL, diag);
}

const struct lit_program *lit_parse_property(struct arena *arena, struct intern *names,
                                             const struct source *source,
                                             const struct source *property, struct diag *diag)
{
    struct lit_syntax syntax = {.arena = arena,
                                .names = names,
                                .diag = diag,
                                .source = source,
                                .errors = diag->errors,
                                .test = ARENA_NEW(arena, struct ast_test),
                                .line = 1,
                                .column = 1};
    lit_syntax_parse(&syntax);
    if (property && !syntax.broken && diag->errors == syntax.errors)
        parse_property(&syntax, property);
    if (syntax.broken)
        return NULL;
    const struct lit_program *program = lit_lower_test(&syntax);
    return diag->errors == syntax.errors ? program : NULL;
}
