// SPDX-License-Identifier: MIT
// A liquid in forty lines: a column of water falls over, and every frame says how far it has come.
#include <ondine/ondine.h>
#include <stdio.h>

static double front(const OndSim *sim) // x of the particle that came farthest, m
{
    OndFieldView x;
    float most = 0;
    ond_sim_find_field(sim, OND_PARTICLES, "position", &x);
    for (int i = 0; i < x.count; ++i)
        if (((const float *)x.data[0])[i] > most) most = ((const float *)x.data[0])[i];
    return most;
}

int main(void)
{
    OndError err = {0};
    OndScene *scene = ond_scene_create();
    OndDomainInfo box = ond_domain_info();
    box.max[0] = 1.6, box.max[1] = 0.8, box.max[2] = 0.2;
    OndFluidInfo water = ond_fluid_info();
    water.spacing = 0.04;
    water.shape = ond_box_shape(0, 0, 0, 0.4, 0.6, 0.2);
    OndSim *sim = NULL;
    if (ond_scene_domain(scene, &box, &err) == OND_OK &&
        ond_scene_add_fluid(scene, &water, &err) == OND_OK)
        sim = ond_sim_create(scene, NULL, &err);
    ond_scene_destroy(scene);

    OndStatus status = sim ? OND_OK : err.status;
    while (status == OND_OK && ond_sim_time(sim) < 0.5) {
        OndAdvance done;
        status = ond_sim_advance(sim, 1.0 / 30, &done, &err);
        printf("%5.3f s  %4d particles  %2d steps  front at %.2f m\n", done.time,
               ond_sim_particle_count(sim), done.steps, front(sim));
    }
    if (status != OND_OK) fprintf(stderr, "%s\n", err.text);
    ond_sim_destroy(sim);
    return status == OND_OK ? 0 : 1;
}
