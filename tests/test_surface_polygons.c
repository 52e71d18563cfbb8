// SPDX-License-Identifier: MIT
// Surfaces are closed and manifold, whatever the field; spheres are spheres.
#include "surfaces.h"

static double ball(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z) - 1.0;
}

static double torus(double x, double y, double z)
{
    const double ring = sqrt(x * x + y * y) - 1.0;
    return sqrt(ring * ring + z * z) - 0.4;
}

static const OndPolygons both[] = {OND_MARCHING_CUBES, OND_MARCHING_TETRAHEDRA};

static void test_ball_and_torus(void **state)
{
    static const struct {
        const char *name;
        FrameShape *shape;
        double volume;
        int euler;
    } cases[] = {
        {"ball", ball, 4.0 / 3.0 * 3.14159265, 2},
        {"torus", torus, 2.0 * 3.14159265 * 3.14159265 * 0.16, 0},
    };
    for (int c = 0; c < OND_COUNT(cases); ++c)
        for (int p = 0; p < 2; ++p) {
            OndFrame frame;
            frame_open(&frame, 0.08, 3, 60000);
            frame_fill(&frame, cases[c].shape, 1.5, 0.1);
            OndSurfaceDef def = ond_surface_default_def();
            def.field = "density";
            def.polygons = both[p];
            OndSurface surface = surface_of(&frame, &def);
            CHECK_NEAR(check_surface(&surface, cases[c].name), cases[c].euler, 0, cases[c].name);
            const double volume = frame.particles.count * pow(frame.spacing, 3);
            CHECK_NEAR(mesh_volume(&surface.mesh) / volume, 1.0, 0.02, cases[c].name);
            ond_surface_free(&surface);
            ond_frame_free(&frame);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_and_torus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
