// SPDX-License-Identifier: MIT
// The life of foam, and its way from step to step.
#include "particles/foam/foam_state.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "particles/stopping.h"
#include "physics/foam.h"
#include "physics/motion.h"

#include <string.h>

#define STRIDE 0.5  // spacings that anything moves before foam looks at the liquid anew
#define LASTS  10.0 // times that the liquid takes to fall, for foam

enum { POSITION, VELOCITY, KIND, AGE, LIFE, ID };

static bool describe(OndFields *f)
{
    const unsigned kept = OND_FIELD_STATE | OND_FIELD_FRAME;
    return ond_fields_add(f, "position", "m", OND_F32, 3, kept) == POSITION &&
           ond_fields_add(f, "velocity", "m/s", OND_F32, 3, kept) == VELOCITY &&
           ond_fields_add(f, "kind", "", OND_U32, 1, kept) == KIND &&
           ond_fields_add(f, "age", "s", OND_F32, 1, kept) == AGE &&
           ond_fields_add(f, "life", "s", OND_F32, 1, kept) == LIFE &&
           ond_fields_add(f, "id", "", OND_U32, 1, kept) == ID;
}

void ond_foam_bind(OndFoam *foam)
{
    const OndField *const f = foam->particles.field;
    memcpy(foam->x, f[POSITION].data, sizeof foam->x);
    memcpy(foam->v, f[VELOCITY].data, sizeof foam->v);
    foam->kind = f[KIND].data[0];
    foam->age = f[AGE].data[0];
    foam->life = f[LIFE].data[0];
    foam->id = f[ID].data[0];
}

OndFoam *ond_foam_create(const OndWorld *world, const float *wall_at, OndError *err)
{
    OndFoam *const foam = OND_NEW(OndFoam);
    if (foam && describe(&foam->particles)) {
        foam->world = world;
        foam->def = world->foam;
        foam->wall_at = wall_at;
        return foam;
    }
    ond_foam_free(foam);
    ond_fail(err, OND_NO_MEMORY, "not enough memory for foam");
    return NULL;
}

void ond_foam_free(OndFoam *foam)
{
    if (!foam) return;
    ond_fields_free(&foam->particles);
    ond_free(foam->trapped);
    for (int a = 0; a < 3; ++a)
        ond_free(foam->normal[a]);
    ond_free(foam->seeds);
    ond_free(foam);
}

OndFields *ond_foam_particles(OndFoam *foam)
{
    return &foam->particles;
}

double ond_foam_refused(const OndFoam *foam)
{
    return foam->refused;
}

size_t ond_foam_bytes(const OndFoam *foam)
{
    if (!foam) return 0;
    return (size_t)foam->particles.capacity * (size_t)ond_fields_bytes_each(&foam->particles) +
           (size_t)foam->room * (4 * sizeof(float) + sizeof(int));
}

const char *ond_foam_number(OndFoam *foam, int slot, double **value)
{
    double *const all[] = {&foam->next,  &foam->breaths, &foam->pending,
                           &foam->speed, &foam->fastest, &foam->refused};
    static const char *const names[] = {"foam_next",  "foam_breaths", "foam_pending",
                                        "foam_speed", "foam_fastest", "foam_refused"};
    if (slot >= OND_COUNT(all)) return NULL;
    *value = all[slot];
    return names[slot];
}

static double gravity_of(const OndWorld *w)
{
    const float *const g = w->gravity;
    return sqrt((double)g[0] * g[0] + (double)g[1] * g[1] + (double)g[2] * g[2]);
}

void ond_foam_set_speed(OndFoam *foam, double speed)
{
    foam->speed = foam->def.speed > 0.0f ? foam->def.speed : speed;
}

// Where the scene does not say it foam lasts as long as some falls from the liquid's height take:
// scenes of any size then look alike.
double ond_foam_lifetime(const OndFoam *foam)
{
    const double g = gravity_of(foam->world);
    if (foam->def.lifetime > 0.0f) return foam->def.lifetime;
    return g > 0.0 ? LASTS * foam->speed / g : LASTS;
}

// All fields have values of four bytes.
void ond_foam_close_gaps(OndFoam *foam)
{
    OndFields *const f = &foam->particles;
    int kept = 0;
    for (int i = 0; i < f->count; ++i) {
        if (foam->life[i] < 0.0f) continue;
        for (int k = 0; k < f->field_count && kept < i; ++k)
            for (int c = 0; c < f->field[k].components; ++c) {
                char *const data = f->field[k].data[c];
                memcpy(data + 4 * (size_t)kept, data + 4 * (size_t)i, 4);
            }
        ++kept;
    }
    f->count = kept;
}

// ---- looking at the liquid

static double top_speed(const OndFoam *foam)
{
    double most = 0.0;
    for (int i = 0; i < foam->particles.count; ++i) {
        const double v2 = (double)foam->v[0][i] * foam->v[0][i] +
                          (double)foam->v[1][i] * foam->v[1][i] +
                          (double)foam->v[2][i] * foam->v[2][i];
        most = fmax(most, v2);
    }
    return sqrt(most);
}

// What is this far from all liquid does not come back: needed where no wall stops it.
static OndBox stray_box(const OndFoamLiquid *liquid)
{
    const OndBox box = ond_cells_box(liquid->cells);
    return ond_box_widen(box, ond_length(ond_sub(box.max, box.min)));
}

OndStatus ond_foam_breathe(OndFoam *foam, const OndFoamLiquid *liquid, double dt, OndError *err)
{
    const double fastest = fmax(fmax(liquid->fastest, foam->fastest), foam->def.rise);
    foam->pending += dt;
    foam->stray = stray_box(liquid);
    ond_foam_bind(foam); // a checkpoint may have brought others
    if (fastest * foam->pending < STRIDE * foam->world->spacing) return OND_OK;
    const double since = foam->pending;
    foam->breaths += 1.0;
    foam->pending = 0.0;
    const OndStatus status = ond_foam_seed(foam, liquid, since, err);
    if (status != OND_OK) return status;
    ond_foam_follow(foam, liquid, since);
    foam->fastest = top_speed(foam);
    return OND_OK;
}

// ---- going on

typedef struct FoamDrift {
    OndFoam *foam;
    float dt;
    float kept, gain, fall; // v' = kept v + gain g, x' = x + gain v + fall g of a droplet in air
    OndStopping stopping;
} FoamDrift;

// The air takes a share of the speed: v' = g - k v, exactly.
static FoamDrift drift_of(OndFoam *foam, double dt)
{
    const double k = foam->def.air_drag, spacing = foam->world->spacing;
    const bool drags = k * dt > 1e-6;
    const double gain = drags ? -expm1(-k * dt) / k : dt;
    return (FoamDrift){
        .foam = foam,
        .dt = (float)dt,
        .kept = drags ? (float)exp(-k * dt) : 1.0f,
        .gain = (float)gain,
        .fall = (float)(drags ? (dt - gain) / k : 0.5 * dt * dt),
        .stopping = {foam->world->solids, foam->wall_at, spacing, OND_FOAM_RADIUS * spacing, dt}};
}

// Where it goes when nothing is in its way.
static void aim(const FoamDrift *d, int i, float to[3], float v[3])
{
    const OndFoam *const foam = d->foam;
    const bool flies = foam->kind[i] == OND_SPRAY;
    for (int a = 0; a < 3; ++a) {
        const float g = a < foam->world->dimension ? foam->world->gravity[a] : 0.0f;
        const float x = foam->x[a][i], u = foam->v[a][i];
        to[a] = flies ? x + (d->gain * u + d->fall * g) : x + d->dt * u;
        v[a] = flies ? d->kept * u + d->gain * g : u;
    }
}

// At a wall it stays, and slides; true when it met one.
static bool meet_walls(const OndFoam *foam, float to[3], float v[3])
{
    bool met = false;
    for (int a = 0; a < foam->world->dimension; ++a) {
        const float low = foam->wall_at[2 * a], high = foam->wall_at[2 * a + 1];
        if (to[a] >= low && to[a] <= high) continue;
        to[a] = fminf(fmaxf(to[a], low), high);
        v[a] = 0.0f;
        met = true;
    }
    return met;
}

static bool meet_solids(const FoamDrift *d, int i, float to[3], float v[3])
{
    const OndFoam *const foam = d->foam;
    const OndVec from = ond_vec(foam->x[0][i], foam->x[1][i], foam->x[2][i]);
    OndVec at = ond_vec(to[0], to[1], to[2]), speed = ond_vec(v[0], v[1], v[2]);
    OndHit hit;
    if (!ond_stopping_stop(&d->stopping, from, &at, &speed, &hit)) return false;
    for (int a = 0; a < 3; ++a)
        to[a] = (float)ond_axis(at, a), v[a] = (float)ond_axis(speed, a);
    return true;
}

static bool is_in(const OndBox *box, const float at[3], int axis)
{
    return at[axis] >= ond_axis(box->min, axis) && at[axis] <= ond_axis(box->max, axis);
}

// Round a periodic axis; false when it has left through an open side, or has gone too far.
static bool keep_inside(const OndFoam *foam, float to[3])
{
    const OndWorld *const w = foam->world;
    bool inside = isfinite(to[0] + to[1] + to[2]);
    for (int a = 0; a < w->dimension && inside; ++a) {
        const OndSide *const below = &w->side[2 * a];
        const float low = (float)ond_axis(w->box.min, a), high = (float)ond_axis(w->box.max, a);
        if (below->kind == OND_SIDE_PERIODIC) to[a] = ond_motion_wrap(to[a], low, high);
        inside = is_in(&foam->stray, to, a) || below->kind == OND_SIDE_PERIODIC;
    }
    return inside;
}

// Foam bursts in time, and so does what lies on a wall where no liquid is.
static void drift_range(int first, int last, int worker, void *context)
{
    const FoamDrift *const d = context;
    OndFoam *const foam = d->foam;
    (void)worker;
    for (int i = first; i < last; ++i) {
        float to[3], v[3];
        aim(d, i, to, v);
        bool met = meet_walls(foam, to, v);
        if (foam->world->solids) met |= meet_solids(d, i, to, v);
        foam->age[i] += d->dt;
        if (foam->kind[i] == OND_FOAM || (met && foam->kind[i] == OND_SPRAY))
            foam->life[i] -= d->dt;
        if (!keep_inside(foam, to)) foam->life[i] = -1.0f;
        for (int a = 0; a < 3; ++a)
            foam->x[a][i] = to[a], foam->v[a][i] = v[a];
    }
}

void ond_foam_drift(OndFoam *foam, double dt)
{
    FoamDrift drift = drift_of(foam, dt);
    ond_parallel_for(foam->particles.count, OND_FOAM_GRAIN, drift_range, &drift);
    ond_foam_close_gaps(foam);
}
