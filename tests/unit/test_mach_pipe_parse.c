/* The statements of files with `machine = pipeline`: what they are read as, and what is wrong with
 * others. */
#include "unit.h"

#include "explore/mach_config.h"

#include <stdio.h>
#include <string.h>

/* Two good lines to begin with; what is under test follows from line 3 on. */
#define HEAD "machine = pipeline\npromises = sc + lin-adr\n"

struct reading {
    struct arena arena;
    struct diag diag;
    const struct mach_file *file;
};

static void reading_init(struct reading *r, const char *text, size_t length)
{
    arena_init(&r->arena);
    diag_init(&r->diag);
    r->file = mach_config_parse(&r->arena, source_from_text(&r->arena, "m.machine", text, length),
                                &r->diag);
}

static void reading_fini(struct reading *r)
{
    diag_fini(&r->diag);
    arena_fini(&r->arena);
}

/* One error, whose text has all of `where`, `what` and `id` in it. */
static void expect_wrong(const char *text, const char *where, const char *what, const char *id)
{
    struct reading r;
    struct strbuf out = {0};
    reading_init(&r, text, strlen(text));
    diag_render(&r.diag, &out);
    bool good = !r.file && r.diag.errors == 1 && strstr(strbuf_text(&out), where) &&
                strstr(strbuf_text(&out), what) && strstr(strbuf_text(&out), id);
    if (!good)
        fprintf(stderr, "%s\nis answered with\n%s\n", text, strbuf_text(&out));
    CU_ASSERT_TRUE(good);
    strbuf_fini(&out);
    reading_fini(&r);
}

static const struct mach_pipe *expect_good(struct reading *r, const char *text)
{
    struct strbuf out = {0};
    reading_init(r, text, strlen(text));
    diag_render(&r->diag, &out);
    if (!r->file)
        fprintf(stderr, "%s", strbuf_text(&out));
    strbuf_fini(&out);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r->file);
    CU_ASSERT_STRING_EQUAL(r->file->machine->name, "pipeline");
    CU_ASSERT_PTR_NOT_NULL_FATAL(r->file->config.pipe);
    return r->file->config.pipe;
}

static void test_structure(void)
{
    struct reading r;
    const struct mach_pipe *p = expect_good(
        &r, "machine = pipeline\npromises = sc + gpm, tso + px86\nentries = 7\n"
            "variable ddio = on | off | 3\n"
            "stage GPU per thread order any merge lines # a comment\n"
            "\tstage LLC per device order fifo  hold when ddio = off\n"
            "durable\nstage Q-2 per system order marks joint\n"
            "bypass LLC store at host not by cpu\nview medium by cpu\nview LLC load\nisolate\n"
            "on tx_begin : begin ; set ddio = off\n"
            "on fence sc all not by cpu : drain own LLC ; await\n"
            "on rmw 'sc acq_rel wg inside at x : mark unit Q-2; through\n"
            "on tx_end : commit ; release\non pcommit :\n"
            "on clwb : move here GPU past Q-2 ; await sg ; await\n");
    CU_ASSERT_EQUAL(r.file->promise_count, 2);
    CU_ASSERT_STRING_EQUAL(r.file->promises[1].visibility, "tso");
    CU_ASSERT_STRING_EQUAL(r.file->promises[1].persistency, "px86");
    CU_ASSERT_EQUAL(p->entries, 7);
    CU_ASSERT_EQUAL(p->stage_count, 3);
    const struct mach_pipe_stage *s = p->stages;
    CU_ASSERT_STRING_EQUAL(s[0].name, "GPU");
    CU_ASSERT(s[0].per == MACH_PIPE_PER_THREAD && s[0].order == MACH_PIPE_ORDER_ANY);
    CU_ASSERT(s[0].merge && s[0].lines && !s[0].hold && !s[0].group && !s[0].apart);
    CU_ASSERT(s[2].joint && !s[1].joint);
    CU_ASSERT(!s[0].durable && s[0].variable == MACH_PIPE_VARIABLES);
    CU_ASSERT(s[1].per == MACH_PIPE_PER_DEVICE && s[1].order == MACH_PIPE_ORDER_FIFO);
    CU_ASSERT(s[1].hold && !s[1].merge && s[1].variable == 0 && s[1].value == 1);
    CU_ASSERT(s[2].durable && !s[1].durable && s[2].order == MACH_PIPE_ORDER_MARKS);
    CU_ASSERT(p->variable_count == 1 && p->value_counts[0] == 3 && p->initial[0] == 0);
    CU_ASSERT_STRING_EQUAL(p->values[0][2], "3");
    CU_ASSERT(p->isolate && p->bypasses.count == 1 && p->views.count == 2 && p->rule_count == 6);
    CU_ASSERT(p->bypasses.items[0].stage == 1 &&
              p->bypasses.items[0].match.kind == MACH_PIPE_KIND_STORE);
    CU_ASSERT_STRING_EQUAL(p->bypasses.items[0].match.at, "host");
    CU_ASSERT(p->bypasses.items[0].match.not_by && !p->bypasses.items[0].match.not_at);
    CU_ASSERT(p->views.items[0].stage == 3 && p->views.items[1].stage == 1);
    const struct mach_pipe_rule *rules = p->rules;
    CU_ASSERT(rules[0].count == 2 && rules[0].ops[0].op == MACH_PIPE_BEGIN);
    CU_ASSERT(rules[0].ops[1].op == MACH_PIPE_SET && rules[0].ops[1].value == 1);
    CU_ASSERT_PTR_NULL(rules[1].match.tag);
    CU_ASSERT(rules[1].match.order == LIT_ORDER_SC && rules[1].match.scope == LIT_SCOPE_ALL);
    CU_ASSERT(rules[1].match.inside == -1 && rules[2].match.inside == 1);
    CU_ASSERT(rules[1].ops[0].which == MACH_PIPE_WHICH_OWN && rules[1].ops[0].stage == 1);
    CU_ASSERT_STRING_EQUAL(rules[2].match.tag, "sc"); /* a quote makes a tag of any word */
    CU_ASSERT(rules[2].match.order == LIT_ORDER_ACQ_REL && rules[2].match.scope == LIT_SCOPE_WG);
    CU_ASSERT(rules[2].ops[0].op == MACH_PIPE_MARK && rules[2].ops[0].stage == 2);
    CU_ASSERT(rules[4].count == 0 && rules[4].span.line == 17);
    CU_ASSERT(rules[5].ops[0].which == MACH_PIPE_WHICH_HERE && rules[5].ops[0].further == 2);
    CU_ASSERT(rules[5].ops[1].scope == LIT_SCOPE_SG && rules[5].ops[2].scope == LIT_SCOPE_WI);
    CU_ASSERT(rules[1].ops[0].further == 0);
    reading_fini(&r);
}

/* With no stage at all everything is durable at once. */
static void test_smallest(void)
{
    struct reading r;
    const struct mach_pipe *p = expect_good(&r, HEAD "durable");
    CU_ASSERT(p->stage_count == 0 && p->rule_count == 0);
    CU_ASSERT_EQUAL(p->entries, 16);
    reading_fini(&r);
}

static void test_form(void)
{
    static const struct {
        const char *lines, *where, *what, *id;
    } rows[] = {
        {"stag L2 per device order any\n", ":3:1:", "such as `stage`", "E-machine-syntax"},
        {"variable a = b | c\nstag L2 per device order any when a = b\n", ":4:1:", "`stage`",
         "E-machine-syntax"},
        {"stage\n", ":3:6:", "found the end of the line, expected a name for a stage",
         "E-machine-syntax"},
        {"stage = 3\n", ":3:7:", "expected a name for a stage", "E-machine-syntax"},
        {"stage L2 pre device order any\n", ":3:10:", "found `pre`, expected `per`",
         "E-machine-syntax"},
        {"stage L2 per devise order any\n", ":3:14:", "such as `device`", "E-machine-unknown"},
        {"stage L2 per core order any\n", ":3:14:", "`thread`, `unit`, `device` or `system`",
         "E-machine-unknown"},
        {"stage L2 per device order filo\n", ":3:27:", "such as `fifo`", "E-machine-unknown"},
        {"stage L2 per device order any merged\n", ":3:31:", "such as `merge`",
         "E-machine-unknown"},
        {"stage L2 per device order any merge merge\n", ":3:37:", "second time", "E-machine-sense"},
        {"stage L2 per device order any when ddio = on\n", ":3:36:", "a variable that is declared",
         "E-machine-unknown"},
        {"durable now\n", ":3:9:", "expected the end of the line", "E-machine-syntax"},
        {"durable\ndurable\n", ":4:1:", "line 3", "E-machine-sense"},
        {"isolate all\n", ":3:9:", "found `all`, expected `aborts`", "E-machine-syntax"},
        {"variable v\n", ":3:11:", "expected `=`", "E-machine-syntax"},
        {"variable v = a\n", ":3:15:", "a second value", "E-machine-syntax"},
        {"variable v = a | a\n", ":3:18:", "`a` is there already", "E-machine-sense"},
        {"variable v = a b\n", ":3:16:", "the end of the line", "E-machine-syntax"},
        {"bypass L2 at host\n", ":3:8:", "a stage that is declared above", "E-machine-unknown"},
        {"stage L2 per device order any\nbypass L3 at host\n", ":4:8:", "such as `L2`",
         "E-machine-unknown"},
        {"stage L2 per device order any\nbypass L2\n", ":4:10:", "a condition", "E-machine-syntax"},
        {"stage L2 per device order any\nbypass L2 at\n", ":4:13:", "the name of a tag",
         "E-machine-syntax"},
        {"stage L2 per device order any\nbypass L2 not host\n", ":4:15:", "behind `not`",
         "E-machine-syntax"},
        {"stage L2 per device order any\nbypass L2 at a at b\n", ":4:16:", "no more than one `at`",
         "E-machine-syntax"},
        {"on a b : await\n", ":3:6:", "no more than one tag, `a`", "E-machine-syntax"},
        {"on fence fence load : await\n", ":3:16:", "no more than one tag, `fence`",
         "E-machine-syntax"},
        {"on : await\n", ":3:4:", "a condition", "E-machine-syntax"},
        {"on clwb\n", ":3:8:", "expected `:`", "E-machine-syntax"},
        {"on clwb : awiat\n", ":3:11:", "such as `await`", "E-machine-unknown"},
        {"on clwb : await await\n", ":3:17:", "a scope, or `;`", "E-machine-unknown"},
        {"on clwb : await ;\n", ":3:18:", "an operation", "E-machine-unknown"},
        {"on clwb : move L2\n", ":3:16:", "a choice of entries", "E-machine-unknown"},
        {"on clwb : move x\n", ":3:17:", "a stage that is declared above", "E-machine-unknown"},
        {"on clwb : set a = b\n", ":3:15:", "a variable that is declared", "E-machine-unknown"},
        {"on ' : await\n", ":3:4:", "the name of a tag", "E-machine-syntax"},
        {"on clwb : move {x} L2\n", ":3:16:", "found `{`, expected a name", "E-machine-syntax"},
        {"on clwb \xff\x01 await\n", ":3:9:", "no statement has", "E-machine-syntax"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct strbuf text = {0};
        strbuf_printf(&text, HEAD "%s%s", rows[i].lines,
                      strncmp(rows[i].lines, "durable", 7) == 0 ? "" : "durable\n");
        expect_wrong(strbuf_text(&text), rows[i].where, rows[i].what, rows[i].id);
        strbuf_fini(&text);
    }
}

static void test_keys(void)
{
    expect_wrong("machine = pipeline\ndurable\n", "m.machine", "found no `promises`",
                 "E-machine-syntax");
    expect_wrong("machine = pipeline\npromises = sc\ndurable\n", ":2:12:", "a model pair",
                 "E-machine-value");
    expect_wrong("machine = pipeline\npromises = sc + gpm,\ndurable\n", ":2:21:", "a model pair",
                 "E-machine-value");
    expect_wrong("machine = pipeline\npromises = sc + gmp\ndurable\n", ":2:17:", "such as `gpm`",
                 "E-machine-unknown");
    expect_wrong("machine = pipeline\npromises = cs + gpm\ndurable\n", ":2:12:", "such as `sc`",
                 "E-machine-unknown");
    expect_wrong("machine = pipeline\npromises = sc + gpm , sc+gpm\ndurable\n",
                 ":2:23:", "each once", "E-machine-value");
    expect_wrong(HEAD "durable\nentries = 33\n", ":4:11:", "from 1 to 32", "E-machine-value");
    expect_wrong(HEAD "durable\nl1_fifo = 3\n", ":4:1:", "says nothing to a pipeline",
                 "E-machine-key");
    expect_wrong("machine = nvw-fifo\ndurable\n", ":2:1:", "`machine = pipeline`", "E-machine-key");
    expect_wrong("machine = nvw-fifo\npromises = sc + gpm\n", ":2:1:", "`machine = pipeline`",
                 "E-machine-key");
    expect_wrong("machine = bpfs\nentries = 3\n", ":2:1:", "`machine = pipeline`", "E-machine-key");
}

#define L2 "stage L2 per device order any\n"
#define Q "stage Q per device order marks\n"

static void test_sense(void)
{
    static const struct {
        const char *lines, *where, *what;
    } rows[] = {
        {L2, "m.machine", "found no `durable`"},
        {L2 "stage L2 per device order any\ndurable\n", ":4:7:", "`L2` is there already"},
        {"stage medium per device order any\ndurable\n", ":3:7:", "`medium` is there already"},
        {L2 "stage A per unit order any\ndurable\n", ":4:7:", "more instances than `L2`"},
        {L2 "durable\nstage A per device order any apart\n", ":5:7:", "durable and `apart`"},
        {"stage A per unit order any hold\ndurable\n", ":3:7:", "holds transactions"},
        {"stage A per unit order any group\ndurable\n", ":3:7:", "takes write sets"},
        {"stage A per unit order any group merge\ndurable\non b : begin\non e : enqueue\n",
         ":3:7:", "`group` and `merge`"},
        {L2 "durable\nstage A per system order any joint\n", ":5:7:", "commits a line whole"},
        {"stage A per unit order any group joint\ndurable\non b : begin\non e : enqueue\n",
         ":3:7:", "`group` and `joint`"},
        {L2 "stage A per device order any\ndurable\non a : move own L2 past L2 ; await\n",
         ":6:20:", "`L2` is not behind `L2`"},
        {L2 "stage A per device order any\ndurable\non a : drain own A past L2 ; await\n",
         ":6:20:", "`L2` is not behind `A`"},
        {L2 "durable\non fence : move here L2 ; await\n", ":5:12:", "instead of `here`"},
        {L2 "durable\non p_barrier : move own L2 ; meet ; await wg\n",
         ":5:37:", "found a scope behind `meet`"},
        {Q "durable\n", ":3:7:", "keeps the order of marks"},
        {L2 "durable\non a : commit\n", ":5:8:", "expected a `begin`"},
        {L2 "durable\non a : begin\n", ":5:8:", "that never end"},
        {L2 "durable\non a : move x L2\n", ":5:8:", "nobody waits for"},
        {L2 "durable\non a : await\n", ":5:8:", "nothing to wait for"},
        {L2 "durable\nisolate\n", ":5:1:", "`begin` and `release`"},
        {L2 "durable\non a : begin\non b : commit ; release\n", ":6:17:", "expected `isolate`"},
        {L2 "durable\nisolate aborts\non a : begin\non b : commit ; release\n",
         ":5:1:", "expected a rule with `abort`"},
        {L2 "durable\nredo\non a : begin\non b : commit\n", ":5:1:", "expected `isolate`"},
        {L2 "durable\non fence : move x L2 ; await\n", ":5:12:", "no location"},
        {Q "durable\non a : mark here Q\n", ":5:8:", "a mark for `here`"},
        {L2 "durable\non a : mark own L2\n", ":5:8:", "no notice of marks"},
        {Q "durable\non a : mark strand Q\n", ":5:8:", "to begin one"},
        {L2 "durable\non load : through ; await\n", ":5:11:", "writes nothing"},
        {L2 "durable\non fence : move all L2 ; meet\n", ":5:26:", "the kind `p_barrier`"},
        {L2 "durable\non p_barrier : move all L2 ; meet ; await ; meet\n",
         ":5:45:", "a second `meet`"},
        {L2 "durable\non cm : access ; move x L2 ; await\n", ":5:9:", "accesses nothing"},
        {L2 "durable\non store : drain x L2 ; await ; access\n", ":5:33:", "at the end"},
        {L2 "durable\non a : access ; move x L2 ; access ; await\n", ":5:29:", "second `access`"},
        {L2 "durable\non store : access ; through ; await\n", ":5:21:", "behind `access`"},
        {L2 "durable\nbypass L2 at h\nbypass L2 by g at h\n", ":6:1:", "line 5"},
        {L2 "durable\nbypass L2 load at h\n", ":5:1:", "what writes nothing"},
        {L2 "durable\nview L2 by cpu\n", ":5:1:", "first stage"},
        {L2 "durable\nview medium store\n", ":5:1:", "what reads nothing"},
        {L2 "durable\nview medium by c\nview medium load by c\n", ":6:1:", "line 5"},
        {L2 "durable\non sfence :\non fence sfence by cpu :\n", ":6:1:", "line 5 matches all"},
        {L2 "durable\non sfence not by c :\non sfence by c :\non fence sfence not by c sc :\n",
         ":7:1:", "line 5 matches all"},
        {"variable v = a | b\n" L2 "durable\n"
         "stage B per device order any when v = b\non f : set v = a\n",
         ":3:10:", "always has its first value"},
        {"variable v = a | b\n" L2 "durable\non f : set v = b\n", ":3:10:", "no stage asks"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct strbuf text = {0};
        strbuf_printf(&text, HEAD "%s", rows[i].lines);
        expect_wrong(strbuf_text(&text), rows[i].where, rows[i].what, "E-machine-sense");
        strbuf_fini(&text);
    }
}

/* A line over and over is too many of its kind, said at the first one too many. */
static void expect_too_many(const char *head, const char *line, uint32_t most, const char *what)
{
    struct strbuf text = {0};
    char where[32];
    strbuf_printf(&text, HEAD "%s", head);
    uint32_t first = 3;
    for (const char *c = head; *c; c++)
        first += *c == '\n';
    for (uint32_t i = 0; i <= most; i++) {
        strbuf_printf(&text, line, i);
        strbuf_add(&text, "\n");
    }
    (void)snprintf(where, sizeof where, ":%u:1:", first + most);
    expect_wrong(strbuf_text(&text), where, what, "E-machine-sense");
    strbuf_fini(&text);
}

static void test_limits(void)
{
    expect_too_many("durable\n", "stage S%u per device order any", MACH_PIPE_STAGES,
                    "more than 4 stages");
    expect_too_many("durable\n", "variable v%u = a | b", MACH_PIPE_VARIABLES,
                    "more than 4 variables");
    expect_too_many("durable\n", "on t%u :", MACH_PIPE_LINES, "more than 64 lines `on`");
    expect_too_many("durable\n" L2, "bypass L2 at t%u", MACH_PIPE_LINES,
                    "more than 64 lines `bypass`");
    expect_too_many("durable\n" L2, "view medium at t%u", MACH_PIPE_LINES,
                    "more than 64 lines `view`");
    expect_wrong(HEAD "durable\non a : await;await;await;await;await;await;await;await;await\n",
                 ":4:1:", "more than 8 operations", "E-machine-sense");
    expect_wrong(HEAD "durable\nvariable v = a|b|c|d|e|f|g|h|i\n", ":4:1:", "more than 8 values",
                 "E-machine-sense");
}

/* Whatever a file is cut off at, and whichever byte of it is another, it is read to its end. */
static void test_hostile(void)
{
    static const char whole[] =
        "machine=pipeline\npromises=sc + lin-wpq\nentries=3\nvariable v = a | b\n"
        "stage L2 per device order any merge when v = a\ndurable\nstage W per device order marks\n"
        "bypass L2 at host not by cpu\nview W by cpu\nisolate\non clwb : move x L2 ; await\n"
        "on fence sc all : mark own W ; set v = b\non b : begin\non e : commit ; release\n";
    struct reading r;
    reading_init(&r, whole, sizeof whole - 1);
    CU_ASSERT_PTR_NOT_NULL(r.file);
    reading_fini(&r);
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        reading_init(&r, whole, length);
        CU_ASSERT((r.file == NULL) == (r.diag.errors > 0));
        reading_fini(&r);
    }
    static const char odd[] = "\0\xff='|;x \n";
    char other[sizeof whole];
    for (size_t at = 0; at < sizeof whole - 1; at++)
        for (const char *c = odd; c < odd + sizeof odd - 1; c++) {
            memcpy(other, whole, sizeof whole);
            other[at] = *c;
            reading_init(&r, other, sizeof whole - 1);
            CU_ASSERT((r.file == NULL) == (r.diag.errors > 0));
            reading_fini(&r);
        }
    struct strbuf text = {0};
    strbuf_add(&text, HEAD "durable\non ");
    for (int i = 0; i < 100000; i++)
        strbuf_add(&text, "a");
    expect_wrong(strbuf_text(&text), ":4:4:", "100000 characters", "E-machine-syntax");
    strbuf_fini(&text);
    strbuf_add(&text, HEAD "durable\non");
    for (int i = 0; i < 10000; i++)
        strbuf_add(&text, " sc");
    expect_wrong(strbuf_text(&text), ":4:", "more than 64 words", "E-machine-syntax");
    strbuf_fini(&text);
}

/* What is refused as one too many leaves what was read before alone: so is the next one refused. */
static void test_most_rules(void)
{
    struct strbuf text = {0};
    struct reading r;
    strbuf_add(&text, HEAD "durable\n");
    for (int i = 0; i < 66; i++)
        strbuf_printf(&text, "on tag%d :\n", i);
    reading_init(&r, strbuf_text(&text), text.length);
    CU_ASSERT_PTR_NULL(r.file);
    CU_ASSERT_EQUAL(r.diag.errors, 2);
    reading_fini(&r);
    strbuf_fini(&text);
}

void suite_mach_pipe_parse(void)
{
    CU_pSuite suite = CU_add_suite("mach_pipe_parse", NULL, NULL);
    UNIT_TEST(suite, test_structure);
    UNIT_TEST(suite, test_smallest);
    UNIT_TEST(suite, test_most_rules);
    UNIT_TEST(suite, test_form);
    UNIT_TEST(suite, test_keys);
    UNIT_TEST(suite, test_sense);
    UNIT_TEST(suite, test_limits);
    UNIT_TEST(suite, test_hostile);
}
