// SPDX-License-Identifier: MIT
// What a program around the library can show: surfaces and pictures of now.
#include "check.h"
#include "sim/sim.h"
#include "solids/scene/sim_solids.h"

#include <ondine/ondine.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static const char drop[] = "gravity: [0, 0, 0]\n"
                           "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                           "fluid: [{spacing: 0.06, shape: {type: sphere, center: [0.5, 0.5, 0.5], "
                           "radius: 0.3}}]\n";

static OndSim *make(const char *text)
{
    OndError err = {0};
    OndScene *const scene = ond_scene_create();
    OndSim *sim = NULL;
    if (ond_scene_text(scene, text, "test.yaml", &err) == OND_OK)
        sim = ond_sim_create(scene, NULL, &err);
    if (!sim) fail_msg("%s", err.text);
    ond_scene_destroy(scene);
    return sim;
}

// The volume inside, by the divergence theorem.
static double volume_of(const OndSurfaceMesh *mesh)
{
    const float *const x = ond_surface_mesh_positions(mesh);
    const uint32_t *const t = ond_surface_mesh_triangles(mesh);
    double sum = 0;
    for (int k = 0; k < ond_surface_mesh_triangle_count(mesh); ++k) {
        const float *const a = x + 3 * t[3 * k], *const b = x + 3 * t[3 * k + 1],
                           *const c = x + 3 * t[3 * k + 2];
        sum += ((double)a[0] * (b[1] * c[2] - b[2] * c[1]) -
                (double)a[1] * (b[0] * c[2] - b[2] * c[0]) +
                (double)a[2] * (b[0] * c[1] - b[1] * c[0])) /
               6.0;
    }
    return sum;
}

static void surface_of_a_drop(void **state)
{
    OndError err = {0};
    OndSim *const sim = make(drop);
    OndSurfaceMesh *const mesh = ond_sim_surface(sim, &err);
    if (!mesh) fail_msg("%s", err.text);
    CHECK_NEAR(volume_of(mesh) / (4.0 / 3.0 * M_PI * 0.027), 1, 0.1, "volume over the ball's");
    const float *const x = ond_surface_mesh_positions(mesh), *const n =
                                                                 ond_surface_mesh_normals(mesh);
    double outward = 0;
    const int count = ond_surface_mesh_corner_count(mesh);
    for (int k = 0; k < count; ++k)
        for (int a = 0; a < 3; ++a)
            outward += (x[3 * k + a] - 0.5) / 0.3 * n[3 * k + a] / count;
    CHECK_NEAR(outward, 1, 0.1, "normals point outwards");
    OndFieldView warm;
    assert_true(ond_surface_mesh_field(mesh, "temperature", &warm) && warm.count == count);
    CHECK_NEAR(((const float *)warm.data[0])[count / 2], 20, 1e-3, "temperature of a corner");
    assert_false(ond_surface_mesh_field(mesh, "nothing", &warm));
    const OndRegion all = ond_everywhere();
    assert_int_equal(ond_sim_remove_region(sim, &all, NULL, &err), OND_OK);
    OndSurfaceMesh *const empty = ond_sim_surface(sim, &err);
    assert_true(empty && ond_surface_mesh_triangle_count(empty) == 0);
    ond_surface_mesh_destroy(empty);
    ond_sim_destroy(sim);
    assert_true(volume_of(mesh) > 0); // it lives on
    ond_surface_mesh_destroy(mesh);
}

static void check_file(OndStatus status, const char *path, const OndError *err)
{
    if (status != OND_OK) fail_msg("%s: %s", path, err->text);
    assert_int_equal(access(path, F_OK), 0);
    remove(path);
}

static void files_of_a_drop(void **state)
{
    char folder[] = "/tmp/test_library_seen_XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    OndError err = {0};
    OndSim *const sim = make(drop);
    OndSurfaceMesh *const mesh = ond_sim_surface(sim, &err);
    snprintf(path, sizeof path, "%s/frame.ply", folder);
    check_file(ond_sim_write(sim, path, &err), path, &err);
    snprintf(path, sizeof path, "%s/surface.obj", folder);
    check_file(ond_surface_mesh_write(mesh, path, &err), path, &err);
    snprintf(path, sizeof path, "%s/frame.docx", folder);
    assert_int_equal(ond_sim_write(sim, path, &err), OND_BAD_VALUE);
    ond_surface_mesh_destroy(mesh);
    ond_sim_destroy(sim);
    rmdir(folder);
}

static void picture_of_a_drop(void **state)
{
    enum { W = 96, H = 64 };
    static unsigned char rgb[W * H * 3 + 1];
    OndError err = {0};
    OndSim *const sim = make(drop);
    const OndPictureInfo info = {.width = W, .height = H, .as = "particles"};
    rgb[W * H * 3] = 77;
    if (ond_sim_picture(sim, &info, rgb, &err) != OND_OK) fail_msg("%s", err.text);
    assert_int_equal(rgb[W * H * 3], 77);
    int apart = 0; // the drop stands out from what is beside it
    for (int c = 0; c < 3; ++c)
        apart += abs(rgb[3 * (H / 2 * W + W / 2) + c] - rgb[3 * (H / 2 * W + 4) + c]);
    assert_true(apart > 40);
    char path[] = "/tmp/test_library_seen_XXXXXX.png";
    const int file = mkstemps(path, 4);
    assert_true(file >= 0);
    close(file);
    if (ond_sim_picture_file(sim, &info, path, &err) != OND_OK) fail_msg("%s", err.text);
    remove(path);
    const OndPictureInfo wrong = {.width = W, .height = H, .as = "hologram"};
    assert_int_equal(ond_sim_picture(sim, &wrong, rgb, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "accepted: auto, surface, particles", "a way of drawing that is none");
    assert_int_equal(ond_sim_picture(sim, NULL, rgb, NULL), OND_BAD_VALUE);
    ond_sim_destroy(sim);
}

// Who only looks leaves all memory of the simulation as it is: several may look at once.
static void looking_writes_nothing(void **state)
{
    static const char text[] =
        "gravity: [0, 0, 0]\ndomain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
        "fluid: [{spacing: 0.1, shape: {type: sphere, center: [0.5, 0.5, 0.5], radius: 0.3}}]\n"
        "solid: [{shape: {type: sphere, center: [0.9, 0.9, 0.9], radius: 0.05}}]\n";
    OndSim *const sim = make(text);
    OndError err = {0};
    char path[] = "/tmp/test_looking_XXXXXX", file[64];
    unsigned char rgb[3 * 16 * 16];
    const OndPictureInfo info = {.width = 16, .height = 16, .as = "particles"};
    assert_non_null(mkdtemp(path));
    snprintf(file, sizeof file, "%s/now.ply", path);
    OndFrameSolid *const mark = ond_sim_solids(sim)->now;
    mark[0].index = 77;
    assert_int_equal(ond_sim_write(sim, file, &err), OND_OK);
    assert_int_equal(ond_sim_picture(sim, &info, rgb, &err), OND_OK);
    ond_surface_mesh_destroy(ond_sim_surface(sim, &err));
    assert_int_equal(mark[0].index, 77);
    ond_sim_destroy(sim);
    remove(file);
    rmdir(path);
}

typedef struct Looker {
    const OndSim *sim;
    int corners;
    double volume, height;
    unsigned char rgb[3 * 24 * 24];
} Looker;

static void *look_all_round(void *context)
{
    Looker *const l = context;
    OndFieldView f;
    OndSolidView s;
    OndStepReport last;
    const OndPictureInfo info = {.width = 24, .height = 24, .as = "particles"};
    for (int round = 0; round < 3; ++round) {
        OndSurfaceMesh *const mesh = ond_sim_surface(l->sim, NULL);
        l->corners = mesh ? ond_surface_mesh_corner_count(mesh) : -1;
        l->volume = mesh ? volume_of(mesh) : 0.0;
        ond_surface_mesh_destroy(mesh);
        l->height = ond_sim_solid(l->sim, 0, &s) ? s.center[1] : 0.0;
        ond_sim_last_step(l->sim, &last);
        if (!ond_sim_find_field(l->sim, OND_PARTICLES, "velocity", &f)) l->corners = -2;
        if (ond_sim_picture(l->sim, &info, l->rgb, NULL) != OND_OK) l->corners = -3;
    }
    return NULL;
}

static void several_look_at_once(void **state)
{
    static const char text[] =
        "domain: {min: [0, 0, 0], max: [1, 1, 1]}\n"
        "fluid: [{spacing: 0.1, shape: {type: sphere, center: [0.5, 0.5, 0.5], radius: 0.3}}]\n"
        "solid: [{density: 500, shape: {type: sphere, center: [0.8, 0.8, 0.8], radius: 0.1}}]\n";
    static Looker looker[3];
    pthread_t thread[3];
    OndSim *const sim = make(text);
    assert_int_equal(ond_sim_advance(sim, 0.01, NULL, NULL), OND_OK);
    for (int k = 0; k < 3; ++k) {
        looker[k].sim = sim;
        assert_int_equal(pthread_create(&thread[k], NULL, look_all_round, &looker[k]), 0);
    }
    for (int k = 0; k < 3; ++k)
        pthread_join(thread[k], NULL);
    assert_true(looker[0].corners > 100);
    for (int k = 1; k < 3; ++k) {
        assert_int_equal(looker[k].corners, looker[0].corners);
        assert_true(looker[k].volume == looker[0].volume && looker[k].height == looker[0].height);
        assert_memory_equal(looker[k].rgb, looker[0].rgb, sizeof looker[0].rgb);
    }
    ond_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surface_of_a_drop),    cmocka_unit_test(looking_writes_nothing),
        cmocka_unit_test(several_look_at_once), cmocka_unit_test(files_of_a_drop),
        cmocka_unit_test(picture_of_a_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
