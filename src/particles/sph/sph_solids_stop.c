// SPDX-License-Identifier: MIT
// Particles stop at solids, and solids feel what they gave.
//
// After the drift each particle near a solid, or so fast that it may have come from farther, is led
// along its way once more, and stops where that meets a face (ond_solids_stop). The change of its
// velocity, and all that walls pushed in this step's passes, goes back as force and torque on the
// solid: what the liquid gains the solids lose, to rounding. Rows are summed in order.
#include "particles/rigid/rigid.h"
#include "particles/sph/sph_solids.h"
#include "particles/stopping.h"

#define MARGIN  0.5 // of the way to the nearest face that nobody without a row may pass in a step
#define SOFT    0.5 // spacings
#define SAMPLES 128 // particles that are let fall
#define STRIDES 256 // in which they do

// ---- before the drift

static OndStatus add_row(OndSph *s, int i, OndError *err)
{
    OndSphSolids *const solids = s->solids;
    const OndStatus status = ond_sph_row_room(solids, solids->row_count + 1, err);
    if (status != OND_OK) return status;
    solids->row[solids->row_count] = (OndRow){.particle = i};
    solids->used[solids->used_count++] = solids->slot[i] = solids->row_count++;
    return OND_OK;
}

// Who moves so far that a face beyond reach may be in the way.
static OndStatus add_fast(OndSph *s, float dt, OndError *err)
{
    const OndSphSolids *solids = s->solids;
    const float way = (float)MARGIN * (solids->reach - solids->radius) - solids->speed * dt;
    const double most = (s->speed + s->acceleration * dt) * dt;
    if (!s->has_rigidity && most < way) return OND_OK;
    const float limit = way > 0.0f ? way / dt : 0.0f;
    OndStatus status = OND_OK;
    for (int i = 0; i < s->fields.count && status == OND_OK; ++i) {
        const float v[3] = {s->v[0][i], s->v[1][i], s->v[2][i]};
        if (solids->slot[i] < 0 && ond_dot3(v, v) >= limit * limit) status = add_row(s, i, err);
    }
    return status;
}

// One that starts, or is hurled, in this step goes farther than its speed says.
void ond_sph_solids_ahead(OndSph *s, float dt)
{
    if (!s->solids) return;
    const double travel = ond_solids_travel(s->world.solids, ond_cells_box(&s->cells));
    s->solids->speed = fmaxf(s->solids->speed, (float)(1.001 * travel / dt));
}

OndStatus ond_sph_solids_depart(OndSph *s, float dt, OndError *err)
{
    if (!s->solids) return OND_OK;
    const OndStatus status = add_fast(s, dt, err);
    for (int k = 0; k < s->solids->used_count; ++k) {
        OndRow *row = ond_sph_row(s, k);
        row->hit = -1, row->crushed = false;
        for (int a = 0; a < 3; ++a)
            row->from[a] = s->x[a][row->particle], row->kick[a] = 0.0f;
    }
    return status;
}

// ---- after it

static bool outside(const OndSph *s, OndVec at)
{
    bool out = false;
    for (int axis = 0; axis < 3; ++axis) {
        const float x = (float)ond_axis(at, axis);
        out |= x < s->wall_at[2 * axis] || x > s->wall_at[2 * axis + 1];
    }
    return out;
}

// How near to a face a particle may come. What is soft stops where its lattice ends, as at other
// walls, but is not thrown back when it stands nearer.
static double radius_of(const OndSph *s, const OndRow *row, int i)
{
    const double least = s->solids->radius, most = SOFT * s->world.spacing;
    if (!s->has_rigidity || !(s->rigidity[i] > 0.0f) || row->count == 0) return least;
    return fmin(fmax(row->touch[0].distance, least), most);
}

bool ond_sph_row_clear(const OndSph *s, const OndRow *row, double radius, double way, float dt)
{
    const double unsure = 3.0 * OND_DISTANCE_WITHIN * s->solids->reach; // more than it ever is
    return row->count > 0 &&
           row->touch[0].distance > 1.01 * (radius + way + s->solids->speed * dt) + unsure;
}

static void stop_one(OndSph *s, OndRow *row, int i, float dt)
{
    const OndVec from = ond_vec(row->from[0], row->from[1], row->from[2]);
    OndVec to = ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
    const double radius = radius_of(s, row, i);
    if (ond_sph_row_clear(s, row, radius, ond_length(ond_sub(to, from)), dt)) return;
    OndVec v = ond_vec(s->v[0][i], s->v[1][i], s->v[2][i]);
    OndHit hit;
    const OndStopping way = {s->world.solids, s->wall_at, s->world.spacing, radius, dt};
    if (!ond_stopping_stop(&way, from, &to, &v, &hit)) return;
    const float n[3] = {(float)hit.normal.x, (float)hit.normal.y, (float)hit.normal.z};
    const float a[3] = {s->a[0][i], s->a[1][i], s->a[2][i]}, press = fminf(ond_dot3(a, n), 0.0f);
    const OndVec arm = ond_sub(hit.at, ond_solids_end(s->world.solids, hit.solid)->pose.at);
    row->hit = hit.solid;
    row->crushed = ond_stopping_crushes(&way, to, &hit);
    for (int k = 0; k < 3; ++k) {
        const float velocity = (float)ond_axis(v, k);
        row->kick[k] = velocity - s->v[k][i];
        row->at[k] = (float)ond_axis(arm, k);
        s->x[k][i] = (float)ond_axis(to, k);
        s->v[k][i] = velocity;
        s->a[k][i] -= press * n[k]; // the face bears it
    }
}

void ond_sph_solids_stop(OndSph *s, int first, int last, float dt)
{
    if (!s->solids) return;
    for (int i = first; i < last; ++i) {
        const int slot = s->solids->slot[i];
        if (slot >= 0 && !s->held[i] && !ond_rigid_is_member(s, i))
            stop_one(s, &s->solids->row[slot], i, dt);
    }
}

OndStatus ond_sph_solids_arrive(const OndSph *s, OndError *err)
{
    for (int k = 0; s->solids && k < s->solids->used_count; ++k)
        if (ond_sph_row(s, k)->crushed)
            return ond_stopping_fail(s->world.solids, ond_sph_row(s, k)->hit, "a particle", err);
    return OND_OK;
}

// ---- what solids feel

void ond_sph_give_back(const OndSph *s, int solid, int i, OndVec arm, const float give[3],
                       double share)
{
    if (s->held[i]) return;
    OndSolidLoad *load = &ond_solids_loads(s->world.solids)[solid];
    const double mass = share * s->mass[s->material[i]];
    const OndVec force = ond_scale(ond_vec(give[0], give[1], give[2]), -mass);
    load->force = ond_add(load->force, force);
    load->torque = ond_add(load->torque, ond_cross(arm, force));
}

void ond_sph_solids_press(OndSph *s, double dt)
{
    if (!s->solids) return;
    ond_sph_solids_stiffness(s, dt);
    for (int k = 0; k < s->solids->used_count; ++k) {
        const OndRow *row = ond_sph_row(s, k);
        for (int t = 0; t < row->count; ++t)
            ond_sph_give_back(s, row->touch[t].solid, row->particle,
                              ond_sph_arm(s, row->touch[t].solid, row->particle),
                              row->touch[t].push, 1.0);
    }
}

void ond_sph_solids_load(OndSph *s, double dt)
{
    if (!s->solids) return;
    for (int k = 0; k < s->solids->used_count; ++k) {
        const OndRow *row = ond_sph_row(s, k);
        if (row->hit < 0) continue;
        // at the surface where they met: a ball that is slippery must not turn
        ond_sph_give_back(s, row->hit, row->particle, ond_sph_stop_arm(row), row->kick, 1.0 / dt);
    }
    ond_sph_solids_hits(s, dt);
}

// ---- how far things fall

// How far a particle falls before it meets a face, in strides; 0 when it never does.
static double way_down(const OndSph *s, OndVec from, OndVec down, double stride)
{
    OndVec at = from, still = {0, 0, 0};
    for (int k = 0; k < STRIDES && !outside(s, at); ++k) {
        OndVec to = ond_add(at, ond_scale(down, stride));
        OndHit hit;
        if (ond_solids_stop(s->world.solids, at, &to, &still, s->solids->radius, 1.0, &hit))
            return ond_dot(down, ond_sub(to, from));
        at = to;
    }
    return 0.0;
}

// g H with H the longest such way.
double ond_sph_solids_fall(const OndSph *s, double extent)
{
    const OndVec g = ond_vec(s->world.gravity[0], s->world.gravity[1], s->world.gravity[2]);
    const int n = s->fields.count, step = n > SAMPLES ? n / SAMPLES : 1;
    const double stride = fmax(extent / 8.0, 4.0 * s->world.spacing);
    double most = 0.0;
    for (int i = 0; s->solids && i < n; i += step) {
        const OndVec from = ond_vec(s->x[0][i], s->x[1][i], s->x[2][i]);
        most = fmax(most, way_down(s, from, ond_unit(g), stride));
    }
    return ond_length(g) * most; // m^2/s^2
}

// The fastest that a solid moves, as far as that is known.
double ond_sph_solids_speed(const OndSph *s)
{
    return s->solids ? s->solids->speed : 0.0;
}

// ---- who leaves the liquid no room

static bool presses(const OndRow *row)
{
    for (int k = 0; k < row->count; ++k)
        if (ond_dot3(row->touch[k].velocity, row->touch[k].normal) > 0.0f) return true;
    return false;
}

// Of the faces that come towards a particle, those of the one that is squeezed most.
const char *ond_sph_solids_presser(const OndSph *s)
{
    const OndRow *worst = NULL;
    for (int k = 0; s->solids && k < s->solids->used_count; ++k) {
        const OndRow *row = ond_sph_row(s, k);
        if (presses(row) && (!worst || s->density[row->particle] > s->density[worst->particle]))
            worst = row;
    }
    for (int k = 0; worst && k < worst->count; ++k)
        if (ond_dot3(worst->touch[k].velocity, worst->touch[k].normal) > 0.0f)
            return ond_solids_def(s->world.solids, worst->touch[k].solid)->name;
    return NULL;
}
