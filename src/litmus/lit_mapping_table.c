/* Columns of a table: each has its instructions in the order of its rows, so what is inserted in
 * one is a cell of a new row. */
#include "litmus/lit_mapping_run.h"

void lit_mapping_table(struct lit_mapping_run *run)
{
    MAP_FAULT(run, run->test->header, "tables are not mapped");
}
