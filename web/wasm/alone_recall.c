/* A page's runs are alone: it has no folder of answers, and no records of an earlier run. */
#include "ask/ask_recall.h"

const char *ask_recall_refusal(const struct ask_options *options)
{
    (void)options;
    return "this build is for pages";
}

void ask_recall_options(const struct ask_options *options, struct strbuf *out)
{
    (void)options;
    (void)out;
}

void ask_recall_fini(struct ask_recall *recall)
{
    (void)recall;
}

bool ask_recall_resumed(struct ask_recall *recall, const struct session_pair *pair,
                        const struct cat_model *model)
{
    (void)recall;
    (void)pair;
    (void)model;
    return false;
}

bool ask_recall_kept(struct ask_recall *recall, const struct session_pair *pair,
                     const struct cat_model *model, struct strbuf *messages)
{
    (void)recall;
    (void)pair;
    (void)model;
    (void)messages;
    return false;
}

void ask_recall_keep(struct ask_recall *recall, const struct report_test *test)
{
    (void)recall;
    (void)test;
}

void ask_recall_end(struct ask_recall *recall)
{
    (void)recall;
}

bool run_cache_begin(const struct run_cache *cache)
{
    (void)cache;
    return false;
}

const char *run_cache_write(const struct run_cache *cache, const char *name,
                            const struct strbuf *text)
{
    (void)cache;
    (void)name;
    (void)text;
    return NULL;
}

void run_cache_touch(const struct run_cache *cache, const char *name)
{
    (void)cache;
    (void)name;
}
