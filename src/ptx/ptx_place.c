#include "ptx/ptx_place.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- `.loc` ---- */

enum { MAX_CHAIN = 8 }; /* so deep inlined code is told */

static struct ptx_place take_place(struct ptx_text *in)
{
    struct ptx_place place = {.file = (uint32_t)ptx_text_number(in)};
    place.line = (uint32_t)ptx_text_number(in);
    place.column = (uint32_t)ptx_text_number(in);
    return place;
}

/* Where it was inlined: a place that may be of inlined code itself. */
static const struct ptx_place *find_outer(const struct ptx_places *places, struct ptx_text *in)
{
    struct ptx_place outer = take_place(in);
    const uint32_t count = sizeof places->inlined / sizeof *places->inlined;
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct ptx_place *other = places->inlined[(places->next + i) % count];
        if (other && other->file == outer.file && other->line == outer.line &&
            other->column == outer.column)
            outer = *other;
    }
    for (const struct ptx_place *at = outer.at; at; at = at->at)
        depth++;
    if (depth >= MAX_CHAIN)
        outer.at = NULL;
    return arena_copy(in->arena, &outer, sizeof outer);
}

/* The next one in the files, and where it stands. */
static void note_place(struct ptx_places *places, struct ptx_text *in, struct ptx_place place,
                       struct ptx_kernel *kernel)
{
    const uint32_t count = sizeof places->inlined / sizeof *places->inlined;
    if (kernel && !kernel->place.file && !place.at)
        kernel->place = place;
    const bool own = kernel && place.file == kernel->place.file;
    if (own && !place.at)
        places->near = arena_copy(in->arena, &place, sizeof place);
    else if (!place.at)
        place.near = places->near;
    else
        places->inlined[places->next++ % count] = arena_copy(in->arena, &place, sizeof place);
    places->now = place;
}

/* .loc file line column [, function_name L [+ n], inlined_at file line column] */
void ptx_place_read(struct ptx_places *places, struct ptx_text *in, struct ptx_kernel *kernel)
{
    struct ptx_place place = take_place(in);
    uint32_t line = in->token.line;
    while (ptx_text_accept(in, ",")) {
        if (ptx_text_accept(in, "inlined_at")) {
            place.at = find_outer(places, in);
            continue;
        }
        if (ptx_text_accept(in, "function_name")) {
            place.function = ptx_text_name(in);
            if (ptx_text_is(in, "+")) /* within a table of names, which is not cut */
                place.function = NULL;
        }
        while (!in->failed && !ptx_text_is(in, ",") && in->token.line == line &&
               in->token.kind != PTX_TOKEN_END)
            ptx_text_next(in);
    }
    note_place(places, in, place, kernel);
}

/* `LABEL: .b8 95, 90, ..` up to a zero. */
static void read_string(struct ptx_text *in, struct ptx_module *module)
{
    struct strbuf text = {0};
    const char *name = ptx_text_name(in);
    bool ended = false;
    ptx_text_expect(in, ":");
    while (!in->failed && ptx_text_accept(in, ".b8"))
        do {
            int64_t byte = ptx_text_number(in);
            ended |= byte == 0;
            if (!ended)
                strbuf_add_char(&text, (char)byte);
        } while (ptx_text_accept(in, ","));
    VEC_PUSH(&module->strings, (struct ptx_string){name, strbuf_take(&text, in->arena)});
}

/* Of the debugger's the texts are read, which are names of functions. */
void ptx_place_read_section(struct ptx_text *in, struct ptx_module *module)
{
    bool texts = ptx_text_is(in, ".debug_str");
    ptx_text_next(in);
    ptx_text_expect(in, "{");
    while (texts && !in->failed && in->token.kind == PTX_TOKEN_WORD && in->at < in->end &&
           *in->at == ':')
        read_string(in, module);
    ptx_text_pass(in, '}');
}

/* ---- Files ---- */

struct placing {
    struct arena *arena;
    const struct ptx_module *module;
    const struct source **files; /* by the numbers of `.loc`, once they were asked for */
    uint32_t own;                /* the kernel's file */
};

static const char *name_of(const struct ptx_module *module, uint32_t file)
{
    bool known = file && file < sizeof module->files / sizeof *module->files;
    return known ? module->files[file] : NULL;
}

/* A file that is not read: compilers name it by its path, or as seen from the folder of the PTX. */
static const struct source *source_of(struct placing *p, uint32_t file)
{
    const char *name = name_of(p->module, file), *ptx = p->module->source->path;
    size_t folder = (size_t)(source_file_name(ptx) - ptx);
    if (!name || p->files[file])
        return name ? p->files[file] : NULL;
    const char *path =
        *name == '/' ? name : arena_printf(p->arena, "%.*s%s", (int)folder, ptx, name);
    p->files[file] = ARENA_MAKE(p->arena, struct source, .name = path, .path = path, .text = "");
    return p->files[file];
}

static struct span span_of(struct placing *p, const struct ptx_place *place)
{
    const struct source *source = source_of(p, place->file);
    return source ? (struct span){source, place->line, place->column, place->line, place->column}
                  : (struct span){0};
}

/* Is it in the folder of the kernel's file? */
static bool is_beside(const struct placing *p, uint32_t file)
{
    const char *own = name_of(p->module, p->own), *name = name_of(p->module, file);
    size_t folder = own ? (size_t)(source_file_name(own) - own) : 0;
    return own && name && (size_t)(source_file_name(name) - name) == folder &&
           memcmp(own, name, folder) == 0;
}

/* ---- Names of functions ---- */

const char *ptx_place_name(struct arena *arena, const char *mangled)
{
    const char *at = mangled, *name = NULL;
    size_t length = 0;
    if (strncmp(at, "_Z", 2) != 0)
        return mangled;
    for (at += 2 + (at[2] == 'N'); strchr("KVrL", *at) && *at;)
        at++;
    for (char *end; isdigit((unsigned char)*at); at = name + length) {
        size_t own = strtoul(at, &end, 10);
        if (own > strlen(end))
            return NULL;
        name = end;
        length = own;
        if (mangled[2] != 'N')
            break;
    }
    return name ? arena_strndup(arena, name, length) : NULL;
}

static const char *function_of(const struct placing *p, const char *label)
{
    EACH_IN (const struct ptx_string, string, p->module->strings)
        if (string->name == label)
            return ptx_place_name(p->arena, string->text);
    return NULL;
}

/* ---- The text ---- */

static void add_place(struct placing *p, const struct ptx_place *place, struct strbuf *out)
{
    const char *function = place->function ? function_of(p, place->function) : NULL;
    strbuf_add(out, out->length ? ", inlined at " : "");
    if (function)
        strbuf_printf(out, "%s() at ", function);
    strbuf_printf(out, "%s:%u", source_file_name(name_of(p->module, place->file)), place->line);
}

static const char *text_of(struct placing *p, const struct ptx_place *place)
{
    struct strbuf out = {0};
    for (const struct ptx_place *at = place; at; at = at->at)
        if (name_of(p->module, at->file) && (!at->at || is_beside(p, at->file)))
            add_place(p, at, &out);
    if (place->near && name_of(p->module, place->near->file))
        strbuf_printf(&out, "%snear %s:%u", out.length ? ", " : "",
                      source_file_name(name_of(p->module, place->near->file)), place->near->line);
    return out.length ? strbuf_take(&out, p->arena) : NULL;
}

/* ---- Origins ---- */

/* The place in the kernel's own code that a reader looks for first, and the chain to it. */
static struct lit_origin *origin_of(struct placing *p, const struct ptx_place *place)
{
    struct lit_origin *origin = ARENA_MAKE(p->arena, struct lit_origin, .text = text_of(p, place));
    const struct ptx_place *outer = place;
    uint32_t depth = 0;
    for (; outer->at; outer = outer->at)
        depth++;
    if (outer->near)
        outer = outer->near;
    origin->source = span_of(p, outer);
    struct lit_frame *frames = ARENA_ARRAY(p->arena, struct lit_frame, depth);
    for (const struct ptx_place *at = place; at->at; at = at->at)
        frames[origin->frame_count++] =
            (struct lit_frame){at->function ? function_of(p, at->function) : NULL, span_of(p, at)};
    origin->frames = frames;
    return origin;
}

static bool same_place(const struct ptx_place *a, const struct ptx_place *b)
{
    return a->file == b->file && a->line == b->line && a->column == b->column && a->at == b->at &&
           a->near == b->near;
}

void ptx_place_all(struct arena *arena, struct ptx_kernel *kernel)
{
    const struct ptx_module *module = kernel->module;
    struct placing p = {
        arena, module,
        ARENA_ARRAY(arena, const struct source *, sizeof module->files / sizeof *module->files),
        kernel->place.file};
    const struct ptx_instr *before = NULL;
    EACH_IN (struct ptx_instr, instr, kernel->code) {
        bool same = before && same_place(&before->place, &instr->place);
        struct lit_origin *origin =
            same ? arena_copy(arena, before->origin, sizeof *origin) : origin_of(&p, &instr->place);
        origin->code = instr->whole;
        origin->word = instr->text;
        origin->kernel = kernel->name;
        instr->origin = origin;
        before = instr;
    }
}

void ptx_place_outline(struct arena *arena, const struct ptx_kernel *kernel, ptx_outline *outline)
{
    EACH_IN (const struct ptx_instr, instr, kernel->code) {
        enum ptx_kind kind = instr->why ? PTX_NOTHING : instr->meaning.word->kind;
        const bool persists = kind == PTX_MARKER && strncmp(instr->text, "pbarrier.", 9) == 0;
        if (kind != PTX_FENCE && kind != PTX_END && !persists)
            continue;
        struct lit_origin *origin = arena_copy(arena, instr->origin, sizeof *origin);
        origin->ends = kind == PTX_END;
        origin->fences = kind != PTX_END;
        VEC_PUSH(outline, origin);
    }
}

const char *ptx_place_text(const struct ptx_instr *instr)
{
    return instr->origin ? instr->origin->text : NULL;
}
