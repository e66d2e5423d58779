/* build: which sources the program was built from. */
#ifndef CRASHLIT_BUILD_H
#define CRASHLIT_BUILD_H

/* A digest of sources, grammars, models and machines, as 16 hexadecimal digits. Every build of the
 * same files has the same one. tools/build-digest.sh generates it. */
extern const char base_build[];

#endif
