#include "generate/gen_definition.h"

#include "generate/gen_print.h"
#include "litmus/lit_parse.h"
#include "session/session_test.h"

#include <string.h>

enum { VALUE = 7 /* that is stored, where a call has one */, MOST_WORDS = 2 };

#define BIT(number) (UINT32_C(1) << (number))

bool gen_definitions_read(struct gen_definitions *definitions, struct arena *arena,
                          const struct session_settings *settings, struct diag *diag)
{
    const struct lit_surroundings surroundings = {.reach = &settings->reach,
                                                  .uses = settings->uses,
                                                  .uses_count = settings->uses_count,
                                                  .instead = settings->instead,
                                                  .instead_count = settings->instead_count,
                                                  .models_named = true};
    struct ast_test test = {.dialect = lit_dialect_find("OPENCL", strlen("OPENCL"))};
    *definitions = (struct gen_definitions){
        .arena = arena,
        .names = intern_new(),
        .settings = {.reach = settings->reach, .unroll = 1, .engine = "enum"}};
    struct session_settings *own = &definitions->settings;
    memcpy(own->uses, settings->uses, sizeof own->uses);
    own->uses_count = settings->uses_count;
    own->instead = settings->instead;
    own->instead_count = settings->instead_count;
    struct lit_syntax syntax = {
        .arena = arena, .names = definitions->names, .diag = diag, .test = &test};
    return lit_uses_read(&syntax, &surroundings, &definitions->all);
}

void gen_definitions_fini(struct gen_definitions *definitions)
{
    if (definitions->names)
        intern_free(definitions->names);
}

/* ---- A call ---- */

/* The words that a call is made with: of its parameters that are words, in their order. */
struct call {
    const struct lit_definition *definition;
    const char *words[MOST_WORDS];
    bool atomic;                 /* the location is declared so */
    bool behind_mark, till_mark; /* a mark needs its like before it, or behind it */
};

static uint32_t count_kind(const struct lit_definition *definition, enum lit_formal kind)
{
    return COUNT_IF(i, definition->count, definition->kinds[i] == kind);
}

static void add_call(const struct call *call, struct strbuf *out)
{
    const struct lit_definition *definition = call->definition;
    uint32_t word = 0;
    strbuf_printf(out, "%s%s", definition->value ? "int r0 = " : "", definition->name);
    for (uint32_t i = 0; i < definition->count; i++) {
        strbuf_add(out, i ? ", " : "(");
        switch (definition->kinds[i]) {
        case LIT_FORMAL_PLACE: strbuf_add(out, "x"); break;
        case LIT_FORMAL_VALUE: strbuf_printf(out, "%d", VALUE); break;
        case LIT_FORMAL_WORD: strbuf_add(out, call->words[word++]); break;
        }
    }
    strbuf_add(out, definition->count ? ");" : definition->called ? "();" : ";");
}

/* Reads the test of a call; false when it is none. */
static bool read_call(struct gen_definitions *definitions, const struct call *call,
                      struct session_test *test)
{
    SCOPED(strbuf) text = {0};
    const char *type = call->atomic ? "atomic_int" : "int";
    strbuf_printf(&text, "OPENCL call\n{ nvm %s x = 0; }\nP0 (global %s* x) { %s", type, type,
                  call->behind_mark ? "__fence{tx_begin}; " : "");
    add_call(call, &text);
    strbuf_printf(&text, "%s }\nexists (x = 0)\n", call->till_mark ? " __fence{tx_end};" : "");
    session_test_read(test, &definitions->settings, "call", strbuf_text(&text), text.length);
    return test->program != NULL;
}

static bool can_read(struct gen_definitions *definitions, const struct call *call)
{
    SCOPED(session_test) test;
    return read_call(definitions, call, &test);
}

/* ---- Words ---- */

static const char scope_word[] = "dev_scope";
static const char *const order_words[] = {
    [LIT_ORDER_NA] = NULL,      [LIT_ORDER_RLX] = "mo_rlx",         [LIT_ORDER_ACQ] = "mo_acq",
    [LIT_ORDER_REL] = "mo_rel", [LIT_ORDER_ACQ_REL] = "mo_acq_rel", [LIT_ORDER_SC] = "mo_sc"};

/* Which of the words is the order, and which the scope; MOST_WORDS: none. */
struct roles {
    uint32_t order, scope;
};

/* The orders with which the call can be made, a bit each. */
static uint32_t orders_of(struct gen_definitions *definitions, struct call *call, uint32_t at)
{
    uint32_t orders = 0;
    for (uint32_t o = LIT_ORDER_RLX; o <= LIT_ORDER_SC; o++) {
        call->words[at] = order_words[o];
        orders |= can_read(definitions, call) ? BIT(o) : 0;
    }
    return orders;
}

/* Finds what each word is by what can be read; false when it is neither. A word that may be either
 * is a scope, or the first of two an order. */
static bool find_words_so(struct gen_definitions *definitions, struct call *call,
                          struct roles *roles, uint32_t *orders)
{
    static const struct roles ways[] = {{MOST_WORDS, 0}, {0, MOST_WORDS}, {0, 1}, {1, 0}};
    uint32_t count = count_kind(call->definition, LIT_FORMAL_WORD), first = count == 1 ? 0 : 2;
    *roles = (struct roles){MOST_WORDS, MOST_WORDS};
    if (count == 0)
        return can_read(definitions, call);
    for (uint32_t way = first; way < first + 2; way++) {
        *roles = ways[way];
        if (roles->scope < MOST_WORDS)
            call->words[roles->scope] = scope_word;
        if (roles->order == MOST_WORDS && can_read(definitions, call))
            return true;
        *orders = roles->order < MOST_WORDS ? orders_of(definitions, call, roles->order) : 0;
        if (*orders) {
            for (uint32_t o = 0; o <= LIT_ORDER_SC; o++)
                if (*orders >> o & 1)
                    call->words[roles->order] = order_words[o];
            return true;
        }
    }
    return false;
}

static bool find_words(struct gen_definitions *definitions, struct call *call, struct roles *roles,
                       uint32_t *orders)
{
    bool marks = call->definition->marks;
    for (int way = 0; way < (marks ? 4 : 2); way++) {
        call->atomic = !marks && way;
        call->till_mark = way & 1 && marks;
        call->behind_mark = way & 2;
        if (find_words_so(definitions, call, roles, orders))
            return true;
    }
    return false;
}

/* ---- What it expands to ---- */

/* The only instruction; NULL: there is none, or more, or not always. What a load gives may be moved
 * into the register. */
static const struct lit_instr *only_instruction(const struct call *call,
                                                const struct lit_thread *thread)
{
    const struct lit_instr *only = NULL;
    uint32_t end = thread->code_count - call->till_mark;
    for (uint32_t i = call->behind_mark; i < end; i++) {
        const struct lit_instr *instr = &thread->code[i];
        bool moves = instr->op == LIT_SET && only && instr->value->op == LIT_OP_REG &&
                     instr->value->reg == only->dst;
        if (moves)
            continue;
        if (only || lit_instruction_is(instr->op, LIT_PRIVATE))
            return NULL;
        only = instr;
    }
    return only;
}

static bool stores(const struct lit_instr *instr, int64_t value)
{
    return instr->value->op == LIT_OP_CONST && instr->value->value == value;
}

static const char *class_of(const struct lit_instr *instr, const struct lit_definition *definition,
                            struct gen_family *family)
{
    bool given = count_kind(definition, LIT_FORMAL_VALUE) == 1;
    switch (instr->op) {
    case LIT_LOAD:
        family->class = GEN_LOAD;
        return definition->value ? NULL : "it reads and gives nothing";
    case LIT_STORE:
        family->class = GEN_STORE;
        family->traits |= given ? 0 : GEN_STORES_ONE;
        return stores(instr, given ? VALUE : 1) ? NULL
                                                : "it stores what is neither its value nor 1";
    case LIT_RMW:
        family->class = GEN_RMW;
        return definition->value && instr->rmw == LIT_RMW_EXCHANGE && given && stores(instr, VALUE)
                   ? NULL
                   : "it is a read-modify-write, but no exchange";
    case LIT_FENCE:
    case LIT_CM:
        family->class = instr->op == LIT_CM ? GEN_LINE : GEN_POINT;
        return instr->dst != LIT_NONE    ? "it gives a token"
               : instr->counted && given ? "it counts by a number"
                                         : NULL;
    case LIT_CAS: return "it compares";
    case LIT_BARRIER:
    case LIT_PBARRIER: return "it is a barrier of the language";
    default: return "it is no instruction";
    }
}

static const char *const *tags_of(struct arena *arena, const struct lit_program *program,
                                  uint64_t mask)
{
    const char **tags = ARENA_ARRAY(arena, const char *, program->tag_count + 1);
    uint32_t count = 0;
    for (uint32_t t = 0; t < program->tag_count; t++)
        if (mask >> t & 1)
            tags[count++] = arena_strdup(arena, program->tags[t]);
    tags[count] = NULL;
    return tags;
}

static bool has_tag(const struct gen_family *family, const char *tag)
{
    bool found = false;
    for (const char *const *at = family->tags; *at; at++)
        found |= strcmp(*at, tag) == 0;
    return found;
}

/* A fence has an order where it says one; its scope tells work-items apart unless it is all of the
 * system. */
static void set_orders(const struct lit_instr *instr, const struct roles *roles, uint32_t orders,
                       struct gen_family *family)
{
    enum {
        WIDE = BIT(LIT_SCOPE_SG) | BIT(LIT_SCOPE_WG) | BIT(LIT_SCOPE_KR) | BIT(LIT_SCOPE_DV) |
               BIT(LIT_SCOPE_ALL)
    };
    bool accesses = family->class <= GEN_RMW;
    bool unscoped =
        accesses ? instr->order == LIT_ORDER_NA : instr->unscoped || instr->scope == LIT_SCOPE_ALL;
    family->orders = roles->order < MOST_WORDS ? orders
                     : accesses                ? BIT(instr->order)
                                               : BIT(LIT_ORDER_NA);
    family->scopes = roles->scope < MOST_WORDS ? WIDE | (accesses ? 0 : BIT(LIT_SCOPE_WI))
                     : unscoped                ? BIT(LIT_SCOPE_WI)
                                               : BIT(instr->scope);
}

static void set_traits(const struct lit_instr *instr, struct gen_family *family)
{
    bool opens = has_tag(family, "tx_begin");
    bool closes = has_tag(family, "tx_end") || has_tag(family, "tx_abort");
    bool plain = instr->order == LIT_ORDER_NA;
    if (family->class == GEN_POINT && (opens || closes))
        family->traits |= opens ? GEN_OPENS : GEN_CLOSES;
    else if (family->class >= GEN_LINE)
        family->traits |= GEN_SPEAKS;
    if (family->class == GEN_LOAD)
        family->weaker = plain ? "ld" : "lda";
    if (family->class == GEN_STORE)
        family->weaker = plain ? "st" : "sta";
}

/* ---- How it is written ---- */

static void add_operand(char letter, bool is_order, struct strbuf *out)
{
    strbuf_add(out, letter == 'd'   ? "%r"
                    : letter == 'l' ? "%x"
                    : letter == 'v' ? "%v"
                    : is_order      ? "%o"
                                    : "%s");
}

static const char *text_of(struct arena *arena, const struct lit_definition *definition,
                           const struct roles *roles, enum gen_dialect dialect)
{
    struct strbuf out = {0};
    bool ptx = dialect == GEN_PTX, first = true;
    uint32_t word = 0;
    strbuf_printf(&out, "%s%s", !ptx && definition->value ? "int %r = " : "", definition->name);
    for (const char *letter = definition->letters; *letter; letter++) {
        if (*letter == 'd' && !ptx)
            continue;
        strbuf_add(&out, !first ? ", " : ptx ? " " : "(");
        add_operand(*letter, *letter == 'w' && roles->order == word, &out);
        word += *letter == 'w';
        first = false;
    }
    strbuf_add(&out, ptx ? "" : !first ? ");" : definition->called ? "();" : ";");
    return strbuf_take(&out, arena);
}

/* ---- All of it ---- */

/* What is called without parentheses is no location or register of generated tests. */
static bool is_hidden(const struct lit_definition *definition)
{
    const char *name = definition->name;
    bool numbered =
        (*name == 'r' || *name == 't') && name[1] && !name[1 + strspn(name + 1, "0123456789")];
    return !definition->called &&
           (numbered || strcmp(name, "ended") == 0 ||
            ANY(l, GEN_MAX_LOCATIONS, strcmp(gen_location_names[l], name) == 0));
}

static const char *refuse_parameters(const struct lit_definition *definition)
{
    if (is_hidden(definition))
        return "generated tests have a variable of its name";
    if (count_kind(definition, LIT_FORMAL_PLACE) > 1)
        return "it takes several locations";
    if (count_kind(definition, LIT_FORMAL_VALUE) > 1)
        return "it takes several values";
    return count_kind(definition, LIT_FORMAL_WORD) > MOST_WORDS ? "it takes several words" : NULL;
}

/* Of a call without words: these are what was tried otherwise. */
static const char *why_unread(struct gen_definitions *definitions, const struct call *call)
{
    SCOPED(session_test) test = {0};
    const bool tried = count_kind(call->definition, LIT_FORMAL_WORD) == 0 &&
                       !read_call(definitions, call, &test) && diag_first_error(&test.diag);
    return tried && diag_first_error(&test.diag)->id == DIAG_LIT_TOKEN ? "it takes a token"
                                                                       : "its call cannot be read";
}

const char *gen_definition_family(struct gen_definitions *definitions,
                                  const struct lit_definition *definition,
                                  struct gen_family *family)
{
    struct arena *arena = definitions->arena;
    struct call call = {.definition = definition};
    struct roles roles;
    uint32_t orders = 0;
    const char *why = refuse_parameters(definition);
    *family = (struct gen_family){.name = arena_strdup(arena, definition->name)};
    if (why)
        return why;
    if (!find_words(definitions, &call, &roles, &orders))
        return why_unread(definitions, &call);
    SCOPED(session_test) test;
    BASE_CHECK(read_call(definitions, &call, &test));
    const struct lit_instr *instr = only_instruction(&call, &test.program->threads[0]);
    if (!instr)
        return "it is no single instruction";
    why = class_of(instr, definition, family);
    if (why)
        return why;
    family->tags = tags_of(arena, test.program, instr->tags);
    if (!*family->tags)
        return "it is an instruction of the language";
    if (instr->counted)
        family->counts =
            arena_printf(arena, "%s %u", *tags_of(arena, test.program, instr->counted), instr->but);
    set_orders(instr, &roles, orders, family);
    set_traits(instr, family);
    for (int d = 0; d < GEN_DIALECT_COUNT; d++)
        family->text[d] = text_of(arena, definition, &roles, (enum gen_dialect)d);
    return NULL;
}

/* ---- Whether tests can have it ---- */

/* A store, and the instruction in that form. */
static bool is_readable(const struct session_settings *settings, const struct gen_vocabulary *v,
                        enum gen_dialect dialect, struct gen_form form)
{
    const struct gen_op store = {.form = {0, LIT_ORDER_NA, LIT_SCOPE_WI}};
    const struct gen_op op = {.form = form,
                              .location = v->families[1].class == GEN_POINT ? GEN_NOWHERE : 0};
    SCOPED(strbuf) text = {0};
    SCOPED(session_test) test;
    struct gen_program program;
    gen_program_init(&program, 1);
    (void)gen_add(&program, 0, store);
    (void)gen_add(&program, 0, op);
    const struct gen_test made = {
        .name = "call", .vocabulary = v, .dialect = dialect, .program = &program};
    gen_print(&made, &text);
    strbuf_add(&text, "exists (x = 1)\n");
    session_test_read(&test, settings, "call", strbuf_text(&text), text.length);
    return test.program != NULL;
}

static bool are_readable(const struct session_settings *settings, const struct gen_vocabulary *v,
                         enum gen_dialect dialect)
{
    const struct gen_family *family = &v->families[1];
    for (uint8_t o = 0; o <= LIT_ORDER_SC; o++)
        for (uint8_t s = 0; s < LIT_SCOPE_COUNT; s++) {
            const struct gen_form form = {1, o, s};
            if (family->orders >> o & family->scopes >> s & 1 &&
                gen_can_print_form(v, dialect, form) && !is_readable(settings, v, dialect, form))
                return false;
        }
    return true;
}

const char *gen_definition_unfit(const struct session_settings *settings, struct arena *arena,
                                 struct gen_family *family)
{
    struct gen_family *families = ARENA_ARRAY(arena, struct gen_family, 2);
    const struct gen_vocabulary v = {.name = "call", .families = families, .family_count = 2};
    if (family->traits & (GEN_OPENS | GEN_CLOSES))
        return NULL; /* it has been read with its like */
    families[0] = *FIND(f, gen_language, GEN_COMMON, gen_language[f].class == GEN_STORE);
    families[1] = *family;
    for (int d = 0; d < GEN_DIALECT_COUNT; d++)
        if (family->text[d] && !are_readable(settings, &v, (enum gen_dialect)d))
            family->text[d] = NULL;
    return family->text[GEN_OPENCL] || family->text[GEN_PTX] ? NULL : "no test can have it";
}
