/* A shape is a row of words, each with the alternatives that it stands for; a choice of one for
 * each makes links, and these a cycle. A list makes an alphabet of links, and cycles are its
 * necklaces: words over it none of whose rotations is smaller. They are found letter by letter; the
 * first is the smallest, and neighbours fit. */
#include "generate/gen_shape.h"

#include "base/hash.h"
#include "generate/gen_cycle_test.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = GEN_MAX_CYCLE * 8, MOST_CHOICES = 1 << 20 };

/* ---- Reading ---- */

struct alternatives {
    size_t first, count; /* in `words` */
};

struct reading {
    const struct gen_shape_question *question;
    struct diag *diag;
    struct arena arena;
    gen_word_vec words;
    struct alternatives items[MOST_WORDS];
    uint32_t count;
};

static const char separators[] = " \t\n,+";

static struct span place(struct reading *r, uint32_t at)
{
    return source_span_in(&r->diag->arena, r->question->option, r->question->text, at);
}

static bool tell_unknown(struct reading *r, const char *text, uint32_t at)
{
    const char *near = gen_words_nearest(&r->arena, r->question->vocabulary, text);
    if (near)
        diag_error(r->diag, DIAG_CLI_SHAPE, place(r, at),
                   "found '%s', expected a word of shapes; did you mean '%s'?", text, near);
    else if (strcmp(r->question->vocabulary->name, "spb") != 0)
        diag_error(r->diag, DIAG_CLI_SHAPE, place(r, at),
                   "found '%s', expected a word of shapes or an instruction of '%s'; --shape help "
                   "lists them",
                   text, r->question->vocabulary->name);
    else
        diag_error(r->diag, DIAG_CLI_SHAPE, place(r, at),
                   "found '%s', expected a word of shapes, such as PodWW, Rfe, Fre or Crash; "
                   "--shape help lists them",
                   text);
    return false;
}

static bool read_word(struct reading *r, const char *text, size_t length, uint32_t at)
{
    size_t first = r->words.count;
    gen_words_match(r->question->vocabulary, text, length, &r->words);
    if (first == r->words.count)
        return tell_unknown(r, arena_strndup(&r->arena, text, length), at);
    for (size_t i = first; i < r->words.count; i++)
        r->words.items[i].at = at;
    if (r->count == MOST_WORDS) {
        diag_error(r->diag, DIAG_CLI_SHAPE, place(r, at), "found more than %d words", MOST_WORDS);
        return false;
    }
    r->items[r->count++] = (struct alternatives){first, r->words.count - first};
    return true;
}

static const char *classic_words(const char *text, size_t length)
{
    for (const struct gen_classic *classic = gen_classics; classic->name; classic++)
        if (strlen(classic->name) == length && memcmp(classic->name, text, length) == 0)
            return classic->words;
    return NULL;
}

/* All words from `text` to `end`, whose places begin at `at`; those of a classic are all there. */
static bool read_words(struct reading *r, const char *text, const char *end, uint32_t at,
                       bool is_classic)
{
    bool known = true;
    for (const char *next = text; next < end;) {
        next += strspn(next, separators);
        size_t length = strcspn(next, separators);
        if (length && next < end)
            known &= read_word(r, next, length, is_classic ? at : at + (uint32_t)(next - text));
        next += length;
    }
    return known;
}

/* Names of classics may have a `+`, so they are looked for between blanks. */
static bool read_text(struct reading *r)
{
    const char *text = r->question->text;
    bool known = true;
    for (const char *next = text + strspn(text, " "); *next; next += strspn(next, " ")) {
        size_t length = strcspn(next, " ");
        const char *classic = classic_words(next, length);
        uint32_t at = (uint32_t)(next - text);
        known &= classic ? read_words(r, classic, classic + strlen(classic), at, true)
                         : read_words(r, next, next + length, at, false);
        next += length;
    }
    if (known && r->count == 0)
        diag_error(r->diag, DIAG_CLI_SHAPE, place(r, 0),
                   "found no word, expected a shape, such as 'PodWW Rfe PodRR Fre'");
    return known && r->count;
}

/* ---- From words to links ---- */

/* What is no edge goes to the link that the next edge ends. */
static bool add_to_link(const struct gen_vocabulary *vocabulary, const struct gen_word *word,
                        struct gen_link *link, struct gen_fault *fault)
{
    if (gen_word_is_inserted(vocabulary, word)) {
        if (link->inserted_count == GEN_MAX_INSERTED)
            return gen_cycle_fail(fault, word->at,
                                  "found one instruction too many in an edge, expected at "
                                  "most four");
        link->inserted[link->inserted_count++] = *word;
        return true;
    }
    bool *flag = word->kind == GEN_WORD_NVM     ? &link->nvm
                 : word->kind == GEN_WORD_ALONE ? &link->alone
                 : word->kind == GEN_WORD_TX    ? &link->together
                                                : &link->marked;
    if (*flag)
        return gen_cycle_fail(fault, word->at,
                              "found a second word that says this of one access or edge, "
                              "expected an edge between the two");
    *flag = true;
    if (flag == &link->marked)
        link->mark = *word;
    return true;
}

/* Words behind the last edge are of the first link. */
static bool assemble(const struct gen_vocabulary *vocabulary, const struct gen_word *words,
                     uint32_t count, struct gen_cycle *cycle, struct gen_fault *fault)
{
    uint32_t start = count;
    while (start && !gen_word_is_edge(&words[start - 1]))
        start--;
    if (start == 0)
        return gen_cycle_fail(fault, words[0].at,
                              "found no edge, expected some, such as PodWW or Rfe");
    struct gen_link link = {.inserted_count = 0};
    cycle->count = 0;
    for (uint32_t k = 0; k < count; k++) {
        const struct gen_word *word = &words[(start + k) % count];
        if (!gen_word_is_edge(word)) {
            if (!add_to_link(vocabulary, word, &link, fault))
                return false;
            continue;
        }
        if (cycle->count == GEN_MAX_CYCLE)
            return gen_cycle_fail(fault, word->at,
                                  "found one edge too many, expected at most twelve");
        link.edge = *word;
        cycle->links[cycle->count++] = link;
        link = (struct gen_link){.inserted_count = 0};
    }
    return true;
}

/* ---- Cycles that are found ---- */

struct known {
    const char *name;
    UT_hash_handle hh;
};

struct finding {
    struct reading *r;
    gen_shape_visit *visit;
    void *context;
    struct gen_shape_counts *counts;
    struct known *known;    /* of a shape: the rotations of one cycle may be several choices */
    struct gen_fault first; /* of what does not close */
    bool failed;            /* there is one */
};

static void note_open(struct finding *f, const struct gen_fault *fault)
{
    f->counts->open++;
    if (!f->failed)
        f->first = *fault;
    f->failed = true;
}

/* Was it found before? Else it is now. */
static bool is_known(struct finding *f, const struct gen_cycle *cycle)
{
    struct strbuf text = {0};
    struct known *found;
    gen_cycle_add(f->r->question->vocabulary, cycle, " ", &text);
    const char *name = strbuf_take(&text, &f->r->arena);
    HASH_FIND_STR(f->known, name, found);
    if (found)
        return true;
    found = ARENA_NEW(&f->r->arena, struct known);
    found->name = name;
    HASH_ADD_KEYPTR(hh, f->known, found->name, strlen(found->name), found);
    return false;
}

/* False when the visitor has had enough. */
static bool take_cycle(struct finding *f, struct gen_cycle *cycle)
{
    struct gen_fault fault;
    struct gen_closed closed;
    const struct gen_shape_question *question = f->r->question;
    gen_cycle_turn(cycle);
    if (!gen_cycle_close(question->vocabulary, cycle, &closed, &fault)) {
        note_open(f, &fault);
        return true;
    }
    if ((question->threads && closed.thread_count > question->threads) ||
        (!question->is_list && is_known(f, cycle)))
        return true;
    f->counts->cycles++;
    return f->visit(f->context, cycle, &closed);
}

/* ---- A shape ---- */

/* All choices, the last item's first. */
static bool each_choice(struct finding *f)
{
    const struct reading *r = f->r;
    size_t chosen[MOST_WORDS] = {0};
    for (uint32_t i = 0;;) {
        struct gen_word words[MOST_WORDS];
        struct gen_cycle cycle;
        struct gen_fault fault;
        for (i = 0; i < r->count; i++)
            words[i] = r->words.items[r->items[i].first + chosen[i]];
        if (!assemble(r->question->vocabulary, words, r->count, &cycle, &fault))
            note_open(f, &fault);
        else if (!take_cycle(f, &cycle))
            return true;
        for (i = r->count; i > 0 && ++chosen[i - 1] == r->items[i - 1].count; i--)
            chosen[i - 1] = 0;
        if (i == 0)
            return true;
    }
}

static bool find_shapes(struct finding *f)
{
    uint64_t choices = 1;
    for (uint32_t i = 0; i < f->r->count && choices <= MOST_CHOICES; i++)
        choices *= f->r->items[i].count;
    if (choices > MOST_CHOICES) {
        diag_error(f->r->diag, DIAG_CLI_SHAPE, place(f->r, 0),
                   "found more than %d choices of words, expected fewer '*'", MOST_CHOICES);
        return false;
    }
    return each_choice(f);
}

/* ---- A list ---- */

struct necklaces {
    struct finding *f;
    const struct gen_link *letters;
    uint32_t letter_count, size;
    uint16_t chain[GEN_MAX_CYCLE];
};

static int by_order(const void *a, const void *b)
{
    return gen_link_order(a, b);
}

typedef VEC(struct gen_link) link_vec;

/* The edge with each that can stand at its source. */
static void add_marked(const struct reading *r, struct gen_link link, link_vec *letters)
{
    VEC_PUSH(letters, link);
    for (size_t i = 0; i < r->words.count; i++) {
        struct gen_link marked = link;
        const struct gen_word *word = &r->words.items[i];
        struct gen_fault ignored;
        if (gen_word_is_edge(word) || word->kind == GEN_WORD_TX ||
            gen_word_is_inserted(r->question->vocabulary, word))
            continue;
        if (add_to_link(r->question->vocabulary, word, &marked, &ignored))
            VEC_PUSH(letters, marked);
    }
}

static void add_letters(const struct reading *r, const struct gen_word *edge, link_vec *letters)
{
    const struct gen_link bare = {.edge = *edge};
    add_marked(r, bare, letters);
    if (gen_word_leaves(edge) || edge->kind == GEN_WORD_RMW)
        return;
    for (size_t i = 0; i < r->words.count && letters->count <= GEN_MOST_LINKS; i++) {
        const struct gen_word *word = &r->words.items[i];
        struct gen_link with = bare;
        struct gen_fault ignored;
        if ((word->kind == GEN_WORD_TX || gen_word_is_inserted(r->question->vocabulary, word)) &&
            add_to_link(r->question->vocabulary, word, &with, &ignored))
            add_marked(r, with, letters);
    }
}

static bool can_follow(const struct gen_link *a, const struct gen_link *b)
{
    return strstr(gen_word_source(&b->edge), gen_word_target(&a->edge)) != NULL;
}

/* Is no rotation of the chain smaller? */
static bool is_necklace(const struct necklaces *n)
{
    for (uint32_t turn = 1; turn < n->size; turn++)
        for (uint32_t k = 0; k < n->size; k++) {
            uint16_t here = n->chain[k], there = n->chain[(turn + k) % n->size];
            if (there < here)
                return false;
            if (there > here)
                break;
        }
    return true;
}

static bool take_chain(struct necklaces *n)
{
    struct gen_cycle cycle = {.count = n->size};
    if (!can_follow(&n->letters[n->chain[n->size - 1]], &n->letters[n->chain[0]]) ||
        !is_necklace(n))
        return true;
    for (uint32_t k = 0; k < n->size; k++)
        cycle.links[k] = n->letters[n->chain[k]];
    return take_cycle(n->f, &cycle);
}

/* The recursion is as deep as the cycle is long. */
static bool extend(struct necklaces *n, uint32_t length, bool has_crash)
{
    if (length == n->size)
        return take_chain(n);
    for (uint32_t letter = length ? n->chain[0] : 0; letter < n->letter_count; letter++) {
        const struct gen_link *link = &n->letters[letter];
        bool is_crash = link->edge.kind == GEN_WORD_CRASH;
        if ((length && !can_follow(&n->letters[n->chain[length - 1]], link)) ||
            (is_crash && has_crash))
            continue;
        n->chain[length] = (uint16_t)letter;
        if (!extend(n, length + 1, has_crash || is_crash))
            return false;
    }
    return true;
}

static bool find_necklaces(struct finding *f)
{
    const struct reading *r = f->r;
    link_vec letters = {0};
    size_t kept = 0;
    for (size_t i = 0; i < r->words.count && letters.count <= GEN_MOST_LINKS; i++)
        if (gen_word_is_edge(&r->words.items[i]))
            add_letters(r, &r->words.items[i], &letters);
    if (letters.count)
        qsort(letters.items, letters.count, sizeof *letters.items, by_order);
    for (size_t i = 0; i < letters.count; i++)
        if (kept == 0 || gen_link_order(&letters.items[kept - 1], &letters.items[i]) != 0)
            letters.items[kept++] = letters.items[i];
    bool few = kept <= GEN_MOST_LINKS;
    if (!few)
        diag_error(r->diag, DIAG_CLI_SHAPE, place(f->r, 0),
                   "found more than %d edges with what can stand at them, expected a shorter list",
                   GEN_MOST_LINKS);
    struct necklaces n = {.f = f, .letters = letters.items, .letter_count = (uint32_t)kept};
    for (n.size = 1; few && n.size <= r->question->size; n.size++)
        if (!extend(&n, 0, false))
            break;
    VEC_FREE(&letters);
    return few;
}

/* ---- Both ---- */

void gen_shape_tell(const struct gen_shape_question *question, const struct gen_fault *fault,
                    struct diag *diag)
{
    diag_error(diag, DIAG_CLI_SHAPE,
               source_span_in(&diag->arena, question->option, question->text, fault->at), "%s",
               fault->text);
}

static bool find_all(struct finding *f)
{
    bool found = f->r->question->is_list ? find_necklaces(f) : find_shapes(f);
    HASH_CLEAR(hh, f->known);
    if (!found || f->counts->cycles)
        return found;
    if (f->failed)
        gen_shape_tell(f->r->question, &f->first, f->r->diag);
    else
        diag_error(f->r->diag, DIAG_CLI_SHAPE, place(f->r, 0),
                   "found words of which no cycle%s can be made, expected others",
                   f->r->question->is_list || f->r->question->threads ? " of that size" : "");
    return false;
}

bool gen_shape_each(const struct gen_shape_question *question, gen_shape_visit *visit,
                    void *context, struct gen_shape_counts *counts, struct diag *diag)
{
    struct reading r = {.question = question, .diag = diag};
    struct finding f = {.r = &r, .visit = visit, .context = context, .counts = counts};
    *counts = (struct gen_shape_counts){0};
    bool found = read_text(&r) && find_all(&f);
    VEC_FREE(&r.words);
    arena_fini(&r.arena);
    return found;
}

static bool knows_all(const struct gen_vocabulary *vocabulary, const char *text)
{
    struct gen_shape_question question = {
        .text = text, .vocabulary = vocabulary, .option = "--shape"};
    SCOPED(diag) diag = {0};
    struct reading r = {.question = &question, .diag = &diag};
    bool known = read_text(&r);
    VEC_FREE(&r.words);
    arena_fini(&r.arena);
    return known;
}

const struct gen_vocabulary *gen_shape_vocabulary(struct gen_vocabularies *all, const char *text)
{
    const char *names[GEN_MAX_VOCABULARIES];
    size_t count = gen_vocabulary_names(all->arena, names);
    for (size_t i = 0; i < count; i++)
        if (knows_all(gen_vocabulary_find(all, names[i]), text))
            return gen_vocabulary_find(all, names[i]);
    return gen_vocabulary_find(all, names[0]);
}
