// SPDX-License-Identifier: MIT
// What each particle of foam is, by how much liquid is round it, and how fast it goes.
//
// Few neighbours: spray, which flies. Many: a bubble, which the liquid drags along while it rises.
// In between: foam, which goes with the liquid, as the weighted mean of it moves.
#include "base/parallel.h"
#include "particles/foam/foam_state.h"
#include "physics/foam.h"

// Shares of the neighbours that there are inside of a liquid. At its still surface it is a half.
#define SPRAY_BELOW  0.22f // as far above it as two fifths of the reach
#define BUBBLE_ABOVE 0.8f  // nearly as far below it
#define BUOYANCY     2.0   // times gravity: a bubble moves liquid, too, which slows its start

typedef struct Following {
    OndFoam *foam;
    const OndFoamLiquid *liquid;
    float full;    // neighbours inside of a liquid
    float rise[3]; // of a bubble, once it no longer gathers speed
    float kept;    // of what a bubble's velocity is off
} Following;

// The liquid round a place: neighbours, weights, weighted velocities. Images stand behind the
// particles.
static void meet(const Following *f, OndMeetLoop *loop, float sum[5])
{
    const OndFoamLiquid *const l = f->liquid;
    OndRun run[9];
    const int cell = ond_cells_at(l->cells, loop->at[0], loop->at[1], loop->at[2]);
    int count = ond_cells_near(l->cells, cell, run);
    for (int k = 0; k < count; ++k)
        l->loops->meet(loop, run[k].first, run[k].last, sum);
    if (!l->images) return;
    const uint32_t base = (uint32_t)l->count;
    count = ond_cells_near(l->images, cell, run);
    for (int k = 0; k < count; ++k)
        l->loops->meet(loop, base + run[k].first, base + run[k].last, sum);
}

static OndFoamKind kind_of(float share)
{
    return share < SPRAY_BELOW ? OND_SPRAY : share < BUBBLE_ABOVE ? OND_FOAM : OND_BUBBLE;
}

static void follow(const Following *f, int i)
{
    OndFoam *const foam = f->foam;
    const OndPairs *const p = &f->liquid->pairs;
    OndMeetLoop loop = {p->px, p->py, p->pz, p->vx, p->vy, p->vz, {0}, 1.0f / f->liquid->reach};
    float sum[5] = {0};
    for (int a = 0; a < 3; ++a)
        loop.at[a] = foam->x[a][i];
    meet(f, &loop, sum);
    foam->kind[i] = kind_of(sum[0] / f->full);
    for (int a = 0; a < 3 && foam->kind[i] != OND_SPRAY; ++a) {
        const float flow = sum[2 + a] / sum[1];
        foam->v[a][i] = foam->kind[i] == OND_FOAM
                            ? flow
                            : ond_foam_drag(foam->v[a][i], flow + f->rise[a], f->kept);
    }
    if (foam->life[i] < 0.0f) foam->life[i] = -1.0f;
}

static void follow_range(int first, int last, int worker, void *context)
{
    (void)worker;
    for (int i = first; i < last; ++i)
        follow(context, i);
}

void ond_foam_follow(OndFoam *foam, const OndFoamLiquid *liquid, double dt)
{
    const OndWorld *const w = foam->world;
    const double g = ond_length(ond_vec(w->gravity[0], w->gravity[1], w->gravity[2]));
    Following f = {.foam = foam,
                   .liquid = liquid,
                   .full = ond_foam_neighbours(liquid->reach / (float)w->spacing, w->dimension)};
    for (int a = 0; a < 3 && g > 0.0; ++a)
        f.rise[a] = (float)(-foam->def.rise * w->gravity[a] / g);
    const double start = foam->def.rise > 0.0f ? BUOYANCY * g / foam->def.rise : INFINITY;
    f.kept = (float)exp(-start * dt);
    if (g == 0.0) f.kept = 0.0f; // nothing rises: it goes with the liquid
    ond_parallel_for(foam->particles.count, OND_FOAM_GRAIN, follow_range, &f);
}
