/* Control dependencies: the regions that a run is in, each from a branch to where its ways meet. */
#include "exec/exec_run.h"

#include "litmus/lit_code.h"

static bool has_branch(const struct lit_thread *thread)
{
    return ANY(pc, thread->code_count, thread->code[pc].op == LIT_BRANCH);
}

void run_find_meets(struct runner *r)
{
    if (r->program->jumps || !has_branch(r->thread))
        return;
    r->meets = ARENA_ARRAY(r->arena, uint32_t, r->thread->code_count);
    lit_code_find_meets(r->thread, r->meets);
}

const struct run_region *run_region_like(const struct run *run, const struct run_region *region)
{
    for (uint32_t i = 0; i < run->region_count; i++)
        if (run->regions[i].end == region->end && run->regions[i].decides == region->decides)
            return &run->regions[i];
    return NULL;
}

void run_region_set(struct runner *r, struct run *run, const struct run_region *regions,
                    uint32_t count)
{
    run->regions = regions;
    run->region_count = count;
    run->ctrl = (struct exec_deps){0};
    for (uint32_t i = 0; i < count; i++)
        run_deps_join(r, &run->ctrl, &regions[i].deps);
}

void run_region_enter(struct runner *r, struct run *run, const struct run_region *region)
{
    const struct run_region *like = run_region_like(run, region);
    uint32_t at = like ? (uint32_t)(like - run->regions) : run->region_count;
    uint32_t count = like ? run->region_count : run->region_count + 1;
    if (region->deps.count == 0)
        return;
    struct run_region *regions = ARENA_ARRAY(r->arena, struct run_region, count);
    for (uint32_t i = 0; i < run->region_count; i++)
        regions[i] = run->regions[i];
    if (!like)
        regions[at] = (struct run_region){.end = region->end, .decides = region->decides};
    run_deps_join(r, &regions[at].deps, &region->deps);
    run_region_set(r, run, regions, count);
}

void run_region_leave(struct runner *r, struct run *run)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < run->region_count; i++)
        left += run->regions[i].end != run->pc;
    if (left == run->region_count)
        return;
    struct run_region *regions = ARENA_ARRAY(r->arena, struct run_region, left);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < run->region_count; i++) {
        const struct run_region *region = &run->regions[i];
        if (region->end != run->pc)
            regions[kept++] = *region;
        else if (region->decides != LIT_NONE)
            run_deps_join(r, &run->register_deps[region->decides], &region->deps);
    }
    run_region_set(r, run, regions, left);
}
