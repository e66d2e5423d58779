/* Statements go where the last sign before the statement, comments and strings aside, ends another
 * statement or begins a block. */
#include "session/session_put.h"

#include "base/strbuf.h"
#include "engine/meaning.h"

#include <string.h>

/* What follows a comment or a string that begins at `at`; `at` itself when none does. */
static size_t behind_comment(const struct source *source, size_t at)
{
    const char *text = source->text + at, *end = NULL;
    if (strncmp(text, "//", 2) == 0)
        end = strchr(text, '\n');
    else if (strncmp(text, "/*", 2) == 0)
        end = strstr(text + 2, "*/");
    else if (strncmp(text, "(*", 2) == 0)
        end = strstr(text + 2, "*)");
    else if (*text == '"')
        end = strchr(text + 1, '"');
    else
        return at;
    bool one_sign = *text == '"' || text[1] == '/'; /* ends it */
    return end ? (size_t)(end - source->text) + (one_sign ? 1 : 2) : source->length;
}

/* May statements stand there? */
static bool may_stand(const struct source *source, size_t offset)
{
    char last = ' ';
    for (size_t at = 0; at < offset;) {
        size_t behind = behind_comment(source, at);
        if (behind == at && !strchr(" \t\n", source->text[at]))
            last = source->text[at];
        at = behind == at ? at + 1 : behind;
    }
    return last == ';' || last == '{' || last == '}';
}

static size_t offset_of(const struct span *span)
{
    size_t length;
    const char *line = source_line(span->source, span->line, &length);
    return (size_t)(line - span->source->text) + span->column - 1;
}

bool session_put_read(struct session_test *test, const struct session_case *question,
                      const struct span *before, const char *text)
{
    const struct source *source = question->program->source;
    struct strbuf whole = {0};
    bool fits = before->source == source && !question->program->is_table &&
                may_stand(source, offset_of(before));
    *test = (struct session_test){.program = NULL};
    if (!fits)
        return false;
    strbuf_add_bytes(&whole, source->text, offset_of(before));
    strbuf_add(&whole, text);
    strbuf_add_bytes(&whole, source->text + offset_of(before), source->length - offset_of(before));
    session_test_begin(test, source->path);
    session_test_take(test, question->settings, source->path, strbuf_text(&whole), whole.length);
    strbuf_fini(&whole);
    return test->program != NULL;
}

static bool is_within(const struct lit_instr *instr, const struct span *before, size_t length)
{
    const struct span *statement = instr->statement;
    return statement && statement->line == before->line && statement->column >= before->column &&
           statement->column < before->column + length;
}

bool session_put_is_known(const struct session_test *test, const struct session_case *question,
                          const struct span *before, size_t length)
{
    const struct lit_program *program = test->program;
    const struct lit_thread *threads[] = {program->threads, program->recovery};
    const uint32_t counts[] = {program->thread_count, program->recovery_count};
    uint32_t known = 0;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (uint32_t t = 0; t < counts[k]; t++)
            for (uint32_t i = 0; i < threads[k][t].code_count; i++) {
                const struct lit_instr *instr = &threads[k][t].code[i];
                if (!is_within(instr, before, length) || !instr->tags)
                    continue;
                if (!meaning_of_instr(program, question->model->model, instr) ||
                    (instr->tags & lit_program_marks(program)))
                    return false;
                known++;
            }
    return known > 0;
}
