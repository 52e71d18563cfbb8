// SPDX-License-Identifier: MIT
// What a particle carries (sph_values.h), and where scratch finds room.
#include "particles/sph/sph_values.h"

#include "base/memory.h"
#include "particles/sph/sph_state.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

// clang-format off
#define WANTED(NAME, type, member, components, name, unit, flags, when)                            \
    static bool wants_##member(const OndSph *s) { return when; }
OND_SPH_VALUES(WANTED, WANTED)
#define NEEDED(NAME, type, member, components, when)                                               \
    static bool wants_##member(const OndSph *s) { return when; }
OND_SPH_SCRATCH(NEEDED)

#define UNMADE(...)
#define DECLARE(NAME, type, member, ...) void ond_sph_make_##member(OndSph *s, double dt);
OND_SPH_VALUES(UNMADE, DECLARE)

#define TYPE(type)         _Generic((type)0, uint32_t: OND_U32, default: OND_F32)
#define COMPONENTS(member) (int)(sizeof ((OndSph *)0)->member / sizeof(void *))
#define FIELD(NAME, kind, member, count, called, measure, use, when)                               \
    [OND_VALUE_##NAME] = {.name = called, .unit = measure, .type = TYPE(kind),                     \
                          .components = COMPONENTS(member), .flags = use,                          \
                          .at = offsetof(OndSph, member), .wanted = wants_##member},
#define SCRATCH(NAME, kind, member, count, when)                                                   \
    [OND_VALUE_##NAME] = {.components = COMPONENTS(member), .at = offsetof(OndSph, member),        \
                          .wanted = wants_##member},

static const struct {
    const char *name, *unit;
    OndFieldType type;
    int components;
    unsigned flags;
    size_t at; // its pointers in OndSph
    bool (*wanted)(const OndSph *s); // scratch needs a pass that uses it, too
} values[OND_VALUE_COUNT] = {
    OND_SPH_VALUES(FIELD, FIELD)
    OND_SPH_SCRATCH(SCRATCH)
};

#define MAKE(NAME, type, member, ...) if (s->member) ond_sph_make_##member(s, dt);
void ond_sph_make_values(OndSph *s, double dt)
{
    OND_SPH_VALUES(UNMADE, MAKE)
    (void)s, (void)dt;
}
// clang-format on

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
        if (!kept || ond_fields_add(&s->fields, kept, "", OND_F32, 1, OND_FIELD_TEMP) < 0)
            return false;
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
