/* each: does something hold of one of so many, or of all?
 *
 *     return ANY(i, list->count, list->items[i] == wanted);
 *     return ALL(t, a->count, ANY(u, b->count, same(a->items[t], b->items[u])));
 *
 * The index is the condition's own, counts from 0 and has the type of the count. No more conditions
 * are looked at once one tells. Of none, ANY is false and ALL true.
 */
#ifndef CRASHLIT_EACH_H
#define CRASHLIT_EACH_H

#define ANY(index, count, condition)            \
    __extension__({                             \
        __typeof__((count) + 0u) index = 0;     \
        while (index < (count) && !(condition)) \
            index++;                            \
        index < (count);                        \
    })
#define ALL(index, count, condition) (!ANY(index, count, !(condition)))

#endif
