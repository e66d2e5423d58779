#include "run/run_given.h"

#include "base/source.h"

void run_given_line(struct run_given *given, const struct strbuf *line)
{
    const struct source source = {.text = line->text, .length = line->length};
    given->digest = source_digest(given->digest, &source);
}

void run_given_end(struct run_given *given, const char *path, struct diag *diag)
{
    const struct run_given_file file = {path, given->digest};
    given->digest = 0;
    if (file.digest == 0)
        return;
    for (size_t i = 0; i < given->files.count; i++)
        if (given->files.items[i].digest == file.digest) {
            diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
                       "'%s': found line for line what '%s' has, expected each part once; leave "
                       "one of the two out",
                       path, given->files.items[i].path);
            return;
        }
    VEC_PUSH(&given->files, file);
}

void run_given_fini(struct run_given *given)
{
    VEC_FREE(&given->files);
}
