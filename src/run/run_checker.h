/* run_checker: crashlit-check, the program that accepts or refuses certificates
 * (certify/certificate.h), beside a worker.
 *
 * A worker can start no process. So before it gives up its rights it gets a keeper: a process that
 * runs the checker, hands it one certificate after the other, and stops it when it takes too long,
 * or says what nobody asked. The keeper ends with its worker, the checker with its keeper. */
#ifndef CRASHLIT_RUN_CHECKER_H
#define CRASHLIT_RUN_CHECKER_H

#include "base/strbuf.h"

#include <stdint.h>

/* Where the program and the folder of models are, in the arena: beside this program, as it is built
 * or installed, and nowhere else, since who names another one certifies what he likes. NULL: there
 * is none. */
struct run_checker {
    const char *program, *models;
};
const struct run_checker *run_checker_find(struct arena *arena);

/* Starts a keeper; its line's number, -1 when there is no room for it. SIGPIPE is ignored from then
 * on. `seconds`, `cpu_seconds`, `memory_mib`: limits for one certificate, the second of processor
 * time; 0: those that any has. */
int run_checker_start(const struct run_checker *checker, double seconds, double cpu_seconds,
                      uint32_t memory_mib);

/* Hands it a certificate, and appends the checker's lines: its answer, and the states and flags that it
 * has found. They may be about something else: compare what they say they are about. False: there are
 * none; appends why. */
bool run_checker_ask(int line, const char *certificate, struct strbuf *answer);

#endif
