/* strbuf, intern and source of src/base. */
#include "base/intern.h"
#include "base/json.h"
#include "base/source.h"
#include "base/utf8.h"
#include "base/strbuf.h"
#include "unit.h"

#include <fcntl.h>
#include <stdbool.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void strbuf_starts_empty(void)
{
    struct strbuf buffer = {0};
    CU_ASSERT_STRING_EQUAL(strbuf_text(&buffer), "");
    strbuf_clear(&buffer);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&buffer), "");
    strbuf_add(&buffer, "");
    CU_ASSERT(buffer.length == 0 && buffer.text && buffer.text[0] == '\0');
    strbuf_fini(&buffer);
    CU_ASSERT_PTR_NULL(buffer.text);
}

static void strbuf_appends(void)
{
    struct strbuf buffer = {0};
    strbuf_add(&buffer, "crash");
    strbuf_add_char(&buffer, ' ');
    strbuf_add_bytes(&buffer, "states...", 6);
    strbuf_printf(&buffer, " %d/%s", 3, "5");
    CU_ASSERT_STRING_EQUAL(strbuf_text(&buffer), "crash states 3/5");
    CU_ASSERT(buffer.length == 16);
    strbuf_clear(&buffer);
    strbuf_add(&buffer, "anew");
    CU_ASSERT_STRING_EQUAL(strbuf_text(&buffer), "anew");
    strbuf_fini(&buffer);
}

static void strbuf_grows(void)
{
    struct strbuf buffer = {0};
    for (int i = 0; i < 1000; i++)
        strbuf_printf(&buffer, "%03d", i);
    CU_ASSERT(buffer.length == 3000 && strlen(strbuf_text(&buffer)) == 3000);
    CU_ASSERT(strncmp(buffer.text + 3 * 517, "517518", 6) == 0);
    strbuf_printf(&buffer, "%10000s", "|"); /* more than doubling gives */
    CU_ASSERT(buffer.length == 13000 && buffer.text[12999] == '|');
    strbuf_fini(&buffer);
}

static void intern_shares(void)
{
    struct intern *table = intern_new();
    char spelled[] = "flag";
    const char *name = intern_text(table, spelled);
    CU_ASSERT_PTR_NOT_EQUAL(name, spelled);
    CU_ASSERT_PTR_EQUAL(name, intern_text(table, "flag"));
    CU_ASSERT_PTR_EQUAL(name, intern_bytes(table, "flags", 4));
    CU_ASSERT_PTR_NOT_EQUAL(name, intern_text(table, "flags"));
    CU_ASSERT_PTR_NOT_EQUAL(name, intern_text(table, "Flag"));
    CU_ASSERT_STRING_EQUAL(name, "flag");
    CU_ASSERT_PTR_EQUAL(intern_text(table, ""), intern_bytes(table, "x", 0));
    CU_ASSERT_STRING_EQUAL(intern_text(table, ""), "");
    CU_ASSERT_PTR_NOT_EQUAL(intern_bytes(table, "a\0b", 3), intern_bytes(table, "a\0c", 3));
    intern_free(table);
    intern_free(NULL);
}

static void intern_keeps_many(void)
{
    enum { COUNT = 2000 };
    static const char *first[COUNT];
    struct intern *table = intern_new();
    char name[20];
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "location%d", i);
        first[i] = intern_text(table, name);
    }
    bool same = true;
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "location%d", i);
        same &= first[i] == intern_text(table, name) && strcmp(first[i], name) == 0;
    }
    CU_ASSERT(same);
    intern_free(table);
}

static void line_is(const struct source *source, uint32_t line, const char *expected)
{
    size_t length;
    const char *text = source_line(source, line, &length);
    CU_ASSERT(length == strlen(expected) && memcmp(text, expected, length) == 0);
}

static void source_finds_lines(void)
{
    struct arena arena;
    arena_init(&arena);
    const char text[] = "one\n\nthree\nfour";
    const struct source *source = source_from_text(&arena, "t.litmus", text, strlen(text));
    CU_ASSERT_STRING_EQUAL(source->name, "t.litmus");
    CU_ASSERT(source->length == 15 && source->text != text && source->text[15] == '\0');
    line_is(source, 1, "one");
    line_is(source, 2, "");
    line_is(source, 3, "three");
    line_is(source, 4, "four"); /* the last line has no end */
    line_is(source, 5, "");
    line_is(source, UINT32_MAX, "");
    line_is(source_from_text(&arena, "empty", "", 0), 1, "");
    line_is(source_from_text(&arena, "ended", "x\n", 2), 2, "");
    arena_fini(&arena);
}

/* CR LF and CR end a line as LF does; LF CR ends two. */
static void source_has_one_line_end(void)
{
    static const char text[] = "a\rb\r\nc\n\rd\0\r\r\n";
    struct arena arena;
    arena_init(&arena);
    const struct source *source = source_from_text(&arena, "t", text, sizeof text - 1);
    CU_ASSERT(source->length == 11 && memcmp(source->text, "a\nb\nc\n\nd\0\n\n", 12) == 0);
    line_is(source, 2, "b");
    line_is(source, 4, "");
    arena_fini(&arena);
}

static void file_is(const char *text, const char *filled, const char *expected)
{
    struct arena arena;
    struct strbuf out = {0};
    arena_init(&arena);
    const struct source *source = source_from_text(&arena, "t", text, strlen(text));
    source_add_file(source, filled, strlen(filled), &out);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), expected);
    strbuf_fini(&out);
    arena_fini(&arena);
}

/* CR LF where all lines end so, be it but one; LF where some line ends otherwise, or none ends. */
static void files_keep_their_line_ends(void)
{
    file_is("a\r\nb\r\n", "a\nc\n", "a\r\nc\r\n");
    file_is("a\r\nb", "c\nb", "c\r\nb");
    file_is("a\r\nb\n", "c\nb\n", "c\nb\n");
    file_is("a\r\nb\r", "c\nb\n", "c\nb\n");
    file_is("a", "b\n", "b\n");
    file_is(SOURCE_MARK "a\n", "b\n", SOURCE_MARK "b\n");
    file_is(SOURCE_MARK "\r\n", "\n", SOURCE_MARK "\r\n");
}

static void shown_as(const char *name, const char *wanted)
{
    struct strbuf out = {0};
    utf8_add_name(&out, name);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), wanted);
    strbuf_fini(&out);
}

/* e with an acute accent is C3 A9, CSI of C1 is C2 9B, the blank that does not break C2 A0, the
 * override to right-to-left E2 80 AE, the isolate's end E2 81 A9; the quotation mark E2 80 9C and
 * the invisible plus E2 81 A4 command nothing. */
static void names_keep_to_a_line(void)
{
    shown_as("", "");
    shown_as("a b\\'\xc3\xa9\xc2\xa0", "a b\\'\xc3\xa9\xc2\xa0");
    shown_as("a\nb\rc\td", "a\\nb\\rc\\td");
    shown_as("\x1b[31m\x7f\x01", "\\x1b[31m\\x7f\\x01");
    shown_as("\xc2\x9bm", "\\xc2\\x9bm");
    shown_as("\xe2\x80\xae"
             "a\xe2\x81\xa9",
             "\\xe2\\x80\\xae"
             "a\\xe2\\x81\\xa9");
    shown_as("\xe2\x80\x9c\xe2\x81\xa4", "\xe2\x80\x9c\xe2\x81\xa4");
    shown_as("\xff\xc3", "\\xff\\xc3"); /* no UTF-8, and the end of the text within a character */
    struct strbuf out = {0};
    utf8_add_lines(&out, "a\n\tb\0\x1b", 6);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), "a\n\tb\\x00\\x1b");
    strbuf_clear(&out);
    utf8_add_lines(&out, "a\r\nb\rc\r\r\n\r\n", 10); /* the last LF is behind the text */
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out), "a\r\nb\\rc\\r\r\n\\r");
    strbuf_fini(&out);
}

/* A file with these bytes, in the folder for temporary files. */
static void write_file(char *path, const char *bytes, size_t length)
{
    int descriptor = mkstemp(path);
    CU_ASSERT_FATAL(descriptor >= 0);
    CU_ASSERT(write(descriptor, bytes, length) == (ssize_t)length);
    close(descriptor);
}

static void builtins_have_names(void)
{
    struct arena arena;
    arena_init(&arena);
    struct source_builtin in_folder = {.path = "visibility/sc.cat"}, alone = {.path = "cos.cat"};
    CU_ASSERT_STRING_EQUAL(source_builtin_name(&arena, &in_folder), "sc");
    CU_ASSERT_STRING_EQUAL(source_builtin_name(&arena, &alone), "cos");
    arena_fini(&arena);
}

static void source_reads_files(void)
{
    struct arena arena;
    const char *why = NULL;
    char path[] = "/tmp/crashlit-unit-XXXXXX";
    arena_init(&arena);
    write_file(path, "a\0b\n", 4);
    const struct source *source = source_load(&arena, path, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    CU_ASSERT_STRING_EQUAL(source->name, path);
    CU_ASSERT(source->length == 4 && memcmp(source->text, "a\0b\n", 5) == 0);
    unlink(path);
    CU_ASSERT_PTR_NULL(source_load(&arena, path, &why));
    CU_ASSERT_STRING_EQUAL(why, "No such file or directory");
    CU_ASSERT_PTR_NULL(source_load(&arena, "/", &why));
    CU_ASSERT_STRING_EQUAL(why, "is a directory");
    arena_fini(&arena);
}

/* What was written to or exchanged since its size was looked at is read whole, or refused. */
static void source_looks_again(void)
{
    static const size_t sizes[] = {0, 2, 4, 9, SOURCE_MAX_BYTES + 1, SOURCE_ANY};
    struct arena arena;
    const char *why = NULL;
    char path[] = "/tmp/crashlit-unit-XXXXXX";
    int ends[2];
    arena_init(&arena);
    write_file(path, "abc\n", 4);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct source *source =
            source_read(&arena, open(path, O_RDONLY), sizes[i], path, &why);
        CU_ASSERT(source && source->length == 4 && strcmp(source->text, "abc\n") == 0);
    }
    unlink(path);
    CU_ASSERT_PTR_NULL(source_read(&arena, open("/", O_RDONLY), 4, "/", &why));
    CU_ASSERT_STRING_EQUAL(why, "is a directory");
    for (size_t size = 3; size <= 5; size += 2) {
        CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
        CU_ASSERT_EQUAL(write(ends[1], "abc\n", 4), 4);
        close(ends[1]);
        CU_ASSERT_PTR_NULL(source_read(&arena, ends[0], size, "pipe", &why));
        CU_ASSERT(strncmp(why, "is a pipe", 9) == 0);
    }
    arena_fini(&arena);
}

/* A byte that is no UTF-8 is 'x' and two digits behind a backslash; a backslash that would be read
 * so is one; and back. */
static void names_stay_distinct(void)
{
    static const char *const names[][2] = {
        {"a.litmus", "a.litmus"}, {"\xc3\xa9", "\xc3\xa9"}, {"a\xff", "a\\xff"},
        {"a\xfe", "a\\xfe"},      {"a\\xff", "a\\x5cxff"},  {"a\\", "a\\"},
        {"\\xg0", "\\xg0"},       {"\\\xff", "\\\\xff"},    {"\xff\xc3", "\\xff\\xc3"}};
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CU_ASSERT_STRING_EQUAL(utf8_name(&arena, names[i][0]), names[i][1]);
        CU_ASSERT_STRING_EQUAL(utf8_bytes_of(&arena, names[i][1]), names[i][0]);
    }
    CU_ASSERT(utf8_name(&arena, names[0][0]) == names[0][0]);
    arena_fini(&arena);
}

static void source_waits_for_nothing(void)
{
    struct arena arena;
    const char *why = NULL;
    char folder[] = "/tmp/crashlit-unit-XXXXXX";
    arena_init(&arena);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    const char *pipe_path = arena_printf(&arena, "%s/pipe", folder);
    CU_ASSERT_EQUAL_FATAL(mkfifo(pipe_path, 0600), 0);
    CU_ASSERT_PTR_NULL(source_load(&arena, pipe_path, &why));
    CU_ASSERT(strncmp(why, "is a pipe", 9) == 0);
    CU_ASSERT_PTR_NULL(source_open(&arena, "/dev/zero", &why));
    CU_ASSERT(strncmp(why, "is a device", 11) == 0);
    unlink(pipe_path);
    rmdir(folder);
    arena_fini(&arena);
}

static void source_refuses_large_files(void)
{
    struct arena arena;
    const char *why = NULL;
    char path[] = "/tmp/crashlit-unit-XXXXXX";
    arena_init(&arena);
    write_file(path, "", 0);
    CU_ASSERT(truncate(path, SOURCE_MAX_BYTES) == 0);
    const struct source *source = source_load(&arena, path, &why);
    CU_ASSERT(source && source->length == SOURCE_MAX_BYTES);
    CU_ASSERT(truncate(path, SOURCE_MAX_BYTES + 1) == 0);
    CU_ASSERT_PTR_NULL(source_load(&arena, path, &why));
    CU_ASSERT_STRING_EQUAL(why, "larger than 4 MiB");
    unlink(path);
    arena_fini(&arena);
}

static void json_nests(void)
{
    struct strbuf out = {0};
    emit_object(&out, NULL);
    emit_array(&out, "empty"), emit_end(&out, ']');
    emit_array(&out, "list");
    emit_object(&out, NULL), emit_end(&out, '}');
    emit_array(&out, NULL), emit_end(&out, ']');
    emit_number(&out, NULL, UINT64_MAX), emit_number(&out, NULL, 0);
    emit_bool(&out, NULL, false), emit_string(&out, NULL, "["), emit_string(&out, NULL, NULL);
    emit_end(&out, ']');
    emit_name(&out, "value"), strbuf_add(&out, "-1.5");
    emit_bool(&out, "last", true);
    emit_end(&out, '}'), strbuf_add_char(&out, '\n');
    emit_object(&out, NULL), emit_end(&out, '}'); /* a text of its own */
    CU_ASSERT_STRING_EQUAL(strbuf_text(&out),
                           "{\"empty\":[],\"list\":[{},[],18446744073709551615,0,false,\"[\",null],"
                           "\"value\":-1.5,\"last\":true}\n{}");
    strbuf_fini(&out);
}

/* RFC 8259 section 7: the quotation mark, the backslash and U+0000 to U+001F are escaped; and what
 * else commands a terminal, DEL and U+0080 to U+009F. */
static void json_escapes(void)
{
    struct strbuf out = {0};
    emit_string(&out, "a\"\\", "\x01\n\x1f\x7f\xc2\x80\xc2\x9f\xc2\xa0/ \xc3\xa9\xff\xed\xa0\x80");
    CU_ASSERT_STRING_EQUAL(
        strbuf_text(&out),
        "\"a\\\"\\\\\":\"\\u0001\\u000a\\u001f\\u007f\\u0080\\u009f\xc2\xa0/ \xc3\xa9"
        "\\ufffd\\ufffd\\ufffd\\ufffd\"");
    strbuf_fini(&out);
}

static void texts_end(void)
{
    CU_ASSERT_TRUE(text_ends("kv.litmus", ".litmus"));
    CU_ASSERT_TRUE(text_ends("kv", ""));
    CU_ASSERT_FALSE(text_ends("litmus", ".litmus"));
    CU_ASSERT_STRING_EQUAL(source_file_name("tests/spb/kv.litmus"), "kv.litmus");
    CU_ASSERT_STRING_EQUAL(source_file_name("kv"), "kv");
}

/* Of 2:5 to 3:2, the end not included. */
static void places_begin_in_others(void)
{
    const struct source here = {.name = "a"}, there = {.name = "b"};
    const struct span within = {&here, 2, 5, 3, 2};
    CU_ASSERT_TRUE(span_begins_in((struct span){&here, 2, 5, 9, 9}, within));
    CU_ASSERT_TRUE(span_begins_in((struct span){&here, 3, 1, 3, 2}, within));
    CU_ASSERT_FALSE(span_begins_in((struct span){&here, 2, 4, 2, 9}, within));
    CU_ASSERT_FALSE(span_begins_in((struct span){&here, 1, 9, 2, 9}, within));
    CU_ASSERT_FALSE(span_begins_in((struct span){&here, 3, 2, 3, 3}, within));
    CU_ASSERT_FALSE(span_begins_in((struct span){&there, 2, 5, 2, 6}, within));
}

void suite_base_text(void)
{
    CU_pSuite suite = CU_add_suite("base_text", NULL, NULL);
    UNIT_TEST(suite, strbuf_starts_empty);
    UNIT_TEST(suite, strbuf_appends);
    UNIT_TEST(suite, strbuf_grows);
    UNIT_TEST(suite, json_nests);
    UNIT_TEST(suite, json_escapes);
    UNIT_TEST(suite, texts_end);
    UNIT_TEST(suite, places_begin_in_others);
    UNIT_TEST(suite, intern_shares);
    UNIT_TEST(suite, intern_keeps_many);
    UNIT_TEST(suite, names_keep_to_a_line);
    UNIT_TEST(suite, source_finds_lines);
    UNIT_TEST(suite, source_has_one_line_end);
    UNIT_TEST(suite, files_keep_their_line_ends);
    UNIT_TEST(suite, builtins_have_names);
    UNIT_TEST(suite, source_reads_files);
    UNIT_TEST(suite, source_looks_again);
    UNIT_TEST(suite, names_stay_distinct);
    UNIT_TEST(suite, source_waits_for_nothing);
    UNIT_TEST(suite, source_refuses_large_files);
}
