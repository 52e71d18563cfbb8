// SPDX-License-Identifier: MIT
// Wrong scenes: each is refused with a message that tells the place and what would be right.
#include "base/clock.h"
#include "scene_text.h"

#define EMITTER    "{center: [0, 0, 0], radius: 0.1, rate: 1}, "
#define EMITTERS_8 EMITTER EMITTER EMITTER EMITTER EMITTER EMITTER EMITTER EMITTER
#define HEATED     "fluid: [{spacing: 0.05, conductivity: 1, " BALL "}]\n"

static const struct {
    const char *name, *text, *says;
} wrong[] = {
    {"empty", "", "scene.yaml:1:1: error: the file is empty"},
    {"blank", "# nothing\n\n", "scene.yaml:1:1: error: the file is empty"},
    {"open list", "fluid: [1, 2\ntitle: x\n",
     "scene.yaml:1:8: error: not YAML: this [ is not closed: a ] is missing before line "},
    {"open map", "title: it's # {\ndomain: {min: [0, 0, 0], max: [1, 1, 1]\nduration: 2\n",
     "scene.yaml:2:9: error: not YAML: this { is not closed: a } is missing before line 3"},
    {"open map in a list", "fluid:\n  - {name: '}', spacing: 1\n  - {spacing: 1}\nduration: 2\n",
     "scene.yaml:2:5: error: not YAML: this { is not closed"},
    {"open to the end", "domain: {min: [0, 0, 0], max: [1, 1, 1]\n",
     "scene.yaml:1:9: error: not YAML: this { is not closed"},
    {"wrong bracket", "gravity: [0, -9.81}\n", "scene.yaml:1:19: error: not YAML"},
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
     "scene.yaml:1:16: error: type must be sph, dem, stam, smoke or current, not 'sqh'; did you "
     "mean "
     "'sph'?"},
    {"method's key", "method: {type: sph, smothing: 2}\n",
     "scene.yaml:1:21: error: unknown key 'smothing'; did you mean 'smoothing'?"},
    {"flat constants", "method: {type: sph, preset: muller2d}\n" WATER,
     "scene.yaml:1:29: error: muller2d has the constants of a flat program; give dimension: 2"},
    {"flat kernel", "method: {type: sph, preset: thesis, kernel: muller2d}\n" WATER,
     "scene.yaml:1:45: error: muller2d has"},
    {"heavy particles", "method: {type: sph, mass: 1}\n" WATER,
     "scene.yaml:1:27: error: a particle of 1 kg is too heavy for fluid 'water', where 0.12"},
    {"metres for pixels",
     "dimension: 2\nmethod: {type: sph, preset: muller2d}\n"
     "fluid: [{spacing: 0.02, shape: {type: box, min: [0, 0], max: [1, 1]}}]\n",
     "scene.yaml:2:29: error: a particle of 4 kg is too heavy for fluid 'fluid 0'"},
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
     "scene.yaml:1:47: error: a periodic domain must be at least 2 support radii wide (0.213 m); "
     "in z it is 0.1 m"},
    {"side twice",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: -x}, {side: -x}]}\n" WATER,
     "scene.yaml:1:69: error: this side is described twice"},
    {"open side", "domain: {min: [0, 0, 0], max: [1, 1, 1], x: open, sides: [{side: -x}]}\n" WATER,
     "scene.yaml:1:66: error: the domain has no wall here: x is open"},
    {"wall that leaves",
     "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: -x, velocity: [1, 0, 0]}]}\n" WATER,
     "its velocity in x must be 0"},
    {"no formula", "fluid: [{spacing: 0.1, velocity: [\"2*t\", 0, 0], " BALL "}]\n",
     "'t' is not known; it may be x, y, z"},
    {"too fast", "fluid: [{spacing: 0.1, velocity: [1e30, 0, 0], " BALL "}]\n",
     "scene.yaml:1:35: error: velocity[0] must be"},
    {"formula of what is held",
     "fluid: [{spacing: 0.1, fixed: true, velocity: [\"x\", 0, 0], " BALL "}]\n",
     "its velocity must be numbers"},
    {"formula out of the plane",
     "dimension: 2\nfluid: [{spacing: 0.1, velocity: [0, 0, \"x\"], " BALL "}]\n",
     "velocity has a z part, but dimension is 2"},
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
    {"a warm solid and nothing conducts", WATER "solid: [{temperature: 80, " BALL "}]\n",
     "scene.yaml:5:23: error: heat cannot get in"},
    {"colours", WATER "render: {min: 2, max: 1}\n", "max must not be below min"},
    {"colour", WATER "render: {colour: sped}\n",
     "colour must be speed, temperature, density, rigidity, plain, pressure or vorticity, not "
     "'sped'; did you mean "
     "'speed'?"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (int c = 0; c < OND_COUNT(wrong); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        const OndStatus status = load(wrong[c].text, &scene, &err);
        CHECK_NEAR(status, OND_BAD_VALUE, 0, wrong[c].name);
        CHECK_SAYS(err.text, wrong[c].says, wrong[c].name);
    }
}

// Keys of SPH that the rest of the scene leaves without effect, and what gives them one.
static void test_idle_keys(void **state)
{
    (void)state;
    static const struct {
        const char *key, *idle, *heard;
    } cases[] = {
        {"stiffness: 1e5", "rigidity: {solver: thesis, %s}", "rigidity: {%s}"},
        {"floor: 0.1", "preset: thesis, rigidity: {%s}", "rigidity: {solver: global, %s}"},
        {"softens: 0.9", "rigidity: {solver: thesis, %s}", "rigidity: {%s}"},
        {"tolerance: 0.1", "rigidity: {solver: thesis, %s}", "rigidity: {%s}"},
        {"propagation: true", "rigidity: {%s}", "preset: thesis, rigidity: {%s}"},
        {"second_condition: true", "rigidity: {%s}", "rigidity: {solver: thesis, %s}"},
        {"stop: 0.1", "rigidity: {%s}", "rigidity: {solver: thesis, %s}"},
        {"window: 5", "rigidity: {solver: global, %s}", "rigidity: {solver: thesis, %s}"},
        {"alike: 0", "rigidity: {%s}", "rigidity: {solver: thesis, %s}"},
        {"stabilised: 1", "rigidity: {%s}", "rigidity: {solver: thesis, %s}"},
        {"release: 1", "rigidity: {%s}", "rigidity: {solver: thesis, %s}"},
        {"time_step: 0.01", "%s", "step_rule: fixed, %s"},
        {"time_step: 0.01", "step_rule: cfl, %s", "step_rule: fixed, %s"},
        {"acoustic: 0.3", "step_rule: cfl, %s", "%s"},
        {"acoustic: 0.3", "step_rule: advective, %s", "step_rule: adaptive, %s"},
        {"acoustic: 0.3", "step_rule: fixed, %s", "step_rule: thesis, %s"},
        {"acoustic: 0.3", "preset: thesis, %s", "preset: thesis, settle: true, %s"},
        {"courant: 0.1", "step_rule: fixed, %s", "%s"},
        {"courant: 0.1", "step_rule: monaghan, %s", "step_rule: cfl, %s"},
        {"courant: 0.1", "step_rule: paiva, %s", "step_rule: advective, %s"},
        {"sound_damping: 0.1", "density: continuity, %s", "%s"},
        {"start_correction: true", "density: continuity, %s", "%s"},
        {"exponent: 7", "%s", "state: tait, %s"},
        {"time: 0.1", "rigidity: {solver: none, %s}", "rigidity: {%s}"},
        {"iterations: 9", "rigidity: {solver: none, %s}", "rigidity: {solver: thesis, %s}"},
        {"tension_threshold: 1", "%s", "tension: mueller, %s"},
        {"diffusion: 0.1", "%s", "density: continuity, %s"},
        {"tolerance: 0.1", "heat: {solver: paiva, %s}", "heat: {%s}"},
        {"iterations: 10", "preset: thesis, heat: {%s}", "heat: {solver: implicit, %s}"},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        char method[160], text[512], says[80];
        OndSceneDef scene;
        OndError err = {0};
        snprintf(method, sizeof method, cases[c].idle, cases[c].key);
        snprintf(text, sizeof text, "method: {type: sph, %s}\n" WATER, method);
        snprintf(says, sizeof says,
                 "error: '%.*s' means nothing here: ", (int)strcspn(cases[c].key, ":"),
                 cases[c].key);
        CHECK_NEAR(load(text, &scene, &err), OND_BAD_VALUE, 0, cases[c].key);
        CHECK_SAYS(err.text, says, cases[c].key);
        snprintf(method, sizeof method, cases[c].heard, cases[c].key);
        snprintf(text, sizeof text, "method: {type: sph, %s}\n" WATER, method);
        if (load(text, &scene, &err) != OND_OK) fail_msg("%s: %s", cases[c].key, err.text);
        ond_scene_free(&scene);
    }
}

// Keys of things that are not as the key wants them.
static void test_idle_keys_of_things(void **state)
{
    (void)state;
#define POUR(size) WATER "emitter: [{center: [2, 2, 2], rate: 0.1, " size "}]\n"
    static const struct {
        const char *text, *says;
    } cases[] = {
        {POUR("radius: 0.1, width: 0.2"), "error: 'width' means nothing here: a disc"},
        {POUR("radius: 0.1, height: 0.2"), "error: 'height' means nothing here: a disc"},
        {POUR("shape: rectangle, width: 0.2, height: 0.2, radius: 0.1"),
         "error: 'radius' means nothing here: a rectangle"},
        {POUR("shape: rectangle, width: 0.2, height: 0.2"), NULL},
        {WATER "    fixed_until: 1\n", "error: 'fixed_until' means nothing here: fluid 'water'"},
        {WATER "    fixed: true\n    fixed_until: 1\n", NULL},
        {WATER "    fixed_until: 1\n    regions: [{fixed: true, " BALL "}]\n", NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        const OndStatus status = load(cases[c].text, &scene, &err);
        CHECK_SAYS(err.text, cases[c].says ? cases[c].says : "", cases[c].text);
        CHECK_NEAR(status == OND_OK, cases[c].says == NULL, 0, cases[c].text);
        ond_scene_free(&scene);
    }
}

// Walls rub what the global solver holds, and bodies; with the thesis's solver bodies alone.
static void test_idle_friction(void **state)
{
    (void)state;
#define RUBS  "domain: {min: [0, 0, 0], max: [1, 1, 1], friction: 0.3}\n"
#define SIDES "domain: {min: [0, 0, 0], max: [1, 1, 1], sides: [{side: -y, friction: 0.3}]}\n"
#define WAX   WATER "    material: wax\n"
#define STONE "solid: [{density: 2000, " BALL "}]\n"
    static const struct {
        const char *name, *text, *says;
    } cases[] = {
        {"domain", RUBS "method: {preset: thesis}\n" WAX, "scene.yaml:1:52: error: 'friction'"},
        {"side", SIDES "method: {rigidity: {solver: thesis}}\n" WAX,
         "scene.yaml:1:71: error: 'friction' means nothing here: with `solver: thesis`"},
        {"global", RUBS WAX, NULL},
        {"liquid", RUBS WATER,
         "scene.yaml:1:52: error: 'friction' means nothing here: only bodies"},
        {"no solver", RUBS "method: {rigidity: {solver: none}}\n" WAX, "1:52: error: 'friction'"},
        {"solid", WATER "solid: [{friction: 0.3, " BALL "}]\n", "5:20: error: 'friction'"},
        {"solid and wax", WAX "solid: [{friction: 0.3, " BALL "}]\n", NULL},
        {"with a body", RUBS "method: {preset: thesis}\n" STONE WATER, NULL},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c) {
        OndSceneDef scene;
        OndError err = {0};
        const OndStatus status = load(cases[c].text, &scene, &err);
        CHECK_SAYS(err.text, cases[c].says ? cases[c].says : "", cases[c].name);
        CHECK_NEAR(status == OND_OK, cases[c].says == NULL, 0, cases[c].name);
        ond_scene_free(&scene);
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
     "million are taken: the spacing must be 0.0018 m or more",
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
        OndSceneDef scene;
        OndError err = {0};
        if (load(unstartable[c].text, &scene, &err) != OND_OK)
            fail_msg("%s: %s", unstartable[c].name, err.text);
        const double begun = ond_now_ms();
        const long long count = ond_scene_forecast_start(&scene, &assets, &err);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_idle_keys),
        cmocka_unit_test(test_idle_keys_of_things),
        cmocka_unit_test(test_idle_friction),
        cmocka_unit_test(test_unstartable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
