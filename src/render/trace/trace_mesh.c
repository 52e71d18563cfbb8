// SPDX-License-Identifier: MIT
#include "render/trace/trace_mesh.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "render/quantity.h"
#include "render/trace/trace_look.h"

#include <string.h>

#define CREASE   0.5f  // cosine of the angle between a triangle and the normal of its corner
#define BESIDE   1e-3f // half diagonals: far more than rounding moves a triangle
#define FARTHEST 1e4f  // half diagonals; what lies beyond is in no picture

typedef struct TraceMeshJob {
    OndTraceMesh *mesh;
    const OndSurface *surface;
    const OndTraceMeshDef *def;
    const OndField *velocity;
} TraceMeshJob;

static OndStatus no_memory(const OndSurface *s, OndError *err)
{
    return ond_fail(err, OND_NO_MEMORY, "no memory to draw a surface of %d triangles",
                    s->mesh.triangle_count);
}

static const OndField *find(const OndSurface *s, const char *name, int components)
{
    const OndField *f = name ? ond_fields_find(&s->attributes, name) : NULL;
    const bool whole = f && s->attributes.count >= s->mesh.corner_count;
    return whole && f->components == components ? f : NULL;
}

// ---- corners

static void place_corner(const TraceMeshJob *job, int i)
{
    OndTraceMesh *m = job->mesh;
    const OndSurface *s = job->surface;
    double p[3];
    float *n = m->normal + 3 * i;
    for (int k = 0; k < 3; ++k) {
        p[k] = s->mesh.corner[3 * i + k];
        n[k] = s->normal ? s->normal[3 * i + k] : 0.0f;
        if (!isfinite(n[k])) n[k] = 0.0f;
    }
    const OndF3 at = ond_place(&job->def->place, ond_vec(p[0], p[1], p[2]));
    OndF3 half = {0, 0, 0};
    if (job->velocity) {
        const float scale = (float)(0.5 * job->def->shutter * job->def->place.scale);
        half = ond_f3(((const float *)job->velocity->data[0])[i] * scale,
                      ((const float *)job->velocity->data[1])[i] * scale,
                      ((const float *)job->velocity->data[2])[i] * scale);
        if (!(ond_f3_dot(half, half) < 1.0f)) half = ond_f3(0, 0, 0); // faster than any picture
    }
    for (int t = 0; t < 2 && m->corner[t]; ++t) {
        const OndF3 now = ond_f3_step(at, half, t ? 1.0f : -1.0f);
        memcpy(m->corner[t] + 3 * i, &now, sizeof now);
    }
}

static uint8_t look_of(const TraceMeshJob *job, const OndField *material, int i)
{
    const OndTraceMeshDef *d = job->def;
    if (d->paint != OND_LOOK_NONE) return (uint8_t)d->paint;
    const float number = material ? ond_quantity_value(material, i) : 0.0f;
    if (d->own) return (uint8_t)(number < (float)d->own_count ? number : 0.0f);
    return (uint8_t)ond_look_of(d->looks, d->look_count, number);
}

static void copy_values(const OndField *field, int i, float *out)
{
    if (!out) return;
    const float v = ond_quantity_value(field, i);
    out[i] = isfinite(v) ? v : 0.0f;
}

static void copy_range(int first, int last, int worker, void *context)
{
    const TraceMeshJob *job = context;
    OndTraceMesh *m = job->mesh;
    const OndField *material = find(job->surface, "material", 1),
                   *temperature = find(job->surface, "temperature", 1),
                   *rigidity = find(job->surface, "rigidity", 1);
    const OndField *value =
        job->def->field ? ond_fields_find(&job->surface->attributes, job->def->field) : NULL;
    for (int i = first; i < last; ++i) {
        place_corner(job, i);
        copy_values(temperature, i, m->temperature);
        copy_values(rigidity, i, m->rigidity);
        copy_values(value, i, m->value);
        m->look[i] = look_of(job, material, i);
    }
}

// ---- triangles

static bool usable(const OndTraceMesh *m, const uint32_t t[3])
{
    for (int k = 0; k < 3; ++k) {
        if (t[k] >= (uint32_t)m->corner_count) return false;
        for (int s = 0; s < 2 && m->corner[s]; ++s)
            for (int a = 0; a < 3; ++a)
                if (!(fabsf(m->corner[s][3 * t[k] + (uint32_t)a]) < FARTHEST)) return false;
    }
    return t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
}

static void enclose(OndTraceMesh *m, uint32_t corner)
{
    for (int s = 0; s < 2 && m->corner[s]; ++s) {
        const float *p = m->corner[s] + 3 * (size_t)corner;
        m->min = ond_f3(p[0] < m->min.x ? p[0] : m->min.x, p[1] < m->min.y ? p[1] : m->min.y,
                        p[2] < m->min.z ? p[2] : m->min.z);
        m->max = ond_f3(p[0] > m->max.x ? p[0] : m->max.x, p[1] > m->max.y ? p[1] : m->max.y,
                        p[2] > m->max.z ? p[2] : m->max.z);
    }
    const OndLook *look = m->own ? &m->own[m->look[corner]] : ond_look(m->look[corner]);
    m->clear = m->clear || look->kind == OND_LOOK_CLEAR;
    m->mixed = m->mixed || m->look[corner] != m->look[m->triangle[0]];
}

static void copy_triangles(OndTraceMesh *m, const OndMesh *from)
{
    int n = 0;
    m->min = ond_f3(INFINITY, INFINITY, INFINITY), m->max = ond_f3(-INFINITY, -INFINITY, -INFINITY);
    for (int i = 0; i < from->triangle_count; ++i) {
        const uint32_t *t = from->triangle + 3 * (size_t)i;
        if (!usable(m, t)) continue;
        memcpy(m->triangle + 3 * (size_t)n++, t, 3 * sizeof *t);
        for (int k = 0; k < 3; ++k)
            enclose(m, t[k]);
    }
    m->triangle_count = n;
}

// ---- the tree

static OndStatus attach(OndTraceMesh *m, RTCDevice device, OndError *err)
{
    m->scene = rtcNewScene(device);
    if (m->scene) rtcSetSceneFlags(m->scene, RTC_SCENE_FLAG_ROBUST); // no rays through the edges
    RTCGeometry g = m->scene && m->triangle_count > 0
                        ? rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE)
                        : NULL;
    if (g) {
        const unsigned steps = m->corner[1] ? 2 : 1;
        rtcSetGeometryTimeStepCount(g, steps);
        for (unsigned t = 0; t < steps; ++t)
            rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, t, RTC_FORMAT_FLOAT3,
                                       m->corner[t], 0, 12, (size_t)m->corner_count);
        rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, m->triangle, 0,
                                   12, (size_t)m->triangle_count);
        rtcCommitGeometry(g);
        rtcAttachGeometry(m->scene, g);
        rtcReleaseGeometry(g);
    }
    if (m->scene) rtcCommitScene(m->scene);
    if (rtcGetDeviceError(device) == RTC_ERROR_NONE && m->scene) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY,
                    "Embree could not prepare %d triangles, most likely for lack of memory",
                    m->triangle_count);
}

static bool make_room(OndTraceMesh *m, const OndSurface *s, const OndTraceMeshDef *d, bool blur)
{
    const size_t corners = (size_t)s->mesh.corner_count + 2, // Embree reads past the last
        triangles = (size_t)s->mesh.triangle_count + 2;
    const bool value = d->field && ond_fields_find(&s->attributes, d->field) &&
                       s->attributes.count >= s->mesh.corner_count;
    m->corner[0] = ond_alloc(corners * 12);
    m->corner[1] = blur ? ond_alloc(corners * 12) : NULL;
    m->normal = ond_alloc(corners * 12);
    m->triangle = ond_alloc(triangles * 12);
    m->look = ond_alloc(corners);
    if (find(s, "temperature", 1)) m->temperature = ond_alloc(corners * 4);
    if (find(s, "rigidity", 1)) m->rigidity = ond_alloc(corners * 4);
    if (value) m->value = ond_alloc(corners * 4);
    return m->corner[0] && (m->corner[1] || !blur) && m->normal && m->triangle && m->look &&
           (m->temperature || !find(s, "temperature", 1)) &&
           (m->rigidity || !find(s, "rigidity", 1)) && (m->value || !value);
}

OndStatus ond_trace_mesh_build(OndTraceMesh *mesh, const OndSurface *surface,
                               const OndTraceMeshDef *def, OndError *err)
{
    memset(mesh, 0, sizeof *mesh);
    TraceMeshJob job = {mesh, surface, def,
                        def->shutter > 0.0 ? find(surface, "velocity", 3) : NULL};
    mesh->corner_count = surface->mesh.corner_count;
    mesh->own = def->own;
    OndStatus status = OND_OK;
    if (!make_room(mesh, surface, def, job.velocity != NULL)) status = no_memory(surface, err);
    if (status == OND_OK) {
        ond_parallel_for(mesh->corner_count, 4096, copy_range, &job);
        copy_triangles(mesh, &surface->mesh);
        status = attach(mesh, def->device, err);
    }
    if (status != OND_OK) ond_trace_mesh_free(mesh);
    return status;
}

void ond_trace_mesh_free(OndTraceMesh *m)
{
    if (m->scene) rtcReleaseScene(m->scene);
    ond_free(m->corner[0]);
    ond_free(m->corner[1]);
    ond_free(m->normal);
    ond_free(m->triangle);
    ond_free(m->temperature);
    ond_free(m->rigidity);
    ond_free(m->value);
    ond_free(m->look);
    memset(m, 0, sizeof *m);
}

// ---- rays

// A corner on a crease, as where liquid meets a wall, has the normal of one of its sides: the other
// takes its own.
static OndF3 mix_normal(const OndTraceMesh *m, const OndTraceHit *h)
{
    OndF3 n = {0, 0, 0};
    for (int k = 0; k < 3; ++k) {
        const float *c = m->normal + 3 * (size_t)h->corner[k];
        const OndF3 corner = ond_f3(c[0], c[1], c[2]);
        const bool crease = ond_f3_dot(corner, h->flat) < CREASE;
        n = ond_f3_step(n, crease ? h->flat : corner, h->weight[k]);
    }
    n = ond_f3_unit(n);
    return ond_f3_dot(n, h->flat) > 0.05f ? n : h->flat; // none, or one that cannot be right
}

static void read_hit(const OndTraceMesh *m, const OndRay *ray, const struct RTCRayHit *r,
                     OndTraceHit *h)
{
    const uint32_t *t = m->triangle + 3 * (size_t)r->hit.primID;
    h->mesh = m;
    h->t = r->ray.tfar;
    h->at = ond_f3_step(ray->origin, ray->direction, h->t);
    h->flat = ond_f3_unit(ond_f3(r->hit.Ng_x, r->hit.Ng_y, r->hit.Ng_z));
    h->inside = ond_f3_dot(h->flat, ray->direction) > 0.0f;
    memcpy(h->corner, t, sizeof h->corner);
    h->weight[0] = 1.0f - r->hit.u - r->hit.v;
    h->weight[1] = r->hit.u;
    h->weight[2] = r->hit.v;
    h->normal = mix_normal(m, h);
}

// Most rays of the ground and many from the rim of things pass beside all of it: that much is told
// here, without a call. The box is a little wider than the triangles.
static bool near_box(const OndTraceMesh *m, const OndRay *ray, float far)
{
    const float from[3] = {ray->origin.x, ray->origin.y, ray->origin.z},
                along[3] = {ray->direction.x, ray->direction.y, ray->direction.z},
                min[3] = {m->min.x, m->min.y, m->min.z}, max[3] = {m->max.x, m->max.y, m->max.z};
    bool within = true;
    for (int k = 0; k < 3; ++k)
        within = within & (from[k] >= min[k]) & (from[k] <= max[k]);
    if (within) return true;
    float enter = 0.0f, leave = far;
    for (int k = 0; k < 3; ++k) {
        const float low = min[k] - BESIDE - from[k], high = max[k] + BESIDE - from[k];
        if (fabsf(along[k]) < 1e-6f) {
            if (low > 0.0f || high < 0.0f) return false;
            continue;
        }
        const float once = 1.0f / along[k], a = low * once, b = high * once;
        const float first = a < b ? a : b, last = a < b ? b : a;
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return enter <= leave;
}

static bool may_meet(const OndTraceMesh *m, const OndRay *ray, float far)
{
    return ond_ray_is_fit(ray) && far >= 0.0f && near_box(m, ray, far);
}

static struct RTCRay embree_ray(const OndRay *ray, float far, float time)
{
    return (struct RTCRay){.org_x = ray->origin.x,
                           .org_y = ray->origin.y,
                           .org_z = ray->origin.z,
                           .dir_x = ray->direction.x,
                           .dir_y = ray->direction.y,
                           .dir_z = ray->direction.z,
                           .tfar = far,
                           .time = time,
                           .mask = ~0u};
}

bool ond_trace_find(const OndTraceMesh *mesh, const OndRay *ray, float far, float time,
                    OndTraceHit *hit)
{
    if (!may_meet(mesh, ray, far)) return false;
    struct RTCRayHit r = {.ray = embree_ray(ray, far, time),
                          .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(mesh->scene, &context, &r);
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
    read_hit(mesh, ray, &r, hit);
    return true;
}

bool ond_trace_blocked(const OndTraceMesh *mesh, const OndRay *ray, float far, float time)
{
    if (!may_meet(mesh, ray, far)) return false;
    struct RTCRay r = embree_ray(ray, far, time);
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(mesh->scene, &context, &r);
    return r.tfar < 0.0f;
}
