#include "litmus/lit_sketch_scan.h"

#include <string.h>

/* The length of the first kind: up to a comma that is not within parentheses. */
static size_t first_length(const char *kinds)
{
    size_t length = 0;
    for (int depth = 0; kinds[length] && (depth > 0 || kinds[length] != ','); length++)
        depth += (kinds[length] == '(') - (kinds[length] == ')');
    return length;
}

struct lit_open_values lit_sketch_kinds(struct arena *arena, const char *kinds, bool table)
{
    VEC(const char *) list = {0};
    while (kinds && *kinds) {
        size_t length = first_length(kinds), blanks = strspn(kinds, " ");
        size_t end = length;
        while (end > blanks && kinds[end - 1] == ' ')
            end--;
        if (end > blanks)
            VEC_PUSH(&list, arena_strndup(arena, kinds + blanks, end - blanks));
        kinds += length + (kinds[length] == ',');
    }
    struct lit_open_values values = lit_sketch_statements(
        arena, list.count ? (const char *const *)list.items : NULL, (uint32_t)list.count, table);
    VEC_FREE(&list);
    return values;
}
