#include "litmus/lit_dialect.h"

#include "litmus/lit_ptx.h"
#include "litmus/lit_table.h"
#include "litmus/lit_words.h"

#include <string.h>

#define C_LIKE                                                                 \
    .recovery = "(global int* x) { .. }", .level_words = "sg, wg, kr and dev", \
    .level = lit_word_level, .writing = &lit_writing_code, .lower = lit_thread_body

static const struct lit_dialect opencl = {.word = "OPENCL", C_LIKE};
static const struct lit_dialect c = {.word = "C", .adopts = true, .operators = true, C_LIKE};
static const struct lit_dialect ptx = {.word = "PTX",
                                       .is_table = true,
                                       .has_aliases = true,
                                       .split_rmw = true,
                                       .partial_coherence = true,
                                       .jumps = true,
                                       .recovery = "P0@cta 0,gpu 0 ; ..",
                                       .level_words = "cta, kr and gpu",
                                       .level = lit_ptx_level,
                                       .writing = &lit_ptx_writing,
                                       .decode = lit_ptx_decode,
                                       .is_jump = lit_ptx_jumps,
                                       .hosts = lit_ptx_hosts,
                                       .qualifiers = lit_ptx_qualifiers,
                                       .declare = lit_table_declare,
                                       .lower = lit_table_lower};

static const struct lit_dialect *const dialects[] = {&opencl, &c, &ptx, &ptx_dialect};

enum { DIALECTS = sizeof dialects / sizeof *dialects };

const struct lit_dialect *lit_dialect_find(const char *word, size_t length)
{
    for (size_t i = 0; i < DIALECTS; i++)
        if (strlen(dialects[i]->word) == length && memcmp(dialects[i]->word, word, length) == 0)
            return dialects[i];
    return NULL;
}

bool lit_dialect_begins_test(const char *at, const char *end)
{
    const char *line_end = memchr(at, '\n', (size_t)(end - at));
    const char *stop = line_end ? line_end : end;
    const char *blank = memchr(at, ' ', (size_t)(stop - at));
    if (!blank || blank + 1 == stop || memchr(blank + 1, ' ', (size_t)(stop - blank - 1)))
        return false;
    return lit_dialect_find(at, (size_t)(blank - at)) != NULL;
}

const struct lit_dialect *lit_dialect_at(size_t number)
{
    return number < DIALECTS ? dialects[number] : NULL;
}

void lit_dialect_list(struct strbuf *out)
{
    for (size_t i = 0; i < DIALECTS; i++)
        strbuf_printf(out, "%s%s",
                      i == 0             ? ""
                      : i + 1 < DIALECTS ? ", "
                                         : " or ",
                      dialects[i]->word);
}
