/* build: what the program was built from. tools/build-digest.sh generates it. */
#ifndef CRASHLIT_BUILD_H
#define CRASHLIT_BUILD_H

/* A digest of sources, grammars, models and machines, as 16 hexadecimal digits. Every build of the
 * same files has the same one. */
extern const char base_build[];
/* The commit, in full; "" where it is not known. */
extern const char base_commit[];
/* "0.2+0123456789ab": the version and the commit. Behind it stands ".changed" where a source was
 * another one than in the commit, and ".archive" where a tarball says which commit it is. Without a
 * commit it is "0.2+unknown". */
extern const char base_version[];

#endif
