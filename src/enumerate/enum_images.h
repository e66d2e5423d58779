/* enum_images: choices of paths that are images of one whose tree is written, by exchanges that the
 * program's symmetry has. Their trees and executions are written from it, not searched. Private to
 * the enumerator. */
#ifndef CRASHLIT_ENUM_IMAGES_H
#define CRASHLIT_ENUM_IMAGES_H

#include "enumerate/enum_search.h"

struct enum_images;

/* NULL: the program has no symmetry. Lives in the state's arena of paths. */
struct enum_images *enum_images_new(struct enum_state *state);
void enum_images_fini(struct enum_images *images);
/* An execution was written: it has shown the states behind so many final and crash states. */
void enum_images_add_execution(struct enum_images *images, size_t final, size_t crash);
/* The tree of the chosen paths is written. */
void enum_images_keep(struct enum_images *images);
/* Writes what the chosen paths are an image of; false: nothing that is written. */
bool enum_images_write(struct enum_images *images, const struct exec_path *const *chosen);

#endif
