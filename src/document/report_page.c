#include "document/report_page.h"

#include "report/report_paint.h"

static const char *const style[] = {
#define LINE(text) text "\n",
#include "document/report_html_style.def"
#undef LINE
};

void report_page_begin(const char *title, struct strbuf *out)
{
    strbuf_printf(out,
                  "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
                  "<head><meta charset=\"utf-8\"/>\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                  "<link rel=\"icon\" href=\"data:,\"/>\n<title>%s</title>\n<style>\n",
                  title);
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        strbuf_add(out, style[i]);
    report_paint_style(out);
    strbuf_add(out, "</style></head>\n<body>\n<header class=\"top\">");
}
