/* Certificates as text, to lines derived by hand from docs/inside/certificates.md; and the keeper of
 * a checker, with scripts in its place. */
#include "test_enum_fixture.h"

#include "ask/ask_certify_states.h"
#include "certify/cases.h"
#include "certify/certificate.h"
#include "run/run_checker.h"

#include <sys/stat.h>

static const char one_write[] = "C t\n{ nvm x = 0; }\nP0 (int* x) {\n  *x = 1;\n}\n"
                                "final exists (x = 1)\n";

/* The certificate of a test under a model + none, in the arena; NULL: something is lacking. */
static const char *make_one(struct arena *arena, const char *text, const char *visibility,
                            bool told)
{
    struct enum_case c;
    struct outcome listed;
    enum_case_init(&c, text, visibility, "none", false);
    struct engine_request request = c.request;
    request.on_witness = NULL;
    request.plan = cat_plan_new_for(arena, request.model, CAT_FOR_CASES);
    request.certificate = certificate_new();
    if (told)
        certificate_tell(request.certificate);
    outcome_init(&listed, c.f.program);
    certificate_begin(request.certificate, "t", visibility, "none", "");
    enum_certify(&request, &listed);
    const char *made = certificate_end(request.certificate);
    made = made ? arena_strdup(arena, made) : NULL;
    if (!c.o.undefined.count) {
        CU_ASSERT_EQUAL(listed.final.count, c.o.final.count);
        CU_ASSERT_EQUAL(listed.crash.count, c.o.crash.count);
    }
    certificate_free(request.certificate);
    outcome_fini(&listed);
    enum_case_fini(&c);
    return made;
}

static const char *certify(struct arena *arena, const char *text, const char *visibility)
{
    return make_one(arena, text, visibility, false);
}

static void expect(const char *text, const char *lines)
{
    struct arena arena;
    arena_init(&arena);
    const char *made = certify(&arena, text, "sc");
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    const char *wanted =
        arena_printf(&arena, "certificate 1\ntest t\nmodels sc + none\n%sdone\n", lines);
    if (strcmp(made, wanted) != 0)
        fprintf(stderr, "made:\n%s", made);
    CU_ASSERT_STRING_EQUAL(made, wanted);
    arena_fini(&arena);
}

/* One path, nothing to choose: it shows the only state. */
static void test_one_write(void)
{
    expect(one_write, "program 0\npath 0.0 W:4 end\nexecution 0.0 :\ntree 0.0 : k\n");
}

/* The first path wants 2: the initial 0 is another value, and its own write stands behind the read. */
static void test_values(void)
{
    expect("C t\n{ nvm x = 0; }\nP0 (int* x) {\n  if (*x == 2)\n    *x = 1;\n}\nfinal exists (x = "
           "0)\n",
           "program 0\npath 0.0 R:4 W:5 end\npath 0.1 R:4 end\n"
           "execution 0.1 : 0.0<i:x\n"
           "tree 0.0 : r 0.0 2 i:x v 0.1 !0\ntree 0.1 : r 0.0 1 i:x k\n");
}

/* Nobody writes a 5: whatever P1 does, P0's first path is none. Of the other one each source of the
 * read shows the same state. */
static void test_never(void)
{
    expect("C t\n{ nvm x = 0; nvm y = 0; }\nP0 (int* x, int* y) {\n  if (*x == 5)\n    *y = 1;\n}\n"
           "P1 (int* x) {\n  *x = 1;\n}\nfinal exists (x = 1)\n",
           "program 0 0\npath 0.0 R:4 W:5 end\npath 0.1 R:4 end\npath 1.0 W:8 end\n"
           "execution 0.1 1.0 : 0.0<i:x\n"
           "never 0.0 : 0.0\ntree 0.1 1.0 : r 0.0 2 i:x k 1.0 k\n");
}

/* Who finds a 1 writes z. Where P0 alone does, it reads P1's write, and P1 the initial one. Where P1
 * alone does is the image of that: the same words, with 0 for 1 and x for y. */
static void test_images(void)
{
    struct arena arena;
    arena_init(&arena);
    const char *made = certify(
        &arena,
        "C t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
        "P0 (int* x, int* y, int* z) {\n  *x = 1;\n  int r = *y;\n  if (r == 1)\n    *z = 1;\n}\n"
        "P1 (int* x, int* y, int* z) {\n  *y = 1;\n  int r = *x;\n  if (r == 1)\n    *z = 1;\n}\n"
        "final exists (0:r = 1 /\\ 1:r = 0)\n",
        "sc");
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    CU_ASSERT_PTR_NOT_NULL(strstr(made, "\nexecution 0.0 1.1 : 0.1<1.0 1.1<i:x\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(made, "\nexecution 0.1 1.0 : 1.1<0.0 0.1<i:y\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(made, "\ntree 0.0 1.1 : r 0.1 2 i:y v 1.0 r 1.1 2 i:x k 0.0 v\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(made, "\ntree 0.1 1.0 : r 1.1 2 i:x v 0.0 r 0.1 2 i:y k 1.0 v\n"));
    arena_fini(&arena);
}

/* As above, and each reads once more. Who has found the other's 1 (1.0) does not find the 0 behind it: its first
 * read (0.1) stands before the second (0.3), that before the write, and this before the first. Of the image the
 * same with 0 for 1 and x for y. */
static void test_told(void)
{
    SCOPED(arena) arena = {0};
    const char *made =
        make_one(&arena,
                 "C t\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"
                 "P0 (int* x, int* y, int* z) {\n  *x = 1;\n  int r = *y;\n  if (r == "
                 "1)\n    *z = 1;\n  int s = *y;\n}\n"
                 "P1 (int* x, int* y, int* z) {\n  *y = 1;\n  int r = *x;\n  if (r == "
                 "1)\n    *z = 1;\n  int s = *x;\n}\n"
                 "final exists (0:s = 0 /\\ 1:s = 0)\n",
                 "sc", true);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    SCOPED(cases) cases;
    CU_ASSERT(cases_read(&arena, made, &cases));
    CU_ASSERT_PTR_NOT_NULL(strstr(made, " i:y !2,0.1,0.3,1.0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(made, " i:x !2,1.1,1.3,0.0"));
    CU_ASSERT_PTR_NULL(strstr(made, "!0"));
}

/* A race needs one execution, and no tree. */
static void test_undefined(void)
{
    struct arena arena;
    arena_init(&arena);
    const char *made = certify(&arena,
                               "OPENCL t\n{ int x = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\n"
                               "P1@wg 1 (global int* x) { *x = 2; }\nfinal exists (x = 1)\n",
                               "hrf-direct");
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    CU_ASSERT_PTR_NOT_NULL_FATAL(strstr(made, "\nexecution 0.0 1.0 :"));
    CU_ASSERT_PTR_NULL(strstr(made, "tree"));
    arena_fini(&arena);
}

static void test_lacks(void)
{
    static const char *const odd[][2] = {
        {"a\nb", "sc"}, {"a\tb", "sc"}, {"t", "a+b.cat"}, {"t", "a b.cat"}};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct certificate *c = certificate_new();
        certificate_begin(c, odd[i][0], odd[i][1], "none", "");
        CU_ASSERT_PTR_NOT_NULL(certificate_lacks(c));
        CU_ASSERT_PTR_NULL(certificate_end(c));
        certificate_free(c);
    }
    struct certificate *c = certificate_new();
    certificate_begin(c, "a b.litmus", "sc", "none", "unroll=3");
    CU_ASSERT_STRING_EQUAL(certificate_subject(c), "a b.litmus\tsc + none unroll=3");
    certificate_lack(c, "the first reason");
    certificate_lack(c, "another one");
    CU_ASSERT_STRING_EQUAL(certificate_lacks(c), "the first reason");
    certificate_free(c);
}

/* ---- What the checker lists ---- */

/* Of one_write: the run ends with x = 1, and a crash comes before or behind the write. */
static void test_states(void)
{
    static const char *const cases[][2] = {
        {" crash\tx=1;\n final\tx=1;\n crash\tx=0;\n", NULL},
        {" final\tx=1;\n crash\tx=0;\n", "the checker does not find crash x=1;"},
        {" final\tx=1;\n crash\tx=0;\n crash\tx=1;\n crash\tx=2;\n",
         "the checker finds crash x=2; as well"},
        {" final\tx=1;\n crash\tx=0;\n crash\tx=1;\n flag\todd\n",
         "the checker finds flag odd as well"},
        {"", "the checker does not find crash x=0;"}};
    struct enum_case c;
    struct arena arena;
    arena_init(&arena);
    enum_case_init(&c, one_write, "sc", "none", false);
    struct session_model model = {.model = c.f.model};
    struct session_case question = {.program = c.f.program, .model = &model};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *answer = arena_printf(&arena, "certified\tt\tsc + none\tok\n%s", cases[i][0]);
        const char *odd = ask_certify_compare(&arena, &question, &c.o, answer);
        CU_ASSERT_EQUAL(odd == NULL, cases[i][1] == NULL);
        if (odd && cases[i][1])
            CU_ASSERT_STRING_EQUAL(odd, cases[i][1]);
    }
    enum_case_fini(&c);
    arena_fini(&arena);
}

/* ---- The keeper ---- */

struct script {
    char path[ENUM_MODEL_PATH];
    struct run_checker checker;
    int line;
};

static void begin_limited(struct script *s, const char *text, double seconds, double cpu_seconds)
{
    char folder[] = "/tmp/crashlit-unit-XXXXXX";
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(s->path, sizeof s->path, "%s/checker", folder);
    FILE *file = fopen(s->path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    CU_ASSERT_EQUAL(fclose(file), 0);
    CU_ASSERT_EQUAL(chmod(s->path, 0700), 0);
    s->checker = (struct run_checker){s->path, "models"};
    s->line = run_checker_start(&s->checker, seconds, cpu_seconds, 0);
    CU_ASSERT_FATAL(s->line >= 0);
}

static void begin_script(struct script *s, const char *text, double seconds)
{
    begin_limited(s, text, seconds, 0);
}

static void end_script(struct script *s)
{
    close(s->line);
    enum_model_drop(s->path);
}

static void ask(const struct script *s, bool answers, const char *wanted)
{
    struct strbuf said = {0};
    CU_ASSERT_EQUAL(run_checker_ask(s->line, "certificate 1\ndone\n", &said), answers);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&said), wanted);
    strbuf_fini(&said);
}

/* What it says of the certificate that has nothing in it is the end. */
#define END "printf 'refused\\t?\\t?\\tnothing\\n'"
#define ANSWERS                                                                    \
    "n=0; while read -r word; do [ \"$word\" = done ] || continue; n=$((1 - n)); " \
    "if [ $n = 1 ]; then echo yes; echo ' x=1;'; else " END "; fi; done"

/* Its lines for each certificate, also for the next one. */
static void test_keeper(void)
{
    struct script s;
    begin_script(&s, ANSWERS, 30);
    ask(&s, true, "yes\n x=1;\n");
    ask(&s, true, "yes\n x=1;\n");
    end_script(&s);
}

/* One that ends, at once or having answered, makes room for another. */
static void test_keeper_starts_anew(void)
{
    struct script s;
    begin_script(&s, "exit 0", 30);
    ask(&s, false, "the checker ended");
    ask(&s, false, "the checker ended");
    end_script(&s);
    begin_script(&s, "read -r head; read -r end; echo once; " END, 30);
    ask(&s, true, "once\n");
    end_script(&s);
}

static void test_keeper_has_limits(void)
{
    struct script s;
    begin_script(&s, "exec sleep 60", 0.2);
    ask(&s, false, "the checker took too long");
    end_script(&s);
    begin_script(&s, "exec yes no", 30);
    ask(&s, false, "the checker says what is no answer");
    end_script(&s);
    begin_limited(&s, "while :; do :; done", 0, 0.2);
    ask(&s, false, "the checker took too long");
    end_script(&s);
    begin_script(&s, "", 30);
    CU_ASSERT_EQUAL(chmod(s.path, 0600), 0);
    ask(&s, false, "the checker ended");
    end_script(&s);
}

/* ---- Read back ---- */

/* The example of docs/inside/certificates.md, shortened, with an order and a line `never`. */
static const char written[] =
    "certificate 1\ntest t\nmodels sc + none\nprogram 0 0\nalso 0 1\npath 0.0 W:5 W:5 end\npath "
    "1.0 R:10 "
    "R:11 "
    "end\nexecution 0.0 1.0 : 1.0<0.1 1.1<0.0\npath 1.1 await\nnever 1.1 0.0 : 0.1\n"
    "tree 0.0 1.0 : r 1.0 2 i:A v 0.1 o 0.0 0.1 2 < !2,0.1,i:A > k\ndone\n";

static void test_read(void)
{
    SCOPED(arena) arena = {0};
    SCOPED(cases) cases;
    CU_ASSERT_FATAL(cases_read(&arena, written, &cases));
    CU_ASSERT_EQUAL_FATAL(cases.sections.count, 1);
    const struct cases_section *section = &cases.sections.items[0];
    CU_ASSERT_FALSE(section->recovery);
    CU_ASSERT_EQUAL_FATAL(section->memories.count, 2);
    CU_ASSERT_STRING_EQUAL(section->memories.items[1], "0 1");
    CU_ASSERT_EQUAL(section->executions, 1);
    CU_ASSERT_EQUAL_FATAL(section->trees.count, 2);
    const struct cases_node *never = &section->trees.items[0].node;
    CU_ASSERT_EQUAL(never->kind, CASES_NEVER);
    CU_ASSERT_EQUAL(never->of.nth, 2); /* of two writes of line 5 */
    CU_ASSERT_EQUAL(never->of.of, 2);
    const struct cases_node *read = &section->trees.items[1].node;
    CU_ASSERT_EQUAL(read->kind, CASES_SOURCE);
    CU_ASSERT_EQUAL(read->of.line, 10);
    CU_ASSERT_EQUAL_FATAL(read->count, 2);
    CU_ASSERT_STRING_EQUAL(read->ways[0].source.location, "A");
    CU_ASSERT_EQUAL(read->ways[0].then.kind, CASES_VALUES);
    const struct cases_node *order = &read->ways[1].then;
    CU_ASSERT_EQUAL(order->kind, CASES_ORDER);
    CU_ASSERT_EQUAL_FATAL(order->count, 2);
    CU_ASSERT_EQUAL(order->ways[0].then.kind, CASES_LOST);
    CU_ASSERT_EQUAL(order->ways[0].then.number, 2);
    CU_ASSERT_EQUAL_FATAL(order->ways[0].then.shown_count, 2);
    CU_ASSERT_EQUAL(order->ways[0].then.shown[0].nth, 2);
    CU_ASSERT_STRING_EQUAL(order->ways[0].then.shown[1].location, "A");
    CU_ASSERT_EQUAL(order->ways[1].way, '>');
    CU_ASSERT_EQUAL(cases.ends, 4);
}

/* What is said of an event, a way or a path that is not there is no certificate. */
static void test_read_none(void)
{
    static const char *const wrong[][2] = {{"0.1 o", "0.2 o"},     {"tree 0.0 1.0", "tree 0.0 1.7"},
                                           {"r 1.0 2", "r 1.0 3"}, {"!2", "!x"},
                                           {"!2,0.1", "!2,0.7"},   {"!2,0.1", "!2,"},
                                           {"> k", "> z"},         {"W:5 W:5", "W:5 W:"},
                                           {" : r", " r"},         {"r 1.0", "r 2.0"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SCOPED(arena) arena = {0};
        SCOPED(cases) cases;
        const char *at = strstr(written, wrong[i][0]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        const char *text = arena_printf(&arena, "%.*s%s%s", (int)(at - written), written,
                                        wrong[i][1], at + strlen(wrong[i][0]));
        CU_ASSERT_FALSE(cases_read(&arena, text, &cases));
    }
}

void suite_certify(void)
{
    CU_pSuite suite = CU_add_suite("certify", NULL, NULL);
    UNIT_TEST(suite, test_one_write);
    UNIT_TEST(suite, test_values);
    UNIT_TEST(suite, test_never);
    UNIT_TEST(suite, test_images);
    UNIT_TEST(suite, test_told);
    UNIT_TEST(suite, test_undefined);
    UNIT_TEST(suite, test_lacks);
    UNIT_TEST(suite, test_states);
    UNIT_TEST(suite, test_read);
    UNIT_TEST(suite, test_read_none);
    UNIT_TEST(suite, test_keeper);
    UNIT_TEST(suite, test_keeper_starts_anew);
    UNIT_TEST(suite, test_keeper_has_limits);
}
