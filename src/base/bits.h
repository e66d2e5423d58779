/* bits: words of 64 bits and sets of small integers over them. */
#ifndef CRASHLIT_BITS_H
#define CRASHLIT_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define BITS_WORDS(count) (((count) + 63u) / 64u)

static inline unsigned bits_lowest(uint64_t word)
{
    return (unsigned)__builtin_ctzll(word);
}

static inline unsigned bits_highest(uint64_t word)
{
    return 63u - (unsigned)__builtin_clzll(word);
}

static inline unsigned bits_count(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

static inline bool bits_get(const uint64_t *words, uint32_t index)
{
    return words[index / 64] >> (index % 64) & 1;
}

static inline void bits_set(uint64_t *words, uint32_t index)
{
    words[index / 64] |= UINT64_C(1) << (index % 64);
}

static inline void bits_clear(uint64_t *words, uint32_t index)
{
    words[index / 64] &= ~(UINT64_C(1) << (index % 64));
}

/* for (index in set): walks the members of one word, lowest first. */
#define BITS_EACH_IN_WORD(index, word)                                                \
    for (uint64_t bits_rest_ = (word), bits_more_ = 1; bits_more_; bits_more_ = 0)    \
        for (unsigned index; bits_rest_ && ((index = bits_lowest(bits_rest_)), true); \
             bits_rest_ &= bits_rest_ - 1)

/* The same for a set of several words: `word` is the value of word `number`. */
#define BITS_EACH(index, number, words, word)                                                  \
    for (uint32_t number = 0; number < (words); number++)                                      \
        for (uint64_t rest_##index = (word), more_##index = 1; more_##index; more_##index = 0) \
            for (uint32_t index;                                                               \
                 rest_##index && ((index = number * 64 + bits_lowest(rest_##index)), true);    \
                 rest_##index &= rest_##index - 1)

#endif
