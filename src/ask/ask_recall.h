/* ask_recall: answers that need not be found again: those of an earlier run's records (--resume),
 * and those that are kept from run to run (--cache).
 *
 * An answer is kept as its record, so that all reports can be made of it that list findings. It is
 * kept only when nothing of it is open. Its key has all that the record depends on: the texts of the
 * test, its definitions and its models, by their digests as --resume has them, the question, what
 * was said of the file so far, and the build. */
#ifndef CRASHLIT_ASK_RECALL_H
#define CRASHLIT_ASK_RECALL_H

#include "ask/ask_account.h"
#include "document/report_brief.h"
#include "run/run_batch.h"
#include "session/session_ask.h"

/* Why the answers of such a run are not kept; NULL: they are. */
const char *ask_recall_refusal(const struct ask_options *options);
/* Appends what there is to say of a run whose answers are kept in files of their own: its options. */
void ask_recall_options(const struct ask_options *options, struct strbuf *out);

/* Of one test. */
struct ask_recall {
    const struct ask_account *account;
    const struct run_surroundings *run;
    const struct session_settings *settings;
    const struct lit_program *program;
    struct report_brief *brief; /* NULL: none */
    const char *name;           /* of the file, as reports call it */
    struct run_cache_file file;
    struct run_cache_key key; /* of the pair at hand */
    bool is_read;
};

void ask_recall_fini(struct ask_recall *recall);
/* Does an earlier run answer the question about this pair? Then its records count, and are told in
 * reports that list findings. */
bool ask_recall_resumed(struct ask_recall *recall, const struct session_pair *pair,
                        const struct cat_model *model);
/* Is the answer kept? Then it is told, in all formats. `messages`: of the file, until a record has
 * them. */
bool ask_recall_kept(struct ask_recall *recall, const struct session_pair *pair,
                     const struct cat_model *model, struct strbuf *messages);
/* Keeps the pair's answer if it is whole. */
void ask_recall_keep(struct ask_recall *recall, const struct report_test *test);
/* Says in the result what the test's file shall have. */
void ask_recall_end(struct ask_recall *recall);

#endif
