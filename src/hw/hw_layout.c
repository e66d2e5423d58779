/* What is drawn comes of the seed; what is on and off comes of the launch's number, so that 16
 * launches in a row have each combination. */
#include "hw/hw_layout.h"

/* splitmix64, by Steele, Lea and Flood (2014). */
uint64_t hw_layout_draw(uint64_t *random)
{
    uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(struct hw_layout *layout, uint32_t count)
{
    return (uint32_t)(hw_layout_draw(&layout->random) % count);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* Multiplying by it moves numbers below `count` about, and makes no two of them one. */
static uint32_t factor(struct hw_layout *layout, uint32_t count)
{
    uint32_t number;
    do
        number = 1 + below(layout, count);
    while (common_divisor(number, count) != 1);
    return number;
}

static void place_locations(struct hw_layout *layout, uint32_t locations, uint32_t kind)
{
    enum { MOST_STRIDE = 6, SIDE_BY_SIDE = 3 };
    uint32_t instances = layout->words[HW_WORD_INSTANCES];
    uint32_t stride = kind == SIDE_BY_SIDE ? locations : 1u << below(layout, MOST_STRIDE);
    for (uint32_t v = 0; v < locations; v++) {
        uint32_t *place = &layout->words[HW_WORD_PLACES + 4 * v];
        bool own = kind == 1 || kind == 2;
        place[0] = own ? factor(layout, instances) : 1;
        place[1] = own ? below(layout, instances) : 0;
        place[2] = stride;
        place[3] = kind == SIDE_BY_SIDE ? v : v * instances * stride;
    }
    layout->memory = instances * stride * (kind == SIDE_BY_SIDE ? 1 : locations);
}

static void move_roles(struct hw_layout *layout, uint32_t roles, bool moved)
{
    for (uint32_t r = 0; r < roles; r++) {
        uint32_t *role = &layout->words[HW_WORD_ROLES + 2 * r];
        role[0] = moved ? factor(layout, layout->words[HW_WORD_LANES]) : 1;
        role[1] = moved ? below(layout, layout->words[HW_WORD_LANES]) : 0;
    }
}

static void make_noise(struct hw_layout *layout, bool around, bool before)
{
    enum { MOST_BEFORE = 100, TURNS = 64, PATTERNS = 4 };
    layout->words[HW_WORD_NOISE_BEFORE] = before ? below(layout, MOST_BEFORE + 1) : 0;
    layout->words[HW_WORD_NOISE_TURNS] = around ? TURNS : 0;
    layout->words[HW_WORD_NOISE_LINES] = 1 + below(layout, HW_NOISE_LINES);
    layout->words[HW_WORD_NOISE_PATTERN] = below(layout, PATTERNS);
}

static void permute_blocks(struct hw_layout *layout, bool permuted)
{
    uint32_t blocks = layout->words[HW_WORD_BLOCKS];
    layout->words[HW_WORD_A] = permuted ? factor(layout, blocks) : 1;
    layout->words[HW_WORD_C] = permuted ? below(layout, blocks) : 0;
    layout->words[HW_WORD_D] = permuted ? below(layout, blocks) : 0;
}

void hw_layout_make(struct hw_layout *layout, const struct hw_plan *plan,
                    const struct hw_size *size, uint64_t seed, uint64_t launch)
{
    enum { TURNS = 1024, NEVER_OF = 4 };
    *layout = (struct hw_layout){.random = seed};
    layout->random = hw_layout_draw(&layout->random) ^ plan->program->digest;
    layout->random = hw_layout_draw(&layout->random) ^ launch;
    uint32_t *words = layout->words;
    words[HW_WORD_SLOTS] = size->slots;
    words[HW_WORD_TEAMS] = size->teams;
    words[HW_WORD_LANES] = size->lanes;
    words[HW_WORD_BLOCKS] = size->teams * plan->group_count;
    words[HW_WORD_INSTANCES] = size->slots * size->teams * size->lanes;
    /* Then products that wrap stay permutations. */
    BASE_CHECK((words[HW_WORD_INSTANCES] & (words[HW_WORD_INSTANCES] - 1)) == 0);
    words[HW_WORD_SPIN] = TURNS;
    words[HW_WORD_MEETING] = below(layout, NEVER_OF) ? TURNS : 0;
    words[HW_WORD_BY_LANES] = launch & 1;
    permute_blocks(layout, launch & 2);
    move_roles(layout, plan->most_roles, launch & 4);
    make_noise(layout, launch & 8, below(layout, 2));
    place_locations(layout, plan->program->location_count, below(layout, 4));
    layout->blocks = words[HW_WORD_BLOCKS] + (words[HW_WORD_NOISE_TURNS] ? size->noisy : 0);
    layout->threads = size->lanes * plan->most_roles;
}
