// SPDX-License-Identifier: MIT
// The light that smoke sends on, gathered before a picture is drawn (trace_smoke.h).
#include "base/parallel.h"
#include "render/trace/trace_smoke_grid.h"
#include "render/trace/trace_stage.h"

#define PI         3.14159265f
#define GOLDEN     2.39996323f
#define DIRECTIONS 20    // of light from all sides
#define SHARES     3     // of the key light: straight, and scattered before
#define WEAKER     0.4f  // each of them than the one before ...
#define DEEPER     0.25f // ... and the share of loss that it meets
#define SIDEWAYS   0.6f  // share of loss that light from all sides meets
#define BRIGHT     0.6f  // of key light on white smoke; 1/4 would be light that is scattered once
#define LAMPS      4     // places of the key light that solids may hide

typedef struct SmokeLightJob {
    const OndSmokeVolume *smoke;
    const OndTraceStage *stage;
    OndF3 go[DIRECTIONS];
} SmokeLightJob;

static OndF3 point_at(const OndSmokeVolume *s, OndF3 cells)
{
    return ond_f3_step(s->first, cells, s->cell);
}

// Whether a place lies so near to smoke that its light will be asked for.
static bool near_smoke(const OndSmokeVolume *s, OndF3 at, int every)
{
    int low[3], high[3];
    const float p[3] = {at.x, at.y, at.z}, reach = (float)every + 0.5f;
    for (int a = 0; a < 3; ++a) {
        low[a] = (int)fmaxf((p[a] - reach) / OND_SMOKE_BLOCK, 0.0f);
        high[a] = (int)fmaxf((p[a] + reach) / OND_SMOKE_BLOCK, 0.0f);
        if (high[a] >= s->blocks[a]) high[a] = s->blocks[a] - 1;
    }
    for (int k = low[2]; k <= high[2]; ++k)
        for (int j = low[1]; j <= high[1]; ++j)
            for (int i = low[0]; i <= high[0]; ++i)
                if (s->most[((size_t)k * (size_t)s->blocks[1] + (size_t)j) * (size_t)s->blocks[0] +
                            (size_t)i] > 0.0f)
                    return true;
    return false;
}

// Whether the way from a place to the next solid ahead lies inside of it, and how far it is.
static bool in_solid(const OndTraceStage *stage, OndF3 point, OndF3 go, float *far)
{
    OndTraceHit hit;
    const OndRay ray = {point, go};
    if (!ond_trace_find(&stage->solids, &ray, *far, 0.5f, &hit) || !hit.inside) return false;
    if (ond_stage_look(&hit, 0.5f)->kind == OND_LOOK_CLEAR) return false;
    *far = hit.t;
    return true;
}

// The light's grid reaches into solids, where it is dark, and smoke beside them would be, too: such
// a place takes the light of the nearest one outside. False: there is none near, and no smoke.
static bool leave_solid(const SmokeLightJob *job, int every, OndF3 *at)
{
    const OndSmokeVolume *s = job->smoke;
    const OndF3 point = point_at(s, *at);
    float far = INFINITY;
    if (job->stage->solids.triangle_count == 0 || !in_solid(job->stage, point, job->go[0], &far))
        return true;
    OndF3 out = {0, 0, 0};
    far = 2.0f * (float)every * s->cell;
    for (int side = 0; side < 6; ++side) {
        const float way = side % 2 ? 1.0f : -1.0f;
        const OndF3 go =
            ond_f3(side / 2 == 0 ? way : 0, side / 2 == 1 ? way : 0, side / 2 == 2 ? way : 0);
        if (in_solid(job->stage, point, go, &far)) out = go;
    }
    *at = ond_f3_step(*at, out, far / s->cell + 0.25f);
    return ond_f3_dot(out, out) > 0.0f;
}

// ---- the key light

// How much more is scattered by an angle than if all were alike (Henyey and Greenstein).
static float lobe(float g, float cosine)
{
    const float d = 1.0f + g * g - 2.0f * g * cosine;
    return (1.0f - g * g) / (d * sqrtf(d));
}

// Share of the key light that solids let through.
static OndF3 key_open(const OndTraceStage *stage, OndF3 point)
{
    static const float u[LAMPS] = {0.2f, 0.6f, 0.8f, 0.4f}, v[LAMPS] = {0.4f, 0.2f, 0.6f, 0.8f};
    if (stage->solids.triangle_count == 0) return ond_f3(1, 1, 1);
    OndF3 sum = {0, 0, 0};
    for (int k = 0; k < LAMPS; ++k) {
        const OndRay ray = {point, ond_sky_key(&stage->sky, u[k], v[k])};
        sum = ond_f3_step(sum, ond_stage_straight(stage, &ray, INFINITY, 0.5f), 1.0f / LAMPS);
    }
    return sum;
}

static OndF3 key_light(const SmokeLightJob *job, OndF3 at)
{
    const OndSmokeVolume *s = job->smoke;
    const OndSky *sky = &job->stage->sky;
    const OndF3 to = sky->lamp[OND_LAMP_KEY].to, point = point_at(s, at);
    OndWalk walk;
    float depth = 0.0f;
    if (ond_smoke_enter(s->n, at, to, INFINITY, &walk)) depth = ond_smoke_depth(s, &walk, 1.0f);
    const OndF3 view = ond_f3_unit(ond_f3_sub(point, job->stage->camera.eye));
    const float cosine = ond_f3_dot(view, to);
    float share = 1.0f, loss = 1.0f, lean = s->lean;
    OndF3 sum = {0, 0, 0};
    for (int k = 0; k < SHARES; ++k) {
        sum = ond_f3_step(sum, ond_smoke_fade(s->loss, loss * depth), share * lobe(lean, cosine));
        share *= WEAKER, loss *= DEEPER, lean *= 0.5f;
    }
    const OndF3 falls =
        ond_f3_mul(ond_f3_scale(sky->key_light, BRIGHT), key_open(job->stage, point));
    return ond_f3_mul(s->white, ond_f3_mul(falls, sum));
}

static void key_planes(int first, int last, int worker, void *context)
{
    const SmokeLightJob *job = context;
    const OndSmokeVolume *s = job->smoke;
    const int *n = s->lights, across = n[1] + 2;
    for (int row = first; row < last; ++row)
        for (int i = -1; i <= n[0]; ++i) {
            const int j = row % across - 1, k = row / across - 1;
            OndF3 at = ond_smoke_fine(i, j, k, s->every);
            const bool lit = near_smoke(s, at, s->every) && leave_solid(job, s->every, &at);
            s->light[ond_smoke_index(n, i, j, k)] = lit ? key_light(job, at) : ond_f3(0, 0, 0);
        }
}

// ---- light from all sides

static float mean_density(const OndSmokeVolume *s, int i, int j, int k)
{
    const int every = s->around_every;
    float sum = 0.0f;
    for (int c = 0; c < every * every * every; ++c) {
        const int x = i * every + c % every, y = j * every + c / every % every,
                  z = k * every + c / every / every;
        if (x < s->n[0] && y < s->n[1] && z < s->n[2])
            sum += s->density[ond_smoke_index(s->n, x, y, z)];
    }
    return sum / (float)(every * every * every);
}

static void thin_rows(int first, int last, int worker, void *context)
{
    const OndSmokeVolume *s = ((const SmokeLightJob *)context)->smoke;
    const int *n = s->arounds;
    for (int row = first; row < last; ++row)
        for (int i = 0; i < n[0]; ++i) {
            const int j = row % n[1], k = row / n[1];
            s->thin[ond_smoke_index(n, i, j, k)] = mean_density(s, i, j, k);
        }
}

// What smoke at a place sends on of the key light, and its glow.
static OndF3 sends(const OndSmokeVolume *s, OndF3 fine)
{
    OndF3 light = ond_smoke_colour(s->light, s->lights, ond_smoke_coarse(fine, s->every));
    if (!s->celsius) return light;
    return ond_f3_step(light, ond_look_heat(ond_smoke_value(s->celsius, s->n, fine)), s->glow);
}

// Behind all smoke: a solid, the ground, the sky.
static OndF3 behind(const OndTraceStage *stage, const OndRay *ray, OndTraceHit *hit, bool met)
{
    const OndGround *g = &stage->ground;
    if (met) return ond_stage_guess(stage, hit, ond_stage_look(hit, 0.5f));
    if (!(ond_ground_distance(g, ray) < INFINITY)) return ond_sky_soft(&stage->sky, ray->direction);
    const float facing = fmaxf(ond_f3_dot(g->normal, stage->sky.lamp[OND_LAMP_KEY].to), 0.0f);
    return ond_f3_mul(g->colour, ond_f3_step(g->open, stage->sky.key_light, 0.8f * facing));
}

// Light that comes to a place from one side.
static OndF3 from_side(const SmokeLightJob *job, OndF3 at, OndF3 go)
{
    const OndSmokeVolume *s = job->smoke;
    const float every = (float)s->around_every;
    const OndRay ray = {point_at(s, at), go};
    const float ground = ond_ground_distance(&job->stage->ground, &ray);
    OndTraceHit hit;
    const bool met = job->stage->solids.triangle_count > 0 &&
                     ond_stage_find(job->stage, &ray, ground, 0.5f, &hit);
    OndF3 sum = {0, 0, 0}, share = {1, 1, 1};
    OndWalk walk;
    const OndF3 loss = ond_f3_scale(s->loss, SIDEWAYS * every);
    const float far = (met ? hit.t : ground) / s->cell;
    if (ond_smoke_enter(s->n, at, go, far, &walk))
        for (float t = 0.5f * every; t < walk.length; t += every) {
            const OndF3 fine = ond_smoke_at(s->n, &walk, t);
            const float density =
                ond_smoke_value(s->thin, s->arounds, ond_smoke_coarse(fine, s->around_every));
            if (density <= OND_SMOKE_NOTHING) continue;
            const OndF3 onward = ond_f3_mul(share, ond_smoke_fade(loss, density));
            sum = ond_f3_add(sum, ond_f3_mul(ond_f3_sub(share, onward), sends(s, fine)));
            share = onward;
        }
    return ond_f3_add(sum, ond_f3_mul(share, behind(job->stage, &ray, &hit, met)));
}

static void around_rows(int first, int last, int worker, void *context)
{
    const SmokeLightJob *job = context;
    const OndSmokeVolume *s = job->smoke;
    const int *n = s->arounds, across = n[1] + 2;
    for (int row = first; row < last; ++row)
        for (int i = -1; i <= n[0]; ++i) {
            const int j = row % across - 1, k = row / across - 1;
            OndF3 at = ond_smoke_fine(i, j, k, s->around_every), sum = {0, 0, 0};
            if (near_smoke(s, at, s->around_every) && leave_solid(job, s->around_every, &at))
                for (int d = 0; d < DIRECTIONS; ++d)
                    sum = ond_f3_step(sum, from_side(job, at, job->go[d]), 1.0f / DIRECTIONS);
            s->around[ond_smoke_index(n, i, j, k)] = sum;
        }
}

static void add_rows(int first, int last, int worker, void *context)
{
    const OndSmokeVolume *s = ((const SmokeLightJob *)context)->smoke;
    const int *n = s->lights, across = n[1] + 2;
    for (int row = first; row < last; ++row)
        for (int i = -1; i <= n[0]; ++i) {
            const int j = row % across - 1, k = row / across - 1;
            const OndWalk here = {.at = ond_smoke_fine(i, j, k, s->every)};
            const OndF3 at = ond_smoke_at(s->n, &here, 0.0f);
            const OndF3 around =
                ond_smoke_colour(s->around, s->arounds, ond_smoke_coarse(at, s->around_every));
            OndF3 *light = &s->light[ond_smoke_index(n, i, j, k)];
            *light = ond_f3_add(*light, ond_f3_mul(s->white, around));
        }
}

// Evenly over the sphere, on a spiral.
static void spread(OndF3 go[DIRECTIONS])
{
    for (int d = 0; d < DIRECTIONS; ++d) {
        const float y = 1.0f - 2.0f * ((float)d + 0.5f) / DIRECTIONS, r = sqrtf(1.0f - y * y);
        go[d] = ond_f3(r * cosf(GOLDEN * (float)d), y, r * sinf(GOLDEN * (float)d));
    }
}

void ond_smoke_gather(const OndMedium *medium, const OndTraceStage *stage)
{
    const OndSmokeVolume *s = medium->own;
    SmokeLightJob job = {.smoke = s, .stage = stage};
    spread(job.go);
    ond_parallel_for((s->lights[1] + 2) * (s->lights[2] + 2), 4, key_planes, &job);
    ond_parallel_for(s->arounds[1] * s->arounds[2], 4, thin_rows, &job);
    ond_parallel_for((s->arounds[1] + 2) * (s->arounds[2] + 2), 1, around_rows, &job);
    ond_parallel_for((s->lights[1] + 2) * (s->lights[2] + 2), 16, add_rows, &job);
}
