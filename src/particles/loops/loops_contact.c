// SPDX-License-Identifier: MIT
// Contacts between grains.
//
// Few grains touch one: its neighbours are looked up once a step, so no lists are kept. The
// candidates that do touch are packed first, and the law runs over them without branches. What i
// does to j and what j does to i are computed apart, from the same numbers with the other sign:
// they cancel to the last bit.
#include "particles/loops/loops.h"

#define CHUNK 64 // contacts taken together; a multiple of OND_LANES

typedef struct Pull {
    float x, y, z; // N
} Pull;

// The grain itself fills up the last lanes: it is at distance 0, has no direction and so no force.
OND_INLINE void press(const OndContactLoop *c, uint32_t i, const uint32_t *restrict near, int count,
                      Pull *sum)
{
    const float *restrict px = c->px, *restrict py = c->py, *restrict pz = c->pz;
    const float *restrict vx = c->vx, *restrict vy = c->vy, *restrict vz = c->vz;
    const float *restrict mass = c->mass;
    const OndContactLaw law = c->law;
    const float xi = px[i], yi = py[i], zi = pz[i], ui = vx[i], vi = vy[i], wi = vz[i];
    const float mi = mass[i], d = c->diameter;
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
#pragma omp simd reduction(+ : fx, fy, fz)
    for (int k = 0; k < count; ++k) {
        const uint32_t j = near[k];
        const float dx = xi - px[j], dy = yi - py[j], dz = zi - pz[j];
        const float du = ui - vx[j], dv = vi - vy[j], dw = wi - vz[j];
        const float r2 = dx * dx + dy * dy + dz * dz;
        const float inverse = r2 > 0.0f ? 1.0f / sqrtf(r2) : 0.0f;
        const float nx = dx * inverse, ny = dy * inverse, nz = dz * inverse;
        const float apart = du * nx + dv * ny + dw * nz;
        const float tx = du - apart * nx, ty = dv - apart * ny, tz = dw - apart * nz;
        const float slide = sqrtf(tx * tx + ty * ty + tz * tz);
        const float inertia = ond_contact_inertia(&law, ond_contact_mass(mi, mass[j]));
        const float push = ond_contact_push(&law, d - r2 * inverse, apart, inertia);
        const float drag = ond_contact_drag(&law, push, slide, inertia);
        fx += push * nx - drag * tx;
        fy += push * ny - drag * ty;
        fz += push * nz - drag * tz;
    }
    sum->x += fx, sum->y += fy, sum->z += fz;
}

// Those found so far, and what the ones before did.
typedef struct Found {
    uint32_t near[CHUNK];
    int count;
    uint32_t before;
    Pull sum;
} Found;

static void flush(const OndContactLoop *c, uint32_t i, Found *f)
{
    int count = f->count;
    while (count % OND_LANES)
        f->near[count++] = i;
    press(c, i, f->near, count, &f->sum);
    f->before += (uint32_t)f->count;
    f->count = 0;
}

// Of a run, the grains that touch i.
static void search_run(const OndContactLoop *c, uint32_t i, OndRun run, Found *f)
{
    const float reach2 = c->diameter * c->diameter;
    const float x = c->px[i], y = c->py[i], z = c->pz[i];
    for (uint32_t j = run.first; j < run.last;) {
        const uint32_t room = (uint32_t)(CHUNK - f->count);
        const uint32_t end = run.last - j < room ? run.last : j + room;
        int n = f->count;
        for (; j < end; ++j) {
            const float dx = x - c->px[j], dy = y - c->py[j], dz = z - c->pz[j];
            f->near[n] = j;
            n += (dx * dx + dy * dy + dz * dz < reach2) & (j != i);
        }
        f->count = n;
        if (n == CHUNK) flush(c, i, f);
    }
}

// The runs round a cell: of grains, then of images.
static int collect(const OndContactLoop *c, int cell, OndRun run[18])
{
    const int own = ond_cells_near(c->cells, cell, run);
    if (!c->images) return own;
    const int more = ond_cells_near(c->images, cell, run + own);
    for (int r = own; r < own + more; ++r)
        run[r].first += c->image_base, run[r].last += c->image_base;
    return own + more;
}

void OND_LOOP(contact)(const OndContactLoop *c, int first_cell, int last_cell);
void OND_LOOP(contact)(const OndContactLoop *c, int first_cell, int last_cell)
{
    for (int cell = first_cell; cell < last_cell; ++cell) {
        const uint32_t first = c->cells->first[cell], last = c->cells->first[cell + 1];
        if (first == last) continue;
        OndRun run[18];
        const int runs = collect(c, cell, run);
        for (uint32_t i = first; i < last; ++i) {
            Found f = {.count = 0};
            for (int r = 0; r < runs; ++r)
                search_run(c, i, run[r], &f);
            if (f.count) flush(c, i, &f);
            c->touching[i] = f.before;
            c->ax[i] += f.sum.x / c->mass[i];
            c->ay[i] += f.sum.y / c->mass[i];
            c->az[i] += f.sum.z / c->mass[i];
        }
    }
}
