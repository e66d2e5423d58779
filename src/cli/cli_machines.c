#include "cli/cli_machines.h"

#include "cli/cli_engines.h"
#include "machine/mach_config.h"

#include <string.h>

static const struct span nowhere = {NULL, 0, 0, 0, 0};

/* ---- The machine of a run ---- */

static const struct mach_file *with_fault(struct arena *arena, const struct mach_file *file,
                                          const char *name, struct diag *diag)
{
    const char *names[MACH_FAULT_COUNT];
    enum mach_fault fault = mach_fault_find(name);
    for (int i = 0; i < MACH_FAULT_COUNT; i++)
        names[i] = mach_faults[i].name;
    if (fault == MACH_FAULT_COUNT) {
        const char *near = diag_nearest(name, names, MACH_FAULT_COUNT);
        diag_error(
            diag, DIAG_CLI_OPTION_VALUE, nowhere,
            "--fault wants a fault such as '%s', found '%s'; crashlit machines -v lists them",
            near ? near : names[0], name);
        return NULL;
    }
    if (!(file->machine->faults >> fault & 1)) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, nowhere,
                   "%s cannot have the fault '%s': crashlit machines -v lists those of each machine",
                   file->name, name);
        return NULL;
    }
    struct mach_file *faulty = ARENA_NEW(arena, struct mach_file);
    *faulty = *file;
    faulty->name = arena_printf(arena, "%s with %s", file->name, name);
    faulty->config.faults |= UINT32_C(1) << fault;
    return faulty;
}

bool cli_machine_load(struct arena *arena, struct cli_options *options, struct diag *diag)
{
    if (!options->settings.machine && !options->settings.fault)
        return true;
    const struct mach_file *file = mach_config_load(
        arena, options->settings.machine ? options->settings.machine : mach_machines[0]->name,
        diag);
    if (file && options->settings.fault)
        file = with_fault(arena, file, options->settings.fault, diag);
    options->settings.machine_file = file;
    return file != NULL;
}

/* ---- Promises ---- */

static bool is_pair_of(const struct machine *machine, const char *visibility,
                       const char *persistency)
{
    return strcmp(machine->visibility, visibility) == 0 &&
           strcmp(machine->persistency, persistency) == 0;
}

static bool built_in_promises(const char *visibility, const char *persistency)
{
    for (uint32_t i = 0; mach_machines[i]; i++)
        if (is_pair_of(mach_machines[i], visibility, persistency))
            return true;
    return false;
}

bool cli_machine_promises(const struct cli_options *options, const char *visibility,
                          const char *persistency)
{
    return options->settings.machine_file
               ? is_pair_of(options->settings.machine_file->machine, visibility, persistency)
               : built_in_promises(visibility, persistency);
}

bool cli_machine_is_bound(const struct cli_options *options, const struct lit_expect *expect)
{
    bool labelled = expect->engine && strcmp(expect->engine, CLI_MACHINE_ENGINE) == 0;
    return cli_machine_promises(options, expect->visibility, expect->persistency) ||
           (labelled && !built_in_promises(expect->visibility, expect->persistency));
}

void cli_machine_pair(const struct cli_options *options, const char **visibility,
                      const char **persistency)
{
    if (!options->settings.machine_file)
        return;
    *visibility = options->settings.machine_file->machine->visibility;
    *persistency = options->settings.machine_file->machine->persistency;
}

const char *cli_machine_name(struct arena *arena, const struct cli_options *options,
                             const char *visibility, const char *persistency)
{
    if (options->settings.machine_file)
        return options->settings.machine_file->name;
    const struct mach_file *file = mach_config_promising(arena, visibility, persistency);
    return file ? file->name : mach_machines[0]->name;
}

/* ---- The list ---- */

/* The first comment of a file, without the mark and the full stop. */
static const char *title_of(struct arena *arena, const struct mach_builtin *builtin)
{
    const char *end = memchr(builtin->text, '\n', builtin->length);
    size_t length = end ? (size_t)(end - builtin->text) : builtin->length;
    if (length < 2 || builtin->text[0] != '#')
        return "";
    const char *title = arena_strndup(arena, builtin->text + 2, length - 2);
    return title[length - 3] == '.' ? arena_strndup(arena, title, length - 3) : title;
}

static void list_line(struct arena *arena, const struct mach_builtin *builtin,
                      const struct mach_file *file, struct strbuf *out)
{
    const char *pair =
        arena_printf(arena, "%s + %s", file->machine->visibility, file->machine->persistency);
    strbuf_printf(out, "%-18s %-38s %s\n", file->name, pair, title_of(arena, builtin));
}

static void list_faults(const struct machine *machine, struct strbuf *out)
{
    strbuf_add(out, machine->faults ? "\nFaults, for --fault:\n" : "");
    for (int i = 0; i < MACH_FAULT_COUNT; i++)
        if (machine->faults >> i & 1)
            strbuf_printf(out, "  %-24s %s\n", mach_faults[i].name, mach_faults[i].description);
}

static const char *name_of(struct arena *arena, const struct mach_builtin *builtin)
{
    const char *file = strrchr(builtin->path, '/') + 1;
    return arena_strndup(arena, file, strlen(file) - strlen(".machine"));
}

static bool is_wanted(const struct cli_options *options, const char *name)
{
    for (uint32_t i = 0; i < options->input_count; i++)
        if (strcmp(options->inputs[i], name) == 0)
            return true;
    return options->input_count == 0;
}

/* Names that are none are reported by the loader, with the nearest. */
static void check_names(struct arena *arena, const struct cli_options *options, struct diag *diag)
{
    for (uint32_t i = 0; i < options->input_count; i++)
        if (mach_config_load(arena, options->inputs[i], diag) && strchr(options->inputs[i], '.'))
            diag_error(diag, DIAG_MACH_UNKNOWN, nowhere,
                       "'%s' is a file: crashlit machines tells of built-in machines",
                       options->inputs[i]);
}

void cli_machines_list(struct arena *arena, const struct cli_options *options, struct strbuf *out,
                       struct diag *diag)
{
    check_names(arena, options, diag);
    for (size_t i = 0; i < mach_builtin_count; i++) {
        const struct mach_builtin *builtin = &mach_builtins[i];
        const char *name = name_of(arena, builtin);
        if (!is_wanted(options, name))
            continue;
        const struct mach_file *file = mach_config_load(arena, name, diag);
        list_line(arena, builtin, file, out);
        if (!options->verbose)
            continue;
        strbuf_printf(out, "\n%.*s", (int)builtin->length, builtin->text);
        list_faults(file->machine, out);
        strbuf_add(out, "\n");
    }
}
