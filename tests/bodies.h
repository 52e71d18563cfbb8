// SPDX-License-Identifier: MIT
// Bodies on stage: how they move, scenes without a liquid that matters, meshes as files.
#ifndef OND_TESTS_BODIES_H
#define OND_TESTS_BODIES_H

#include "geom/mesh.h"
#include "solids/scene/sim_solids.h"
#include "stage.h"

// A drop far away: a scene needs one.
#define DRY                                                                                        \
    "fluid: [{spacing: 0.05, shape: {type: box, min: [40, 0, 0], max: [40.06, 0.06, 0.06]}}]\n"    \
    "method: {type: dem, largest_step: 0.002}\nframe_rate: 50\nduration: 20\n"

static inline OndSolidState body(const Stage *s, int which)
{
    return *ond_solids_state(ond_sim_solids(s->sim)->solids, which);
}

static inline void check_vec(OndVec got, OndVec want, double within, const char *what)
{
    CHECK_NEAR(got.x, want.x, within, what);
    CHECK_NEAR(got.y, want.y, within, what);
    CHECK_NEAR(got.z, want.z, within, what);
}

// Writes a mesh as OFF, all but its last `left_out` triangles, and frees it.
static inline void write_mesh(OndMesh mesh, const char *path, int left_out)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "OFF\n%d %d 0\n", mesh.corner_count, mesh.triangle_count - left_out);
    for (int c = 0; c < mesh.corner_count; ++c)
        fprintf(f, "%.9g %.9g %.9g\n", mesh.corner[3 * c], mesh.corner[3 * c + 1],
                mesh.corner[3 * c + 2]);
    for (int t = 0; t < mesh.triangle_count - left_out; ++t)
        fprintf(f, "3 %u %u %u\n", mesh.triangle[3 * t], mesh.triangle[3 * t + 1],
                mesh.triangle[3 * t + 2]);
    assert_int_equal(fclose(f), 0);
    ond_mesh_free(&mesh);
}

#endif
