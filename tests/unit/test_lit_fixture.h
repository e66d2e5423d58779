/* What the suites of the litmus front end share: a test from a text, with its
 * diagnostics and its dump. */
#ifndef CRASHLIT_TEST_LIT_FIXTURE_H
#define CRASHLIT_TEST_LIT_FIXTURE_H

#include "unit.h"

#include "litmus/lit_parse.h"

#include <stdio.h>
#include <string.h>

struct lit_fixture {
    struct arena arena;
    struct diag diag;
    struct intern *names;
    const struct lit_program *program; /* NULL: refused */
    struct strbuf messages, dump;
};

static inline void lit_fixture_bytes(struct lit_fixture *fixture, const char *text, size_t length)
{
    *fixture = (struct lit_fixture){0};
    arena_init(&fixture->arena);
    diag_init(&fixture->diag);
    fixture->names = intern_new();
    const struct source *source = source_from_text(&fixture->arena, "t.litmus", text, length);
    fixture->program = lit_parse(&fixture->arena, fixture->names, source, &fixture->diag);
    CU_ASSERT((fixture->program == NULL) == (fixture->diag.errors > 0));
    diag_render(&fixture->diag, &fixture->messages);
    if (fixture->program)
        lit_program_dump(fixture->program, &fixture->dump);
}

static inline void lit_fixture_init(struct lit_fixture *fixture, const char *text)
{
    lit_fixture_bytes(fixture, text, strlen(text));
}

/* The same for a text that must be accepted. */
static inline void lit_fixture_accept(struct lit_fixture *fixture, const char *text)
{
    lit_fixture_init(fixture, text);
    if (!fixture->program)
        fprintf(stderr, "refused:\n%s\n%s", text, strbuf_text(&fixture->messages));
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture->program);
}

static inline void lit_fixture_fini(struct lit_fixture *fixture)
{
    strbuf_fini(&fixture->messages);
    strbuf_fini(&fixture->dump);
    intern_free(fixture->names);
    diag_fini(&fixture->diag);
    arena_fini(&fixture->arena);
}

/* Asserts equality and shows both texts when it fails. */
static inline void lit_expect_text(const char *found, const char *expected)
{
    if (strcmp(found, expected) != 0)
        fprintf(stderr, "---- found\n%s\n---- expected\n%s\n", found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

/* Asserts the code of P0 in a test, a line for each instruction as the dump has it. */
static inline void lit_expect_p0(const char *text, const char *expected)
{
    struct lit_fixture fixture;
    struct strbuf code = {0};
    lit_fixture_accept(&fixture, text);
    const char *at = strstr(strbuf_text(&fixture.dump), "\nP0 ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at = strchr(at + 1, '\n') + 1;
    while (strncmp(at, "  ", 2) == 0) {
        const char *end = strchr(at, '\n') + 1;
        strbuf_add_bytes(&code, at + 2, (size_t)(end - at - 2));
        at = end;
    }
    if (strcmp(strbuf_text(&code), expected) != 0)
        fprintf(stderr, "of: %s\n", text);
    lit_expect_text(strbuf_text(&code), expected);
    strbuf_fini(&code);
    lit_fixture_fini(&fixture);
}

/* The same of a body: x is int, y atomic_int, a an nvm array of 4, l in local memory,
 * u ulong. */
static inline void lit_expect_code(const char *body, const char *expected)
{
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "OPENCL t\n{ x = 0; y = 0; nvm a[4]; local int l; ulong u; }\n"
                  "P0 (global int* x, global atomic_int* y) {\n%s\n}\nexists (true)\n",
                  body);
    lit_expect_p0(strbuf_text(&text), expected);
    strbuf_fini(&text);
}

/* Asserts that a text is refused with exactly `count` errors, the first with this id. */
static inline void lit_expect_refused(const char *text, size_t length, enum diag_id id,
                                      uint32_t count)
{
    struct lit_fixture fixture;
    lit_fixture_bytes(&fixture, text, length);
    CU_ASSERT_PTR_NULL(fixture.program);
    CU_ASSERT_EQUAL(fixture.diag.errors, count);
    if (fixture.diag.errors != count || fixture.diag.entries.items[0].id != id)
        fprintf(stderr, "of: %.200s\n%.2000s", text, strbuf_text(&fixture.messages));
    CU_ASSERT_FATAL(fixture.diag.entries.count > 0);
    CU_ASSERT_EQUAL(fixture.diag.entries.items[0].id, id);
    lit_fixture_fini(&fixture);
}

#endif
