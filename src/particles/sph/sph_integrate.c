// SPDX-License-Identifier: MIT
// Move the particles: leapfrog (physics/motion.h). The field `velocity` holds v(t), which the passes
// need. Symplectic Euler is w = v + dt a, x += dt w, v = w.
#include "base/parallel.h"
#include "particles/sph/sph_state.h"
#include "physics/motion.h"
#include "physics/wall.h"

typedef struct Motion {
    OndSph *s;
    float dt;
    OndXsphLoop xsph;
} Motion;

static void kick_range(int first, int last, int worker, void *context)
{
    const Motion *m = context;
    OndSph *s = m->s;
    const bool leap = s->def.integrator == OND_LEAPFROG;
    const float back = leap ? 0.5f * (float)s->last_dt : 0.0f;
    const float on = leap ? 0.5f * ((float)s->last_dt + m->dt) : m->dt;
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict v = s->v[axis];
        const float *restrict old = s->last[axis], *restrict a = s->a[axis];
        for (int i = first; i < last; ++i)
            v[i] = ond_motion_kick(v[i], a[i], old[i], on, back);
    }
}

static void xsph_range(int first, int last, int worker, void *context)
{
    const Motion *m = context;
    m->s->loops->xsph(&m->xsph, first, last);
}

static void adopt_range(int first, int last, int worker, void *context)
{
    const Motion *m = context;
    for (int i = first; i < last; ++i) {
        m->s->v[0][i] = m->xsph.wx[i];
        m->s->v[1][i] = m->xsph.wy[i];
        m->s->v[2][i] = m->xsph.wz[i];
    }
}

static inline bool outside(const OndSph *s, int axis, float at)
{
    return at < s->wall_at[2 * axis] || at > s->wall_at[2 * axis + 1];
}

// Puts a particle that left through walls back to where its path first met one; for the rest of the
// step it glides along, as far as the wall lets it slip. (Stuck at the point of impact, a particle
// that is pressed against a wall would gather speed without ever moving.)
static void meet_walls(OndSph *s, int i, float dt)
{
    float v[3] = {s->v[0][i], s->v[1][i], s->v[2][i]}, from[3], part = 1.0f, slip = 1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = s->x[axis][i] - dt * s->v[axis][i];
        if (!outside(s, axis, s->x[axis][i])) continue;
        const int side = 2 * axis + (s->x[axis][i] > s->wall_at[2 * axis + 1]);
        const OndSide *wall = &s->world.side[side];
        const float path = s->x[axis][i] - from[axis], gap = s->wall_at[side] - from[axis];
        const float t = gap * path > 0.0f ? gap / path : 0.0f;
        part = t < part ? t : part;
        slip = wall->slip < slip ? wall->slip : slip;
        ond_wall_contact(v, axis, side % 2 ? -1.0f : 1.0f, wall->slip, wall->restitution,
                         wall->velocity);
        s->a[axis][i] = 0.0f;
    }
    const float glide = part + (1.0f - part) * slip;
    for (int axis = 0; axis < 3; ++axis) {
        const float at = from[axis] + glide * (s->x[axis][i] - from[axis]);
        s->x[axis][i] = fminf(fmaxf(at, s->wall_at[2 * axis]), s->wall_at[2 * axis + 1]);
        s->v[axis][i] = v[axis];
    }
}

static void wrap_range(const OndSph *s, int axis, int first, int last)
{
    const float low = (float)ond_axis(s->world.box.min, axis),
                high = (float)ond_axis(s->world.box.max, axis);
    float *x = s->x[axis];
    for (int i = first; i < last; ++i) {
        if (x[i] >= low && x[i] < high) continue;
        x[i] = ond_motion_wrap(x[i], low, high);
    }
}

static void drift_range(int first, int last, int worker, void *context)
{
    const Motion *m = context;
    OndSph *s = m->s;
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict x = s->x[axis];
        const float *restrict v = s->v[axis];
        for (int i = first; i < last; ++i)
            x[i] += m->dt * v[i];
    }
    for (int i = first; i < last; ++i)
        if (!s->held[i] &&
            (outside(s, 0, s->x[0][i]) || outside(s, 1, s->x[1][i]) || outside(s, 2, s->x[2][i])))
            meet_walls(s, i, m->dt);
    ond_sph_solids_stop(s, first, last, m->dt);
    for (int axis = 0; axis < s->world.dimension; ++axis)
        if (s->world.side[2 * axis].kind == OND_SIDE_PERIODIC) wrap_range(s, axis, first, last);
    const float ahead = s->def.integrator == OND_LEAPFROG ? 0.5f * m->dt : 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float *restrict v = s->v[axis], *restrict kept = s->last[axis];
        const float *restrict a = s->a[axis];
        for (int i = first; i < last; ++i) {
            v[i] += ahead * a[i];
            kept[i] = a[i];
        }
    }
}

static void densify_range(int first, int last, int worker, void *context)
{
    const Motion *m = context;
    for (int i = first; i < last; ++i)
        m->s->density[i] += m->dt * m->s->rate[i];
}

void ond_sph_kick(OndSph *s, float dt)
{
    Motion m = {.s = s, .dt = dt};
    ond_parallel_for(s->fields.count, 4 * OND_GRAIN, kick_range, &m);
}

void ond_sph_smooth(OndSph *s)
{
    Motion m = {.s = s,
                .xsph = {ond_sph_pairs(s), (float)s->def.xsph, s->smoothed[0], s->smoothed[1],
                         s->smoothed[2]}};
    ond_sph_image_velocity(s);
    ond_sph_fill_quads(s, s->place, s->x, s->density);
    ond_sph_fill_quads(s, s->go, s->v, s->volume);
    ond_parallel_for(s->fields.count, OND_GRAIN, xsph_range, &m);
    ond_parallel_for(s->fields.count, OND_GRAIN, adopt_range, &m);
}

// By the velocities that particles travel with.
void ond_sph_follow_flow(OndSph *s, float dt)
{
    Motion m = {.s = s, .dt = dt};
    ond_sph_image_velocity(s);
    ond_sph_density_rate(s, dt);
    ond_parallel_for(s->fields.count, 4 * OND_GRAIN, densify_range, &m);
}

void ond_sph_drift(OndSph *s, float dt)
{
    Motion m = {.s = s, .dt = dt};
    ond_parallel_for(s->fields.count, 4 * OND_GRAIN, drift_range, &m);
    const OndHeldView held = ond_sph_held(s);
    ond_held_carry(&held, dt);
    s->last_dt = dt;
}

typedef struct Measure {
    const OndSph *s;
    double *kinetic, *potential, *error, *liquid;
} Measure;

static void measure_blocks(int first, int last, int worker, void *context)
{
    const Measure *m = context;
    const OndSph *s = m->s;
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK;
        const int end =
            begin + OND_SUM_BLOCK < s->fields.count ? begin + OND_SUM_BLOCK : s->fields.count;
        double kinetic = 0, potential = 0, error = 0, liquid = 0;
        for (int i = begin; i < end; ++i) {
            const double mass = s->mass[s->material[i]];
            double v2 = 0, fall = 0;
            for (int a = 0; a < 3; ++a) {
                v2 += (double)s->v[a][i] * s->v[a][i];
                fall += (double)s->world.gravity[a] * s->x[a][i];
            }
            const double dense = s->density[i] / s->world.material[s->material[i]].density - 1.0;
            kinetic += 0.5 * mass * v2;
            potential -= mass * fall;
            error += dense > 0 ? dense : 0;
            liquid += dense > 0 && !(s->rigidity[i] > 0.0f) ? dense : 0;
        }
        m->kinetic[b] = kinetic, m->potential[b] = potential;
        m->error[b] = error, m->liquid[b] = liquid;
    }
}

OndStatus ond_sph_measure(OndSph *s, OndError *err)
{
    const int blocks = ond_sum_block_count(s->fields.count);
    double *sums = ond_sph_sums(s, 4 * blocks);
    if (!sums)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for sums over %d particles",
                        s->fields.count);
    Measure m = {s, sums, sums + blocks, sums + 2 * blocks, sums + 3 * blocks};
    ond_parallel_for(blocks, 1, measure_blocks, &m);
    s->kinetic = s->potential = s->density_error = s->liquid_error = 0;
    for (int b = 0; b < blocks; ++b) {
        s->kinetic += m.kinetic[b];
        s->potential += m.potential[b];
        s->density_error += m.error[b];
        s->liquid_error += m.liquid[b];
    }
    if (s->fields.count) {
        s->density_error /= s->fields.count;
        s->liquid_error /= s->fields.count;
    }
    return OND_OK;
}
