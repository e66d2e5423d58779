#include "cli/cli_shape.h"

#include <string.h>

struct made {
    const char *name, *text, *told; /* of the last "" when there is nothing */
    size_t length, told_length;
};

/* A list of words is no suite. */
static bool is_written(const struct ask_options *options)
{
    const char *words = options->shape_list ? options->shape_list : options->shape_words;
    return options->output && strcmp(words, "help") != 0;
}

bool cli_shape_open(struct cli_shape_run *run, struct diag *diag)
{
    const char *command = cli_suite_command(&run->arena, "generate", run->options->command_line);
    bool opened = !is_written(run->options) ||
                  cli_suite_open(&run->suite, run->options->output, command, diag);
    if (!opened)
        cli_suite_close(&run->suite);
    return opened;
}

void cli_shape_close(struct cli_shape_run *run)
{
    if (is_written(run->options))
        cli_suite_close(&run->suite);
}

static struct made next_made(struct arena *arena, struct unpack *from)
{
    struct made made = {.name = unpack_copy(from, arena)};
    made.text = unpack_bytes(from, &made.length);
    made.told = unpack_bytes(from, &made.told_length);
    return made;
}

static const char *without_line_end(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strcspn(text, "\n"));
}

/* Nothing is written before it is known that no test takes the place of a file of somebody's. */
static bool begin_suite(struct cli_shape_run *run)
{
    bool free = true;
    struct arena_mark mark = arena_mark(&run->arena);
    struct unpack *from = arena_copy(&run->arena, run->from, run->workers * sizeof *from);
    for (uint64_t i = 0; i < run->tests && free; i++)
        free = cli_suite_is_free(&run->suite, next_made(&run->arena, &from[i % run->workers]).name);
    arena_rewind(&run->arena, mark);
    return free && cli_suite_begin(&run->suite);
}

/* In the order of the cycles, which workers took in turn. */
void cli_shape_write(struct cli_shape_run *run, struct run_output *standard, struct diag *diag)
{
    bool written = is_written(run->options), fine = !written || begin_suite(run);
    for (uint64_t i = 0; i < run->tests; i++) {
        struct arena_mark mark = arena_mark(&run->arena);
        const struct made made = next_made(&run->arena, &run->from[i % run->workers]);
        run_output_say_lines(arena_strndup(&run->arena, made.told, made.told_length));
        if (!written)
            run_output_add(standard, made.text, made.length);
        else
            fine = fine && cli_suite_add(&run->suite, made.name, "", made.text, made.length);
        arena_rewind(&run->arena, mark);
    }
    if (run->tests)
        run_output_say_lines(run->summary);
    else
        run_output_add(standard, run->summary, strlen(run->summary));
    if (written && fine && run->tests && diag->errors == 0)
        cli_suite_end(&run->suite, without_line_end(&run->arena, run->summary));
}
