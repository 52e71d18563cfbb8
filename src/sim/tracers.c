// SPDX-License-Identifier: MIT
#include "sim/tracers.h"

#include "base/parallel.h"
#include "base/random.h"
#include "sim/scene/scene_limits.h"
#include "sim/scene/scene_shape.h"
#include "solids/scene/solid_clearance.h"

#include <stdio.h>
#include <string.h>

#define TRIES   256  // for a random place inside a shape
#define RADIUS  0.1  // cells: how near to a surface one may come
#define INSIDE  1e-3 // cells: and to a wall
#define GRAIN   1024
#define MOST    100000000.0
#define NAME_AT "tracer_%d"

struct OndTracerSource {
    const OndTracerDef *def;
    OndShape *shape;
    OndBox box; // of the shape, within the domain
    double put; // that were due so far
    bool begun; // what there is at the start was put in
    char name[32], begun_name[32];
};

enum { POSITION, VELOCITY, AGE, SECTION, ID };

static int count_of(const OndTracers *t)
{
    return t->scene ? t->scene->tracers.count : 0;
}

// ---- making

static OndBox meet(OndBox a, OndBox b, bool flat)
{
    OndBox box = ond_box_meet(a, b);
    if (flat) box.min.z = box.max.z = 0.0;
    return box;
}

static OndStatus make_source(OndTracers *t, int index, const OndAssets *assets, OndError *err)
{
    OndTracerSource *const s = &t->source[index];
    const OndDomainDef *const d = &t->scene->domain;
    s->def = ond_scene_tracer(t->scene, index);
    snprintf(s->name, sizeof s->name, NAME_AT, index);
    snprintf(s->begun_name, sizeof s->begun_name, NAME_AT "_begun", index);
    const OndStatus status =
        ond_scene_shape(t->scene, &s->def->shape, assets, &t->arena, &s->shape, err);
    if (status != OND_OK) return status;
    s->box = meet(ond_shape_bounds(s->shape), (OndBox){d->min, d->max}, t->scene->dimension == 2);
    if (s->box.min.x <= s->box.max.x && s->box.min.y <= s->box.max.y &&
        s->box.min.z <= s->box.max.z)
        return OND_OK;
    return ond_tree_fail(&t->scene->tree, s->def->shape.node, err,
                         "these tracers start outside the domain; move their shape into it");
}

static OndStatus add_fields(OndFields *f, OndError *err)
{
    const unsigned kept = OND_FIELD_STATE | OND_FIELD_FRAME;
    if (ond_fields_add(f, "position", "m", OND_F32, 3, kept) == POSITION &&
        ond_fields_add(f, "velocity", "m/s", OND_F32, 3, kept) == VELOCITY &&
        ond_fields_add(f, "age", "s", OND_F32, 1, kept) == AGE &&
        ond_fields_add(f, "tracer", "", OND_U32, 1, kept) == SECTION &&
        ond_fields_add(f, "id", "", OND_U32, 1, kept) == ID)
        return OND_OK;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for tracers");
}

OndStatus ond_tracers_make(const OndSceneDef *scene, const OndAssets *assets,
                           const OndSimSolids *solids, OndTracers *out, OndError *err)
{
    memset(out, 0, sizeof *out);
    out->scene = scene;
    out->solids = solids;
    if (scene->tracers.count == 0) return OND_OK;
    out->source = ond_arena_take(&out->arena, (size_t)scene->tracers.count * sizeof *out->source);
    if (!out->source) return ond_fail(err, OND_NO_MEMORY, "not enough memory for tracers");
    OndStatus status = add_fields(&out->particles, err);
    for (int k = 0; k < scene->tracers.count && status == OND_OK; ++k)
        status = make_source(out, k, assets, err);
    return status;
}

void ond_tracers_free(OndTracers *t)
{
    ond_fields_free(&t->particles);
    ond_arena_free(&t->arena);
    memset(t, 0, sizeof *t);
}

// ---- where they can be

static bool is_free(const OndTracers *t, OndVec at)
{
    const double h = t->scene->spacing;
    return t->solids->count == 0 || ond_solid_clearance_all(t->solids, at) > 1.5 * RADIUS * h;
}

static bool find_place(const OndTracers *t, const OndTracerSource *s, double number, OndVec *out)
{
    const bool flat = t->scene->dimension == 2;
    const uint64_t key = ond_scramble((uint64_t)s->def->seed << 32 ^ (uint64_t)(s - t->source)) ^
                         (uint64_t)(int64_t)number;
    for (uint64_t k = 0; k < TRIES; ++k) {
        const OndVec size = ond_sub(s->box.max, s->box.min);
        const OndVec at = ond_vec(s->box.min.x + size.x * ond_random(key, 3 * k),
                                  s->box.min.y + size.y * ond_random(key, 3 * k + 1),
                                  s->box.min.z + size.z * ond_random(key, 3 * k + 2));
        if (!(ond_shape_distance(s->shape, at, flat) < 0.0) || !is_free(t, at)) continue;
        *out = at;
        return true;
    }
    return false;
}

static void put(OndTracers *t, const OndTracerSource *s, const OndStream *stream, OndVec at)
{
    OndFields *const f = &t->particles;
    const int i = f->count++;
    const OndVec v = ond_stream_at(stream, at);
    for (int a = 0; a < 3; ++a) {
        ((float *)f->field[POSITION].data[a])[i] = (float)ond_axis(at, a);
        ((float *)f->field[VELOCITY].data[a])[i] = (float)ond_axis(v, a);
    }
    ((float *)f->field[AGE].data[0])[i] = 0.0f;
    ((uint32_t *)f->field[SECTION].data[0])[i] = (uint32_t)(s - t->source);
    ((uint32_t *)f->field[ID].data[0])[i] = (uint32_t)fmod(t->next, 4294967296.0);
    t->next += 1.0;
}

static OndStatus make_room(OndTracers *t, double more, OndError *err)
{
    const double needed = t->particles.count + more;
    if (needed <= t->particles.capacity) return OND_OK;
    if (needed > MOST)
        return ond_fail(err, OND_NO_MEMORY,
                        "there would be %.3g million tracers at once, and at most %.0f million are "
                        "taken; lower `rate`, or give them a `life`",
                        needed * 1e-6, MOST * 1e-6);
    return ond_fields_reserve(&t->particles, (int)fmin(MOST, needed + t->particles.count / 2 + 64),
                              err);
}

// ---- a step

typedef struct TracerMove {
    OndTracers *t;
    const OndStream *stream;
    double dt, radius;
} TracerMove;

// Round a periodic axis, back from a wall; false when it has left. A side through which fluid is
// drawn off lets tracers go, too.
static bool keep_inside(const OndSceneDef *scene, OndVec *at)
{
    const OndDomainDef *const d = &scene->domain;
    double x[3] = {at->x, at->y, at->z};
    for (int a = 0; a < scene->dimension; ++a) {
        const double low = ond_axis(d->min, a), high = ond_axis(d->max, a);
        const double rim = INSIDE * scene->spacing;
        if (d->axis[a] == OND_SIDE_PERIODIC) {
            x[a] -= (high - low) * floor((x[a] - low) / (high - low));
            continue;
        }
        const OndSide *const below = &d->side[2 * a], *const above = below + 1;
        if (x[a] < low && (below->kind == OND_SIDE_OPEN || below->velocity[a] < 0.0f)) return false;
        if (x[a] > high && (above->kind == OND_SIDE_OPEN || above->velocity[a] > 0.0f))
            return false;
        x[a] = fmin(fmax(x[a], low + rim), high - rim);
    }
    *at = ond_vec(x[0], x[1], scene->dimension == 3 ? x[2] : 0.0);
    return isfinite(x[0] + x[1] + x[2]);
}

static bool move_one(const TracerMove *m, int i)
{
    OndFields *const f = &m->t->particles;
    float *const *const x = (float *const *)f->field[POSITION].data;
    float *const age = f->field[AGE].data[0];
    const uint32_t section = ((const uint32_t *)f->field[SECTION].data[0])[i];
    const double life = m->t->source[section].def->life;
    const OndVec from = ond_vec(x[0][i], x[1][i], x[2][i]);
    OndVec to = ond_stream_carry(m->stream, from, m->dt);
    OndVec v = ond_stream_at(m->stream, to);
    OndHit hit;
    if (m->t->solids->count > 0)
        ond_solids_stop(m->t->solids->solids, from, &to, &v, m->radius, m->dt, &hit);
    age[i] += (float)m->dt;
    if (life > 0.0 && age[i] > life) return false;
    if (!keep_inside(m->t->scene, &to)) return false;
    for (int a = 0; a < 3; ++a) {
        x[a][i] = (float)ond_axis(to, a);
        ((float *)f->field[VELOCITY].data[a])[i] = (float)ond_axis(v, a);
    }
    return true;
}

// One that goes is marked by its age.
static void move_rows(int first, int last, int worker, void *context)
{
    const TracerMove *const m = context;
    float *const age = m->t->particles.field[AGE].data[0];
    (void)worker;
    for (int i = first; i < last; ++i)
        if (!move_one(m, i)) age[i] = -1.0f;
}

// All fields have values of four bytes.
static void close_gaps(OndFields *f)
{
    const float *const age = f->field[AGE].data[0];
    int kept = 0;
    for (int i = 0; i < f->count; ++i) {
        if (age[i] < 0.0f) continue;
        for (int k = 0; k < f->field_count && kept < i; ++k)
            for (int c = 0; c < f->field[k].components; ++c) {
                char *const data = f->field[k].data[c];
                memcpy(data + 4 * (size_t)kept, data + 4 * (size_t)i, 4);
            }
        ++kept;
    }
    f->count = kept;
}

void ond_tracers_move(OndTracers *t, const OndStream *stream, double dt)
{
    TracerMove m = {t, stream, dt, RADIUS * t->scene->spacing};
    if (t->particles.count == 0) return;
    ond_parallel_for(t->particles.count, GRAIN, move_rows, &m);
    close_gaps(&t->particles);
}

// ---- pouring

static OndStatus put_random(OndTracers *t, const OndTracerSource *s, const OndStream *stream,
                            double first, double last, OndError *err)
{
    const OndStatus status = make_room(t, fmax(last - first, 0.0), err);
    OndVec at;
    for (double k = first; k < last && status == OND_OK; k += 1.0)
        if (find_place(t, s, k, &at)) put(t, s, stream, at);
    return status;
}

// Those from number `first` to before `last` of a rate. Each was due at a time of its own and has
// gone along since: else those of a long step would come as a clump.
static OndStatus put_poured(OndTracers *t, const OndTracerSource *s, const OndStream *stream,
                            double first, double last, double time, OndError *err)
{
    OndStatus status = OND_OK;
    for (double k = first; k < last && status == OND_OK; k += 1.0) {
        const int before = t->particles.count;
        const double age = fmax(time - s->def->from - (k + 1.0) / s->def->rate, 0.0);
        const TracerMove m = {t, stream, age, RADIUS * t->scene->spacing};
        status = put_random(t, s, stream, k, k + 1.0, err);
        if (t->particles.count > before && !move_one(&m, before)) t->particles.count = before;
    }
    return status;
}

static bool in_box(const OndBox *b, OndVec p)
{
    return p.x > b->min.x && p.x < b->max.x && p.y > b->min.y && p.y < b->max.y;
}

static OndStatus put_lattice(OndTracers *t, const OndTracerSource *s, const OndStream *stream,
                             OndError *err)
{
    const bool flat = t->scene->dimension == 2;
    const long long count =
        ond_shape_sample(s->shape, s->def->spacing, flat, NULL, 0, (long long)MOST);
    if (count < 0 || count > MOST)
        return ond_tree_fail(&t->scene->tree, ond_scene_at(s->def->node, "spacing"), err,
                             "tracers %g m apart in this shape are too many to count; at most %.0f "
                             "million are taken",
                             s->def->spacing, MOST * 1e-6);
    float *const point = OND_NEW_ARRAY(float, 3 * count + 3);
    OndStatus status = make_room(t, (double)count, err);
    if (!point) status = ond_fail(err, OND_NO_MEMORY, "not enough memory for tracers");
    if (status == OND_OK)
        ond_shape_sample(s->shape, s->def->spacing, flat, point, count, (long long)MOST);
    for (long long k = 0; k < count && status == OND_OK; ++k) {
        const OndVec at = ond_vec(point[3 * k], point[3 * k + 1], flat ? 0.0 : point[3 * k + 2]);
        const bool deep = flat || (at.z > s->box.min.z && at.z < s->box.max.z);
        if (deep && in_box(&s->box, at) && is_free(t, at)) put(t, s, stream, at);
    }
    ond_free(point);
    return status;
}

static OndStatus begin(OndTracers *t, OndTracerSource *s, const OndStream *stream, OndError *err)
{
    const int before = t->particles.count;
    OndStatus status = OND_OK;
    s->begun = true;
    if (s->def->spacing > 0.0) status = put_lattice(t, s, stream, err);
    if (status == OND_OK && s->def->count > 0)
        status = put_random(t, s, stream, -s->def->count, 0.0, err);
    const bool some = s->def->spacing > 0.0 || s->def->count > 0;
    if (status != OND_OK || !some || t->particles.count > before) return status;
    return ond_tree_fail(&t->scene->tree, s->def->shape.node, err,
                         "no tracer fits here: the shape is too thin, or solids fill it");
}

OndStatus ond_tracers_pour(OndTracers *t, const OndStream *stream, double time, OndError *err)
{
    OndStatus status = OND_OK;
    for (int k = 0; k < count_of(t) && status == OND_OK; ++k) {
        OndTracerSource *const s = &t->source[k];
        if (time < s->def->from) continue;
        if (!s->begun) status = begin(t, s, stream, err);
        const double due = floor((fmin(time, s->def->to) - s->def->from) * s->def->rate + 1e-9);
        if (status == OND_OK) status = put_poured(t, s, stream, s->put, due, time, err);
        s->put = fmax(s->put, due);
    }
    return status;
}

// ---- checkpoints

void ond_tracers_save(const OndTracers *t, OndCheckpoint *to)
{
    if (count_of(t) > 0) ond_checkpoint_add(to, "tracers_next", t->next);
    for (int k = 0; k < count_of(t); ++k) {
        ond_checkpoint_add(to, t->source[k].name, t->source[k].put);
        ond_checkpoint_add(to, t->source[k].begun_name, t->source[k].begun);
    }
}

OndStatus ond_tracers_restore(OndTracers *t, const OndCheckpoint *from, OndError *err)
{
    if (count_of(t) == 0) return OND_OK;
    const OndStatus status = ond_checkpoint_restore(from, &t->particles, err);
    if (status != OND_OK) return status;
    t->next = ond_checkpoint_number(from, "tracers_next", 0);
    for (int k = 0; k < count_of(t); ++k) {
        t->source[k].put = ond_checkpoint_number(from, t->source[k].name, 0);
        t->source[k].begun = ond_checkpoint_number(from, t->source[k].begun_name, 0) != 0.0;
    }
    const uint32_t *const section = t->particles.field[SECTION].data[0];
    for (int i = 0; i < t->particles.count; ++i)
        if (section[i] >= (uint32_t)count_of(t))
            return ond_fail(err, OND_BAD_VALUE,
                            "the checkpoint is damaged: a tracer of section %u, and there are %d",
                            section[i], count_of(t));
    return OND_OK;
}

// ---- forecast

OndStatus ond_tracers_forecast(const OndSceneDef *scene, const OndAssets *assets, double *start,
                               double *poured, OndError *err)
{
    OndTracers t;
    const OndSimSolids none = {.scene = scene};
    *start = *poured = 0.0;
    const OndStatus status = ond_tracers_make(scene, assets, &none, &t, err);
    for (int k = 0; k < scene->tracers.count && status == OND_OK; ++k) {
        const OndTracerDef *const d = ond_scene_tracer(scene, k);
        const double time = fmin(d->to, scene->duration) - d->from;
        *start += d->count;
        if (d->spacing > 0.0)
            *start += fmax(0.0, (double)ond_shape_sample(t.source[k].shape, d->spacing,
                                                         scene->dimension == 2, NULL, 0,
                                                         (long long)MOST));
        *poured += fmax(time, 0.0) * d->rate;
    }
    ond_tracers_free(&t);
    return status;
}
