// SPDX-License-Identifier: MIT
#include "render/trace/trace_foam.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/random.h"
#include "method/world.h"
#include "render/trace/trace_stage.h"

#include <string.h>

#define FAINT    1e-3f // of light taken: not seen
#define DYING    0.4f  // s in which foam fades before it bursts
#define BORN     0.06f // s in which a new one comes up
#define WHITE    0.93f // of the light that falls on it, foam sends on
#define FROM_KEY 0.62f // of the key light, by balls that face all ways
#define FROM_SKY 0.90f
#define SHADOW   0.35f // of the foam on the way to the light: what is scattered gets through

// How each kind looks; radii in spacings of the liquid.
static const struct {
    float least, most; // radius
    float dense;
} looks[] = {
    [OND_SPRAY] = {0.05f, 0.13f, 2.5f},
    [OND_FOAM] = {0.10f, 0.30f, 0.75f},
    [OND_BUBBLE] = {0.06f, 0.16f, 0.8f},
};

// ---- making

typedef struct Columns {
    const float *x[3], *life, *age;
    const uint32_t *kind, *id;
} Columns;

static const void *column(const OndFields *f, const char *name, OndFieldType type, int components,
                          int c)
{
    const OndField *const field = ond_fields_find(f, name);
    return field && field->type == type && field->components == components ? field->data[c] : NULL;
}

static bool read_columns(const OndFields *f, Columns *out)
{
    for (int a = 0; a < 3; ++a)
        out->x[a] = column(f, "position", OND_F32, 3, a);
    out->life = column(f, "life", OND_F32, 1, 0);
    out->age = column(f, "age", OND_F32, 1, 0);
    out->kind = column(f, "kind", OND_U32, 1, 0);
    out->id = column(f, "id", OND_U32, 1, 0);
    return out->x[0] && out->kind;
}

// One that comes or goes does so softly, and size and place in time belong to its id: no flicker.
static void put(OndTraceFoam *foam, const Columns *c, int i, double spacing, const OndPlace *place)
{
    const OndF3 at = ond_place(place, ond_vec(c->x[0][i], c->x[1][i], c->x[2][i]));
    const uint32_t kind = c->kind[i] <= OND_BUBBLE ? c->kind[i] : OND_SPRAY;
    const float chance = ond_random(c->id ? c->id[i] : (uint32_t)i, 7);
    const float size = looks[kind].least + (looks[kind].most - looks[kind].least) * chance * chance;
    float shows = c->age ? ond_clamp01(c->age[i] / BORN) : 1.0f;
    if (c->life && kind == OND_FOAM) shows *= ond_clamp01(c->life[i] / DYING);
    if (!(fabsf(at.x) < 1e4f && fabsf(at.y) < 1e4f && fabsf(at.z) < 1e4f) || !(shows > 0.0f))
        return;
    foam->ball[foam->count] = (OndSphere){at.x, at.y, at.z, size * (float)(spacing * place->scale)};
    foam->dense[foam->count++] = looks[kind].dense * shows;
}

static OndStatus attach(OndTraceFoam *foam, RTCDevice device, OndError *err)
{
    foam->scene = rtcNewScene(device);
    RTCGeometry discs =
        foam->scene ? rtcNewGeometry(device, RTC_GEOMETRY_TYPE_DISC_POINT) : NULL; // face the ray
    if (discs) {
        rtcSetSceneFlags(foam->scene, RTC_SCENE_FLAG_CONTEXT_FILTER_FUNCTION);
        rtcSetSharedGeometryBuffer(discs, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, foam->ball,
                                   0, sizeof(OndSphere), (size_t)foam->count);
        rtcCommitGeometry(discs);
        rtcAttachGeometry(foam->scene, discs);
        rtcReleaseGeometry(discs);
        rtcCommitScene(foam->scene);
    }
    if (discs && rtcGetDeviceError(device) == RTC_ERROR_NONE) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY,
                    "Embree could not prepare %d balls of foam, most likely for lack of memory",
                    foam->count);
}

OndStatus ond_trace_foam_build(OndTraceFoam *foam, RTCDevice device, const OndFields *particles,
                               double spacing, const OndPlace *place, OndError *err)
{
    Columns columns;
    *foam = (OndTraceFoam){0};
    if (!particles || particles->count <= 0 || !read_columns(particles, &columns)) return OND_OK;
    const size_t room = (size_t)particles->count;
    foam->ball = ond_alloc((room + 1) * sizeof *foam->ball); // Embree reads past the last
    foam->dense = ond_alloc(room * sizeof *foam->dense);
    foam->light = ond_alloc(room * sizeof *foam->light);
    OndStatus status = OND_OK;
    if (!foam->ball || !foam->dense || !foam->light)
        status = ond_fail(err, OND_NO_MEMORY, "no memory to draw %d particles of foam",
                          particles->count);
    for (int i = 0; i < particles->count && status == OND_OK; ++i)
        put(foam, &columns, i, spacing, place);
    if (status == OND_OK && foam->count > 0) status = attach(foam, device, err);
    if (status != OND_OK) ond_trace_foam_free(foam);
    return status;
}

void ond_trace_foam_free(OndTraceFoam *foam)
{
    if (foam->scene) rtcReleaseScene(foam->scene);
    ond_free(foam->ball);
    ond_free(foam->dense);
    ond_free(foam->light);
    *foam = (OndTraceFoam){0};
}

// ---- rays

// A ray on its way; the context is first, so that Embree's pointer to it is one to this.
typedef struct Crossing {
    struct RTCIntersectContext context;
    const OndTraceFoam *foam;
    OndRay ray;
    float deep, way; // sums of density, and of it times distance
    OndF3 light;     // and times light
} Crossing;

// Called for each ball that the ray meets; refuses it, so that the ray goes on.
static void add_ball(const struct RTCFilterFunctionNArguments *a)
{
    Crossing *const c = (Crossing *)a->context;
    const struct RTCHit *const hit = (const struct RTCHit *)a->hit;
    const OndSphere *const ball = &c->foam->ball[hit->primID];
    const OndF3 to = ond_f3_sub(ond_sphere_centre(ball), c->ray.origin);
    const float along = ond_f3_dot(to, c->ray.direction);
    const OndF3 aside = ond_f3_step(to, c->ray.direction, -along);
    const float share = 1.0f - ond_f3_dot(aside, aside) / (ball->r * ball->r);
    a->valid[0] = 0;
    if (!(share > 0.0f)) return;
    const float deep = c->foam->dense[hit->primID] * share;
    c->deep += deep;
    c->way += deep * along;
    c->light = ond_f3_step(c->light, c->foam->light[hit->primID], deep);
}

static Crossing cross(const OndTraceFoam *foam, const OndRay *ray, float length)
{
    Crossing c = {.foam = foam, .ray = *ray};
    struct RTCRay r = {.org_x = ray->origin.x,
                       .org_y = ray->origin.y,
                       .org_z = ray->origin.z,
                       .dir_x = ray->direction.x,
                       .dir_y = ray->direction.y,
                       .dir_z = ray->direction.z,
                       .tfar = length,
                       .mask = ~0u};
    rtcInitIntersectContext(&c.context);
    c.context.filter = add_ball;
    if (ond_ray_is_fit(ray) && length >= 0.0f) rtcOccluded1(foam->scene, &c.context, &r);
    return c;
}

float ond_trace_foam_cross(const OndTraceFoam *foam, const OndRay *ray, float length, OndF3 *light,
                           float *at)
{
    const Crossing c = cross(foam, ray, length);
    if (c.deep < FAINT) return 1.0f;
    const float through = expf(-c.deep);
    *light = ond_f3_scale(c.light, (1.0f - through) / c.deep);
    *at = c.way / c.deep;
    return through;
}

// ---- light

typedef struct FoamLight {
    OndTraceFoam *foam;
    const OndTraceStage *stage;
    OndF3 to, sky;
} FoamLight;

static void light_range(int first, int last, int worker, void *context)
{
    const FoamLight *const l = context;
    (void)worker;
    for (int i = first; i < last; ++i) {
        const OndSphere *const ball = &l->foam->ball[i];
        const OndRay ray = {ond_f3_step(ond_sphere_centre(ball), l->to, 1.01f * ball->r), l->to};
        OndF3 key = ond_stage_straight(l->stage, &ray, INFINITY, 0.5f);
        const Crossing c = cross(l->foam, &ray, 1e4f);
        key = ond_f3_scale(key, FROM_KEY * expf(-SHADOW * c.deep));
        const OndF3 falls = ond_f3_add(ond_f3_mul(l->stage->sky.key_light, key), l->sky);
        l->foam->light[i] = ond_f3_scale(falls, WHITE);
    }
}

void ond_trace_foam_gather(OndTraceFoam *foam, const OndTraceStage *stage)
{
    FoamLight light = {foam, stage, ond_sky_key(&stage->sky, 0.5f, 0.5f),
                       ond_f3_scale(stage->ground.open, FROM_SKY)};
    ond_parallel_for(foam->count, 64, light_range, &light);
}
