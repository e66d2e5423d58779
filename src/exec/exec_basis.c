#include "exec/exec_basis.h"

static const struct cat_base names[] = {
#define X(identifier, name) {name, CAT_SET, false},
    EXEC_SETS(X)
#undef X
#define X(identifier, name, dynamic) {name, CAT_REL, dynamic},
        EXEC_RELATIONS(X)
#undef X
};

static const struct cat_basis basis = {names, EXEC_BASE_COUNT};

const struct cat_basis *exec_basis(void)
{
    return &basis;
}
