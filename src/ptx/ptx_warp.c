/* A meeting is one of a label, which is the instruction's word with its mask, and of the how many-th
 * of this label it is in each lane that comes to it. */
#include "ptx/ptx_warp.h"

#include "ptx/ptx_compute.h"
#include "ptx/ptx_fold.h"
#include "ptx/ptx_place.h"

#include <inttypes.h>
#include <string.h>

enum { LANES = 32, FIRST_EXCHANGES = 8, MOST_EXCHANGES = 1024, MOST_ROUNDS = 4096 };

/* Lanes, a bit each, that come; that give the same known value on all their ways; an opaque one; that
 * come in a loop of what is left of their code, or too often to be counted; whose code may wait. */
struct given {
    uint32_t came, constant, opaque, looped, waiting;
    uint32_t values[LANES];
};

struct meeting {
    const char *label;
    uint32_t ordinal, block, warp;
    uint32_t named; /* lanes of the mask that are there */
    bool counted;   /* ordinal 0, which stands for all of the label: each of them is a meeting */
    struct given assumed, found;
    bool gives, addresses; /* parts of addresses among others */
    uint32_t symbol;       /* of the first lane's location */
    const struct ptx_instr *instr;
};

struct ptx_warps {
    VEC(struct meeting) meetings;
    uint32_t last; /* the meeting that a thread came to last */
    uint32_t rounds;
    uint32_t most; /* exchanges of a thread that are looked at, */
    bool cut;      /* and there are more */
};

/* What a thread has come to. Equal ones are one. */
struct ptx_met {
    struct ptx_met *before, *after, *other; /* `after`: the first of those that came next, */
    const char *label;                      /* `other`: the next one of these */
    uint32_t count, depth;                  /* of this label, of all */
};

/* ---- Walks ---- */

static struct ptx_warps *warps_of(struct ptx_memory *memory)
{
    if (!memory->warps)
        memory->warps = ARENA_MAKE(memory->lower->arena, struct ptx_warps, .most = FIRST_EXCHANGES);
    return memory->warps;
}

void ptx_warp_begin(struct ptx_memory *memory)
{
    struct ptx_warps *warps = warps_of(memory);
    EACH_IN (struct meeting, meeting, warps->meetings)
        meeting->found = (struct given){0};
    warps->cut = false;
}

static bool same_given(const struct given *a, const struct given *b)
{
    return a->came == b->came && a->constant == b->constant && a->opaque == b->opaque &&
           a->waiting == b->waiting &&
           ALL(i, LANES, !(a->constant >> i & 1) || a->values[i] == b->values[i]);
}

/* A bar.warp.sync that is in no loop any more is a meeting each time. True: there are such. */
static bool begin_counting(struct ptx_warps *warps)
{
    bool any = false;
    EACH_IN (struct meeting, meeting, warps->meetings)
        if (!meeting->ordinal && !meeting->counted && !meeting->found.looped)
            meeting->counted = any = true;
    return any;
}

bool ptx_warp_differs(struct ptx_memory *memory)
{
    struct ptx_warps *warps = warps_of(memory);
    bool differs = false;
    EACH_IN (struct meeting, meeting, warps->meetings) {
        differs |= !same_given(&meeting->assumed, &meeting->found);
        meeting->assumed = meeting->found;
    }
    if (!differs && warps->cut && warps->most < MOST_EXCHANGES) {
        warps->most *= 2;
        differs = true;
    } else if (!differs && !memory->faulted) {
        differs = begin_counting(warps);
    }
    if (differs && ++warps->rounds > MOST_ROUNDS) {
        diag_error(memory->lower->diag, DIAG_LIT_TOO_LARGE, memory->lower->test->header,
                   "what lanes give each other is not known after %d walks through all threads",
                   MOST_ROUNDS);
        return false;
    }
    return differs;
}

/* ---- Who never comes ---- */

/* Lanes that do not come, and may wait for one that does: the meeting is once they have left. */
static uint32_t missing_lanes(const struct meeting *meeting)
{
    const struct given *given = &meeting->assumed;
    return given->came ? meeting->named & ~given->came & given->waiting : 0;
}

/* Why a meeting that is not counted is not read; NULL: it is. */
static const char *meeting_fault(const struct ptx_memory *memory, const struct meeting *meeting)
{
    uint32_t missing = missing_lanes(meeting), looped = meeting->found.looped;
    uint32_t others = meeting->found.came & ~looped;
    if (missing)
        return arena_printf(memory->lower->arena,
                            "lane %d of its mask never comes to it, and may wait elsewhere",
                            __builtin_ctz(missing));
    if (!looped || !others)
        return NULL;
    return arena_printf(memory->lower->arena,
                        "lane %d of its mask comes to it more than %d times, or in a loop that "
                        "ends by what is read, and lane %d does not",
                        __builtin_ctz(looped), MOST_EXCHANGES, __builtin_ctz(others));
}

bool ptx_warp_check(const struct ptx_memory *memory)
{
    EACH_IN (const struct meeting, meeting, memory->warps->meetings) {
        bool counted = meeting->ordinal || meeting->counted;
        const char *why = counted ? NULL : meeting_fault(memory, meeting);
        const char *place = ptx_place_text(meeting->instr);
        if (!why)
            continue;
        diag_error(memory->lower->diag, DIAG_PTX_INSTRUCTION, meeting->instr->span,
                   "'%s' is not read%s%s%s: %s", meeting->instr->text, place ? " (" : "",
                   place ? place : "", place ? ")" : "", why);
        return false;
    }
    return true;
}

static void declare(struct ptx_memory *memory, struct meeting *meeting, uint32_t number)
{
    struct lit_lower *lower = memory->lower;
    const char *name = arena_printf(lower->arena, "%s #%" PRIu32, meeting->instr->text, number);
    struct ast_value *value = ARENA_MAKE(lower->arena, struct ast_value, .number.value = PTX_UNSET);
    meeting->symbol = (uint32_t)lower->symbols.count;
    struct lit_symbol *symbol = lit_declare_add(
        lower, &(struct ast_name){intern_text(lower->names, name), lower->test->header});
    symbol->typed = symbol->spaced = symbol->hidden = symbol->exchanged = true;
    symbol->type = LIT_LONG;
    symbol->spaces = LIT_LOCAL;
    symbol->array = true;
    for (symbol->count = 1; meeting->named >> (symbol->count - 1) > 1;)
        symbol->count++;
    symbol->init = ARENA_MAKE(lower->arena, struct ast_init, .thread = AST_NO_THREAD,
                              .values = {value, value, 1});
}

void ptx_warp_declare(struct ptx_memory *memory)
{
    uint32_t number = 0;
    EACH_IN (struct meeting, meeting, memory->warps->meetings)
        if (meeting->gives && meeting->found.came & ~meeting->found.constant)
            declare(memory, meeting, ++number);
}

void ptx_warp_free(struct ptx_memory *memory)
{
    if (!memory->warps)
        return;
    VEC_FREE(&memory->warps->meetings);
}

/* ---- Lanes ---- */

struct lane {
    uint32_t number, warp, there; /* the lanes that are there, a bit each */
};

static struct lane lane_of(const struct ptx_walk *s)
{
    const uint32_t *block = s->thread->launch->block;
    uint32_t size = block[0] * block[1] * block[2], rank = s->thread->rank % size;
    uint32_t left = size - rank / LANES * LANES;
    return (struct lane){rank % LANES, rank / LANES,
                         left >= LANES ? UINT32_MAX : (UINT32_C(1) << left) - 1};
}

static bool is_of(const struct ptx_walk *s, const struct meeting *meeting)
{
    return meeting->block == s->thread->block && meeting->warp == lane_of(s).warp;
}

static bool is_meeting(const struct ptx_step *step)
{
    return step->instr.op == LIT_BARRIER && step->instr.exec_scope == LIT_SCOPE_SG &&
           !step->instr.arrive;
}

/* A marker may be a persist barrier. */
static bool waits(const struct ptx_step *step)
{
    return step->marker || (step->instr.op == LIT_BARRIER && !step->instr.arrive);
}

/* Does the block, of so many in order, jump back to that number, or farther? */
static bool goes_back(const struct ptx_block *block, uint32_t to)
{
    return ANY(i, 2, block->next[i] && block->next[i]->number <= to);
}

/* In their order a jump backwards is a loop, and each loop stands together. */
static bool in_loop(struct ptx_walk *s, uint32_t at)
{
    struct ptx_block *const *blocks = s->residue.blocks.items;
    uint32_t behind = (uint32_t)s->residue.blocks.count - at;
    s->memory->steps += behind / 8; /* it takes its time */
    return ANY(i, behind, goes_back(blocks[at + i], at + 1));
}

/* The meetings of the label are not counted. */
static void note_looped(struct ptx_walk *s, const struct ptx_step *step)
{
    EACH_IN (struct meeting, meeting, s->memory->warps->meetings)
        if (meeting->label == step->instr.label && !meeting->ordinal && is_of(s, meeting))
            meeting->found.looped |= UINT32_C(1) << lane_of(s).number;
}

/* True: the lane may wait. */
static bool note_blocks(struct ptx_walk *s)
{
    uint32_t count = (uint32_t)s->residue.blocks.count, meetings = 0;
    struct ptx_block *const *blocks = s->residue.blocks.items;
    bool loops = ANY(i, count, goes_back(blocks[i], blocks[i]->number)), may_wait = loops;
    for (uint32_t i = 0; i < count; i++)
        EACH_IN (const struct ptx_step, step, blocks[i]->steps) {
            meetings += is_meeting(step);
            may_wait |= waits(step);
        }
    bool many = meetings > MOST_EXCHANGES;
    for (uint32_t i = 0; meetings && (many || loops) && i < count; i++)
        EACH_IN (const struct ptx_step, step, blocks[i]->steps)
            if (is_meeting(step) && (many || in_loop(s, i)))
                note_looped(s, step);
    return may_wait;
}

void ptx_warp_note(struct ptx_walk *s)
{
    uint32_t bit = UINT32_C(1) << lane_of(s).number;
    for (uint32_t i = 0; i < s->residue.blocks.count; i++)
        s->residue.blocks.items[i]->number = i + 1;
    bool may_wait = note_blocks(s);
    EACH_IN (struct meeting, meeting, warps_of(s->memory)->meetings)
        if (may_wait && is_of(s, meeting))
            meeting->found.waiting |= bit;
}

static bool take_mask(struct ptx_walk *s, const struct ptx_operand *operand, uint32_t *mask)
{
    struct ptx_value value = ptx_value_of(s, operand);
    const struct lane lane = lane_of(s);
    if (s->failed || !ptx_check_known(s, &value, "the mask of a warp's lanes"))
        return false;
    *mask = (uint32_t)(value.sure ? value.is : value.known);
    if (value.kind != PTX_KNOWN && !value.sure)
        PTX_REFUSE(s, "its mask depends on a read");
    else if (!(*mask >> lane.number & 1))
        PTX_REFUSE(s, "its mask does not name the thread's own lane, which the manual leaves "
                      "undefined");
    return !s->failed;
}

/* The meeting of the label that the thread comes to now. */
static struct meeting *come_to(struct ptx_walk *s, const char *label, uint32_t ordinal,
                               uint32_t mask)
{
    struct ptx_warps *warps = warps_of(s->memory);
    const struct lane lane = lane_of(s);
    uint32_t count = (uint32_t)warps->meetings.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (warps->last + 1 + i) % count;
        struct meeting *meeting = &warps->meetings.items[at];
        if (meeting->label == label && meeting->ordinal == ordinal && is_of(s, meeting)) {
            warps->last = at;
            s->memory->steps += i / 64; /* it takes its time */
            return meeting;
        }
    }
    VEC_PUSH(&warps->meetings, ((struct meeting){.label = label,
                                                 .ordinal = ordinal,
                                                 .block = s->thread->block,
                                                 .warp = lane.warp,
                                                 .named = mask & lane.there,
                                                 .assumed.came = mask & lane.there,
                                                 .instr = s->instr}));
    warps->last = count;
    s->memory->grew = true;
    s->memory->silent = true; /* until it is known who comes, and with what */
    return &VEC_LAST(&warps->meetings);
}

/* True: it does so the first time in this walk. */
static bool note_come(struct meeting *meeting, const struct lane *lane)
{
    uint32_t before = meeting->found.came;
    meeting->found.came |= UINT32_C(1) << lane->number;
    return meeting->found.came != before;
}

static const char *intern(struct ptx_walk *s, const char *text)
{
    return intern_text(s->memory->lower->names, text);
}

static struct ptx_step *emit_meeting(struct ptx_walk *s, const char *label)
{
    struct ptx_step *step = ptx_emit(s, LIT_BARRIER);
    step->instr.scope = step->instr.exec_scope = LIT_SCOPE_SG;
    step->instr.spaces = LIT_GLOBAL | LIT_LOCAL;
    step->instr.label = label;
    step->instr.named = true;
    return step;
}

/* The thread comes to one more of the label. A loop whose end is exchanged goes on as long as that
 * is not known, so few are looked at before more are. */
static struct ptx_met *met_now(struct ptx_walk *s, const char *label)
{
    const struct ptx_met *same = s->met;
    while (same && same->label != label)
        same = same->before;
    struct ptx_met **after = s->met ? &s->met->after : &s->mets, *known = *after;
    while (known && known->label != label)
        known = known->other;
    if (!known)
        known = *after = ARENA_MAKE(s->scratch, struct ptx_met, .before = s->met, .other = *after,
                                    .label = label, .count = same ? same->count + 1 : 1,
                                    .depth = s->met ? s->met->depth + 1 : 1);
    bool cut = known->depth > warps_of(s->memory)->most;
    s->memory->warps->cut |= cut;
    s->memory->steps += 8 + known->depth / 8;
    if (cut)
        PTX_FAULT(s, DIAG_LIT_TOO_LARGE,
                  "a thread takes part in more than %d exchanges within its warp; in a loop that "
                  "ends by what is read they are not read%s",
                  MOST_EXCHANGES, ptx_where(s, s->instr));
    return known;
}

static const char *numbered(struct ptx_walk *s, const struct meeting *meeting)
{
    return intern(s, arena_printf(s->arena, "%s #%" PRIu32, meeting->label, meeting->ordinal));
}

/* The manual: waits until all of the mask have executed one of the same mask; of CUDA's, all that
 * have not left. In a loop that ends by what is read, the runs count them, and all are waited for. */
void ptx_step_warp_barrier(struct ptx_walk *s, const struct ptx_instr *instr)
{
    uint32_t mask;
    if (instr->count != 1) {
        PTX_REFUSE(s, "its operand is no mask");
        return;
    }
    if (!take_mask(s, &instr->operands[0], &mask))
        return;
    const char *label = intern(s, arena_printf(s->arena, "%s 0x%" PRIx32, instr->text, mask));
    const struct lane lane = lane_of(s);
    struct meeting *meeting = come_to(s, label, 0, mask);
    (void)note_come(meeting, &lane);
    if (meeting->counted) {
        s->met = met_now(s, label);
        meeting = come_to(s, label, s->met->count, mask);
        (void)note_come(meeting, &lane);
        label = numbered(s, meeting);
    }
    (void)emit_meeting(s, label);
}

/* Is the thread missing there? */
static bool is_missing(const struct ptx_walk *s, const struct meeting *meeting)
{
    return meeting->ordinal && is_of(s, meeting) &&
           (missing_lanes(meeting) >> lane_of(s).number & 1);
}

bool ptx_warp_leaves(const struct ptx_walk *s)
{
    const struct ptx_warps *warps = s->memory->warps;
    return warps && ANY(i, warps->meetings.count, is_missing(s, &warps->meetings.items[i]));
}

void ptx_step_leave(struct ptx_walk *s)
{
    EACH_IN (const struct meeting, meeting, warps_of(s->memory)->meetings)
        if (is_missing(s, meeting)) {
            struct ptx_step *step = emit_meeting(s, numbered(s, meeting));
            step->instr.arrive = step->instr.bare = true;
        }
}

/* ---- What is given and taken ---- */

/* One exchange of the thread at hand. */
struct exchange {
    struct meeting *meeting;
    struct lane lane;
    const struct lit_expr *own; /* what the thread gives */
    bool opaque;                /* what it gives; then also what it takes */
    enum lit_type type;         /* of it, as an int or a uint */
};

static const struct ptx_access *place_of(struct ptx_walk *s, const struct exchange *x,
                                         uint32_t lane)
{
    const struct lit_lower *lower = s->memory->lower;
    uint32_t symbol = x->meeting->symbol;
    uint32_t first = symbol < lower->symbols.count ? lower->symbols.items[symbol].first : 0;
    return ARENA_MAKE(s->arena, struct ptx_access, .absolute = true, .location = first + lane,
                      .count = 1, .stride = 1);
}

static void note_given(struct exchange *x)
{
    struct given *found = &x->meeting->found;
    uint32_t bit = UINT32_C(1) << x->lane.number, *value = &found->values[x->lane.number];
    bool constant = x->own->op == LIT_OP_CONST && !x->opaque;
    bool same = note_come(x->meeting, &x->lane) ||
                (found->constant & bit && *value == (uint32_t)x->own->value);
    x->meeting->gives = true;
    found->opaque |= x->opaque ? bit : 0;
    found->constant = constant && same ? found->constant | bit : found->constant & ~bit;
    *value = (uint32_t)x->own->value;
}

/* What others take of an address may lead anywhere in its object. */
static void note_address(struct ptx_walk *s, struct meeting *meeting, const struct ptx_value *value)
{
    if (!value->of)
        return;
    ptx_memory_lead_all(s->memory, value->of == PTX_ANY ? LIT_NONE : value->of - 1);
    s->memory->grew |= !meeting->addresses;
    meeting->addresses = true;
}

/* Gives the operand and waits for the others of the mask. */
static bool give(struct ptx_walk *s, const struct ptx_operand *operand,
                 const struct ptx_operand *of_mask, struct exchange *x)
{
    uint32_t mask;
    struct ptx_value value = ptx_value_of(s, operand);
    if (s->failed || !take_mask(s, of_mask, &mask))
        return false;
    const char *label = intern(s, arena_printf(s->arena, "%s 0x%" PRIx32, s->instr->text, mask));
    s->met = met_now(s, label);
    x->lane = lane_of(s);
    x->meeting = come_to(s, label, s->met->count, mask);
    x->own = ptx_cast(s->arena, x->type, ptx_operand_expr(s, operand, &value));
    x->opaque = value.opaque;
    note_address(s, x->meeting, &value);
    return !s->failed;
}

static void meet(struct ptx_walk *s, struct exchange *x)
{
    note_given(x);
    if (!(x->meeting->assumed.constant >> x->lane.number & 1)) {
        struct ptx_step *store = ptx_emit(s, LIT_STORE);
        store->access = place_of(s, x, x->lane.number);
        store->instr.scope = LIT_SCOPE_WI;
        store->instr.value = ptx_cast(s->arena, LIT_LONG, ptx_cast(s->arena, LIT_UINT, x->own));
    }
    emit_meeting(s, numbered(s, x->meeting))->instr.bare = true;
}

static bool has_come(const struct exchange *x, uint32_t lane)
{
    return x->meeting->assumed.came >> lane & 1;
}

/* What the lane, which comes, has given. */
static const struct lit_expr *take(struct ptx_walk *s, struct exchange *x, uint32_t lane)
{
    const struct given *given = &x->meeting->assumed;
    if (lane == x->lane.number)
        return x->own;
    if (given->constant >> lane & 1)
        return ptx_constant(s->arena, x->type, given->values[lane]);
    uint32_t taken = ptx_new_register(s, LIT_LONG);
    struct ptx_step *load = ptx_emit(s, LIT_LOAD);
    load->access = place_of(s, x, lane);
    load->instr.scope = LIT_SCOPE_WI;
    load->instr.dst = taken;
    x->opaque |= given->opaque >> lane & 1;
    return ptx_cast(s->arena, x->type, ptx_read_register(s, taken));
}

static void set_result(struct ptx_walk *s, const struct exchange *x, const struct ptx_operand *to,
                       const struct lit_expr *value)
{
    if (to->kind != PTX_REGISTER) /* `_` */
        return;
    if (x->opaque)
        value = ptx_depending(s, value);
    (void)ptx_assign(s, to->reg, value);
    ptx_note_origin(s, to->reg, x->opaque ? s->instr : NULL, x->meeting->addresses ? PTX_ANY : 0);
}

/* d|p: what is computed for one is not overwritten by the other. Whether the lane of a shfl is in
 * range does not depend on what is given. */
static void set_results(struct ptx_walk *s, const struct exchange *x, const struct lit_expr *value,
                        const struct lit_expr *truth)
{
    const struct ptx_operand *to = &s->instr->operands[0];
    struct exchange of_truth = *x;
    of_truth.opaque &= s->instr->meaning.word->fold == PTX_MATCH;
    if (to->kind != PTX_VECTOR) {
        set_result(s, x, to, value);
        return;
    }
    value = ptx_hold(s, value);
    set_result(s, &of_truth, &to->elements[1], truth);
    set_result(s, x, &to->elements[0], value);
}

/* ---- shfl ---- */

/* c: how warps are split, and where lanes end. */
struct segment {
    uint32_t mask, clamp, least, most;
};

static struct segment segment_of(uint32_t lane, uint32_t c)
{
    uint32_t mask = c >> 8 & 31, clamp = c & 31;
    return (struct segment){mask, clamp, lane & mask, (lane & mask) | (clamp & ~mask & 31)};
}

/* The manual's j, of b in an expression of ints. */
static const struct lit_expr *source_lane(struct arena *arena, enum ptx_lanes how, uint32_t lane,
                                          const struct segment *in, const struct lit_expr *b)
{
    const struct lit_expr *own = ptx_constant(arena, LIT_INT, lane);
    switch (how) {
    case PTX_UP: return ptx_apply(arena, LIT_OP_SUB, LIT_INT, own, b);
    case PTX_DOWN: return ptx_apply(arena, LIT_OP_ADD, LIT_INT, own, b);
    case PTX_BFLY: return ptx_apply(arena, LIT_OP_BITXOR, LIT_INT, own, b);
    default:
        b = ptx_with(arena, LIT_OP_BITAND, LIT_INT, b, ~in->mask & 31);
        return ptx_with(arena, LIT_OP_BITOR, LIT_INT, b, in->least);
    }
}

/* Of a lane that only the run tells: all that come are looked at, and no other may be it. */
static const struct lit_expr *take_some(struct ptx_walk *s, struct exchange *x,
                                        const struct lit_expr *lane)
{
    const struct lit_expr *value = ptx_constant(s->arena, x->type, 0);
    const struct lit_expr *comes = ptx_constant(s->arena, LIT_INT, 0);
    uint32_t own = x->lane.number;
    for (uint32_t i = 0; i < LANES; i++) {
        if (!has_come(x, i))
            continue;
        const struct lit_expr *is = ptx_with(s->arena, LIT_OP_EQ, LIT_INT, lane, i);
        value = ptx_choose(s->arena, x->type, is, take(s, x, i), value);
        comes = ptx_apply(s->arena, LIT_OP_OR, LIT_INT, comes, is);
    }
    struct ptx_step *check = ptx_emit(s, LIT_CHECK);
    check->instr.value = comes;
    check->access = place_of(s, x, own);
    check->instr.text = ptx_told_at(s, "takes the register of a lane that does not come");
    return value;
}

static void shuffle(struct ptx_walk *s, struct exchange *x, const struct ptx_operand *operands)
{
    struct ptx_value b = ptx_value_of(s, &operands[1]), c = ptx_value_of(s, &operands[2]);
    uint64_t known = c.sure ? c.is : c.known;
    if (s->failed || !ptx_check_known(s, &b, "a lane") || !ptx_check_known(s, &c, "a lane"))
        return;
    if (c.kind != PTX_KNOWN && !c.sure) {
        PTX_REFUSE(s, "its last lane and its width depend on a read");
        return;
    }
    const struct segment in = segment_of(x->lane.number, (uint32_t)known);
    enum ptx_lanes how = s->instr->meaning.lanes;
    const struct lit_expr *to =
        ptx_with(s->arena, LIT_OP_BITAND, LIT_INT,
                 ptx_cast(s->arena, LIT_INT, ptx_operand_expr(s, &operands[1], &b)), 31);
    const struct lit_expr *lane = source_lane(s->arena, how, x->lane.number, &in, to);
    const struct lit_expr *truth =
        ptx_with(s->arena, how == PTX_UP ? LIT_OP_GE : LIT_OP_LE, LIT_INT, lane, in.most);
    lane =
        ptx_choose(s->arena, LIT_INT, truth, lane, ptx_constant(s->arena, LIT_INT, x->lane.number));
    meet(s, x);
    bool there = lane->op != LIT_OP_CONST || has_come(x, (uint32_t)lane->value);
    bool own = lane->op == LIT_OP_CONST && (uint32_t)lane->value == x->lane.number;
    x->opaque &= own || lane->op != LIT_OP_CONST;
    const struct lit_expr *value = !there                     ? ptx_constant(s->arena, x->type, 0)
                                   : lane->op == LIT_OP_CONST ? take(s, x, (uint32_t)lane->value)
                                                              : take_some(s, x, lane);
    x->opaque |= !there;
    set_results(s, x, value, truth);
}

/* ---- vote, match, redux ---- */

/* The lane's bit where the truth holds. */
static const struct lit_expr *bit_where(struct arena *arena, const struct lit_expr *truth,
                                        uint32_t lane)
{
    return ptx_choose(arena, LIT_UINT, truth, ptx_constant(arena, LIT_UINT, UINT32_C(1) << lane),
                      ptx_constant(arena, LIT_UINT, 0));
}

/* The next lane's part of the result. */
static const struct lit_expr *part_of(struct ptx_walk *s, const struct exchange *x, uint32_t lane,
                                      const struct lit_expr *value)
{
    const struct ptx_meaning *meaning = &s->instr->meaning;
    bool matches = meaning->word->fold == PTX_MATCH;
    if (matches || meaning->lanes == PTX_UNI)
        value = ptx_apply(s->arena, LIT_OP_EQ, x->type, value, x->own);
    return meaning->lanes == PTX_BALLOT || (matches && meaning->lanes == PTX_ANYONE)
               ? bit_where(s->arena, value, lane)
               : value;
}

/* The less or the greater one; each is looked at twice, so they are held. */
static const struct lit_expr *extreme(struct ptx_walk *s, enum lit_type type,
                                      const struct lit_expr *a, const struct lit_expr *b)
{
    a = ptx_hold(s, a);
    b = ptx_hold(s, b);
    enum lit_operator keeps = lit_rmw_operators[s->instr->meaning.rmw];
    return ptx_choose(s->arena, type, ptx_apply(s->arena, keeps, type, a, b), a, b);
}

static const struct lit_expr *join(struct ptx_walk *s, enum lit_type type, const struct lit_expr *a,
                                   const struct lit_expr *b)
{
    const struct ptx_meaning *meaning = &s->instr->meaning;
    bool any = meaning->lanes == PTX_ANYONE, matches = meaning->word->fold == PTX_MATCH;
    if (meaning->word->fold == PTX_REDUX)
        return meaning->rmw == LIT_RMW_MIN || meaning->rmw == LIT_RMW_MAX
                   ? extreme(s, type, a, b)
                   : ptx_apply(s->arena, lit_rmw_operators[meaning->rmw], type, a, b);
    return meaning->lanes == PTX_BALLOT || (matches && any)
               ? ptx_apply(s->arena, LIT_OP_BITOR, LIT_UINT, a, b)
               : ptx_apply(s->arena, any ? LIT_OP_OR : LIT_OP_AND, LIT_INT, a, b);
}

/* Of all lanes that come, pair by pair, so that no expression is deep; the others have left, or are
 * not there. */
static const struct lit_expr *join_all(struct ptx_walk *s, struct exchange *x)
{
    const struct lit_expr *parts[LANES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < LANES; i++)
        if (has_come(x, i))
            parts[count++] = part_of(s, x, i, take(s, x, i));
    if (count == 0) /* the next walk knows more */
        return ptx_constant(s->arena, LIT_INT, 0);
    for (; count > 1; count = (count + 1) / 2)
        for (uint32_t i = 0; i < count; i += 2)
            parts[i / 2] = i + 1 < count ? join(s, x->type, parts[i], parts[i + 1]) : parts[i];
    return parts[0];
}

static void gather(struct ptx_walk *s, struct exchange *x)
{
    const struct ptx_meaning *meaning = &s->instr->meaning;
    bool matches_all = meaning->word->fold == PTX_MATCH && meaning->lanes == PTX_EVERY;
    meet(s, x);
    const struct lit_expr *all = join_all(s, x), *value = all;
    if (matches_all)
        value = ptx_choose(s->arena, LIT_UINT, all,
                           ptx_constant(s->arena, LIT_UINT, x->meeting->assumed.came),
                           ptx_constant(s->arena, LIT_UINT, 0));
    set_results(s, x, value, all);
}

/* d or d|p, then a, for shfl also b and c, and the mask. */
static bool check_count(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    const struct ptx_operand *to = &instr->operands[0];
    bool votes = meaning->word->fold == PTX_VOTE;
    bool pairs = meaning->word->fold == PTX_SHFL ||
                 (meaning->word->fold == PTX_MATCH && meaning->lanes == PTX_EVERY);
    bool good = instr->count == meaning->word->operands + 1 &&
                (to->kind != PTX_VECTOR || (pairs && to->paired)) &&
                ptx_has_bits(s, to->paired ? &to->elements[0] : to, meaning->type.bits) &&
                (!to->paired || ptx_has_bits(s, &to->elements[1], 1)) &&
                ptx_has_bits(s, &instr->operands[1], votes ? 1 : 32);
    if (!good)
        PTX_REFUSE(s, "its operands are not those of its operation");
    return good;
}

void ptx_step_exchange(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    bool signs = meaning->type.bits == 1 || meaning->word->fold == PTX_VOTE ||
                 (meaning->word->fold == PTX_REDUX && meaning->type.is_signed);
    struct exchange x = {.type = signs ? LIT_INT : LIT_UINT};
    if (!check_count(s, instr))
        return;
    if (!give(s, &instr->operands[1], &instr->operands[instr->count - 1], &x))
        return;
    if (meaning->word->fold == PTX_SHFL)
        shuffle(s, &x, &instr->operands[1]);
    else
        gather(s, &x);
}
