// SPDX-License-Identifier: MIT
// Solids in scenes: what is read, what is refused and how, and what fluid is left out.
#include "scene_text.h"
#include "sim/sim.h"

#define BOX    "shape: {type: box, min: [0, 0, 0], max: [1, 0.2, 1]}"
#define SOLID  WATER "solid:\n  - "
#define SOLID2 "dimension: 2\n" SOLID

static const struct {
    const char *name, *text, *says;
} wrong[] = {
    {"no shape", SOLID "{name: a}\n",
     "scene.yaml:6:5: error: solid needs the key 'shape' (or 'sequence', or 'scatter')"},
    {"bad shape", SOLID "{shape: {type: bx}}\n", "did you mean 'box'?"},
    {"plane fluid", "fluid: [{spacing: 0.1, shape: {type: plane}}]\n", "type must be box, sphere"},
    {"particles", SOLID "{shape: {type: particles, file: a.ply}}\n", "particles have no inside"},
    {"two names", SOLID "{name: a, " BOX "}\n  - {name: a, " BOX "}\n",
     "scene.yaml:7:12: error: two solids are called 'a'"},
    {"key order", SOLID "{" BOX ", keys: [{time: 1}, {time: 2}, {time: 1.5}]}\n",
     "error: keys must be in the order of time: 1.5 s follows 2 s"},
    {"same time", SOLID "{name: a, " BOX ", keys: [{time: 1}, {time: 1}]}\n",
     "error: two keys of solid 'a' stand at 1 s"},
    {"key without time", SOLID "{" BOX ", keys: [{at: [0, 0, 0]}]}\n", "keys needs the key 'time'"},
    {"formula", SOLID "{" BOX ", move: [\"0.1*sni(t)\", 0, 0]}\n",
     "scene.yaml:6:72: error: in the formula \"0.1*sni(t)\", at character 5: 'sni' is not known; "
     "did you mean 'sin'?"},
    {"formula's parts", SOLID "{" BOX ", move: [t]}\n", "move must have 2 or 3 parts, not 1"},
    {"no list", SOLID "{" BOX ", turn_by: 3}\n", "turn_by must be a list such as"},
    {"plane contains", SOLID "{shape: {type: plane}, use: container}\n",
     "a plane contains nothing"},
    {"no normal", SOLID "{shape: {type: plane, normal: [0, 0, 0]}}\n", "normal must not be zero"},
    {"body with keys", SOLID "{name: a, density: 500, " BOX ", keys: [{time: 1}]}\n",
     "solid 'a' has a density, so the fluid moves it; leave out keys"},
    {"density and mass", SOLID "{density: 500, mass: 1, " BOX "}\n",
     "a density or a mass, not both"},
    {"velocity without mass", SOLID "{velocity: [1, 0, 0], " BOX "}\n",
     "velocity is the start of a body"},
    {"heavy plane", SOLID "{density: 500, shape: {type: plane}}\n", "a plane has no volume"},
    {"heavy container", SOLID "{density: 500, use: container, " BOX "}\n",
     "a container cannot float"},
    {"round a periodic side",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], z: periodic}\n" SOLID "{density: 500, " BOX "}\n",
     "the domain is periodic in z"},
    {"bodies without a spacing", "solid: [{density: 500, " BOX "}]\n",
     "for bodies alone a fluid with a spacing is enough"},
    {"shape and sequence", SOLID "{" BOX ", sequence: {files: a%d.obj}}\n",
     "a shape or a sequence, not both"},
    {"no number", SOLID "{sequence: {files: a.obj}}\n", "files needs one place for the number"},
    {"two numbers", SOLID "{sequence: {files: a%d%d.obj}}\n", "files needs one place"},
    {"a string format", SOLID "{sequence: {files: \"a%s.obj\"}}\n", "files needs one place"},
    {"2D sequence", SOLID2 "{sequence: {files: a%d.obj}}\n",
     "scene.yaml:7:16: error: a sequence bends a mesh in 3D: in 2D, use a shape that moves"},
    {"2D turn", SOLID2 "{" BOX ", turn: [10, 0, 0]}\n", "in 2D solids turn about z only"},
    {"2D move", SOLID2 "{" BOX ", move: [0, 0, t]}\n", "in 2D solids move along x and y"},
    {"2D key", SOLID2 "{" BOX ", keys: [{time: 0, at: [0, 0, 1]}]}\n", "has a z part"},
    {"probe type", WATER "probe: [{type: forse}]\n", "did you mean 'force'?"},
    {"no such solid", SOLID "{name: cup, " BOX "}\nprobe: [{type: force, solid: cop}]\n",
     "there is no solid 'cop'; did you mean 'cup'?"},
    {"no solid", WATER "probe: [{type: force, solid: cup}]\n", "the scene has no solids"},
    {"probe's name", WATER "probe: [{type: level, at: [0, 0], name: ../a}]\n",
     "the name of a probe names its file"},
    {"same probe",
     WATER "probe: [{type: level, at: [0, 0], name: a}, {type: level, at: [0, 0], name: a}]\n",
     "two probes are called 'a'"},
    {"pressure of grains", "method: {type: dem}\nprobe: [{type: pressure, at: [0, 0]}]\n" WATER,
     "scene.yaml:2:16: error: grains have no pressure at a point"},
    {"flow", WATER "probe: [{type: flow, center: [0, 0, 0], width: 1}]\n", "height > 0"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(wrong); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        const OndStatus status = load(wrong[c].text, &scene, &err);
        if (status == OND_OK) ond_scene_free(&scene);
        CHECK_NEAR(status, OND_BAD_VALUE, 0, wrong[c].name);
        CHECK_SAYS(err.text, wrong[c].says, wrong[c].name);
    }
}

// ---- what only the simulation finds

static OndSim *open_sim(const char *text, OndSceneDef *scene, OndError *err)
{
    if (load(text, scene, err) != OND_OK) fail_msg("%s", err->text);
    return ond_sim_make(scene, &assets, err);
}

static const struct {
    const char *name, *text, *says;
} unfit[] = {
    {"covered", SOLID "{name: rock, shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}}\n",
     "nothing is left of fluid 'water': it starts inside solid 'rock'"},
    {"outside",
     SOLID "{name: pot, use: container, shape: {type: box, min: [2, 0, 0], max: [3, 1, "
           "1]}}\n",
     "it starts outside of all containers"},
    {"root", SOLID "{name: a, " BOX ", move: [\"sqrt(t - 1)\", 0, 0]}\n",
     "the motion of solid 'a' has no value, or no speed, at t = 0 s"},
    {"divided by nothing", SOLID "{name: a, " BOX ", turn_by: [0, \"1/(t - 2)\", 0]}\n",
     "at t = 2 s"},
    {"no file", SOLID "{shape: {type: mesh, file: nowhere.obj}}\n", "nowhere.obj"},
    {"no files", SOLID "{sequence: {files: nowhere_%02d.obj}}\n",
     "there is neither nowhere_00.obj nor nowhere_01.obj"},
    {"emitter in a solid",
     "fluid: [{spacing: 0.05}]\nemitter: [{center: [0.5, 0.1, 0.5], radius: 0.1, rate: "
     "0.01}]\nsolid: [{name: rock, " BOX "}]\n",
     "scene.yaml:2:20: error: nothing can come out of the emitter: all of its mouth is inside "
     "solid 'rock'"},
};

static void test_unfit(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(unfit); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        OndSim *sim = open_sim(unfit[c].text, &scene, &err);
        CHECK_NEAR(sim == NULL, 1, 0, unfit[c].name);
        CHECK_SAYS(err.text, unfit[c].says, unfit[c].name);
        CHECK_SAYS(err.text, "scene.yaml:", unfit[c].name);
        ond_sim_destroy(sim);
        ond_scene_free(&scene);
    }
}

// A block of 10 x 10 x 10 particles, 0.1 apart, and what solids leave of it.
static const struct {
    const char *name, *solid;
    int left;
} cuts[] = {
    {"far away", "{shape: {type: sphere, center: [5, 5, 5], radius: 1}}", 1000},
    {"flush", "{shape: {type: box, min: [-1, -1, -1], max: [2, 0, 2]}}", 1000},
    {"half", "{shape: {type: box, min: [-1, -1, -1], max: [2, 0.5, 2]}}", 500},
    {"too near", "{shape: {type: box, min: [-1, -1, -1], max: [2, 0.03, 2]}}", 900},
    {"aslant", "{shape: {type: plane, point: [0, 0.5, 0.5], normal: [0, 1, 0.04]}}", 500},
    {"aslant, nearer", "{shape: {type: plane, point: [0, 0.54, 0.5], normal: [0, 1, 0.3]}}", 460},
    {"plane", "{shape: {type: plane, point: [0, 0.5, 0]}}", 500},
    {"plane upside down", "{shape: {type: plane, point: [0, 0.5, 0], normal: [0, -1, 0]}}", 500},
    {"plane to the right", "{shape: {type: plane, point: [0.3, 0, 0], normal: [2, 0, 0]}}", 700},
    {"turned plane", "{shape: {type: plane}, at: [0.3, 0, 0], turn: [0, 0, -90]}", 700},
    {"container", "{use: container, shape: {type: box, min: [0, 0, 0], max: [1, 0.5, 1]}}", 500},
    {"moved box",
     "{shape: {type: box, min: [-1.5, -0.5, -1.5], max: [1.5, 0.5, 1.5]}, at: [0, 0, 0]}", 500},
    {"turned box", "{shape: {type: box, min: [-0.5, -3, -3], max: [0.5, 3, 3]}, turn: [0, 0, 90]}",
     500},
    {"by formula", "{shape: {type: plane}, move: [0, \"0.5 + t\", 0]}", 500},
    {"by key",
     "{shape: {type: plane}, keys: [{time: 0, at: [0, 0.5, 0]}, {time: 1, at: [0, 0, "
     "0]}]}",
     500},
    {"two containers",
     "{use: container, shape: {type: box, min: [0, 0, 0], max: [1, 0.3, 1]}}\n  - {use: container, "
     "shape: {type: box, min: [0, 0.5, 0], max: [1, 1, 1]}}",
     800},
    {"difference",
     "{shape: {type: difference, parts: [{type: box, min: [-1, -1, -1], max: [2, 2, 2]}, {type: "
     "box, min: [0, 0, 0], max: [1, 0.5, 1]}]}}",
     500},
};

static void test_left_out(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(cuts); ++c) {
        char text[1024];
        OndSceneDef scene;
        OndError err = {0};
        snprintf(text, sizeof text,
                 "fluid: [{name: w, spacing: 0.1, shape: {type: box, min: [0, 0, 0], max: [1, 1, "
                 "1]}}]\nsolid:\n  - %s\n",
                 cuts[c].solid);
        OndSim *sim = open_sim(text, &scene, &err);
        if (!sim) fail_msg("%s: %s", cuts[c].name, err.text);
        CHECK_NEAR(ond_sim_particle_count(sim), cuts[c].left, 0, cuts[c].name);
        const char *note = ond_sim_note(sim, 0);
        CHECK_NEAR(note != NULL, cuts[c].left < 1000, 0, cuts[c].name);
        char says[64];
        snprintf(says, sizeof says, "%d of 1000 particles of fluid 'w'", 1000 - cuts[c].left);
        if (note) CHECK_SAYS(note, says, cuts[c].name);
        ond_sim_destroy(sim);
        ond_scene_free(&scene);
    }
}

static void test_fast(void **state)
{
    (void)state;
    OndSceneDef scene;
    OndError err = {0};
    OndSim *sim = open_sim(SOLID "{name: fan, shape: {type: box, min: [5, 0, 0], max: [6, 0.1, "
                                 "0.1]}, turn_by: [0, \"36000*t\", 0]}\n",
                           &scene, &err);
    if (!sim) fail_msg("%s", err.text);
    CHECK_SAYS(ond_sim_note(sim, 0), "solid 'fan' moves at up to 31", "speed of the tips");
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_unfit),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(test_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
