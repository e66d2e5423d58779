#include "litmus/lit_program.h"

#include <stddef.h>

void lit_prop_each_atom(const struct lit_prop *prop, lit_atom_visit *visit, void *context)
{
    if (!prop)
        return;
    if (prop->op == LIT_PROP_COMPARE) {
        visit(context, &prop->left);
        visit(context, &prop->right);
    }
    lit_prop_each_atom(prop->a, visit, context);
    lit_prop_each_atom(prop->b, visit, context);
}
