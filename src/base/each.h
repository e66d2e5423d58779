/* each: loops over arrays. Does something hold of one of so many, or of all, of how many, and which
 * is the first?
 *
 *     EACH (const struct lit_instr, instr, thread->code, thread->code_count) ...
 *     EACH_IN (const struct word, word, words) ...       with `items` and `count`
 *     return ANY(i, list->count, list->items[i] == wanted);
 *     return ALL(t, a->count, ANY(u, b->count, same(a->items[t], b->items[u])));
 *     return FIND(i, rows, ROW_COUNT, strcmp(rows[i].name, name) == 0);
 *     return COUNT_IF(i, list->count, list->items[i] == wanted);
 *
 * The index is the condition's own, counts from 0 and has the type of the count. No more conditions
 * are looked at once one tells. Of none, ANY is false and ALL true. FIND gives the address of the
 * first item of an array of which the condition holds, or NULL. COUNT_IF tells of how many it holds.
 * EACH reads array and count once, before the first item, so the loop must not change them.
 */
#ifndef CRASHLIT_EACH_H
#define CRASHLIT_EACH_H

#define EACH(type, item, items, count)                                                         \
    for (type *item = (items), *item##_end = item ? item + (count) : item; item != item##_end; \
         item++)
#define EACH_IN(type, item, list) EACH (type, item, (list).items, (list).count)

#define ANY(index, count, condition)            \
    __extension__({                             \
        __typeof__((count) + 0u) index = 0;     \
        while (index < (count) && !(condition)) \
            index++;                            \
        index < (count);                        \
    })
#define ALL(index, count, condition) (!ANY(index, count, !(condition)))
#define COUNT_IF(index, count, condition)                \
    __extension__({                                      \
        __typeof__((count) + 0u) index, index##_sum = 0; \
        for (index = 0; index < (count); index++)        \
            index##_sum += (condition);                  \
        index##_sum;                                     \
    })
#define FIND(index, items, count, condition)      \
    __extension__({                               \
        __typeof__((count) + 0u) index = 0;       \
        while (index < (count) && !(condition))   \
            index++;                              \
        index < (count) ? &(items)[index] : NULL; \
    })

#endif
