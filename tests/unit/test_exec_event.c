/* What instructions and events are by their rows. */
#include "exec/exec_event.h"

#include "unit.h"

#include <string.h>

/* The events of each instruction, by what a test sees of it: a compare-exchange reads and may
 * write, a store only writes, a branch is nobody else's affair. */
static void test_events_of(void)
{
    static const struct {
        enum lit_instr_op op;
        const char *made; /* a digit for each of EV_KINDS */
    } rows[] = {
        {LIT_SET, "000000"},   {LIT_LOAD, "100000"},    {LIT_STORE, "010000"},
        {LIT_RMW, "110000"},   {LIT_CAS, "110000"},     {LIT_FENCE, "001000"},
        {LIT_CM, "000100"},    {LIT_BARRIER, "000010"}, {LIT_PBARRIER, "000001"},
        {LIT_CRASH, "000000"}, {LIT_JUMP, "000000"},    {LIT_BRANCH, "000000"},
        {LIT_LOOP, "000000"},  {LIT_AWAIT, "000000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < strlen(rows[i].made); k++)
            CU_ASSERT_EQUAL(ev_may_make(rows[i].op, (enum ev_kind)k), rows[i].made[k] == '1');
}

/* At an execution barrier all wait but who merely arrives; at a persist barrier where the model
 * says so, scope by scope. */
static void test_waits(void)
{
    struct ev_waits waits = {0};
    struct ev_meeting barrier = {.kind = EV_BARRIER, .scope = LIT_SCOPE_WG};
    struct ev_meeting persist = {.kind = EV_PBARRIER, .scope = LIT_SCOPE_WG};
    waits.of[EV_PBARRIER][LIT_SCOPE_DV] = true;
    CU_ASSERT_TRUE(ev_meeting_waits(&waits, &barrier));
    CU_ASSERT_FALSE(ev_meeting_waits(&waits, &persist));
    barrier.arrive = true;
    persist.scope = LIT_SCOPE_DV;
    CU_ASSERT_FALSE(ev_meeting_waits(&waits, &barrier));
    CU_ASSERT_TRUE(ev_meeting_waits(&waits, &persist));
    for (uint32_t kind = 0; kind <= EV_NONE; kind++)
        CU_ASSERT_EQUAL(ev_kind_may_wait(kind), kind == EV_PBARRIER);
    CU_ASSERT_FALSE(ev_kind_meets(EV_READ) || ev_kind_meets(EV_WRITE) || ev_kind_meets(EV_FENCE));
}

void suite_exec_event(void)
{
    CU_pSuite suite = CU_add_suite("exec_event", NULL, NULL);
    UNIT_TEST(suite, test_events_of);
    UNIT_TEST(suite, test_waits);
}
