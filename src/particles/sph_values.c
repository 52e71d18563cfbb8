// SPDX-License-Identifier: MIT
// What a particle carries. A new value is one line here, one name in sph_passes.h and one pointer
// in sph_state.h; one that is scratch, made anew in each step, needs no memory of its own.
#include "base/memory.h"
#include "particles/sph_state.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool has_heat(const OndSph *s)
{
    return s->has_heat;
}

static bool has_rigidity(const OndSph *s)
{
    return s->has_rigidity;
}

static bool has_viscosity(const OndSph *s)
{
    return s->has_viscosity;
}

static bool has_tension(const OndSph *s)
{
    return s->has_tension;
}

#define AT(member) offsetof(OndSph, member)
enum { STATE = OND_FIELD_STATE, SHOWN = OND_FIELD_STATE | OND_FIELD_FRAME, TEMP = OND_FIELD_TEMP };

static const struct {
    const char *name, *unit;
    OndFieldType type;
    int components;
    unsigned flags;
    size_t at;                       // its pointers in OndSph
    bool (*wanted)(const OndSph *s); // NULL: always; scratch needs a pass that uses it, too
} values[OND_VALUE_COUNT] = {
    [OND_VALUE_POSITION] = {"position", "m", OND_F32, 3, SHOWN, AT(x), NULL},
    [OND_VALUE_VELOCITY] = {"velocity", "m/s", OND_F32, 3, SHOWN, AT(v), NULL},
    // of the last step: leapfrog
    [OND_VALUE_ACCELERATION] = {"acceleration", "m/s^2", OND_F32, 3, STATE, AT(last), NULL},
    [OND_VALUE_DENSITY] = {"density", "kg/m^3", OND_F32, 1, SHOWN, AT(density), NULL},
    [OND_VALUE_TEMPERATURE] = {"temperature", "C", OND_F32, 1, SHOWN, AT(temperature), NULL},
    // what a float cannot hold of it
    [OND_VALUE_TEMPERATURE_REST] = {"temperature_rest", "C", OND_F32, 1, STATE,
                                    AT(temperature_rest), has_heat},
    [OND_VALUE_RIGIDITY] = {"rigidity", "", OND_F32, 1, SHOWN, AT(rigidity), NULL},
    [OND_VALUE_ID] = {"id", "", OND_U32, 1, SHOWN, AT(id), NULL},
    [OND_VALUE_MATERIAL] = {"material", "", OND_U32, 1, SHOWN, AT(material), NULL},
    [OND_VALUE_HELD] = {"held", "", OND_U32, 1, STATE, AT(held), NULL},
    [OND_VALUE_PIECE] = {"piece", "", OND_U32, 1, SHOWN, AT(piece), has_rigidity},
    // walls that did not push it in the last step
    [OND_VALUE_LIFTED] = {"lifted", "", OND_U32, 1, STATE, AT(lifted), has_rigidity},
    // digits lost: bodies keep shape
    [OND_VALUE_POSITION_REST] = {"position_rest", "m", OND_F32, 3, STATE, AT(rest), has_rigidity},
    [OND_VALUE_FACTOR] = {"density_factor", "", OND_F32, 1, STATE, AT(factor), NULL},
    [OND_VALUE_VISCOSITY] = {"viscosity", "Pa s", OND_F32, 1, STATE, AT(viscosity), has_viscosity},
    [OND_VALUE_TENSION] = {"tension", "N/m", OND_F32, 1, STATE, AT(tension), has_tension},
    [OND_VALUE_PRESSURE] = {"pressure", "Pa", OND_F32, 1, TEMP | OND_FIELD_FRAME, AT(pressure),
                            NULL},
    [OND_VALUE_FORCE] = {"force", "m/s^2", OND_F32, 3, TEMP, AT(a), NULL},
    [OND_VALUE_VOLUME] = {"volume", "m^3", OND_F32, 1, TEMP, AT(volume), NULL},

    [OND_VALUE_SUM] = {.components = 1, .at = AT(sum_w)},
    [OND_VALUE_RATE] = {.components = 1, .at = AT(rate)},
    [OND_VALUE_WEIGHT] = {.components = 1, .at = AT(weight)},
    [OND_VALUE_LOAD] = {.components = 1, .at = AT(load)},
    [OND_VALUE_SCALE] = {.components = 1, .at = AT(scale)},
    [OND_VALUE_NORMAL] = {.components = 3, .at = AT(normal), .wanted = has_tension},
    [OND_VALUE_BEND] = {.components = 1, .at = AT(bend), .wanted = has_tension},
    [OND_VALUE_DROP] = {.components = 1, .at = AT(drop), .wanted = has_tension},
    [OND_VALUE_PULL] = {.components = 3, .at = AT(pull), .wanted = has_tension},
    [OND_VALUE_SKIN] = {.components = 1, .at = AT(skin), .wanted = has_tension},
    [OND_VALUE_SEEN] = {.components = 1, .at = AT(seen), .wanted = has_tension},
    [OND_VALUE_SMOOTHED] = {.components = 3, .at = AT(smoothed)},
    [OND_VALUE_LEAD] = {.components = 1, .at = AT(lead), .wanted = has_rigidity},
    [OND_VALUE_LINK_SCALE] = {.components = 1, .at = AT(link_scale), .wanted = has_rigidity},
    [OND_VALUE_RUB] = {.components = 3, .at = AT(rub), .wanted = has_rigidity},
    [OND_VALUE_MARKS] = {.components = 2, .at = AT(marks)},
};

#define SLOTS_MAX 64

// ---- scratch

// The passes in which a value must keep: a bit each. In the step from the first that touches it to
// the last; those of the start are apart, and run what they need of the step themselves.
static uint64_t lifetime(const OndSph *s, const OndSphPass *passes, int count, int value)
{
    const uint64_t bit = UINT64_C(1) << value;
    uint64_t life = 0;
    int first = count, last = -1;
    for (int p = 0; p < count; ++p) {
        if (!((passes[p].reads | passes[p].writes) & bit)) continue;
        if (passes[p].wanted && !passes[p].wanted(s)) continue;
        life |= UINT64_C(1) << p;
        if (passes[p].stage == OND_STAGE_START) continue;
        first = p < first ? p : first;
        last = p;
    }
    for (int p = first; p <= last; ++p)
        life |= UINT64_C(1) << p;
    return life;
}

OndSphPlan ond_sph_plan(const OndSph *s, const OndSphPass *passes, int count)
{
    uint64_t busy[SLOTS_MAX] = {0};
    OndSphPlan plan = {.slots = 0};
    memset(plan.slot, -1, sizeof plan.slot);
    for (int value = OND_VALUE_SCRATCH; value < OND_VALUE_COUNT; ++value) {
        if (values[value].wanted && !values[value].wanted(s)) continue;
        const uint64_t life = lifetime(s, passes, count, value);
        for (int c = 0; life && c < values[value].components; ++c) {
            int slot = 0;
            while (busy[slot] & life)
                ++slot;
            busy[slot] |= life;
            plan.slot[value][c] = slot;
            plan.slots = slot >= plan.slots ? slot + 1 : plan.slots;
        }
    }
    return plan;
}

const char *ond_sph_misordered(const OndSphPass *passes, int count)
{
    const uint64_t scratch = (UINT64_C(1) << OND_VALUE_COUNT) - (UINT64_C(1) << OND_VALUE_SCRATCH);
    uint64_t written = 0;
    for (int p = 0; p < count; ++p) {
        if (p > 0 && passes[p].stage < passes[p - 1].stage) return passes[p].name;
        if (passes[p].stage == OND_STAGE_START) continue; // these run others in between
        if (passes[p].reads & scratch & ~written) return passes[p].name;
        written |= passes[p].writes;
    }
    return NULL;
}

// ---- fields

static bool add_scratch(OndSph *s)
{
    s->plan = ond_sph_plan(s, ond_sph_passes, ond_sph_pass_count);
    for (int slot = 0; slot < s->plan.slots; ++slot) {
        char name[24];
        snprintf(name, sizeof name, "scratch_%d", slot);
        const char *const kept = ond_fields_keep_text(&s->fields, name);
        if (!kept || ond_fields_add(&s->fields, kept, "", OND_F32, 1, TEMP) < 0) return false;
    }
    return true;
}

bool ond_sph_describe(OndSph *s)
{
    for (int v = 0; v < OND_VALUE_SCRATCH; ++v) {
        if (values[v].wanted && !values[v].wanted(s)) continue;
        if (ond_fields_add(&s->fields, values[v].name, values[v].unit, values[v].type,
                           values[v].components, values[v].flags) < 0)
            return false;
    }
    s->scratch = s->fields.field_count;
    return add_scratch(s);
}

void ond_sph_bind(OndSph *s)
{
    for (int v = 0; v < OND_VALUE_COUNT; ++v) {
        char *const to = (char *)s + values[v].at;
        const OndField *const field =
            v < OND_VALUE_SCRATCH ? ond_fields_find(&s->fields, values[v].name) : NULL;
        for (int c = 0; c < values[v].components; ++c) {
            const int slot = v < OND_VALUE_SCRATCH ? -1 : s->plan.slot[v][c];
            void *const data = field       ? field->data[c]
                               : slot >= 0 ? s->fields.field[s->scratch + slot].data[0]
                                           : NULL;
            memcpy(to + (size_t)c * sizeof data, &data, sizeof data);
        }
    }
}
