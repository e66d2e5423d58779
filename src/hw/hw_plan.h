/* hw_plan: what a test is on a device: its work-items as roles of groups, and the values that tell
 * its outcomes apart.
 *
 * A group is a work-group of the test, which is a block of the launch. Outcomes are numbered: value
 * k of an outcome is one of a short list, and the number has a digit for each value. What is in no
 * list is an outcome of its own, `other`. */
#ifndef CRASHLIT_HW_PLAN_H
#define CRASHLIT_HW_PLAN_H

#include "hw/hw_check.h"

struct hw_role {
    uint32_t group, place; /* its number among those of the group */
    uint32_t shown;        /* registers that it stores in its row, behind the mark */
    bool waits;            /* it may give up */
};

enum { HW_MAX_CHOICES = 24, HW_MAX_VALUES = 16 };

struct hw_value {
    struct lit_atom atom;
    uint32_t column; /* of a register: its place in the row of its role, from 1 */
    uint32_t count;
    int64_t choices[HW_MAX_CHOICES];
};

struct hw_plan {
    const struct lit_program *program;
    struct hw_role roles[HW_MAX_ITEMS];
    uint32_t group_count, most_roles; /* of a group */
    uint32_t row;                     /* words of a row: the mark, and what is shown */
    struct hw_value values[HW_MAX_VALUES];
    uint32_t value_count, bins;
    const char *widened; /* what is stronger than the test has it: "scope kr, order acquire"; "" */
};

/* HW_EMITTED: the plan is made; it points into the program and the arena. */
enum hw_refusal hw_plan_make(struct arena *arena, const struct lit_program *program,
                             struct hw_plan *plan);
/* The choices of outcome `bin`. */
void hw_plan_outcome(const struct hw_plan *plan, uint32_t bin, int64_t *values);
/* Appends the plan, each line behind `before`. */
void hw_plan_write(const struct hw_plan *plan, const char *before, struct strbuf *out);
/* The scope that PTX has for it: "cta", "gpu", "sys". */
const char *hw_plan_scope(enum lit_scope scope);

#endif
