/* report_player: what moves in a page of its own: its style and script, and records for it.
 *
 * The script is src/format/page/player.js and cuts.js, which the playground has as well. It is in a
 * page once, as a module, behind the records that it plays; each is in an element of the class
 * `play`, which has to say the same without a script, if less.
 */
#ifndef CRASHLIT_REPORT_PLAYER_H
#define CRASHLIT_REPORT_PLAYER_H

#include "base/source.h"
#include "base/strbuf.h"

extern const struct source_builtin player_builtins[];
extern const size_t player_builtin_count;

/* Well-formed XML, too: it goes into a <style>. */
void report_player_style(struct strbuf *out);
/* The whole element. */
void report_player_script(struct strbuf *out);
/* A record, JSON, in an element of the class that says what it is: "run" or "cuts". */
void report_player_record(const char *kind, const char *json, struct strbuf *out);

#endif
