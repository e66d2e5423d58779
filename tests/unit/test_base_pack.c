/* Numbers and bytes packed and read back, whole and cut off anywhere. */
#include "unit.h"

#include "base/pack.h"

#include <string.h>

static void pack_all(struct strbuf *out)
{
    pack_number(out, UINT64_MAX);
    pack_bytes(out, "a\0b", 3);
    pack_text(out, "");
    pack_number(out, 7);
}

static void test_back(void)
{
    struct strbuf packed = {0}, text = {0};
    size_t length;
    pack_all(&packed);
    struct unpack from = unpack_start(packed.text, packed.length);
    CU_ASSERT_EQUAL(unpack_number(&from), UINT64_MAX);
    const char *bytes = unpack_bytes(&from, &length);
    CU_ASSERT_EQUAL(length, 3);
    CU_ASSERT_EQUAL(memcmp(bytes, "a\0b", 3), 0);
    unpack_text(&from, &text);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&text), "");
    CU_ASSERT_FALSE(unpack_whole(&from));
    CU_ASSERT_EQUAL(unpack_number(&from), 7);
    CU_ASSERT_TRUE(unpack_whole(&from));
    strbuf_fini(&packed);
    strbuf_fini(&text);
}

/* Four items; the last is a number, so no cut leaves it. */
static void test_cut(void)
{
    struct strbuf packed = {0};
    pack_all(&packed);
    for (size_t length = 0; length < packed.length; length++) {
        struct unpack from = unpack_start(packed.text, length);
        size_t got;
        unpack_number(&from);
        unpack_bytes(&from, &got);
        unpack_bytes(&from, &got);
        CU_ASSERT_EQUAL(unpack_number(&from), 0);
        CU_ASSERT_FALSE(unpack_whole(&from));
    }
    strbuf_fini(&packed);
}

void suite_base_pack(void)
{
    CU_pSuite suite = CU_add_suite("base_pack", NULL, NULL);
    UNIT_TEST(suite, test_back);
    UNIT_TEST(suite, test_cut);
}
