// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct OndArenaChunk {
    struct OndArenaChunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
};

void *ond_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX - OND_ALIGN) return NULL;
    size_t padded = (bytes + OND_ALIGN - 1) / OND_ALIGN * OND_ALIGN;
    if (padded == 0) padded = OND_ALIGN;
    void *block = aligned_alloc(OND_ALIGN, padded);
    if (block) memset(block, 0, padded);
    return block;
}

void ond_free(void *block)
{
    free(block);
}

void *ond_arena_take(OndArena *arena, size_t bytes)
{
    const size_t want = (bytes + 15) / 16 * 16;
    struct OndArenaChunk *chunk = arena->head;
    if (!chunk || chunk->size - chunk->used < want) {
        const size_t size = want > 16384 ? want : 16384;
        chunk = calloc(1, sizeof *chunk + size);
        if (!chunk) return NULL;
        chunk->size = size;
        chunk->next = arena->head;
        arena->head = chunk;
    }
    void *place = chunk->bytes + chunk->used;
    chunk->used += want;
    return place;
}

char *ond_arena_text(OndArena *arena, const char *text, size_t length)
{
    char *copy = ond_arena_take(arena, length + 1);
    if (copy && length) memcpy(copy, text, length);
    return copy;
}

void ond_arena_free(OndArena *arena)
{
    while (arena->head) {
        struct OndArenaChunk *next = arena->head->next;
        free(arena->head);
        arena->head = next;
    }
}
