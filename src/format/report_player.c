#include "format/report_player.h"

#include <string.h>

/* Files are one script here: none is imported. */
static void add_lines(const char *text, struct strbuf *out)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        length += text[length] == '\n';
        if (strncmp(text, "import ", strlen("import ")) != 0)
            strbuf_add_bytes(out, text, length);
        text += length;
    }
}

static void add_files(const char *ending, struct strbuf *out)
{
    for (size_t i = 0; i < player_builtin_count; i++) {
        const char *dot = strrchr(player_builtins[i].path, '.');
        if (dot && strcmp(dot, ending) == 0)
            add_lines(player_builtins[i].text, out);
    }
}

void report_player_style(struct strbuf *out)
{
    add_files(".css", out);
}

/* XML reads it as it stands, and so does HTML. */
void report_player_script(struct strbuf *out)
{
    strbuf_add(out, "<script type=\"module\">//<![CDATA[\n");
    add_files(".js", out);
    strbuf_add(out, "playAll(document, { run: showRun, cuts: showCuts });\n//]]></script>\n");
}

/* Markup may be in strings alone, where JSON has another way to write it. */
void report_player_record(const char *kind, const char *json, struct strbuf *out)
{
    strbuf_printf(out, "<script type=\"application/json\" class=\"record %s\">", kind);
    for (; *json; json++)
        if (strchr("<>&", *json))
            strbuf_printf(out, "\\u%04x", (unsigned)*json);
        else if (*json != '\n')
            strbuf_add_char(out, *json);
    strbuf_add(out, "</script>\n");
}
