/* scoped: a structure of a block that `x_fini` gives back where the block ends, whichever way it is
 * left.
 *
 *     SCOPED(strbuf) text = {0};
 *
 * The value of a `return` is computed before that. Those of a block go in the reverse order of
 * their declarations. A jump out of a guard (base/guard.h) runs none of them: what they own goes
 * with the guard's pool.
 */
#ifndef CRASHLIT_SCOPED_H
#define CRASHLIT_SCOPED_H

#define SCOPED(type) __attribute__((cleanup(type##_fini))) struct type

#endif
