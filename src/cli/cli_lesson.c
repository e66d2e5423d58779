/* A lesson is told and its files are written by this process, which reads nothing of anybody's then; an
 * answer is judged by workers, as `check` judges it. */
#include "cli/cli_commands.h"

#include "cli/cli_written.h"
#include "report/report_string.h"
#include "session/session_lesson.h"

#include <string.h>
#include <sys/stat.h>

struct run {
    struct arena arena;
    struct diag diag;
    const struct ask_options *options;
    const struct session_lesson *lesson;
    struct run_output *standard;
};

static void print(struct run *run, struct strbuf *text)
{
    run_output_add_lines(run->standard, text);
    strbuf_fini(text);
}

/* ---- Text ---- */

static void list_all(struct run *run)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < lesson_builtin_count; i++) {
        const struct session_lesson *lesson = session_lesson_read(&run->arena, &lesson_builtins[i]);
        strbuf_printf(&out, "%2u  %-20s %s\n", lesson->number, lesson->name, lesson->title);
    }
    print(run, &out);
}

static size_t line_length(const char *text)
{
    size_t length = strcspn(text, "\n");
    return length + (text[length] == '\n');
}

/* Set in, without its fences; returns what is behind it. */
static const char *add_block(const char *text, struct strbuf *out)
{
    for (text += line_length(text); strncmp(text, "```", 3) != 0; text += line_length(text))
        strbuf_printf(out, "    %.*s", (int)line_length(text), text);
    return text + line_length(text);
}

static bool begins_anew(const char *line)
{
    return !*line || strchr("\n#|", *line) || strncmp(line, "```", 3) == 0 ||
           strncmp(line, "- ", 2) == 0;
}

/* A paragraph, or an item of a list, on lines of its own width. */
static const char *add_paragraph(const char *text, struct strbuf *out)
{
    SCOPED(strbuf) words = {0};
    size_t margin = strncmp(text, "- ", 2) == 0 ? 2 : 0;
    strbuf_add_bytes(out, text, margin);
    const char *end = text + line_length(text);
    while (!begins_anew(end))
        end += line_length(end);
    for (text += margin; text < end; text += strspn(text, " \n")) {
        size_t length = strcspn(text, " \n");
        strbuf_printf(&words, words.length ? " %.*s" : "%.*s", (int)length, text);
        text += length;
    }
    cli_help_wrapped(strbuf_text(&words), margin, out);
    return end;
}

static void tell(struct run *run)
{
    struct strbuf out = {0};
    for (const char *at = run->lesson->shown; *at;) {
        if (*at == '\n') {
            strbuf_add_char(&out, '\n');
            at += strspn(at, "\n");
        } else if (strncmp(at, "```", 3) == 0)
            at = add_block(at, &out);
        else if (*at == '#' || *at == '|') {
            strbuf_add_bytes(&out, at, line_length(at));
            at += line_length(at);
        } else
            at = add_paragraph(at, &out);
    }
    print(run, &out);
}

/* ---- Files ---- */

/* Whatever is there, a link that leads nowhere too, is somebody's. */
static void write_file(struct run *run, const char *name, const char *text, const char *what)
{
    struct strbuf out = {0};
    struct stat there;
    uint32_t errors = run->diag.errors;
    bool is_there = lstat(name, &there) == 0;
    if (is_there)
        strbuf_printf(&out, "%s is there already, and is left as it is.\n", name);
    else
        cli_written_file(name, text, strlen(text), &run->diag);
    if (!is_there && run->diag.errors == errors)
        strbuf_printf(&out, "%s is written: %s.\n", name, what);
    print(run, &out);
}

static void write_files(struct run *run)
{
    const struct session_lesson *lesson = run->lesson;
    const char *name = arena_printf(&run->arena, "lesson-%u.litmus", lesson->number);
    struct strbuf out = {0};
    strbuf_add_char(&out, '\n');
    print(run, &out);
    for (uint32_t i = 0; i < lesson->file_count; i++)
        write_file(run, lesson->files[i].name, lesson->files[i].text, "the model of the lesson");
    write_file(run, name, lesson->start, "the test that the exercise begins with");
    if (run->diag.errors)
        return;
    strbuf_printf(&out, "Change it, and ask: crashlit lesson %u %s\n", lesson->number, name);
    print(run, &out);
}

/* ---- Answers ---- */

/* As `check` is asked, under one pair. */
static struct ask_options question(struct run *run, const struct session_lesson_pair *pair)
{
    const struct session_lesson *lesson = run->lesson;
    struct ask_options asked;
    ask_options_init(&asked, ASK_CHECK);
    struct session_settings *settings = &asked.settings;
    settings->exercise = arena_printf(&run->arena, "lesson:%u", lesson->number);
    settings->model = pair->visibility;
    settings->persistency = pair->persistency;
    settings->narrowest = asked.policy.fail_on_wide = lesson->narrow;
    settings->states = run->options->settings.states;
    settings->timeout_seconds = run->options->settings.timeout_seconds;
    settings->memory_mib = run->options->settings.memory_mib;
    for (uint32_t i = 0; i < lesson->file_count; i++)
        if (strcmp(lesson->files[i].name, pair->persistency) == 0)
            settings->model_instead =
                source_from_text(&run->arena, pair->persistency, lesson->files[i].text,
                                 strlen(lesson->files[i].text));
    asked.given[asked.given_count++] = (struct ask_given){"exercise", settings->exercise, NULL};
    asked.sentences = true;
    asked.command_line = run->options->command_line;
    asked.columns = run->options->columns;
    asked.inputs = run->options->inputs + 1;
    asked.input_count = 1;
    return asked;
}

/* `check` takes folders, lists, streams, and patterns of names: these are no answer. */
static bool is_several(const char *path)
{
    struct stat status;
    if (*path == '@' || strcmp(path, "-") == 0)
        return true;
    return stat(path, &status) == 0 ? S_ISDIR(status.st_mode) : strpbrk(path, "*?[") != NULL;
}

static bool is_one_file(struct run *run)
{
    const struct session_lesson_pair *pair = &run->lesson->pairs[0];
    const char *path = run->options->inputs[1];
    SCOPED(strbuf) word = {0};
    if (!is_several(path))
        return true;
    report_shell_word(&word, path);
    diag_error(
        &run->diag, DIAG_CLI_USAGE, NOWHERE,
        "lesson judges one file, found '%s'; of several: crashlit check --exercise lesson:%u "
        "-m %s -p %s %s",
        path, run->lesson->number, pair->visibility, pair->persistency, strbuf_text(&word));
    return false;
}

/* Under each pair until it fails, as on the page. */
static int judge(struct run *run)
{
    static const char *const words[] = {"solved.", "not solved yet.", "not solved yet.",
                                        "it is not known whether it is solved."};
    struct strbuf out = {0};
    int status = RUN_EXIT_OK;
    if (!is_one_file(run))
        return RUN_EXIT_INPUT;
    for (uint32_t i = 0; i < run->lesson->pair_count && status == RUN_EXIT_OK; i++) {
        const struct ask_options asked = question(run, &run->lesson->pairs[i]);
        if (i)
            strbuf_add_char(&out, '\n');
        print(run, &out);
        status = cli_plan_run(&asked, run->standard);
    }
    if (status == RUN_EXIT_INPUT)
        strbuf_printf(&out,
                      "The test that its exercise begins with is written by: crashlit lesson %u\n",
                      run->lesson->number);
    if (status <= RUN_EXIT_UNKNOWN)
        strbuf_printf(&out, "%sLesson %u: %s\n", status == RUN_EXIT_INPUT ? "" : "\n",
                      run->lesson->number, words[status]);
    print(run, &out);
    return status;
}

/* ---- All of it ---- */

static const struct session_lesson *find(struct run *run)
{
    const char *names[ASK_MAX_WORDS], *word = run->options->inputs[0];
    const struct session_lesson *lesson = session_lesson_find(&run->arena, word);
    const char *near = diag_meant(word, names, ask_lesson_words(&run->arena, names));
    if (!lesson)
        diag_error(&run->diag, DIAG_CLI_USAGE, NOWHERE,
                   near ? "there is no lesson '%s'; did you mean '%s'?"
                        : "there is no lesson '%s'; crashlit lesson lists them",
                   word, near);
    return lesson;
}

int cli_lesson_run(const struct ask_options *options, struct run_output *standard)
{
    struct run run = {.options = options, .standard = standard};
    int status = RUN_EXIT_OK;
    if (options->input_count == 0)
        list_all(&run);
    else
        run.lesson = find(&run);
    if (run.lesson && options->input_count == 1) {
        tell(&run);
        write_files(&run);
    } else if (run.lesson)
        status = judge(&run);
    status = cli_written_end(&run.diag, status);
    arena_fini(&run.arena);
    return status;
}
