// SPDX-License-Identifier: MIT
// A C++17 host: a pool in the terminal that somebody shakes, drawn with letters.
//
//   terminal [SECONDS]
#include <ondine/ondine.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

// Handles free themselves; failures are exceptions with the library's sentence.
using Scene = std::unique_ptr<OndScene, decltype(&ond_scene_destroy)>;
using Sim = std::unique_ptr<OndSim, decltype(&ond_sim_destroy)>;

void check(OndStatus status, const OndError &err)
{
    if (status != OND_OK) throw std::runtime_error(err.text);
}

Sim make_pool()
{
    OndError err{};
    Scene scene(ond_scene_create(), &ond_scene_destroy);
    OndSceneInfo all = ond_scene_info();
    all.dimension = 2;
    OndDomainInfo box = ond_domain_info();
    box.max[0] = 1.0, box.max[1] = 0.5, box.max[2] = 0.0;
    OndFluidInfo water = ond_fluid_info();
    water.spacing = 0.02;
    water.shape = ond_box_shape(0, 0, 0, 1.0, 0.2, 0);
    check(ond_scene_describe(scene.get(), &all, &err), err);
    check(ond_scene_domain(scene.get(), &box, &err), err);
    check(ond_scene_add_fluid(scene.get(), &water, &err), err);
    Sim sim(ond_sim_create(scene.get(), nullptr, &err), &ond_sim_destroy);
    if (!sim) throw std::runtime_error(err.text);
    return sim;
}

constexpr int columns = 72, rows = 18;

std::string draw(const OndSim *sim)
{
    OndFieldView x{};
    int count[rows][columns] = {};
    ond_sim_find_field(sim, OND_PARTICLES, "position", &x);
    const float *const px = static_cast<const float *>(x.data[0]);
    const float *const py = static_cast<const float *>(x.data[1]);
    for (int i = 0; i < x.count; ++i) {
        const int c = static_cast<int>(px[i] * columns), r = static_cast<int>(py[i] / 0.5f * rows);
        if (c >= 0 && c < columns && r >= 0 && r < rows) ++count[rows - 1 - r][c];
    }
    std::string picture;
    for (const auto &row : count) {
        for (const int n : row)
            picture += n == 0 ? ' ' : n == 1 ? 'o' : 'O';
        picture += '\n';
    }
    return picture;
}

} // namespace

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? std::atof(argv[1]) : 3.0;
    try {
        const Sim sim = make_pool();
        OndError err{};
        while (ond_sim_time(sim.get()) < seconds) {
            const double sway = 3.0 * std::sin(8.0 * ond_sim_time(sim.get()));
            const double gravity[3] = {sway, -9.81, 0.0};
            check(ond_sim_set_gravity(sim.get(), gravity, &err), err);
            check(ond_sim_advance(sim.get(), 1.0 / 25, nullptr, &err), err);
            std::printf("\x1b[H\x1b[2J%s%.2f s\n", draw(sim.get()).c_str(),
                        ond_sim_time(sim.get()));
        }
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "%s\n", failure.what());
        return 1;
    }
    return 0;
}
