// SPDX-License-Identifier: MIT
// Memory: aligned blocks, and an arena for things that live and die together.
#ifndef OND_BASE_MEMORY_H
#define OND_BASE_MEMORY_H

#include <stddef.h>

#define OND_ALIGN        64 // one cache line, one AVX-512 register
#define OND_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/// Zeroed memory, aligned to OND_ALIGN; NULL when there is none. Free with ond_free.
void *ond_alloc(size_t bytes);
void ond_free(void *block);

#define OND_NEW(type)          ((type *)ond_alloc(sizeof(type)))
#define OND_NEW_ARRAY(type, n) ((type *)ond_alloc((size_t)(n) * sizeof(type)))

/// Scratch for at least `count` doubles, kept in `*block` and made anew, with some to spare, where
/// it is too small: what was in it is lost then. NULL when there is no memory.
double *ond_scratch(double **block, int *room, int count);

/// Many small things, freed at once. A zeroed OndArena is empty and ready.
typedef struct OndArena {
    struct OndArenaChunk *head;
} OndArena;

/// Zeroed memory that lives until ond_arena_free; NULL when there is none.
void *ond_arena_take(OndArena *arena, size_t bytes);
/// A copy of `length` characters of `text`, terminated.
char *ond_arena_text(OndArena *arena, const char *text, size_t length);
void ond_arena_free(OndArena *arena);

#endif
