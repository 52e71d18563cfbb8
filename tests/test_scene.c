// SPDX-License-Identifier: MIT
// Scenes: the example of the manual, every wrong one with its message, and the start they make.
#include "base/clock.h"
#include "check.h"
#include "io/formats.h"
#include "io/mesh_assimp.h"
#include "io/text_freetype.h"
#include "io/yaml.h"
#include "sim/materials.h"
#include "sim/scene.h"
#include "sim/scene_fill.h"
#include "sim/scene_shape.h"
#include "sim/sim_world.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const OndAssets assets = {ond_mesh_load, ond_text_outline, ond_frame_read};

static OndStatus load_as(const char *name, const char *text, OndScene *out, OndError *err)
{
    OndTree tree;
    const OndStatus status = ond_yaml_parse(name, text, strlen(text), &tree, err);
    return status == OND_OK ? ond_scene_read(&tree, out, err) : status;
}

static OndStatus load(const char *text, OndScene *out, OndError *err)
{
    memset(out, 0, sizeof *out);
    return load_as("scene.yaml", text, out, err);
}

static const char dam_break[] = "title: Dam break\n"
                                "dimension: 3\n"
                                "duration: 4.0\n"
                                "gravity: [0, -9.81, 0]\n"
                                "domain: {min: [0, 0, 0], max: [2, 1.2, 0.6], slip: 0.9}\n"
                                "method: {type: sph}\n"
                                "fluid:\n"
                                "  - name: water\n"
                                "    spacing: 0.015\n"
                                "    density: 998.23\n"
                                "    shape: {type: box, min: [0, 0, 0], max: [0.6, 0.9, 0.6]}\n";

static void test_example(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load(dam_break, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    assert_string_equal(scene.title, "Dam break");
    CHECK_NEAR(scene.duration, 4, 0, "duration");
    CHECK_NEAR(scene.frame_rate, 24, 0, "frame_rate");
    CHECK_NEAR(scene.gravity.y, -9.81, 0, "gravity.y");
    CHECK_NEAR(scene.has_domain, 1, 0, "has_domain");
    CHECK_NEAR(scene.domain.max.y, 1.2, 0, "domain.max.y");
    CHECK_NEAR(scene.domain.side[3].slip, 0.9, 1e-7, "slip of a side");
    CHECK_NEAR(scene.spacing, 0.015, 0, "spacing");
    assert_non_null(ond_scene_sph(&scene));
    CHECK_NEAR((double)ond_scene_forecast(&scene, NULL, &err), 96000, 0, "forecast");
    OndStart start;
    if (ond_scene_fill(&scene, NULL, &start, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(start.count, 40 * 60 * 40, 0, "particles");
    CHECK_NEAR(start.position[0][0], 0.0075, 1e-9, "first particle");
    CHECK_NEAR(start.position[1][start.count - 1], 0.9 - 0.0075, 1e-6, "last particle");
    CHECK_NEAR(start.temperature[7], 20, 0, "temperature");
    ond_start_free(&start);
    ond_scene_free(&scene);
}

static void test_smallest(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load("fluid: [{spacing: 0.1, shape: {type: sphere, center: [0, 0, 0], radius: 1}}]", &scene,
             &err) != OND_OK)
        fail_msg("%s", err.text);
    CHECK_NEAR(scene.has_domain, 0, 0, "no domain");
    CHECK_NEAR(scene.domain.side[0].kind, OND_SIDE_OPEN, 0, "open sides");
    CHECK_NEAR(scene.method.which, OND_METHOD_SPH, 0, "method");
    CHECK_NEAR(ond_scene_sph(&scene)->smoothing, 2, 0, "method's defaults");
    assert_string_equal(ond_scene_fluid(&scene, 0)->name, "fluid 0");
    assert_null(scene.camera.node);
    CHECK_NEAR(scene.render.width, 1280, 0, "render.width");
    ond_scene_free(&scene);
}

static void test_json(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load(
            "{\n\t\"title\": \"J\\u00e4\",\n\t\"dimension\": 2,\n\t\"fluid\": [{\"spacing\": 1e-2, "
            "\"shape\": {\"type\": \"box\", \"min\": [0, 0], \"max\": [0.1, 0.2]}}]\n}\n",
            &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    assert_string_equal(scene.title, "J\xC3\xA4");
    CHECK_NEAR((double)ond_scene_forecast(&scene, NULL, &err), 200, 0, "particles");
    ond_scene_free(&scene);
}

static void test_override(void **state)
{
    (void)state;
    static const struct {
        const char *set, *says;
        double count;
    } cases[] = {
        {"fluid.0.spacing=0.03", NULL, 12000},
        {"fluid.0.shape.max=[0.3, 0.9, 0.6]", NULL, 48000},
        {"fluid.0.spacing=-1", "--set fluid.0.spacing=-1: error: spacing must be > 0, not -1 m", 0},
        {"fluid.0.spacin=1", "--set fluid.0.spacin=1: error: unknown key 'spacin'; did you mean",
         0},
        {"gravty=[0, 1]",
         "--set gravty=[0, 1]: error: unknown key 'gravty'; did you mean 'gravity'?", 0},
        {"title=", "--set title=: error: title has no value", 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndTree tree;
        OndScene scene = {0};
        OndError err = {0};
        assert_int_equal(ond_yaml_parse("a.yaml", dam_break, strlen(dam_break), &tree, &err),
                         OND_OK);
        assert_int_equal(ond_yaml_override(&tree, cases[c].set, &err), OND_OK);
        const OndStatus status = ond_scene_read(&tree, &scene, &err);
        CHECK_NEAR(status == OND_OK, cases[c].says == NULL, 0, cases[c].set);
        if (status == OND_OK)
            CHECK_NEAR((double)ond_scene_forecast(&scene, NULL, &err), cases[c].count, 0,
                       cases[c].set);
        else
            CHECK_SAYS(err.text, cases[c].says, cases[c].set);
        ond_scene_free(&scene);
    }
}

// ---- wrong scenes

#define BALL       "shape: {type: sphere, center: [0.5, 0.5, 0.5], radius: 0.3}"
#define WATER      "fluid:\n  - name: water\n    spacing: 0.05\n    " BALL "\n"
#define EMITTER    "{center: [0, 0, 0], radius: 0.1, rate: 1}, "
#define EMITTERS_8 EMITTER EMITTER EMITTER EMITTER EMITTER EMITTER EMITTER EMITTER
#define DOMAIN     "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
#define HEATED     "fluid: [{spacing: 0.05, conductivity: 1, " BALL "}]\n"

static const struct {
    const char *name, *text, *says;
} wrong[] = {
    {"empty", "", "scene.yaml:1:1: error: the file is empty"},
    {"blank", "# nothing\n\n", "scene.yaml:1:1: error: the file is empty"},
    {"not YAML", "fluid: [1, 2\ntitle: x\n", "scene.yaml:3:1: error: not YAML"},
    {"two colons", "title: a: b\n", "scene.yaml:1:9: error: not YAML"},
    {"a poem", "Roses are red\nViolets are blue\n",
     "scene.yaml:1:1: error: scene must be a map (key: value), not"},
    {"binary",
     "\x7f"
     "ELF\x02\x01",
     "scene.yaml:1:1: error: byte 0x7f is no text in UTF-8"},
    {"latin 1", "title: D\xE4mm\n", "scene.yaml:1:9: error: byte 0xe4 is no text in UTF-8"},
    {"a list", "- a\n- b\n", "scene.yaml:1:1: error: scene must be a map"},
    {"two documents", "title: a\n---\ntitle: b\n", "a second document begins here"},
    {"a tag", "title: !x a\n", "scene.yaml:1:8: error: tags"},
    {"doubled key", "title: a\ntitle: b\n",
     "scene.yaml:2:1: error: key 'title' stands here a second time"},
    {"no such alias", "title: *a\n", "scene.yaml:1:9: error: alias '*a' has no complete anchor"},
    {"alias of itself", "a: &a [*a]\n", "alias '*a' has no complete anchor"},
    {"list as key", "[a, b]: 1\n", "scene.yaml:1:1: error: a key must be a plain word"},
    {"unknown key", "titel: a\n",
     "scene.yaml:1:1: error: unknown key 'titel'; did you mean 'title'?\n    titel: a\n    ^"},
    {"unknown deep key", "fluid:\n  - spacin: 0.1\n",
     "scene.yaml:2:5: error: unknown key 'spacin'; did you mean 'spacing'?"},
    {"wrong type", "fluid:\n  - spacing: [1]\n",
     "scene.yaml:2:14: error: spacing must be a number, not a list"},
    {"NaN", "gravity: [0, .nan, 0]\n",
     "scene.yaml:1:14: error: gravity[1] must be a finite number, not .nan"},
    {"negative spacing", "fluid:\n  - name: water\n    spacing: -0.1\n",
     "scene.yaml:3:14: error: spacing must be > 0, not -0.1 m"},
    {"minute spacing", "fluid: [{spacing: 1e-300}]\n",
     "scene.yaml:1:19: error: spacing must be at least 1e-06 m, not 1e-300"},
    {"far out", "gravity: [0, 1e7]\n", "gravity[1] must be at most 1e+06, not 1e7 m/s^2"},
    {"unit", "duration: 4s\n", "units are fixed, so write the value in s without the unit"},
    {"no spacing", "fluid:\n  - name: water\n",
     "scene.yaml:2:5: error: fluid needs the key 'spacing': Rest distance"},
    {"dimension", "dimension: 4\n", "scene.yaml:1:12: error: dimension must be 2 or 3, not 4"},
    {"method", "method: {type: sqh}\n",
     "scene.yaml:1:16: error: type must be sph, not 'sqh'; did you mean 'sph'?"},
    {"method's key", "method: {type: sph, smothing: 2}\n",
     "scene.yaml:1:21: error: unknown key 'smothing'; did you mean 'smoothing'?"},
    {"frames", "duration: 1e6\n" WATER,
     "scene.yaml:1:11: error: duration times frame_rate is 2.4e+07 frames"},
    {"nothing at all", "title: a\n",
     "scene.yaml:1:1: error: nothing to simulate: give a fluid a shape, or add an emitter"},
    {"no shape", "fluid:\n  - spacing: 0.1\n", "scene.yaml:2:3: error: nothing to simulate"},
    {"no fluids", "fluid: []\n", "scene.yaml:1:8: error: nothing to simulate"},
    {"domain order", "domain: {min: [0, 0, 0], max: [1, 0, 1]}\n" WATER,
     "scene.yaml:1:31: error: the domain's max must be above its min in y (0, 0)"},
    {"margin", "domain: {min: [0, 0, 0], max: [1, 1, 1], margin: 0.5}\n" WATER,
     "scene.yaml:1:50: error: a margin of 0.5 m leaves no room in x"},
    {"narrow periodic", "domain: {min: [0, 0, 0], max: [1, 1, 0.1], z: periodic}\n" WATER,
     "scene.yaml:1:47: error: a periodic domain must be at least 2 support radii wide (0.2 m); in "
     "z it is 0.1 m"},
    {"side twice",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: -x}, {side: -x}]}\n" WATER,
     "scene.yaml:1:69: error: this side is described twice"},
    {"open side", "domain: {min: [0, 0, 0], max: [1, 1, 1], x: open, sides: [{side: -x}]}\n" WATER,
     "scene.yaml:1:66: error: the domain has no wall here: x is open"},
    {"wall that leaves",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: -x, velocity: [1, 0, 0]}]}\n" WATER,
     "its velocity in x must be 0"},
    {"gravity in 2D", "dimension: 2\ngravity: [0, 0, -9.81]\n" WATER,
     "scene.yaml:2:10: error: gravity has a z part (-9.81), but dimension is 2"},
    {"spin in 2D", "dimension: 2\nfluid: [{spacing: 0.1, spin: [1, 0, 0], " BALL "}]\n",
     "in 2D a fluid turns about z only"},
    {"periodic z in 2D", "dimension: 2\ndomain: {min: [0, 0], max: [1, 1], z: periodic}\n" WATER,
     "there are no sides across z"},
    {"flat box", "fluid: [{spacing: 0.1, shape: {type: box, min: [0, 0], max: [1, 1]}}]\n",
     "scene.yaml:1:61: error: the box's max must be above its min in z (0, 0)"},
    {"short rod",
     "fluid: [{spacing: 0.1, shape: {type: cylinder, from: [0, 0], to: [0, 0], radius: 1}}]\n",
     "its two ends are the same point"},
    {"radius", "fluid: [{spacing: 0.1, shape: {type: sphere, center: [0, 0, 0], radius: 0}}]\n",
     "scene.yaml:1:73: error: radius must be > 0"},
    {"no parts", "fluid: [{spacing: 0.1, shape: {type: union, parts: []}}]\n",
     "scene.yaml:1:52: error: union needs at least 1 part, not 0"},
    {"lonely difference",
     "fluid: [{spacing: 0.1, shape: {type: difference, parts: [{type: sphere, center: [0, 0, 0], "
     "radius: 1}]}}]\n",
     "difference needs at least 2 parts, not 1"},
    {"particles in a union",
     "fluid: [{spacing: 0.1, shape: {type: union, parts: [{type: particles, file: a.ply}]}}]\n",
     "particles have no inside"},
    {"no text", "fluid: [{spacing: 0.1, shape: {type: text, text: ''}}]\n",
     "text must not be empty"},
    {"same name", "fluid: [{name: a, spacing: 0.1}, {name: a, spacing: 0.1}]\n",
     "scene.yaml:1:41: error: two fluids are called 'a'"},
    {"two spacings", "fluid: [{name: a, spacing: 0.1}, {name: b, spacing: 0.2}]\n",
     "scene.yaml:1:53: error: all fluids must have the same spacing in this version; 'a' has 0.1 "
     "m"},
    {"emitter's fluid", WATER "emitter: [{fluid: watr, center: [0, 0, 0], radius: 0.1, rate: 1}]\n",
     "scene.yaml:5:19: error: there is no fluid 'watr'; did you mean 'water'?"},
    {"emitter alone", "emitter: [{center: [0, 0, 0], radius: 0.1, rate: 1}]\n",
     "there is no fluid to pour"},
    {"emitter's radius", WATER "emitter: [{center: [0, 0, 0], rate: 1}]\n",
     "scene.yaml:5:11: error: a disc needs a radius > 0"},
    {"tiny opening", WATER "emitter: [{center: [0, 0, 0], radius: 0.01, rate: 1}]\n",
     "narrower than one particle"},
    {"emitter's direction",
     WATER "emitter: [{center: [0, 0, 0], direction: [0, 0, 0], radius: 0.1, rate: 1}]\n",
     "direction must not be zero"},
    {"emitter's times",
     WATER "emitter: [{center: [0, 0, 0], radius: 0.1, rate: 1, from: 2, to: 1}]\n",
     "to must be later than from (1 s, 2 s)"},
    {"emitter outside", DOMAIN WATER "emitter: [{center: [2, 0, 0], radius: 0.1, rate: 1}]\n",
     "the emitter is outside the domain in x"},
    {"many emitters", WATER "emitter: [" EMITTERS_8 EMITTERS_8 EMITTERS_8 EMITTERS_8 EMITTER "]\n",
     "scene.yaml:5:10: error: at most 32 emitters, not 33"},
    {"following density at bare walls",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], walls: project}\nmethod: {type: sph, density: "
     "continuity}\n" WATER,
     "scene.yaml:2:30: error: density: continuity needs walls that count"},
    {"wide opening", WATER "emitter: [{center: [0, 0, 0], radius: 1e8, rate: 1}]\n",
     "scene.yaml:5:39: error: the opening is 4e+09 particles across; at most 4096"},
    {"tall opening",
     WATER "emitter: [{center: [0, 0, 0], shape: rectangle, width: 1, height: 1e3, rate: 1}]\n",
     "scene.yaml:5:67: error: the opening is 2e+04 particles across"},
    {"jet", WATER "emitter: [{center: [0, 0, 0], radius: 0.1, rate: 1e6}]\n",
     "scene.yaml:5:50: error: through this opening it would pour at 3.18e+07 m/s"},
    {"opening in a wall",
     DOMAIN WATER "emitter: [{center: [0.1, 0.9, 0.5], radius: 0.3, rate: 1}]\n",
     "scene.yaml:6:45: error: the opening reaches 0.2 m beyond the domain in x"},
    {"slit in a wall",
     DOMAIN WATER "emitter: [{shape: rectangle, center: [0.5, 0.9, 0.5], width: 1.2, height: 0.1, "
                  "rate: 1}]\n",
     "the opening reaches 0.1 m beyond the domain in x"},
    {"into the wall", DOMAIN WATER "emitter: [{center: [0.5, 0, 0.5], radius: 0.1, rate: 1}]\n",
     "it pours into the wall where it stands"},
    {"weightless", "fluid: [{spacing: 0.1, density: 1e-300}]\n",
     "scene.yaml:1:33: error: density must be >= 1e-06, not 1e-300 kg"},
    {"camera", WATER "camera: {from: [1, 1, 1], to: [1, 1, 1]}\n",
     "the camera stands where it looks"},
    {"lonely intersection",
     "fluid: [{spacing: 0.1, shape: {type: intersection, parts: [{type: sphere, center: [0, 0, 0], "
     "radius: 1}]}}]\n",
     "intersection needs at least 2 parts, not 1"},
    {"bad stand-in",
     "fluid: [{spacing: 0.1, shape: {type: mesh, file: a.off, stand_in: {type: box, min: [0, 0, "
     "0], max: [1, 0, 1]}}}]\n",
     "scene.yaml:1:100: error: the box's max must be above its min in y (0, 0)"},
    {"material", "fluid: [{spacing: 0.1, material: waks, " BALL "}]\n",
     "scene.yaml:1:34: error: material must be none, water, ice, wax, chocolate, butter, lava, "
     "steel or glass, not 'waks'; did you mean 'wax'?"},
    {"rigidity above 1", "fluid: [{spacing: 0.1, rigidity: 1.5, " BALL "}]\n",
     "scene.yaml:1:34: error: rigidity must be between 0 and 1, not 1.5"},
    {"rigidity below 0", "fluid: [{spacing: 0.1, rigidity: -0.1, " BALL "}]\n",
     "scene.yaml:1:34: error: rigidity must be between 0 and 1, not -0.1"},
    {"melting order", "fluid: [{spacing: 0.1, T_solid: 10, T_liquid: 5, " BALL "}]\n",
     "scene.yaml:1:47: error: T_liquid must be above T_solid (5 C, 10 C)"},
    {"melting at once", "fluid: [{spacing: 0.1, T_solid: 10, T_liquid: 10, " BALL "}]\n",
     "scene.yaml:1:47: error: T_liquid must be above T_solid (10 C, 10 C)"},
    {"no T_liquid", "fluid: [{spacing: 0.1, T_solid: -10, " BALL "}]\n",
     "scene.yaml:1:33: error: T_solid and T_liquid belong together: T_liquid is missing"},
    {"no T_solid", "fluid: [{spacing: 0.1, T_liquid: 10, " BALL "}]\n",
     "scene.yaml:1:34: error: T_solid and T_liquid belong together: T_solid is missing"},
    {"above the material's", "fluid: [{spacing: 0.1, material: wax, T_solid: 60, " BALL "}]\n",
     "scene.yaml:1:48: error: T_liquid must be above T_solid (58 C, 60 C)"},
    {"periodic solid",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], y: periodic}\n"
     "fluid: [{name: w, spacing: 0.05, material: ice, " BALL "}]\n",
     "scene.yaml:1:45: error: what can be solid cannot live in a periodic domain in this version; "
     "fluid 'w' can"},
    {"fixed and poured",
     "fluid: [{name: w, spacing: 0.05, fixed: true, " BALL "}]\n"
     "emitter: [{fluid: w, center: [0, 0, 0], radius: 0.1, rate: 1}]\n",
     "scene.yaml:2:19: error: fluid 'w' is fixed, so it cannot be poured"},
    {"region without a shape", WATER "    regions: [{temperature: 1}]\n",
     "scene.yaml:5:15: error: region needs the key 'shape'"},
    {"region of nothing", WATER "  - {spacing: 0.05, regions: [{fixed: true, " BALL "}]}\n",
     "scene.yaml:5:30: error: a fluid without a shape has no particles at the start"},
    {"idle region", WATER "    regions: [{" BALL "}]\n",
     "scene.yaml:5:15: error: this region changes nothing: give it a temperature, or fixed"},
    {"half a slope",
     WATER "    regions: [{temperature: 1, to_temperature: 2, from: [0, 0, 0], " BALL "}]\n",
     "scene.yaml:5:48: error: to_temperature needs temperature, from and to; to is missing"},
    {"slope of nothing", WATER "    regions: [{temperature: 1, from: [0, 0, 0], " BALL "}]\n",
     "scene.yaml:5:38: error: from and to need to_temperature"},
    {"slope at a point",
     WATER "    regions: [{temperature: 1, to_temperature: 2, from: [1, 0], to: [1, 0], " BALL
           "}]\n",
     "scene.yaml:5:69: error: from and to are the same point"},
    {"region of particles",
     WATER "    regions: [{fixed: true, shape: {type: particles, file: a.ply}}]\n",
     "scene.yaml:5:43: error: particles have no inside"},
    {"power and transfer", HEATED "heat: [{power: 1, transfer: 2, temperature: 3, " BALL "}]\n",
     "scene.yaml:2:29: error: give power or transfer, not both"},
    {"a cold source", HEATED "heat: [{" BALL "}]\n",
     "scene.yaml:2:8: error: this source gives no heat"},
    {"transfer to nothing", HEATED "heat: [{transfer: 2, " BALL "}]\n",
     "scene.yaml:2:19: error: transfer needs a temperature"},
    {"power to a temperature", HEATED "heat: [{power: 2, temperature: 1, " BALL "}]\n",
     "scene.yaml:2:32: error: a source with power has no temperature"},
    {"heat's times", HEATED "heat: [{power: 2, from: 3, to: 3, " BALL "}]\n",
     "scene.yaml:2:32: error: to must be later than from (3 s, 3 s)"},
    {"heat's shape", HEATED "heat: [{power: 2, shape: {type: box, min: [0, 0], max: [1, 1]}}]\n",
     "the box's max must be above its min in z"},
    {"heat without conductivity", WATER "heat: [{power: 2, " BALL "}]\n",
     "scene.yaml:5:7: error: heat cannot get in: every fluid's conductivity is 0"},
    {"air without conductivity", WATER "air: {temperature: 30}\n",
     "scene.yaml:5:6: error: heat cannot get in"},
    {"hot walls without conductivity",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], temperature: 80}\n" WATER,
     "scene.yaml:1:55: error: heat cannot get in"},
    {"hot side without conductivity",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: -y, temperature: 80}]}\n" WATER,
     "scene.yaml:1:74: error: heat cannot get in"},
    {"colours", WATER "render: {min: 2, max: 1}\n", "max must not be below min"},
    {"colour", WATER "render: {colour: sped}\n",
     "colour must be speed, temperature, density, rigidity or plain, not 'sped'; did you mean "
     "'speed'?"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(wrong); ++c) {
        OndScene scene;
        OndError err = {0};
        const OndStatus status = load(wrong[c].text, &scene, &err);
        CHECK_NEAR(status, OND_BAD_VALUE, 0, wrong[c].name);
        CHECK_SAYS(err.text, wrong[c].says, wrong[c].name);
    }
}

// Right to read, impossible to start.
static const struct {
    const char *name, *text, *says;
    bool at_fill; // a forecast does not see it
} unstartable[] = {
    {"beyond +x",
     DOMAIN
     "fluid: [{name: w, spacing: 0.05, shape: {type: box, min: [0.5, 0, 0], max: [1.2, 1, 1]}}]\n",
     "scene.yaml:2:41: error: fluid 'w' reaches 0.2 m beyond the domain at +x", true},
    {"in the margin",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], margin: 0.1}\n"
     "fluid: [{name: w, spacing: 0.05, shape: {type: box, min: [0.1, 0.1, 0], max: [1, 1, 1]}}]\n",
     "scene.yaml:2:41: error: fluid 'w' stands in the domain's margin of 0.1 m in x", true},
    {"wholly outside",
     DOMAIN
     "fluid: [{name: w, spacing: 0.05, shape: {type: box, min: [0, -3, 0], max: [1, -2, 1]}}]\n",
     "fluid 'w' reaches 3 m beyond the domain at -y", true},
    {"overlap",
     "fluid:\n  - {name: a, spacing: 0.05, " BALL
     "}\n  - {name: b, spacing: 0.05, shape: {type: box, min: [0.5, 0.5, 0.5], max: [1, 1, 1]}}\n",
     "scene.yaml:3:37: error: fluid 'b' overlaps fluid 'a' at (0.525, 0.525, 0.525)", true},
    {"a billion",
     "fluid:\n  - name: sea\n    spacing: 0.001\n    shape: {type: box, min: [0, 0, 0], max: [1, "
     "1, 1]}\n",
     "scene.yaml:3:14: error: this makes about 1 thousand million particles, and at most 200 "
     "million are taken; a spacing of 0.0037 m would make about 20 million",
     false},
    {"absurd",
     "fluid:\n  - spacing: 1e-6\n    shape: {type: box, min: [0, 0, 0], max: [1e8, 1e8, 1e8]}\n",
     "scene.yaml:3:12: error: fluid \'fluid 0\' is 1e+08 m from the origin, too far to place "
     "particles 1e-06 m apart",
     false},
    {"a flood", WATER "emitter: [{center: [0, 0, 0], radius: 1, rate: 1e6}]\n",
     "scene.yaml:5:48: error: this makes about 32 thousand million particles", false},
    {"thinner than the spacing",
     "fluid:\n  - spacing: 0.1\n    shape: {type: box, min: [0, 0, 0], max: [1, 1, 0.01]}\n",
     "scene.yaml:3:12: error: no particle of fluid 'fluid 0' fits here: the shape is thinner than "
     "the spacing (0.1 m)",
     false},
    {"missing mesh", "fluid:\n  - spacing: 0.1\n    shape: {type: mesh, file: nowhere.obj}\n",
     "scene.yaml:3:31: error: ", false},
    {"missing particles",
     "fluid:\n  - spacing: 0.1\n    shape: {type: particles, file: nowhere.ply}\n",
     "scene.yaml:3:36: error: ", false},
    {"missing font",
     "fluid:\n  - spacing: 0.1\n    shape: {type: text, text: A, font: No Such Face}\n",
     "scene.yaml:3:40: error: ", false},
    {"far away",
     "fluid:\n  - spacing: 0.001\n    shape: {type: box, min: [1e4, 0, 0], max: [10000.1, 0.1, "
     "0.1]}\n",
     "too far to place particles 0.001 m apart", false},
    {"empty region",
     WATER "    regions: [{fixed: true, shape: {type: sphere, center: [5, 5, 5], radius: 1}}]\n",
     "scene.yaml:5:36: error: no particle of fluid 'water' is inside this region's shape", true},
    {"boxes that do not meet",
     "fluid:\n  - spacing: 0.1\n    shape: {type: intersection, parts: [{type: box, min: [0, 0, "
     "0], "
     "max: [1, 1, 1]}, {type: box, min: [0, 2, 0], max: [1, 3, 1]}]}\n",
     "scene.yaml:3:12: error: no particle of fluid 'fluid 0' fits here", false},
    {"blanks", "fluid:\n  - spacing: 0.1\n    shape: {type: text, text: '  '}\n",
     "scene.yaml:3:31: error: ", false},
};

static void test_unstartable(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(unstartable); ++c) {
        OndScene scene;
        OndError err = {0};
        if (load(unstartable[c].text, &scene, &err) != OND_OK)
            fail_msg("%s: %s", unstartable[c].name, err.text);
        const double begun = ond_now_ms();
        const long long count = ond_scene_forecast(&scene, &assets, &err);
        CHECK_NEAR(count >= 0, unstartable[c].at_fill, 0, unstartable[c].name);
        CHECK_NEAR(ond_now_ms() - begun, 0, 2000, "a forecast is instant");
        OndStart start;
        CHECK_NEAR(ond_scene_fill(&scene, &assets, &start, &err), OND_BAD_VALUE, 0,
                   unstartable[c].name);
        CHECK_SAYS(err.text, unstartable[c].says, unstartable[c].name);
        CHECK_NEAR(start.position[0] == NULL, 1, 0, "nothing is left");
        ond_scene_free(&scene);
    }
}

// ---- right ones

static void test_motion(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load("fluid:\n  - {name: a, spacing: 0.1, velocity: [1, 2, 3], stretch: [-10, 10, 0], "
             "spin: [0, 0, 2], "
             "temperature: 50, shape: {type: box, min: [0, 0, 0], max: [1, 1, 0.1]}}\n"
             "  - {name: b, spacing: 0.1, shape: {type: box, min: [1, 0, 0], max: [2, 1, 0.1]}}\n",
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    OndStart start;
    if (ond_scene_fill(&scene, NULL, &start, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR(start.count, 200, 0, "two touching fluids do not overlap");
    const double x = start.position[0][0] - 0.5, y = start.position[1][0] - 0.5;
    CHECK_NEAR(start.velocity[0][0], 1 - 10 * x - 2 * y, 1e-5, "vx");
    CHECK_NEAR(start.velocity[1][0], 2 + 10 * y + 2 * x, 1e-5, "vy");
    CHECK_NEAR(start.velocity[2][0], 3, 1e-6, "vz");
    CHECK_NEAR(start.temperature[0] + start.temperature[150], 70, 0, "temperatures");
    CHECK_NEAR(start.material[99] * 10 + start.material[100], 1, 0, "materials");
    CHECK_NEAR(start.velocity[0][150], 0, 0, "the other rests");
    ond_start_free(&start);
    ond_scene_free(&scene);
}

// Temperatures along x, and who is held: later regions count over earlier ones.
static void test_regions(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load("fluid:\n"
             "  - name: bar\n"
             "    spacing: 0.1\n"
             "    temperature: -1\n"
             "    fixed: true\n"
             "    shape: {type: box, min: [0, 0, 0], max: [1, 0.1, 0.1]}\n"
             "    regions:\n"
             "      - {temperature: 0, to_temperature: 10, from: [0.35, 9, 9], to: [0.75, 9, 9],\n"
             "         shape: {type: box, min: [0.2, 0, 0], max: [1, 1, 1]}}\n"
             "      - {fixed: false, shape: {type: box, min: [0.5, 0, 0], max: [1, 1, 1]}}\n"
             "      - {temperature: 50, fixed: true,\n"
             "         shape: {type: box, min: [0.9, 0, 0], max: [1, 1, 1]}}\n",
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    static const double temperature[10] = {-1, -1, 0, 0, 2.5, 5, 7.5, 10, 10, 50};
    static const int held[10] = {1, 1, 1, 1, 1, 0, 0, 0, 0, 1};
    OndStart start;
    if (ond_scene_fill(&scene, NULL, &start, &err) != OND_OK) fail_msg("%s", err.text);
    for (int i = 0; i < 10; ++i) {
        CHECK_NEAR(start.temperature[i], temperature[i], 1e-5, "temperature along the bar");
        CHECK_NEAR(start.held[i], held[i], 0, "held along the bar");
    }
    ond_start_free(&start);
    ond_scene_free(&scene);
}

static void test_materials(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load(
            "fluid:\n"
            "  - {name: a, spacing: 0.1, material: wax}\n"
            "  - {name: b, spacing: 0.1, material: wax, T_solid: 40, temperature: 70, density: 1}\n"
            "  - {name: c, spacing: 0.1, " BALL "}\n",
            &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    const OndFluidDef *wax = ond_scene_fluid(&scene, 0), *own = ond_scene_fluid(&scene, 1);
    CHECK_NEAR(wax->density, 900, 0, "wax: density");
    CHECK_NEAR(wax->solid * 1000 + wax->liquid, 52058, 0, "wax: melting");
    CHECK_NEAR(wax->latent_heat, 200000, 0, "wax: latent heat");
    CHECK_NEAR(wax->tension, 0, 0, "no material brings surface tension");
    CHECK_NEAR(own->solid * 1000 + own->liquid, 40058, 0, "own T_solid, the wax's T_liquid");
    CHECK_NEAR(own->temperature * 10 + own->density, 701, 0, "own temperature and density");
    CHECK_NEAR(own->conductivity, wax->conductivity, 0, "the rest is wax");
    CHECK_NEAR(ond_scene_fluid(&scene, 2)->density, 998.23, 0, "no material: the key's default");
    CHECK_NEAR(ond_fluid_can_set(wax) * 10 + ond_fluid_can_set(ond_scene_fluid(&scene, 2)), 10, 0,
               "wax can set, a plain fluid cannot");
    ond_scene_free(&scene);
}

// Every material can be used as it is, and melts where one expects it.
static void test_material_table(void **state)
{
    (void)state;
    int count = 0;
    for (int m = 1; ond_material_names[m]; ++m, ++count) {
        const OndMaterialValues *v = ond_material_values(m);
        const char *name = ond_material_names[m];
        assert_non_null(v);
        CHECK_NEAR(v->liquid > v->solid, 1, 0, name);
        CHECK_NEAR(v->density > 500 && v->density < 10000, 1, 0, name);
        CHECK_NEAR(v->viscosity > 0 && v->conductivity > 0 && v->specific_heat > 0, 1, 0, name);
        CHECK_NEAR(v->temperature >= v->liquid || v->temperature <= v->solid, 1, 0, name);
    }
    CHECK_NEAR(count, 8, 0, "materials");
    CHECK_NEAR(ond_material_values(0) == NULL && ond_material_values(9) == NULL, 1, 0, "no others");
}

// docs/materials.md says the same: a row for each material, its numbers as %.9g prints them.
static void test_material_page(void **state)
{
    (void)state;
    static char page[65536];
    FILE *file = fopen(OND_SOURCE_DIR "/docs/materials.md", "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    for (int m = 1; ond_material_names[m]; ++m) {
        const OndMaterialValues *v = ond_material_values(m);
        char row[256];
        snprintf(row, sizeof row,
                 "| `%s` | %.9g | %.9g | %.9g | %.9g | %.9g | %.9g | %.9g | %.9g |\n",
                 ond_material_names[m], v->density, v->viscosity, v->solid, v->liquid,
                 v->conductivity, v->specific_heat, v->latent_heat, v->temperature);
        CHECK_SAYS(page, row, "docs/materials.md");
    }
}

static void test_world(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load("air: {temperature: 30}\n"
             "heat:\n"
             "  - {power: 5, surface: true, from: 1, to: 2,\n"
             "     shape: {type: box, min: [0, 0, 0], max: [1, 1, 1]}}\n"
             "  - {transfer: 7, temperature: 90, shape: {type: sphere, center: [0, 0, 0], radius: "
             "2}}\n"
             "fluid:\n"
             "  - {name: a, spacing: 0.1, material: steel, fixed: true, spin: [0, 0, 1],\n"
             "     shape: {type: box, min: [1, 1, 1], max: [2, 3, 4]}}\n",
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    OndSimWorld w;
    if (ond_sim_world_make(&scene, NULL, &w, &err) != OND_OK) fail_msg("%s", err.text);
    const OndHeatSource *box = &w.world.heat[0], *ball = &w.world.heat[1];
    CHECK_NEAR(w.world.air_temperature + 1000 * w.world.air_exchange, 10030, 0, "air");
    CHECK_NEAR(w.world.heat_count, 2, 0, "sources");
    CHECK_NEAR(box->power * 100 + box->from * 10 + box->to, 512, 0, "power");
    CHECK_NEAR(box->surface * 10 + ball->surface, 10, 0, "surface");
    CHECK_NEAR(ball->transfer * 1000 + ball->temperature, 7090, 0, "transfer");
    CHECK_NEAR(box->inside(box->shape, ond_vec(0.5, 0.9, 0.5)), 1, 0, "inside the box");
    CHECK_NEAR(box->inside(box->shape, ond_vec(0.5, 1.1, 0.5)), 0, 0, "outside the box");
    CHECK_NEAR(ball->inside(ball->shape, ond_vec(0.5, 1.1, 0.5)), 1, 0, "inside the ball");
    const float *c = w.world.material[0].held_center;
    CHECK_NEAR(c[0] * 100 + c[1] * 10 + c[2], 172.5, 1e-4, "the centre it turns about");
    ond_sim_world_free(&w);
    ond_scene_free(&scene);
}

static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double volume;
    } cases[] = {
        {"{type: sphere, center: [0, 0, 0], radius: 0.5}", 0.5236},
        {"{type: union, parts: [{type: sphere, center: [0, 0, 0], radius: 0.5}, {type: sphere, "
         "center: [900, 900, 900], radius: 0.5}]}",
         1.0472},
        {"{type: cylinder, from: [0, 0, 0], to: [0, 1, 0], radius: 0.5}", 0.7854},
        {"{type: capsule, from: [0, 0, 0], to: [0, 1, 0], radius: 0.5}", 1.309},
        {"{type: union, parts: [{type: box, min: [0, 0, 0], max: [1, 1, 1]}, {type: box, min: "
         "[0.5, 0, 0], max: [2, 1, 1]}]}",
         2},
        {"{type: difference, parts: [{type: box, min: [0, 0, 0], max: [1, 1, 1]}, {type: box, min: "
         "[0.5, 0, 0], max: [2, 1, 1]}]}",
         0.5},
        {"{type: intersection, parts: [{type: box, min: [0, 0, 0], max: [1, 1, 1]}, {type: box, "
         "min: [0.5, 0, 0], max: [2, 1, 1]}, {type: box, min: [0, 0.2, 0], max: [2, 1, 1]}]}",
         0.4},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char text[400];
        snprintf(text, sizeof text, "fluid:\n  - {spacing: 0.02, shape: %s}\n", cases[c].shape);
        OndScene scene;
        OndError err = {0};
        if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
        const double volume = (double)ond_scene_forecast(&scene, NULL, &err) * 8e-6;
        CHECK_NEAR(volume, cases[c].volume, 0.01 * cases[c].volume, cases[c].shape);
        ond_scene_free(&scene);
    }
}

static void test_sides(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load("domain: {min: [0, 0, 0], max: [1, 1, 1], slip: 0.5, restitution: 0.25, y: periodic,\n"
             "  sides: [{side: +x, velocity: [0, 1, 0]}, {side: -z, slip: 0}]}\n" WATER,
             &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    const OndSide *side = scene.domain.side;
    CHECK_NEAR(side[1].slip, 0.5, 0, "left out: the domain's");
    CHECK_NEAR(side[1].velocity[1], 1, 0, "velocity");
    CHECK_NEAR(side[0].velocity[1], 0, 0, "the other side rests");
    CHECK_NEAR(side[4].slip, 0, 0, "slip 0 given");
    CHECK_NEAR(side[4].restitution, 0.25, 0, "restitution");
    CHECK_NEAR(side[2].kind * 10 + side[4].kind, OND_SIDE_PERIODIC * 10 + OND_SIDE_WALL, 0,
               "kinds");
    ond_scene_free(&scene);
}

static void test_merge_keys(void **state)
{
    (void)state;
    OndScene scene;
    OndError err = {0};
    if (load(
            "fluid:\n"
            "  - &base {name: a, spacing: 0.1, density: 800, " BALL "}\n"
            "  - {<<: *base, name: b, shape: {type: sphere, center: [5, 5, 5], radius: 0.3}}\n"
            "emitter: [{center: [0, 0, 0], radius: 1, rate: 2, fluid: b, direction: [0, -3, 4]}]\n",
            &scene, &err) != OND_OK)
        fail_msg("%s", err.text);
    CHECK_NEAR(ond_scene_fluid(&scene, 1)->density, 800, 0, "merged");
    assert_string_equal(ond_scene_fluid(&scene, 1)->name, "b");
    CHECK_NEAR(ond_scene_emitter(&scene, 0)->material, 1, 0, "emitter's fluid");
    CHECK_NEAR(ond_scene_emitter(&scene, 0)->direction.z, 0.8, 1e-12, "one long");
    CHECK_NEAR(ond_scene_forecast_poured(&scene), 8000, 1e-6, "poured in 4 s");
    ond_scene_free(&scene);
}

// Each line doubles the one before; unfolded it would be 2^40 values.
static void test_many_laughs(void **state)
{
    (void)state;
    char text[4000] = "a0: &a0 [x, x]\n";
    for (int i = 1; i < 40; ++i) {
        char line[64];
        snprintf(line, sizeof line, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
        strcat(text, line);
    }
    OndScene scene;
    OndError err = {0};
    const double begun = ond_now_ms();
    assert_int_equal(load(text, &scene, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "more than 1000000 values", "bounded");
    CHECK_NEAR(ond_now_ms() - begun, 0, 5000, "in bounded time");
    static char deep[20001];
    memset(deep, '[', 20000);
    assert_int_equal(load(deep, &scene, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "scene.yaml:1:", "depth");
}

// ---- files

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_files(void **state)
{
    (void)state;
    char folder[] = "/tmp/ondine-scene-XXXXXX", path[128], mesh[128], cloud[128];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/scene.yaml", folder);
    snprintf(mesh, sizeof mesh, "%s/tetra.obj", folder);
    snprintf(cloud, sizeof cloud, "%s/cloud.ply", folder);
    write_file(mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_file(cloud,
               "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
               "property float z\nproperty float vx\nproperty float temperature\nend_header\n"
               "0 0 0 5 80\n1 0 0 6 90\n");
    write_file(path,
               "fluid:\n"
               "  - {name: a, spacing: 0.05, shape: {type: mesh, file: tetra.obj, scale: 2}}\n"
               "  - {name: b, spacing: 0.05, velocity: [1, 0, 0], "
               "shape: {type: particles, file: cloud.ply, move: [7, 0, 0]}}\n");
    OndTree tree;
    OndScene scene;
    OndStart start;
    OndError err = {0};
    if (ond_yaml_read(path, &tree, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_scene_read(&tree, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_scene_fill(&scene, &assets, &start, &err) != OND_OK) fail_msg("%s", err.text);
    CHECK_NEAR((start.count - 2) * 1.25e-4, 8.0 / 6.0, 0.1, "volume of the mesh");
    const int last = start.count - 1;
    CHECK_NEAR(start.position[0][last], 8, 1e-6, "moved");
    CHECK_NEAR(start.velocity[0][last], 7, 1e-6, "the file's velocity and the fluid's");
    CHECK_NEAR(start.temperature[last], 90, 1e-6, "the file's temperature");
    CHECK_NEAR(start.material[last], 1, 0, "material");
    ond_start_free(&start);
    ond_scene_free(&scene);
    unlink(mesh);
    unlink(cloud);
    write_file(path, ":A:f&g?:\n? M:?:[::\t:?:??:\n?:\nD:"); // libfyaml 0.7 crashes on this
    CHECK_NEAR(ond_yaml_read(path, &tree, &err) == OND_OK, 0, 0, "a text that breaks the parser");
    CHECK_SAYS(err.text, path, "a text that breaks the parser");
    unlink(path);
    CHECK_NEAR(ond_yaml_read(path, &tree, &err) == OND_OK, 0, 0, "missing file");
    CHECK_SAYS(err.text, path, "missing file");
    CHECK_NEAR(ond_yaml_read(folder, &tree, &err) == OND_OK, 0, 0, "folder");
    CHECK_SAYS(err.text, folder, "folder");
    rmdir(folder);
}

static OndBox turned(const char *mesh, const char *turn)
{
    OndScene scene;
    OndError err = {0};
    OndArena arena = {NULL};
    OndBox box;
    char text[256];
    snprintf(
        text, sizeof text,
        "fluid: [{spacing: 0.1, shape: {type: mesh, file: %s, turn: %s, scale: 2, move: [0, 0, "
        "1]}}]\n",
        mesh, turn);
    if (load(text, &scene, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_scene_extent(&scene, &ond_scene_fluid(&scene, 0)->shape, &assets, &arena, &box, &err) !=
        OND_OK)
        fail_msg("%s", err.text);
    ond_arena_free(&arena);
    ond_scene_free(&scene);
    return box;
}

static void test_turn(void **state)
{
    (void)state;
    char mesh[] = "/tmp/ondine-turn-XXXXXX.obj";
    const int file = mkstemps(mesh, 4);
    assert_true(file >= 0);
    close(file);
    write_file(mesh, "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    static const struct {
        const char *turn;
        OndVec min, max;
    } cases[] = {
        {"[0, 0, 0]", {0, 0, 1}, {2, 4, 7}},
        {"[0, 0, 90]", {-4, 0, 1}, {0, 2, 7}},
        {"[90, 90, 0]", {0, -6, -1}, {4, 0, 1}}, // about x first
        {"[0, 180, 0]", {-2, 0, -5}, {0, 4, 1}},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        const OndBox box = turned(mesh, cases[c].turn);
        CHECK_NEAR(ond_length(ond_sub(box.min, cases[c].min)), 0, 1e-5, cases[c].turn);
        CHECK_NEAR(ond_length(ond_sub(box.max, cases[c].max)), 0, 1e-5, cases[c].turn);
    }
    unlink(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),       cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_json),          cmocka_unit_test(test_override),
        cmocka_unit_test(test_wrong),         cmocka_unit_test(test_unstartable),
        cmocka_unit_test(test_motion),        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_materials),     cmocka_unit_test(test_material_table),
        cmocka_unit_test(test_material_page), cmocka_unit_test(test_world),
        cmocka_unit_test(test_shapes),        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_merge_keys),    cmocka_unit_test(test_many_laughs),
        cmocka_unit_test(test_files),         cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
