#include "generate/gen_vocabularies.h"

#include "generate/gen_definition.h"

#include <string.h>

enum { MOST_WORDS = 16 };

#define FAULT(reading, ...)            \
    ((void)((reading)->failed = true), \
     diag_error((reading)->diag, DIAG_CLI_OPTION_VALUE, place((reading)), __VA_ARGS__))

/* ---- Lines ---- */

/* A vocabulary file while it is read. */
struct reading {
    struct gen_vocabularies *all;
    const struct source *source;
    struct diag *diag;
    const char *next; /* the line behind the one at hand */
    uint32_t line;
    const char *words[MOST_WORDS];
    uint32_t count;
    bool failed;

    /* The vocabulary that is filled. */
    struct gen_vocabulary *into;
    struct gen_definitions definitions;
    bool has_definitions;
    struct gen_family families[GEN_MAX_FAMILIES];
    uint32_t family_count;
};

static struct span place(const struct reading *r)
{
    size_t length;
    (void)source_line(r->source, r->line, &length);
    return (struct span){r->source, r->line, 1, r->line, (uint32_t)length + 1};
}

/* A word of its own: `:` and `=`. */
static bool is_sign(char c)
{
    return c == ':' || c == '=';
}

/* Reads the words of the next line that has some; false at the end. */
static bool next_line(struct reading *r)
{
    for (r->count = 0; r->count == 0 && *r->next; r->line++) {
        size_t length = strcspn(r->next, "\n"), end = strcspn(r->next, "#\n");
        for (size_t i = 0; i < end;) {
            size_t word = is_sign(r->next[i]) ? 1 : strcspn(r->next + i, " \t#\n:=");
            if (word && r->count < MOST_WORDS)
                r->words[r->count++] = arena_strndup(r->all->arena, r->next + i, word);
            else if (word)
                r->failed = true;
            i += word ? word : 1;
        }
        r->next += length + (r->next[length] == '\n');
    }
    return r->count > 0;
}

static bool begins(const struct reading *r, const char *word)
{
    return strcmp(r->words[0], word) == 0 && r->count > 1 && !is_sign(r->words[1][0]);
}

static struct reading reading_of(struct gen_vocabularies *all, const struct source *source,
                                 struct diag *diag)
{
    return (struct reading){.all = all, .source = source, .diag = diag, .next = source->text};
}

/* ---- What a line says ---- */

/* Could a test have the name? */
static bool check_name(struct reading *r, const char *name)
{
    bool plain = gen_is_plain(name);
    if (!plain)
        FAULT(r, "found '%s', expected a name of letters, digits, '_', '-' and '.'", name);
    return plain;
}

static bool scope_named(const char *word, uint32_t *scope)
{
    *scope = 0;
    while (*scope < LIT_SCOPE_COUNT && strcmp(gen_scope_text((enum lit_scope) * scope), word) != 0)
        ++*scope;
    return *scope < LIT_SCOPE_COUNT;
}

static void read_levels(struct reading *r)
{
    for (uint32_t i = 1; i < r->count; i++) {
        uint32_t scope;
        if (scope_named(r->words[i], &scope))
            r->into->levels |= 1u << scope;
        else
            FAULT(r, "found '%s', expected scopes: sg, wg, kr, dev", r->words[i]);
    }
}

/* A file is looked for beside the vocabulary's, then among the built-in ones. */
static void read_uses(struct reading *r)
{
    struct session_settings own = *r->all->settings, *settings = r->all->settings;
    const char *name = r->words[1], *why;
    if (!check_name(r, name))
        return;
    const char *beside = r->source->is_builtin
                             ? name
                             : reach_find(r->all->arena, &settings->reach,
                                          reach_folder(r->all->arena, r->source->path), name);
    if (r->source->is_builtin || !source_load(r->all->arena, beside, &why))
        beside = arena_strndup(r->all->arena, name, strcspn(name, "."));
    else if (settings->uses_count < SESSION_MAX_USES)
        settings->uses[settings->uses_count++] = beside;
    const char **uses = ARENA_ARRAY(r->all->arena, const char *, 1);
    uses[0] = name;
    r->into->uses = uses;
    r->into->use_count = 1;
    own.uses[0] = beside;
    own.uses_count = 1;
    if (r->has_definitions) {
        FAULT(r, "found a second 'uses', expected one of a vocabulary");
        return;
    }
    r->has_definitions = true;
    r->failed |= !gen_definitions_read(&r->definitions, r->all->arena, &own, r->diag);
}

/* What is said of an instruction behind the colon. */
static void read_traits(struct reading *r, uint32_t at, struct gen_family *family)
{
    static const struct {
        const char *word;
        uint32_t trait;
    } words[] = {{"persistency", GEN_PERSISTS}, {"meets", GEN_MEETS},   {"may-meet", GEN_MAY_MEET},
                 {"alone", GEN_ORDERS_ALONE},   {"counts", GEN_COUNTS}, {"anywhere", GEN_ANYWHERE}};
    uint32_t scopes = 0, scope;
    for (; at < r->count; at++) {
        const char *word = r->words[at];
        size_t i = 0;
        while (i < sizeof words / sizeof *words && strcmp(words[i].word, word) != 0)
            i++;
        if (i < sizeof words / sizeof *words)
            family->traits |= words[i].trait;
        else if (strcmp(word, "own") == 0)
            family->traits &= ~(uint32_t)GEN_SPEAKS;
        else if (strcmp(word, "above") == 0 && at + 1 < r->count)
            family->weaker = r->words[++at];
        else if (scope_named(word, &scope))
            scopes |= 1u << scope;
        else
            FAULT(
                r,
                "found '%s', expected own, persistency, meets, may-meet, alone, counts, anywhere, "
                "above NAME or scopes",
                word);
    }
    if (scopes)
        family->scopes &= scopes;
    if (!family->scopes)
        FAULT(r, "'%s' has none of these scopes", family->name);
}

static struct gen_family *family_of(struct reading *r, const char *name)
{
    return FIND(i, r->families, r->family_count, strcmp(r->families[i].name, name) == 0);
}

/* Adds an instruction of the language or of the definition file; NULL after reporting. */
static struct gen_family *new_family(struct reading *r, const char *name, const char *definition)
{
    const struct lit_definition *found = NULL;
    struct gen_family family;
    const char *why = NULL;
    if (r->family_count == GEN_MAX_FAMILIES) {
        FAULT(r, "found one instruction too many, expected at most %d", GEN_MAX_FAMILIES);
        return NULL;
    }
    for (uint32_t i = 0; r->has_definitions && i < r->definitions.all.count; i++)
        if (strcmp(r->definitions.all.items[i]->name, definition) == 0)
            found = r->definitions.all.items[i];
    if (found)
        why = gen_definition_family(&r->definitions, found, &family);
    else if (strcmp(definition, gen_language[GEN_COMMON].name) == 0)
        family = gen_language[GEN_COMMON];
    else
        why = "there is no definition of that name above";
    if (why) {
        FAULT(r, "'%s' is no instruction of generated programs: %s", definition, why);
        return NULL;
    }
    family.name = name;
    r->families[r->family_count] = family;
    return &r->families[r->family_count++];
}

static void read_family(struct reading *r)
{
    bool renamed = r->count > 2 && r->words[1][0] == '=';
    uint32_t colon = renamed ? 3 : 1;
    if (r->count > colon && r->words[colon][0] != ':') {
        FAULT(r, "found '%s', expected ':' and what is known of '%s'", r->words[colon],
              r->words[0]);
        return;
    }
    struct gen_family *family = family_of(r, r->words[0]);
    if (!family)
        family = new_family(r, r->words[0], r->words[renamed ? 2 : 0]);
    if (family)
        read_traits(r, colon + 1, family);
}

/* What is weaker has to be there. */
static void check_weaker(struct reading *r)
{
    for (uint32_t f = 0; f < r->family_count; f++)
        if (r->families[f].weaker && !family_of(r, r->families[f].weaker))
            FAULT(r, "'%s' is above '%s', which is no instruction of this vocabulary",
                  r->families[f].name, r->families[f].weaker);
}

/* Fills the vocabulary up to the next one; NULL after reporting. */
static const struct gen_vocabulary *fill(struct reading *r, const char *name)
{
    struct arena *arena = r->all->arena;
    r->into = ARENA_NEW(arena, struct gen_vocabulary);
    r->into->name = name;
    r->family_count = GEN_COMMON;
    memcpy(r->families, gen_language, GEN_COMMON * sizeof *r->families);
    while (next_line(r) && !begins(r, "vocabulary"))
        if (begins(r, "uses"))
            read_uses(r);
        else if (begins(r, "host"))
            r->into->host_tag = check_name(r, r->words[1]) ? r->words[1] : NULL;
        else if (begins(r, "levels"))
            read_levels(r);
        else
            read_family(r);
    check_weaker(r);
    if (r->failed && !r->diag->errors)
        FAULT(r, "found more than %d words in a line", MOST_WORDS);
    if (r->has_definitions)
        gen_definitions_fini(&r->definitions);
    r->into->families = arena_copy(arena, r->families, r->family_count * sizeof *r->families);
    r->into->family_count = r->family_count;
    if (!r->source->is_builtin)
        r->into->digest =
            source_digest(r->has_definitions ? r->definitions.all.digest : 0, r->source);
    return r->failed ? NULL : r->into;
}

/* ---- By name ---- */

size_t gen_vocabulary_names(struct arena *arena, const char **names)
{
    struct gen_vocabularies all = {.arena = arena};
    const struct source *source = source_from_builtin(arena, &gen_builtins[0]);
    struct reading r = reading_of(&all, source, NULL);
    size_t count = 0;
    while (count < GEN_MAX_VOCABULARIES && next_line(&r))
        if (begins(&r, "vocabulary"))
            names[count++] = r.words[1];
    return count;
}

static const struct gen_vocabulary *read_builtin(struct gen_vocabularies *all, const char *name)
{
    SCOPED(diag) diag = {0};
    struct reading r = reading_of(all, source_from_builtin(all->arena, &gen_builtins[0]), &diag);
    while (next_line(&r))
        if (begins(&r, "vocabulary") && strcmp(r.words[1], name) == 0) {
            const struct gen_vocabulary *found = fill(&r, r.words[1]);
            if (!found)
                base_die("internal error: a built-in vocabulary cannot be read: %s",
                         diag_first_error(&diag)->message);
            return found;
        }
    return NULL;
}

const struct gen_vocabulary *gen_vocabulary_find(struct gen_vocabularies *all, const char *name)
{
    for (uint32_t i = 0; i < all->known_count; i++)
        if (strcmp(all->known[i]->name, name) == 0)
            return all->known[i];
    const struct gen_vocabulary *found = read_builtin(all, name);
    if (found) {
        BASE_CHECK(all->known_count < GEN_MAX_VOCABULARIES);
        all->known[all->known_count++] = found;
    }
    return found;
}

static const struct gen_vocabulary *load(struct gen_vocabularies *all, const char *path,
                                         struct diag *diag)
{
    const char *why = NULL;
    const struct source *source = source_load(all->arena, path, &why);
    if (!source) {
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read the vocabulary '%s': %s", path, why);
        return NULL;
    }
    struct reading r = reading_of(all, source, diag);
    if (next_line(&r) && begins(&r, "vocabulary"))
        return fill(&r, r.words[1]);
    FAULT(&r, "expected a line 'vocabulary NAME' first");
    return NULL;
}

const struct gen_vocabulary *gen_vocabulary_read(struct gen_vocabularies *all, const char *name,
                                                 struct diag *diag)
{
    const char *names[GEN_MAX_VOCABULARIES];
    if (reach_is_path(name, ".vocabulary"))
        return load(all, name, diag);
    const struct gen_vocabulary *found = gen_vocabulary_find(all, name);
    if (!found)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--vocabulary names '%s', which is none; there are %s", name,
                   arena_list(all->arena, names, gen_vocabulary_names(all->arena, names)));
    return found;
}
