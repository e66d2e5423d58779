/* table: columns of lists that are written as X-macros, LIST(X) with X(identifier, text, ...) for
 * each row:
 *
 *     static const char *const texts[] = {LIST(TABLE_SECOND)};
 */
#ifndef CRASHLIT_TABLE_H
#define CRASHLIT_TABLE_H

#define TABLE_FIRST(first, ...) first,
#define TABLE_SECOND(first, ...) TABLE_FIRST(__VA_ARGS__, )
#define TABLE_THIRD(first, second, ...) TABLE_FIRST(__VA_ARGS__, )
#define TABLE_FOURTH(first, second, third, ...) TABLE_FIRST(__VA_ARGS__, )

#endif
