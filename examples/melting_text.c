// SPDX-License-Identifier: MIT
// Letters of wax, and a flame that goes along them from left to right.
//
//   melting_text [PICTURE.png]
//
// The scene is a text, with two values set by the program; the flame is a heat source of the scene
// that is moved while it runs. Prints how much of each third of the word has melted.
#include <ondine/ondine.h>
#include <stdio.h>

static const char scene_text[] =
    "dimension: 2\n"
    "domain: {min: [-0.1, 0], max: [1.1, 0.6], slip: 0}\n"
    "fluid:\n"
    "  - {name: letters, material: wax, spacing: 0.02,\n"
    "     shape: {type: text, text: WAX, height: 0.3, at: [0.05, 0.02]}}\n"
    "heat:\n"
    "  - {power: 4e6, shape: {type: box, min: [0.0, 0, -1], max: [0.25, 0.5, 1]}}\n";

static void report(const OndSim *sim)
{
    OndFieldView x, rigidity;
    int all[3] = {0}, molten[3] = {0};
    ond_sim_find_field(sim, OND_PARTICLES, "position", &x);
    ond_sim_find_field(sim, OND_PARTICLES, "rigidity", &rigidity);
    for (int i = 0; i < x.count; ++i) {
        const float at = ((const float *)x.data[0])[i];
        const int third = at < 0.34f ? 0 : at < 0.67f ? 1 : 2;
        ++all[third];
        molten[third] += ((const float *)rigidity.data[0])[i] < 0.5f;
    }
    printf("%4.2f s  molten:", ond_sim_time(sim));
    for (int k = 0; k < 3; ++k)
        printf(" %3d %%", all[k] > 0 ? 100 * molten[k] / all[k] : 0);
    printf("\n");
}

int main(int argc, char **argv)
{
    OndError err = {0};
    OndScene *scene = ond_scene_create();
    OndSim *sim = NULL;
    if (ond_scene_text(scene, scene_text, "letters", &err) == OND_OK &&
        ond_scene_set(scene, "fluid.0.temperature=55", &err) == OND_OK)
        sim = ond_sim_create(scene, NULL, &err);
    ond_scene_destroy(scene);

    OndStatus status = sim ? OND_OK : err.status;
    while (status == OND_OK && ond_sim_time(sim) < 0.4) {
        const double by[3] = {2.0 * ond_sim_time(sim), 0, 0}; // two metres a second
        status = ond_sim_move_heat(sim, 0, by, &err);
        if (status == OND_OK) status = ond_sim_advance(sim, 0.05, NULL, &err);
        if (status == OND_OK) report(sim);
    }
    if (status == OND_OK && argc > 1) status = ond_sim_picture_file(sim, NULL, argv[1], &err);
    if (status != OND_OK) fprintf(stderr, "%s\n", err.text);
    ond_sim_destroy(sim);
    return status == OND_OK ? 0 : 1;
}
