// SPDX-License-Identifier: MIT
// For tests of the library as a program around it sees it: scenes, and what compares simulations.
#ifndef OND_TESTS_LIBRARY_H
#define OND_TESTS_LIBRARY_H

#include "check.h"

#include <math.h>
#include <ondine/ondine.h>
#include <stdlib.h>
#include <unistd.h>

static const char pool[] = "title: Pool\n"
                           "dimension: 2\n"
                           "frame_rate: 100\n"
                           "domain: {min: [0, 0], max: [1, 1]}\n"
                           "fluid:\n"
                           "  - name: water\n"
                           "    spacing: 0.04\n"
                           "    viscosity: 0.1\n"
                           "    shape: {type: box, min: [0, 0], max: [0.5, 0.5]}\n";

// A bit of everything that can be changed while it runs.
static const char stage[] =
    "dimension: 2\n"
    "frame_rate: 100\n"
    "domain: {min: [0, 0], max: [2, 2]}\n"
    "air: {temperature: 20, exchange: 50}\n"
    "fluid:\n"
    "  - {name: water, spacing: 0.05, viscosity: 0.1, tension: 0.07, conductivity: 0.6,\n"
    "     shape: {type: box, min: [0, 0], max: [1, 0.6]}}\n"
    "  - {name: wax, material: wax, spacing: 0.05, shape: {type: box, min: [1.3, 0], max: [1.8, "
    "0.5]}}\n"
    "emitter:\n"
    "  - {fluid: water, center: [0.5, 1.5], radius: 0.1, rate: 0.2}\n"
    "heat:\n"
    "  - {power: 1e5, shape: {type: sphere, center: [1.5, 0.4], radius: 0.3}}\n"
    "solid:\n"
    "  - {name: ball, density: 300, shape: {type: sphere, center: [0.5, 0.8], radius: 0.12}}\n"
    "  - {name: paddle, temperature: 10,\n"
    "     shape: {type: box, min: [1.05, 0.1, -1], max: [1.15, 0.7, 1]}}\n";

static const char smoke[] =
    "dimension: 2\n"
    "frame_rate: 20\n"
    "method: {type: smoke, cell: 0.1}\n"
    "domain: {min: [0, 0], max: [1, 2]}\n"
    "emitter: [{center: [0.5, 0.1], direction: [0, 1], radius: 0.1, "
    "rate: 0.1}]\n"
    "fluid: [{name: smoke, temperature: 80}]\n"
    "solid: [{name: disc, shape: {type: sphere, center: [0.5, 1.3], radius: 0.2}}]\n";

static const char ink[] =
    "dimension: 2\n"
    "frame_rate: 20\n"
    "method: {type: stam, cell: 0.1}\n"
    "domain: {min: [0, 0], max: [1, 2]}\n"
    "emitter: [{center: [0.5, 0.1], direction: [0, 1], radius: 0.1, rate: 0.1}]\n"
    "fluid: [{name: ink}]\n";

static const char grains[] = "dimension: 2\n"
                             "frame_rate: 50\n"
                             "method: {type: dem, sliding: grip}\n"
                             "domain: {min: [0, 0], max: [1, 1]}\n"
                             "fluid: [{name: sand, spacing: 0.05, density: 1500,\n"
                             "  shape: {type: box, min: [0.2, 0], max: [0.8, 0.4]}}]\n";

static inline OndScene *scene_of(const char *text, const char *set)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    OndStatus status = ond_scene_text(scene, text, "test.yaml", &err);
    if (status == OND_OK && set) status = ond_scene_set(scene, set, &err);
    if (status != OND_OK) fail_msg("%s", err.text);
    return scene;
}

static inline OndSim *make(const char *text, const char *set)
{
    OndError err = {0};
    OndScene *const scene = scene_of(text, set);
    OndSim *const sim = ond_sim_create(scene, NULL, &err);
    if (!sim) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    return sim;
}

static inline void advance(OndSim *sim, double dt)
{
    OndError err = {0};
    if (ond_sim_advance(sim, dt, NULL, &err) != OND_OK) fail_msg("%s", err.text);
}

#define OK(call)                                                                                   \
    do {                                                                                           \
        OndError why = {0};                                                                        \
        if ((call) != OND_OK) fail_msg("%s: %s", #call, why.text);                                 \
    } while (0)

// ---- comparing

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t k = 0; k < size; ++k)
        hash = (hash ^ ((const unsigned char *)bytes)[k]) * 1099511628211ull;
    return hash;
}

// Of all that can be seen.
static inline uint64_t hash_of(const OndSim *sim)
{
    uint64_t hash = 14695981039346656037ull;
    const double time = ond_sim_time(sim);
    hash = hash_bytes(hash, &time, sizeof time);
    for (int carrier = OND_PARTICLES; carrier <= OND_CELLS; ++carrier)
        for (int k = 0; k < ond_sim_field_count(sim, (OndCarrier)carrier); ++k) {
            OndFieldView f;
            assert_true(ond_sim_field(sim, (OndCarrier)carrier, k, &f));
            if (strcmp(f.name, "pressure") == 0) continue; // of the last step, not kept
            for (int c = 0; c < f.components; ++c)
                hash = hash_bytes(hash, f.data[c], (size_t)f.count * 4);
        }
    for (int k = 0; k < ond_sim_solid_count(sim); ++k) {
        OndSolidView s;
        assert_true(ond_sim_solid(sim, k, &s));
        hash = hash_bytes(hash, &s.placement, sizeof s.placement);
        hash = hash_bytes(hash, s.velocity, sizeof s.velocity);
    }
    return hash;
}

static inline OndFieldView field(const OndSim *sim, const char *name)
{
    OndFieldView view;
    if (!ond_sim_find_field(sim, OND_PARTICLES, name, &view)) fail_msg("no field %s", name);
    return view;
}

static inline double mean(const OndSim *sim, const char *name, int component)
{
    const OndFieldView v = field(sim, name);
    double sum = 0;
    for (int i = 0; i < v.count; ++i)
        sum += ((const float *)v.data[component])[i];
    return sum / v.count;
}

// ---- changing

static inline double *vec3(double x, double y, double z)
{
    static _Thread_local double v[3];
    v[0] = x, v[1] = y, v[2] = z;
    return v;
}

static inline void change_everything(OndSim *sim)
{
    const OndPlacement to = {{0.05, 0.1, 0}, {cos(0.1), 0, 0, sin(0.1)}};
    const OndRegion ball = ond_ball(0.4, 0.3, 0, 0.2);
    const float x[6] = {1.7f, 1.5f, 0, 1.75f, 1.5f, 0};
    const OndNewParticles more = {.count = 2, .position = x, .fluid = 1};
    OK(ond_sim_set_gravity(sim, vec3(1, -5, 0), &why));
    OK(ond_sim_set_fluid(sim, 0, "viscosity", 3, &why));
    OK(ond_sim_set_fluid(sim, 1, "T_liquid", 75, &why));
    OK(ond_sim_move_heat(sim, 0, vec3(0.1, 0.1, 0), &why));
    OK(ond_sim_set_heat(sim, 0, "power", 3e5, &why));
    OK(ond_sim_set_air(sim, "temperature", 5, &why));
    OK(ond_sim_open_emitter(sim, 0, false, &why));
    OK(ond_sim_set_solid_temperature(sim, 1, 60, &why));
    OK(ond_sim_move_solid(sim, 1, &to, 0.05, &why));
    const OndPlacement higher = {{0, 0.6, 0}, {cos(0.2), 0, 0, sin(0.2)}};
    OK(ond_sim_place_body(sim, 0, &higher, NULL, vec3(0, 0, 2), &why));
    const double at[3] = {0.5, 1.5, 0};
    OK(ond_sim_push_solid(sim, 0, vec3(1, 0, 0), at, &why));
    OK(ond_sim_push_region(sim, &ball, vec3(0.5, 0.5, 0), &why));
    OK(ond_sim_heat_region(sim, &ball, 10, &why));
    OK(ond_sim_remove_region(sim, &ball, NULL, &why));
    OK(ond_sim_add_particles(sim, &more, &why));
}

// Another one that goes on from where it is, through a file.
static inline OndSim *resume_copy(OndSim *sim, const char *text, const char *set)
{
    char path[] = "/tmp/test_library_XXXXXX";
    OndError err = {0};
    OndScene *const scene = scene_of(text, set);
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    remove(path);
    OK(ond_sim_save(sim, path, &why));
    OndSim *const copy = ond_sim_resume(scene, path, NULL, &err);
    if (!copy) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    remove(path);
    return copy;
}

#endif
