/* Writes a program down in the native dialect of the litmus language. */
#include <string.h>

#include "oracle.h"

static const char *const loc_names[ORA_MAX_LOCS] = {"x", "y", "z", "f"};

static const char *const scope_words[ORA_SCOPE_COUNT] = {
#define X(tag, word, method) word,
    ORA_SCOPES(X)
#undef X
};

static const char *const scope_abbreviations[ORA_SCOPE_COUNT] = {
#define X(tag, word, method) method,
    ORA_SCOPES(X)
#undef X
};

static const char *const order_words[ORA_ORDER_COUNT] = {
#define X(tag, word, method, acq, rel) word,
    ORA_ORDERS(X)
#undef X
};

static const char *const order_abbreviations[ORA_ORDER_COUNT] = {
#define X(tag, word, method, acq, rel) method,
    ORA_ORDERS(X)
#undef X
};

const char *ora_loc_name(int loc)
{
    return loc_names[loc];
}

static void write_qualifiers(FILE *out, const struct ora_ins *i)
{
    fprintf(out, "memory_order_%s, memory_scope_%s", order_words[i->order], scope_words[i->scope]);
}

/* Some accesses are written as method calls, where the abbreviations reach. */
static bool as_method(const struct ora_ins *i)
{
    return i->spelling % 5 == 0 && order_abbreviations[i->order] && scope_abbreviations[i->scope];
}

static void write_method(FILE *out, const struct ora_ins *i, const char *verb, const char *operand)
{
    fprintf(out, "%s.%s(%s%s%s, %s_scope)", loc_names[i->loc], verb, operand, *operand ? ", " : "",
            order_abbreviations[i->order], scope_abbreviations[i->scope]);
}

static void write_atomic(FILE *out, const struct ora_ins *i, const char *verb, const char *operand)
{
    if (as_method(i)) {
        write_method(out, i, verb, operand);
        return;
    }
    fprintf(out, "atomic_%s_explicit(%s%s%s, ", verb, loc_names[i->loc], *operand ? ", " : "",
            operand);
    write_qualifiers(out, i);
    fputc(')', out);
}

const char *ora_tag_name(int tag)
{
    static const char *const names[ORA_TAGS + 1] = {"", "ta", "tb", "tc"};
    return names[tag];
}

/* What has a tag is written by what it is, and so is what no call of OpenCL has. */
static bool as_primitive(const struct ora_ins *i)
{
    return i->tag || i->op == ORA_CM || (i->op == ORA_FENCE && i->order == ORA_NA);
}

static void write_primitive(FILE *out, const struct ora_ins *i, const char *name,
                            const char *operands)
{
    fprintf(out, "__%s{%s", name, ora_tag_name(i->tag));
    if (i->order != ORA_NA)
        fprintf(out, "%smemory_order_%s, memory_scope_%s", i->tag ? ", " : "",
                order_words[i->order], scope_words[i->scope]);
    fputc('}', out);
    if (i->op != ORA_FENCE)
        fprintf(out, "(%s%s%s)", loc_names[i->loc], *operands ? ", " : "", operands);
}

static void write_load(FILE *out, const struct ora_ins *i)
{
    if (as_primitive(i))
        write_primitive(out, i, "load", "");
    else if (i->order == ORA_NA)
        fprintf(out, "*%s", loc_names[i->loc]);
    else
        write_atomic(out, i, "load", "");
}

static void write_store(FILE *out, const struct ora_ins *i)
{
    char operand[16];
    snprintf(operand, sizeof operand, i->from_reg ? "r%d" : "%d", i->from_reg ? i->reg : i->value);
    if (as_primitive(i))
        write_primitive(out, i, "store", operand);
    else if (i->order == ORA_NA)
        fprintf(out, "*%s = %s", loc_names[i->loc], operand);
    else
        write_atomic(out, i, "store", operand);
}

static void write_update(FILE *out, const struct ora_ins *i)
{
    char operand[16];
    bool primitive = as_primitive(i), adds = i->op == ORA_FETCH_ADD;
    snprintf(operand, sizeof operand, "%s%d", primitive && adds ? "+, " : "", i->value);
    if (primitive)
        write_primitive(out, i, adds ? "atomic_fetch_op" : "xchg", operand);
    else
        write_atomic(out, i, i->op == ORA_EXCHANGE ? "exchange" : "fetch_add", operand);
}

static void write_cas(FILE *out, const struct ora_ins *i)
{
    fprintf(out, "atomic_compare_exchange_strong_explicit(%s, &e%d, %d, memory_order_%s, ",
            loc_names[i->loc], i->reg, i->value, order_words[i->order]);
    fprintf(out, "memory_order_%s, memory_scope_%s)", order_words[i->fail_order],
            scope_words[i->scope]);
}

static void write_fence(FILE *out, const struct ora_ins *i)
{
    if (as_primitive(i)) {
        write_primitive(out, i, "fence", "");
        return;
    }
    fputs("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, ", out);
    write_qualifiers(out, i);
    fputc(')', out);
}

static void write_barrier(FILE *out, const struct ora_ins *i)
{
    if (i->scope == ORA_KR)
        fprintf(out, "sync_barrier_kr%s", i->spelling % 2 ? "()" : "");
    else if (i->spelling % 3 == 0)
        fprintf(out, "sync_barrier_wg%s", i->spelling % 2 ? "()" : "");
    else
        fprintf(out, "%s(CLK_GLOBAL_MEM_FENCE)",
                i->spelling % 3 == 1 ? "barrier" : "work_group_barrier");
}

static void write_pbarrier(FILE *out, const struct ora_ins *i)
{
    bool has_short = i->scope == ORA_WI || i->scope == ORA_WG || i->scope == ORA_KR;
    if (has_short && i->spelling % 2)
        fprintf(out, "p_barrier_%s%s", scope_abbreviations[i->scope], i->spelling % 3 ? "" : "()");
    else
        fprintf(out, "p_barrier(memory_scope_%s)", scope_words[i->scope]);
}

/* Ways to spin that mean the same. */
static void write_await(FILE *out, const struct ora_ins *i)
{
    static const struct {
        const char *before, *after;
    } ways[] = {{"while (!", ")"},
                {"while (", " == 0)"},
                {"do { } while (!", ")"},
                {"while (1 > ", ") { }"}};
    fputs(ways[i->spelling % 4].before, out);
    write_load(out, i);
    fputs(ways[i->spelling % 4].after, out);
}

static void write_lock(FILE *out, const struct ora_ins *i)
{
    const char *loc = loc_names[i->loc];
    if (i->negated)
        fprintf(out, "while (atomic_exchange_explicit(%s, 1, memory_order_%s", loc,
                order_words[i->order]);
    else
        fprintf(out,
                "while (!atomic_compare_exchange_%s_explicit(%s, 0, 1, memory_order_%s, "
                "memory_order_%s",
                i->spelling % 2 ? "weak" : "strong", loc, order_words[i->order],
                order_words[i->fail_order]);
    fprintf(out, ", memory_scope_%s))", scope_words[i->scope]);
}

/* A register is declared where it is loaded, or on top when that is in a block. */
static bool inside_block(const struct ora_thread *t, int at)
{
    for (int j = 0; j < at; j++)
        if (ora_op_has_body(t->code[j].op) && at <= j + t->code[j].body)
            return true;
    return false;
}

bool ora_declared_on_top(const struct ora_thread *t, int reg)
{
    for (int k = 0; k < t->n_code; k++)
        if (ora_op_loads_register(t->code[k].op) && t->code[k].reg == reg && inside_block(t, k))
            return true;
    return false;
}

static void write_mark(FILE *out, const struct ora_ins *i)
{
    static const char *const names[] = {
        [ORA_BEGIN] = "tx_begin", [ORA_END] = "tx_end", [ORA_ABORT] = "tx_abort"};
    fprintf(out, "__fence{%s}", names[i->value]);
}

static void write_statement(FILE *out, const struct ora_ins *i)
{
    switch (i->op) {
    case ORA_MARK: write_mark(out, i); break;
    case ORA_LOAD: write_load(out, i); break;
    case ORA_STORE: write_store(out, i); break;
    case ORA_EXCHANGE:
    case ORA_FETCH_ADD: write_update(out, i); break;
    case ORA_CAS: write_cas(out, i); break;
    case ORA_FENCE: write_fence(out, i); break;
    case ORA_CM: write_primitive(out, i, "cm", ""); break;
    case ORA_BARRIER: write_barrier(out, i); break;
    case ORA_PBARRIER: write_pbarrier(out, i); break;
    case ORA_AWAIT: write_await(out, i); break;
    case ORA_LOCK: write_lock(out, i); break;
    default: fputs(i->spelling % 2 ? "crash \"here\"" : "crash", out);
    }
    fputs(";\n", out);
}

static void write_head(FILE *out, const struct ora_ins *i)
{
    if (i->op == ORA_IF)
        fprintf(out, "if (r%d %s %d) {\n", i->reg, i->negated ? "!=" : "==", i->value);
    else
        fprintf(out, "for (int i = 0; i < %d; i++) {\n", i->value);
}

static void write_line(FILE *out, const struct ora_thread *t, int k)
{
    const struct ora_ins *i = &t->code[k];
    if (i->op == ORA_CAS)
        fprintf(out, "int e%d = %d; ", i->reg, i->expected);
    if (ora_op_loads_register(i->op))
        fprintf(out, "%sr%d = ", inside_block(t, k) ? "" : "int ", i->reg);
    write_statement(out, i);
}

static void write_code(FILE *out, const struct ora_thread *t)
{
    int depth = 1, close_after[2] = {-1, -1};
    for (int k = 0; k < t->n_code; k++)
        if (ora_op_loads_register(t->code[k].op) && inside_block(t, k))
            fprintf(out, "  int r%d = 0;\n", t->code[k].reg);
    for (int k = 0; k < t->n_code; k++) {
        fprintf(out, "%*s", 2 * depth, "");
        if (ora_op_has_body(t->code[k].op)) {
            write_head(out, &t->code[k]);
            close_after[depth++ - 1] = k + t->code[k].body;
            continue;
        }
        write_line(out, t, k);
        for (; depth > 1 && close_after[depth - 2] == k; depth--)
            fprintf(out, "%*s}\n", 2 * (depth - 1), "");
    }
}

void ora_find_lines(const struct ora_program *p, int line[ORA_MAX_THREADS][ORA_MAX_CODE])
{
    int at = 5 + p->n_locs;
    for (int n = 0; n < p->n_threads; n++) {
        const struct ora_thread *t = &p->thread[n];
        at++;
        for (int k = 0; k < t->n_code; k++)
            at += ora_op_loads_register(t->code[k].op) && inside_block(t, k);
        for (int k = 0; k < t->n_code; k++) {
            line[n][k] = at++;
            for (int j = 0; j < k; j++)
                at += ora_op_has_body(t->code[j].op) && j + t->code[j].body == k;
        }
        at++;
    }
}

/* The parameters: the locations the thread uses, atomic if it uses them so. */
static void write_parameters(FILE *out, const struct ora_program *p, const struct ora_thread *t)
{
    const char *comma = "";
    for (int l = 0; l < p->n_locs; l++) {
        bool used = false, atomic = false;
        for (int k = 0; k < t->n_code; k++)
            if (ora_op_is_access(t->code[k].op) && t->code[k].loc == l) {
                used = true;
                atomic = atomic || t->code[k].order != ORA_NA;
            }
        if (used)
            fprintf(out, "%sglobal %s* %s", comma, atomic ? "atomic_int" : "int", loc_names[l]);
        if (used)
            comma = ", ";
    }
}

static void write_thread(FILE *out, const struct ora_program *p, int index)
{
    const struct ora_thread *t = &p->thread[index];
    fprintf(out, t->tag ? "P%d{%s}@" : "P%d%s@", index, ora_tag_name(t->tag));
    if (t->sg)
        fprintf(out, "sg %d, ", t->sg);
    fprintf(out, "wg %d, kr %d, dev %d (", t->wg, t->kr, t->dev);
    write_parameters(out, p, t);
    fputs(") {\n", out);
    write_code(out, t);
    fputs("}\n", out);
}

void ora_write_threads(FILE *out, const struct ora_program *p)
{
    for (int t = 0; t < p->n_threads; t++)
        write_thread(out, p, t);
}

/* Lines stand behind the location that is the last of them. */
static void write_location(FILE *out, const struct ora_program *p, int l)
{
    fprintf(out, "  %s", p->nvm[l] ? "nvm" : "");
    if (p->tag[l])
        fprintf(out, "%s{%s}", p->nvm[l] ? "" : "int", ora_tag_name(p->tag[l]));
    fprintf(out, "%s%s = %d;", p->nvm[l] || p->tag[l] ? " " : "", loc_names[l], p->initial[l]);
    if (p->line_with[l])
        fprintf(out, " line {%s, %s};", loc_names[p->line_with[l] - 1], loc_names[l]);
    fputc('\n', out);
}

void ora_write_litmus(FILE *out, const struct ora_program *p, const char *name, const char *title)
{
    fprintf(out, "OPENCL %s\n\"%s\"\n{\n", name, title);
    for (int l = 0; l < p->n_locs; l++)
        write_location(out, p, l);
    fputs("}\n", out);
    ora_write_threads(out, p);
    fputs("locations [", out);
    for (int t = 0; t < p->n_threads; t++)
        for (int r = 0; r < ora_shown_regs(p, t); r++)
            fprintf(out, "%d:r%d; ", t, r);
    for (int l = 0; l < p->n_locs; l++)
        fprintf(out, "%s;%s", loc_names[l], l + 1 < p->n_locs ? " " : "");
    fputs("]\n", out);
    ora_write_conditions(out, p);
}
