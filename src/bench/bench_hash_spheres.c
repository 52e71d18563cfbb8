// SPDX-License-Identifier: MIT
// Figures 2.8 and 2.9: small particles fall on 2000 fixed spheres.
//
// As in the source they are grains (DEM): they push each other where they overlap, and bounce off
// spheres, floor and walls. What is measured is what the source measures: putting spheres and
// particles into the structure by the boxes of their paths, finding the candidates of every
// particle, and testing those exactly.
#include "bench/bench_hash.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "physics/contact.h"

#include <string.h>

#define SPHERES       2000
#define SIDE          24.0   // m, of the domain
#define RADIUS        0x1p-7 // of a particle: its size is 2^-6
#define STEP          0.01   // s
#define BOUNCE        0.3    // share of speed that is left
#define STIFFNESS     1000.0 // of two particles, for a mass of 1 kg: what the step bears
#define PARTICLES     50000
#define STEPS_BETWEEN 60
#define EPOCHS        5 // times at which all structures are measured
#define QUICKEST      3 // of so many

typedef struct Ball {
    OndVec at;
    double radius;
} Ball;

typedef struct Fall {
    Ball sphere[SPHERES];
    OndVec *at, *velocity;
    OndBox *box; // of spheres, then of particles with their paths
    int particles;
    OndVec *to; // where each particle gets in a step, and which sphere stops it
    int *stop;
    OndVec *push;    // of the particles that touch it, m/s^2
    uint64_t *found; // how many candidates it has, and their sum
} Fall;

static OndVec random_place(int i, uint64_t stream)
{
    const uint64_t key = (uint64_t)i;
    return ond_vec(SIDE * (double)ond_random(key, stream),
                   SIDE * (double)ond_random(key, stream + 1),
                   SIDE * (double)ond_random(key, stream + 2));
}

static OndBox box_round(OndVec a, OndVec b, double r)
{
    return ond_box_widen(ond_box_add((OndBox){a, a}, b), r);
}

static bool inside_a_sphere(const Fall *f, OndVec at)
{
    for (int s = 0; s < SPHERES; ++s)
        if (ond_length(ond_sub(at, f->sphere[s].at)) < f->sphere[s].radius + RADIUS) return true;
    return false;
}

// Sizes 2^-4 to 2^2, as many of each; particles in the free space between them.
static void place(Fall *f)
{
    for (int s = 0; s < SPHERES; ++s) {
        f->sphere[s] = (Ball){random_place(s, 20), ldexp(0.5, s % 7 - 4)};
        f->box[s] = box_round(f->sphere[s].at, f->sphere[s].at, f->sphere[s].radius);
    }
    for (int i = 0, tried = 0; i < f->particles; ++tried) {
        const OndVec at = random_place(tried, 30);
        if (inside_a_sphere(f, at)) continue;
        f->velocity[i] = ond_vec(0, 0, 0);
        f->at[i++] = at;
    }
}

static OndVec target(const Fall *f, int i)
{
    return ond_add(f->at[i], ond_scale(f->velocity[i], STEP));
}

// ---- one step

static void find_paths(Fall *f)
{
    for (int i = 0; i < f->particles; ++i) {
        f->velocity[i].y -= 9.81 * STEP;
        f->box[SPHERES + i] = box_round(f->at[i], target(f, i), RADIUS);
    }
}

// The share of a step after which two balls touch; above 1: they do not.
static double meeting(OndVec from, OndVec move, const Ball *ball)
{
    const OndVec d = ond_sub(from, ball->at);
    const double reach = ball->radius + RADIUS;
    const double a = ond_dot(move, move), b = ond_dot(d, move), c = ond_dot(d, d) - reach * reach;
    const double root = b * b - a * c;
    if (b >= 0.0 || root < 0.0) return 2.0;
    return fmax(0.0, (-b - sqrt(root)) / a);
}

// What particle j does to particle i.
static OndVec push_of(const Fall *f, int i, int j, const OndContactLaw *law)
{
    const OndVec way = ond_sub(f->at[i], f->at[j]);
    const double distance = ond_length(way), overlap = 2.0 * RADIUS - distance;
    if (!(overlap > 0.0) || !(distance > 0.0)) return ond_vec(0, 0, 0);
    const OndVec n = ond_scale(way, 1.0 / distance);
    const double apart = ond_dot(ond_sub(f->velocity[i], f->velocity[j]), n);
    const float inertia = sqrtf(law->stiffness * ond_contact_mass(1.0f, 1.0f));
    return ond_scale(n, ond_contact_push(law, (float)overlap, (float)apart, inertia));
}

static void test_exactly(int question, const OndHits *hits, int worker, void *context)
{
    Fall *f = context;
    const OndContactLaw law = {.stiffness = (float)STIFFNESS,
                               .damping_share = (float)ond_contact_damping(BOUNCE)};
    OndVec push = {0, 0, 0};
    const OndVec move = ond_scale(f->velocity[question], STEP);
    double first = 1.0;
    int stop = -1;
    uint64_t sum = (uint64_t)hits->count << 32;
    for (int k = 0; k < hits->count; ++k) {
        sum += (uint64_t)hits->item[k];
        if (hits->item[k] >= SPHERES) {
            push = ond_add(push, push_of(f, question, hits->item[k] - SPHERES, &law));
            continue;
        }
        const double at = meeting(f->at[question], move, &f->sphere[hits->item[k]]);
        if (at < first) first = at, stop = hits->item[k];
    }
    f->found[question] = sum;
    f->push[question] = push;
    f->stop[question] = stop;
    f->to[question] = ond_add(f->at[question], ond_scale(move, first));
}

static void bounce_off(OndVec *velocity, OndVec normal)
{
    const double into = ond_dot(*velocity, normal);
    if (into < 0.0) *velocity = ond_sub(*velocity, ond_scale(normal, (1.0 + BOUNCE) * into));
}

static void move_all(Fall *f)
{
    for (int i = 0; i < f->particles; ++i) {
        OndVec at = f->to[i];
        const int stop = f->stop[i];
        if (stop >= 0) bounce_off(&f->velocity[i], ond_unit(ond_sub(at, f->sphere[stop].at)));
        if (at.y < RADIUS) bounce_off(&f->velocity[i], ond_vec(0, 1, 0));
        if (at.x < RADIUS) bounce_off(&f->velocity[i], ond_vec(1, 0, 0));
        if (at.x > SIDE - RADIUS) bounce_off(&f->velocity[i], ond_vec(-1, 0, 0));
        if (at.z < RADIUS) bounce_off(&f->velocity[i], ond_vec(0, 0, 1));
        if (at.z > SIDE - RADIUS) bounce_off(&f->velocity[i], ond_vec(0, 0, -1));
        at = ond_vec(fmin(fmax(at.x, RADIUS), SIDE - RADIUS), fmax(at.y, RADIUS),
                     fmin(fmax(at.z, RADIUS), SIDE - RADIUS));
        f->at[i] = at;
        f->velocity[i] = ond_add(f->velocity[i], ond_scale(f->push[i], STEP));
    }
}

// ---- measuring

typedef struct Measured {
    OndSpace *space[OND_SPACE_KINDS];
    OndHashRow *row[OND_SPACE_KINDS];
} Measured;

typedef struct Times {
    double build_ms, query_ms, core_ms;
} Times;
static const Times slow = {HUGE_VAL, HUGE_VAL, HUGE_VAL};

// One step's work of one structure; keeps the quickest times.
static OndStatus do_step(Fall *f, OndSpace *space, Times *t, OndError *err)
{
    const double start = ond_now_ms();
    OndStatus status = ond_space_set_boxes(space, f->box, SPHERES + f->particles, err);
    const double built = ond_now_ms(), before = ond_hash_core_ms();
    if (status == OND_OK)
        status = ond_space_touch_all(space, f->box + SPHERES, f->particles, test_exactly, f, err);
    t->build_ms = fmin(t->build_ms, built - start);
    t->query_ms = fmin(t->query_ms, ond_now_ms() - built);
    t->core_ms = fmin(t->core_ms, ond_hash_core_ms() - before);
    return status;
}

static OndStatus measure_epoch(Fall *f, Measured *m, int epochs, OndError *err)
{
    OndStatus status = OND_OK;
    for (int kind = 0; kind < OND_SPACE_KINDS && status == OND_OK; ++kind) {
        OndHashRow *row = m->row[kind];
        Times times = slow;
        for (int run = 0; run < QUICKEST && status == OND_OK; ++run)
            status = do_step(f, m->space[kind], &times, err);
        row->build_ms += times.build_ms / epochs, row->query_ms += times.query_ms / epochs;
        row->core_ms += times.core_ms / epochs;
        row->bytes = fmax(row->bytes, (double)ond_space_bytes(m->space[kind]));
        for (int i = 0; i < f->particles; ++i) {
            row->near += (double)(f->found[i] >> 32) / f->particles / epochs;
            row->check += f->found[i] * (uint64_t)(i % 1021 + 1);
        }
    }
    return status;
}

static OndStatus make_spaces(OndHashRows *rows, const Fall *f, Measured *m, OndError *err)
{
    for (int kind = 0; kind < OND_SPACE_KINDS; ++kind) {
        m->space[kind] = ond_space_create((OndSpaceKind)kind, 3, err);
        if (!m->space[kind]) return OND_NO_MEMORY;
        m->row[kind] = ond_hash_row(rows, "2.9", ond_space_name((OndSpaceKind)kind));
        m->row[kind]->dimension = 3, m->row[kind]->objects = SPHERES + f->particles;
        m->row[kind]->questions = f->particles, m->row[kind]->of = f->particles;
    }
    return OND_OK;
}

static OndStatus run(OndHashRows *rows, Fall *f, Measured *m, OndError *err)
{
    OndStatus status = make_spaces(rows, f, m, err);
    const int epochs = rows->quick ? 2 : EPOCHS, steps = rows->quick ? 10 : STEPS_BETWEEN;
    if (status == OND_OK) place(f);
    for (int step = 0; step <= (epochs - 1) * steps && status == OND_OK; ++step) {
        Times times = slow;
        find_paths(f);
        if (step % steps == 0) status = measure_epoch(f, m, epochs, err);
        if (status == OND_OK)
            status = do_step(f, m->space[OND_SPACE_HIERARCHICAL_GRID], &times, err);
        if (status == OND_OK) move_all(f);
    }
    for (int kind = 1; kind < OND_SPACE_KINDS && status == OND_OK; ++kind)
        rows->wrong |= m->row[kind]->check != m->row[0]->check;
    return status;
}

OndStatus ond_bench_hash_spheres(OndHashRows *rows, OndError *err)
{
    Measured m = {0};
    Fall *f = OND_NEW(Fall);
    if (!f) return ond_fail(err, OND_NO_MEMORY, "not enough memory for spheres");
    f->particles = rows->quick ? 2000 : PARTICLES;
    f->at = OND_NEW_ARRAY(OndVec, f->particles), f->velocity = OND_NEW_ARRAY(OndVec, f->particles);
    f->to = OND_NEW_ARRAY(OndVec, f->particles), f->stop = OND_NEW_ARRAY(int, f->particles);
    f->found = OND_NEW_ARRAY(uint64_t, f->particles);
    f->push = OND_NEW_ARRAY(OndVec, f->particles);
    f->box = OND_NEW_ARRAY(OndBox, SPHERES + f->particles);
    OndStatus status = OND_OK;
    if (!f->at || !f->velocity || !f->to || !f->stop || !f->found || !f->box || !f->push)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory for %d particles", f->particles);
    ond_bench_show("2.9", NULL);
    if (status == OND_OK) status = run(rows, f, &m, err);
    ond_bench_show(NULL, NULL);
    for (int kind = 0; kind < OND_SPACE_KINDS; ++kind)
        ond_space_destroy(m.space[kind]);
    ond_free(f->at), ond_free(f->velocity), ond_free(f->to), ond_free(f->stop);
    ond_free(f->found), ond_free(f->box), ond_free(f->push);
    ond_free(f);
    return status;
}
