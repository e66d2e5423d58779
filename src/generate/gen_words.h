/* gen_words: the words of which shapes are made, one table.
 *
 * A shape is a cycle of edges between memory accesses. A word is an edge; or it says something of
 * the access that it stands at, between two edges; or it is an instruction in front of an edge of
 * program order. docs/using/shapes.md says what each stands for; its table is made of this one.
 *
 * A spelling has alternatives in parentheses, `Po(s|d)(R|W)(R|W)`: each choice is a word. Behind a
 * word may stand qualifiers, each with a point: scopes, places, `.alone`. A word of the user's may
 * have `*` for any letters, in the word and in each qualifier, and then stands for all that fit.
 */
#ifndef CRASHLIT_GEN_WORDS_H
#define CRASHLIT_GEN_WORDS_H

#include "base/strbuf.h"
#include "base/vec.h"
#include "generate/gen_vocabularies.h"

/* The qualifiers that may stand behind a word. */
enum { GEN_BARE, GEN_PLACED, GEN_SCOPED, GEN_ALONE };

/* X(identifier, spelling, qualifiers, source, target, relation, what it says). Edges first, up to
 * CRASH. Source and target are what an edge's ends may be: "R", "W", or the number of the choice
 * that says it. */
/* clang-format off */
#define GEN_WORDS(X)                                                                              \
    X(RFE, "Rfe", GEN_PLACED, "W", "R", "rf & ext", "the read of another work-item returns the value of the write") \
    X(PO, "Po(s|d)(W|R)(W|R)", GEN_BARE, "1", "2", "po", "program order, to the same (s) or another location (d), from a write or read to a write or read") \
    X(ADDR, "DpAddr(s|d)(W|R)", GEN_BARE, "R", "1", "addr", "program order from a read, on which the location depends") \
    X(DATA, "DpData(s|d)W", GEN_BARE, "R", "W", "data", "program order from a read, on which the value written depends") \
    X(CTRL, "DpCtrl(s|d)(W|R)", GEN_BARE, "R", "1", "ctrl", "program order from a read; executed only where that returned what it does in the cycle") \
    X(RMW, "Rmw", GEN_BARE, "R", "W", "rmw", "from the read of one instruction to its write") \
    X(WSE, "Wse", GEN_PLACED, "W", "W", "co & ext", "the write of another work-item overwrites the write") \
    X(FRE, "Fre", GEN_PLACED, "R", "W", "fr & ext", "the write of another work-item overwrites what the read returned") \
    X(RFI, "Rfi", GEN_BARE, "W", "R", "rf & int", "as Rfe, within a work-item") \
    X(WSI, "Wsi", GEN_BARE, "W", "W", "co & int", "as Wse, within a work-item") \
    X(FRI, "Fri", GEN_BARE, "R", "W", "fr & int", "as Fre, within a work-item") \
    X(GAP, "Gap(W|R)(W|R)", GEN_PLACED, "0", "1", "none", "an access of another work-item to another location: nothing leads there, so what has a Gap is no cycle") \
    X(CRASH, "Crash", GEN_BARE, "RW", "W", "what is lost", "at the crash the access before it has executed, and is durable when it is a write, and the write behind it is not durable: it breaks persist-before (from a write) and durable-before (from a read) the other way") \
    X(ORDER, "(Pl|Rlx|Acq|Rel|AcqRel|Sc)", GEN_SCOPED, "", "", "its set", "memory order of the access there: plain, relaxed, acquire, release, both, sequentially consistent") \
    X(NVM, "Nvm", GEN_BARE, "", "", "NVM", "the location of the access there is non-volatile") \
    X(ALONE, "Tx1", GEN_BARE, "", "", "one transaction", "the access there is a transaction of its own") \
    X(TX, "Tx", GEN_BARE, "", "", "one transaction", "both ends of the edge of program order behind it are in one transaction") \
    X(PB, "PB(wi|sg|wg|kr|dev|all)", GEN_ALONE, "", "", "po; [PB]; po", "a persist barrier of that scope in the edge of program order behind it; work-items of the scope come to it at their ends, unless .alone") \
    X(FENCE, "F(acq|rel|ar|sc)", GEN_SCOPED, "", "", "po; [F]; po", "a fence of that memory order in the edge of program order behind it") \
    X(SYNC, "B(wg|kr)", GEN_ALONE, "", "", "po; [B]; po", "an execution barrier, likewise; work-items of the scope come to it at their ends, unless .alone") \
    X(FAMILY, "", GEN_SCOPED, "", "", "its tag", "an instruction of the mechanism, by its name: an access there, or a fence or maintenance of the line of the access before it, in the edge of program order behind it")
/* clang-format on */

enum gen_word_kind {
#define X(identifier, ...) GEN_WORD_##identifier,
    GEN_WORDS(X)
#undef X
        GEN_WORD_COUNT
};

enum { GEN_MOST_CHOICES = 3, GEN_UNSAID = 0xff };

struct gen_word {
    uint8_t kind;
    uint8_t choice[GEN_MOST_CHOICES]; /* of its alternatives, in the order of the spelling */
    uint8_t scope;                    /* or place; GEN_UNSAID: none is said */
    uint8_t alone;
    uint8_t family; /* of the vocabulary */
    uint32_t at;    /* in the text that it was read from */
};
typedef VEC(struct gen_word) gen_word_vec;

/* Adds each word that `text`, of `length` bytes, stands for; none when it stands for no word. */
void gen_words_match(const struct gen_vocabulary *vocabulary, const char *text, size_t length,
                     gen_word_vec *words);
/* The nearest word; in the arena, or NULL. */
const char *gen_words_nearest(struct arena *arena, const struct gen_vocabulary *vocabulary,
                              const char *text);
void gen_word_add(const struct gen_vocabulary *vocabulary, const struct gen_word *word,
                  struct strbuf *out);
/* By kind, choices, qualifiers: the order of cycles and names. */
int gen_word_order(const struct gen_word *a, const struct gen_word *b);
/* Prints the table as Markdown, and what each vocabulary adds. */
void gen_words_list(struct strbuf *out);
void gen_words_list_vocabularies(struct gen_vocabularies *all, struct strbuf *out);

/* ---- Properties of words ---- */

static inline bool gen_word_is_edge(const struct gen_word *word)
{
    return word->kind <= GEN_WORD_CRASH;
}
/* Is it an edge RF, WS or FR, external or internal? */
bool gen_word_communicates(const struct gen_word *word);
/* Does it lead to another work-item? Crash leads to the end of all of them. */
bool gen_word_leaves(const struct gen_word *word);
/* Does it lead to the same location, or to another one? Crash does neither. */
bool gen_word_stays(const struct gen_word *word);
bool gen_word_moves(const struct gen_word *word);
/* The direction "R" or "W" at an edge's source, or target; Crash may have "RW" at its source. */
const char *gen_word_source(const struct gen_word *word);
const char *gen_word_target(const struct gen_word *word);
/* Does it stand in an edge of program order? PB, FENCE, SYNC do, and families that are no
 * accesses. */
bool gen_word_is_inserted(const struct gen_vocabulary *vocabulary, const struct gen_word *word);
enum lit_order gen_word_memory_order(const struct gen_word *word); /* of ORDER and FENCE */

#endif
