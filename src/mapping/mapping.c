/* Walks a work-item's lists of statements in order. A pragma opens a region, up to the next pragma
 * of its kind in the list or the list's end. The scheme of the innermost region handles each
 * statement. At the end a region is checked against the code, so that nothing is passed over. */
#include "mapping/mapping_run.h"

#include <string.h>

/* ---- Regions ---- */

static void map_list(struct mapping_run *run, const struct ast_stmts *list,
                     struct lit_region *outer, const struct lit_context *context);
static void map_statement(struct mapping_run *run, struct lit_region *region,
                          const struct lit_context *context, const struct lit_spot *spot);

static void map_body(struct mapping_run *run, struct lit_region *region,
                     const struct lit_context *context, const struct ast_stmt *stmt)
{
    if (stmt->kind == AST_S_BLOCK && !mapping_loop_of(stmt)) {
        map_list(run, &stmt->body, region, context);
        return;
    }
    const struct lit_spot spot = {.stmt = stmt, .braces = true};
    map_statement(run, region, context, &spot);
}

static void map_loop(struct mapping_run *run, struct lit_region *region,
                     const struct lit_context *outer, const struct ast_stmt *stmt)
{
    struct lit_context context = {.outer = outer, .loop = mapping_loop_of(stmt)->a};
    if (region) {
        context.counted = !outer && region->scheme->kinds >> LIT_RULE_ITERATIONS & 1;
        struct lit_counted counted = mapping_counted(run, mapping_stretch(run, region), stmt);
        context.head = counted.head;
        context.counter = counted.counter;
        context.declares = counted.declares;
    }
    map_body(run, region, &context, context.loop);
}

static bool in_loop(const struct lit_context *context)
{
    while (context && !context->loop)
        context = context->outer;
    return context;
}

/* What leaves a region before its end, where that has something to do. */
static void check_leaving(struct mapping_run *run, const struct lit_region *region,
                          const struct lit_context *context, const struct ast_stmt *stmt)
{
    bool returns = stmt->kind == AST_S_RETURN;
    if (!region || !(region->scheme->kinds >> LIT_RULE_END & 1))
        return;
    if (returns ? region->stores || in_loop(context) : region->stores && !in_loop(context))
        MAP_FAULT(run, stmt->extent,
                  "this leaves what the pragma covers before its end, where the mapping '%s' makes "
                  "its stores durable; write what follows as a branch",
                  run->mapping->name);
}

static void check_hosting(struct mapping_run *run, const struct lit_region *region,
                          const struct ast_stmt *stmt)
{
    if (region && region->scheme->kinds >> LIT_RULE_LAUNCHES & 1)
        MAP_FAULT(
            run, stmt->extent,
            "a launch in a branch or a loop is not counted by a pragma outside of it; put the "
            "pragma before the launch");
}

static void map_statement(struct mapping_run *run, struct lit_region *region,
                          const struct lit_context *context, const struct lit_spot *spot)
{
    const struct ast_stmt *stmt = spot->stmt;
    struct lit_context branch = {.outer = context};
    if (mapping_loop_of(stmt)) {
        map_loop(run, region, context, stmt);
        return;
    }
    switch (stmt->kind) {
    case AST_S_EMPTY:
    case AST_S_DECL:
    case AST_S_LABEL:
    case AST_S_CRASH:
    case AST_S_PRAGMA:
    case AST_S_LOOP: break;
    case AST_S_EXPR:
    case AST_S_GROUP:
        if (region)
            mapping_statement(run, region, context, spot);
        break;
    case AST_S_BLOCK: map_list(run, &stmt->body, region, context); break;
    case AST_S_IF:
        map_body(run, region, &branch, stmt->a);
        if (stmt->b)
            map_body(run, region, &branch, stmt->b);
        break;
    case AST_S_SWITCH:
        if (region)
            MAP_FAULT(run, stmt->extent,
                      "a mapping does not look into 'switch'; write 'if' and 'else'");
        break;
    case AST_S_CASE: break;
    case AST_S_BREAK:
    case AST_S_CONTINUE:
    case AST_S_RETURN: check_leaving(run, region, context, stmt); break;
    case AST_S_LAUNCH:
    case AST_S_JOIN: check_hosting(run, region, stmt); break;
    }
}

/* ---- Launches of a region ---- */

static void join_kernel(struct lit_region *region, int64_t kernel)
{
    size_t kept = 0;
    for (size_t i = 0; i < region->launched.count; i++)
        if (region->launched.items[i] != kernel)
            region->launched.items[kept++] = region->launched.items[i];
    region->launched.count = kept;
}

static bool launches_more(const struct lit_region *region, const struct ast_stmt *stmt)
{
    for (stmt = stmt->next; stmt && stmt != region->end; stmt = stmt->next)
        if (stmt->kind == AST_S_LAUNCH)
            return true;
    return false;
}

/* At a launch, or a join of one. An epoch ends behind its last launch, and behind joins that follow
 * it there. */
static void map_launch(struct mapping_run *run, struct lit_region *region,
                       const struct lit_rule *rule, const struct lit_spot *spot)
{
    const struct ast_stmt *stmt = spot->stmt;
    mapping_lines lines = {0};
    if (stmt->kind == AST_S_LAUNCH) {
        VEC_PUSH(&region->launched, stmt->kernel.value);
        region->launches++;
    } else {
        join_kernel(region, stmt->kernel.value);
    }
    bool due = region->launches >= (rule->scoped ? region->scope : rule->period) ||
               (region->launches && !launches_more(region, stmt));
    if (!due || (stmt->next && stmt->next != region->end && stmt->next->kind == AST_S_JOIN))
        return;
    mapping_render(run, rule, rule->items, NULL, region, &lines);
    mapping_insert(run, spot, &lines);
    VEC_FREE(&lines);
    region->launched.count = 0;
    region->launches = 0;
}

/* ---- Lists ---- */

/* The place of a statement in its line. */
static struct lit_spot spot_of(struct mapping_run *run, const struct ast_stmt *stmt,
                               const struct lit_spot *before)
{
    bool first;
    const char *indent =
        lit_edit_indent(&run->edits, lit_edit_begin(&run->edits, stmt->extent), &first);
    bool follows =
        before->stmt && before->indent && before->stmt->extent.end_line == stmt->extent.line;
    return (struct lit_spot){.stmt = stmt, .indent = first || follows ? indent : NULL};
}

static const char *declarations(struct mapping_run *run, const struct lit_region *region)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < region->registers.count; i++)
        strbuf_printf(&text, "%s%s = 0", i ? ", " : "int ", region->registers.items[i]);
    strbuf_add(&text, text.length ? ";" : "");
    return strbuf_take(&text, run->arena);
}

/* Puts what stands at the end of a region behind its last statement. */
static void close_region(struct mapping_run *run, struct lit_region *region,
                         const struct lit_spot *last)
{
    const struct lit_rule *rule = mapping_rule(region->scheme, LIT_RULE_END);
    mapping_lines lines = {0};
    if (rule && last->stmt && last->stmt != region->pragma) {
        mapping_render(run, rule, rule->items, NULL, region, &lines);
        mapping_insert(run, last, &lines);
    }
    lit_edit_drop(&run->edits, region->pragma->extent, declarations(run, region));
    VEC_FREE(&lines);
    VEC_FREE(&region->stored);
    VEC_FREE(&region->registers);
    VEC_FREE(&region->launched);
}

static const struct ast_stmt *end_of(const struct mapping_run *run, const struct lit_scheme *scheme,
                                     const struct ast_stmt *pragma)
{
    const struct ast_stmt *stmt = pragma->next;
    if (scheme->kinds >> LIT_RULE_ITERATIONS & 1)
        return stmt ? stmt->next : NULL;
    while (stmt && !(stmt->kind == AST_S_PRAGMA && mapping_is_ours(run, stmt->name.text)))
        stmt = stmt->next;
    return stmt;
}

/* A pragma in a list: the region that it opens, or NULL. */
static struct lit_region *open_region(struct mapping_run *run, const struct ast_stmts *list,
                                      const struct ast_stmt *stmt, struct lit_region *region)
{
    uint32_t scope;
    bool ends;
    const struct lit_scheme *scheme =
        mapping_scheme(run, stmt->name.text, stmt->extent, &scope, &ends);
    if (ends)
        lit_edit_drop(&run->edits, stmt->extent, "");
    if (!scheme)
        return NULL;
    *region = (struct lit_region){.scheme = scheme,
                                  .scope = scope,
                                  .pragma = stmt,
                                  .list = list,
                                  .end = end_of(run, scheme, stmt)};
    run->mapped = true;
    if (scheme->kinds >> LIT_RULE_ITERATIONS & 1 && !stmt->next)
        MAP_FAULT(run, stmt->extent, "found no loop behind a pragma that counts iterations");
    return region;
}

static void map_in_list(struct mapping_run *run, struct lit_region *region, bool own,
                        const struct lit_context *context, const struct lit_spot *spot)
{
    const struct ast_stmt *stmt = spot->stmt;
    const struct lit_rule *launches = own ? mapping_rule(region->scheme, LIT_RULE_LAUNCHES) : NULL;
    if (launches && (stmt->kind == AST_S_LAUNCH || stmt->kind == AST_S_JOIN))
        map_launch(run, region, launches, spot);
    else
        map_statement(run, region, own ? NULL : context, spot);
    if (own && region->scheme->kinds >> LIT_RULE_ITERATIONS & 1)
        mapping_iterations(run, region, stmt);
    if (region)
        mapping_check(run, region, stmt->extent);
}

static void map_list(struct mapping_run *run, const struct ast_stmts *list,
                     struct lit_region *outer, const struct lit_context *context)
{
    struct lit_region own, *region = NULL;
    struct lit_spot spot = {0};
    for (const struct ast_stmt *stmt = list->first; stmt; stmt = stmt->next) {
        if (region && stmt == region->end) {
            close_region(run, region, &spot);
            region = NULL;
        }
        if (stmt->kind == AST_S_PRAGMA) {
            if (mapping_is_ours(run, stmt->name.text))
                region = open_region(run, list, stmt, &own);
            else
                mapping_note_stranger(run, stmt->name.text, stmt->extent);
            spot = (struct lit_spot){0};
            continue;
        }
        spot = spot_of(run, stmt, &spot);
        map_in_list(run, region ? region : outer, region != NULL, context, &spot);
    }
    if (region)
        close_region(run, region, &spot);
}

/* ---- A test ---- */

bool mapping_is_table(const struct mapping_run *run)
{
    return run->test->dialect->is_table;
}

/* The first work-item of the work-group. */
static uint32_t first_of(const struct lit_thread *threads, uint32_t count,
                         const struct lit_thread *thread)
{
    uint32_t first = (uint32_t)(thread - threads);
    for (uint32_t i = 0; i < count; i++)
        if (threads[i].number < threads[first].number && threads[i].wg == thread->wg &&
            threads[i].kr == thread->kr && threads[i].dev == thread->dev)
            first = i;
    return first;
}

void mapping_begin(struct mapping_run *run, const struct ast_thread *ast,
                   const struct lit_thread *threads, uint32_t count)
{
    run->ast = ast;
    run->thread = &threads[ast->number];
    run->first = first_of(threads, count, run->thread) == (uint32_t)ast->number;
    run->handled = ARENA_ARRAY(run->arena, bool, run->thread->code_count);
    run->mapped |= !run->mapping->schemes->pragma;
    if (run->threads != threads)
        run->firsts = ARENA_ARRAY(run->arena, uint32_t, count);
    run->threads = threads;
}

void mapping_check_firsts(struct mapping_run *run, const struct ast_threads *list, uint32_t count)
{
    for (const struct ast_thread *ast = list->first; ast; ast = ast->next) {
        uint32_t first = first_of(run->threads, count, &run->threads[ast->number]);
        if (run->firsts[ast->number] > run->firsts[first])
            MAP_FAULT(run, ast->span,
                      "what the mapping '%s' gives to the first work-item of a work-group alone "
                      "would be done by nobody here, as that is P%u, which does less of it; put "
                      "the pragma there too",
                      run->mapping->name, run->threads[first].number);
    }
}

static void map_thread(struct mapping_run *run, const struct ast_thread *ast,
                       const struct lit_thread *threads, uint32_t count)
{
    const struct lit_scheme *scheme = run->mapping->schemes;
    struct lit_region everything = {.scheme = scheme, .list = &ast->body};
    mapping_begin(run, ast, threads, count);
    map_list(run, &ast->body, scheme->pragma ? NULL : &everything, NULL);
}

static void map_threads(struct mapping_run *run)
{
    const struct ast_test *test = run->test;
    const struct lit_program *program = run->program;
    for (const struct ast_thread *ast = test->threads.first; ast; ast = ast->next)
        map_thread(run, ast, program->threads, program->thread_count);
    mapping_check_firsts(run, &test->threads, program->thread_count);
    for (const struct ast_thread *ast = test->recovery.first; ast; ast = ast->next)
        map_thread(run, ast, program->recovery, program->recovery_count);
    mapping_check_firsts(run, &test->recovery, program->recovery_count);
}

static bool is_used(const struct ast_test *test, const char *file)
{
    for (const struct ast_use *use = test->uses.first; use; use = use->next)
        if (strcmp(use->name.text, file) == 0)
            return true;
    return false;
}

/* The files that the mapping needs, with those that the user gave to a test that names none. */
static void map_head(struct mapping_run *run, const struct lit_surroundings *surroundings)
{
    SCOPED(strbuf) text = {0};
    const struct ast_test *test = run->test;
    for (uint32_t i = 0; i < surroundings->uses_count && !test->uses.count; i++)
        strbuf_printf(&text, "uses \"%s%s\"\n", surroundings->uses[i],
                      reach_ends(surroundings->uses[i], REACH_DEFINITIONS) ? ""
                                                                           : REACH_DEFINITIONS);
    for (uint32_t i = 0; i < run->mapping->use_count; i++)
        if (!is_used(test, run->mapping->uses[i]))
            strbuf_printf(&text, "uses \"%s\"\n", run->mapping->uses[i]);
    size_t at = lit_edit_begin(&run->edits, test->start);
    if (text.length)
        lit_edit_replace(&run->edits, at, at, strbuf_take(&text, run->arena));
    for (const struct ast_expect *expect = test->expects.first; expect; expect = expect->next) {
        struct span line = expect->span;
        size_t length;
        (void)source_line(line.source, line.line, &length);
        line.end_line = line.line;
        line.end_column = (uint32_t)length + 1;
        lit_edit_drop(&run->edits, line, "");
    }
}

static const struct lit_item *find_item(const struct mapping_run *run, const struct lit_item *item,
                                        const char *word)
{
    const struct lit_item *found = NULL;
    for (; item && !found; item = item->next) {
        const char *name = item->kind == LIT_ITEM_CALL ? mapping_cell_word(run, item->name) : NULL;
        bool same = name && (strcmp(item->name, word) == 0 || strcmp(name, word) == 0);
        for (uint32_t i = 0; i < item->arg_count; i++)
            same |= strcmp(item->args[i], word) == 0;
        found = same ? item : find_item(run, item->items, word);
    }
    return found;
}

/* What the mapping inserts that has this word; NULL: nothing. */
static const struct lit_item *inserted(const struct mapping_run *run, const char *word)
{
    for (const struct lit_scheme *scheme = run->mapping->schemes; scheme; scheme = scheme->next)
        for (const struct lit_rule *rule = scheme->rules; rule; rule = rule->next) {
            const struct lit_item *item = find_item(run, rule->items, word);
            if (item)
                return item;
        }
    return NULL;
}

static const char *word_at(struct arena *arena, struct span span)
{
    size_t length;
    const char *line = span.line ? source_line(span.source, span.line, &length) : "";
    const char *word = span.line && span.column <= length ? line + span.column - 1 : "";
    return arena_strndup(arena, word,
                         strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                      "UVWXYZ0123456789_."));
}

/* What is wrong with the mapped text, where the mapping says it, once for all places that it comes
 * to. The source was without faults, so they are of what was inserted. */
static void report_again(struct mapping_run *run, const struct diag *found)
{
    VEC(const struct lit_item *) told = {0};
    EACH_IN (const struct diag_entry, entry, found->entries) {
        const struct lit_item *item = inserted(run, word_at(run->arena, entry->span));
        bool again = false;
        for (size_t k = 0; k < told.count && item; k++)
            again |= told.items[k] == item;
        if (again || entry->severity != DIAG_ERROR)
            continue;
        diag_error(run->diag, entry->id, item ? item->span : entry->span, "%s%s",
                   item ? "in the test that this makes: " : "", entry->message);
        if (item)
            diag_note(run->diag, entry->span, "it stands here first");
        VEC_PUSH(&told, item);
    }
    VEC_FREE(&told);
}

/* What is printed is a test; should a rule have made something else of it, that is told. */
static bool read_again(struct mapping_run *run, const struct lit_surroundings *surroundings,
                       const struct lit_mapped *mapped)
{
    SCOPED(diag) diag = {0};
    const char *name =
        arena_printf(run->arena, "%s (mapped by %s)", run->edits.source->name, run->mapping->name);
    const struct source *source = source_from_text(run->arena, name, mapped->text, mapped->length);
    bool good = lit_parse_in(run->arena, run->names, source, surroundings, &diag);
    report_again(run, &diag);
    return good;
}

static bool map(struct mapping_run *run, const struct lit_surroundings *surroundings,
                struct lit_mapped *mapped)
{
    const struct ast_code *code = run->test->codes.first;
    if (code) {
        MAP_FAULT(run, code->name.span,
                  "a mapping changes the code of a test, and that of '%s' is compiled; map the "
                  "kernel's source, and compile that",
                  code->name.text);
        return false;
    }
    struct strbuf text = {0};
    if (mapping_is_table(run))
        mapping_table(run);
    else
        map_threads(run);
    mapping_check_pragmas(run);
    map_head(run, surroundings);
    lit_edit_apply(&run->edits, &text);
    mapped->name = run->test->name;
    mapped->length = text.length;
    mapped->text = strbuf_take(&text, run->arena);
    return run->diag->errors == run->errors && read_again(run, surroundings, mapped);
}

bool mapping_apply(struct arena *arena, struct intern *names, const struct mapping *mapping,
                   const struct source *source, const struct lit_surroundings *surroundings,
                   struct diag *diag, struct lit_mapped *mapped)
{
    struct mapping_run run = {.arena = arena,
                              .names = names,
                              .diag = diag,
                              .mapping = mapping,
                              .edits = lit_edits_of(arena, source),
                              .errors = diag->errors};
    run.program = lit_parse_tree(arena, names, source, surroundings, diag, &run.test);
    return run.program && map(&run, surroundings, mapped);
}
