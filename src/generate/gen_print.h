/* gen_print: prints a program as a litmus test. */
#ifndef CRASHLIT_GEN_PRINT_H
#define CRASHLIT_GEN_PRINT_H

#include "generate/gen_program.h"

/* What a test's condition says of each observable: a value, or GEN_ANY. */
enum { GEN_ANY = 0xff };

struct gen_outcome {
    uint8_t reads[GEN_MAX_THREADS][GEN_MAX_OPS]; /* by number of the operation */
    uint8_t ends[GEN_MAX_THREADS];               /* 1: the work-item has come to its end; or
                                                    GEN_ANY */
    uint8_t memory[GEN_MAX_LOCATIONS];
};
void gen_outcome_init(struct gen_outcome *outcome); /* says nothing */

struct gen_expectation {
    const char *visibility, *persistency;
    enum lit_verdict verdict;
};

struct gen_test {
    const char *name, *title; /* title NULL: none */
    const struct gen_vocabulary *vocabulary;
    enum gen_dialect dialect;
    const struct gen_program *program;
    enum lit_when when; /* LIT_FINAL, or LIT_CRASH, whose outcome names no volatile location */
    enum lit_quantifier quantifier;
    const struct gen_outcome *outcomes; /* a condition for each */
    uint32_t outcome_count;
    const char *comment; /* a line before the expectations; NULL: none */
    const struct gen_expectation *expectations;
    uint32_t expectation_count;
};

/* The program's forms have a text in the dialect (gen_can_print). Registers are r0, r1.. by the
 * number of the read in its work-item, `ended` for its end. */
void gen_print(const struct gen_test *test, struct strbuf *out);
bool gen_can_print_form(const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                        struct gen_form form);
bool gen_can_print(const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                   const struct gen_program *program);
/* Prints the proposition alone: "1:r0 = 1 /\ x = 0"; "true" when it says nothing. */
void gen_print_outcome(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                       const struct gen_outcome *outcome, struct strbuf *out);
/* The number in the name of a read's register: its number among the work-item's reads. */
uint32_t gen_register(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                      uint32_t thread, uint32_t index);

#endif
