// SPDX-License-Identifier: MIT
#include "render/spheres/cloud.h"

#include "base/memory.h"
#include "base/random.h"
#include "render/quantity.h"

#include <string.h>

#define FOAM_LEAST 0.12f // radii of foam, as shares of those of the liquid
#define FOAM_MOST  0.3f

#define FARTHEST 1e15f // metres; what lies beyond has left any scene

static bool in_reach(float x, float y, float z)
{
    return fabsf(x) < FARTHEST && fabsf(y) < FARTHEST && fabsf(z) < FARTHEST; // NaN fails
}

// The frame's position field, checked; NULL with no error when there are no particles at all.
static OndStatus positions_of(const OndFrame *frame, const OndField **out, OndError *err)
{
    *out = NULL;
    if (frame->particles.count <= 0) return OND_OK;
    const OndField *field = ond_fields_find(&frame->particles, "position");
    if (!field || field->type != OND_F32 || field->components != 3)
        return ond_fail(
            err, OND_BAD_VALUE,
            "frame %d has %d particles but no field 'position' of three floats; there is "
            "nothing to draw them by",
            frame->index, frame->particles.count);
    *out = field;
    return OND_OK;
}

static const OndField *foam_positions(const OndFrame *frame)
{
    const OndField *const field = ond_fields_find(&frame->foam, "position");
    return field && field->type == OND_F32 && field->components == 3 ? field : NULL;
}

bool ond_cloud_bounds(const OndFrame *frame, OndBox *box)
{
    const OndField *field;
    if (positions_of(frame, &field, NULL) != OND_OK || !field) return false;
    const float *x = field->data[0], *y = field->data[1], *z = field->data[2];
    float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < frame->particles.count; ++i) {
        if (!in_reach(x[i], y[i], z[i])) continue;
        const float p[3] = {x[i], y[i], z[i]};
        for (int k = 0; k < 3; ++k) {
            min[k] = p[k] < min[k] ? p[k] : min[k];
            max[k] = p[k] > max[k] ? p[k] : max[k];
        }
    }
    *box = (OndBox){ond_vec(min[0], min[1], min[2]), ond_vec(max[0], max[1], max[2])};
    return min[0] <= max[0];
}

double ond_cloud_radius(const OndFrame *frame, const OndBox *box)
{
    // spheres that only just touch leave gaps to look through; in a single layer more so
    const double overlap = frame->dimension == 2 ? 1.25 : 1.12;
    if (frame->spacing > 0.0 && frame->spacing < 1e12) return 0.5 * overlap * frame->spacing;
    const OndVec size = ond_sub(box->max, box->min);
    const double n = frame->particles.count > 0 ? frame->particles.count : 1;
    const double spacing =
        frame->dimension == 2 ? sqrt(size.x * size.y / n) : cbrt(size.x * size.y * size.z / n);
    return spacing > 0.0 ? 0.5 * overlap * spacing : 0.01 * ond_length(size);
}

// How large a sphere is against the others: particles between two frames may be on their way to
// nothing, and say so by a spacing of their own.
static float share_of_size(const OndField *sizes, double spacing, int i)
{
    if (!sizes || !(spacing > 0.0)) return 1.0f;
    const float share = (float)(((const float *)sizes->data[0])[i] / spacing);
    return share > 0.0f && share < 1.0f ? share : 1.0f;
}

static const OndField *find_sizes(const OndFrame *frame)
{
    const OndField *sizes = ond_fields_find(&frame->particles, "spacing");
    return sizes && sizes->type == OND_F32 && sizes->components == 1 ? sizes : NULL;
}

static void gather(OndCloud *cloud, const OndFrame *frame, const OndField *position,
                   const OndField *field, const OndPlace *place)
{
    const float *x = position->data[0], *y = position->data[1], *z = position->data[2];
    const OndField *sizes = find_sizes(frame);
    int n = 0;
    for (int i = 0; i < frame->particles.count; ++i) {
        if (!in_reach(x[i], y[i], z[i])) continue;
        const OndF3 p = ond_place(place, ond_vec(x[i], y[i], z[i]));
        if (!in_reach(p.x, p.y, p.z)) continue;
        const float share = share_of_size(sizes, frame->spacing, i);
        cloud->sphere[n] = (OndSphere){p.x, p.y, p.z, cloud->radius * share};
        if (field) cloud->value[n] = ond_quantity_value(field, i);
        ++n;
    }
    cloud->count = n;
}

// Foam is small and white, of a size that belongs to its id.
static void gather_foam(OndCloud *cloud, const OndFrame *frame, const OndPlace *place)
{
    const OndField *const at = foam_positions(frame), *const id =
                                                          ond_fields_find(&frame->foam, "id");
    int n = cloud->count;
    for (int i = 0; at && i < frame->foam.count; ++i) {
        const float *const x = at->data[0], *const y = at->data[1], *const z = at->data[2];
        if (!in_reach(x[i], y[i], z[i])) continue;
        const OndF3 p = ond_place(place, ond_vec(x[i], y[i], z[i]));
        const uint64_t key =
            id && id->type == OND_U32 ? ((const uint32_t *)id->data[0])[i] : (uint64_t)i;
        const float share = FOAM_LEAST + (FOAM_MOST - FOAM_LEAST) * ond_random(key, 7);
        if (in_reach(p.x, p.y, p.z))
            cloud->sphere[n++] = (OndSphere){p.x, p.y, p.z, cloud->radius * share};
    }
    cloud->count = n;
}

static OndStatus attach(OndCloud *cloud, RTCDevice device, OndError *err)
{
    cloud->scene = rtcNewScene(device);
    if (cloud->scene && cloud->count > 0) {
        RTCGeometry spheres = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
        if (spheres) {
            rtcSetSharedGeometryBuffer(spheres, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                       cloud->sphere, 0, sizeof(OndSphere), (size_t)cloud->count);
            rtcCommitGeometry(spheres);
            rtcAttachGeometry(cloud->scene, spheres);
            rtcReleaseGeometry(spheres);
        }
    }
    if (cloud->scene) rtcCommitScene(cloud->scene);
    if (rtcGetDeviceError(device) == RTC_ERROR_NONE && cloud->scene) return OND_OK;
    return ond_fail(err, OND_NO_MEMORY,
                    "Embree could not prepare %d spheres, most likely for lack of memory",
                    cloud->count);
}

OndStatus ond_cloud_build(OndCloud *cloud, RTCDevice device, const OndFrame *frame,
                          const OndField *field, const OndPlace *place, double radius,
                          OndError *err)
{
    memset(cloud, 0, sizeof *cloud);
    const OndField *position;
    OndStatus status = positions_of(frame, &position, err);
    if (status != OND_OK) return status;
    const size_t foam = foam_positions(frame) ? (size_t)frame->foam.count : 0;
    const size_t room = (position ? (size_t)frame->particles.count : 0) + foam;
    cloud->radius = (float)(radius * place->scale);
    cloud->sphere = ond_alloc((room + 1) * sizeof(OndSphere)); // Embree reads past the last
    cloud->value = field && room ? ond_alloc(room * sizeof(float)) : NULL;
    if (!cloud->sphere || (field && room && !cloud->value))
        status =
            ond_fail(err, OND_NO_MEMORY, "no memory to draw %d particles", frame->particles.count);
    if (status == OND_OK && position)
        gather(cloud, frame, position, cloud->value ? field : NULL, place);
    cloud->foam = cloud->count;
    if (status == OND_OK) gather_foam(cloud, frame, place);
    if (status == OND_OK) status = attach(cloud, device, err);
    if (status != OND_OK) ond_cloud_free(cloud);
    return status;
}

// The mean of two random numbers: most tones are near the middle.
void ond_cloud_tones(OndCloud *cloud)
{
    for (int i = 0; i < cloud->count && cloud->value; ++i) {
        const uint64_t number = (uint64_t)cloud->value[i];
        cloud->value[i] = 0.5f * (ond_random(number, 0) + ond_random(number, 1));
    }
}

void ond_cloud_free(OndCloud *cloud)
{
    if (cloud->scene) rtcReleaseScene(cloud->scene);
    ond_free(cloud->sphere);
    ond_free(cloud->value);
    memset(cloud, 0, sizeof *cloud);
}
