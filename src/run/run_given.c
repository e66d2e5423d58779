#include "run/run_given.h"

#include "base/source.h"

bool run_given_line(struct run_given *given, const char *path, const struct strbuf *line,
                    struct diag *diag)
{
    const struct source source = {.text = line->text, .length = line->length};
    given->digest = source_digest(given->digest, &source);
    given->bytes += line->length;
    if (!given->memory_mib || given->bytes <= (size_t)given->memory_mib << 20)
        return true;
    diag_error(diag, DIAG_CLI_RECORD, NOWHERE,
               "'%s': found more than %u MiB of records, which is all that --memory leaves for "
               "them: give it more, or the records of these tests alone",
               path, given->memory_mib);
    return false;
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
