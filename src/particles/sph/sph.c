// SPDX-License-Identifier: MIT
// The life of the method. It starts in sph_start.c; the order of a step is the table in sph_passes.c.
#include "particles/sph/sph.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "particles/foam/foam.h"
#include "particles/heat/heat.h"
#include "particles/incompressible/projection.h"
#include "particles/rigid/rigid.h"
#include "particles/sph/sph_scene.h"
#include "particles/sph/sph_state.h"
#include "particles/viscous/viscous.h"

#include <string.h>

#define CRUSHED 1.0 // mean compression from which on the numbers mean nothing

// Positions as they are, for the start.
OndStatus ond_sph_find_neighbours(OndSph *s, OndError *err)
{
    OndStatus status = ond_sph_sort(s, err);
    if (status == OND_OK) status = ond_sph_make_images(s, err); // walls and periodic sides
    if (status == OND_OK) status = ond_sph_search(s, err);
    return status == OND_OK ? ond_sph_solids_find(s, err) : status;
}

// ---- a step

static OndStatus prepare(void *self, OndError *err)
{
    OndSph *s = self;
    if (s->fields.count == 0 || s->ready) return OND_OK;
    memset(s->phase_ms, 0, sizeof s->phase_ms);
    s->sound = (float)s->sound_speed;
    s->rubs = ond_viscous_wanted(s);
    const OndStatus status = ond_sph_run(s, OND_STAGE_PREPARE, &(OndSphStep){0}, err);
    s->ready = status == OND_OK;
    return status;
}

static double largest_step(const void *self)
{
    const OndSph *s = self;
    return s->fields.count == 0 ? ond_sph_longest_step(s) : ond_sph_step_size(s);
}

// Solids among which nothing is yet.
static OndStatus advance_empty(OndSph *s, const OndSphStep *step, OndError *err)
{
    s->time += step->dt;
    const OndStatus status = ond_exchange_move(step->solids, step->dt, err);
    if (status == OND_OK) ond_exchange_finish(step->solids, step->dt);
    return status;
}

static OndStatus advance(void *self, double dt, const OndExchange *solids, OndError *err)
{
    OndSph *s = self;
    const OndSphStep step = {dt, solids};
    if (s->fields.count == 0) return advance_empty(s, &step, err);
    s->iterations = s->rigid_iterations = s->solves = 0, s->unconverged = s->unsettled = false;
    s->ready = false;
    return ond_sph_run(s, OND_STAGE_ADVANCE, &step, err);
}

static bool is_mostly_rigid(const OndSph *s)
{
    int rigid = 0;
    for (int i = 0; s->has_rigidity && i < s->fields.count; ++i)
        rigid += s->rigidity[i] > 0.0f;
    return 2 * rigid > s->fields.count;
}

static OndStatus fail_crushed(const OndSph *s, OndError *err)
{
    char steps[80];
    const char *const solid = ond_sph_solids_presser(s);
    if (solid && s->keeps_volume)
        return ond_fail(err, OND_UNSTABLE,
                        "the liquid is squeezed to %.3g times its density: solid '%.60s' leaves it "
                        "no room. Leave it a way out, or move the solid less far or more slowly",
                        1.0 + s->density_error, solid);
    if (solid)
        return ond_fail(err, OND_UNSTABLE,
                        "the liquid is squeezed to %.3g times its density: solid '%.60s' leaves it "
                        "no room, or is too fast for its speed of sound of %.3g m/s. Leave it a "
                        "way out, move the solid less far or more slowly, or raise `sound_speed`",
                        1.0 + s->density_error, solid, s->sound);
    if (is_mostly_rigid(s))
        return ond_fail(err, OND_UNSTABLE,
                        "what is rigid is squeezed to %.3g times its density: something pushes it "
                        "where it can go no further, such as an emitter behind it. Leave it a way "
                        "out, shut the emitter in time (`to`), or let it melt first",
                        1.0 + s->density_error);
    return ond_fail(err, OND_UNSTABLE,
                    "the liquid is squeezed to %.3g times its density: steps are too long for its "
                    "speed%s. Try %s",
                    1.0 + s->density_error, s->keeps_volume ? "" : " of sound",
                    ond_sph_shorter_steps(s, steps, sizeof steps));
}

OndStatus ond_sph_check_squeeze(const OndSph *s, OndError *err)
{
    return s->density_error <= CRUSHED ? OND_OK : fail_crushed(s, err);
}

OndPairs ond_sph_pairs(const OndSph *s)
{
    return (OndPairs){s->lists.pool, s->lists.first, s->lists.length, s->x[0], s->x[1],
                      s->x[2],       s->v[0],        s->v[1],         s->v[2], s->density,
                      s->volume,     s->kernel,      s->a[0],         s->a[1], s->a[2],
                      s->place,      s->go};
}

OndHeldView ond_sph_held(const OndSph *s)
{
    return (OndHeldView){&s->world, s->time, s->fields.count, s->x,   s->v,
                         s->a,      s->last, s->material,     s->held};
}

double *ond_sph_sums(OndSph *s, int count)
{
    return ond_scratch(&s->sum, &s->sum_room, count);
}

static void destroy(void *self)
{
    OndSph *s = self;
    if (!s) return;
    ond_fields_free(&s->fields);
    ond_cells_free(&s->cells);
    ond_images_free(&s->images);
    ond_rigid_free(s->rigid);
    ond_thesis_free(s->thesis);
    ond_heat_free(s->heat);
    ond_projection_free(s->projection);
    ond_viscous_free(s->viscous);
    ond_foam_free(s->foam);
    ond_sph_solids_free(s->solids);
    ond_near_buffers_free(&s->near);
    ond_sorting_free(&s->sorting);
    ond_sph_free_quads(s);
    void *blocks[] = {s->lists.pool, s->lists.first, s->lists.length, s->sum, s->bond_queue};
    for (int b = 0; b < OND_COUNT(blocks); ++b)
        ond_free(blocks[b]);
    ond_free(s);
}

static bool has_tension(const OndSph *s)
{
    for (int m = 0; m < s->world.material_count; ++m)
        if (s->world.material[m].tension > 0.0f) return true;
    return false;
}

static bool has_viscosity(const OndSph *s)
{
    for (int m = 0; m < s->world.material_count; ++m)
        if (s->world.material[m].viscosity > 0.0f) return true;
    return false;
}

static bool can_set(const OndSph *s)
{
    for (int m = 0; m < s->world.material_count; ++m)
        if (ond_material_can_set(&s->world.material[m]))
            return s->def.rigidity.solver != OND_RIGID_NONE;
    return false;
}

static void look_at_materials(OndSph *s)
{
    s->has_tension = has_tension(s);
    s->has_viscosity = has_viscosity(s);
    for (int k = 0; k < s->world.material_count; ++k) {
        const OndMaterial *m = &s->world.material[k];
        s->thickens |= m->viscosity_solid > 0.0f;
        s->has_heat |= m->conductivity > 0.0f;
        s->has_paths |= m->held_path != NULL;
        s->has_carried |= m->carries;
    }
    s->may_rub = s->has_viscosity && s->def.viscosity.solver != OND_VISCOUS_EXPLICIT;
    s->has_rigidity = can_set(s);
    s->sleeps = s->has_rigidity && s->def.rigidity.solver == OND_RIGID_GLOBAL &&
                s->def.rigidity.sleep > 0.0;
}

static void *create(const OndSetup *setup, OndError *err)
{
    OndSph *s = OND_NEW(OndSph);
    if (!s) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
        return NULL;
    }
    s->def = *(const OndSphDef *)setup->def;
    s->world = *setup->world;
    s->loops = ond_loops();
    ond_sph_apply_preset(&s->def, (OndSphScene){.dimension = s->world.dimension,
                                                .walls = s->world.wall_model,
                                                .solids = s->world.solids != NULL,
                                                .tension = has_tension(s),
                                                .viscous = has_viscosity(s),
                                                .sets = can_set(s)});
    s->keeps_volume = s->def.pressure != OND_PRESSURE_WCSPH;
    s->step_share = 1.0;
    look_at_materials(s);
    ond_sph_set_up_kernel(s);
    ond_sph_set_up_walls(s);
    if (!ond_sph_describe(s)) {
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a simulation");
    } else if (ond_fields_reserve(&s->fields, setup->room, err) == OND_OK &&
               ond_sph_solids_create(s, err) == OND_OK && ond_sph_foam_create(s, err) == OND_OK) {
        ond_sph_bind(s);
        return s;
    }
    destroy(s);
    return NULL;
}

static OndFields *particles(void *self)
{
    return &((OndSph *)self)->fields;
}

static OndStatus added(void *self, int first, OndError *err)
{
    OndSph *s = self;
    ond_sph_bind(s);
    // explicit friction holds nobody; were it told to become implicit, pools would hang in their mouths
    const bool mouths = s->begun && ond_viscous_wanted(s);
    for (int i = 0; first == s->fields.count && i < first; ++i) // resumed: from a file
        if (s->material[i] >= (uint32_t)s->world.material_count)
            return ond_fail(err, OND_BAD_VALUE,
                            "the checkpoint is damaged: particle %d has no fluid", i);
    for (int i = first; i < s->fields.count; ++i) {
        const OndMaterial *m = &s->world.material[s->material[i]];
        s->id[i] = (uint32_t)s->next_id++;
        s->factor[i] = 1.0f;
        s->density[i] = m->density;
        s->pressure[i] = s->rigidity[i] = 0.0f;
        for (int a = 0; s->has_rigidity && a < 3; ++a)
            s->piece[i] = s->lifted[i] = 0, s->rest[a][i] = s->given[a][i] = 0.0f;
        if (s->has_heat) s->temperature_rest[i] = 0.0f;
        for (int a = 0; s->sleeps && a < 3; ++a)
            s->rest_place[a][i] = s->x[a][i];
        if (s->sleeps)
            s->rested[i] = s->rest_rigidity[i] = s->rest_squeeze[i] = 0.0f, s->alert[i] = 0;
        if (s->keeps_volume) s->kept_pressure[i] = 0.0f;
        for (int a = 0; s->may_rub && a < 3; ++a)
            s->friction[a][i] = 0.0f;
        if (s->may_rub) s->mouth[i] = mouths ? OND_VISCOUS_MOUTH * (float)s->world.spacing : 0.0f;
        for (int a = 0; s->has_carried && a < 3; ++a)
            s->origin[a][i] = s->carried[i] = 0.0f;
        for (int a = 0; a < 3; ++a)
            s->last[a][i] = s->a[a][i] = 0.0f;
        if (s->has_viscosity) s->viscosity[i] = m->viscosity;
        if (s->has_tension) s->tension[i] = m->tension;
    }
    if (s->fields.count < s->told_count) s->thinned = 1.0;
    s->told_count = s->fields.count;
    if (s->begun && first == s->fields.count) ond_rigid_wake(s); // changed from outside
    s->ready = false;
    s->begun = s->begun || first == s->fields.count; // resumed
    return OND_OK;
}

static void report(const void *self, OndReport *out)
{
    const OndSph *s = self;
    *out = (OndReport){.max_speed = s->speed,
                       .max_acceleration = s->acceleration,
                       .density_error = s->density_error,
                       .kinetic = s->kinetic,
                       .iterations = s->iterations,
                       .rigid_iterations = s->rigid_iterations,
                       .solves = s->solves,
                       .asleep = s->asleep,
                       .unconverged = s->unconverged,
                       .unsettled = s->unsettled,
                       .foam_refused = s->foam ? ond_foam_refused(s->foam) : 0.0,
                       .potential = s->potential,
                       .phase_count = OND_PHASE_COUNT,
                       .phase_names = ond_sph_phase_names};
    memcpy(out->phase_ms, s->phase_ms, sizeof s->phase_ms);
}

static const char *number(void *self, int slot, double **value)
{
    OndSph *s = self;
    switch (slot) {
    case 0:
        *value = &s->last_dt;
        return "last_dt";
    case 1:
        *value = &s->next_id;
        return "next_id";
    case 2:
        *value = &s->sound_speed;
        return "sound_speed";
    case 3:
        *value = &s->fade_time;
        return "fade_time";
    case 4:
        *value = &s->speed_cap;
        return "speed_cap";
    case 5:
        *value = &s->time;
        return "time";
    case 6:
        *value = &s->step_share;
        return "step_share";
    case 7:
        *value = &s->liquid_error;
        return "liquid_error";
    case 8:
        *value = &s->thinned;
        return "thinned";
    default:
        return s->foam ? ond_foam_number(s->foam, slot - 9, value) : NULL;
    }
}

static size_t bytes(const void *self)
{
    const OndSph *s = self;
    const size_t images = ond_images_bytes(&s->images);
    const size_t lists = (size_t)s->lists.capacity * 4 + (size_t)s->list_room * 8 +
                         ond_sorting_bytes(&s->sorting) +
                         (size_t)s->quad_room * 2 * sizeof(OndQuad);
    return (size_t)s->fields.capacity * (size_t)ond_fields_bytes_each(&s->fields) + images + lists +
           ond_cells_bytes(&s->cells) + (size_t)s->sum_room * 8 + (size_t)s->bond_room * 4 +
           ond_heat_bytes(s->heat) + ond_rigid_bytes(s->rigid) + ond_thesis_bytes(s->thesis) +
           ond_sph_solids_bytes(s->solids) + ond_projection_bytes(s->projection) +
           ond_viscous_bytes(s->viscous) + ond_foam_bytes(s->foam) +
           ond_near_buffers_bytes(&s->near);
}

static double neighbours(const void *self)
{
    const OndSph *s = self;
    double pairs = 0;
    for (int i = 0; i < s->fields.count && s->lists.pool; ++i)
        for (uint32_t k = 0; k < s->lists.length[i]; ++k)
            pairs += s->lists.pool[s->lists.first[i] + k] !=
                     (uint32_t)i; // padding is the particle itself
    return s->fields.count ? pairs / s->fields.count : 0;
}

const OndMethod ond_sph_method = {
    .name = "sph",
    .schema = &ond_sph_schema,
    .remedy = "a higher `artificial` viscosity or, with `pressure: wcsph`, a smaller "
              "`sound_speed`",
    .settle = ond_sph_settle_scene,
    .check = ond_sph_check_scene,
    .uses = OND_USES_ALL,
    .refused = ond_sph_refused,
    .conducts = true,
    .support = ond_sph_support,
    .sound = ond_sph_sound,
    .packs = ond_sph_packs,
    .keeps_shape = ond_sph_keeps_shape,
    .chosen = ond_sph_chosen,
    .unconverged = ond_sph_unconverged,
    .step_key = ond_sph_step_key,
    .create = create,
    .start = ond_sph_start,
    .prepare = prepare,
    .largest_step = largest_step,
    .advance = advance,
    .particles = particles,
    .added = added,
    .foam = ond_sph_foam,
    .hears = OND_HEARS_GRAVITY | OND_HEARS_MATERIALS | OND_HEARS_AIR,
    .told = ond_sph_told,
    .report = report,
    .number = number,
    .bytes = bytes,
    .neighbours = neighbours,
    .destroy = destroy,
};
