#include "session/session_digest.h"

#include "base/source.h"

#include <string.h>

static uint64_t digest_text(uint64_t before, const char *text, size_t length)
{
    const struct source source = {.text = text, .length = length};
    return source_digest(before, &source);
}

uint64_t session_digest_question(const struct session_settings *settings,
                                 const struct engine_entry *engine)
{
    const struct mach_file *machine = settings->on_machine.file;
    SCOPED(strbuf) text = {0};
    strbuf_printf(&text, "unroll %u\nrounds %u\ncrash %d\nrecovery-crash %d\nproperty %d %s\n",
                  settings->unroll, settings->rounds, (int)settings->crash,
                  (int)settings->recovery_crash, (int)settings->property,
                  settings->recovers_to ? settings->recovers_to : "");
    if (settings->volatiles && strcmp(settings->volatiles, "weak") == 0)
        strbuf_add(&text, "volatile weak\n");
    if (settings->property == SESSION_PROPERTIES)
        strbuf_printf(&text, "properties %u\n", settings->properties);
    if (engine->trace)
        strbuf_printf(&text, "fault %s\n", settings->fault ? settings->fault : "");
    uint64_t digest = digest_text(0, strbuf_text(&text), text.length);
    return engine->trace && machine ? source_digest(digest, machine->source) : digest;
}
