/* lit_words: the words of C-like dialects that stand for scopes, memory orders, fence
 * flags, levels of the scope tree, functions and methods.
 *
 * Pure tables; nothing is reported here.
 */
#ifndef CRASHLIT_LIT_WORDS_H
#define CRASHLIT_LIT_WORDS_H

#include "litmus/lit_program.h"

enum lit_word_class { LIT_WORD_FLAGS, LIT_WORD_ORDER, LIT_WORD_SCOPE, LIT_WORD_OTHER };

/* The words of all tables, one after the other; NULL behind the last. */
const char *lit_word_at(size_t number);

/* What a word in an argument means; *value receives a mask of spaces, an order or a
 * scope. Scopes: memory_scope_x, x_scope, or the bare abbreviation. */
enum lit_word_class lit_word_class(const char *text, uint32_t *value);
/* Is it one of the names of the order `consume`, whose value is acquire? */
bool lit_word_consumes(const char *order);
/* What a word that means nothing looks as if it should mean. */
enum lit_word_class lit_word_likely(const char *text);
/* "memory_scope_work_item (wi_scope), ..." and so on, for messages; beside a word of another language, `thread_scope_gpu`,
 * the words of that. `like` may be NULL. */
void lit_word_list(enum lit_word_class kind, const char *like, struct strbuf *out);
/* The nearest word of declarations, or NULL. */
const char *lit_word_nearest_type(const char *text);
/* The nearest known word of a class, or NULL; of scopes and orders also one that is called so elsewhere, or shorter. */
const char *lit_word_nearest(enum lit_word_class kind, const char *text);

/* What to write instead of a pointer to a struct. */
#define LIT_NO_POINTERS                                                                   \
    "pointers are not stored: write the number of the element, as in 'int nd = 1;', and " \
    "'pool[nd].val' for 'nd->val'"

/* What to write instead of a word of C that tests do not have, or NULL. */
const char *lit_word_foreign(const char *text, size_t length);

/* The same of a function, and what it is called here, if that is all (*meant; else NULL). */
const char *lit_word_foreign_function(struct arena *arena, const char *name, const char **meant);
/* The scope that other languages call so: `block`, `memory_scope_warp`; NULL: none. */
const char *lit_word_scope_meant(const char *text);

/* sg, wg, kr or dev of a thread header. */
bool lit_word_level(const char *text, enum lit_scope *level);

/* Whether an argument may name a scope: never, as the name does or the default is all there is;
 * perhaps; always. */
enum lit_call_scope { LIT_CALL_FIXED, LIT_CALL_SCOPED, LIT_CALL_NEEDS_SCOPE };

struct lit_call {
    const char *name;
    enum lit_instr_op instr;
    enum lit_rmw rmw;
    bool ordered; /* orders may follow the values, of an access a scope as well; of others one has
                     to */
    bool flags;   /* fence flags may come first */
    enum lit_call_scope scoped; /* of what is no access */
    enum lit_scope scope;       /* when no argument names one */
    bool flag; /* RMW sets an atomic_flag to 1, STORE clears it to 0: there is no value */
};

/* How many values stand behind the location of an access. */
uint32_t lit_word_value_count(const struct lit_call *call);
/* What a word behind the values of a call may be, with so many orders before it, and perhaps a
 * scope; `orders` has bit o for order o. Of a fence or a barrier flags may come first. */
struct lit_word_room {
    bool order, scope, tag;
    uint32_t orders;
};
struct lit_word_room lit_word_room(const struct lit_call *call, bool method, uint32_t before,
                                   bool scope);
/* The number of the first argument that is a word. */
uint32_t lit_word_first(const struct lit_call *call, bool method);
/* Bits of all orders of atomic operations. */
#define LIT_ORDER_BIT(order) (1U << LIT_ORDER_##order)
#define LIT_ORDERS_ANY                                                                       \
    (LIT_ORDER_BIT(RLX) | LIT_ORDER_BIT(ACQ) | LIT_ORDER_BIT(REL) | LIT_ORDER_BIT(ACQ_REL) | \
     LIT_ORDER_BIT(SC))
/* Those of what reads, or writes, alone. */
#define LIT_ORDERS_READ (LIT_ORDER_BIT(RLX) | LIT_ORDER_BIT(ACQ) | LIT_ORDER_BIT(SC))
#define LIT_ORDERS_WRITE (LIT_ORDER_BIT(RLX) | LIT_ORDER_BIT(REL) | LIT_ORDER_BIT(SC))

/* NULL when there is no such function (method). */
const struct lit_call *lit_word_function(const char *name);
const struct lit_call *lit_word_method(const char *name);
/* The nearest function or method name, or NULL. */
const char *lit_word_nearest_call(const char *name, bool method);

#endif
