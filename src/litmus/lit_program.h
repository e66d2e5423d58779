/* lit_program: what a front end produces and every engine runs.
 *
 * A test is threads of flat code over registers and memory locations, conditions,
 * and expectations. Every dialect lowers to this; nothing behind it knows syntax.
 *
 * Arrays and structures are flattened: element i of an array of scalars is location
 * `first + i`, and the members of a structure are neighbours. Expressions have no
 * memory accesses: a load is an instruction of its own, and short-circuit logic whose
 * right side loads is branches.
 *
 * Ownership: everything lives in the arena given to the front end; names and spans
 * point into sources that must outlive it. Immutable once built.
 */
#ifndef CRASHLIT_LIT_PROGRAM_H
#define CRASHLIT_LIT_PROGRAM_H

#include "base/source.h"
#include "base/table.h"
#include "litmus/lit_instruction.h"
#include "litmus/lit_value.h"

/* Scopes, narrow to wide: X(name, tag in cat, spelling after memory_scope_, short spelling). */
#define LIT_SCOPES(X)               \
    X(WI, "WI", "work_item", "wi")  \
    X(SG, "SG", "sub_group", "sg")  \
    X(WG, "WG", "work_group", "wg") \
    X(KR, "KR", "kernel", "kr")     \
    X(DV, "DV", "device", "dev")    \
    X(ALL, "ALL", "all_svm_devices", "all")

enum lit_scope {
#define X(name, tag, text, brief) LIT_SCOPE_##name,
    LIT_SCOPES(X)
#undef X
        LIT_SCOPE_COUNT
};
extern const char *const lit_scope_tags[];

/* Memory orders: X(name, tag in cat, spelling after memory_order_). LIT_ORDER_NA is a
 * plain, non-atomic access. */
#define LIT_ORDERS(X)                \
    X(NA, "NA", "")                  \
    X(RLX, "RLX", "relaxed")         \
    X(ACQ, "ACQ", "acquire")         \
    X(REL, "REL", "release")         \
    X(ACQ_REL, "ACQ_REL", "acq_rel") \
    X(SC, "SC", "seq_cst")

enum lit_order {
#define X(name, tag, text) LIT_ORDER_##name,
    LIT_ORDERS(X)
#undef X
};
extern const char *const lit_order_tags[];

enum lit_space { LIT_GLOBAL = 1, LIT_LOCAL = 2 }; /* also a mask, in fences */

/* Tags: names that stand on instructions, locations and threads, and mean what a model says. A
 * mask has bit i for program->tags[i]. */
enum { LIT_MAX_TAGS = 64 };

struct lit_location {
    const char *name; /* "x", "a[2]", "log[2].old" */
    enum lit_type type;
    uint32_t spaces; /* mask of enum lit_space: of all declarations */
    bool nvm;
    bool hidden;    /* of a launch or a join, or opaque: states do not show it */
    bool opaque;    /* compiled code stores a value there that no model gives */
    bool exchanged; /* a register that a warp's lanes give each other, and no memory: a read
                       returns what a lane has given, never what was there at first */
    bool atomic;    /* some declaration says atomic_* */
    int64_t init;
    uint64_t tags;
    uint32_t line;    /* the first location of its cache line */
    uint32_t unit;    /* the first location of its unit of persistence */
    struct span span; /* declaration; line 0 when only named by a parameter */
};

/* Registers of a thread. Temporaries of lowering have name NULL. */
struct lit_register {
    const char *name;
    enum lit_type type;
    int64_t init;
    bool at_crash; /* a crash condition names it */
    bool given;    /* it has a value from the start: the initial state's, or it is a parameter */
};

#define LIT_NONE 0xffffffffu
enum { LIT_MAX_THREADS = 1024 };

struct lit_expr {
    enum lit_operator op;
    enum lit_type type;     /* of the result */
    enum lit_type operands; /* type the operands are converted to (lit_value_apply) */
    int64_t value;          /* CONST */
    uint32_t reg;           /* REG */
    const struct lit_expr *a, *b, *c;
};

/* A scalar (index NULL, count 1) or an element of an array chosen at run time: location
 * first + index * stride. An index outside 0..count-1 is undefined behaviour of the
 * test. */
struct lit_address {
    uint32_t first, count, stride;
    const struct lit_expr *index;
};

/* The location of element i, below count. */
static inline uint32_t lit_address_element(const struct lit_address *addr, uint32_t i)
{
    BASE_ASSERT(i < addr->count);
    return addr->first + i * addr->stride;
}
static inline bool lit_address_has(const struct lit_address *addr, uint32_t location)
{
    return ANY(i, addr->count, lit_address_element(addr, i) == location);
}

enum lit_rmw {
    LIT_RMW_EXCHANGE,
    LIT_RMW_ADD,
    LIT_RMW_SUB,
    LIT_RMW_AND,
    LIT_RMW_OR,
    LIT_RMW_XOR,
    LIT_RMW_MIN,
    LIT_RMW_MAX,
    LIT_RMW_INC, /* up to the operand, and then 0 */
    LIT_RMW_DEC  /* down to 0, and then the operand, as from above it */
};
/* Of the old value and the operand; MIN and MAX keep the old one where this holds; none of
 * EXCHANGE, INC and DEC. */
extern const enum lit_operator lit_rmw_operators[];

/* Code that an expression evaluates in no particular order with other code of it. */
struct lit_range {
    uint32_t begin, end; /* indices into the thread's code */
    const struct lit_range *next;
};

/* What is stored of a location's value and the operand, both of the type. */
int64_t lit_rmw_apply(enum lit_rmw rmw, enum lit_type type, int64_t old, int64_t operand);

/* A function that was inlined, and where in it. */
struct lit_frame {
    const char *function; /* NULL: not known */
    struct span at;       /* as in an origin */
};

/* What an instruction was compiled from. The source is not read: it has a path and no text. */
struct lit_origin {
    const char
        *text; /* "log.cu:17", "lock() at spin.cu:2, inlined at spin.cu:4"; NULL: not known */
    struct span source;             /* of the kernel's own code; line 0: not known */
    const struct lit_frame *frames; /* of inlined code, from the innermost on */
    uint32_t frame_count;
    struct span code;  /* as compiled, from what guards it to the end of its word, */
    const char *word;  /* which is "st.global.u32" */
    bool ends, fences; /* the thread; it is a fence */
    const char *kernel;
};

struct lit_instr {
    enum lit_instr_op op;
    enum lit_order order, fail_order;
    enum lit_scope scope, exec_scope;
    enum lit_rmw rmw;
    uint32_t computes; /* RMW: in the type of this number less 1, whose bits the location then has;
                          0: in its own */
    uint32_t spaces; /* mask of enum lit_space; of an access: as its thread declares the location */
    bool nonatomic;  /* an access to what its thread declares, or all do, as no atomic_* */
    bool unscoped;   /* FENCE, CM: has no scope */
    bool unless;     /* CAS: writes unless the values are equal */
    bool wide;       /* LOAD, STORE: of a part of a wider access, with those beside it that it is
                        unsequenced with */
    uint64_t tags;
    uint64_t counted; /* FENCE: names the tokens of those with this tag before it; 0: of `value`, if
                              there is one */
    uint32_t but;     /* all but so many, the newest */
    uint32_t dst, dst_old; /* registers or LIT_NONE */
    uint32_t
        decides; /* BRANCH within an expression: the register whose value it is; else LIT_NONE */
    struct lit_address addr;
    const struct lit_expr *value, *expected;
    uint32_t target;              /* index into the thread's code; may equal code_count (the end) */
    bool within;                  /* a statement: not the first of what evaluates it */
    const struct span *statement; /* that begins here, or whose AWAIT this is, where another can
                                     stand before it; NULL: none */
    uint32_t loop, begin;
    const uint32_t *kept; /* AWAIT, LOOP */
    uint32_t kept_count;
    const uint32_t *shown; /* AWAIT: registers that only a crash shows in an iteration left out */
    uint32_t shown_count;
    const uint32_t *tried; /* LOOP: locations */
    uint32_t tried_count;
    const char *label; /* interned: labelled barriers compare by pointer */
    bool asserts;      /* CHECK: of what the program asserts */
    bool named, arrive;
    bool bare;                       /* BARRIER: whoever meets there waits, and orders no memory */
    const struct lit_expr *resource; /* of barriers, or NULL: equal values meet */
    const struct lit_expr *quorum;   /* of them, or NULL: how many arrivals open it */
    const char *text; /* CRASH, CHECK; of an access in no test what is undefined of it; or NULL */
    const char *name; /* of the definition that it stands in; NULL: none */
    const struct lit_origin *origin;     /* of code that stands in no test; else NULL */
    const struct lit_range *unsequenced; /* code before this that it is unsequenced with, or NULL */
    struct span span;
};

struct lit_thread {
    const char *name; /* "P0" */
    uint32_t number;  /* 0: as conditions and reports write it */
    uint32_t sg, wg, kr, dev;
    uint64_t tags;
    const struct lit_register *registers;
    uint32_t register_count;
    const struct lit_instr *code;
    uint32_t code_count;
    uint32_t loop_count;
    bool hosts;            /* it launches or joins kernels, and is launched by nobody */
    struct span span, end; /* where it begins; of code in braces, the closing one, or the same */
};

/* Are both threads in one instance of `scope`? */
static inline bool lit_same_instance(const struct lit_thread *a, const struct lit_thread *b,
                                     enum lit_scope scope)
{
    bool in_device = a->dev == b->dev, in_kernel = in_device && a->kr == b->kr;
    switch (scope) {
    case LIT_SCOPE_WI: return a == b;
    case LIT_SCOPE_SG: return a->sg == b->sg && a->wg == b->wg && in_kernel;
    case LIT_SCOPE_WG: return a->wg == b->wg && in_kernel;
    case LIT_SCOPE_KR: return in_kernel;
    case LIT_SCOPE_DV: return in_device;
    case LIT_SCOPE_ALL: return true;
    case LIT_SCOPE_COUNT: break;
    }
    BASE_UNREACHABLE("a scope");
}

/* Conditions. */
enum lit_prop_op {
    LIT_PROP_TRUE,
    LIT_PROP_FALSE,
    LIT_PROP_COMPARE,
    LIT_PROP_AND,
    LIT_PROP_OR,
    LIT_PROP_NOT,
    LIT_PROP_IMPLIES
};

/* GIVEN: 1 where a register has a value at the crash, 0 where it has none. Stands beside each
 *   comparison with a register in a crash condition, which is false without one.
 * KEPT, in no condition: 1 where nothing but its initial write gives a location its value. */
enum lit_atom_kind {
    LIT_ATOM_CONST,
    LIT_ATOM_REGISTER,
    LIT_ATOM_GIVEN,
    LIT_ATOM_LOCATION,
    LIT_ATOM_KEPT
};

struct lit_atom {
    enum lit_atom_kind kind;
    int64_t value;        /* CONST */
    uint32_t thread, reg; /* REGISTER, GIVEN: indices; in a recovered condition, of recovery */
    uint32_t location;    /* LOCATION, KEPT */
};

static inline bool lit_atom_is_of_register(const struct lit_atom *atom)
{
    return atom->kind == LIT_ATOM_REGISTER || atom->kind == LIT_ATOM_GIVEN;
}

/* Do two atoms that are no constants name the same register or location? */
static inline bool lit_atom_same(const struct lit_atom *a, const struct lit_atom *b)
{
    return a->kind == b->kind &&
           (lit_atom_is_of_register(a) ? a->thread == b->thread && a->reg == b->reg
                                       : a->location == b->location);
}

struct lit_prop {
    enum lit_prop_op op;
    enum lit_operator compare; /* LIT_OP_EQ .. : EQ NE LT LE GT GE */
    struct lit_atom left, right;
    const struct lit_prop *a, *b;
};

/* Calls back for every atom of a proposition, constants included; NULL has none. */
typedef void lit_atom_visit(void *context, const struct lit_atom *atom);
void lit_prop_each_atom(const struct lit_prop *prop, lit_atom_visit *visit, void *context);
bool lit_prop_names(const struct lit_prop *prop, uint32_t location);
/* What a proposition may be, where its atoms are known in part, by what `compare` says of each
 * comparison. */
enum { LIT_MAY_HOLD = 1, LIT_MAY_FAIL = 2, LIT_MAY_BOTH = 3 };
typedef int lit_compare(const void *context, const struct lit_prop *prop);
int lit_prop_may(const struct lit_prop *prop, lit_compare *compare, const void *context);
/* Whoever goes through a proposition may do so by recursion: what an author nests is bounded, and
 * what is made of lists is made by these, as deep as the logarithm of how many there are. In the
 * arena; NULL of none. */
/* That the atom has the value. */
const struct lit_prop *lit_prop_equal(struct arena *arena, const struct lit_atom *atom,
                                      int64_t value);
/* The conjunction, or the disjunction, of the parts. */
const struct lit_prop *lit_prop_join(struct arena *arena, enum lit_prop_op op,
                                     const struct lit_prop *const *parts, size_t count);
/* That each atom has its value. */
const struct lit_prop *lit_prop_row(struct arena *arena, const struct lit_atom *atoms,
                                    const int64_t *values, size_t count);

enum lit_when { LIT_FINAL, LIT_CRASHED, LIT_RECOVERED };
enum lit_quantifier { LIT_EXISTS, LIT_NOT_EXISTS, LIT_FORALL };

/* What `refines "FILE" under VISIBILITY + PERSISTENCY` asks: is each state, as far as it is of the
 * locations that both tests have, one of another test, the source? The proposition is that it is
 * one of those states, once they are listed (session/session_refine.h). */
struct lit_refines {
    const char *source; /* as it stands there */
    const char *visibility, *persistency;
    const char *found[2];     /* both as they were found, once the states are listed */
    uint64_t model_digest;    /* of their texts */
    struct span span;         /* of the source's name */
    uint64_t states;          /* of the source that differ in what is compared; UINT64_MAX: so many
                                 or more */
    const uint32_t *compared; /* locations of this test */
    uint32_t compared_count;
    const char *const *alone; /* non-volatile locations that only one of the two has */
    uint32_t alone_count;
    const char *const *without_meaning; /* of the source's tags under its models */
    uint32_t without_meaning_count;
    const char *doubt; /* why the source may have further states; NULL: it has none */
    const char
        *undefined;  /* that the source is undefined, so that all refines it; NULL: it is not */
    bool livelock;   /* the source never completes its recovery from some crash state */
    const void *own; /* of whoever listed the states; NULL: nobody has, and nothing is known */
};

/* What `property ..` asks: is there no execution with such a fault, whatever its states are?
 * X(identifier, word, what it is). ROBUST is of states: those that can be left under the models are
 * left under strict persistency, too. */
#define LIT_PROPERTIES(X)                                                    \
    X(RACE, "race", "a race")                                                \
    X(DIVERGENCE, "divergence", "a barrier that a work-item never comes to") \
    X(BOUNDS, "bounds", "an access out of bounds")                           \
    X(ASSERT, "assert", "an assertion that fails")                           \
    X(ENDS, "ends", "a work-item that waits for ever")                       \
    X(ROBUST, "robust", "a state that strict persistency does not leave")

enum lit_property {
    LIT_NO_PROPERTY, /* a condition on states */
#define X(identifier, word, meaning) LIT_PROPERTY_##identifier,
    LIT_PROPERTIES(X)
#undef X
        LIT_PROPERTY_END
};
extern const char *const lit_property_words[], *const lit_property_meanings[];
/* LIT_NO_PROPERTY: the word is none. */
enum lit_property lit_property_named(const char *word, size_t length);

/* Whether some order of the program's stores can decide a condition. The values alone do where no
 * choice of values that the program stores meets its proposition, or each does. It may be open
 * where it says so, and never the other way round. */
enum lit_settled { LIT_UNSETTLED, LIT_NEVER_MET, LIT_ALWAYS_MET };

struct lit_condition {
    enum lit_property property; /* its proposition holds of all states, but for ROBUST */
    enum lit_when when;
    enum lit_quantifier quantifier;
    const struct lit_prop *prop;
    const char *text;        /* normalised: "~exists (key=1 /\ val=0)" */
    const char *proposition; /* of the text: "key=1 /\ val=0"; NULL of one that no author wrote */
    struct span span;
    const struct lit_refines *refines; /* NULL: the proposition is the test's own */
    enum lit_settled settled;
    const char *settled_by; /* "val is only ever 0 or 42"; NULL: not known so closely */
};

/* The worse one is the greater. */
enum lit_verdict { LIT_OK, LIT_UNKNOWN, LIT_VIOLATED, LIT_UNDEFINED, LIT_ERROR };

/* Does it ask whether there is a fault, and nothing of states? */
static inline bool lit_asks_fault(const struct lit_condition *condition)
{
    return condition->property && condition->property != LIT_PROPERTY_ROBUST;
}

/* A condition with such a source, of states of that kind; nothing is known yet. In the arena, but
 * for the texts of `refines`. */
struct lit_condition lit_refine_condition(struct arena *arena, const struct lit_refines *refines,
                                          enum lit_when when, struct span span);

/* The program with these properties, a bit for each, in place of its conditions and expectations. In
 * the arena. */
const struct lit_program *lit_ask_properties(struct arena *arena, const struct lit_program *program,
                                             uint32_t properties);
/* A non-volatile location that is opaque; NULL: there is none. */
const struct lit_location *lit_find_opaque(const struct lit_program *program);
/* Does a condition ask it? */
bool lit_asks_property(const struct lit_program *program, enum lit_property property);

/* `expect MODEL + PERSISTENCY [engine] : verdict` */
struct lit_expect {
    const char *visibility, *persistency;
    const char *engine; /* as it stands there; NULL: all */
    enum lit_verdict verdict;
    struct span span, engine_span, verdict_span;
    bool is_pair_only; /* it says which models to ask, and nothing of what is asked */
};

/* The pair that definition files name (`models ptx + gpm`) for the tests that use them. */
struct lit_models {
    const char *visibility, *persistency;
    const char *folder; /* of the file that names it first, as reach_folder says it; NULL: it is
                           built in */
    struct span span;   /* there */
};
/* "cuda.def" */
const char *lit_models_file(const struct lit_models *models);

/* A line `Name=text` between the title and the initial state, as test generators write it. */
struct lit_metadata {
    const char *name, *text;
};

/* A definition that may be added to the test as a statement of its own, with nothing or with a
 * location: one that is of fences, cache maintenance and barriers alone. Marks of transactions,
 * which come in pairs, are none. */
struct lit_offer {
    const char *name;
    bool of_location;
    bool orders; /* it has a meaning without its tags: a memory order, or it is a barrier */
    const char *const *tags;
    uint32_t tag_count;
    bool fences; /* it is one fence, of this order and scope, and no tag */
    enum lit_order order;
    enum lit_scope scope;
};

/* `order dmb_ld < dmb_sy` of a definition file: what has the one tag is weaker than the same with the
 * other. It is what the file says: no model is asked. */
struct lit_weaker {
    const char *weaker, *stronger; /* interned */
};

/* What a program asks of the compiler: `#pragma gpu_pm strict clwb`. A mapping gives it a meaning
 * (mapping.h), and no model does. */
struct lit_pragma {
    const char *text; /* behind the word */
    struct span span;
};

struct lit_program {
    const char *name;                    /* after the dialect word */
    const char *title;                   /* the string under it, "" when absent */
    const struct lit_metadata *metadata; /* in the order of the text; it means nothing here */
    uint32_t metadata_count;
    const struct source *source;
    const struct lit_origin *const
        *outline; /* fences and ends of launched kernels, come to or not */
    uint32_t outline_count;
    uint64_t digest;                /* of its text and of the definition files that it uses */
    uint32_t line;                  /* of the dialect word */
    const struct lit_offer *offers; /* of the definition files that it uses, in their order */
    uint32_t offer_count;
    const struct lit_models *models; /* of these files; NULL: they name none, or disagree */
    const struct lit_weaker *weaker; /* of these files: each pair, with those that follow */
    uint32_t weaker_count;
    const char *const *tags; /* each once, at most LIT_MAX_TAGS */
    uint32_t tag_count;
    const struct lit_location *locations;
    uint32_t location_count;
    const struct lit_thread *threads;
    uint32_t thread_count;
    const struct lit_pragma *pragmas; /* in the order of the text */
    uint32_t pragma_count;
    const struct lit_thread *recovery; /* its threads; count 0 when there is none */
    uint32_t recovery_count;
    bool recovery_restartable;
    bool relaunch; /* the recovery is the program itself: the same code under other names */
    const struct lit_condition *conditions;
    uint32_t condition_count;
    const struct lit_prop
        *filter; /* NULL when absent: states that fail it are ignored (final ones) */
    const struct lit_atom *observed; /* `locations [...]`, registers or memory */
    uint32_t observed_count;
    const struct lit_atom *robust_in; /* `observe ..;`, else what conditions on recovery name: of
                                         recovered states */
    uint32_t robust_in_count;
    const struct lit_expect *expects;
    uint32_t expect_count;
    bool is_table; /* a line has a statement of each thread, side by side, between '|' and before
                      ';' */
    bool has_crash_points; /* some thread has a CRASH instruction */
    bool split_rmw; /* the read of an RMW carries only what acquires, its write what releases */
    bool partial_coherence; /* co need not order all writes to one location */
    bool jumps;             /* code jumps to labels: control dependencies on a branch do not end */
};

const char *lit_verdict_text(enum lit_verdict verdict); /* "ok", "violated", ... */

const char *lit_quantifier_text(enum lit_quantifier quantifier); /* "~exists" */
/* Sets the normalised texts of a condition, which are made of its proposition; in the arena. */
void lit_condition_set_text(struct arena *arena, const struct lit_program *program,
                            struct lit_condition *condition);

/* "f", "a[2]"; of an element chosen at run time "a[..]", "log[..].old", "m[..][..]". */
void lit_address_name(const struct lit_program *program, const struct lit_address *addr,
                      struct strbuf *out);

/* The mask of the tag of this name, 0 when the program has none. */
uint64_t lit_program_tag(const struct lit_program *program, const char *name);
/* Is one tag weaker than the other, by these pairs? */
bool lit_is_weaker(const struct lit_weaker *pairs, uint32_t count, const char *a, const char *b);
/* The tags that make a fence a mark of a transaction. */
uint64_t lit_program_marks(const struct lit_program *program);

/* As declarations write it: "uint". */
const char *lit_declare_type_name(enum lit_type type);
/* Of what an atom names, in the test's threads; LIT_LONG of a constant, LIT_INT of a truth. */
enum lit_type lit_atom_type(const struct lit_program *program, const struct lit_atom *atom);
/* Does a comparison hold of these values? Constants take the type of the other side. */
bool lit_prop_compares(const struct lit_program *program, const struct lit_prop *prop, int64_t left,
                       int64_t right);

/* Does a lowered program keep what stands here? A number that is out of range would be a wrong
 * answer or worse, in whatever engine comes by it first: so it ends the process, with status 70.
 * Cost: one pass over the program (lit_contract.c). */
void lit_contract_check(const struct lit_program *program);

/* The recovery as a program of its own: its threads on the test's locations, and nothing to
 * judge it by. Atoms of `recovered` conditions are atoms of this program. It borrows all it has
 * from `program`. */
struct lit_program lit_recovery_program(const struct lit_program *program);

#endif
