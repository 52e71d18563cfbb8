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

// Large blocks come from the system on page boundaries, so the k-th elements of several arrays
// would all compete for the same few places of the cache. Each block is therefore shifted by some
// cache lines, taken from its address. The word before the block remembers where it really begins.
#define LARGE  16384
#define SHIFTS 32

static size_t shift_of(const void *block, size_t bytes)
{
    if (bytes < LARGE) return OND_ALIGN;
    const uint32_t page = (uint32_t)((uintptr_t)block >> 12);
    return OND_ALIGN * (1 + (page * 0x9E3779B1u >> 27) % SHIFTS);
}

void *ond_alloc(size_t bytes)
{
    if (bytes > SIZE_MAX / 2) return NULL;
    const size_t room = bytes < LARGE ? OND_ALIGN : OND_ALIGN * SHIFTS;
    const size_t padded = (bytes + room + OND_ALIGN - 1) / OND_ALIGN * OND_ALIGN;
    char *block = aligned_alloc(OND_ALIGN, padded);
    if (!block) return NULL;
    char *place = block + shift_of(block, bytes);
    memset(place, 0, bytes);
    memcpy(place - sizeof(void *), &block, sizeof(void *));
    return place;
}

void ond_free(void *place)
{
    if (!place) return;
    void *block;
    memcpy(&block, (char *)place - sizeof(void *), sizeof(void *));
    free(block);
}

double *ond_scratch(double **block, int *room, int count)
{
    if (count <= *room) return *block;
    ond_free(*block);
    *block = OND_NEW_ARRAY(double, count + count / 4);
    *room = *block ? count + count / 4 : 0;
    return *block;
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
