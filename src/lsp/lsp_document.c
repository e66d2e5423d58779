#include "lsp/lsp_document.h"

#include "base/reach.h"
#include "mapping/mapping.h"
#include "explore/mach_config.h"

#include <string.h>

static void forget(struct lsp_document *document)
{
    lsp_message_free(document->looked);
    lsp_message_free(document->checked);
    lsp_message_free(document->mended);
    document->looked = document->checked = document->mended = NULL;
}

static void drop(struct lsp_document *document)
{
    forget(document);
    strbuf_fini(&document->text);
    arena_fini(&document->arena);
    base_free(document);
}

void lsp_documents_fini(struct lsp_documents *documents)
{
    for (size_t i = 0; i < documents->items.count; i++)
        drop(documents->items.items[i]);
    VEC_FREE(&documents->items);
}

struct lsp_document *lsp_document_find(const struct lsp_documents *documents, const char *uri)
{
    for (size_t i = 0; i < documents->items.count; i++)
        if (strcmp(documents->items.items[i]->uri, uri) == 0)
            return documents->items.items[i];
    return NULL;
}

struct lsp_document *lsp_document_of(const struct lsp_documents *documents, uint64_t revision)
{
    for (size_t i = 0; i < documents->items.count; i++)
        if (documents->items.items[i]->revision == revision)
            return documents->items.items[i];
    return NULL;
}

static enum lsp_language language_of(const char *word, const char *name)
{
    static const struct {
        const char *word, *endings;
    } languages[] = {
#define X(name, word, endings) {word, endings},
        LSP_LANGUAGES(X)
#undef X
    };
    for (size_t i = 0; i < LSP_OTHER; i++)
        if (reach_ends(name, languages[i].endings))
            return (enum lsp_language)i;
    size_t i = 0;
    while (i < LSP_OTHER && !(word && strcmp(word, languages[i].word) == 0))
        i++;
    return (enum lsp_language)i;
}

static size_t bytes_of(const struct lsp_documents *documents)
{
    size_t bytes = 0;
    for (size_t i = 0; i < documents->items.count; i++)
        bytes += documents->items.items[i]->text.length;
    return bytes;
}

bool lsp_document_change(struct lsp_documents *documents, struct lsp_document *document,
                         const char *text, size_t length)
{
    forget(document);
    document->revision = ++documents->revisions;
    strbuf_fini(&document->text);
    if (length > LSP_MAX_TEXT - bytes_of(documents))
        return false;
    strbuf_add_bytes(&document->text, text, length);
    return true;
}

struct lsp_document *lsp_document_open(struct lsp_documents *documents, const char *uri,
                                       const char *language, const char *text, size_t length,
                                       const char **why)
{
    lsp_document_close(documents, uri);
    if (documents->items.count == LSP_MAX_DOCUMENTS) {
        *why = "too many texts are open";
        return NULL;
    }
    struct lsp_document *document = base_realloc(NULL, sizeof *document);
    *document = (struct lsp_document){.language = LSP_OTHER};
    document->uri = arena_strdup(&document->arena, uri);
    document->path = lsp_uri_path(&document->arena, uri, strlen(uri));
    document->language = language_of(language, document->path ? document->path : uri);
    VEC_PUSH(&documents->items, document);
    if (lsp_document_change(documents, document, text, length))
        return document;
    *why = "the texts that are open are too large";
    lsp_document_close(documents, uri);
    return NULL;
}

void lsp_document_close(struct lsp_documents *documents, const char *uri)
{
    for (size_t i = 0; i < documents->items.count; i++)
        if (strcmp(documents->items.items[i]->uri, uri) == 0) {
            drop(documents->items.items[i]);
            documents->items.items[i] = VEC_POP(&documents->items);
            return;
        }
}
