// SPDX-License-Identifier: MIT
// How a liquid starts: the kernel's factors and masses that make its lattice exactly as dense as it
// is at rest, where walls are, and the speed of sound that its fall and weight need.
#include "particles/incompressible/incompressible.h"
#include "particles/rigid/rigid.h"
#include "particles/sph/sph_state.h"
#include "particles/viscous/viscous.h"

#define FADE_CROSSINGS 20 // of the liquid by sound, in which the start's density factors fade
#define FAST_SOUND     3  // times sound, and
#define FAST_FALL      15 // times fall or start: speeds beyond both are no liquid's

// Sums over the square lattice round a particle: of W, of r G r and of r^2 lap W, without the
// particle's volume.
static void lattice_sums(const OndSph *s, double sums[3])
{
    const double spacing = s->world.spacing;
    const int reach = (int)ceil(s->def.smoothing), flat = s->world.dimension == 2 ? 0 : reach;
    sums[0] = sums[1] = sums[2] = 0;
    for (int z = -flat; z <= flat; ++z)
        for (int y = -reach; y <= reach; ++y)
            for (int x = -reach; x <= reach; ++x) {
                const double r2 = spacing * spacing * (x * x + y * y + z * z);
                sums[0] += ond_kernel_value(s->kernel, (float)r2);
                sums[1] += r2 * ond_kernel_gradient(s->kernel, (float)sqrt(r2));
                sums[2] += r2 * ond_kernel_laplacian(s->kernel, (float)sqrt(r2));
            }
}

// The lattice the liquid starts on must have exactly its rest density. Either the mass is chosen so
// [Dagenais 2012, 4.4], or (calibrate) the mass is what the volume weighs, and the kernels' factors
// are scaled so that value, gradient and Laplacian are exact on that lattice.
void ond_sph_set_up_kernel(OndSph *s)
{
    const int d = s->world.dimension;
    const double spacing = s->world.spacing, h = s->def.smoothing * spacing;
    const double volume = d == 2 ? spacing * spacing : spacing * spacing * spacing;
    s->kernel = ond_kernel_set(s->def.kernel, h, d);
    s->damping = s->def.density == OND_DENSITY_SUMMATION ? (float)(s->def.sound_damping * h) : 0.0f;
    s->rest_volume = (float)volume;
    ond_sph_set_up_tension(s);
    double sums[3];
    lattice_sums(s, sums);
    const OndKernelSet bare = s->kernel;
    if (s->def.calibrate) {
        s->kernel.value *= (float)(1.0 / (volume * sums[0]));
        s->kernel.gradient *= (float)(-d / (volume * sums[1]));
        s->kernel.laplacian *= (float)(2.0 * d / (volume * sums[2]));
    }
    s->slope_ratio = s->kernel.value / bare.value * bare.gradient / s->kernel.gradient;
    ond_viscous_set_up(s);
    ond_sph_set_up_surface(s);
    for (int m = 0; m < s->world.material_count; ++m)
        s->mass[m] = s->def.mass > 0.0  ? (float)s->def.mass
                     : s->def.calibrate ? (float)ond_world_mass(&s->world, m)
                                        : (float)(s->world.material[m].density / sums[0]);
}

void ond_sph_set_up_walls(OndSph *s)
{
    const OndWorld *w = &s->world;
    const bool mirror = w->wall_model == OND_WALL_MIRROR;
    // on the wall itself a particle would meet its own image
    const float gap = fmaxf(w->margin, mirror ? 0.1f * (float)w->spacing : 0.0f);
    for (int side = 0; side < 6; ++side) {
        const int axis = side / 2, kind = axis < w->dimension ? w->side[side].kind : OND_SIDE_OPEN;
        const float inward = side % 2 ? -1.0f : 1.0f;
        const float at =
            (float)(side % 2 ? ond_axis(w->box.max, axis) : ond_axis(w->box.min, axis));
        const bool images = kind == OND_SIDE_PERIODIC || (kind == OND_SIDE_WALL && mirror);
        s->wall_at[side] = kind == OND_SIDE_WALL ? at + inward * gap : -inward * INFINITY;
        s->image_at[side] = images ? at + inward * s->reach : -inward * INFINITY;
        s->has_walls |= images;
        s->rigid_at[side] = ond_rigid_wall(s, side);
    }
}

static void bounds(const OndSph *s, int axis, double *low, double *high)
{
    *low = *high = s->x[axis][0];
    for (int i = 1; i < s->fields.count; ++i) {
        *low = fmin(*low, s->x[axis][i]);
        *high = fmax(*high, s->x[axis][i]);
    }
}

static double extent(const OndSph *s)
{
    double low, high, most = 0;
    for (int a = 0; a < s->world.dimension; ++a) {
        bounds(s, a, &low, &high);
        most = fmax(most, high - low);
    }
    return most;
}

// g H with H the way a particle can fall: from the top of the liquid to the wall below, or to the
// bottom of the liquid where there is none. A force along a periodic channel squeezes nothing.
double ond_sph_fall_height(const OndSph *s)
{
    double sum = 0, low, high;
    for (int a = 0; a < s->world.dimension; ++a) {
        const double g = s->world.gravity[a];
        const OndSide *below = &s->world.side[2 * a + (g < 0.0 ? 0 : 1)];
        if (below->kind == OND_SIDE_PERIODIC) continue;
        bounds(s, a, &low, &high);
        if (below->kind == OND_SIDE_WALL && g < 0.0) low = fmin(low, ond_axis(s->world.box.min, a));
        if (below->kind == OND_SIDE_WALL && g > 0.0)
            high = fmax(high, ond_axis(s->world.box.max, a));
        sum += fabs(g) * (high - low);
    }
    return sum * ond_sph_heaviest(s); // m^2/s^2
}

// c^2 = (g H + v^2 / 2) / squeeze: hydrostatic and dynamic pressure together squeeze by about that
// share.
static double fastest_start(const OndSph *s)
{
    double fastest = 0;
    for (int i = 0; i < s->fields.count; ++i)
        fastest = fmax(fastest, (double)s->v[0][i] * s->v[0][i] + (double)s->v[1][i] * s->v[1][i] +
                                    (double)s->v[2][i] * s->v[2][i]);
    return sqrt(fastest);
}

// Of what is animated elsewhere.
static double fastest_path(const OndSph *s)
{
    double fastest = 0;
    for (int m = 0; m < s->world.material_count; ++m)
        if (s->world.material[m].held_path)
            fastest = fmax(fastest, s->world.material[m].held_path->fastest);
    return fastest;
}

static double automatic_sound(const OndSph *s, double fall, double fastest)
{
    double drop = 0; // pressure in a drop of 8 spacings radius
    for (int m = 0; m < s->world.material_count; ++m)
        drop = fmax(drop, 0.25 * s->world.material[m].tension /
                              (s->world.spacing * s->world.material[m].density));
    const double c2 = (fall + 0.5 * fastest * fastest + drop) / OND_SQUEEZE;
    return c2 > 0.0 ? sqrt(c2) : 10.0;
}

void ond_sph_set_sound(OndSph *s, double drop, double fastest)
{
    const double falling = sqrt(2.0 * drop);
    const double sound =
        s->def.sound_speed > 0.0 ? s->def.sound_speed : automatic_sound(s, drop, fastest);
    s->sound_speed = fmax(s->sound_speed, sound);
    s->speed_cap =
        fmax(s->speed_cap, fmax(FAST_SOUND * s->sound_speed, FAST_FALL * fmax(falling, fastest)));
    s->sound = (float)s->sound_speed;
}

OndStatus ond_sph_start(void *self, OndError *err)
{
    OndSph *s = self;
    s->begun = true;
    const double g = sqrt((double)s->world.gravity[0] * s->world.gravity[0] +
                          (double)s->world.gravity[1] * s->world.gravity[1] +
                          (double)s->world.gravity[2] * s->world.gravity[2]);
    const double fall =
        s->fields.count ? fmax(ond_sph_fall_height(s), ond_sph_solids_fall(s, extent(s))) : 0.0;
    const double drop = fmax(fall, fmax(s->world.inflow_energy, s->world.solid_fall));
    ond_sph_set_sound(s, drop, fmax(fmax(fastest_start(s), fastest_path(s)), s->world.solid_speed));
    ond_sph_foam_start(s, drop, fmax(fastest_start(s), fastest_path(s)));
    if (s->fields.count == 0) return OND_OK;
    ond_sph_solids_still(s, true);
    OndStatus status = ond_sph_find_neighbours(s, err);
    if (status != OND_OK) return status;
    s->height = fmax(g > 0.0 && fall > 0.0 ? fall / g : extent(s), 4.0 * s->kernel.h);
    status = ond_sph_run(s, OND_STAGE_START, &(OndSphStep){0}, err);
    if (status != OND_OK) return status;
    ond_sph_solids_still(s, false);
    ond_sph_start_density(s);
    if (s->keeps_volume && s->def.settle)
        status = ond_incompressible_start(s, (float)ond_sph_step_beside_friction(s), err);
    if (status != OND_OK) return status;
    s->fade_time = FADE_CROSSINGS * s->height / s->sound_speed;
    if (s->has_rigidity) ond_rigid_refresh(s);
    if (s->has_carried) ond_sph_carry_begin(s);
    return ond_sph_measure(s, err);
}
