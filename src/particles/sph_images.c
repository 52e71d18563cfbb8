// SPDX-License-Identifier: MIT
// Walls and periodic sides as images.
//
// A particle within h of a wall gets a mirror image behind it, one within h of a periodic side a
// copy beyond the opposite side; near an edge or a corner there is one for each combination. To the
// loops they are neighbours like any other, so a wall counts in the density, carries pressure and
// rubs, and a lattice that starts half a spacing from a wall simply continues through it: a still
// pool is right at the wall.
//
// A mirrored velocity makes the wall slide (slip 1: the tangential part is the same) or stick (slip
// 0: it is opposite relative to the wall, so that it is the wall's in between).
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/sph_state.h"

#include <string.h>

#define BLOCK 4096 // particles that put their images together, in order

static const int power3[3] = {1, 3, 9};

static inline int digit(int code, int axis)
{
    return code / power3[axis] % 3;
}

// Bit 0: within reach of the lower side; bit 1: of the upper one.
static inline unsigned near_sides(const OndSph *s, int axis, float at)
{
    return (unsigned)(at < s->image_at[2 * axis]) | (unsigned)(at > s->image_at[2 * axis + 1]) << 1;
}

// Where the image stands on one axis.
static inline float image_place(const OndSph *s, int axis, int way, float at)
{
    if (way == 0) return at;
    const OndSide *side = &s->world.side[2 * axis + way - 1];
    const float low = (float)ond_axis(s->world.box.min, axis),
                high = (float)ond_axis(s->world.box.max, axis);
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

static void write_image(OndSph *s, int i, int at, int code)
{
    OndImages *m = &s->images;
    m->found_source[at] = (uint32_t)i;
    m->found_code[at] = (uint8_t)code;
    for (int a = 0; a < 3; ++a)
        m->place[a][at] = image_place(s, a, digit(code, a), s->x[a][i]);
}

// All combinations but the particle itself.
static int put_images(OndSph *s, int i, int at, bool write)
{
    const unsigned near[3] = {near_sides(s, 0, s->x[0][i]), near_sides(s, 1, s->x[1][i]),
                              near_sides(s, 2, s->x[2][i])};
    if (!(near[0] | near[1] | near[2])) return at;
    int way[3][3], count[3];
    for (int a = 0; a < 3; ++a)
        count[a] = list_ways(near[a], way[a]);
    const int all = count[0] * count[1] * count[2];
    for (int k = 1; write && k < all; ++k)
        write_image(s, i, at + k - 1,
                    way[0][k % count[0]] + 3 * way[1][k / count[0] % count[1]] +
                        9 * way[2][k / (count[0] * count[1])]);
    return at + all - 1;
}

typedef struct Finder {
    OndSph *s;
    bool write;
} Finder;

static void find_blocks(int first, int last, int worker, void *context)
{
    const Finder *f = context;
    OndImages *m = &f->s->images;
    for (int b = first; b < last; ++b) {
        const int end = (b + 1) * BLOCK < f->s->fields.count ? (b + 1) * BLOCK : f->s->fields.count;
        int at = f->write ? m->block_first[b] : 0;
        for (int i = b * BLOCK; i < end; ++i)
            at = put_images(f->s, i, at, f->write);
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

static OndStatus count_images(OndSph *s, int blocks, int *total, OndError *err)
{
    OndImages *m = &s->images;
    if (blocks > m->block_capacity) {
        ond_free(m->block_first);
        m->block_capacity = blocks + blocks / 4 + 16;
        m->block_first = OND_NEW_ARRAY(int, m->block_capacity);
        if (!m->block_first)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for images at the walls");
    }
    Finder counting = {s, false};
    ond_parallel_for(blocks, 1, find_blocks, &counting);
    int sum = 0;
    for (int b = 0; b < blocks; ++b) {
        const int here = m->block_first[b];
        m->block_first[b] = sum;
        sum += here;
    }
    *total = sum;
    return OND_OK;
}

static void place_images(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    OndImages *m = &s->images;
    for (int k = first; k < last; ++k) {
        const uint32_t from = m->order[k];
        m->source[k] = m->found_source[from];
        m->code[k] = m->found_code[from];
        for (int a = 0; a < 3; ++a)
            s->x[a][s->fields.count + k] = m->place[a][from];
    }
}

OndStatus ond_sph_make_images(OndSph *s, OndError *err)
{
    OndImages *m = &s->images;
    m->count = 0;
    if (!s->has_walls) return OND_OK;
    const int blocks = (s->fields.count + BLOCK - 1) / BLOCK;
    int total = 0;
    OndStatus status = count_images(s, blocks, &total, err);
    if (status == OND_OK) status = make_room(m, total, err);
    if (status == OND_OK && s->fields.count + total > s->fields.capacity) {
        status = ond_fields_reserve(&s->fields, s->fields.count + total + total / 4, err);
        ond_sph_bind(s);
    }
    if (status == OND_OK) status = ond_cells_lay_like(&m->cells, &s->cells, err);
    if (status != OND_OK) return status;
    Finder writing = {s, true};
    ond_parallel_for(blocks, 1, find_blocks, &writing);
    status = ond_cells_sort(&m->cells, m->place[0], m->place[1], m->place[2], total, m->key,
                            m->order, err);
    if (status != OND_OK) return status;
    m->count = total;
    ond_parallel_for(total, BLOCK, place_images, s);
    ond_sph_image_velocity(s);
    return OND_OK;
}

typedef struct Copy {
    OndSph *s;
    float *const *value;
} Copy;

static void copy_scalars(int first, int last, int worker, void *context)
{
    const Copy *c = context;
    float *value = *c->value;
    for (int k = first; k < last; ++k)
        value[c->s->fields.count + k] = value[c->s->images.source[k]];
}

void ond_sph_image_scalar(OndSph *s, float *value)
{
    Copy c = {s, &value};
    ond_parallel_for(s->images.count, BLOCK, copy_scalars, &c);
}

static inline const OndSide *mirror_side(const OndSph *s, int axis, int way)
{
    if (way == 0) return NULL;
    const OndSide *side = &s->world.side[2 * axis + way - 1];
    return side->kind == OND_SIDE_WALL ? side : NULL;
}

static void copy_velocities(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int k = first; k < last; ++k) {
        const uint32_t from = s->images.source[k];
        float v[3] = {s->v[0][from], s->v[1][from], s->v[2][from]};
        for (int axis = 0; axis < s->world.dimension; ++axis) {
            const OndSide *wall = mirror_side(s, axis, digit(s->images.code[k], axis));
            if (!wall) continue;
            for (int a = 0; a < 3; ++a)
                v[a] = a == axis ? 2.0f * wall->velocity[a] - v[a]
                                 : (2.0f * wall->slip - 1.0f) * v[a] +
                                       2.0f * (1.0f - wall->slip) * wall->velocity[a];
        }
        for (int a = 0; a < 3; ++a)
            s->v[a][s->fields.count + k] = v[a];
    }
}

void ond_sph_image_velocity(OndSph *s)
{
    ond_parallel_for(s->images.count, BLOCK, copy_velocities, s);
}

static void copy_directions(int first, int last, int worker, void *context)
{
    const Copy *c = context;
    for (int k = first; k < last; ++k)
        for (int a = 0; a < 3; ++a) {
            const float value = c->value[a][c->s->images.source[k]];
            const bool flip = mirror_side(c->s, a, digit(c->s->images.code[k], a));
            c->value[a][c->s->fields.count + k] = flip ? -value : value;
        }
}

void ond_sph_image_direction(OndSph *s, float *const vector[3])
{
    Copy c = {s, vector};
    ond_parallel_for(s->images.count, BLOCK, copy_directions, &c);
}

static void copy_pressures(int first, int last, int worker, void *context)
{
    OndSph *s = context;
    for (int k = first; k < last; ++k) {
        const uint32_t from = s->images.source[k];
        const int to = s->fields.count + k;
        float p = s->pressure[from];
        for (int axis = 0; axis < s->world.dimension; ++axis)
            if (mirror_side(s, axis, digit(s->images.code[k], axis)))
                p +=
                    s->density[from] * s->world.gravity[axis] * (s->x[axis][to] - s->x[axis][from]);
        s->pressure[to] = s->def.suction || p > 0.0f ? p : 0.0f;
        // a wall meets what is solid by contact (rigid_contact.c); pressure would carry part of the
        // load a second time
        if (s->has_rigidity && s->piece[from]) s->pressure[to] = -s->pressure[from];
    }
}

void ond_sph_image_pressure(OndSph *s)
{
    ond_parallel_for(s->images.count, BLOCK, copy_pressures, s);
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
