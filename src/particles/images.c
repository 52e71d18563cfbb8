// SPDX-License-Identifier: MIT
#include "particles/images.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "physics/wall.h"

#include <string.h>

static const int power3[3] = {1, 3, 9};

static inline int digit(int code, int axis)
{
    return code / power3[axis] % 3;
}

// Bit 0: within reach of the lower side; bit 1: of the upper one.
static inline unsigned near_sides(const OndImageView *v, int axis, float at)
{
    return (unsigned)(at < v->near[2 * axis]) | (unsigned)(at > v->near[2 * axis + 1]) << 1;
}

// Where the image stands on one axis.
static inline float image_place(const OndWorld *world, int axis, int way, float at)
{
    if (way == 0) return at;
    const OndSide *side = &world->side[2 * axis + way - 1];
    const float low = (float)ond_axis(world->box.min, axis),
                high = (float)ond_axis(world->box.max, axis);
    if (side->kind == OND_SIDE_PERIODIC) return way == 1 ? at + (high - low) : at - (high - low);
    return 2.0f * (way == 1 ? low : high) - at;
}

// The ways an axis allows: as it is, across the lower side, across the upper side.
static inline int list_ways(unsigned near, int way[3])
{
    int count = 0;
    way[count++] = 0;
    if (near & 1) way[count++] = 1;
    if (near & 2) way[count++] = 2;
    return count;
}

static void write_image(OndImages *m, const OndImageView *v, int i, int at, int code)
{
    m->found_source[at] = (uint32_t)i;
    m->found_code[at] = (uint8_t)code;
    for (int a = 0; a < 3; ++a)
        m->place[a][at] = image_place(v->world, a, digit(code, a), v->x[a][i]);
}

// All combinations but the particle itself.
static int put_images(OndImages *m, const OndImageView *v, int i, int at, bool write)
{
    const unsigned near[3] = {near_sides(v, 0, v->x[0][i]), near_sides(v, 1, v->x[1][i]),
                              near_sides(v, 2, v->x[2][i])};
    if (!(near[0] | near[1] | near[2])) return at;
    int way[3][3], count[3];
    for (int a = 0; a < 3; ++a)
        count[a] = list_ways(near[a], way[a]);
    const int all = count[0] * count[1] * count[2];
    for (int k = 1; write && k < all; ++k)
        write_image(m, v, i, at + k - 1,
                    way[0][k % count[0]] + 3 * way[1][k / count[0] % count[1]] +
                        9 * way[2][k / (count[0] * count[1])]);
    return at + all - 1;
}

typedef struct Finder {
    OndImages *images;
    const OndImageView *view;
    bool write;
} Finder;

static void find_blocks(int first, int last, int worker, void *context)
{
    const Finder *f = context;
    OndImages *m = f->images;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_IMAGE_BLOCK, next = begin + OND_IMAGE_BLOCK;
        const int end = next < f->view->count ? next : f->view->count;
        int at = f->write ? m->block_first[b] : 0;
        for (int i = begin; i < end; ++i)
            at = put_images(m, f->view, i, at, f->write);
        if (!f->write) m->block_first[b] = at;
    }
}

static OndStatus make_room(OndImages *m, int count, OndError *err)
{
    if (count <= m->capacity) return OND_OK;
    const int room = count + count / 4 + 256;
    OndCells cells = m->cells;
    int *block_first = m->block_first;
    const int block_capacity = m->block_capacity;
    memset(&m->cells, 0, sizeof m->cells);
    m->block_first = NULL;
    ond_images_free(m);
    m->cells = cells, m->block_first = block_first, m->block_capacity = block_capacity;
    m->source = OND_NEW_ARRAY(uint32_t, room), m->found_source = OND_NEW_ARRAY(uint32_t, room);
    m->key = OND_NEW_ARRAY(uint32_t, room), m->order = OND_NEW_ARRAY(uint32_t, room);
    m->code = OND_NEW_ARRAY(uint8_t, room), m->found_code = OND_NEW_ARRAY(uint8_t, room);
    for (int a = 0; a < 3; ++a)
        m->place[a] = OND_NEW_ARRAY(float, room);
    m->capacity = room;
    if (m->source && m->found_source && m->key && m->order && m->code && m->found_code &&
        m->place[0] && m->place[1] && m->place[2])
        return OND_OK;
    m->capacity = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d images at the walls", count);
}

static int count_blocks(const OndImageView *view)
{
    return (view->count + OND_IMAGE_BLOCK - 1) / OND_IMAGE_BLOCK;
}

OndStatus ond_images_count(OndImages *m, const OndImageView *view, int *total, OndError *err)
{
    const int blocks = count_blocks(view);
    m->count = 0;
    if (blocks > m->block_capacity) {
        ond_free(m->block_first);
        m->block_capacity = blocks + blocks / 4 + 16;
        m->block_first = OND_NEW_ARRAY(int, m->block_capacity);
        if (!m->block_first) {
            m->block_capacity = 0;
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for images at the walls");
        }
    }
    Finder counting = {m, view, false};
    ond_parallel_for(blocks, 1, find_blocks, &counting);
    int sum = 0;
    for (int b = 0; b < blocks; ++b) {
        const int here = m->block_first[b];
        m->block_first[b] = sum;
        sum += here;
    }
    *total = sum;
    return make_room(m, sum, err);
}

static void place_range(int first, int last, int worker, void *context)
{
    const Finder *f = context;
    OndImages *m = f->images;
    for (int k = first; k < last; ++k) {
        const uint32_t from = m->order[k];
        m->source[k] = m->found_source[from];
        m->code[k] = m->found_code[from];
        for (int a = 0; a < 3; ++a)
            f->view->x[a][f->view->count + k] = m->place[a][from];
    }
}

OndStatus ond_images_place(OndImages *m, const OndImageView *view, const OndCells *cells, int total,
                           OndError *err)
{
    OndStatus status = ond_cells_lay_like(&m->cells, cells, err);
    if (status != OND_OK) return status;
    Finder writing = {m, view, true};
    ond_parallel_for(count_blocks(view), 1, find_blocks, &writing);
    status = ond_cells_sort(&m->cells, m->place[0], m->place[1], m->place[2], total, m->key,
                            m->order, err);
    if (status != OND_OK) return status;
    m->count = total;
    ond_parallel_for(total, OND_IMAGE_BLOCK, place_range, &writing);
    return OND_OK;
}

const OndSide *ond_images_mirror(const OndImages *m, const OndWorld *world, int image, int axis)
{
    const int way = digit(m->code[image], axis);
    if (way == 0) return NULL;
    const OndSide *side = &world->side[2 * axis + way - 1];
    return side->kind == OND_SIDE_WALL ? side : NULL;
}

typedef struct Mirror {
    const OndImages *images;
    const OndImageView *view;
    float *const *v;
} Mirror;

static void velocity_range(int first, int last, int worker, void *context)
{
    const Mirror *m = context;
    const OndWorld *world = m->view->world;
    for (int k = first; k < last; ++k) {
        const uint32_t from = m->images->source[k];
        float v[3] = {m->v[0][from], m->v[1][from], m->v[2][from]};
        for (int axis = 0; axis < world->dimension; ++axis) {
            const OndSide *wall = ond_images_mirror(m->images, world, k, axis);
            if (!wall) continue;
            for (int a = 0; a < 3; ++a)
                v[a] = a == axis ? ond_wall_mirror_across(v[a], wall->velocity[a])
                                 : ond_wall_mirror_along(v[a], wall->velocity[a], wall->slip);
        }
        for (int a = 0; a < 3; ++a)
            m->v[a][m->view->count + k] = v[a];
    }
}

void ond_images_velocity(const OndImages *images, const OndImageView *view, float *const v[3])
{
    Mirror m = {images, view, v};
    ond_parallel_for(images->count, OND_IMAGE_BLOCK, velocity_range, &m);
}

size_t ond_images_bytes(const OndImages *images)
{
    return (size_t)images->capacity * (4 + 4 + 4 + 4 + 12 + 2) + ond_cells_bytes(&images->cells);
}

void ond_images_free(OndImages *m)
{
    ond_cells_free(&m->cells);
    void *blocks[] = {m->source,       m->code, m->place[0], m->place[1],   m->place[2],
                      m->found_source, m->key,  m->order,    m->found_code, m->block_first};
    for (int b = 0; b < OND_COUNT(blocks); ++b)
        ond_free(blocks[b]);
    memset(m, 0, sizeof *m);
}
