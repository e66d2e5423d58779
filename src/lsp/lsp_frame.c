#include "lsp/lsp_frame.h"

#include <string.h>
#include <strings.h>

void lsp_input_fini(struct lsp_input *input)
{
    strbuf_fini(&input->bytes);
}

/* What was taken goes first, so that no more is kept than one message and what came with its end.
 */
void lsp_input_add(struct lsp_input *input, const char *bytes, size_t length)
{
    struct strbuf *kept = &input->bytes;
    if (input->taken) {
        memmove(kept->text, kept->text + input->taken, kept->length - input->taken);
        kept->length -= input->taken;
        input->taken = 0;
    }
    strbuf_add_bytes(kept, bytes, length);
}

/* Where `word` first stands in `length` bytes; NULL: nowhere. */
static const char *find_text(const char *text, size_t length, const char *word)
{
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(text + i, word, size) == 0)
            return text + i;
    return NULL;
}

/* Decimal digits alone, of a number that is not too large. */
static bool read_length(const char *text, const char *end, size_t *number)
{
    size_t value = 0;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (text == end)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return false;
        value = value * 10 + (size_t)(*text - '0');
        if (value > LSP_MAX_CONTENT)
            return false;
    }
    *number = value;
    return true;
}

/* Lines up to `end`, which is that of the last one. NULL, or what is wrong. */
static const char *read_header(const char *text, const char *end, size_t *length)
{
    static const char name[] = "Content-Length:";
    bool found = false;
    while (text < end) {
        const char *line_end = find_text(text, (size_t)(end - text), "\r\n");
        if (!line_end)
            line_end = end;
        if ((size_t)(line_end - text) >= strlen(name) &&
            strncasecmp(text, name, strlen(name)) == 0) {
            if (found)
                return "a header says Content-Length twice";
            if (!read_length(text + strlen(name), line_end, length))
                return "a header's Content-Length is no number, or too large";
            found = true;
        } else if (!memchr(text, ':', (size_t)(line_end - text)))
            return "found what is no header of a message";
        text = line_end + (line_end < end ? 2 : 0);
    }
    return found ? NULL : "a header does not say Content-Length";
}

enum lsp_news lsp_input_next(struct lsp_input *input, const char **content, size_t *length,
                             const char **why)
{
    const char *text = strbuf_text(&input->bytes) + input->taken;
    size_t left = input->bytes.length - input->taken;
    const char *end = find_text(text, left < LSP_MAX_HEADER ? left : LSP_MAX_HEADER, "\r\n\r\n");
    if (!end) {
        *why = "a header is too long";
        return left < LSP_MAX_HEADER ? LSP_WAIT : LSP_FAULT;
    }
    *why = read_header(text, end, length);
    if (*why)
        return LSP_FAULT;
    size_t head = (size_t)(end - text) + 4;
    if (left - head < *length)
        return LSP_WAIT;
    *content = text + head;
    input->taken += head + *length;
    return LSP_MESSAGE;
}

void lsp_frame_add(struct strbuf *out, const struct strbuf *content)
{
    strbuf_printf(out, "Content-Length: %zu\r\n\r\n", content->length);
    strbuf_add_bytes(out, strbuf_text(content), content->length);
}
