// SPDX-License-Identifier: MIT
// The thesis's scenes: each has the particles of its table, with and without its mesh, and what its
// comment promises about the start.
#include "command.h"
#include "io/formats/formats.h"
#include "io/mesh_assimp.h"
#include "io/scene_sections.h"
#include "io/text_freetype.h"
#include "io/yaml.h"
#include "particles/sph/sph_def.h"
#include "sim/scene/materials.h"
#include "sim/scene/scene_fill.h"
#include "sim/scene/scene_missing.h"

#define FOLDER OND_SOURCE_DIR "/scenes/thesis/"

static const OndAssets readers = {ond_mesh_load, ond_text_outline, ond_frame_read};

static const struct {
    const char *name;
    double count, within; // of the tables: 2 %; the thesis does not count letters and statue
} scenes[] = {
    {"blocks-s0.00", 52700, 0.02},
    {"blocks-s0.25", 52700, 0.02},
    {"blocks-s0.50", 52700, 0.02},
    {"blocks-s0.75", 52700, 0.02},
    {"blocks-s0.90", 52700, 0.02},
    {"blocks-s0.99", 52700, 0.02},
    {"blocks-s1.00", 52700, 0.02},
    {"bunny", 52400, 0.02},
    {"armadillo", 17100, 0.02},
    {"h-a", 55700, 0.02},
    {"h-b", 55700, 0.02},
    {"letters-mu1000", 25000, 0.2},
    {"letters-mu10000", 25000, 0.2},
    {"letters-mu100000", 25000, 0.2},
    {"letters-s0.75", 25000, 0.2},
    {"letters-s0.92", 25000, 0.2},
    {"letters-s0.98", 25000, 0.2},
    {"letters-alike-mu1000", 32516, 0.02},
    {"letters-alike-s0.75", 32516, 0.02},
    {"letters-alike-mu10000", 4980, 0.02},
    {"letters-alike-s0.92", 4980, 0.02},
    {"letters-alike-mu100000", 4980, 0.02},
    {"letters-alike-s0.98", 4980, 0.02},
    {"venus", 45000, 0.05},
    {"venus-without-propagation", 45000, 0.05},
    {"h-conditions", 6464, 0.02},
    {"heat-step", 12700, 0.05},
    {"step", 8300, 0.05},
};

static void open_scene(const char *name, const char *override, OndSceneDef *scene)
{
    char path[512];
    OndTree tree = {0};
    OndError err = {0};
    snprintf(path, sizeof path, FOLDER "%s.yaml", name);
    OndStatus status = ond_yaml_read(path, &tree, &err);
    if (status == OND_OK && override) status = ond_yaml_assign(&tree, "--set", override, &err);
    if (status == OND_OK) status = ond_scene_read(&tree, scene, &err);
    if (status != OND_OK) fail_msg("%s: %s", name, err.text);
}

static void fill(const OndSceneDef *scene, const char *name, OndStart *start)
{
    OndError err = {0};
    if (ond_scene_fill(scene, &readers, start, &err) != OND_OK) fail_msg("%s: %s", name, err.text);
}

static void test_counts(void **state)
{
    (void)state;
    for (int s = 0; s < OND_COUNT(scenes); ++s) {
        OndSceneDef scene;
        OndStart start;
        open_scene(scenes[s].name, NULL, &scene);
        fill(&scene, scenes[s].name, &start);
        if (getenv("ONDINE_SHOW")) printf("%-28s %d\n", scenes[s].name, start.count);
        CHECK_NEAR(start.count, scenes[s].count, scenes[s].within * scenes[s].count,
                   scenes[s].name);
        CHECK_NEAR(scene.frame_rate, 24, 0, "frames a second");
        CHECK_NEAR(((const OndSphDef *)scene.method.def)->preset, OND_PRESET_THESIS, 0, "preset");
        CHECK_NEAR(ond_scene_fluid(&scene, 0)->density, 998.23, 0, "density");
        ond_start_free(&start);
        ond_scene_free(&scene);
    }
}

static void count_missing(const char *path, void *context)
{
    CHECK_SAYS(path, "no-such-mesh.off", "the path that is told");
    ++*(int *)context;
}

// Whether or not the meshes are here: a name that is nobody's brings on the stand-in.
static void test_stand_ins(void **state)
{
    (void)state;
    for (int s = 0; s < OND_COUNT(scenes); ++s) {
        OndSceneDef scene;
        OndStart start;
        int missing = 0;
        if (strcmp(scenes[s].name, "bunny") != 0 && strcmp(scenes[s].name, "armadillo") != 0)
            continue;
        open_scene(scenes[s].name, "fluid.0.shape.file=no-such-mesh.off", &scene);
        ond_scene_missing(&scene, count_missing, &missing);
        CHECK_NEAR(missing, 1, 0, "one mesh is missing");
        fill(&scene, scenes[s].name, &start);
        if (getenv("ONDINE_SHOW")) printf("%-28s %d\n", "its stand-in", start.count);
        CHECK_NEAR(start.count, scenes[s].count, scenes[s].within * scenes[s].count, "stand-in");
        ond_start_free(&start);
        ond_scene_free(&scene);
    }
}

// Share of the particles that a test picks, and the temperatures among them.
typedef struct Look {
    double held, warm;  // shares of all
    double least, most; // C
    double first_above; // where the lowest particle is, in spacings above the floor
} Look;

static Look look_at(const OndSceneDef *scene, const OndStart *start)
{
    Look l = {0, 0, start->temperature[0], start->temperature[0], INFINITY};
    for (int i = 0; i < start->count; ++i) {
        const double t = start->temperature[i];
        l.held += start->held[i] / (double)start->count;
        l.warm += (t > 0.0) / (double)start->count;
        l.least = fmin(l.least, t);
        l.most = fmax(l.most, t);
        l.first_above = fmin(l.first_above, start->position[1][i] / scene->spacing);
    }
    return l;
}

static void test_starts(void **state)
{
    (void)state;
    static const struct {
        const char *name, *override;
        double held, warm, most, within; // shares within `within`
    } cases[] = {
        {"bunny", NULL, 0, 0.15, 20, 0.07},
        {"bunny", "fluid.0.shape.file=no-such-mesh.off", 0, 0.15, 20, 0.07},
        {"armadillo", NULL, 0.86, 0.13, 10, 0.03},
        {"armadillo", "fluid.0.shape.file=no-such-mesh.off", 0.86, 0.13, 10, 0.03},
        {"h-a", NULL, 0, 4590 / 56185.0, 20, 1e-9},
        {"h-b", NULL, 0, 10965 / 56185.0, 20, 1e-9},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndStart start;
        open_scene(cases[c].name, cases[c].override, &scene);
        fill(&scene, cases[c].name, &start);
        const Look l = look_at(&scene, &start);
        if (getenv("ONDINE_SHOW"))
            printf("%-12s held %.3f warm %.3f, %g to %g C, from %.2f spacings\n", cases[c].name,
                   l.held, l.warm, l.least, l.most, l.first_above);
        CHECK_NEAR(l.held, cases[c].held, cases[c].within, "held");
        CHECK_NEAR(l.warm, cases[c].warm, cases[c].within, "warmer than solid");
        CHECK_NEAR(l.most, cases[c].most, 1e-3, "warmest");
        CHECK_NEAR(l.least, 0, 0, "coldest");
        CHECK_NEAR(l.first_above, 0.5, 0.1, "stands on the floor");
        ond_start_free(&start);
        ond_scene_free(&scene);
    }
}

static void test_note(void **state)
{
    (void)state;
    static const struct {
        const char *file, *says;
    } cases[] = {
        {"../../models/none.off",
         "note: models/none.off is not there; its stand-in is used. `make models` fetches it."},
        {"none.off", "none.off is not there; its stand-in is used.\n"}, // one's own
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char args[1024];
        snprintf(args, sizeof args,
                 "check '" FOLDER "armadillo.yaml' --set fluid.0.spacing=0.06 --set "
                 "fluid.0.shape.file=%s",
                 cases[c].file);
        expect(args, 0, cases[c].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_stand_ins),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_note),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
