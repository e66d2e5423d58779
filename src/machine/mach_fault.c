#include "machine/mach_fault.h"

#include <string.h>

const struct mach_fault_entry mach_faults[MACH_FAULT_COUNT] = {
#define X(identifier, name, text) {name, text},
    MACH_FAULTS(X)
#undef X
};

enum mach_fault mach_fault_find(const char *name)
{
    int fault = 0;
    while (fault < MACH_FAULT_COUNT && strcmp(mach_faults[fault].name, name) != 0)
        fault++;
    return (enum mach_fault)fault;
}
