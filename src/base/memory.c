// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <ondine/host.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct OndArenaChunk {
    struct OndArenaChunk *next;
    size_t used, size;
    _Alignas(16) char bytes[];
};

static OndAllocator host; // without functions: the C library's

OndStatus ond_host_memory(const OndAllocator *allocator, OndError *err)
{
    if (allocator && (!allocator->alloc || !allocator->release))
        return ond_fail(err, OND_BAD_VALUE, "an allocator needs both `alloc` and `release`");
    host = allocator ? *allocator : (OndAllocator){0};
    return OND_OK;
}

static void *take_block(size_t bytes)
{
    return host.alloc ? host.alloc(host.user, bytes) : aligned_alloc(OND_ALIGN, bytes);
}

static void give_back(void *block)
{
    if (host.release)
        host.release(host.user, block);
    else
        free(block);
}

static char *align_up(char *block)
{
    return block + (OND_ALIGN - (uintptr_t)block % OND_ALIGN) % OND_ALIGN;
}

// Large blocks come from the system on page boundaries, so the k-th elements of several arrays
// would all compete for the same few places of the cache. Each block is therefore shifted by some
// cache lines, taken from its address: 188 ns became 138 for a particle's step at 200k
// (docs/benchmarks.md, "What the limit is"). The word before the block remembers where it really
// begins.
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
    const size_t room = (bytes < LARGE ? 1 : SHIFTS) + (host.alloc != NULL);
    const size_t padded = (bytes + room * OND_ALIGN + OND_ALIGN - 1) / OND_ALIGN * OND_ALIGN;
    char *block = take_block(padded);
    if (!block) return NULL;
    char *const begin = align_up(block), *const place = begin + shift_of(begin, bytes);
    memset(place, 0, bytes);
    memcpy(place - sizeof(void *), &block, sizeof(void *));
    return place;
}

void ond_free(void *place)
{
    if (!place) return;
    void *block;
    memcpy(&block, (char *)place - sizeof(void *), sizeof(void *));
    give_back(block);
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
        chunk = ond_alloc(sizeof *chunk + size);
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
        ond_free(arena->head);
        arena->head = next;
    }
}
