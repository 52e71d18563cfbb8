// SPDX-License-Identifier: MIT
// ctest: long
// ctest cases: 8
// Shipped scenes with particles at twice, once and half their spacing, and with ten times the weight:
// none bursts, as they are (most by `cg`) and, where they leave it open, with `pressure: wcsph`.
#include "base/parallel.h"
#include "check.h"
#include "io/formats/formats.h"
#include "io/mesh_assimp.h"
#include "io/scene_sections.h"
#include "io/text_freetype.h"
#include "io/yaml.h"
#include "sim/sim.h"

static const OndAssets readers = {ond_mesh_load, ond_text_outline, ond_frame_read};

typedef struct Scene {
    const char *name;
    int fluids;
    double spacing;
    bool open; // says nothing that only an equation of state has
} Scene;

static const Scene scenes[] = {
    {"dam-break", 1, 0.02, true},
    {"double-dam", 2, 0.025, true},
    {"drop", 2, 0.025, true},
    {"letters", 2, 0.02, true},
    {"city-wave", 1, 0.03, true},
    {"mesh-drop", 1, 0.02, true},
    {"wave-tank", 1, 0.02, true},
    {"leaping-fish", 1, 0.016, true},
    {"2d/dam-break", 1, 0.01, true},
    {"foam", 2, 0.018, false},
    {"tap", 1, 0.018, false},
    {"glass-filling", 1, 0.0025, false},
    {"honey", 1, 0.0016, false},
    {"syrup-sheet", 1, 0.0018, false},
    {"wax-two-ways", 2, 0.005, false},
    {"candle", 2, 0.008, false},
    {"dancing-candle", 1, 0.0125, false},
    {"melting-knot", 1, 0.02, false},
    {"chocolate", 1, 0.005, false},
    {"ice-cubes", 4, 0.016, false},
    {"lava", 2, 0.026, false},
    {"melting-letters", 1, 0.0136, false},
    {"clamped-bar", 2, 0.03, false},
    {"2d/drop-tension", 1, 0.0002, false},
};

// One of 8.
typedef struct Case {
    double finer, heavier;
    int frames;
    bool squeezed; // by wcsph
} Case;

static const Case cases[] = {
    {2, 1, 40, false}, {1, 1, 5, false}, {0.5, 1, 1, false}, {2, 10, 20, false},
    {2, 1, 40, true},  {1, 1, 5, true},  {0.5, 1, 1, true},  {2, 10, 20, true},
};

static OndStatus change(OndTree *tree, OndError *err, const char *format, ...)
{
    char text[128];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return ond_yaml_assign(tree, "--set", text, err);
}

static OndSim *open_scene(const Scene *s, const Case *c, OndSceneDef *scene, OndError *err)
{
    char path[512];
    OndTree tree = {0};
    snprintf(path, sizeof path, OND_SOURCE_DIR "/scenes/%s.yaml", s->name);
    OndStatus status = ond_yaml_read(path, &tree, err);
    for (int f = 0; f < s->fluids && status == OND_OK; ++f)
        status = change(&tree, err, "fluid.%d.spacing=%.9g", f, c->finer * s->spacing);
    const bool flat = strncmp(s->name, "2d/", 3) == 0;
    if (status == OND_OK && c->heavier > 1)
        status = change(&tree, err, flat ? "gravity=[0, %g]" : "gravity=[0, %g, 0]", -98.1);
    if (status == OND_OK && c->squeezed) status = change(&tree, err, "method.pressure=wcsph");
    if (status == OND_OK) status = ond_scene_read(&tree, scene, err);
    return status == OND_OK ? ond_sim_make(scene, &readers, err) : NULL;
}

static void run_scene(const Scene *s, const Case *c)
{
    OndSceneDef scene;
    OndError err = {0};
    OndSim *const sim = open_scene(s, c, &scene, &err);
    if (!sim) fail_msg("%s, spacing times %g: %s", s->name, c->finer, err.text);
    OndStepRecord now = {0};
    double fastest = 0;
    const double until = fmin(c->frames / scene.frame_rate, scene.duration);
    while (!ond_sim_done(sim) && ond_sim_time(sim) < until - 1e-9) {
        if (ond_sim_step(sim, &err) != OND_OK)
            fail_msg("%s, spacing times %g, weight times %g: t = %g s: %s", s->name, c->finer,
                     c->heavier, ond_sim_time(sim), err.text);
        ond_sim_record(sim, &now);
        fastest = fmax(fastest, now.max_speed);
    }
    const double fall = 2 * 9.81 * c->heavier * (scene.domain.max.y - scene.domain.min.y);
    print_message("%s, spacing times %g: %d particles, fastest %.2f m/s\n", s->name, c->finer,
                  now.particles, fastest);
    if (!(fastest < 3 * sqrt(fall) + 6)) fail_msg("%s: %g m/s", s->name, fastest);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

static void test_case(void **state)
{
    const Case *const c = *state;
    for (int k = 0; k < OND_COUNT(scenes); ++k)
        if (scenes[k].open || !c->squeezed) run_scene(&scenes[k], c);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[OND_COUNT(cases)];
    for (int k = 0; k < OND_COUNT(cases); ++k)
        tests[k] = (struct CMUnitTest)cmocka_unit_test_prestate(test_case, (void *)&cases[k]);
    return run_cases("shipped_long", tests, OND_COUNT(cases), argc, argv);
}
