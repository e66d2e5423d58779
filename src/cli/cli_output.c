#include "cli/cli_output.h"

#include "base/utf8.h"

#include <errno.h>
#include <string.h>

static void note_failure(struct cli_output *output)
{
    if (!output->error)
        output->error = errno;
}

void cli_output_add(struct cli_output *output, const char *bytes, size_t length)
{
    if (fwrite(bytes, 1, length, output->file) != length)
        note_failure(output);
}

void cli_output_add_text(struct cli_output *output, const struct strbuf *text)
{
    cli_output_add(output, strbuf_text(text), text->length);
}

void cli_output_add_lines(struct cli_output *output, const struct strbuf *text)
{
    struct strbuf lines = {0};
    utf8_add_lines(&lines, strbuf_text(text), text->length);
    cli_output_add_text(output, &lines);
    strbuf_fini(&lines);
}

void cli_output_flush(struct cli_output *output)
{
    if (fflush(output->file) != 0)
        note_failure(output);
}

static void close_file(struct cli_output *output)
{
    if (fclose(output->file) != 0)
        note_failure(output);
    output->file = NULL;
}

void cli_output_end(struct cli_output *output, struct diag *diag)
{
    const struct span nowhere = {NULL, 0, 0, 0, 0};
    if (output->path)
        close_file(output);
    else
        cli_output_flush(output);
    if (output->error && output->path)
        diag_error(diag, DIAG_FILE_WRITE, nowhere, "cannot write '%s': %s", output->path,
                   strerror(output->error));
    else if (output->error)
        diag_error(diag, DIAG_FILE_WRITE, nowhere, "cannot write to standard output: %s",
                   strerror(output->error));
}
