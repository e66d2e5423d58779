#include "ptx/ptx_module.h"

#include "base/scoped.h"
#include "ptx/ptx_place.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 256, MAX_BRACES = 16 };

/* What stands before the names of these braces. */
struct scope {
    size_t registers, labels, code, owned, tables;
};

struct reader {
    struct ptx_text in;
    struct ptx_module *module;
    struct ptx_kernel *kernel;
    struct scope scope;
    struct ptx_places places;
    bool targeted, sized; /* the target and the size of addresses are said */
};

#define REPORT(r, id, ...) PTX_TEXT_REPORT(&(r)->in, id, __VA_ARGS__)

/* ---- Directives ---- */

static void read_target(struct reader *r)
{
    const char *text = r->in.token.text;
    bool known = r->in.token.kind == PTX_TOKEN_WORD && r->in.token.length > 3 &&
                 strncmp(text, "sm_", 3) == 0;
    if (!known || strtol(text + 3, NULL, 10) < 70)
        REPORT(r, DIAG_PTX_TARGET,
               "this is PTX for '%.*s'; the memory model holds from sm_70 on: compile with "
               "-arch=sm_70 or later",
               PTX_TOKEN_TEXT(&r->in));
    r->targeted = true;
    ptx_text_next(&r->in);
    while (ptx_text_accept(&r->in, ","))
        ptx_text_next(&r->in);
}

static void check_number(struct reader *r, bool good, const char *wrong)
{
    if (r->in.token.kind != PTX_TOKEN_NUMBER || !good)
        REPORT(r, DIAG_PTX_TARGET, "%s", wrong);
    ptx_text_next(&r->in);
}

static void read_version(struct reader *r)
{
    check_number(r, strtol(r->in.token.text, NULL, 10) >= 6,
                 "this is no PTX of version 6.0 or later, from which on the memory model holds");
}

static void read_address_size(struct reader *r)
{
    check_number(r, r->in.token.number == 64,
                 "addresses have 64 bits in what is read here; compile with -m64");
    r->sized = true;
}

/* .file N "path" */
static void read_file(struct reader *r)
{
    int64_t number = ptx_text_number(&r->in);
    if (r->in.token.kind == PTX_TOKEN_STRING && !r->in.failed && number > 0 &&
        number < (int64_t)(sizeof r->module->files / sizeof *r->module->files))
        r->module->files[number] =
            arena_strndup(r->in.arena, r->in.token.text + 1, r->in.token.length - 2);
    ptx_text_next(&r->in);
    while (ptx_text_accept(&r->in, ","))
        ptx_text_next(&r->in);
}

static void read_loc(struct reader *r)
{
    ptx_place_read(&r->places, &r->in, r->kernel);
}

/* ---- Variables ---- */

static struct ptx_type take_type(struct reader *r)
{
    struct ptx_type type = {0};
    if (r->in.token.kind == PTX_TOKEN_WORD && r->in.token.length > 1 && *r->in.token.text == '.')
        type = ptx_type_of(r->in.token.text + 1, r->in.token.length - 1);
    if (!type.bits)
        REPORT(r, DIAG_PTX_SYNTAX, "expected a type here, such as .u32");
    ptx_text_next(&r->in);
    return type;
}

/* .align 4, .ptr .global .align 4, .attribute(..) in front of a type or behind it. */
static void pass_attributes(struct reader *r)
{
    for (;;)
        if (ptx_text_accept(&r->in, ".align"))
            (void)ptx_text_number(&r->in);
        else if (ptx_text_accept(&r->in, ".attribute"))
            ptx_text_pass(&r->in, ')');
        else if (!ptx_text_accept(&r->in, ".ptr") && !ptx_text_accept(&r->in, ".global") &&
                 !ptx_text_accept(&r->in, ".shared") && !ptx_text_accept(&r->in, ".const") &&
                 !ptx_text_accept(&r->in, ".local"))
            return;
}

/* `name`, `name[16]`, `name[]`: how many elements; 0: open. */
static uint64_t take_extent(struct reader *r)
{
    uint64_t count = 1;
    while (ptx_text_accept(&r->in, "[") && !r->in.failed) {
        uint64_t extent = ptx_text_is(&r->in, "]") ? 0 : (uint64_t)ptx_text_number(&r->in);
        count = extent > UINT32_MAX || count * extent > UINT32_MAX ? UINT32_MAX : count * extent;
        ptx_text_expect(&r->in, "]");
    }
    return count;
}

/* `7`, `-1`, `0f3F800000`, `log`, `log+8`, `generic(log)+8`. */
static void take_datum(struct reader *r, struct ptx_variable *variable)
{
    struct ptx_datum datum = {0};
    if (r->in.token.kind == PTX_TOKEN_FLOAT) {
        datum.number = (uint64_t)r->in.token.number;
        ptx_text_next(&r->in);
    } else if (r->in.token.kind == PTX_TOKEN_WORD) {
        bool generic = ptx_text_accept(&r->in, "generic");
        if (generic)
            ptx_text_expect(&r->in, "(");
        datum.name = ptx_text_name(&r->in);
        if (generic)
            ptx_text_expect(&r->in, ")");
        if (ptx_text_is(&r->in, "-") || ptx_text_accept(&r->in, "+"))
            datum.number = (uint64_t)ptx_text_number(&r->in);
        if (variable->unit != 8)
            variable->why = "a part of an address";
    } else {
        datum.number = (uint64_t)ptx_text_number(&r->in);
    }
    if (variable->data.count >= PTX_MAX_DATA)
        REPORT(r, DIAG_LIT_TOO_LARGE, "a variable has more than %d values", PTX_MAX_DATA);
    else
        VEC_PUSH(&variable->data, datum);
}

static void take_data(struct reader *r, struct ptx_variable *variable)
{
    if (!ptx_text_accept(&r->in, "{")) {
        take_datum(r, variable);
        return;
    }
    do {
        if (ptx_text_is(&r->in, "{")) {
            variable->why = "a list within a list";
            while (!ptx_text_is(&r->in, ";") && r->in.token.kind != PTX_TOKEN_END)
                ptx_text_next(&r->in);
            return;
        }
        take_datum(r, variable);
    } while (!r->in.failed && ptx_text_accept(&r->in, ","));
    ptx_text_expect(&r->in, "}");
}

static void add_variable(struct reader *r, enum ptx_space space)
{
    struct ptx_variable variable = {.space = space};
    pass_attributes(r);
    struct ptx_type type = take_type(r);
    variable.span = ptx_text_span(&r->in);
    variable.name = ptx_text_name(&r->in);
    variable.unit = type.bits / 8;
    if (!variable.unit && !r->in.failed)
        REPORT(r, DIAG_PTX_SYNTAX, "no variable has this type");
    variable.size = take_extent(r) * variable.unit;
    if (ptx_text_accept(&r->in, "="))
        take_data(r, &variable);
    ptx_text_expect(&r->in, ";");
    if (!variable.size) /* `a[] = {1, 2}` */
        variable.size = variable.data.count * variable.unit;
    if (r->module->variables.count >= PTX_MAX_VARIABLES)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this file has more than %d variables", PTX_MAX_VARIABLES);
    if (!r->in.failed)
        VEC_PUSH(&r->module->variables, variable);
    else
        VEC_FREE(&variable.data);
}

static bool read_variable(struct reader *r)
{
    if (ptx_text_accept(&r->in, ".shared"))
        add_variable(r, PTX_SHARED);
    else if (ptx_text_accept(&r->in, ".global"))
        add_variable(r, PTX_GLOBAL);
    else if (ptx_text_accept(&r->in, ".const"))
        add_variable(r, PTX_CONST);
    else if (ptx_text_accept(&r->in, ".local"))
        add_variable(r, PTX_LOCAL);
    else
        return false;
    return true;
}

/* ---- Kernels ---- */

/* The place in the list of the innermost one of the name; LIT_NONE: there is none. */
#define FIND_NAMED(list, wanted)                                \
    __extension__({                                             \
        uint32_t at = (uint32_t)(list).count;                   \
        while (at > 0 && (list).items[at - 1].name != (wanted)) \
            at--;                                               \
        at - 1; /* LIT_NONE is the greatest number */           \
    })

static void add_own(struct reader *r, struct ptx_own own)
{
    if (r->kernel->owned.count >= PTX_MAX_REGISTERS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this kernel has more than %d variables", PTX_MAX_REGISTERS);
    else
        VEC_PUSH(&r->kernel->owned, own);
}

static void add_register(struct reader *r, const char *name, struct ptx_type type)
{
    uint32_t other = FIND_NAMED(r->kernel->registers, name);
    if (other != LIT_NONE && other >= r->scope.registers)
        REPORT(r, DIAG_PTX_SYNTAX, "a register is declared twice, which is not read: '%.40s'",
               name);
    else if (r->kernel->registers.count >= PTX_MAX_REGISTERS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this kernel has more than %d registers", PTX_MAX_REGISTERS);
    else
        VEC_PUSH(&r->kernel->registers, (struct ptx_register){name, type});
}

/* .reg .b32 %r<10>, %x; of a family each number is a register. */
static void read_registers(struct reader *r)
{
    struct ptx_type type = take_type(r);
    do {
        const char *name = ptx_text_name(&r->in);
        if (!ptx_text_accept(&r->in, "<")) {
            add_register(r, name, type);
            continue;
        }
        int64_t count = ptx_text_number(&r->in);
        ptx_text_expect(&r->in, ">");
        for (int64_t i = 0; i < count && !r->in.failed; i++) {
            const char *one = arena_printf(r->in.arena, "%s%d", name, (int)i);
            add_register(r, intern_text(r->in.names, one), type);
        }
    } while (!r->in.failed && ptx_text_accept(&r->in, ","));
    ptx_text_expect(&r->in, ";");
}

static struct ptx_operand take_operand(struct reader *r);

static struct ptx_operand take_vector(struct reader *r)
{
    struct ptx_operand vector = {.kind = PTX_VECTOR};
    vector.elements = ARENA_ARRAY(r->in.arena, struct ptx_operand, PTX_MAX_VECTOR);
    do {
        if (ptx_text_is(&r->in, "{")) {
            REPORT(r, DIAG_PTX_SYNTAX, "a vector stands in another one");
            break;
        }
        struct ptx_operand element = take_operand(r);
        if (vector.count == PTX_MAX_VECTOR)
            REPORT(r, DIAG_PTX_SYNTAX, "a vector has at most %d elements", PTX_MAX_VECTOR);
        else
            vector.elements[vector.count++] = element;
    } while (!r->in.failed && ptx_text_accept(&r->in, ","));
    ptx_text_expect(&r->in, "}");
    return vector;
}

static struct ptx_operand take_plain(struct reader *r)
{
    struct ptx_operand operand = {.kind = PTX_NUMBER};
    if (r->in.token.kind == PTX_TOKEN_WORD) {
        operand.name = ptx_text_name(&r->in);
        operand.reg = FIND_NAMED(r->kernel->registers, operand.name);
        operand.kind = PTX_REGISTER;
        if (operand.reg == LIT_NONE) {
            operand.reg = FIND_NAMED(r->kernel->owned, operand.name);
            operand.kind = operand.reg == LIT_NONE ? PTX_NAME : PTX_OWN;
        }
    } else if (r->in.token.kind == PTX_TOKEN_FLOAT) {
        operand.kind = PTX_FLOAT;
        operand.number = r->in.token.number;
        if (r->in.token.bad)
            REPORT(r, DIAG_PTX_SYNTAX, "this number is not read");
        ptx_text_next(&r->in);
    } else {
        operand.number = ptx_text_number(&r->in);
    }
    return operand;
}

static struct ptx_operand take_operand(struct reader *r)
{
    if (ptx_text_accept(&r->in, "{"))
        return take_vector(r);
    bool negated = ptx_text_accept(&r->in, "!"), bracket = ptx_text_accept(&r->in, "[");
    struct ptx_operand operand = take_plain(r);
    operand.negated = negated;
    operand.in_brackets = bracket;
    if (operand.kind != PTX_NUMBER && (ptx_text_accept(&r->in, "+") || ptx_text_is(&r->in, "-")))
        operand.number = ptx_text_number(&r->in);
    if (bracket)
        ptx_text_expect(&r->in, "]");
    return operand;
}

static void read_guard(struct reader *r, struct ptx_instr *instr)
{
    instr->guard = LIT_NONE;
    if (!ptx_text_accept(&r->in, "@"))
        return;
    instr->unless = ptx_text_accept(&r->in, "!");
    const char *name = ptx_text_name(&r->in);
    instr->guard = FIND_NAMED(r->kernel->registers, name);
    if (instr->guard == LIT_NONE)
        REPORT(r, DIAG_PTX_SYNTAX, "there is no register '%s'", name);
}

/* `(a, b)` of a call or a function. */
#define TAKE_LIST(r, take, list)                                             \
    do {                                                                     \
        if (ptx_text_accept(&r->in, "(") && !ptx_text_accept(&r->in, ")")) { \
            do                                                               \
                VEC_PUSH(list, take(r));                                     \
            while (!(r)->in.failed && ptx_text_accept(&r->in, ","));         \
            ptx_text_expect(&r->in, ")");                                    \
        }                                                                    \
    } while (0)

/* call (results), name, (args) [, prototype]; */
static void read_call(struct reader *r, struct ptx_instr *instr)
{
    struct ptx_call *call = ARENA_NEW(r->in.arena, struct ptx_call);
    VEC_PUSH(&r->kernel->calls, call);
    instr->call = call;
    if (ptx_text_is(&r->in, "(")) {
        TAKE_LIST(r, take_operand, &call->results);
        ptx_text_expect(&r->in, ",");
    }
    struct ptx_operand callee = take_operand(r);
    call->name = callee.kind == PTX_NAME ? callee.name : NULL;
    if (ptx_text_accept(&r->in, ","))
        TAKE_LIST(r, take_operand, &call->args);
    ptx_text_pass(&r->in, ';');
}

/* %r1|%p1 */
static struct ptx_operand take_pair(struct reader *r, struct ptx_operand first)
{
    struct ptx_operand pair = {.kind = PTX_VECTOR, .paired = true, .count = 2};
    pair.elements = ARENA_ARRAY(r->in.arena, struct ptx_operand, 2);
    pair.elements[0] = first;
    pair.elements[1] = take_operand(r);
    if (first.kind == PTX_VECTOR || pair.elements[1].kind == PTX_VECTOR)
        REPORT(r, DIAG_PTX_SYNTAX, "a vector stands in a pair");
    return pair;
}

static void read_operands(struct reader *r, struct ptx_instr *instr)
{
    struct ptx_operand operands[PTX_MAX_OPERANDS];
    while (!r->in.failed && !ptx_text_is(&r->in, ";")) {
        if (instr->count)
            ptx_text_expect(&r->in, ",");
        struct ptx_operand operand = take_operand(r);
        if (ptx_text_accept(&r->in, "|"))
            operand = take_pair(r, operand);
        if (instr->count == PTX_MAX_OPERANDS)
            REPORT(r, DIAG_PTX_SYNTAX, "this instruction has too many operands");
        else
            operands[instr->count++] = operand;
    }
    ptx_text_expect(&r->in, ";");
    instr->operands = arena_copy(r->in.arena, operands, instr->count * sizeof *operands);
}

static void add_instruction(struct reader *r, struct ptx_instr instr)
{
    if (r->kernel->code.count >= PTX_MAX_INSTRUCTIONS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this kernel has more than %d instructions",
               PTX_MAX_INSTRUCTIONS);
    else if (!r->in.failed)
        VEC_PUSH(&r->kernel->code, instr);
}

/* Up to its ';'. */
static void read_instruction(struct reader *r)
{
    struct ptx_instr instr = {.place = r->places.now, .target = LIT_NONE};
    instr.whole = ptx_text_span(&r->in);
    r->in.in_instruction = true;
    read_guard(r, &instr);
    instr.span = ptx_text_span(&r->in);
    instr.whole.end_line = instr.span.end_line;
    instr.whole.end_column = instr.span.end_column;
    if (r->in.token.length > MAX_WORD)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this word has more than %d characters", MAX_WORD);
    instr.text = ptx_text_name(&r->in);
    if (strcmp(instr.text, "call") == 0 || strncmp(instr.text, "call.", 5) == 0)
        read_call(r, &instr);
    else
        read_operands(r, &instr);
    r->in.in_instruction = false;
    add_instruction(r, instr);
}

static uint32_t label_in(const struct reader *r, const char *name)
{
    uint32_t label = FIND_NAMED(r->kernel->labels, name);
    bool found = label != LIT_NONE && label >= r->scope.labels;
    return found ? r->kernel->labels.items[label].at : LIT_NONE;
}

static bool read_label(struct reader *r)
{
    if (r->in.token.kind != PTX_TOKEN_WORD || r->in.at >= r->in.end || *r->in.at != ':')
        return false;
    const char *name = ptx_text_name(&r->in);
    ptx_text_expect(&r->in, ":");
    if (r->kernel->labels.count >= PTX_MAX_INSTRUCTIONS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "this kernel has more than %d labels", PTX_MAX_INSTRUCTIONS);
    if (label_in(r, name) != LIT_NONE)
        REPORT(r, DIAG_PTX_SYNTAX, "a label stands twice, which is not read: '%.40s'", name);
    VEC_PUSH(&r->kernel->labels, (struct ptx_label){name, (uint32_t)r->kernel->code.count});
    return true;
}

/* A marker's text is a name with at most an address or a text behind it. */
static void read_marker(struct reader *r, const struct ptx_marked *marker)
{
    static const struct ptx_word word = {.text = "crashlit", .kind = PTX_MARKER};
    struct reader inner = *r;
    inner.in = ptx_text_of_marker(&r->in, marker);
    struct ptx_instr instr = {.place = r->places.now,
                              .target = LIT_NONE,
                              .guard = LIT_NONE,
                              .span = marker->span,
                              .whole = marker->span,
                              .meaning.word = &word,
                              .marks = ""};
    instr.text = ptx_text_name(&inner.in);
    if (inner.in.token.kind == PTX_TOKEN_STRING && !inner.in.failed) {
        instr.marks = intern_bytes(r->in.names, inner.in.token.text + 1, inner.in.token.length - 2);
        ptx_text_next(&inner.in);
    } else if (inner.in.token.kind != PTX_TOKEN_END) {
        struct ptx_operand operand = take_operand(&inner);
        operand.in_brackets = true;
        instr.operands = arena_copy(r->in.arena, &operand, sizeof operand);
        instr.count = 1;
    }
    if (!inner.in.failed && inner.in.token.kind != PTX_TOKEN_END)
        REPORT(&inner, DIAG_PTX_SYNTAX, "a marker is a name, with an address such as [%%rd1]");
    if (inner.in.markers.count)
        REPORT(&inner, DIAG_PTX_SYNTAX, "a second marker stands in this one's comment");
    r->in.failed |= inner.in.failed;
    VEC_FREE(&inner.in.markers);
    add_instruction(r, instr);
}

static void read_markers(struct reader *r)
{
    for (size_t i = 0; i < r->in.markers.count && !r->in.failed; i++)
        read_marker(r, &r->in.markers.items[i]);
    VEC_CLEAR(&r->in.markers);
}

/* `.param .align 8 .b8 param0[16];` or `.local ..` in braces. */
static void read_own(struct reader *r, bool local)
{
    struct ptx_own own = {.local = local};
    pass_attributes(r);
    struct ptx_type type = take_type(r);
    own.name = ptx_text_name(&r->in);
    own.size = take_extent(r) * (type.bits / 8);
    ptx_text_expect(&r->in, ";");
    add_own(r, own);
}

/* The label before it names the list. */
static void read_table(struct reader *r)
{
    const struct ptx_kernel *kernel = r->kernel;
    struct ptx_table table = {0};
    if (kernel->labels.count)
        table.name = VEC_LAST(&kernel->labels).name;
    do
        VEC_PUSH(&table.labels, ptx_text_name(&r->in));
    while (!r->in.failed && ptx_text_accept(&r->in, ",") && table.labels.count < PTX_MAX_LABELS);
    if (table.labels.count == PTX_MAX_LABELS)
        REPORT(r, DIAG_LIT_TOO_LARGE, "a table has %d labels or more", PTX_MAX_LABELS);
    ptx_text_expect(&r->in, ";");
    VEC_PUSH(&r->kernel->tables, table);
}

static void read_statement(struct reader *r)
{
    if (read_label(r))
        return;
    const bool local = ptx_text_is(&r->in, ".local");
    if (ptx_text_accept(&r->in, ".local") || ptx_text_accept(&r->in, ".param"))
        read_own(r, local);
    else if (ptx_text_accept(&r->in, ".branchtargets"))
        read_table(r);
    else if (read_variable(r))
        return;
    else if (ptx_text_accept(&r->in, ".reg"))
        read_registers(r);
    else if (ptx_text_accept(&r->in, ".loc"))
        read_loc(r);
    else if (ptx_text_accept(&r->in, ".file"))
        read_file(r);
    else if (ptx_text_accept(&r->in, ".pragma") || ptx_text_accept(&r->in, ".calltargets") ||
             ptx_text_accept(&r->in, ".callprototype"))
        ptx_text_pass(&r->in, ';'); /* of what is refused */
    else if (r->in.token.kind == PTX_TOKEN_WORD && *r->in.token.text == '.')
        REPORT(r, DIAG_PTX_SYNTAX, "'%.*s' is not read within a kernel", PTX_TOKEN_TEXT(&r->in));
    else
        read_instruction(r);
}

static struct scope scope_of(const struct ptx_kernel *kernel)
{
    return (struct scope){kernel->registers.count, kernel->labels.count, kernel->code.count,
                          kernel->owned.count, kernel->tables.count};
}

/* brx %r, table; a label that is not there leaves it without targets. */
static void aim_table(struct reader *r, struct ptx_instr *instr)
{
    const struct ptx_kernel *kernel = r->kernel;
    for (size_t i = r->scope.tables; i < kernel->tables.count; i++) {
        const struct ptx_table *table = &kernel->tables.items[i];
        if (table->name != instr->operands[1].name)
            continue;
        uint32_t count = (uint32_t)table->labels.count;
        instr->targets = ARENA_ARRAY(r->in.arena, uint32_t, count);
        instr->target_count = count;
        for (uint32_t k = 0; k < count; k++) {
            instr->targets[k] = label_in(r, table->labels.items[k]);
            if (instr->targets[k] == LIT_NONE)
                instr->target_count = 0;
        }
    }
}

/* Jumps in these braces that lead to a label of theirs. */
static void aim(struct reader *r)
{
    const struct ptx_kernel *kernel = r->kernel;
    for (size_t i = r->scope.code; i < kernel->code.count; i++) {
        struct ptx_instr *instr = &kernel->code.items[i];
        if (instr->count == 1 && instr->target == LIT_NONE && instr->operands[0].name)
            instr->target = label_in(r, instr->operands[0].name);
        else if (instr->count == 2 && instr->operands[1].name && !instr->target_count)
            aim_table(r, instr);
    }
}

/* Where the braces begin, what is declared in them holds nothing. */
static void enter(struct reader *r)
{
    struct ptx_instr instr = {.text = "{",
                              .declares = ARENA_NEW(r->in.arena, struct ptx_declared),
                              .span = ptx_text_span(&r->in),
                              .place = r->places.now,
                              .guard = LIT_NONE,
                              .target = LIT_NONE};
    add_instruction(r, instr);
    r->scope = scope_of(r->kernel);
}

/* Where variables are declared in the braces, they hold nothing behind them either: so states of loops
 * return. */
static void note_declared(struct reader *r)
{
    const struct ptx_kernel *kernel = r->kernel;
    struct ptx_declared declared = {(uint32_t)r->scope.registers, (uint32_t)kernel->registers.count,
                                    (uint32_t)r->scope.owned, (uint32_t)kernel->owned.count};
    struct ptx_instr *begin = &kernel->code.items[r->scope.code - 1];
    begin->declares = arena_copy(r->in.arena, &declared, sizeof declared);
    if (declared.owned_end > declared.owned)
        add_instruction(r, *begin);
}

/* Nothing behind the braces has the names that are declared in them. */
static void leave(struct reader *r)
{
    const struct ptx_kernel *kernel = r->kernel;
    aim(r);
    for (size_t i = r->scope.registers; i < kernel->registers.count; i++)
        kernel->registers.items[i].name = NULL;
    for (size_t i = r->scope.labels; i < kernel->labels.count; i++)
        kernel->labels.items[i].name = NULL;
    for (size_t i = r->scope.owned; i < kernel->owned.count; i++)
        kernel->owned.items[i].name = NULL;
    for (size_t i = r->scope.tables; i < kernel->tables.count; i++)
        kernel->tables.items[i].name = NULL;
}

/* The braces of calls and of inline assembly stand within others. */
static void read_body(struct reader *r)
{
    struct scope outer[MAX_BRACES];
    uint32_t depth = 1;
    ptx_text_expect(&r->in, "{");
    outer[0] = r->scope = scope_of(r->kernel);
    while (!r->in.failed && depth) {
        read_markers(r);
        if (r->in.token.kind == PTX_TOKEN_END) {
            ptx_text_expect(&r->in, "}");
        } else if (depth == MAX_BRACES && ptx_text_is(&r->in, "{")) {
            REPORT(r, DIAG_LIT_TOO_LARGE, "more than %d braces stand in each other", MAX_BRACES);
        } else if (ptx_text_accept(&r->in, "{")) {
            outer[depth++] = r->scope;
            enter(r);
        } else if (ptx_text_accept(&r->in, "}")) {
            if (depth > 1)
                note_declared(r);
            leave(r);
            r->scope = outer[--depth];
        } else {
            read_statement(r);
        }
    }
}

static struct ptx_param take_param(struct reader *r)
{
    struct ptx_param param = {0};
    ptx_text_expect(&r->in, ".param");
    pass_attributes(r);
    param.type = take_type(r);
    pass_attributes(r);
    param.name = ptx_text_name(&r->in);
    param.by_value = ptx_text_is(&r->in, "[");
    param.size = take_extent(r) * (param.type.bits / 8);
    add_own(r, (struct ptx_own){.name = param.name, .size = param.size});
    return param;
}

/* `.maxntid 32, 4`: what is not said is 1, and no launch is as large as what is cut. */
static void take_extents(struct reader *r, uint32_t *extents)
{
    extents[0] = extents[1] = extents[2] = 1;
    for (uint32_t i = 0; i < 3; i++) {
        int64_t extent = ptx_text_number(&r->in);
        extents[i] = extent < 0 || extent > UINT16_MAX ? UINT16_MAX : (uint32_t)extent;
        if (!ptx_text_accept(&r->in, ","))
            return;
    }
}

/* `.entry name (.param .b64 a) { .. }`, or `.func (.param .b32 result) name ..`, which may be a
 * declaration without the braces. What a function owns begins with its results, and its parameters. */
static void read_code(struct reader *r, bool function)
{
    struct ptx_kernel *kernel = r->kernel = ARENA_MAKE(
        r->in.arena, struct ptx_kernel, .module = r->module, .span = ptx_text_span(&r->in));
    r->in.in_body = true;
    r->places = (struct ptx_places){0};
    r->scope = (struct scope){0};
    if (function) {
        VEC_PUSH(&r->module->functions, kernel);
        TAKE_LIST(r, take_param, &kernel->results);
    } else {
        VEC_PUSH(&r->module->kernels, kernel);
    }
    kernel->name = ptx_text_name(&r->in);
    TAKE_LIST(r, take_param, &kernel->params);
    while (!r->in.failed && !ptx_text_is(&r->in, "{") && !(function && ptx_text_is(&r->in, ";")) &&
           r->in.token.kind != PTX_TOKEN_END)
        if (ptx_text_accept(&r->in, ".reqntid"))
            take_extents(r, kernel->exact);
        else if (ptx_text_accept(&r->in, ".maxntid"))
            take_extents(r, kernel->most);
        else
            ptx_text_next(&r->in);
    kernel->declared = ptx_text_accept(&r->in, ";");
    if (!kernel->declared)
        read_body(r);
    r->kernel = NULL;
    r->in.in_body = false;
}

static void read_directive(struct reader *r)
{
    if (ptx_text_accept(&r->in, ".version"))
        read_version(r);
    else if (ptx_text_accept(&r->in, ".target"))
        read_target(r);
    else if (ptx_text_accept(&r->in, ".address_size"))
        read_address_size(r);
    else if (ptx_text_accept(&r->in, ".file"))
        read_file(r);
    else if (ptx_text_accept(&r->in, ".loc"))
        read_loc(r);
    else if (ptx_text_accept(&r->in, ".entry"))
        read_code(r, false);
    else if (ptx_text_accept(&r->in, ".func"))
        read_code(r, true);
    else if (ptx_text_accept(&r->in, ".section"))
        ptx_place_read_section(&r->in, r->module);
    else if (!ptx_text_accept(&r->in, ".visible") && !ptx_text_accept(&r->in, ".weak") &&
             !ptx_text_accept(&r->in, ".extern") && !ptx_text_accept(&r->in, ".common") &&
             !ptx_text_accept(&r->in, ";") && !read_variable(r))
        REPORT(r, DIAG_PTX_SYNTAX, "'%.*s' is not read here; is this PTX?", PTX_TOKEN_TEXT(&r->in));
}

static void free_kernel(struct ptx_kernel *kernel)
{
    for (size_t i = 0; i < kernel->tables.count; i++)
        VEC_FREE(&kernel->tables.items[i].labels);
    for (size_t i = 0; i < kernel->calls.count; i++) {
        VEC_FREE(&kernel->calls.items[i]->results);
        VEC_FREE(&kernel->calls.items[i]->args);
    }
    VEC_FREE(&kernel->tables);
    VEC_FREE(&kernel->locals);
    VEC_FREE(&kernel->calls);
    VEC_FREE(&kernel->params);
    VEC_FREE(&kernel->results);
    VEC_FREE(&kernel->owned);
    VEC_FREE(&kernel->registers);
    VEC_FREE(&kernel->code);
    VEC_FREE(&kernel->labels);
}

void ptx_module_free(struct ptx_module *module)
{
    for (size_t i = 0; i < module->kernels.count; i++)
        free_kernel(module->kernels.items[i]);
    for (size_t i = 0; i < module->functions.count; i++)
        free_kernel(module->functions.items[i]);
    for (size_t i = 0; i < module->variables.count; i++)
        VEC_FREE(&module->variables.items[i].data);
    VEC_FREE(&module->kernels);
    VEC_FREE(&module->functions);
    VEC_FREE(&module->variables);
    VEC_FREE(&module->strings);
}

struct ptx_module *ptx_module_read(struct arena *arena, struct intern *names, struct diag *diag,
                                   const struct source *source)
{
    struct reader r = {.in = {.arena = arena, .names = names, .diag = diag, .source = source},
                       .module = ARENA_NEW(arena, struct ptx_module)};
    r.module->source = source;
    ptx_text_begin(&r.in);
    while (r.in.token.kind != PTX_TOKEN_END && !r.in.failed)
        read_directive(&r);
    if (!r.targeted || !r.sized)
        REPORT(&r, DIAG_PTX_TARGET, "expected .target sm_70 or later and .address_size 64");
    VEC_FREE(&r.in.markers);
    if (!r.in.failed)
        return r.module;
    ptx_module_free(r.module);
    return NULL;
}
