// SPDX-License-Identifier: MIT
// What tests of solid and softened things look at: particles by name, momenta, lengths, pieces.
#ifndef OND_TESTS_SOLIDS_H
#define OND_TESTS_SOLIDS_H

#include "stage.h"

#include <stdarg.h>

// Opens a scene written as a format.
__attribute__((format(printf, 1, 2))) static inline Stage *stage_openf(const char *format, ...)
{
    char yaml[8192];
    va_list values;
    va_start(values, format);
    const int size = vsnprintf(yaml, sizeof yaml, format, values);
    va_end(values);
    assert_true(size > 0 && size < (int)sizeof yaml);
    return stage_open(yaml);
}

static inline const uint32_t *words_of(const Stage *s, const char *name)
{
    const OndField *f = ond_fields_find(&s->frame.particles, name);
    assert_non_null(f);
    return f->data[0];
}

static inline float *numbers_of(const Stage *s, const char *name)
{
    const OndField *f = ond_fields_find(&s->frame.particles, name);
    assert_non_null(f);
    return f->data[0];
}

static inline double density_of(const Stage *s, int i)
{
    return ond_scene_fluid(&s->scene, (int)words_of(s, "material")[i])->density;
}

// ---- where everybody was: by id, as particles are sorted in memory

typedef struct Past {
    int count;
    double (*x)[3];
    int *at; // index now, of an id; -1: gone
} Past;

static inline void past_find(Past *p, const Stage *s)
{
    const uint32_t *id = words_of(s, "id");
    for (int k = 0; k < p->count; ++k)
        p->at[k] = -1;
    for (int i = 0; i < s->count; ++i)
        if (id[i] < (uint32_t)p->count) p->at[id[i]] = i;
}

static inline Past past_of(const Stage *s)
{
    Past p = {0};
    const uint32_t *id = words_of(s, "id");
    for (int i = 0; i < s->count; ++i)
        if ((int)id[i] >= p.count) p.count = (int)id[i] + 1;
    p.x = calloc((size_t)p.count + 1, sizeof *p.x);
    p.at = calloc((size_t)p.count + 1, sizeof *p.at);
    past_find(&p, s);
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < 3; ++a)
            p.x[id[i]][a] = s->x[a][i];
    return p;
}

static inline void past_free(Past *p)
{
    free(p->x);
    free(p->at);
}

static inline double length_then(const Past *p, int k, int l)
{
    return sqrt(pow(p->x[k][0] - p->x[l][0], 2) + pow(p->x[k][1] - p->x[l][1], 2) +
                pow(p->x[k][2] - p->x[l][2], 2));
}

static inline double length_now(const Stage *s, int i, int j)
{
    double sum = 0;
    for (int a = 0; a < 3; ++a)
        sum += pow((double)s->x[a][i] - s->x[a][j], 2);
    return sqrt(sum);
}

// Largest change of a length that was at most `reach` spacings, in spacings, within one fluid.
static inline double worst_stretch(Past *p, const Stage *s, double reach, uint32_t fluid)
{
    const uint32_t *material = words_of(s, "material");
    const double spacing = s->scene.spacing;
    double worst = 0;
    past_find(p, s);
    for (int k = 0; k < p->count; ++k)
        for (int l = k + 1; l < p->count; ++l) {
            const int i = p->at[k], j = p->at[l];
            if (i < 0 || j < 0 || material[i] != fluid || material[j] != fluid) continue;
            const double then = length_then(p, k, l);
            if (then > reach * spacing) continue;
            worst = fmax(worst, fabs(length_now(s, i, j) - then) / spacing);
        }
    return worst;
}

// Farthest that a particle of the fluid is from where it was, spacings.
static inline double farthest_moved(Past *p, const Stage *s, uint32_t fluid)
{
    const uint32_t *material = words_of(s, "material");
    double worst = 0;
    past_find(p, s);
    for (int k = 0; k < p->count; ++k) {
        const int i = p->at[k];
        if (i < 0 || material[i] != fluid) continue;
        double sum = 0;
        for (int a = 0; a < 3; ++a)
            sum += pow(s->x[a][i] - p->x[k][a], 2);
        worst = fmax(worst, sqrt(sum) / s->scene.spacing);
    }
    return worst;
}

// ---- momenta and extents; fluid -1 is all of them

typedef struct Motion {
    double mass, center[3], velocity[3], turn[3]; // turn: angular momentum about the centre
    double low[3], high[3], speed;                // of the particles; the fastest
} Motion;

static inline bool counts(const Stage *s, int i, int fluid)
{
    return fluid < 0 || words_of(s, "material")[i] == (uint32_t)fluid;
}

static inline void add_turn(Motion *m, const Stage *s, int i, double mass)
{
    double x[3], v[3];
    for (int a = 0; a < 3; ++a)
        x[a] = s->x[a][i] - m->center[a], v[a] = s->v[a][i] - m->velocity[a];
    for (int a = 0; a < 3; ++a)
        m->turn[a] += mass * (x[(a + 1) % 3] * v[(a + 2) % 3] - x[(a + 2) % 3] * v[(a + 1) % 3]);
}

static inline Motion motion_of(const Stage *s, int fluid)
{
    Motion m = {.low = {1e30, 1e30, 1e30}, .high = {-1e30, -1e30, -1e30}};
    for (int i = 0; i < s->count; ++i) {
        if (!counts(s, i, fluid)) continue;
        const double mass = density_of(s, i);
        m.mass += mass;
        m.speed = fmax(m.speed, sqrt(pow(s->v[0][i], 2) + pow(s->v[1][i], 2) + pow(s->v[2][i], 2)));
        for (int a = 0; a < 3; ++a) {
            m.center[a] += mass * s->x[a][i], m.velocity[a] += mass * s->v[a][i];
            m.low[a] = fmin(m.low[a], s->x[a][i]), m.high[a] = fmax(m.high[a], s->x[a][i]);
        }
    }
    for (int a = 0; a < 3; ++a)
        m.center[a] /= m.mass, m.velocity[a] /= m.mass;
    for (int i = 0; i < s->count; ++i)
        if (counts(s, i, fluid)) add_turn(&m, s, i, density_of(s, i));
    return m;
}

static inline double size_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double gap_of(const double a[3], const double b[3])
{
    return size_of((double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

// How far the centre of all is from where its momentum brings it, m. Velocities of solids belong to
// the middle of the last step, those of liquids to its end, so their sum tells less.
static inline double astray(const Stage *s, const Motion *was)
{
    const Motion is = motion_of(s, -1);
    const double t = ond_sim_time(s->sim);
    double want[3];
    for (int a = 0; a < 3; ++a)
        want[a] = was->center[a] + t * was->velocity[a];
    return gap_of(is.center, want);
}

// Different labels of solid pieces.
static inline int count_pieces(const Stage *s)
{
    const uint32_t *piece = words_of(s, "piece");
    int count = 0;
    for (int i = 0; i < s->count; ++i) {
        bool seen = piece[i] == 0;
        for (int j = 0; j < i && !seen; ++j)
            seen = piece[j] == piece[i];
        count += !seen;
    }
    return count;
}

// Nothing is NaN, and nothing has burst.
static inline void check_sane(const Stage *s, double speed, const char *name)
{
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < 3; ++a)
            if (!isfinite(s->x[a][i]) || !(fabs(s->v[a][i]) <= speed))
                fail_msg("%s: t = %g: particle %d is at %g with %g m/s along %c", name,
                         ond_sim_time(s->sim), i, s->x[a][i], s->v[a][i], 'x' + a);
}

#endif
