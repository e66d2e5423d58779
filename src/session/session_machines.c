#include "session/session_machines.h"

#include "session/session_engines.h"
#include "machine/mach_config.h"

#include <string.h>

/* ---- The machine of a run ---- */

static const struct mach_file *with_fault(struct arena *arena, const struct mach_file *file,
                                          const char *name, struct diag *diag)
{
    enum mach_fault fault = mach_fault_find(name);
    if (fault == MACH_FAULT_COUNT) {
        const char *near = DIAG_NEAREST(name, mach_faults, MACH_FAULT_COUNT, name);
        diag_error(
            diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
            "--fault wants a fault such as '%s', found '%s'; crashlit machines -v lists them",
            near ? near : mach_faults[0].name, name);
        return NULL;
    }
    if (!(mach_file_faults(file) >> fault & 1)) {
        diag_error(
            diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
            "%s cannot have the fault '%s': crashlit machines -v lists those of each machine",
            file->name, name);
        return NULL;
    }
    struct mach_file *faulty = arena_copy(arena, file, sizeof *file);
    faulty->name = arena_printf(arena, "%s with %s", file->name, name);
    faulty->config.faults |= UINT64_C(1) << fault;
    return faulty;
}

bool session_machine_load(struct arena *arena, struct session_settings *settings, struct diag *diag)
{
    if (!settings->machine && !settings->fault)
        return true;
    const struct mach_file *file = mach_config_load(
        arena, settings->machine ? settings->machine : mach_machines[0]->name, diag);
    if (file && settings->fault)
        file = with_fault(arena, file, settings->fault, diag);
    settings->on_machine.file = file;
    return file != NULL;
}

bool session_machine_is_in_reach(const struct reach *reach, const char *machine)
{
    return !mach_config_is_path(machine) || reach_leads_to(machine, ".machine") ||
           reach_covers(reach, NULL, machine);
}

/* ---- Promises ---- */

bool session_machine_promises(const struct session_settings *settings, const char *visibility,
                              const char *persistency)
{
    return settings->on_machine.file
               ? mach_file_promises(settings->on_machine.file, visibility, persistency)
               : mach_config_is_promised(visibility, persistency);
}

bool session_machine_is_bound(const struct session_settings *settings,
                              const struct lit_expect *expect)
{
    bool labelled = expect->engine && session_engine_is_machine(expect->engine);
    return session_machine_promises(settings, expect->visibility, expect->persistency) ||
           (labelled && !mach_config_is_promised(expect->visibility, expect->persistency));
}

void session_machine_pair(const struct session_settings *settings, const char **visibility,
                          const char **persistency)
{
    if (!settings->on_machine.file)
        return;
    *visibility = settings->on_machine.file->promises[0].visibility;
    *persistency = settings->on_machine.file->promises[0].persistency;
}

const char *session_machine_name(struct arena *arena, const struct session_settings *settings,
                                 const char *visibility, const char *persistency)
{
    if (settings->on_machine.file)
        return settings->on_machine.file->name;
    return mach_config_promising(arena, visibility, persistency)->name;
}
