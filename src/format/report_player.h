/* report_player: the animated parts of a page: their style, their script, and the records that the
 * script plays.
 *
 * The script is src/format/page/player.js and cuts.js, which the playground uses, too. A page has
 * it once, as a module, behind the records. Each record is in an element of the class `play`, which
 * tells the same, if less, without a script.
 */
#ifndef CRASHLIT_REPORT_PLAYER_H
#define CRASHLIT_REPORT_PLAYER_H

#include "base/source.h"
#include "base/strbuf.h"

extern const struct source_builtin player_builtins[];
extern const size_t player_builtin_count;

/* The style sheet, for a <style> element. It is well-formed XML. */
void report_player_style(struct strbuf *out);
/* The whole script element. */
void report_player_script(struct strbuf *out);
/* Adds a JSON record in an element whose class names its kind: "run" or "cuts". */
void report_player_record(const char *kind, const char *json, struct strbuf *out);

#endif
