/* report_page: how every HTML page begins, which needs nothing beside itself, and is as wide as the
 * screen it is read on. It is XHTML, too.
 */
#ifndef CRASHLIT_REPORT_PAGE_H
#define CRASHLIT_REPORT_PAGE_H

#include "base/strbuf.h"

/* Up to the start of the header at its top; the title has no markup. */
void report_page_begin(const char *title, struct strbuf *out);

#endif
