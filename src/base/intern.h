/* intern: one copy of each name, so that names compare by pointer. */
#ifndef CRASHLIT_INTERN_H
#define CRASHLIT_INTERN_H

#include <stddef.h>

struct intern;

struct intern *intern_new(void);
void intern_free(struct intern *table);
/* The one copy of these bytes; lives as long as the table. */
const char *intern_bytes(struct intern *table, const char *bytes, size_t length);
const char *intern_text(struct intern *table, const char *text);

#endif
