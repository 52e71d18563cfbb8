// SPDX-License-Identifier: MIT
// POV-Ray scenes, drawn by POV-Ray itself: there is a picture, and the liquid is in it.
#include "check.h"
#include "folder.h"
#include "round.h"

#include "base/random.h"
#include "io/formats/formats.h"
#include "io/formats/png.h"
#include "io/formats/surface_files.h"
#include "sim/frame.h"
#include "surface/fields/field.h"

#define WIDTH  120
#define HEIGHT 90

static bool have_povray(void)
{
    if (system("command -v povray >/dev/null 2>&1") == 0) return true;
    print_message("skipped: povray is not installed\n");
    return false;
}

// What `povray FILE` makes, smaller.
static OndImage draw(const char *scene)
{
    char line[1024], picture[256], log[256];
    OndImage image = {0};
    OndError err = {0};
    snprintf(line, sizeof line, "povray '+I%s' '+O%s' +W%d +H%d -D +WT2 >'%s' 2>&1", scene,
             in_folder("picture.png", picture), WIDTH, HEIGHT, in_folder("log", log));
    if (system(line) != 0) {
        snprintf(line, sizeof line, "tail -n 20 '%s' >&2", log);
        if (system(line) != 0) print_message("no log\n");
        fail_msg("povray refuses %s", scene);
    }
    if (ond_png_read(picture, &image, &err) != OND_OK) fail_msg("%s", err.text);
    unlink(picture);
    unlink(log);
    return image;
}

// Mean over the pixels: how many differ clearly from those of another picture.
static double share_changed(const OndImage *a, const OndImage *b)
{
    int changed = 0;
    for (int k = 0; k < WIDTH * HEIGHT; ++k) {
        int apart = 0;
        for (int c = 0; c < 3; ++c)
            apart += abs((int)a->rgb[3 * k + c] - (int)b->rgb[3 * k + c]);
        changed += apart > 24;
    }
    return (double)changed / (WIDTH * HEIGHT);
}

static void statistics(const OndImage *image, double *mean, double *deviation)
{
    double sum = 0.0, squares = 0.0;
    const int count = 3 * WIDTH * HEIGHT;
    for (int k = 0; k < count; ++k) {
        sum += image->rgb[k];
        squares += (double)image->rgb[k] * image->rgb[k];
    }
    *mean = sum / count;
    *deviation = sqrt(squares / count - *mean * *mean);
}

static void check_lit(const OndImage *image, const char *what)
{
    double mean, deviation;
    CHECK_NEAR(image->width, WIDTH, 0, what);
    statistics(image, &mean, &deviation);
    if (!(mean > 60 && mean < 225 && deviation > 8))
        fail_msg("%s: brightness %.1f, deviation %.1f: black, white or empty", what, mean,
                 deviation);
}

static OndImage draw_surface(const OndSurface *s, const OndCameraDef *camera)
{
    char path[256];
    OndError err = {0};
    const OndSurfaceAbout about = {.camera = camera};
    if (ond_surface_write(in_folder("surface.pov", path), s, &about, &err) != OND_OK)
        fail_msg("%s", err.text);
    OndImage image = draw(path);
    unlink(path);
    return image;
}

static OndImage draw_stage(const OndSurface *like)
{
    OndSurface none = {.dimension = 3, .domain = like->domain};
    assert_int_equal(ond_mesh_make(&none.mesh, 0, 0, NULL), OND_OK);
    OndImage image = draw_surface(&none, NULL);
    ond_surface_free(&none);
    return image;
}

static void test_mesh(void **state)
{
    (void)state;
    if (!have_povray()) skip();
    OndSurface s = round_surface(4);
    OndImage stage = draw_stage(&s), painted = draw_surface(&s, NULL);
    ond_fields_remove(&s.attributes, "material"); // one material: clear
    OndImage clear = draw_surface(&s, NULL);
    check_lit(&stage, "the stage");
    check_lit(&painted, "materials");
    check_lit(&clear, "water");
    // a ball of radius 1 in a box of 4 x 4 x 4
    const double share = share_changed(&painted, &stage);
    if (!(share > 0.06 && share < 0.5)) fail_msg("the ball covers %.3f of the picture", share);
    if (!(share_changed(&clear, &stage) > 0.04)) fail_msg("clear water does not show");
    ond_image_free(&stage);
    ond_image_free(&painted);
    ond_image_free(&clear);
    ond_surface_free(&s);
}

// Right-handed: from the front, what has a larger x stands further right, and y is up.
static void test_camera(void **state)
{
    (void)state;
    if (!have_povray()) skip();
    const OndNode node = {0};
    const OndCameraDef camera = {.from = {0, 1, 12}, .to = {0, 1, 0}, .fov = 30, .node = &node};
    OndSurface s = round_surface(3), none = {.dimension = 3, .domain = s.domain};
    assert_int_equal(ond_mesh_make(&none.mesh, 0, 0, NULL), OND_OK);
    for (int k = 0; k < s.mesh.corner_count; ++k) {
        s.mesh.corner[3 * k] += 1.5f;
        s.mesh.corner[3 * k + 1] += 2.0f;
    }
    OndImage with = draw_surface(&s, &camera), without = draw_surface(&none, &camera);
    int right = 0, left = 0, above = 0, below = 0;
    for (int y = 0; y < HEIGHT; ++y)
        for (int x = 0; x < WIDTH; ++x) {
            const int k = 3 * (y * WIDTH + x);
            int apart = 0;
            for (int c = 0; c < 3; ++c)
                apart += abs((int)with.rgb[k + c] - (int)without.rgb[k + c]);
            if (apart <= 60) continue;
            x > WIDTH / 2 ? ++right : ++left;
            y < HEIGHT / 2 ? ++above : ++below;
        }
    if (!(right > 200 && left < right / 4 && above > below))
        fail_msg("changed pixels: right %d, left %d, above %d, below %d", right, left, above,
                 below);
    ond_image_free(&with);
    ond_image_free(&without);
    ond_surface_free(&s);
    ond_surface_free(&none);
}

// ---- particles

static OndFrame make_frame(int side, double spacing)
{
    OndFrame f = {.dimension = 3, .spacing = spacing, .owned = true};
    f.domain = (OndBox){{-1, -1, -1}, {1, 1, 1}};
    ond_fields_add(&f.particles, "position", "m", OND_F32, 3, OND_FIELD_FRAME);
    assert_int_equal(ond_fields_reserve(&f.particles, side * side * side, NULL), OND_OK);
    f.particles.count = side * side * side;
    for (int k = 0; k < f.particles.count; ++k) {
        const int at[3] = {k % side, k / side % side, k / side / side};
        for (int c = 0; c < 3; ++c)
            ((float *)f.particles.field[0].data[c])[k] =
                (float)((at[c] - 0.5 * (side - 1)) * spacing);
    }
    return f;
}

static void test_blob(void **state)
{
    (void)state;
    if (!have_povray()) skip();
    char path[256];
    OndError err = {0};
    const OndSurface stage_like = {.domain = {{-1, -1, -1}, {1, 1, 1}}};
    OndFrame f = make_frame(6, 0.15);
    ((float *)f.particles.field[0].data[1])[3] = NAN; // left out
    if (ond_frame_write(in_folder("blob.pov", path), &f, &err) != OND_OK) fail_msg("%s", err.text);
    OndImage stage = draw_stage(&stage_like), blob = draw(path);
    check_lit(&blob, "blob");
    if (!(share_changed(&blob, &stage) > 0.04)) fail_msg("the blob does not show");
    ond_image_free(&stage);
    ond_image_free(&blob);
    ond_frame_free(&f);
    unlink(path);
}

// What POV-Ray makes of the spheres of a blob, as its manual has it, is the field "blobs".
static double blob_at(FILE *file, const double at[3], int *spheres)
{
    char line[256];
    double threshold = 0.0, sum = 0.0, s[5];
    rewind(file);
    for (*spheres = 0; fgets(line, sizeof line, file);) {
        if (sscanf(line, " threshold %lf", &threshold) == 1) continue;
        if (sscanf(line, " sphere { <%lf, %lf, %lf>, %lf, %lf }", &s[0], &s[1], &s[2], &s[3],
                   &s[4]) != 5)
            continue;
        double q2 = 0.0;
        for (int a = 0; a < 3; ++a)
            q2 += (at[a] - s[a]) * (at[a] - s[a]) / (s[3] * s[3]);
        sum += q2 < 1.0 ? s[4] * (1.0 - q2) * (1.0 - q2) : 0.0;
        ++*spheres;
    }
    return sum - threshold;
}

static void test_blob_is_field(void **state)
{
    (void)state;
    char path[256];
    OndError err = {0};
    OndPoints points = {0};
    OndField3 field = {0};
    const OndFieldDef def = {0};
    OndFrame f = make_frame(6, 0.15);
    if (ond_frame_write(in_folder("field.pov", path), &f, &err) != OND_OK ||
        ond_points_take(&points, &f, 2.0, &err) != OND_OK ||
        ond_field_make(&field, ond_field_kind("blobs"), &def, &points, &err) != OND_OK)
        fail_msg("%s", err.text);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (uint64_t k = 0; k < 50; ++k) {
        double at[3], slope[3];
        int spheres;
        for (uint64_t a = 0; a < 3; ++a)
            at[a] = 1.2 * ond_random(k, a) - 0.6;
        const double seen = blob_at(file, at, &spheres);
        CHECK_NEAR(spheres, 216, 0, "spheres");
        CHECK_NEAR(seen, field.kind->gradient(&field, at, slope), 1e-4, "blob and field");
    }
    fclose(file);
    ond_field_free(&field);
    ond_points_free(&points);
    ond_frame_free(&f);
    unlink(path);
}

static void test_blob_refused(void **state)
{
    (void)state;
    char path[256];
    OndError err = {0};
    OndFrame f = make_frame(2, 0.1);
    for (int k = 0; k < 8; ++k)
        ((float *)f.particles.field[0].data[0])[k] = INFINITY;
    assert_int_equal(ond_frame_write(in_folder("a.pov", path), &f, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "finite", "infinite");
    f.particles.count = 0;
    assert_int_equal(ond_frame_write(path, &f, &err), OND_BAD_VALUE);
    CHECK_SAYS(err.text, "no particles", "none");
    ond_frame_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mesh),         cmocka_unit_test(test_camera),
        cmocka_unit_test(test_blob),         cmocka_unit_test(test_blob_is_field),
        cmocka_unit_test(test_blob_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
