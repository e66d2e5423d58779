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
#define TABLE_FIFTH(first, second, third, fourth, ...) TABLE_FIRST(__VA_ARGS__, )

/* A list of words, LIST(X) with X(word), from which code takes them: TABLE_WORD is the text of one,
 * and does not compile for a word that the list lacks. */
#define TABLE_WORD_SIZE(word) char word[sizeof #word];
#define TABLE_WORDS(name, list) \
    union name {                \
        list(TABLE_WORD_SIZE)   \
    }
#define TABLE_WORD(name, word) (sizeof((union name *)0)->word ? #word : "")
#define TABLE_TEXT(word) #word,

#endif
