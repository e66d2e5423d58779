/* Locations of a table. A name in the place of a location is one, declared or not,
 * unless instructions use it as a register. */
#include "litmus/lit_table.h"

#include <string.h>

typedef VEC(const char *) name_list;

static bool known(const name_list *names, const char *name)
{
    return ANY(i, names->count, names->items[i] == name);
}

static void check_init(struct lit_lower *lower, const struct ast_init *init)
{
    if (init->array)
        LIT_FAULT(lower, DIAG_LIT_TYPE, init->span,
                  "'%s' is an array, which %s tests do not have; give each location a name",
                  init->name.text, lower->test->dialect->word);
    else if (ast_specs_type(&init->specs) != LIT_INT)
        LIT_FAULT(lower, DIAG_LIT_TYPE, init->specs.span,
                  "'%s' is not an int; in %s tests every value is: write int, or no type",
                  init->name.text, lower->test->dialect->word);
    else if (init->specs.bits & AST_LOCAL)
        LIT_FAULT(lower, DIAG_LIT_SPACE, init->specs.span,
                  "'%s' is local; in %s tests every location is global", init->name.text,
                  lower->test->dialect->word);
}

/* Calls `visit` with the letter of each operand that is a name. */
static void each_name(struct lit_lower *lower, const struct ast_threads *threads,
                      void (*visit)(struct lit_lower *lower, name_list *names, char letter,
                                    const struct ast_operand *operand),
                      name_list *names)
{
    for (const struct ast_thread *thread = threads->first; thread; thread = thread->next)
        for (const struct ast_cell *cell = thread->cells.first; cell; cell = cell->next) {
            struct lit_table_word word;
            bool quiet = lower->quiet;
            lower->quiet = true; /* reported when the code is lowered */
            bool good = cell->word.text && lit_table_decode(lower, &cell->word, &word);
            lower->quiet = quiet;
            if (!good)
                continue;
            /* With an operand too few or too many, their places say little. */
            lower->quiet = quiet || !lit_table_fits(word.operands, cell->operands.count);
            const char *letter = word.operands + (word.operands[0] == '?');
            for (const struct ast_operand *at = cell->operands.first; at && *letter;
                 at = at->next, letter += 1 + (letter[1] == '?'))
                if (at->kind == AST_OPERAND_NAME)
                    visit(lower, names, *letter, at);
            lower->quiet = quiet;
        }
}

static void note_register(struct lit_lower *lower, name_list *names, char letter,
                          const struct ast_operand *operand)
{
    (void)lower;
    if (letter == 'd' && names->count < LIT_MAX_REGISTERS && !known(names, operand->name.text))
        VEC_PUSH(names, operand->name.text);
}

static void warn_near(struct lit_lower *lower, const struct ast_name *name)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < lower->symbols.count; i++)
        if (lower->symbols.items[i].init)
            VEC_PUSH(&names, lower->symbols.items[i].name);
    const char *near =
        strlen(name->text) < 3 ? NULL : diag_nearest(name->text, names.items, names.count);
    VEC_FREE(&names);
    if (near)
        diag_warning(lower->diag, DIAG_LIT_LOCATION, name->span,
                     "location '%s' is not in the initial block and begins as 0; did you mean "
                     "'%s'?",
                     name->text, near);
    diag_meant_by(lower->diag, name->span, name->text, near);
}

static void declare_location(struct lit_lower *lower, name_list *registers, char letter,
                             const struct ast_operand *operand)
{
    const struct ast_name *name = &operand->name;
    if (letter != 'l' || strchr(name->text, '.') || lit_declare_find(lower, name->text) ||
        lower->symbols.count > LIT_MAX_LOCATIONS || lit_lower_errors(lower) >= DIAG_MAX_KEPT)
        return;
    if (known(registers, name->text)) {
        LIT_FAULT(lower, DIAG_LIT_UNSUPPORTED, operand->span,
                  "'%s' is a register; addresses in registers are not supported: name the location",
                  name->text);
        return;
    }
    warn_near(lower, name);
    lit_declare_add(lower, name);
}

void lit_table_declare(struct lit_lower *lower)
{
    const struct ast_test *test = lower->test;
    name_list registers = {0};
    for (const struct ast_init *init = test->inits.first; init; init = init->next) {
        check_init(lower, init);
        if (init->thread != AST_NO_THREAD && registers.count < LIT_MAX_REGISTERS &&
            !known(&registers, init->name.text))
            VEC_PUSH(&registers, init->name.text);
    }
    each_name(lower, &test->threads, note_register, &registers);
    each_name(lower, &test->recovery, note_register, &registers);
    each_name(lower, &test->threads, declare_location, &registers);
    each_name(lower, &test->recovery, declare_location, &registers);
    VEC_FREE(&registers);
}
