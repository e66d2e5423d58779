/* One walk over a column lowers each instruction to one of the program's; then labels
 * are known and jumps are aimed, and loops are marked. */
#include "litmus/lit_table.h"

#include <inttypes.h>
#include <string.h>

/* The operands of an instruction, by their letters. */
struct operands {
    uint32_t dst;
    struct lit_address addr;
    const struct lit_expr *values[2];
    uint32_t value_count;
    struct span value_span; /* of the last value */
    struct ast_name label;
    const char *text;
};

struct label {
    struct ast_name name;
    uint32_t at;
};

struct jump {
    uint32_t instr;
    struct ast_name name;
};

struct column {
    struct lit_lower *lower;
    VEC(struct label) labels;
    VEC(struct jump) jumps;
};

/* ---- Operands ---- */

bool lit_table_fits(const char *letters, uint32_t count)
{
    size_t needed = strcspn(letters, "?"), most = strlen(letters) - (letters[needed] == '?');
    return count >= needed && count <= most;
}

/* What an operand of a kind is called, and how it is written. */
struct letter {
    char letter;
    const char *text, *example;
};

static const struct letter *find_letter(char letter)
{
    static const struct letter letters[] = {
        {'d', "a register", "name one, such as r1"},
        {'v', "a register or a constant", "write one, such as r1 or 7"},
        {'l', "a location", "name one, such as x or [x]"},
        {'t', "a label", "name one that stands in this column"},
        {'n', "a constant", "write one, such as 1"},
        {'b', "a register or a constant", "write one, such as r1 or 7"},
        {'s', "a string", "write it in double quotes"},
        {'w', "a word", "write one, such as the scope gpu"},
    };
    size_t i = 0;
    while (letters[i].letter != letter)
        BASE_CHECK(++i < sizeof letters / sizeof *letters);
    return &letters[i];
}

static const char *found_text(const struct ast_operand *operand)
{
    if (operand->kind == AST_OPERAND_NUMBER)
        return "a number";
    if (operand->kind == AST_OPERAND_STRING)
        return "a string";
    if (operand->bracketed)
        return "a location in brackets";
    return strchr(operand->name.text, '.') ? "a name with a dot" : "a name";
}

static void report_count(struct lit_lower *lower, const struct ast_cell *cell, const char *letters)
{
    SCOPED(strbuf) list = {0};
    const char *separator = "";
    for (const char *at = letters; *at; at++) {
        bool may = *at == '?';
        if (may && separator[0])
            strbuf_add(&list, "; then, if wanted, ");
        if (may && !separator[0])
            strbuf_add(&list, "at most ");
        at += may;
        strbuf_printf(&list, "%s%s", may ? "" : separator, find_letter(*at)->text);
        separator = ", ";
    }
    bool short_barrier = strcmp(letters, "n") == 0 && cell->operands.count > 1 &&
                         strncmp(cell->word.text, "bar", 3) == 0;
    LIT_FAULT(lower, DIAG_LIT_ARGUMENT, cell->span, "'%s' takes %s; found %u operand%s%s",
              cell->word.text, letters[0] ? strbuf_text(&list) : "no operands",
              cell->operands.count, cell->operands.count == 1 ? "" : "s",
              short_barrier ? "; with an id or a quorum write bar.cta, as in bar.cta.sync 1, 0, 2"
                            : "");
}

static bool is_kind(char letter, const struct ast_operand *operand)
{
    switch (letter) {
    case 'b':
    case 'v': return operand->kind != AST_OPERAND_STRING && !operand->bracketed;
    case 'n': return operand->kind == AST_OPERAND_NUMBER;
    case 's': return operand->kind == AST_OPERAND_STRING;
    case 'l': return operand->kind == AST_OPERAND_NAME;
    default: return operand->kind == AST_OPERAND_NAME && !operand->bracketed;
    }
}

static void report_location(struct lit_lower *lower, const struct ast_cell *cell, char letter,
                            const struct ast_operand *operand)
{
    const char *name = operand->name.text;
    if (letter == 'd')
        LIT_FAULT(lower, DIAG_LIT_REGISTER, operand->span,
                  "'%s' is a location, expected a register for the result; store to it with "
                  "st.weak %s, r",
                  name, name);
    else if (strcmp(cell->word.text, "ld") == 0)
        LIT_FAULT(lower, DIAG_LIT_REGISTER, operand->span,
                  "'%s' is a location, and 'ld' without a qualifier only copies registers and "
                  "constants; write ld.weak, or ld.relaxed with a scope",
                  name);
    else
        LIT_FAULT(lower, DIAG_LIT_REGISTER, operand->span,
                  "'%s' is a location, expected a register; load it first, as in ld.weak r, %s",
                  name, name);
}

/* A name that is no location. */
static bool find_register(struct lit_lower *lower, const struct ast_cell *cell, char letter,
                          const struct ast_operand *operand, uint32_t *reg)
{
    if (lit_declare_find(lower, operand->name.text)) {
        report_location(lower, cell, letter, operand);
        return false;
    }
    *reg = lit_thread_register(lower, &operand->name);
    return true;
}

static bool take_number(struct lit_lower *lower, const struct ast_number *number, bool natural)
{
    if (number->bad)
        return false;
    if (lit_declare_fits(LIT_INT, number) && !(natural && number->value < 0))
        return true;
    LIT_FAULT(lower, DIAG_LIT_NUMBER, number->span, "this value is out of range; expected %s",
              natural ? "0 to 2147483647" : lit_declare_range(LIT_INT));
    return false;
}

static bool take_value(struct lit_lower *lower, const struct ast_cell *cell,
                       const struct ast_operand *operand, struct operands *out)
{
    const struct lit_expr **value = &out->values[out->value_count++];
    uint32_t reg;
    out->value_span = operand->span;
    if (operand->kind == AST_OPERAND_NAME) {
        if (!find_register(lower, cell, 'v', operand, &reg))
            return false;
        *value = lit_evaluate_reg(lower, reg);
        return true;
    }
    *value = lit_evaluate_const(lower, LIT_INT, operand->number.value);
    return take_number(lower, &operand->number, false);
}

static bool take_location(struct lit_lower *lower, const struct ast_operand *operand,
                          struct operands *out)
{
    const struct lit_symbol *symbol = lit_declare_find(lower, operand->name.text);
    if (!symbol) { /* a register, or one location too many */
        BASE_CHECK(lit_lower_errors(lower) > 0);
        return false;
    }
    out->addr = (struct lit_address){symbol->first, 1, 1, NULL};
    return true;
}

static bool take_operand(struct lit_lower *lower, const struct ast_cell *cell, char letter,
                         const struct ast_operand *operand, struct operands *out)
{
    if (!is_kind(letter, operand) ||
        (operand->kind == AST_OPERAND_NAME && strchr(operand->name.text, '.'))) {
        LIT_FAULT(lower, DIAG_LIT_ARGUMENT, operand->span, "'%s' takes %s here, found %s; %s",
                  cell->word.text, find_letter(letter)->text, found_text(operand),
                  find_letter(letter)->example);
        return false;
    }
    switch (letter) {
    case 'd': return find_register(lower, cell, letter, operand, &out->dst);
    case 'v': return take_value(lower, cell, operand, out);
    case 'l': return take_location(lower, operand, out);
    case 't': out->label = operand->name; return true;
    case 'w': return true;
    case 'b':
        if (operand->kind == AST_OPERAND_NAME)
            return take_value(lower, cell, operand, out);
        /* fall through */
    case 'n':
        out->text = arena_printf(lower->arena, "%" PRId64, operand->number.value);
        return take_number(lower, &operand->number, true);
    default: out->text = operand->name.text; return true;
    }
}

static bool take_operands(struct lit_lower *lower, const struct ast_cell *cell, const char *letters,
                          struct operands *out)
{
    const struct ast_operand *operand = cell->operands.first;
    bool good = true;
    if (!lit_table_fits(letters, cell->operands.count)) {
        report_count(lower, cell, letters);
        return false;
    }
    *out = (struct operands){.dst = LIT_NONE};
    for (const char *letter = letters; operand; letter++)
        if (*letter != '?') {
            good &= take_operand(lower, cell, *letter, operand, out);
            operand = operand->next;
        }
    return good;
}

/* ---- Instructions ---- */

static const struct lit_expr *computed(struct lit_lower *lower, const struct lit_table_word *word,
                                       const struct operands *operands)
{
    const struct lit_expr *a = operands->values[0], *b = operands->values[1];
    if (word->op == LIT_OP_CONST)
        return a;
    if (word->chooses)
        return lit_evaluate_select(lower, lit_evaluate_apply(lower, word->op, a, b), a, b);
    lit_evaluate_check_divisor(lower, word->op, b, operands->value_span);
    return lit_evaluate_apply(lower, word->op, a, b);
}

static void emit_access(struct lit_lower *lower, const struct ast_cell *cell,
                        const struct lit_table_word *word, const struct operands *operands)
{
    struct lit_instr *instr = lit_thread_emit(lower, word->instr, cell->span);
    instr->addr = operands->addr;
    instr->order = word->order;
    instr->scope = word->scope;
    instr->rmw = word->rmw;
    instr->dst = operands->dst;
    instr->value = operands->values[0];
    if (word->instr != LIT_CAS)
        return;
    instr->dst = LIT_NONE;
    instr->dst_old = operands->dst;
    instr->fail_order = lit_access_without_release(word->order);
    instr->expected = operands->values[0];
    instr->value = operands->values[1];
}

/* A fence, or a barrier with what it is given. */
static void emit_ordering(struct lit_lower *lower, const struct ast_cell *cell,
                          const struct lit_table_word *word, const struct operands *operands)
{
    const struct lit_expr *quorum = operands->values[1];
    if (quorum && quorum->op == LIT_OP_CONST && quorum->value < 1)
        LIT_FAULT(lower, DIAG_LIT_NUMBER, operands->value_span,
                  "a quorum counts the threads that must come; expected at least 1");
    struct lit_instr *instr = lit_thread_emit(lower, word->instr, cell->span);
    instr->order = word->order;
    instr->scope = word->scope;
    if (lit_instruction_meets(word->instr))
        instr->exec_scope = word->scope;
    if (lit_instruction_is(word->instr, LIT_SPACED))
        instr->spaces = LIT_GLOBAL | LIT_LOCAL;
    instr->named = operands->text != NULL;
    if (instr->named)
        instr->label = intern_text(lower->names, operands->text);
    instr->arrive = word->arrive;
    instr->resource = operands->values[0];
    instr->quorum = quorum;
}

static void emit_jump(struct column *column, const struct ast_cell *cell,
                      const struct lit_table_word *word, const struct operands *operands)
{
    struct lit_lower *lower = column->lower;
    VEC_PUSH(&column->jumps, (struct jump){lit_thread_here(lower), operands->label});
    struct lit_instr *jump = lit_thread_emit(lower, word->instr, cell->span);
    if (word->instr == LIT_BRANCH)
        jump->value = lit_evaluate_apply(lower, word->op, operands->values[0], operands->values[1]);
}

/* ---- What definition files define ---- */

bool lit_table_decode(struct lit_lower *lower, const struct ast_name *name,
                      struct lit_table_word *word)
{
    const struct lit_definition *definition =
        lit_uses_find(&lower->definitions, lower->definitions.count, name->text);
    if (!definition)
        return lower->test->dialect->decode(lower, name, word);
    *word = (struct lit_table_word){.definition = definition, .operands = definition->letters};
    return true;
}

/* What a C-like dialect calls a scope; of another word the same text. */
static const char *plain_word(const struct lit_writing *writing, const char *text)
{
    for (uint32_t scope = 0; scope < LIT_SCOPE_COUNT; scope++)
        if (writing->of_fence->scopes[scope] && strcmp(writing->of_fence->scopes[scope], text) == 0)
            return lit_spelling_short.scopes[scope];
    return text;
}

/* An operand as the argument of a call. */
static struct ast_expr *argument_of(struct lit_lower *lower, const struct ast_operand *operand,
                                    char letter)
{
    struct ast_expr *arg =
        ARENA_MAKE(lower->arena, struct ast_expr, .kind = AST_NUMBER, .span = operand->span,
                   .type = LIT_INT, .value = operand->number.value);
    if (operand->kind != AST_OPERAND_NAME)
        return arg;
    const char *text = operand->name.text;
    arg->kind = AST_NAME;
    arg->name = operand->name;
    if (letter == 'w')
        arg->name.text = intern_text(lower->names, plain_word(lower->test->dialect->writing, text));
    return arg;
}

/* A column jumps by labels alone. */
static void check_straight(struct lit_lower *lower, uint32_t first, const struct ast_cell *cell)
{
    for (uint32_t i = first; i < lit_thread_here(lower); i++) {
        enum lit_instr_op op = lower->code.items[i].op;
        if (!lit_instruction_jumps(op) && op != LIT_AWAIT && op != LIT_LOOP)
            continue;
        LIT_FAULT(lower, DIAG_LIT_UNSUPPORTED, cell->span,
                  "'%s' branches, which in a table only jumps to labels do; write the branches as "
                  "rows",
                  cell->word.text);
        return;
    }
}

static void lower_defined(struct lit_lower *lower, const struct ast_cell *cell,
                          const struct lit_definition *definition, const struct operands *operands)
{
    struct ast_expr call = {.kind = AST_CALL, .span = cell->span, .name = cell->word};
    const char *letter = definition->letters;
    const struct ast_operand *operand = cell->operands.first;
    uint32_t first = lit_thread_here(lower);
    bool wanted = *letter == 'd';
    if (wanted) {
        letter++;
        operand = operand->next;
    }
    for (; operand; operand = operand->next)
        CHAIN_ADD(&call.args, argument_of(lower, operand, *letter++));
    const struct lit_expr *value = lit_expand(lower, definition, &call, wanted);
    check_straight(lower, first, cell);
    if (wanted && value)
        lit_evaluate_set(lower, operands->dst, value, cell->span);
    for (uint32_t i = first + 1; i < lit_thread_here(lower); i++)
        lower->code.items[i].within = true;
}

static void lower_cell(struct column *column, const struct ast_cell *cell)
{
    struct lit_lower *lower = column->lower;
    struct lit_table_word word;
    struct operands operands;
    uint32_t first = lit_thread_here(lower);
    if (!lit_table_decode(lower, &cell->word, &word) ||
        !take_operands(lower, cell, word.operands, &operands))
        return;
    if (word.definition)
        lower_defined(lower, cell, word.definition, &operands);
    else if (word.pragma)
        lit_thread_pragma(lower, operands.text, cell->span);
    else if (word.hosts && word.instr == LIT_LOAD)
        lit_launch_join(lower, cell->operands.first->number.value, cell->span);
    else if (word.hosts)
        lit_launch_emit(lower, cell->operands.first->number.value, cell->span);
    else if (word.instr == LIT_SET)
        lit_evaluate_set(lower, operands.dst, computed(lower, &word, &operands), cell->span);
    else if (word.instr == LIT_CRASH)
        lit_thread_crash(lower, cell->span, operands.text);
    else if (lit_instruction_jumps(word.instr))
        emit_jump(column, cell, &word, &operands);
    else if (lit_instruction_is(word.instr, LIT_PLACED))
        emit_access(lower, cell, &word, &operands);
    else
        emit_ordering(lower, cell, &word, &operands);
    if (first < lit_thread_here(lower))
        lower->code.items[first].statement = &cell->span;
}

/* ---- Labels ---- */

static const struct label *find_label(const struct column *column, const char *name)
{
    return FIND(i, column->labels.items, column->labels.count,
                column->labels.items[i].name.text == name);
}

static void add_label(struct column *column, const struct ast_name *name)
{
    struct lit_lower *lower = column->lower;
    const struct label *other = find_label(column, name->text);
    if (other) {
        LIT_FAULT(lower, DIAG_LIT_DUPLICATE, name->span,
                  "label '%s' stands twice in %s; give this one another name", name->text,
                  lower->thread_name);
        diag_note(lower->diag, other->name.span, "'%s' stands here", name->text);
        return;
    }
    VEC_PUSH(&column->labels, (struct label){*name, lit_thread_here(lower)});
}

static void report_label(struct column *column, const struct ast_name *name)
{
    struct lit_lower *lower = column->lower;
    const char *near =
        LIT_NEAREST(lower, name->text, column->labels.items, column->labels.count, name.text);
    LIT_FAULT(lower, DIAG_LIT_UNBOUND, name->span,
              near ? "%s has no label '%s'; did you mean '%s'?"
                   : "%s has no label '%s'; write '%s:' in the cell to jump to",
              lower->thread_name, name->text, near ? near : name->text);
    diag_meant_by(lower->diag, name->span, name->text, near);
}

static void aim_jumps(struct column *column)
{
    EACH_IN (const struct jump, jump, column->jumps) {
        const struct label *label = find_label(column, jump->name.text);
        if (label)
            lit_thread_aim(column->lower, jump->instr, label->at);
        else
            report_label(column, &jump->name);
    }
}

/* ---- One thread ---- */

void lit_table_lower(struct lit_lower *lower, const struct ast_thread *thread)
{
    struct column column = {.lower = lower};
    uint32_t errors = lower->diag->errors;
    lit_launch_begin(lower, thread);
    for (const struct ast_cell *cell = thread->cells.first; cell && !lower->too_large;
         cell = cell->next) {
        if (cell->label.text && column.labels.count < LIT_MAX_CODE)
            add_label(&column, &cell->label);
        else if (cell->label.text)
            lit_thread_too_large(lower, cell->span);
        if (cell->word.text)
            lower_cell(&column, cell);
    }
    if (!lower->too_large)
        aim_jumps(&column);
    lit_thread_close(lower);
    lit_launch_end(lower, thread);
    VEC_FREE(&column.labels);
    VEC_FREE(&column.jumps);
    if (lower->diag->errors == errors && !lower->too_large)
        lit_table_mark_loops(lower);
}
