// SPDX-License-Identifier: MIT
#include "sim/emitter.h"

#define GOLDEN_ANGLE  2.399963229728653  // rad
#define STRIDE_ACROSS 0.7548776662466927 // of the sequence that fills a square most evenly
#define SHIFT         0.25               // spacings: most that a layer is shifted
#define STRIDE_UP     0.5698402909980532
#define CLEAR         0.25 // spacings from a face, at least; of grains the radius
#define GRAIN         0.5
#define AHEAD         0.01  // spacings: so far in front of a mouth in a face is outside for sure
#define LEAVES        0.5   // cosine between a face's normal and the way of who leaves it
#define FULL          1.1   // times the rest density: a pool has 1.02 at most, jets have 1.06
#define ROOMY         1.05  // of a shut emitter: there is room again
#define SWING         2.0   // times its compression at rest: what starts without any reaches that
#define UPRIGHT       0.999 // cosine: what is nearer to the vertical counts as vertical

bool ond_emitter_in_mouth(const OndEmitter *e, double a, double u)
{
    const OndEmitterDef *d = e->def;
    if (d->shape == OND_EMITTER_DISC) return a * a + u * u <= d->radius * d->radius;
    return fabs(a) <= 0.5 * d->width && fabs(u) <= 0.5 * d->height;
}

// Place of the k-th of n lattice points round the middle, m.
static double lattice(const OndEmitter *e, int k, int n)
{
    return (k - 0.5 * (n - 1)) * e->spacing;
}

// How many particles a layer has, and how far it may be shifted so that all stay in the mouth.
static void measure_layer(OndEmitter *e)
{
    double far = 0;
    for (int u = 0; u < e->up_count; ++u)
        for (int a = 0; a < e->across_count; ++a) {
            const double along = lattice(e, a, e->across_count), above = lattice(e, u, e->up_count);
            if (!ond_emitter_in_mouth(e, along, above)) continue;
            ++e->layer_count;
            far = fmax(far, hypot(along, above));
        }
    const bool disc = e->def->shape == OND_EMITTER_DISC && e->dimension == 3;
    const double room = disc ? (e->def->radius - far) / sqrt(2.0) : e->spacing;
    e->slack = fmax(0.0, fmin(SHIFT * e->spacing, room));
}

// Particles fill the mouth as far as their lattice does, a grid all of it.
static double area_of(const OndEmitterDef *d, bool flat)
{
    if (d->shape == OND_EMITTER_DISC) return flat ? 2.0 * d->radius : M_PI * d->radius * d->radius;
    return flat ? d->width : d->width * d->height;
}

// At the floor of a domain that is full, g H / c^2; twice as much while a pool swings that was not
// settled. An automatic c keeps that under 2 %.
static double weight_squeeze(const OndSceneDef *scene)
{
    const OndMethod *const method = ond_scene_method(scene);
    const double c = method->sound ? method->sound(scene->method.def) : 0.0;
    const OndVec wide = ond_sub(scene->domain.max, scene->domain.min);
    double drop = 0.0;
    if (!(c > 0.0) || !scene->has_domain) return 0.0;
    for (int a = 0; a < scene->dimension; ++a)
        drop += fabs(ond_axis(scene->gravity, a)) * ond_axis(wide, a);
    return SWING * drop / (c * c);
}

OndEmitter ond_emitter_make(const OndSceneDef *scene, const OndEmitterDef *def)
{
    OndEmitter e = {.def = def,
                    .spacing = scene->spacing,
                    .dimension = scene->dimension,
                    .squeeze = 1.0,
                    .shut_first = -1.0};
    const OndFluidDef *fluid = ond_scene_fluid(scene, def->material);
    e.temperature = fluid->temperature;
    e.period = ond_scene_period(scene);
    const bool flat = scene->dimension == 2, upright = fabs(def->direction.y) > UPRIGHT;
    // a mouth that looks up or down is as wide along x; any other one along the ground
    const OndVec side = flat ? ond_vec(0, 0, 1) : upright ? ond_vec(0, 0, 1) : ond_vec(0, 1, 0);
    e.across = ond_unit(ond_cross(def->direction, side));
    e.up = ond_cross(e.across, def->direction);
    const bool disc = def->shape == OND_EMITTER_DISC;
    const double wide = disc ? 2 * def->radius : def->width,
                 high = disc ? 2 * def->radius : def->height;
    e.across_count = (int)fmax(1.0, floor(wide / e.spacing + 1e-6));
    e.up_count = flat ? 1 : (int)fmax(1.0, floor(high / e.spacing + 1e-6));
    measure_layer(&e);
    const OndMethod *const method = ond_scene_method(scene);
    e.clear = (method->grains ? GRAIN : CLEAR) * e.spacing;
    e.weight = weight_squeeze(scene);
    e.depth = (method->support ? method->support(scene->method.def) : 2.0) * e.spacing;
    const double area = scene->has_grid
                            ? area_of(def, flat)
                            : e.layer_count * (flat ? e.spacing : e.spacing * e.spacing);
    e.speed = area > 0.0 ? def->rate / area : 0.0;
    return e;
}

double ond_emitter_layers(const OndEmitter *e, double until)
{
    const double end = fmin(until, e->def->to);
    if (!(e->speed > 0.0) || end < e->def->from) return 0;
    return floor((end - e->def->from) * e->speed / e->spacing * (1 + 1e-12)) + 1 - e->poured;
}

double ond_emitter_energy(const OndEmitter *e, const OndSceneDef *scene)
{
    double sum = 0.5 * e->speed * e->speed;
    for (int a = 0; a < scene->dimension; ++a) {
        const double g = ond_axis(scene->gravity, a), at = ond_axis(e->def->center, a);
        const int side = 2 * a + (g < 0.0 ? 0 : 1);
        if (!scene->has_domain || scene->domain.side[side].kind != OND_SIDE_WALL) continue;
        sum += fabs(g) * fabs(at - (g < 0.0 ? ond_axis(scene->domain.min, a)
                                            : ond_axis(scene->domain.max, a)));
    }
    return sum;
}

void ond_emitter_hold(const OndEmitter *e, double time, OndFields *fields)
{
    if (e->shut || e->closed || e->poured < 1 || time > e->def->to + e->depth / e->speed) return;
    float *const *x = (float *const *)ond_fields_find(fields, "position")->data;
    float *const *v = (float *const *)ond_fields_find(fields, "velocity")->data;
    const OndField *memory = ond_fields_find(fields, "acceleration");
    const OndVec d = e->def->direction;
    for (int i = 0; i < fields->count; ++i) {
        const OndVec from = ond_sub(ond_vec(x[0][i], x[1][i], x[2][i]), e->def->center);
        const double along = ond_dot(from, d);
        if (along < -e->spacing || along > e->depth) continue;
        if (!ond_emitter_in_mouth(e, ond_dot(from, e->across), ond_dot(from, e->up))) continue;
        for (int a = 0; a < 3; ++a) {
            v[a][i] = (float)(e->speed * ond_axis(d, a));
            if (memory) ((float *)memory->data[a])[i] = 0.0f;
        }
    }
}

// Mean of density over rest density in and round the mouth, a kernel wide; 0: nothing is there.
static double squeeze(const OndEmitter *e, const OndSceneDef *scene, const OndFields *fields,
                      const float *density)
{
    const OndEmitterDef *const d = e->def;
    float *const *x = (float *const *)ond_fields_find(fields, "position")->data;
    const uint32_t *const material = ond_fields_find(fields, "material")->data[0];
    const bool disc = d->shape == OND_EMITTER_DISC;
    const double high = e->dimension == 3 ? d->height : 0.0;
    const double reach = (disc ? d->radius : 0.5 * hypot(d->width, high)) + 2.0 * e->depth;
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < fields->count; ++i) {
        const OndVec from = ond_sub(ond_vec(x[0][i], x[1][i], x[2][i]), d->center);
        if (ond_dot(from, from) > reach * reach) continue;
        sum += density[i] / ond_scene_fluid(scene, (int)material[i])->density;
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

void ond_emitter_watch(OndEmitter *e, const OndSceneDef *scene, double time, double dt,
                       const OndFields *fields)
{
    const OndField *const density = ond_fields_find(fields, "density");
    if (!density || !(e->speed > 0.0) || time < e->def->from || time > e->def->to) return;
    // over the time in which half a mouthful comes out: a jet that hits the floor squeezes for an
    // instant
    const double share = dt / (dt + 0.5 * e->depth / e->speed);
    e->squeeze += share * (squeeze(e, scene, fields, density->data[0]) - e->squeeze);
    if (e->shut) e->shut_s += dt;
    e->shut = e->squeeze > (e->shut ? ROOMY : FULL) + e->weight;
    if (e->shut && e->shut_first < 0.0) e->shut_first = time;
}

static void put_particle(const OndEmitter *e, OndFields *fields, OndVec at)
{
    float *const *x = (float *const *)ond_fields_find(fields, "position")->data;
    float *const *v = (float *const *)ond_fields_find(fields, "velocity")->data;
    const int i = fields->count++;
    for (int a = 0; a < 3; ++a) {
        x[a][i] = (float)ond_axis(at, a);
        v[a][i] = (float)(e->speed * ond_axis(e->def->direction, a));
    }
    ((float *)ond_fields_find(fields, "temperature")->data[0])[i] = (float)e->temperature;
    ((uint32_t *)ond_fields_find(fields, "material")->data[0])[i] = (uint32_t)e->def->material;
    const OndField *held = ond_fields_find(fields, "held");
    if (held) ((uint32_t *)held->data[0])[i] = 0;
}

// Layers are not alike: each is shifted a little, and in a disc turned against the last by the
// golden angle.
static OndVec place_in_layer(const OndEmitter *e, double along, double above)
{
    const bool disc = e->def->shape == OND_EMITTER_DISC && e->dimension == 3;
    const double angle = disc ? fmod(e->poured * GOLDEN_ANGLE, 2.0 * M_PI) : 0.0;
    const double c = cos(angle), s = sin(angle), shift = 2.0 * e->slack;
    const double a = fmod(e->poured * STRIDE_ACROSS, 1.0) - 0.5,
                 u = e->up_count > 1 || disc ? fmod(e->poured * STRIDE_UP, 1.0) - 0.5 : 0.0;
    return ond_add(ond_scale(e->across, c * along - s * above + shift * a),
                   ond_scale(e->up, s * along + c * above + shift * u));
}

// ---- what solids leave open

typedef enum Cover { COVER_NONE, COVER_SOME, COVER_ALL } Cover;

// Of a layer round a point. Where no face is near, all of it is where its middle is.
static Cover cover_of(const OndEmitter *e, const OndSimSolids *solids, OndVec middle)
{
    const OndEmitterDef *const d = e->def;
    const bool disc = d->shape == OND_EMITTER_DISC;
    const double high = e->dimension == 3 ? d->height : 0.0;
    const double wide = (disc ? d->radius : 0.5 * hypot(d->width, high)) + e->spacing;
    const OndVec half = ond_vec(wide, wide, e->dimension == 3 ? wide : 0.0);
    const OndBox box = {ond_sub(middle, half), ond_add(middle, half)};
    if (!solids || solids->count == 0) return COVER_NONE;
    if (ond_solids_may_touch(solids->solids, box, e->clear)) return COVER_SOME;
    return ond_sim_solids_block(solids, middle, 0.0, NULL) ? COVER_ALL : COVER_NONE;
}

static OndVec ahead_of(const OndEmitter *e, OndVec at)
{
    return ond_add(at, ond_scale(e->def->direction, AHEAD * e->spacing));
}

static bool is_kept_out(const OndEmitter *e, const OndSimSolids *solids, OndVec at, int *which)
{
    OndTouch touch[OND_TOUCHES_MAX];
    if (ond_sim_solids_block(solids, at, 0.0, which)) return true;
    const int faces = ond_solids_near(solids->solids, at, e->clear, touch);
    for (int k = 0; k < faces; ++k) {
        *which = touch[k].solid;
        if (ond_dot(touch[k].normal, e->def->direction) < LEAVES) return true;
    }
    return false;
}

int ond_emitter_covered(const OndEmitter *e, const OndSimSolids *solids, int *which)
{
    int covered = 0;
    *which = -1;
    for (int k = 0; k < e->across_count * e->up_count; ++k) {
        const double along = lattice(e, k % e->across_count, e->across_count),
                     above = lattice(e, k / e->across_count, e->up_count);
        const OndVec off = ond_add(ond_scale(e->across, along), ond_scale(e->up, above));
        int who = -1;
        if (!ond_emitter_in_mouth(e, along, above)) continue;
        if (!is_kept_out(e, solids, ahead_of(e, ond_add(e->def->center, off)), &who)) continue;
        *which = who;
        ++covered;
    }
    return covered;
}

// ---- pouring

static void pour_layer(OndEmitter *e, double time, const OndSimSolids *solids, OndFields *fields)
{
    const double due = e->def->from + e->poured * e->spacing / e->speed;
    const OndVec middle =
        ond_add(e->def->center, ond_scale(e->def->direction, e->speed * (time - due)));
    const Cover cover = cover_of(e, solids, middle);
    for (int u = 0; u < e->up_count && cover != COVER_ALL; ++u)
        for (int a = 0; a < e->across_count; ++a) {
            const double along = lattice(e, a, e->across_count), above = lattice(e, u, e->up_count);
            if (!ond_emitter_in_mouth(e, along, above)) continue;
            OndVec at = ond_add(middle, place_in_layer(e, along, above));
            int which = -1;
            if (cover == COVER_SOME) at = ahead_of(e, at);
            if (cover == COVER_SOME && is_kept_out(e, solids, at, &which)) continue;
            put_particle(e, fields, at);
        }
    e->poured += 1;
}

OndStatus ond_emitter_pour(OndEmitter *e, double time, const OndSimSolids *solids,
                           OndFields *fields, OndError *err)
{
    if (e->shut || e->closed)
        e->poured += fmax(0.0, ond_emitter_layers(e, time)); // what was due is lost
    for (double layers = ond_emitter_layers(e, time); layers >= 1; layers -= 1) {
        if (fields->count + e->layer_count > fields->capacity) {
            const OndStatus status =
                ond_fields_reserve(fields, fields->count + fields->count / 2 + e->layer_count, err);
            if (status != OND_OK) return status;
        }
        pour_layer(e, time, solids, fields);
    }
    return OND_OK;
}
