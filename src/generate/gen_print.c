/* Tests as text. In an OPENCL test each operation has a line, in a PTX test a few cells, so a
 * column is made as a list of texts before the rows are. */
#include "generate/gen_print.h"

#include "base/vec.h"

#include <string.h>

void gen_outcome_init(struct gen_outcome *outcome)
{
    memset(outcome, GEN_ANY, sizeof *outcome);
}

uint32_t gen_register(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                      uint32_t thread, uint32_t index)
{
    BASE_ASSERT(thread < program->thread_count);
    return COUNT_IF(i, index, gen_reads(vocabulary, &program->ops[thread][i]));
}

/* ---- Words ---- */

static const char *order_word(enum gen_dialect dialect, uint32_t order)
{
    static const char *const opencl[] = {"", "mo_rlx", "mo_acq", "mo_rel", "mo_acq_rel", "mo_sc"};
    static const char *const ptx[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
    return dialect == GEN_PTX ? ptx[order] : opencl[order];
}

static const char *scope_word(enum gen_dialect dialect, uint32_t scope)
{
    static const char *const opencl[] = {"wi_scope", "sg_scope",  "wg_scope",
                                         "kr_scope", "dev_scope", "all_scope"};
    static const char *const ptx[] = {"thread", NULL, "cta", NULL, "gpu", "sys"};
    return dialect == GEN_PTX ? ptx[scope] : opencl[scope];
}

/* %b: as names of execution barriers have it. */
static const char *brief_word(enum gen_dialect dialect, uint32_t scope)
{
    return dialect == GEN_PTX ? scope_word(dialect, scope) : gen_scope_text((enum lit_scope)scope);
}

bool gen_can_print_form(const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                        struct gen_form form)
{
    const char *text = vocabulary->families[form.family].text[dialect];
    if (!text || (strstr(text, "%s") && !scope_word(dialect, form.scope)))
        return false;
    if (dialect != GEN_PTX)
        return true;
    /* There are fences of two orders, accesses are not SC, barriers are of the CTA. */
    if (strncmp(text, "fence.", 6) == 0)
        return form.order == LIT_ORDER_ACQ_REL || form.order == LIT_ORDER_SC;
    if (strncmp(text, "bar.", 4) == 0)
        return form.scope == LIT_SCOPE_WG;
    return form.order != LIT_ORDER_SC;
}

bool gen_can_print(const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                   const struct gen_program *program)
{
    return !ANY(t, program->thread_count,
                ANY(i, program->length[t],
                    !gen_can_print_form(vocabulary, dialect, program->ops[t][i].form) ||
                        (dialect == GEN_PTX && program->ops[t][i].dependency == GEN_ADDRESS)));
}

/* ---- Operations ---- */

struct printing {
    const struct gen_test *test;
    struct strbuf *out;
    uint32_t thread, index;
};

static const struct gen_op *op_of(const struct printing *p)
{
    return &p->test->program->ops[p->thread][p->index];
}

static uint32_t source_register(const struct printing *p)
{
    return gen_register(p->test->vocabulary, p->test->program, p->thread, op_of(p)->on);
}

static void add_location(const struct printing *p)
{
    const struct gen_op *op = op_of(p);
    const char *name = gen_location_names[op->location];
    if (op->dependency == GEN_ADDRESS)
        strbuf_printf(p->out, "%s[r%u & 0]", name, source_register(p));
    else
        strbuf_add(p->out, name);
}

static void add_value(const struct printing *p)
{
    uint32_t value = gen_value(p->test->vocabulary, p->test->program, p->thread, p->index);
    if (op_of(p)->dependency != GEN_DATA)
        strbuf_printf(p->out, "%u", value);
    else if (p->test->dialect == GEN_PTX)
        strbuf_printf(p->out, "t%u", p->index);
    else
        strbuf_printf(p->out, "%u + (r%u & 0)", value, source_register(p));
}

static void add_escape(const struct printing *p, char escape)
{
    const struct gen_op *op = op_of(p);
    enum gen_dialect dialect = p->test->dialect;
    switch (escape) {
    case 'x': add_location(p); break;
    case 'v': add_value(p); break;
    case 'r':
        strbuf_printf(p->out, "r%u",
                      gen_register(p->test->vocabulary, p->test->program, p->thread, p->index));
        break;
    case 'o': strbuf_add(p->out, order_word(dialect, op->form.order)); break;
    case 's': strbuf_add(p->out, scope_word(dialect, op->form.scope)); break;
    case 'b': strbuf_add(p->out, brief_word(dialect, op->form.scope)); break;
    default: BASE_UNREACHABLE("an escape of a family's text");
    }
}

/* Does a later operation need the register of the guarded read at hand? Then it is declared outside
 * of the braces. */
static bool is_declared_before(const struct printing *p)
{
    const struct gen_program *program = p->test->program;
    if (p->test->dialect == GEN_PTX || !gen_is_guarded(op_of(p)))
        return false;
    for (uint32_t i = p->index + 1; i < program->length[p->thread]; i++)
        if (program->ops[p->thread][i].dependency != GEN_FREE &&
            program->ops[p->thread][i].on == p->index)
            return true;
    return false;
}

static void add_op(const struct printing *p)
{
    const char *text = gen_family_of(p->test->vocabulary, op_of(p))->text[p->test->dialect];
    if (is_declared_before(p))
        text += strlen("int ");
    /* `*a[i]` is `a[i]`. */
    bool indexed = op_of(p)->dependency == GEN_ADDRESS;
    for (; *text; text++)
        if (*text == '%')
            add_escape(p, *++text);
        else if (!(indexed && *text == '*' && text[1] == '%'))
            strbuf_add_char(p->out, *text);
}

/* ---- OPENCL ---- */

static bool is_used(const struct gen_program *program, uint32_t thread, uint32_t location)
{
    BASE_ASSERT(thread < program->thread_count);
    return ANY(i, program->length[thread], program->ops[thread][i].location == location);
}

/* Is it accessed atomically by somebody? Models tell an atomic access of what is declared otherwise
 * from one of an atomic location. */
static bool is_atomic(const struct gen_test *test, uint32_t location)
{
    const struct gen_program *program = test->program;
    return ANY(t, program->thread_count,
               ANY(i, program->length[t],
                   program->ops[t][i].location == location &&
                       program->ops[t][i].form.order != LIT_ORDER_NA));
}

/* Is it the first work-item of its instance? */
static bool is_first(const struct gen_program *program, uint32_t thread, uint32_t level)
{
    uint32_t t = 0;
    while (!gen_are_together(program, t, thread, level))
        t++;
    return t == thread;
}

/* The number of its instance, among those of the instance around it. */
static uint32_t instance_number(const struct gen_program *program, uint32_t thread, uint32_t level)
{
    uint32_t number = 0;
    for (uint32_t t = 0; t < thread && !gen_are_together(program, t, thread, level); t++)
        number += is_first(program, t, level) &&
                  (level + 1 == GEN_LEVELS || gen_are_together(program, t, thread, level + 1));
    return number;
}

static bool level_varies(const struct gen_program *program, uint32_t level)
{
    for (uint32_t t = 1; t < program->thread_count; t++)
        if (instance_number(program, t, level))
            return true;
    return false;
}

static void add_header(const struct printing *p)
{
    static const char *const words[][GEN_LEVELS] = {{"sg", "wg", "kr", "dev"},
                                                    {NULL, "cta", "kr", "gpu"}};
    const struct gen_program *program = p->test->program;
    const char *before = "@";
    strbuf_printf(p->out, "P%u", p->thread);
    if (program->host[p->thread])
        strbuf_printf(p->out, "{%s}", p->test->vocabulary->host_tag);
    for (uint32_t level = 0; level < GEN_LEVELS; level++) {
        const char *word = words[p->test->dialect][level];
        bool always = p->test->dialect == GEN_PTX && level != LIT_SCOPE_KR - LIT_SCOPE_SG;
        if (!word || (!always && !level_varies(program, level)))
            continue;
        strbuf_printf(p->out, "%s%s %u", before, word, instance_number(program, p->thread, level));
        before = p->test->dialect == GEN_PTX ? "," : ", ";
    }
}

/* An end that no condition speaks of is left out. */
static bool prints_end(const struct gen_test *test, uint32_t thread)
{
    bool spoken_of = test->outcome_count == 0 ||
                     ANY(i, test->outcome_count, test->outcomes[i].ends[thread] != GEN_ANY);
    return spoken_of && gen_shows_end(test->vocabulary, test->program, thread);
}

static void add_function(struct printing *p)
{
    const struct gen_program *program = p->test->program;
    const char *before = "";
    add_header(p);
    strbuf_add(p->out, " (");
    for (uint32_t l = 0; l < program->location_count; l++)
        if (is_used(program, p->thread, l)) {
            strbuf_printf(p->out, "%sglobal %sint* %s", before,
                          is_atomic(p->test, l) ? "atomic_" : "", gen_location_names[l]);
            before = ", ";
        }
    strbuf_add(p->out, ") {\n");
    for (p->index = 0; p->index < program->length[p->thread]; p->index++) {
        bool guarded = gen_is_guarded(op_of(p));
        strbuf_add(p->out, "  ");
        if (is_declared_before(p))
            strbuf_printf(p->out, "int r%u; ",
                          gen_register(p->test->vocabulary, program, p->thread, p->index));
        if (guarded)
            strbuf_printf(p->out, "if (%sr%u) { ", op_of(p)->dependency == GEN_UNLESS ? "!" : "",
                          source_register(p));
        add_op(p);
        strbuf_add(p->out, guarded ? " }\n" : "\n");
    }
    if (prints_end(p->test, p->thread))
        strbuf_add(p->out, "  int ended = 1;\n");
    strbuf_add(p->out, "}\n");
}

/* ---- PTX ---- */

struct column {
    struct strbuf text; /* its cells, each ended by a NUL */
    VEC(size_t) cells;
    size_t width;
};

static void end_cell(struct column *column, size_t start)
{
    size_t width = column->text.length - start;
    strbuf_add_bytes(&column->text, "", 1);
    VEC_PUSH(&column->cells, start);
    column->width = width > column->width ? width : column->width;
}

static void add_cell(struct column *column, const char *format, ...)
{
    size_t start = column->text.length;
    va_list arguments;
    va_start(arguments, format);
    strbuf_vprintf(&column->text, format, arguments);
    va_end(arguments);
    end_cell(column, start);
}

static void fill_column(struct printing *p, struct column *column)
{
    const struct gen_program *program = p->test->program;
    size_t start = 0;
    p->out = &column->text;
    add_header(p);
    end_cell(column, start);
    for (p->index = 0; p->index < program->length[p->thread]; p->index++) {
        const struct gen_op *op = op_of(p);
        if (gen_is_guarded(op))
            add_cell(column, "%s r%u, 0, L%u", op->dependency == GEN_UNLESS ? "bne" : "beq",
                     source_register(p), p->index);
        if (op->dependency == GEN_DATA) {
            add_cell(column, "and t%u, r%u, 0", p->index, source_register(p));
            add_cell(column, "add t%u, t%u, %u", p->index, p->index,
                     gen_value(p->test->vocabulary, program, p->thread, p->index));
        }
        start = column->text.length;
        add_op(p);
        end_cell(column, start);
        if (gen_is_guarded(op))
            add_cell(column, "L%u:", p->index);
    }
    if (prints_end(p->test, p->thread))
        add_cell(column, "mov ended, 1");
}

static void add_table(struct printing *p)
{
    struct column columns[GEN_MAX_THREADS] = {{.width = 0}};
    struct strbuf *out = p->out;
    uint32_t count = p->test->program->thread_count;
    size_t rows = 0;
    for (p->thread = 0; p->thread < count; p->thread++) {
        struct column *column = &columns[p->thread];
        fill_column(p, column);
        rows = column->cells.count > rows ? column->cells.count : rows;
    }
    p->out = out;
    for (size_t row = 0; row < rows; row++) {
        for (uint32_t t = 0; t < count; t++) {
            const char *cell = row < columns[t].cells.count
                                   ? columns[t].text.text + columns[t].cells.items[row]
                                   : "";
            strbuf_printf(out, "%s%-*s ", t ? "| " : " ", (int)columns[t].width, cell);
        }
        strbuf_add(out, ";\n");
    }
    for (uint32_t t = 0; t < count; t++) {
        strbuf_fini(&columns[t].text);
        VEC_FREE(&columns[t].cells);
    }
}

/* ---- The test ---- */

static void add_atom(struct strbuf *out, size_t start)
{
    if (out->length > start)
        strbuf_add(out, " /\\ ");
}

void gen_print_outcome(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                       const struct gen_outcome *outcome, struct strbuf *out)
{
    size_t start = out->length;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        for (uint32_t i = 0; i < program->length[t]; i++)
            if (outcome->reads[t][i] != GEN_ANY) {
                add_atom(out, start);
                strbuf_printf(out, "%u:r%u = %u", t, gen_register(vocabulary, program, t, i),
                              outcome->reads[t][i]);
            }
        if (outcome->ends[t] != GEN_ANY) {
            add_atom(out, start);
            strbuf_printf(out, "%u:ended = %u", t, outcome->ends[t]);
        }
    }
    for (uint32_t l = 0; l < program->location_count; l++)
        if (outcome->memory[l] != GEN_ANY) {
            add_atom(out, start);
            strbuf_printf(out, "%s = %u", gen_location_names[l], outcome->memory[l]);
        }
    if (out->length == start)
        strbuf_add(out, "true");
}

static void add_initial(const struct gen_test *test, struct strbuf *out)
{
    const struct gen_program *program = test->program;
    strbuf_add(out, "{ ");
    for (uint32_t l = 0; l < program->location_count; l++)
        strbuf_printf(out, "%s%s%s = 0; ", program->nvm >> l & 1 ? "nvm " : "",
                      test->dialect != GEN_PTX && is_atomic(test, l) ? "atomic_int " : "",
                      gen_location_names[l]);
    strbuf_add(out, "}\n");
}

static void add_condition(const struct gen_test *test, const struct gen_outcome *outcome,
                          struct strbuf *out)
{
    strbuf_printf(out, "%s %s (", test->when == LIT_CRASHED ? "crash" : "final",
                  lit_quantifier_text(test->quantifier));
    gen_print_outcome(test->vocabulary, test->program, outcome, out);
    strbuf_add(out, ")\n");
}

void gen_print(const struct gen_test *test, struct strbuf *out)
{
    struct printing p = {.test = test, .out = out};
    strbuf_printf(out, "%s %s\n", gen_dialect_words[test->dialect], test->name);
    if (test->title)
        strbuf_printf(out, "\"%s\"\n", test->title);
    for (uint32_t i = 0; i < test->vocabulary->use_count; i++)
        strbuf_printf(out, "uses \"%s\"\n", test->vocabulary->uses[i]);
    add_initial(test, out);
    if (test->dialect == GEN_PTX)
        add_table(&p);
    else
        for (p.thread = 0; p.thread < test->program->thread_count; p.thread++)
            add_function(&p);
    for (uint32_t i = 0; i < test->outcome_count; i++)
        add_condition(test, &test->outcomes[i], out);
    if (test->comment)
        strbuf_printf(out, "// %s\n", test->comment);
    EACH (const struct gen_expectation, expected, test->expectations, test->expectation_count)
        strbuf_printf(out, "expect %s + %s : %s\n", expected->visibility, expected->persistency,
                      lit_verdict_text(expected->verdict));
}
