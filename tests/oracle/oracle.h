/* oracle: what a litmus test means, worked out a second time by brute force.
 *
 * The reference against which the engine is checked. It shares no code with src/ and
 * takes another route: it runs the program step by step in every order, keeps each
 * distinct execution that comes out, builds the relations of semantics.md naively
 * and tries every crash cut. That is affordable because its programs are tiny.
 *
 * One header for the whole program. Plain structures of ints without padding, so that
 * equal things are equal bytes (oracle_set.c relies on that).
 */
#ifndef CRASHLIT_TESTS_ORACLE_H
#define CRASHLIT_TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    ORA_MAX_THREADS = 4,
    ORA_MAX_LOCS = 4,
    ORA_MAX_REGS = 4,
    ORA_MAX_CODE = 14, /* instructions of one thread */
    ORA_MAX_THREAD_EVENTS = 18,
    ORA_MAX_EVENTS = 24, /* of an execution, initial writes included */
    ORA_MAX_VALUES = ORA_MAX_THREADS * ORA_MAX_REGS + ORA_MAX_LOCS,
    ORA_NAME = 48
};

/* Narrow to wide: X(tag, word after memory_scope_, word before _scope or NULL). */
#define ORA_SCOPES(X)         \
    X(WI, "work_item", "wi")  \
    X(SG, "sub_group", NULL)  \
    X(WG, "work_group", "wg") \
    X(KR, "kernel", "kr")     \
    X(DV, "device", "dev")    \
    X(ALL, "all_svm_devices", NULL)

/* X(tag, word after memory_order_, method abbreviation or NULL, acquires, releases). */
#define ORA_ORDERS(X)                 \
    X(NA, "", NULL, 0, 0)             \
    X(RLX, "relaxed", "mo_rlx", 0, 0) \
    X(ACQ, "acquire", "mo_acq", 1, 0) \
    X(REL, "release", "mo_rel", 0, 1) \
    X(ACQ_REL, "acq_rel", NULL, 1, 1) \
    X(SC, "seq_cst", "mo_sc", 1, 1)

/* X(tag, name on the command line). */
#define ORA_VISIBILITIES(X) \
    X(SC, "sc")             \
    X(DIRECT, "hrf-direct") \
    X(INDIRECT, "hrf-indirect")

#define ORA_PERSISTENCIES(X)                \
    X(STRICT, "strict")                     \
    X(BUFFERED_STRICT, "buffered-strict")   \
    X(EPOCH, "epoch")                       \
    X(BUFFERED_EPOCH, "buffered-epoch")     \
    X(EPOCH_INDIVIDUAL, "epoch-individual") \
    X(BUFFERED_EPOCH_INDIVIDUAL, "buffered-epoch-individual")

/* Deliberate errors, each against one rule of semantics.md: X(tag, name). */
#define ORA_MUTATIONS(X)                          \
    X(NO_COHERENCE, "no-coherence")               \
    X(IGNORE_SCOPES, "ignore-scopes")             \
    X(WIDE_WI_BARRIERS, "wide-wi-barriers")       \
    X(NO_DIVERGENCE, "no-divergence")             \
    X(NO_RULE2, "no-rule2")                       \
    X(NO_RULE3, "no-rule3")                       \
    X(LEVELS_MIX, "levels-mix")                   \
    X(NO_FAILING_READS, "no-failing-reads")       \
    X(NO_STUCK_CRASHES, "no-stuck-crashes")       \
    X(CRASH_ANYWHERE, "crash-anywhere")           \
    X(FENCES_SYNC_NOTHING, "fences-sync-nothing") \
    X(NO_SYNC_RACES, "no-sync-races")             \
    X(NO_FROM_READS, "no-from-reads")             \
    X(REGISTERS_AHEAD, "registers-ahead")         \
    X(BARRIERS_ORDER_NO_PERSISTS, "barriers-order-no-persists")

#define X(tag, ...) ORA_##tag,
enum ora_scope { ORA_SCOPES(X) ORA_SCOPE_COUNT };
enum ora_order { ORA_ORDERS(X) ORA_ORDER_COUNT };
#undef X
#define X(tag, ...) ORA_VIS_##tag,
enum ora_visibility { ORA_VISIBILITIES(X) ORA_VIS_COUNT };
#undef X
#define X(tag, ...) ORA_PERS_##tag,
enum ora_persistency { ORA_PERSISTENCIES(X) ORA_PERS_COUNT };
#undef X
#define X(tag, ...) ORA_MUT_##tag,
enum ora_mutation { ORA_MUT_NONE, ORA_MUTATIONS(X) ORA_MUT_END };
#undef X

/* X(tag, name on the command line). */
#define ORA_CRASH_MODES(X) \
    X(DEFAULT, "default") X(ANYWHERE, "anywhere") X(POINTS, "points") X(END, "end")

#define X(tag, ...) ORA_CRASH_##tag,
enum ora_crash_mode { ORA_CRASH_MODES(X) ORA_CRASH_MODE_COUNT };
#undef X

/* ---- Programs ------------------------------------------------------------- */

enum ora_op {
    ORA_LOAD,     /* reg = loc */
    ORA_STORE,    /* loc = value, or = reg when from_reg */
    ORA_EXCHANGE, /* reg = loc, loc = value */
    ORA_FETCH_ADD,
    ORA_CAS, /* reg = (loc == expected), and then loc = value; else a read of fail_order */
    ORA_FENCE,
    ORA_BARRIER, /* execution barrier, scope WG or KR */
    ORA_PBARRIER,
    ORA_CM,    /* cache maintenance of loc */
    ORA_MARK,  /* of a transaction; value: which */
    ORA_AWAIT, /* while (!loc); */
    ORA_LOCK,  /* while (!CAS(loc, 0, 1)); or, when negated, while (exchange(loc, 1)); */
    ORA_CRASH,
    ORA_IF,    /* if (reg == value), or != when negated, over the next `body` instructions */
    ORA_REPEAT /* the next `body` instructions `value` times; may hold a whole `if` */
};

enum ora_mark { ORA_BEGIN = 1, ORA_END, ORA_ABORT };

struct ora_ins {
    int op, order, scope, loc, reg, value, from_reg, body, negated, expected, fail_order;
    int tag;      /* of tags ta, tb ... from 1; 0: none. A fence that has no order has no scope */
    int spelling; /* which of the equivalent ways to write it down */
};

struct ora_thread {
    int sg, wg, kr, dev;
    int tag; /* as of an instruction */
    int n_code;
    struct ora_ins code[ORA_MAX_CODE];
    int n_regs; /* r0 .. r(n-1), each written by one instruction at most */
};

enum ora_quantifier { ORA_EXISTS, ORA_NOT_EXISTS, ORA_FORALL };
enum { ORA_MAX_ATOMS = 3, ORA_TAGS = 3 };

/* Atoms joined by \/ (any) or /\; none is `true`. Items are places in struct ora_final or
 * struct ora_image. All zero is `exists (true)`. */
struct ora_condition {
    int quantifier, n_atoms, any;
    struct {
        int item, value, differs;
    } atom[ORA_MAX_ATOMS];
};

struct ora_program {
    struct ora_condition final, crash;

    int n_threads, n_locs;
    int crash_mode; /* enum ora_crash_mode */
    int hidden;     /* bit t: nobody looks at the registers of thread t, a twin of another */
    struct ora_thread thread[ORA_MAX_THREADS];
    int nvm[ORA_MAX_LOCS], initial[ORA_MAX_LOCS];
    int tag[ORA_MAX_LOCS];       /* as of instructions */
    int line_with[ORA_MAX_LOCS]; /* the first location of its line and 1; 0: a line of its own */
};

/* The registers of a thread that a final state shows: r0 .. of that many. */
int ora_shown_regs(const struct ora_program *p, int t);
bool ora_op_is_access(int op);
bool ora_op_is_placed(int op); /* has a location */
bool ora_op_loads_register(int op);
bool ora_op_has_body(int op);
bool ora_op_writes(int op);
bool ora_order_acquires(int order);
bool ora_order_releases(int order);
/* Are threads a and b in one instance of the scope? */
bool ora_same_instance(const struct ora_program *p, int a, int b, int scope);

/* oracle_vary.c: the same program for the same seed, on any machine, of at most `events`
 * events. */
void ora_generate(struct ora_program *p, uint64_t seed, int events);
/* Gives it tags everywhere, lines of several locations, and cache maintenance when it is still of
 * at most `events` events then. */
void ora_tag(struct ora_program *p, uint64_t seed, int events);

/* Puts marks of transactions around some instructions. */
void ora_add_transactions(struct ora_program *p, uint64_t seed, int events);
bool ora_has_marks(const struct ora_program *p);

/* oracle_text.c: the program in the native dialect, every register and location observed. */
void ora_write_litmus(FILE *out, const struct ora_program *p, const char *name, const char *title);
/* Is the register declared on top, with 0, as it is loaded in a block? */
bool ora_declared_on_top(const struct ora_thread *t, int reg);
/* Its threads alone. */
void ora_write_threads(FILE *out, const struct ora_program *p);
const char *ora_loc_name(int loc);
const char *ora_tag_name(int tag); /* "" of 0 */
/* The line of the text each instruction stands on. */
void ora_find_lines(const struct ora_program *p, int line[ORA_MAX_THREADS][ORA_MAX_CODE]);
/* oracle_shrink.c: takes an instruction out, and the uses of a register it alone wrote. */
void ora_remove_instruction(struct ora_thread *t, int at);

/* ---- Sets of equal-sized items, oracle_set.c -------------------------------- */

struct ora_set {
    size_t item_size, count, capacity;
    unsigned char *items;
    size_t *slots; /* open hashing: 0 empty, else index + 1 */
    size_t slot_count;
};

void ora_set_init(struct ora_set *s, size_t item_size);
void ora_set_fini(struct ora_set *s);
void ora_set_clear(struct ora_set *s);
/* True when the item was not there before. */
bool ora_set_add(struct ora_set *s, const void *item);
bool ora_set_has(const struct ora_set *s, const void *item);
bool ora_set_equal(const struct ora_set *a, const struct ora_set *b);
const void *ora_set_at(const struct ora_set *s, size_t index);

/* ---- Executions, oracle_run.c ----------------------------------------------- */

enum ora_kind { ORA_READ, ORA_WRITE, ORA_FENCE_EVENT, ORA_B, ORA_PB, ORA_CM_EVENT };
enum ora_stop { ORA_DONE, ORA_AT_AWAIT, ORA_AT_RENDEZVOUS, ORA_AT_MARK };

struct ora_event {
    int kind;
    int thread; /* -1: initial write */
    int loc, value, order, scope, tag;
    int instance; /* B, PB: the how many'th of that kind and scope in its thread */
    int source;   /* READ: the write read; in an execution, an event number */
    int place;    /* the instruction: its index in the thread's code */
    int gives;    /* the last event of what loads a register: that register and 1, else 0 */
    int given;    /* its value then */
    int half;     /* of a read-modify-write */
    int mark;     /* of a transaction: which, else 0 */
};

/* A register gets a value without an event: once the first `before` events of its thread have
 * executed, and it has passed `behind` crash statements that stand there. */
struct ora_computed {
    int reg, value, before, behind;
};

/* A consistent execution. Events are numbered initial writes first (event i writes location
 * i), then thread by thread in program order. */
struct ora_exec {
    int n_events;
    struct ora_event ev[ORA_MAX_EVENTS];
    int co[ORA_MAX_EVENTS]; /* of writes: place in the location's order, 0 initial */
    int stop[ORA_MAX_THREADS];
    int reg[ORA_MAX_THREADS][ORA_MAX_REGS];
    int memory[ORA_MAX_LOCS];
    int crashes[ORA_MAX_THREADS][ORA_MAX_THREAD_EVENTS + 1]; /* how many stand after k events */
    int n_computed[ORA_MAX_THREADS];
    struct ora_computed computed[ORA_MAX_THREADS][ORA_MAX_REGS * 2]; /* in program order */
    int failing; /* has the extra failing read of an await */
};

/* Which writes inside of transactions the model keeps from others: a bit for each kind of write
 * (ora_kind_of_write). `withheld`: until the end; `undone`: of transactions that are aborted, and
 * of these `may_stay`, each of which is kept or not. */
struct ora_keeping {
    uint32_t withheld, undone, may_stay;
};
int ora_kind_of_write(int order, bool nvm);

struct ora_runs {
    struct ora_keeping keeping; /* said by who explores */
    struct ora_set execs;       /* of struct ora_exec */
    bool too_many;              /* gave up: the program is too large */
};

/* All executions that some order of steps produces. With `collective`, persist barriers wider
 * than a work-item are rendezvous. */
void ora_explore(const struct ora_program *p, bool collective, int mutation, struct ora_runs *out);
bool ora_exec_complete(const struct ora_program *p, const struct ora_exec *x);
bool ora_exec_divergent(const struct ora_program *p, const struct ora_exec *x);
/* Is a work-item at a mark that may not be there, or at its end inside of a transaction? */
bool ora_exec_disordered(const struct ora_program *p, const struct ora_exec *x);

/* ---- Relations, oracle_graph.c ---------------------------------------------- */

struct ora_rel {
    uint32_t row[ORA_MAX_EVENTS]; /* bit b of row a: a is related to b */
};

struct ora_graph {
    const struct ora_program *p;
    const struct ora_exec *x;
    int mutation;
    uint32_t nvm_writes; /* initial writes included */
    struct ora_rel po, rf, co, fr, syncbar, syncpb;
    struct ora_rel hb[ORA_VIS_COUNT];
};

bool ora_rel_has(const struct ora_rel *r, int a, int b);
void ora_rel_put(struct ora_rel *r, int a, int b);
void ora_rel_join(struct ora_rel *r, const struct ora_rel *other);
void ora_rel_compose(struct ora_rel *out, const struct ora_rel *a, const struct ora_rel *b);
void ora_rel_close(struct ora_rel *r); /* transitively */

/* [from]; r; [to] */
struct ora_rel ora_rel_between(uint32_t from, const struct ora_rel *r, uint32_t to);
/* a; b */
struct ora_rel ora_rel_chain(struct ora_rel a, struct ora_rel b);

/* All but hb. */
void ora_graph_relate(struct ora_graph *g, const struct ora_program *p, const struct ora_exec *x,
                      int mutation);
uint32_t ora_graph_kind(const struct ora_graph *g, int kind);
void ora_graph_build(struct ora_graph *g, const struct ora_program *p, const struct ora_exec *x,
                     int mutation);
/* oracle_hb.c: fills g->hb. */
void ora_graph_order(struct ora_graph *g);

/* Two accesses that race: threads, places in their code, kinds; the lower thread first. */
struct ora_race {
    int thread[2], place[2], kind[2];
};

/* Adds the races of the execution; true when there is one. */
bool ora_graph_races(const struct ora_graph *g, int visibility, struct ora_set *races);

/* ---- Crash cuts, oracle_crash.c --------------------------------------------- */

/* One value per location, those of volatile locations 0. Registers that the crash condition names
 * hold a value or ORA_NOTHING, the others 0. */
enum { ORA_NOTHING = -99 };
struct ora_image {
    int value[ORA_MAX_LOCS];
    int reg[ORA_MAX_THREADS][ORA_MAX_REGS];
};
/* The place of a register in an image, as an item of a condition. */
int ora_image_item(int thread, int reg);
/* Does the crash condition name it? */
bool ora_crash_names(const struct ora_program *p, int thread, int reg);

/* What a persistency model says of one execution. */
struct ora_contract {
    struct ora_rel executes_before, persist_before, durable_before, durable_after;
    uint32_t cannot_persist;
    bool lands;                  /* by lands_before; else by coherence */
    struct ora_rel lands_before; /* initial versions come first whatever it says */
};

bool ora_collective(int persistency);
void ora_crash_cuts(const struct ora_graph *g, const struct ora_contract *c,
                    struct ora_set *images);
/* Adds the crash states of the execution to `images`. */
void ora_crash_states(const struct ora_graph *g, int visibility, int persistency,
                      struct ora_set *images);

/* ---- Answers, oracle_solve.c ------------------------------------------------ */

/* Registers of thread t from t * ORA_MAX_REGS, memory after all registers; unused 0. */
struct ora_final {
    int value[ORA_MAX_VALUES];
};

struct ora_answer {
    bool undefined, divergent, disordered; /* undefined: divergent, racy, or marks in disorder */
    struct ora_set races;                  /* struct ora_race: all of them, of all executions */
    struct ora_set finals;                 /* struct ora_final */
    struct ora_set crashes;                /* struct ora_image */
};

struct ora_truth {
    struct ora_answer at[ORA_VIS_COUNT][ORA_PERS_COUNT];
    bool stuck; /* some execution is */
    size_t executions;
};

void ora_answer_init(struct ora_answer *a);
void ora_answer_fini(struct ora_answer *a);
void ora_truth_init(struct ora_truth *t);
void ora_truth_fini(struct ora_truth *t);
void ora_final_of(const struct ora_program *p, const struct ora_exec *x, struct ora_final *f);
bool ora_truth_equal(const struct ora_truth *a, const struct ora_truth *b);
/* False when the program is too large to be worked out. */
bool ora_solve(const struct ora_program *p, int mutation, struct ora_truth *t);

/* oracle_condition.c */
void ora_write_conditions(FILE *out, const struct ora_program *p);
void ora_count_states(const struct ora_condition *c, const struct ora_set *states, size_t *positive,
                      size_t *negative);
const char *ora_condition_verdict(const struct ora_condition *c, const struct ora_set *states);

/* ---- The tool under test, oracle_tool.c ------------------------------------- */

struct ora_pair {
    int visibility, persistency;
};

/* As the command line takes them: a name or a path. */
struct ora_models {
    const char *visibility, *persistency;
};

struct ora_tool {
    const char *binary;
    const char *workdir;
    bool decide; /* asked for the verdicts of the two conditions alone */
};

/* What the tool said of one program; `said` false when it said nothing usable, `why` then. */
struct ora_reply {
    bool said;
    char why[200];
    char verdict[2][16]; /* of the conditions */
    struct ora_answer answer;
};

void ora_reply_init(struct ora_reply *r);
void ora_reply_fini(struct ora_reply *r);
bool ora_crash_mode_find(const char *name, int *mode);
const char *ora_visibility_name(int visibility);
const char *ora_persistency_name(int persistency);
/* Writes tests t0 .. t(n-1) into the folder, made when absent; takes them out again. */
bool ora_write_folder(const char *folder, const struct ora_program *programs, int n);
void ora_remove_folder(const char *folder, int n);
/* Runs the tool over a folder (or one file) of tests named t0 .. t(n-1), the reply to ti in
 * replies[i]. False when it could not be run or died; what it wrote on standard error is in
 * workdir/stderr. */
bool ora_tool_ask(const struct ora_tool *tool, const char *path, struct ora_models models,
                  const struct ora_program *programs, int n, struct ora_reply *replies);
struct ora_models ora_pair_models(struct ora_pair pair);
bool ora_reply_agrees(const struct ora_reply *reply, const struct ora_answer *answer);
/* Are the two verdicts what the answer makes of the conditions? */
bool ora_verdicts_agree(const struct ora_program *p, const struct ora_reply *reply,
                        const struct ora_answer *answer);
void ora_print_difference(FILE *out, const struct ora_program *p, const struct ora_reply *reply,
                          const struct ora_answer *answer);

/* oracle_shrink.c: drops what can be dropped while the tool and the reference disagree. */
void ora_shrink(const struct ora_tool *tool, struct ora_pair pair, int mutation,
                struct ora_program *p);
/* Does the tool disagree about this program alone? Prints the difference to `out` unless NULL. */
bool ora_disagrees(const struct ora_tool *tool, struct ora_pair pair, int mutation,
                   const struct ora_program *p, FILE *out);

/* oracle_campaign.c: random programs by the batch. */
struct ora_options {
    struct ora_tool tool;
    int count, mutation, print, until, events, crash_mode;
    uint64_t seed;
    bool self_test, list, weak, contract, recovery, expect_disagreement, every_mutation;
    struct ora_pair pair[ORA_VIS_COUNT * ORA_PERS_COUNT];
    int n_pairs;
    bool reads_given;
    struct ora_program *given; /* the programs, in place of random ones */
};

/* oracle_given.c: programs from lines, as many as there are. False after telling what is wrong. */
bool ora_given_read(FILE *in, struct ora_options *o);

/* Program `number` of the seed. */
void ora_program_at(const struct ora_options *o, int number, struct ora_program *p);
/* The exit status. */
int ora_campaign(const struct ora_options *o);
/* oracle_weak.c: non-SC models from files of its own. The exit status. */
int ora_weak_campaign(const struct ora_options *o);
/* oracle_contract.c: sc with random persistency models. The exit status. */
int ora_contract_campaign(const struct ora_options *o);
/* oracle_recovery.c: programs with a recovery. The first that is usable from a number on; the
 * campaign's exit status. */
void ora_recovery_print(const struct ora_options *o, int number);
int ora_recovery_campaign(const struct ora_options *o);
/* One mutation: is it found on the programs whose answers it changes? */
bool ora_mutation_shows(const struct ora_options *o);

/* oracle_selftest.c: programs whose answers were worked out on paper. Number of failures,
 * which a mutation is expected to bring about. */
int ora_selftest(FILE *out, int mutation);
int ora_known_count(void);
void ora_known_program(int index, struct ora_program *p);

#endif
