// SPDX-License-Identifier: MIT
// Grains and solids: the same spring as between grains, against each face that is nearer than the
// radius; and as the last guard a ball of half that radius, which no face lets through however hard
// it is pressed or fast it moves.
//
// Every force and impulse that a grain gets goes back to the solid. They are written down block by
// block in the order of the grains and added up by one thread.
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/dem/dem_state.h"
#include "particles/stopping.h"

#include <string.h>

#define GROUPS (OND_SUM_BLOCK / OND_DEM_GROUP) // in a block
#define GUARD  0.25                            // of the diameter: no nearer to a face than this

static OndVec place_of(const OndDem *d, int i)
{
    return ond_vec(d->x[0][i], d->x[1][i], d->x[2][i]);
}

static void remember(OndDemBlock *block, int solid, OndVec force, OndVec at)
{
    if (block->count == block->room) {
        const int room = 2 * block->room + 64;
        OndDemPush *larger = OND_NEW_ARRAY(OndDemPush, room);
        if (!larger) {
            block->full = true;
            return;
        }
        if (block->count) memcpy(larger, block->push, (size_t)block->count * sizeof *larger);
        ond_free(block->push);
        block->push = larger;
        block->room = room;
    }
    block->push[block->count++] = (OndDemPush){solid, force, at};
}

static OndStatus make_blocks(OndDem *d, OndError *err)
{
    const int blocks = ond_sum_block_count(d->fields.count);
    if (blocks > d->block_room) {
        OndDemBlock *larger = OND_NEW_ARRAY(OndDemBlock, blocks + blocks / 4);
        if (!larger) return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d blocks", blocks);
        if (d->block_room) memcpy(larger, d->block, (size_t)d->block_room * sizeof *larger);
        ond_free(d->block);
        d->block = larger;
        d->block_room = blocks + blocks / 4;
    }
    if (blocks * GROUPS > d->near_room) {
        ond_free(d->near);
        d->near_room = d->block_room * GROUPS;
        d->near = OND_NEW_ARRAY(unsigned char, d->near_room);
        if (!d->near) d->near_room = 0;
        if (!d->near)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for %d blocks", blocks);
    }
    for (int b = 0; b < d->block_room; ++b)
        d->block[b].count = 0, d->block[b].full = false, d->block[b].crusher = -1;
    return OND_OK;
}

static bool near_group(const OndDem *d, int first, int last, double reach)
{
    OndBox box = {place_of(d, first), place_of(d, first)};
    for (int i = first + 1; i < last; ++i)
        box = ond_box_add(box, place_of(d, i));
    return ond_solids_may_touch(d->world.solids, box, reach);
}

typedef struct Watch {
    OndDem *d;
    double reach;
} Watch;

static int count_groups(const OndDem *d)
{
    return (d->fields.count + OND_DEM_GROUP - 1) / OND_DEM_GROUP;
}

static void watch_groups(int first, int last, int worker, void *context)
{
    const Watch *w = context;
    for (int g = first; g < last; ++g) {
        const int begin = g * OND_DEM_GROUP, next = begin + OND_DEM_GROUP;
        const int end = next < w->d->fields.count ? next : w->d->fields.count;
        w->d->near[g] = near_group(w->d, begin, end, w->reach);
    }
}

void ond_dem_watch_solids(OndDem *d, double way)
{
    const double reach = GUARD * d->diameter + way;
    if (reach <= 0.5 * d->diameter) return; // as the forces asked
    Watch w = {d, reach};
    ond_parallel_for(count_groups(d), 32, watch_groups, &w);
}

// One face is a plane; `which` tells it from others of its solid.
static void press_face(OndDem *d, int i, const OndTouch *touch, int which, OndDemBlock *block)
{
    const OndSolidDef *def = ond_solids_def(d->world.solids, touch->solid);
    const OndContactLaw law = ond_dem_surface(d, def->slip, def->restitution, def->friction);
    const float mass = d->mass[i], inertia = ond_contact_inertia(&law, mass);
    const OndVec v = ond_sub(ond_vec(d->v[0][i], d->v[1][i], d->v[2][i]), touch->velocity);
    const double apart = ond_dot(v, touch->normal);
    const OndVec slide = ond_sub(v, ond_scale(touch->normal, apart)), n = touch->normal;
    const float overlap = (float)(0.5 * d->diameter - touch->distance);
    const OndDemRub rub = {.law = &law,
                           .with =
                               OND_DEM_SOLID + (uint32_t)(touch->solid * OND_TOUCHES_MAX + which),
                           .normal = {(float)n.x, (float)n.y, (float)n.z},
                           .slide = {(float)slide.x, (float)slide.y, (float)slide.z},
                           .push = ond_contact_push(&law, overlap, (float)apart, inertia),
                           .inertia = inertia};
    float along[3];
    ond_dem_rub(d, i, &rub, along);
    const OndVec force = ond_add(ond_scale(n, rub.push), ond_vec(along[0], along[1], along[2]));
    d->a[0][i] += (float)(force.x / mass);
    d->a[1][i] += (float)(force.y / mass);
    d->a[2][i] += (float)(force.z / mass);
    if (!d->held[i]) remember(block, touch->solid, force, touch->at);
}

#define WAYS 6 // in which a face may look, mostly: there and back along each axis of its solid

static int way_of(const OndDem *d, const OndTouch *touch)
{
    const OndPose *pose = &ond_solids_state(d->world.solids, touch->solid)->pose;
    const OndVec own = ond_pose_unturn(pose, touch->normal);
    const double x = fabs(own.x), y = fabs(own.y), z = fabs(own.z);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return 2 * axis + (ond_axis(own, axis) < 0.0);
}

// Which face of its solid touch t is: the way it looks, which stays when another comes nearer. The
// nearest of those that look alike keeps it, others share what is left.
static int which_face(const OndDem *d, const OndTouch *touch, int t)
{
    const int way = way_of(d, &touch[t]);
    int before = 0;
    for (int k = 0; k < t; ++k)
        before += touch[k].solid == touch[t].solid && way_of(d, &touch[k]) == way;
    return before == 0 ? way : WAYS + before % (OND_TOUCHES_MAX - WAYS);
}

static void solid_blocks(int first, int last, int worker, void *context)
{
    OndDem *d = context;
    const double radius = 0.5 * d->diameter;
    OndTouch touch[OND_TOUCHES_MAX];
    for (int b = first; b < last; ++b) {
        const int begin = b * OND_SUM_BLOCK, next = begin + OND_SUM_BLOCK;
        const int end = next < d->fields.count ? next : d->fields.count;
        for (int g = begin; g < end; g += OND_DEM_GROUP) {
            const int stop = g + OND_DEM_GROUP < end ? g + OND_DEM_GROUP : end;
            if (!d->near[g / OND_DEM_GROUP]) continue;
            for (int i = g; i < stop; ++i) {
                const int count = ond_solids_near(d->world.solids, place_of(d, i), radius, touch);
                for (int t = 0; t < count; ++t)
                    press_face(d, i, &touch[t], which_face(d, touch, t), &d->block[b]);
            }
        }
    }
}

OndStatus ond_dem_solids(OndDem *d, OndError *err)
{
    if (!ond_solids_count(d->world.solids)) return OND_OK;
    const OndStatus status = make_blocks(d, err);
    if (status != OND_OK) return status;
    Watch w = {d, 0.5 * d->diameter};
    ond_parallel_for(count_groups(d), 32, watch_groups, &w);
    ond_parallel_for(ond_sum_block_count(d->fields.count), 1, solid_blocks, d);
    return ond_dem_check_blocks(d, err);
}

OndStatus ond_dem_check_blocks(const OndDem *d, OndError *err)
{
    for (int b = 0; b < d->block_room; ++b) {
        if (d->block[b].full)
            return ond_fail(err, OND_NO_MEMORY, "not enough memory for contacts with solids");
        if (d->block[b].crusher >= 0)
            return ond_stopping_fail(d->world.solids, d->block[b].crusher, "a grain", err);
    }
    return OND_OK;
}

void ond_dem_load(OndDem *d)
{
    if (!ond_solids_count(d->world.solids)) return;
    OndSolidLoad *load = ond_solids_loads(d->world.solids);
    for (int b = 0; b < d->block_room; ++b) {
        for (int k = 0; k < d->block[b].count; ++k) {
            const OndDemPush *p = &d->block[b].push[k];
            const OndVec origin = ond_solids_state(d->world.solids, p->solid)->pose.at;
            const OndVec force = ond_scale(p->force, -1.0);
            load[p->solid].force = ond_add(load[p->solid].force, force);
            load[p->solid].torque =
                ond_add(load[p->solid].torque, ond_cross(ond_sub(p->at, origin), force));
        }
        d->block[b].count = 0;
    }
}

double ond_dem_solid_speed(const OndDem *d)
{
    const OndBox box = ond_cells_box(&d->cells);
    const OndVec size = ond_sub(box.max, box.min), middle = ond_add(box.min, ond_scale(size, 0.5));
    double fastest = 0;
    for (int s = 0; s < ond_solids_count(d->world.solids); ++s) {
        const OndSolidState *state = ond_solids_state(d->world.solids, s);
        const double arm = ond_length(ond_sub(middle, state->pose.at)) + 0.5 * ond_length(size);
        const double spin = ond_length(state->spin);
        fastest = fmax(fastest, ond_length(state->velocity) + (spin > 0.0 ? spin * arm : 0.0));
    }
    return fastest;
}

void ond_dem_stop(OndDem *d, int i, const float from[3], double dt, OndDemBlock *block)
{
    OndVec to = place_of(d, i);
    const OndVec before = ond_vec(d->v[0][i], d->v[1][i], d->v[2][i]);
    OndVec velocity = before;
    OndHit hit = {.solid = -1};
    const OndStopping way = {d->world.solids, d->wall_at, d->diameter, GUARD * d->diameter, dt};
    if (!ond_stopping_stop(&way, ond_vec(from[0], from[1], from[2]), &to, &velocity, &hit)) return;
    d->x[0][i] = (float)to.x, d->x[1][i] = (float)to.y, d->x[2][i] = (float)to.z;
    d->v[0][i] = (float)velocity.x, d->v[1][i] = (float)velocity.y, d->v[2][i] = (float)velocity.z;
    for (int a = 0; a < 3; ++a)
        d->a[a][i] = 0.0f; // what pressed it has been answered
    if (hit.solid < 0) return;
    if (ond_stopping_crushes(&way, to, &hit)) block->crusher = hit.solid;
    const OndVec force = ond_scale(ond_sub(velocity, before), d->mass[i] / dt);
    remember(block, hit.solid, force, ond_sub(to, ond_scale(hit.normal, GUARD * d->diameter)));
}
