/* run_view: what a record has for reports that list findings, read back (document/report_view.h).
 *
 * Ownership: all that is read is in the arena. */
#ifndef CRASHLIT_RUN_VIEW_H
#define CRASHLIT_RUN_VIEW_H

#include "document/report_view.h"
#include "run/run_record.h"
#include "run/run_result.h"

/* Reads the answer of a record. SARIF has columns in `characters`. False when the record has no
 * findings, as records of older versions, or something in their place. */
bool run_view_read(struct arena *arena, const struct run_record *record, const struct json_t *json,
                   bool characters, struct report_view *view) __attribute__((warn_unused_result));
/* The same of what was said of its file: appends to the list. */
bool run_view_messages(struct arena *arena, const struct run_record *record,
                       const struct json_t *json, bool characters, struct report_fault **faults,
                       size_t *count) __attribute__((warn_unused_result));
/* Adds both to pieces where the formats list findings: the answer, with the accord of its pair's
 * engines, and with what a run of that policy makes of it (run_view_answer). */
bool run_view_tell(struct run_pieces *pieces, const struct run_policy *policy,
                   const struct run_record *record, const struct json_t *json, bool known,
                   bool first) __attribute__((warn_unused_result));
bool run_view_say(struct run_pieces *pieces, const struct run_record *record,
                  const struct json_t *json) __attribute__((warn_unused_result));
/* What a run may fail for of a record, which is `known` to fail or not, and the `first` of its pair or not. */
struct run_answer run_view_answer(const struct run_record *record, const struct json_t *json,
                                  bool known, bool first);
/* The verdict of a word; `error` of one that is none. */
enum lit_verdict run_view_verdict(const char *word);
/* The accord of a pair's engines, its result and details alone; false: the record has none. */
bool run_view_accord(const struct json_t *json, struct report_accord *accord);

#endif
