/* exec_basis: the base sets and relations that executions provide to model files.
 *
 * One table; docs/models/cat.md describes each name. Dynamic names change with the witness (rf,
 * co); the skeleton fixes all others. */
#ifndef CRASHLIT_EXEC_BASIS_H
#define CRASHLIT_EXEC_BASIS_H

#include "cat/cat_ir.h"
#include "exec/exec_event.h"

/* Sets of events: X(identifier, name). Every kind of event has one. */
#define EXEC_SETS(X)      \
    X(ALL_EVENTS, "_")    \
    EV_KINDS(X)           \
    X(MEMORY, "M")        \
    X(INIT, "IW")         \
    X(NVM, "NVM")         \
    X(ATOMIC, "ATOMIC")   \
    X(ATOMIC_SHORT, "A")  \
    X(RMW, "RMW")         \
    X(GLOBAL, "GLOBAL")   \
    X(LOCAL, "LOCAL")     \
    X(NAL, "NAL")         \
    X(NA, "NA")           \
    X(RLX, "RLX")         \
    X(ACQ, "ACQ")         \
    X(REL, "REL")         \
    X(ACQ_REL, "ACQ_REL") \
    X(SC, "SC")           \
    X(WI, "WI")           \
    X(SG, "SG")           \
    X(WG, "WG")           \
    X(KR, "KR")           \
    X(DV, "DV")           \
    X(ALL, "ALL")         \
    X(CTA, "CTA")         \
    X(GPU, "GPU")         \
    X(SYS, "SYS")         \
    X(WEAK, "WEAK")       \
    X(ARRIVE, "ARRIVE")   \
    X(GEN, "GEN")         \
    X(TEX, "TEX")         \
    X(SUR, "SUR")         \
    X(CON, "CON")         \
    X(ALIAS, "ALIAS")

/* Relations: X(identifier, name, dynamic). */
#define EXEC_RELATIONS(X)                \
    X(ID, "id", false)                   \
    X(PO, "po", false)                   \
    X(RF, "rf", true)                    \
    X(CO, "co", true)                    \
    X(FR, "fr", true)                    \
    X(LOC, "loc", false)                 \
    X(VLOC, "vloc", false)               \
    X(LINE, "line", false)               \
    X(SAME_ACCESS, "same-access", false) \
    X(SAME_UNIT, "same-unit", false)     \
    X(INT, "int", false)                 \
    X(EXT, "ext", false)                 \
    X(RMW_PAIR, "rmw", false)            \
    X(AMO, "amo", false)                 \
    X(LXSX, "lxsx", false)               \
    X(ADDR, "addr", false)               \
    X(DATA, "data", false)               \
    X(CTRL, "ctrl", false)               \
    X(TOKEN, "token", false)             \
    X(SSG, "ssg", false)                 \
    X(SWG, "swg", false)                 \
    X(SCTA, "scta", false)               \
    X(SKR, "skr", false)                 \
    X(SDV, "sdv", false)                 \
    X(SSYS, "ssys", false)               \
    X(SR, "sr", false)                   \
    X(SYNCBAR, "syncbar", false)         \
    X(SYNCPB, "syncpb", false)           \
    X(SYNC_FENCE, "sync_fence", true)

enum exec_base {
#define X(identifier, name) EXEC_SET_##identifier,
    EXEC_SETS(X)
#undef X
#define X(identifier, name, dynamic) EXEC_REL_##identifier,
        EXEC_RELATIONS(X)
#undef X
            EXEC_BASE_COUNT
};

static inline bool exec_base_depends(uint32_t base)
{
    return base == EXEC_REL_ADDR || base == EXEC_REL_DATA || base == EXEC_REL_CTRL ||
           base == EXEC_REL_TOKEN;
}

/* The table as the cat front end wants it; static storage. */
const struct cat_basis *exec_basis(void);

#endif
