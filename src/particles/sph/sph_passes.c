// SPDX-License-Identifier: MIT
// The order of an SPH step. Each pass is in the file of its name, its loops in loops_*.c.
#include "particles/sph/sph_passes.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/foam/foam.h"
#include "particles/heat/heat.h"
#include "particles/incompressible/incompressible.h"
#include "particles/rigid/rigid.h"
#include "particles/sph/sph_state.h"
#include "particles/viscous/viscous.h"

#include <string.h>

const char *const ond_sph_phase_names[OND_PHASE_COUNT] = {
    "sort", "neighbours", "density", "pressure",  "viscosity", "tension",
    "heat", "rigidity",   "solids",  "integrate", "foam",
};

// ---- start: these run passes of `prepare` in between

static OndStatus pack(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step;
    return ond_sph_pack(s, err);
}

static OndStatus rest(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_rest_density(s);
    return OND_OK;
}

static OndStatus settle(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step;
    return ond_sph_settle(s, s->height, err);
}

static bool settles(const OndSph *s)
{
    return s->def.settle;
}

static bool settles_pressure(const OndSph *s)
{
    return s->def.settle && !s->keeps_volume;
}

// ---- prepare

static OndStatus sort(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step;
    return ond_sph_sort(s, err); // near in space becomes near in memory
}

// Images stand for walls and periodic sides.
static OndStatus neighbours(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step;
    OndStatus status = ond_sph_make_images(s, err);
    if (status == OND_OK) status = ond_sph_search(s, err);
    return status == OND_OK ? ond_sph_solids_find(s, err) : status;
}

static bool fills_surface(const OndSph *s)
{
    return s->surface.count > 0;
}

static OndStatus fill_surface(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_fill_surface(s);
    return OND_OK;
}

static OndStatus density(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_density(s);
    return OND_OK;
}

static void weigh_range(int first, int last, int worker, void *context)
{
    const OndSph *s = context;
    for (int a = 0; a < 3; ++a)
        for (int i = first; i < last; ++i)
            s->a[a][i] = s->world.gravity[a];
}

static OndStatus weigh(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_parallel_for(s->fields.count, 8 * OND_GRAIN, weigh_range, s);
    ond_sph_solids_forget(s);
    return OND_OK;
}

static bool is_overweight(const OndSph *s)
{
    return s->def.overweight;
}

static OndStatus overweigh(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_overweigh(s);
    return OND_OK;
}

static bool is_squeezed(const OndSph *s)
{
    return !s->keeps_volume;
}

static OndStatus pressure(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_pressure(s);
    return OND_OK;
}

static bool thickens(const OndSph *s)
{
    return s->thickens;
}

static OndStatus thicken(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_thicken(s);
    return OND_OK;
}

static OndStatus viscosity(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_viscosity(s);
    return OND_OK;
}

static bool spares_turning(const OndSph *s)
{
    return s->def.turning > 0.0 && (s->def.artificial > 0.0 || s->def.quadratic > 0.0);
}

static OndStatus spare_turning(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_spare_turning(s);
    return OND_OK;
}

static bool has_tension(const OndSph *s)
{
    return s->has_tension;
}

static OndStatus tension(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_tension(s);
    return OND_OK;
}

static OndStatus hold(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    const OndHeldView held = ond_sph_held(s);
    ond_held_set(&held);
    return OND_OK;
}

static bool has_rigidity(const OndSph *s)
{
    return s->has_rigidity;
}

static bool has_bonds(const OndSph *s)
{
    return s->has_rigidity && s->has_paths;
}

static OndStatus bond(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step;
    return ond_sph_bond(s, err);
}

static OndStatus refresh(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_rigid_refresh(s);
    return OND_OK;
}

static bool has_carried(const OndSph *s)
{
    return s->has_carried;
}

static OndStatus carry(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_carry_melt(s);
    return OND_OK;
}

static OndStatus limits(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step;
    return ond_sph_limits(s, err);
}

// What a step takes of memory is taken before it changes anything, as far as that is known: a step that is refused can be
// tried again. (Sums have room since the limits.)
static OndStatus make_room(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step;
    OndStatus status = s->keeps_volume ? ond_incompressible_room(s, err) : OND_OK;
    if (status == OND_OK && s->rubs) status = ond_viscous_room(s, err);
    return status;
}

// ---- advance

// How much rigidity and solids take is known only once velocities have changed.
static bool may_be_refused(const OndSph *s)
{
    return s->has_rigidity || s->world.solids;
}

static void copy_values(const OndSph *s, float *const to[], float *const from[], int count)
{
    for (int k = 0; k < count; ++k)
        memcpy(to[k], from[k], (size_t)s->fields.count * sizeof *to[k]);
}

static OndStatus remember(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    copy_values(s, s->before, s->v, 3);
    if (s->has_heat) copy_values(s, s->warmth, (float *[]){s->temperature, s->temperature_rest}, 2);
    return OND_OK;
}

static void take_back(OndSph *s)
{
    copy_values(s, s->v, s->before, 3);
    if (s->has_heat) copy_values(s, (float *[]){s->temperature, s->temperature_rest}, s->warmth, 2);
}

static bool has_foam(const OndSph *s)
{
    return s->foam != NULL;
}

static OndStatus breathe(OndSph *s, const OndSphStep *step, OndError *err)
{
    return ond_sph_foam_breathe(s, step->dt, err);
}

static OndStatus drift_foam(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)err;
    ond_foam_drift(s->foam, step->dt);
    return OND_OK;
}

static bool yields(const OndSphStep *step)
{
    return step->solids && step->solids->free;
}

// Forces of now push bodies, and particles yield to what those gain by it.
static OndStatus push_solids(OndSph *s, const OndSphStep *step, OndError *err)
{
    ond_sph_solids_press(s, step->dt);
    const OndStatus status = ond_exchange_depart(step->solids, step->dt, err);
    if (status != OND_OK) return status;
    if (yields(step)) ond_sph_solids_yield(s, step->dt);
    ond_exchange_answered(step->solids);
    return OND_OK;
}

static bool has_heat(const OndSph *s)
{
    return s->has_heat;
}

static OndStatus heat(OndSph *s, const OndSphStep *step, OndError *err)
{
    return ond_heat_spread(s, step->dt, err);
}

// Either before solids take what pushes them, or after that is known.
static bool rubs_squeezed(const OndSph *s)
{
    return s->rubs && !s->keeps_volume;
}

static bool rubs_kept(const OndSph *s)
{
    return s->rubs && s->keeps_volume;
}

static OndStatus rub(OndSph *s, const OndSphStep *step, OndError *err)
{
    return ond_viscous_rub(s, (float)step->dt, err);
}

static OndStatus kick(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)err;
    ond_sph_kick(s, (float)step->dt);
    return OND_OK;
}

static bool has_xsph(const OndSph *s)
{
    return s->def.xsph > 0.0;
}

static OndStatus smooth(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)step, (void)err;
    ond_sph_smooth(s);
    return OND_OK;
}

static bool has_paths(const OndSph *s)
{
    return s->has_paths;
}

static OndStatus lead(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)err;
    const OndHeldView held = ond_sph_held(s);
    ond_held_lead(&held, step->dt);
    return OND_OK;
}

static OndStatus look_ahead(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)err;
    ond_sph_solids_ahead(s, (float)step->dt);
    return OND_OK;
}

static OndStatus make_rigid(OndSph *s, const OndSphStep *step, OndError *err)
{
    return ond_rigid_correct(s, (float)step->dt, err);
}

static bool keeps_volume(const OndSph *s)
{
    return s->keeps_volume;
}

static bool stops_closing(const OndSph *s)
{
    return s->keeps_volume && ond_pressure_solver(s)->begin;
}

static OndStatus stop_closing(OndSph *s, const OndSphStep *step, OndError *err)
{
    return ond_incompressible_begin(s, (float)step->dt, err);
}

static OndStatus keep_volume(OndSph *s, const OndSphStep *step, OndError *err)
{
    return ond_incompressible_correct(s, (float)step->dt, err);
}

static bool follows_flow(const OndSph *s)
{
    return s->def.density == OND_DENSITY_CONTINUITY;
}

static OndStatus follow_flow(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)err;
    ond_sph_follow_flow(s, (float)step->dt);
    return OND_OK;
}

static OndStatus drift(OndSph *s, const OndSphStep *step, OndError *err)
{
    const OndStatus status = ond_sph_solids_depart(s, (float)step->dt, err);
    if (status != OND_OK) return status;
    ond_sph_drift(s, (float)step->dt);
    return ond_sph_solids_arrive(s, err);
}

static OndStatus turn(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)err;
    ond_rigid_settle(s, (float)step->dt);
    return OND_OK;
}

static bool sleeps(const OndSph *s)
{
    return s->sleeps;
}

static OndStatus fall_asleep(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)err;
    ond_rigid_sleep(s, (float)step->dt);
    return OND_OK;
}

static OndStatus measure(OndSph *s, const OndSphStep *step, OndError *err)
{
    s->time += step->dt;
    ond_sph_fade_factor(s, step->dt);
    ond_sph_make_values(s, step->dt);
    const OndStatus status = ond_sph_measure(s, err);
    if (status == OND_OK && s->keeps_volume) ond_incompressible_adapt(s);
    return status == OND_OK ? ond_sph_check_squeeze(s, err) : status;
}

// Bodies take what was stopped at them, and that goes on with what they gain by it.
static OndStatus answer_solids(OndSph *s, const OndSphStep *step, OndError *err)
{
    (void)err;
    ond_sph_solids_load(s, step->dt);
    ond_exchange_arrive(step->solids, step->dt);
    ond_exchange_finish(step->solids, step->dt);
    if (yields(step)) ond_sph_solids_follow(s, step->dt);
    return OND_OK;
}

// ---- the table

#define V(value) (UINT64_C(1) << OND_VALUE_##value)

#define START   OND_STAGE_START
#define PREPARE OND_STAGE_PREPARE
#define ADVANCE OND_STAGE_ADVANCE

#define PAIRED   (V(PAIRS) | V(POSITION))
#define SYMMETRY (V(WEIGHT) | V(LOAD) | V(SCALE))
#define SOLVED                                                                                     \
    (V(IMPULSE) | V(CROWDED) | V(ANSWER) | V(DIAGONAL) | V(EASE) | V(INVERSE_MASS) | V(REST_ROOM))
#define RUBBED                                                                                     \
    (PAIRED | V(VELOCITY) | V(ACCELERATION) | V(VISCOSITY) | V(HELD) | V(FRICTION) | V(MOUTH))
#define SURFACE (V(NORMAL) | V(BEND) | V(DROP) | V(PULL) | V(SURFACE_DELTA) | V(SEEN))

const OndSphPass ond_sph_passes[] = {
    {"pack", START, OND_PHASE_NEIGHBOURS, settles, pack, PAIRED | V(SUM),
     V(POSITION) | V(SUM) | V(PAIRS) | V(MARKS) | V(FORCE)},
    {"surface", START, OND_PHASE_DENSITY, fills_surface, fill_surface, PAIRED | V(SUM),
     V(SUM) | V(SCALE) | V(NORMAL)},
    {"rest", START, OND_PHASE_DENSITY, NULL, rest, V(SUM), V(FACTOR) | V(DENSITY) | V(VOLUME)},
    {"settle", START, OND_PHASE_PRESSURE, settles_pressure, settle,
     PAIRED | V(VELOCITY) | V(DENSITY), V(PRESSURE) | V(FORCE) | V(RATE) | SYMMETRY | SURFACE},

    {"sort", PREPARE, OND_PHASE_SORT, NULL, sort, V(POSITION), V(POSITION)},
    {"neighbours", PREPARE, OND_PHASE_NEIGHBOURS, NULL, neighbours, V(POSITION) | V(VELOCITY),
     V(PAIRS) | V(SUM)},
    {"surface", PREPARE, OND_PHASE_DENSITY, fills_surface, fill_surface, PAIRED | V(SUM),
     V(SUM) | V(SCALE) | V(NORMAL)},
    {"density", PREPARE, OND_PHASE_DENSITY, NULL, density, V(SUM) | V(FACTOR) | V(MATERIAL),
     V(DENSITY) | V(VOLUME) | V(RATE)},
    {"weight", PREPARE, OND_PHASE_PRESSURE, NULL, weigh, 0, V(FORCE)},
    {"overweight", PREPARE, OND_PHASE_PRESSURE, is_overweight, overweigh, V(DENSITY), V(FORCE)},
    {"pressure", PREPARE, OND_PHASE_PRESSURE, is_squeezed, pressure,
     PAIRED | V(DENSITY) | V(VOLUME) | V(RATE), V(PRESSURE) | V(FORCE) | SYMMETRY},
    {"thicken", PREPARE, OND_PHASE_VISCOSITY, thickens, thicken, V(TEMPERATURE) | V(MATERIAL),
     V(VISCOSITY)},
    {"viscosity", PREPARE, OND_PHASE_VISCOSITY, NULL, viscosity,
     PAIRED | V(VELOCITY) | V(DENSITY) | V(VOLUME) | V(VISCOSITY), V(FORCE)},
    {"turning", PREPARE, OND_PHASE_VISCOSITY, spares_turning, spare_turning,
     PAIRED | V(VELOCITY) | V(DENSITY) | V(VOLUME), V(FORCE) | V(TURN) | V(CLOSE)},
    {"tension", PREPARE, OND_PHASE_TENSION, has_tension, tension,
     PAIRED | V(DENSITY) | V(VOLUME) | V(TENSION), V(FORCE) | SURFACE},
    {"hold", PREPARE, OND_PHASE_INTEGRATE, NULL, hold, V(HELD) | V(POSITION),
     V(VELOCITY) | V(FORCE)},
    {"melt", PREPARE, OND_PHASE_RIGIDITY, has_rigidity, refresh, V(TEMPERATURE) | V(MATERIAL),
     V(RIGIDITY)},
    {"bond", PREPARE, OND_PHASE_RIGIDITY, has_bonds, bond,
     PAIRED | V(HELD) | V(PIECE) | V(MATERIAL) | V(RIGIDITY), V(RIGIDITY)},
    {"carry", PREPARE, OND_PHASE_RIGIDITY, has_carried, carry, V(RIGIDITY) | V(CARRIED),
     V(CARRIED)},
    {"limits", PREPARE, OND_PHASE_INTEGRATE, NULL, limits, V(VELOCITY) | V(FORCE), 0},
    {"room", PREPARE, OND_PHASE_PRESSURE, NULL, make_room, PAIRED, 0},

    {"remember", ADVANCE, OND_PHASE_INTEGRATE, may_be_refused, remember,
     V(VELOCITY) | V(TEMPERATURE), V(BEFORE) | V(WARMTH)},
    // foam is read by nobody
    {"foam", ADVANCE, OND_PHASE_FOAM, has_foam, breathe,
     PAIRED | V(VELOCITY) | V(RIGIDITY) | V(HELD), 0},
    {"rub", ADVANCE, OND_PHASE_VISCOSITY, rubs_squeezed, rub, RUBBED,
     V(FORCE) | V(ACCELERATION) | V(FRICTION) | V(MOUTH)},
    {"push solids", ADVANCE, OND_PHASE_SOLIDS, is_squeezed, push_solids,
     PAIRED | V(FORCE) | V(VOLUME), V(FORCE) | V(LOADS)},
    {"heat", ADVANCE, OND_PHASE_HEAT, has_heat, heat, PAIRED | V(VOLUME) | V(TEMPERATURE),
     V(TEMPERATURE) | V(TEMPERATURE_REST)},
    {"flow", ADVANCE, OND_PHASE_PRESSURE, stops_closing, stop_closing,
     PAIRED | V(VELOCITY) | V(DENSITY), V(VELOCITY) | SOLVED},
    {"rub", ADVANCE, OND_PHASE_VISCOSITY, rubs_kept, rub, RUBBED,
     V(FORCE) | V(ACCELERATION) | V(FRICTION) | V(MOUTH)},
    {"kick", ADVANCE, OND_PHASE_INTEGRATE, NULL, kick, V(FORCE) | V(ACCELERATION), V(VELOCITY)},
    {"xsph", ADVANCE, OND_PHASE_INTEGRATE, has_xsph, smooth, PAIRED | V(VOLUME) | V(DENSITY),
     V(VELOCITY) | V(SMOOTHED)},
    {"lead", ADVANCE, OND_PHASE_INTEGRATE, has_paths, lead, V(HELD) | V(POSITION), V(VELOCITY)},
    // here velocities are corrected by what forbids a motion: that nothing is squeezed, rigidity
    {"volume", ADVANCE, OND_PHASE_PRESSURE, keeps_volume, keep_volume,
     PAIRED | V(VELOCITY) | V(DENSITY) | V(KEPT_PRESSURE),
     V(VELOCITY) | V(KEPT_PRESSURE) | V(PRESSURE) | SOLVED},
    {"push solids", ADVANCE, OND_PHASE_SOLIDS, keeps_volume, push_solids,
     PAIRED | V(VELOCITY) | V(VOLUME), V(VELOCITY) | V(LOADS)},
    {"solids ahead", ADVANCE, OND_PHASE_SOLIDS, NULL, look_ahead, V(LOADS), 0},
    {"rigidity", ADVANCE, OND_PHASE_RIGIDITY, has_rigidity, make_rigid, PAIRED | V(RIGIDITY),
     V(VELOCITY) | V(PIECE) | V(LIFTED) | V(LEAD) | V(LINK_SCALE) | V(RUB)},
    {"continuity", ADVANCE, OND_PHASE_DENSITY, follows_flow, follow_flow,
     PAIRED | V(VELOCITY) | V(VOLUME), V(DENSITY) | V(RATE)},
    {"drift", ADVANCE, OND_PHASE_INTEGRATE, NULL, drift,
     V(VELOCITY) | V(FORCE) | V(HELD) | V(BEFORE) | V(WARMTH),
     V(POSITION) | V(VELOCITY) | V(ACCELERATION)},
    {"drift foam", ADVANCE, OND_PHASE_FOAM, has_foam, drift_foam, 0, 0},
    {"turn", ADVANCE, OND_PHASE_RIGIDITY, has_rigidity, turn, V(PIECE),
     V(POSITION) | V(POSITION_REST) | V(VELOCITY)},
    {"measure", ADVANCE, OND_PHASE_INTEGRATE, NULL, measure, V(VELOCITY) | V(DENSITY), V(FACTOR)},
    {"answer solids", ADVANCE, OND_PHASE_SOLIDS, NULL, answer_solids, V(LOADS),
     V(LOADS) | V(VELOCITY)},
    {"sleep", ADVANCE, OND_PHASE_RIGIDITY, sleeps, fall_asleep,
     PAIRED | V(VELOCITY) | V(RIGIDITY) | V(PIECE) | V(HELD) | V(DENSITY),
     V(HELD) | V(VELOCITY) | V(REST_PLACE) | V(RESTED) | V(REST_RIGIDITY) | V(REST_SQUEEZE) |
         V(ALERT) | V(ALARM)},
};
const int ond_sph_pass_count = OND_COUNT(ond_sph_passes);

OndStatus ond_sph_run(OndSph *s, OndSphStage stage, const OndSphStep *step, OndError *err)
{
    OndStatus status = OND_OK;
    for (int p = 0; p < ond_sph_pass_count && status == OND_OK; ++p) {
        const OndSphPass *const pass = &ond_sph_passes[p];
        if (pass->stage != stage || (pass->wanted && !pass->wanted(s))) continue;
        const double before = ond_now_ms();
        status = pass->run(s, step, err);
        s->phase_ms[pass->phase] += ond_now_ms() - before;
        if (s->watch) s->watch(s, p);
    }
    if (status == OND_NO_MEMORY && stage == ADVANCE && may_be_refused(s)) take_back(s);
    return status;
}
