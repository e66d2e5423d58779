/* The text is read once into instructions; registers are numbered by their names. Memory is one
 * array of words, in which each parameter is a part of its own with an unused word behind it. */
#include "hw/hw_emulate.h"

#include "hw/hw_ptx.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- The text ---- */

/* clang-format off */
#define OPCODES(X)                                                                            \
    X(LD, "ld") X(ST, "st") X(ATOM, "atom") X(FENCE, "fence") X(BARRIER, "barrier")           \
    X(MOV, "mov") X(ADD, "add") X(SUB, "sub") X(MUL, "mul") X(DIV, "div") X(REM, "rem")       \
    X(AND, "and") X(OR, "or") X(XOR, "xor") X(NOT, "not") X(NEG, "neg") X(SHL, "shl")         \
    X(SHR, "shr") X(SETP, "setp") X(SELP, "selp") X(CVT, "cvt") X(BRA, "bra") X(RET, "ret")
/* clang-format on */

enum opcode {
#define X(name, word) OP_##name,
    OPCODES(X)
#undef X
        OP_COUNT
};

enum { MOST_OPERANDS = 5, MOST_DOTS = 8 };

enum operand_kind { NOTHING, REGISTER, IMMEDIATE, TID, CTAID, NTID, PARAMETER, ADDRESS };

struct operand {
    enum operand_kind kind;
    uint32_t number;
    int64_t value; /* of an immediate; of an address the offset */
};

struct instruction {
    enum opcode op;
    const char *dots[MOST_DOTS]; /* the parts behind it */
    uint32_t dot_count;
    bool is_signed;
    uint32_t bits; /* of its last type */
    bool guarded, unless;
    uint32_t guard;
    struct operand operands[MOST_OPERANDS];
    uint32_t operand_count;
    const char *label; /* of a branch */
    uint32_t target, line;
};

struct label {
    const char *name;
    uint32_t at;
};

struct kernel {
    struct arena *arena;
    VEC(struct instruction) code;
    VEC(struct label) labels;
    VEC(const char *) registers, parameters;
    const char *fault; /* the first; NULL: none */
};

static void fault(struct kernel *kernel, const char *what, const char *where, uint32_t line)
{
    if (!kernel->fault)
        kernel->fault =
            arena_printf(kernel->arena, "line %" PRIu32 " of the PTX: %s '%s'", line, what, where);
}

/* Where it is among the names; their count when it is not. */
static uint32_t numbered(const char *const *names, size_t count, const char *name)
{
    uint32_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static uint32_t register_number(struct kernel *kernel, const char *name)
{
    uint32_t number = numbered(kernel->registers.items, kernel->registers.count, name);
    if (number == kernel->registers.count)
        VEC_PUSH(&kernel->registers, name);
    return number;
}

static struct operand read_place(struct kernel *kernel, char *text, uint32_t line)
{
    struct operand operand = {.kind = ADDRESS};
    char *offset = strchr(text, '+');
    text[strcspn(text, "]")] = '\0';
    if (offset)
        *offset++ = '\0';
    operand.value = offset ? strtoll(offset, NULL, 10) : 0;
    if (*text == '%') {
        operand.number = register_number(kernel, text);
        return operand;
    }
    operand.kind = PARAMETER;
    operand.number = numbered(kernel->parameters.items, kernel->parameters.count, text);
    if (operand.number == kernel->parameters.count)
        fault(kernel, "no parameter", text, line);
    return operand;
}

static struct operand read_operand(struct kernel *kernel, char *text, uint32_t line)
{
    static const struct {
        const char *name;
        enum operand_kind kind;
    } specials[] = {{"%tid.x", TID}, {"%ctaid.x", CTAID}, {"%ntid.x", NTID}};
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (strcmp(text, specials[i].name) == 0)
            return (struct operand){.kind = specials[i].kind};
    if (*text == '[')
        return read_place(kernel, text + 1, line);
    if (*text == '%')
        return (struct operand){.kind = REGISTER, .number = register_number(kernel, text)};
    char *end;
    struct operand operand = {.kind = IMMEDIATE, .value = strtoll(text, &end, 10)};
    if (end == text || *end)
        fault(kernel, "no operand", text, line);
    return operand;
}

static void read_type(struct instruction *instr)
{
    const char *type = instr->dot_count ? instr->dots[instr->dot_count - 1] : "b32";
    instr->is_signed = *type == 's';
    instr->bits = (uint32_t)strtoul(type + 1, NULL, 10);
}

static void read_word(struct kernel *kernel, struct instruction *instr, char *word)
{
    static const char *const words[] = {
#define X(name, word) word,
        OPCODES(X)
#undef X
    };
    char *save = NULL, *part = strtok_r(word, ".", &save);
    instr->op = (enum opcode)numbered(words, OP_COUNT, part ? part : "");
    if (instr->op == OP_COUNT)
        fault(kernel, "no instruction", word, instr->line);
    while ((part = strtok_r(NULL, ".", &save)) && instr->dot_count < MOST_DOTS)
        instr->dots[instr->dot_count++] = part;
    read_type(instr);
}

static void read_guard(struct kernel *kernel, struct instruction *instr, const char *text)
{
    instr->guarded = true;
    instr->unless = text[1] == '!';
    instr->guard = register_number(kernel, text + 1 + instr->unless);
}

static void read_instruction(struct kernel *kernel, char *text, uint32_t line)
{
    struct instruction instr = {.line = line};
    char *save = NULL, *word = strtok_r(text, " ,;", &save);
    if (word && *word == '@') {
        read_guard(kernel, &instr, word);
        word = strtok_r(NULL, " ,;", &save);
    }
    if (!word)
        return;
    read_word(kernel, &instr, word);
    while ((word = strtok_r(NULL, " ,;", &save)) && instr.operand_count < MOST_OPERANDS)
        if (instr.op == OP_BRA)
            instr.label = word;
        else
            instr.operands[instr.operand_count++] = read_operand(kernel, word, line);
    VEC_PUSH(&kernel->code, instr);
}

static void read_parameters(struct kernel *kernel, char *text)
{
    char *save = NULL;
    for (char *word = strtok_r(strchr(text, '('), " (),", &save); word;
         word = strtok_r(NULL, " (),", &save))
        if (*word != '.')
            VEC_PUSH(&kernel->parameters, word);
}

static void find_targets(struct kernel *kernel)
{
    EACH_IN (struct instruction, instr, kernel->code) {
        if (instr->op != OP_BRA)
            continue;
        const struct label *label =
            FIND(i, kernel->labels.items, kernel->labels.count,
                 instr->label && strcmp(kernel->labels.items[i].name, instr->label) == 0);
        if (label)
            instr->target = label->at;
        else
            fault(kernel, "no label", instr->label ? instr->label : "", instr->line);
    }
}

static void read_line(struct kernel *kernel, char *line, uint32_t number)
{
    char *text = line + strspn(line, " ");
    size_t length = strlen(text);
    if (length && text[length - 1] == ':') {
        text[length - 1] = '\0';
        VEC_PUSH(&kernel->labels, (struct label){text, (uint32_t)kernel->code.count});
    } else if (length && *text != '.' && *text != '/' && *text != '{') {
        read_instruction(kernel, text, number);
    }
}

/* The entry of that name, up to its brace. */
static void read_kernel(struct kernel *kernel, const char *text, const char *entry)
{
    const char *begins = arena_printf(kernel->arena, ".visible .entry %s(", entry);
    char *copy = arena_strdup(kernel->arena, text), *next;
    bool inside = false;
    uint32_t number = 0;
    for (char *line = copy; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        number++;
        if (strncmp(line, begins, strlen(begins)) == 0) {
            inside = true;
            read_parameters(kernel, line);
        } else if (inside && *line == '}') {
            break;
        } else if (inside) {
            read_line(kernel, line, number);
        }
    }
    if (!kernel->code.count)
        fault(kernel, "no entry", entry, number);
    find_targets(kernel);
}

static void kernel_fini(struct kernel *kernel)
{
    VEC_FREE(&kernel->code);
    VEC_FREE(&kernel->labels);
    VEC_FREE(&kernel->registers);
    VEC_FREE(&kernel->parameters);
}

/* ---- Memory ---- */

struct store {
    uint32_t place, value;
};
typedef VEC(struct store) buffer;

enum { MOST_PARTS = 6, MOST_BARRIERS = 16 };

struct part {
    uint32_t first, words; /* in memory */
};

struct thread {
    uint64_t *registers;
    uint32_t pc, block, number;
    bool done, waits;
    uint32_t barrier, wanted; /* where it waits, for how many; 0: all of the block */
    buffer stores;
};

struct device {
    const struct hw_emulation *emulation;
    struct arena *arena;
    const struct kernel *kernel;
    uint32_t *memory;
    uint32_t words;
    struct part parts[MOST_PARTS];
    uint32_t part_count;
    const uint32_t *arguments; /* parts, a number a parameter */
    struct thread *threads;
    uint32_t thread_count, block_size, blocks;
    buffer *of_blocks;
    uint32_t *ready; /* numbers of threads that may go on */
    uint32_t ready_count;
    uint64_t random;
    const char *fault;
};

static void break_down(struct device *device, const struct instruction *instr, const char *what)
{
    if (!device->fault)
        device->fault =
            arena_printf(device->arena, "line %" PRIu32 " of the PTX: %s", instr->line, what);
}

/* A word of memory; 0, which nobody uses, after a fault. */
static uint32_t place_of(struct device *device, const struct instruction *instr, uint64_t address)
{
    uint64_t place = address / 4;
    bool is_inside = ANY(i, device->part_count,
                         place >= device->parts[i].first &&
                             place - device->parts[i].first < device->parts[i].words);
    if (address % 4 == 0 && is_inside)
        return (uint32_t)place;
    break_down(device, instr, "an access outside of what is there");
    return 0;
}

/* The store that is to leave next of those to its place. */
static size_t oldest_of(const buffer *stores, size_t number)
{
    size_t i = 0;
    while (stores->items[i].place != stores->items[number].place)
        i++;
    return i;
}

static void remove_store(buffer *stores, size_t number)
{
    memmove(&stores->items[number], &stores->items[number + 1],
            (stores->count - number - 1) * sizeof *stores->items);
    stores->count--;
}

static void leave_block(struct device *device, buffer *stores, size_t number)
{
    if (device->emulation->flaw != HW_FORGETS_COHERENCE)
        number = oldest_of(stores, number);
    device->memory[stores->items[number].place] = stores->items[number].value;
    remove_store(stores, number);
}

static void leave_thread(struct device *device, struct thread *thread, size_t number)
{
    if (device->emulation->flaw != HW_FORGETS_COHERENCE)
        number = oldest_of(&thread->stores, number);
    VEC_PUSH(&device->of_blocks[thread->block], thread->stores.items[number]);
    remove_store(&thread->stores, number);
}

static void drain(struct device *device, struct thread *thread, bool whole)
{
    while (thread->stores.count)
        leave_thread(device, thread, 0);
    while (whole && device->of_blocks[thread->block].count)
        leave_block(device, &device->of_blocks[thread->block], 0);
}

/* What is on its way to one place. */
static void drain_place(struct device *device, struct thread *thread, uint32_t place)
{
    buffer *of_block = &device->of_blocks[thread->block];
    for (size_t i = 0; i < thread->stores.count;)
        if (thread->stores.items[i].place == place)
            leave_thread(device, thread, i), i = 0;
        else
            i++;
    for (size_t i = 0; i < of_block->count;)
        if (of_block->items[i].place == place)
            leave_block(device, of_block, i), i = 0;
        else
            i++;
}

/* A store leaves a buffer now and then. */
static void leak(struct device *device, struct thread *thread)
{
    enum { ONE_OF = 8 };
    uint64_t drawn = hw_layout_draw(&device->random);
    buffer *of_block = &device->of_blocks[thread->block];
    if (thread->stores.count && drawn % ONE_OF == 0)
        leave_thread(device, thread, drawn / ONE_OF % thread->stores.count);
    if (of_block->count && drawn / 3 % ONE_OF == 0)
        leave_block(device, of_block, drawn / ONE_OF % of_block->count);
}

static uint32_t load(const struct device *device, const struct thread *thread, uint32_t place)
{
    const buffer *of_block = &device->of_blocks[thread->block];
    bool forgets = device->emulation->flaw == HW_FORGETS_COHERENCE;
    for (size_t i = thread->stores.count; i-- > 0 && !forgets;)
        if (thread->stores.items[i].place == place)
            return thread->stores.items[i].value;
    for (size_t i = of_block->count; i-- > 0 && !forgets;)
        if (of_block->items[i].place == place)
            return of_block->items[i].value;
    return device->memory[place];
}

static void store(struct device *device, struct thread *thread, uint32_t place, uint32_t value)
{
    if (device->emulation->weak)
        VEC_PUSH(&thread->stores, (struct store){place, value});
    else
        device->memory[place] = value;
}

/* ---- Instructions ---- */

static bool has_dot(const struct instruction *instr, const char *dot)
{
    return ANY(i, instr->dot_count, strcmp(instr->dots[i], dot) == 0);
}

static uint64_t operand(const struct device *device, const struct thread *thread,
                        const struct operand *operand)
{
    switch (operand->kind) {
    case REGISTER: return thread->registers[operand->number];
    case ADDRESS: return thread->registers[operand->number] + (uint64_t)operand->value;
    case IMMEDIATE: return (uint64_t)operand->value;
    case TID: return thread->number;
    case CTAID: return thread->block;
    case NTID: return device->block_size;
    case PARAMETER: return (uint64_t)device->parts[device->arguments[operand->number]].first * 4;
    case NOTHING: break;
    }
    return 0;
}

/* The lowest bits of a value, as the type has them. */
static uint64_t cut(uint64_t value, uint32_t bits, bool is_signed)
{
    if (bits >= 64 || bits == 0)
        return value;
    value &= (UINT64_C(1) << bits) - 1;
    return is_signed && value >> (bits - 1) ? value | ~((UINT64_C(1) << bits) - 1) : value;
}

static uint64_t divide(uint64_t a, uint64_t b, bool is_signed, bool rest)
{
    if (b == 0)
        return 0;
    if (!is_signed)
        return rest ? a % b : a / b;
    if ((int64_t)b == -1)
        return rest ? 0 : 0 - a;
    return (uint64_t)(rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static uint64_t shift_right(uint64_t a, uint64_t by, bool is_signed)
{
    if (by >= 64)
        by = 63;
    return is_signed && a >> 63 ? ~(~a >> by) : a >> by;
}

static bool compares(const char *how, uint64_t a, uint64_t b, bool is_signed)
{
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    switch (how[0] << 8 | how[1]) {
    case 'e' << 8 | 'q': return a == b;
    case 'n' << 8 | 'e': return a != b;
    case 'l' << 8 | 't': return less;
    case 'l' << 8 | 'e': return less || a == b;
    case 'g' << 8 | 't': return !less && a != b;
    default: return !less; /* ge */
    }
}

static uint64_t compute(const struct instruction *instr, uint64_t a, uint64_t b, uint64_t c)
{
    switch (instr->op) {
    case OP_MOV:
    case OP_CVT: return a;
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return divide(a, b, instr->is_signed, false);
    case OP_REM: return divide(a, b, instr->is_signed, true);
    case OP_AND: return a & b;
    case OP_OR: return a | b;
    case OP_XOR: return a ^ b;
    case OP_NOT: return ~a;
    case OP_NEG: return 0 - a;
    case OP_SHL: return b >= 64 ? 0 : a << b;
    case OP_SHR: return shift_right(a, b, instr->is_signed);
    case OP_SETP: return compares(instr->dots[0], a, b, instr->is_signed);
    case OP_SELP: return c ? a : b;
    case OP_LD:
    case OP_ST:
    case OP_ATOM:
    case OP_FENCE:
    case OP_BARRIER:
    case OP_BRA:
    case OP_RET:
    case OP_COUNT: break;
    }
    BASE_UNREACHABLE("an instruction that computes");
}

/* Operands are taken, and results kept, in the form of the instruction's type: a register of 32 bits
 * has zeros above them. */
static void step_value(struct device *device, struct thread *thread,
                       const struct instruction *instr)
{
    uint64_t values[3] = {0};
    for (uint32_t i = 0; i < 3 && i + 1 < instr->operand_count; i++) {
        values[i] = operand(device, thread, &instr->operands[i + 1]);
        if (!(instr->op == OP_SELP && i == 2) && !(instr->op == OP_SHL && i == 1))
            values[i] = cut(values[i], instr->bits, instr->is_signed);
    }
    uint64_t result = compute(instr, values[0], values[1], values[2]);
    bool narrows =
        instr->op == OP_CVT ? strtoul(instr->dots[0] + 1, NULL, 10) < 64 : instr->bits < 64;
    thread->registers[instr->operands->number] =
        narrows && instr->op != OP_SETP ? cut(result, 32, false) : result;
}

static bool is_wide(const struct device *device, const struct instruction *instr)
{
    return device->emulation->flaw != HW_FORGETS_SCOPES && !has_dot(instr, "cta");
}

static void order_before(struct device *device, struct thread *thread,
                         const struct instruction *instr)
{
    bool orders = instr->op == OP_FENCE || has_dot(instr, "release") || has_dot(instr, "acq_rel");
    if (orders && device->emulation->flaw != HW_FORGETS_FENCES)
        drain(device, thread, is_wide(device, instr));
}

static uint32_t modify(const struct instruction *instr, uint32_t old, uint32_t value, uint32_t with)
{
    const char *how = instr->dots[instr->dot_count - 2];
    bool less = instr->is_signed ? (int32_t)value < (int32_t)old : value < old;
    if (strcmp(how, "exch") == 0)
        return value;
    if (strcmp(how, "add") == 0)
        return old + value;
    if (strcmp(how, "and") == 0)
        return old & value;
    if (strcmp(how, "or") == 0)
        return old | value;
    if (strcmp(how, "xor") == 0)
        return old ^ value;
    if (strcmp(how, "min") == 0)
        return less ? value : old;
    if (strcmp(how, "max") == 0)
        return less ? old : value;
    if (strcmp(how, "inc") == 0)
        return old >= value ? 0 : old + 1;
    if (strcmp(how, "dec") == 0)
        return old == 0 || old > value ? value : old - 1;
    return old == value ? with : old; /* cas */
}

static void step_atomic(struct device *device, struct thread *thread,
                        const struct instruction *instr)
{
    uint32_t place = place_of(device, instr, operand(device, thread, &instr->operands[1]));
    uint32_t value = (uint32_t)operand(device, thread, &instr->operands[2]);
    uint32_t with = (uint32_t)operand(device, thread, &instr->operands[3]);
    order_before(device, thread, instr);
    drain_place(device, thread, place);
    uint32_t old = device->memory[place];
    device->memory[place] = modify(instr, old, value, with);
    thread->registers[instr->operands->number] = old;
}

static void step_load(struct device *device, struct thread *thread, const struct instruction *instr)
{
    uint64_t address = operand(device, thread, &instr->operands[1]), value = address;
    if (instr->operands[1].kind != PARAMETER) {
        value = load(device, thread, place_of(device, instr, address));
        value = cut(value, 32, instr->is_signed);
    }
    thread->registers[instr->operands->number] = value;
}

static void step_barrier(struct device *device, struct thread *thread,
                         const struct instruction *instr)
{
    uint32_t barrier = (uint32_t)operand(device, thread, &instr->operands[0]) % MOST_BARRIERS;
    uint32_t wanted = instr->operand_count > 1
                          ? (uint32_t)operand(device, thread, &instr->operands[1])
                          : device->block_size;
    uint32_t there = 0;
    struct thread *first = &device->threads[thread->block * device->block_size];
    if (device->emulation->flaw != HW_FORGETS_FENCES)
        drain(device, thread, false);
    thread->waits = true;
    thread->barrier = barrier;
    EACH (const struct thread, other, first, device->block_size)
        there += other->waits && other->barrier == barrier;
    if (there < wanted)
        return;
    EACH (struct thread, other, first, device->block_size)
        if (other->waits && other->barrier == barrier) {
            other->waits = false;
            if (other != thread)
                device->ready[device->ready_count++] = (uint32_t)(other - device->threads);
        }
}

static void step(struct device *device, struct thread *thread)
{
    const struct instruction *instr = &device->kernel->code.items[thread->pc++];
    if (instr->guarded && !thread->registers[instr->guard] != instr->unless)
        return;
    switch (instr->op) {
    case OP_LD: step_load(device, thread, instr); break;
    case OP_ST:
        order_before(device, thread, instr);
        store(device, thread, place_of(device, instr, operand(device, thread, &instr->operands[0])),
              (uint32_t)operand(device, thread, &instr->operands[1]));
        break;
    case OP_ATOM: step_atomic(device, thread, instr); break;
    case OP_FENCE: order_before(device, thread, instr); break;
    case OP_BARRIER: step_barrier(device, thread, instr); break;
    case OP_BRA: thread->pc = instr->target; break;
    case OP_RET: thread->done = true; break;
    case OP_MOV:
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_REM:
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT:
    case OP_NEG:
    case OP_SHL:
    case OP_SHR:
    case OP_SETP:
    case OP_SELP:
    case OP_CVT: step_value(device, thread, instr); break;
    case OP_COUNT: BASE_UNREACHABLE("an instruction");
    }
    thread->done |= thread->pc >= device->kernel->code.count;
}

/* ---- Launches ---- */

static void begin_threads(struct device *device, uint32_t blocks, uint32_t size)
{
    size_t registers = device->kernel->registers.count;
    device->blocks = blocks;
    device->block_size = size;
    device->thread_count = blocks * size;
    device->threads = ARENA_ARRAY(device->arena, struct thread, device->thread_count);
    device->ready = ARENA_ARRAY(device->arena, uint32_t, device->thread_count);
    device->ready_count = device->thread_count;
    device->of_blocks = arena_alloc_array(device->arena, blocks, sizeof *device->of_blocks);
    for (uint32_t i = 0; i < device->thread_count; i++) {
        device->threads[i].registers = ARENA_ARRAY(device->arena, uint64_t, registers);
        device->threads[i].block = i / size;
        device->threads[i].number = i % size;
        device->ready[i] = i;
    }
}

static void end_threads(struct device *device)
{
    for (uint32_t i = 0; i < device->thread_count; i++) {
        if (!device->fault)
            drain(device, &device->threads[i], true);
        VEC_FREE(&device->threads[i].stores);
    }
    for (uint32_t i = 0; i < device->blocks; i++)
        VEC_FREE(&device->of_blocks[i]);
}

static void launch(struct device *device, const struct kernel *kernel, uint32_t blocks,
                   uint32_t size, const uint32_t *arguments)
{
    enum { MOST_STEPS = 1 << 24 };
    static const struct instruction nowhere = {.line = 0};
    uint32_t steps = 0;
    device->kernel = kernel;
    device->arguments = arguments;
    begin_threads(device, blocks, size);
    while (device->ready_count && !device->fault) {
        uint32_t slot = (uint32_t)(hw_layout_draw(&device->random) % device->ready_count);
        struct thread *thread = &device->threads[device->ready[slot]];
        step(device, thread);
        if (device->emulation->weak)
            leak(device, thread);
        if (thread->done || thread->waits)
            device->ready[slot] = device->ready[--device->ready_count];
        if (++steps == MOST_STEPS)
            break_down(device, &nowhere, "a launch that does not come to an end");
    }
    if (ANY(i, device->thread_count, !device->threads[i].done))
        break_down(device, &nowhere, "a barrier that not all come to");
    end_threads(device);
}

static uint32_t add_part(struct device *device, uint32_t words)
{
    device->parts[device->part_count] = (struct part){device->words + 1, words};
    device->words += 1 + words;
    return device->part_count++;
}

static uint32_t *part_at(const struct device *device, uint32_t part)
{
    return &device->memory[device->parts[part].first];
}

static void set_memory(const struct device *device, const struct hw_plan *plan,
                       const struct hw_layout *layout, uint32_t part)
{
    uint32_t instances = layout->words[HW_WORD_INSTANCES];
    for (uint32_t v = 0; v < plan->program->location_count; v++) {
        const uint32_t *place = &layout->words[HW_WORD_PLACES + 4 * v];
        for (uint32_t i = 0; i < instances; i++)
            part_at(device, part)[(i * place[0] + place[1]) % instances * place[2] + place[3]] =
                (uint32_t)plan->program->locations[v].init;
    }
}

struct emulation {
    const struct hw_plan *plan;
    const struct hw_emulation *asked;
    struct kernel run, collect;
    struct arena scratch;
    struct hw_seen *seen; /* of each outcome */
    struct hw_result *result;
};

static const char *count_launch(struct emulation *all, const uint32_t *counts, uint64_t number)
{
    all->result->unfinished += counts[HW_COUNT_UNFINISHED];
    all->result->other += counts[HW_COUNT_OTHER];
    for (uint32_t bin = 0; bin < all->plan->bins; bin++) {
        uint32_t count = counts[HW_COUNT_OUTCOMES + bin];
        if (!count)
            continue;
        if (!all->seen[bin].launches)
            all->seen[bin].first = number;
        all->seen[bin].count += count;
        all->seen[bin].launches++;
    }
    return counts[HW_COUNT_UNWRITTEN] ? "a row that nobody wrote" : NULL;
}

static const char *play(struct emulation *all, uint64_t number)
{
    static const struct hw_size size = {.slots = 2, .teams = 2, .lanes = 2, .noisy = 1};
    enum { RUN = 5, COLLECT = 4, NOISE_WORDS = HW_NOISE_LINES * HW_NOISE_LINE_WORDS };
    const struct hw_plan *plan = all->plan;
    struct hw_layout layout;
    struct device device = {.emulation = all->asked, .arena = &all->scratch};
    hw_layout_make(&layout, plan, &size, all->asked->seed, number);
    const uint32_t instances = layout.words[HW_WORD_INSTANCES];
    device.random = layout.random;
    uint32_t table = add_part(&device, HW_LAYOUT_WORDS), memory = add_part(&device, layout.memory),
             rows = add_part(&device, instances * plan->row * plan->program->thread_count),
             meetings = add_part(&device, size.slots * size.teams),
             noise = add_part(&device, NOISE_WORDS),
             counts = add_part(&device, HW_COUNT_OUTCOMES + plan->bins);
    const uint32_t of_run[RUN] = {table, memory, rows, meetings, noise};
    const uint32_t of_collect[COLLECT] = {table, memory, rows, counts};
    device.memory = ARENA_ARRAY(&all->scratch, uint32_t, device.words + 1);
    memcpy(part_at(&device, table), layout.words, sizeof layout.words);
    set_memory(&device, plan, &layout, memory);
    launch(&device, &all->run, layout.blocks, layout.threads, of_run);
    if (!device.fault) /* one thread too many, as sizes of blocks are rounded up */
        launch(&device, &all->collect, 1, instances + 1, of_collect);
    all->result->launches++;
    all->result->instances += instances;
    return device.fault ? device.fault : count_launch(all, part_at(&device, counts), number);
}

static void take_seen(struct emulation *all, struct arena *arena)
{
    const struct hw_plan *plan = all->plan;
    struct hw_result *result = all->result;
    result->seen = ARENA_ARRAY(arena, struct hw_seen, plan->bins);
    for (uint32_t bin = 0; bin < plan->bins; bin++) {
        if (!all->seen[bin].count)
            continue;
        int64_t *values = ARENA_ARRAY(arena, int64_t, plan->value_count);
        hw_plan_outcome(plan, bin, values);
        all->seen[bin].values = values;
        result->seen[result->seen_count++] = all->seen[bin];
    }
}

const char *hw_emulate(struct arena *arena, const struct hw_plan *plan, const char *text,
                       const struct hw_emulation *emulation, struct hw_result *result)
{
    struct emulation all = {.plan = plan,
                            .asked = emulation,
                            .run = {.arena = arena},
                            .collect = {.arena = arena},
                            .seen = ARENA_ARRAY(arena, struct hw_seen, plan->bins),
                            .result = result};
    read_kernel(&all.run, text, "run");
    read_kernel(&all.collect, text, "collect");
    const char *why = all.run.fault ? all.run.fault : all.collect.fault;
    for (uint64_t i = 0; i < emulation->launches && !why; i++) {
        const struct arena_mark mark = arena_mark(&all.scratch);
        why = play(&all, emulation->first + i);
        why = why ? arena_printf(arena, "launch %" PRIu64 ": %s", emulation->first + i, why) : NULL;
        arena_rewind(&all.scratch, mark);
    }
    if (!why)
        take_seen(&all, arena);
    kernel_fini(&all.run);
    kernel_fini(&all.collect);
    arena_fini(&all.scratch);
    return why;
}
