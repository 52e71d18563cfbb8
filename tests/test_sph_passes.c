// SPDX-License-Identifier: MIT
// The table of an SPH step: its order, its scratch memory, and that it tells the truth.
#include "base/hash.h"
#include "wet.h"

static bool has_bit(uint64_t set, int value)
{
    return set >> value & 1;
}

// ---- order

// Whether a pass behind p, up to q, needs scratch that p is the first to write.
static bool is_needed(int p, int q)
{
    uint64_t scratch = 0, written = 0;
    for (int v = OND_VALUE_SCRATCH; v < OND_VALUE_COUNT; ++v)
        scratch |= UINT64_C(1) << v;
    if (ond_sph_passes[p].stage == OND_STAGE_START) return false;
    for (int r = 0; r <= q; ++r) {
        const OndSphPass *const pass = &ond_sph_passes[r];
        if (r > p && pass->reads & scratch & ond_sph_passes[p].writes & ~written) return true;
        if (r != p && pass->stage != OND_STAGE_START) written |= pass->writes;
    }
    return false;
}

// The name of the pass that is found to be too early when p comes right behind q.
static const char *moved_behind(int p, int q)
{
    OndSphPass moved[64];
    memcpy(moved, ond_sph_passes, sizeof *moved * (size_t)ond_sph_pass_count);
    memmove(&moved[p], &moved[p + 1], sizeof *moved * (size_t)(q - p));
    moved[q] = ond_sph_passes[p];
    return ond_sph_misordered(moved, ond_sph_pass_count);
}

static void test_order(void **state)
{
    (void)state;
    const char *const wrong = ond_sph_misordered(ond_sph_passes, ond_sph_pass_count);
    if (wrong) fail_msg("pass '%s' reads what nobody has written", wrong);
    int noticed = 0; // by scratch, not by the stage
    for (int p = 0; p < ond_sph_pass_count; ++p)
        for (int q = p + 1; q < ond_sph_pass_count; ++q) {
            const bool staged = ond_sph_passes[p].stage == ond_sph_passes[q].stage;
            const char *const found = moved_behind(p, q);
            if ((!staged || is_needed(p, q)) != (found != NULL))
                fail_msg("'%s' behind '%s' is %s", ond_sph_passes[p].name, ond_sph_passes[q].name,
                         found ? "refused" : "not noticed");
            noticed += staged && found;
        }
    print_message("%d passes that are needed earlier are noticed\n", noticed);
    assert_true(noticed >= 8);
}

// ---- scratch

// The passes between which a value must keep, in the step.
static bool lives(const bool *wanted, int value, int after)
{
    bool before = false, later = false;
    for (int p = 0; p < ond_sph_pass_count; ++p) {
        const OndSphPass *const pass = &ond_sph_passes[p];
        if (!wanted[p] || pass->stage == OND_STAGE_START) continue;
        const bool uses = has_bit(pass->reads | pass->writes, value);
        before |= uses && p <= after;
        later |= uses && p > after;
    }
    return before && later;
}

static void want_all(const OndSph *s, bool *wanted)
{
    for (int p = 0; p < ond_sph_pass_count; ++p)
        wanted[p] = !ond_sph_passes[p].wanted || ond_sph_passes[p].wanted(s);
}

// After each pass everything that should be dead is made not a number.
static void poison(OndSph *s, int pass)
{
    bool wanted[64], alive[64] = {false};
    want_all(s, wanted);
    if (ond_sph_passes[pass].stage == OND_STAGE_START) return;
    for (int v = OND_VALUE_SCRATCH; v < OND_VALUE_COUNT; ++v)
        for (int c = 0; c < 3; ++c)
            if (s->plan.slot[v][c] >= 0 && lives(wanted, v, pass)) alive[s->plan.slot[v][c]] = true;
    for (int slot = 0; slot < s->plan.slots; ++slot) {
        float *const data = s->fields.field[s->scratch + slot].data[0];
        for (int i = 0; !alive[slot] && i < s->fields.capacity; ++i)
            data[i] = NAN;
    }
}

typedef struct Option {
    const char *name;
    int density;
    double xsph, tension, rigidity, turning;
    int pressure, friction;
} Option;

static uint64_t run_liquid(const Option *o, bool poisoned)
{
    Wet w = wet_make(3, 0.05);
    w.world.box = (OndBox){{0, 0, 0}, {0.6, 0.6, 0.3}};
    for (int side = 0; side < 6; ++side)
        w.world.side[side].kind = OND_SIDE_WALL;
    w.world.material[0].tension = (float)o->tension;
    w.world.material[0].viscosity = 1.0f;
    w.world.material[0].conductivity = 1.0f, w.world.material[0].specific_heat = 1000.0f;
    w.world.material[0].rigidity = (float)o->rigidity;
    w.def.density = o->density;
    w.def.xsph = o->xsph;
    w.def.pressure = o->pressure;
    w.def.viscosity.solver = o->friction;
    w.def.turning = o->turning;
    wet_fill(&w, (OndBox){{0, 0, 0}, {0.3, 0.4, 0.3}}, NULL);
    if (poisoned) w.s->watch = poison;
    for (int k = 0; k < 12; ++k)
        wet_step(&w);
    uint64_t hash = 0;
    for (int a = 0; a < 3; ++a)
        hash = 31 * hash + ond_hash_bytes(w.s->x[a], 4 * (size_t)w.s->fields.count);
    wet_close(&w);
    return hash;
}

static void test_truth(void **state)
{
    (void)state;
    const Option options[] = {
        {.name = "water"},
        {.name = "continuity and XSPH", .density = OND_DENSITY_CONTINUITY, .xsph = 0.1},
        {.name = "tension", .tension = 0.07},
        {.name = "soft matter", .xsph = 0.1, .rigidity = 0.5},
        {.name = "all",
         .density = OND_DENSITY_CONTINUITY,
         .xsph = 0.1,
         .tension = 0.07,
         .rigidity = 0.5},
        {.name = "turning", .turning = 1},
        {.name = "implicit friction", .friction = OND_VISCOUS_IMPLICIT},
        {.name = "cg", .pressure = OND_PRESSURE_CG},
        {.name = "dfsph", .pressure = OND_PRESSURE_DFSPH},
        {.name = "cg and all",
         .xsph = 0.1,
         .tension = 0.07,
         .rigidity = 0.5,
         .turning = 1,
         .pressure = OND_PRESSURE_CG,
         .friction = OND_VISCOUS_IMPLICIT},
    };
    for (int k = 0; k < (int)(sizeof options / sizeof *options); ++k)
        if (run_liquid(&options[k], false) != run_liquid(&options[k], true))
            fail_msg("%s: a pass reads scratch that it does not tell of", options[k].name);
}

static void test_sharing(void **state)
{
    (void)state;
    OndSph s = {.has_heat = true, .has_rigidity = true, .has_tension = true};
    s.surface.count = 1, s.def.settle = true, s.def.xsph = 0.1,
    s.def.density = OND_DENSITY_CONTINUITY;
    const OndSphPlan plan = ond_sph_plan(&s, ond_sph_passes, ond_sph_pass_count);
    const OndSphPlan water = ond_sph_plan(&(OndSph){0}, ond_sph_passes, ond_sph_pass_count);
    int parts = 0;
    for (int v = OND_VALUE_SCRATCH; v < OND_VALUE_COUNT; ++v)
        for (int c = 0; c < 3; ++c)
            parts += plan.slot[v][c] >= 0;
    assert_true(parts > plan.slots + 8); // it does share,
    assert_true(water.slots <= 4);       // water needs no more than the pressure and a rate,
    for (int p = 0; p < ond_sph_pass_count; ++p) { // but never within a pass
        bool taken[64] = {false};
        for (int v = OND_VALUE_SCRATCH; v < OND_VALUE_COUNT; ++v)
            for (int c = 0; c < 3; ++c) {
                const int slot = plan.slot[v][c];
                if (slot < 0 || !has_bit(ond_sph_passes[p].reads | ond_sph_passes[p].writes, v))
                    continue;
                assert_false(taken[slot]);
                taken[slot] = true;
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
