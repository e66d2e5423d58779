/* certificate: writes what an engine finds out as a certificate, which a program that shares nothing
 * with this one checks. docs/inside/certificates.md has the format, and why it is enough.
 *
 * An engine writes a section for each run of a program, in it a tree for each choice of paths, and an
 * execution for whatever is new. It says so when something cannot be certified; then there is no
 * certificate. Nothing here judges: what is written wrongly is refused.
 *
 * Ownership: a certificate owns its texts. Events are of the skeleton that the last tree is of. */
#ifndef CRASHLIT_CERTIFICATE_H
#define CRASHLIT_CERTIFICATE_H

#include "exec/exec_skeleton.h"

struct certificate;

struct certificate *certificate_new(void);
void certificate_free(struct certificate *certificate);

/* What is written is to be told, not checked: what breaks a check stands behind its leaf
 * (certificate_shown_by). */
void certificate_tell(struct certificate *certificate);
bool certificate_is_told(const struct certificate *certificate);

/* Begins with what is asked. `test`: the path as it is to be opened; `options`: words as in the
 * format, "" for none. */
void certificate_begin(struct certificate *certificate, const char *test, const char *visibility,
                       const char *persistency, const char *options);
/* The fields in which the checker's answer says what it is about, with a tab between. */
const char *certificate_subject(const struct certificate *certificate);
/* Ends it. NULL: something is not certified (certificate_lack). Valid until the certificate is freed. */
const char *certificate_end(struct certificate *certificate);

/* What is written is no certificate, for this reason; the first one counts. There is no use in
 * writing on. */
void certificate_lack(struct certificate *certificate, const char *reason);
/* NULL: nothing is lacking so far. */
const char *certificate_lacks(const struct certificate *certificate);
/* How many leaves its trees have. */
uint64_t certificate_leaves(const struct certificate *certificate);

/* A run of `program`, whose locations hold what it begins on: the test's comes first, then those of
 * its recovery. False: the section is there already. */
bool certificate_section(struct certificate *certificate, const struct lit_program *program);
void certificate_end_section(struct certificate *certificate);
/* A section, by its number from 0, is of a run of `program` as well. */
void certificate_also(struct certificate *certificate, uint32_t section,
                      const struct lit_program *program);

/* No execution has these paths together: no write that a read of one of them may return lets that
 * path go on. */
void certificate_never(struct certificate *certificate, const struct exec_path *const *paths,
                       uint32_t count, const struct exec_path *path, uint32_t read);

/* ---- Trees: nodes in prefix form, each child behind its value ---- */

void certificate_tree(struct certificate *certificate, const struct exec_skeleton *skeleton);
void certificate_end_tree(struct certificate *certificate);
/* The source of a read, `count` children. */
void certificate_read(struct certificate *certificate, uint32_t read, uint32_t count);
void certificate_source(struct certificate *certificate, uint32_t write);
/* An order: 'o' coherence, 'f' SC fences, 'w' the `number`-th choice of the model. */
struct certificate_order {
    char tag;
    uint32_t number;
};
void certificate_pair(struct certificate *certificate, struct certificate_order order, uint32_t a,
                      uint32_t b, uint32_t count);
/* '<', '>' or '|' */
void certificate_way(struct certificate *certificate, char way);
/* "k", "v", "c" */
void certificate_leaf(struct certificate *certificate, const char *leaf);
/* A lost check of the model, by its number from 1; 0: some check. */
void certificate_lost(struct certificate *certificate, uint32_t check);

/* Of a lost check that is told: an event of its cycle, in their order; or of a pair that is not to be. */
void certificate_shown_by(struct certificate *certificate, uint32_t event);

/* ---- Images, under exchanges of threads ---- */

/* Where each thread and location goes. */
struct certificate_map {
    const uint32_t *threads, *locations;
};
struct certificate_text {
    const char *text;
    uint64_t leaves;
};
/* The last tree, and the last execution, without the names of their paths. Valid until the section ends. */
struct certificate_text certificate_last_tree(struct certificate *certificate);
const char *certificate_last_execution(struct certificate *certificate);
/* A tree that is an image, of these paths; then executions that are, of the same. */
void certificate_tree_image(struct certificate *certificate, const struct exec_path *const *paths,
                            struct certificate_text tree, const struct certificate_map *map);
void certificate_execution_image(struct certificate *certificate, const char *execution,
                                 const struct certificate_map *map);

/* ---- Executions ---- */

/* Begins one along the paths of the tree, then come all its sources, then pairs of its orders. */
void certificate_execution(struct certificate *certificate);
void certificate_execution_source(struct certificate *certificate, uint32_t read, uint32_t write);
void certificate_execution_pair(struct certificate *certificate, struct certificate_order order,
                                uint32_t a, char way, uint32_t b);
void certificate_end_execution(struct certificate *certificate);
/* The last execution is undefined: the section has nothing else. */
void certificate_undefined(struct certificate *certificate);

#endif
