// SPDX-License-Identifier: MIT
// ctest: slow
// The liquid and meshes: a tilted tank, a ball under water, sheets without thickness, a shaken cup.
#include "solid_meshes.h"
#include "wet.h"

static double mass_of(const Wet *w)
{
    return 9.81 * wet_mass(w);
}

// ---- a tank that stands aslant

typedef struct Aslant {
    double level_rms, pressure, speed, load; // spacings; share of rho g H; m/s; of the weight
    double layer[4]; // at floor and walls, and farther in: particles over spacings^3
    double all;      // the same up to the surface
} Aslant;

// Own axes of the tank: along the floor, and up.
static OndVec own(const Wet *w, int i)
{
    const OndVec at = ond_vec(w->s->x[0][i], w->s->x[1][i], w->s->x[2][i]);
    return ond_pose_in(&ond_solids_state(w->solids, 0)->pose, at);
}

// Which layer at the nearest face a point of the tank is in: 0, 1, 2; 3 is farther in, -1 out of it
// or too near to the surface.
static int layer_of(OndVec p, OndVec in_tank, double spacing)
{
    const double x = fmin(in_tank.x, 0.6 - in_tank.x), z = fmin(in_tank.z, 0.3 - in_tank.z);
    const double near = fmin(fmin(x, z), in_tank.y) / spacing;
    if (near < 0 || p.y > 0.3) return -1;
    return near < 3 ? (int)near : 3;
}

static void look_at_layers(const Wet *w, Aslant *r)
{
    enum { POINTS = 400000 };
    const double spacing = w->world.spacing;
    const OndPose *pose = &ond_solids_state(w->solids, 0)->pose;
    double room[4] = {0};
    for (int k = 0; k < POINTS; ++k) {
        const OndVec q = ond_vec(any(k, 0, 0, 0.6), any(k, 1, 0, 0.6), any(k, 2, 0, 0.3));
        const int layer = layer_of(ond_pose_out(pose, q), q, spacing);
        if (layer >= 0) room[layer] += 0.6 * 0.6 * 0.3 / POINTS;
    }
    for (int i = 0; i < w->s->fields.count; ++i) {
        const OndVec p = ond_vec(w->s->x[0][i], w->s->x[1][i], w->s->x[2][i]);
        const int layer = layer_of(p, own(w, i), spacing);
        if (layer >= 0) r->layer[layer] += pow(spacing, 3) / room[layer];
    }
}

// All particles over the room in the tank below a level, spacings^3.
static double fill_below(const Wet *w, double level)
{
    enum { POINTS = 400000 };
    const OndPose *pose = &ond_solids_state(w->solids, 0)->pose;
    double room = 0;
    for (int k = 0; k < POINTS; ++k) {
        const OndVec q = ond_vec(any(k, 0, 0, 0.6), any(k, 1, 0, 0.8), any(k, 2, 0, 0.3));
        room += (ond_pose_out(pose, q).y < level) * 0.6 * 0.8 * 0.3 / POINTS;
    }
    return w->s->fields.count * pow(w->world.spacing, 3) / room;
}

// The surface: the highest particle of each column, away from the walls.
static double find_level(const Wet *w, double *rms)
{
    enum { COLUMNS = 6 };
    const double wide = 2 * w->world.spacing;
    double high[COLUMNS][3], sum = 0, square = 0;
    for (int k = 0; k < 3 * COLUMNS; ++k)
        high[k / 3][k % 3] = 0;
    for (int i = 0; i < w->s->fields.count; ++i) {
        const int a = (int)floor(w->s->x[0][i] / wide), b = (int)floor(w->s->x[2][i] / wide) - 1;
        if (a >= 0 && a < COLUMNS && b >= 0 && b < 3) high[a][b] = fmax(high[a][b], w->s->x[1][i]);
    }
    for (int k = 0; k < 3 * COLUMNS; ++k)
        sum += high[k / 3][k % 3] / (3 * COLUMNS);
    for (int k = 0; k < 3 * COLUMNS; ++k)
        square += pow(high[k / 3][k % 3] - sum, 2) / (3 * COLUMNS);
    *rms = sqrt(square) / w->world.spacing;
    return sum + 0.5 * w->world.spacing;
}

static Aslant aslant(int squares, double seconds)
{
    const double spacing = 0.03, angle = M_PI / 9;
    Wet w = wet_make(3, spacing);
    OndMesh mesh = box_mesh(ond_vec(0, 0, 0), ond_vec(0.6, 0.8, 0.3), squares, true);
    const OndSolidDef def = mesh_def(&mesh, true, true);
    const OndSolidState state = {
        turned(ond_vec(0, 0, 1), angle, ond_vec(0, 0, 0)), {0, 0, 0}, {0, 0, 0}};
    wet_solids(&w, &def, 1);
    ond_solids_place(w.solids, 0, &state);
    wet_fill(&w, (OndBox){{-0.3, 0, 0}, {0.6, 0.45, 0.3}}, wet_free);
    Aslant r = {0};
    double n = 0, e2 = 0;
    wet_run(&w, 0.7 * seconds);
    enum { LOOKS = 400 };
    for (int k = 0; k < LOOKS; ++k) {
        wet_step(&w);
        r.load -= ond_solids_loads(w.solids)[0].force.y / (LOOKS * mass_of(&w));
    }
    look_at_layers(&w, &r);
    r.speed = wet_mean_speed(&w);
    const double level = find_level(&w, &r.level_rms);
    r.all = fill_below(&w, level);
    for (int i = 0; i < w.s->fields.count; ++i) {
        const double y = w.s->x[1][i];
        if (y < level - 3 * spacing) e2 += pow(w.s->pressure[i] - 9810 * (level - y), 2), n += 1;
    }
    r.pressure = sqrt(e2 / n) / (9810 * level);
    wet_close(&w);
    ond_mesh_free(&mesh);
    return r;
}

static void test_aslant(void **state)
{
    const Aslant r = aslant(1, 2.5), fine = aslant(16, 0.2), coarse = aslant(1, 0.2);
    print_message(
        "tank aslant: level off by %.3f spacings (rms), pressure by %.2f %% of rho g H, "
        "mean speed %.4f m/s, load %.4f of the weight, layers %.3f %.3f %.3f, inside %.3f, "
        "all %.3f\n",
        r.level_rms, 100 * r.pressure, r.speed, r.load, r.layer[0], r.layer[1], r.layer[2],
        r.layer[3], r.all);
    CHECK_NEAR(r.level_rms, 0, 0.1, "level, spacings");
    CHECK_NEAR(r.pressure, 0, 0.05, "hydrostatic pressure, share of rho g H");
    CHECK_NEAR(r.speed, 0, 0.015, "mean speed, m/s");
    CHECK_NEAR(r.load, 1, 0.01, "load on the tank, share of the weight");
    for (int k = 0; k < 3; ++k) // its weight squeezes all of it by 2 %
        CHECK_NEAR(r.layer[k], r.all, 0.045, "particles in a layer at floor and walls");
    CHECK_NEAR(r.all, 1, 0.03, "particles below the surface");
    CHECK_NEAR(fine.speed, coarse.speed, 0.1 * coarse.speed, "the same tank in 3072 triangles");
}

// ---- a ball under water

static bool round_ball(const Wet *w, OndVec at)
{
    return ond_length(ond_sub(at, ond_vec(0.2, 0.2, 0.2))) > 0.1 + 0.02 * w->world.spacing;
}

static const OndVec block[2] = {{0.1, 0.14, 0.1}, {0.3, 0.24, 0.3}};

static bool round_block(const Wet *w, OndVec at)
{
    const OndVec d = ond_sub(at, ond_scale(ond_add(block[0], block[1]), 0.5));
    return fabs(d.x) > 0.1 || fabs(d.y) > 0.05 || fabs(d.z) > 0.1;
}

/// What carries a solid under water, as a share of the weight that it displaces: from a time on,
/// for as long again.
static double buoyancy_of(const OndSolidDef *def, bool (*in)(const Wet *, OndVec), double volume,
                          double sound, double from, const char *name)
{
    Wet w = wet_make(3, 0.02);
    const double want = 9810 * volume;
    wet_solids(&w, def, 1);
    w.def.sound_speed = sound;
    w.world.box = (OndBox){{0, 0, 0}, {0.4, 0.6, 0.4}};
    for (int side = 0; side < 6; ++side)
        w.world.side[side].kind = OND_SIDE_WALL;
    wet_fill(&w, (OndBox){{0, 0, 0}, {0.4, 0.4, 0.4}}, in);
    double up = 0, sideways = 0, x = 0, z = 0, steps = 0;
    while (w.time < 2 * from) {
        wet_step(&w);
        if (w.time < from) continue;
        const OndVec force = ond_solids_loads(w.solids)[0].force;
        up += force.y / want, sideways += hypot(force.x, force.z) / want, ++steps;
        x += force.x / want, z += force.z / want;
    }
    print_message("%s under water: buoyancy %.4f of what it displaces, sideways %.4f to and fro, "
                  "%.4f in the mean\n",
                  name, up / steps, sideways / steps, hypot(x, z) / steps);
    CHECK_NEAR(up / steps, 1, 0.01, name);
    CHECK_NEAR(hypot(x, z) / steps, 0, 0.01, name);
    CHECK_NEAR(sideways / steps, 0, 0.02, name);
    wet_close(&w);
    return up / steps;
}

/// As a shape, and as a mesh that is so fine that it is felt by its grid.
static void test_buoyancy(void **state)
{
    (void)state;
    OndArena arena = {0};
    const OndVec centre = {0.2, 0.2, 0.2};
    OndMesh mesh = ball_mesh(centre, 0.1, 60);
    const OndSolidDef shape = shape_def(ond_shape_sphere(&arena, centre, 0.1), false);
    const OndSolidDef fine = mesh_def(&mesh, false, true);
    const double displaced = 4.0 / 3.0 * M_PI * pow(0.1, 3);
    const double shaped = buoyancy_of(&shape, round_ball, displaced, 0, 0.6, "ball");
    const double meshed = buoyancy_of(&fine, round_ball, displaced, 0, 0.6, "fine mesh");
    CHECK_NEAR(meshed, shaped, 0.01, "mesh and shape");
    ond_mesh_free(&mesh);
    ond_arena_free(&arena);
}

/// Edges and corners stand out. The liquid is stiff here: below a box that fits its lattice there
/// is nothing to give way when its weight squeezes it, and that is another matter.
static void test_buoyancy_of_a_box(void **state)
{
    (void)state;
    OndArena arena = {0};
    OndMesh mesh = box_mesh(block[0], block[1], 3, true);
    const OndSolidDef shape = shape_def(ond_shape_box(&arena, block[0], block[1]), false);
    const OndSolidDef coarse = mesh_def(&mesh, false, true);
    buoyancy_of(&shape, round_block, 4e-3, 50, 0.15, "box");
    buoyancy_of(&coarse, round_block, 4e-3, 50, 0.15, "box of triangles");
    ond_mesh_free(&mesh);
    ond_arena_free(&arena);
}

// ---- a sheet without thickness

static double left_depth, right_depth;

static bool in_two_pools(const Wet *w, OndVec at)
{
    return at.y < (at.x < 0.3 ? left_depth : right_depth);
}

static void check_sheet(double left, double right)
{
    const double spacing = 0.03, seconds = 0.6;
    Wet w = wet_make(3, spacing);
    OndMesh mesh =
        sheet_mesh(ond_vec(0.3, -0.1, -0.1), ond_vec(0, 0, 0.5), ond_vec(0, 0.9, 0), 3, 3);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    const double want = 0.5 * 9810 * 0.3 * (left * left - right * right);
    wet_solids(&w, &def, 1);
    w.world.box = (OndBox){{0, 0, 0}, {0.6, 0.8, 0.3}};
    for (int side = 0; side < 6; ++side)
        w.world.side[side].kind = OND_SIDE_WALL;
    left_depth = left, right_depth = right;
    wet_fill(&w, (OndBox){{0, 0, 0}, {0.6, 0.6, 0.3}}, in_two_pools);
    const int count = w.s->fields.count;
    bool *was_right = calloc((size_t)count, sizeof *was_right);
    for (int i = 0; i < count; ++i)
        was_right[w.s->id[i]] = w.s->x[0][i] > 0.3f;
    double force = 0, steps = 0;
    while (w.time < seconds) {
        wet_step(&w);
        if (w.time > 0.5 * seconds) force += ond_solids_loads(w.solids)[0].force.x, ++steps;
    }
    int passed = 0;
    for (int i = 0; i < count; ++i)
        passed += was_right[w.s->id[i]] != (w.s->x[0][i] > 0.3f);
    print_message("sheet between %.2f m and %.2f m of water: force %.4f of what it should be, "
                  "%d particles passed, mean speed %.4f m/s\n",
                  left, right, force / steps / want, passed, wet_mean_speed(&w));
    CHECK_NEAR(passed, 0, 0, "particles that passed a sheet");
    CHECK_NEAR(force / steps / want, 1, 0.05, "force on a sheet");
    CHECK_NEAR(wet_mean_speed(&w), 0, 0.02, "mean speed beside a sheet, m/s");
    free(was_right);
    wet_close(&w);
    ond_mesh_free(&mesh);
}

// A full box with a sheet across it, or half across: whoever is hidden does not count, and past the
// rim nobody is counted twice.
static void check_divided(double height, double within)
{
    Wet w = wet_make(3, 0.05);
    OndMesh mesh =
        sheet_mesh(ond_vec(0.3, -0.1, -0.1), ond_vec(0, 0, 0.7), ond_vec(0, 0.1 + height, 0), 3, 3);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    wet_solids(&w, &def, 1);
    memset(w.world.gravity, 0, sizeof w.world.gravity);
    w.def.sound_speed = 10, w.def.settle = false;
    w.world.box = (OndBox){{0, 0, 0}, {0.6, 0.6, 0.5}};
    for (int side = 0; side < 6; ++side)
        w.world.side[side].kind = OND_SIDE_WALL;
    wet_fill(&w, w.world.box, NULL);
    wet_step(&w);
    double low = INFINITY, high = 0;
    for (int i = 0; i < w.s->fields.count; ++i) {
        low = fmin(low, w.s->density[i] / 1000);
        high = fmax(high, w.s->density[i] / 1000);
    }
    print_message("sheet in still water, up to %.2f of 0.6 m: density %.4f to %.4f of rest\n",
                  height, low, high);
    CHECK_NEAR(low, 1, within, "least density beside a sheet");
    CHECK_NEAR(high, 1, within, "largest density beside a sheet");
    wet_close(&w);
    ond_mesh_free(&mesh);
}

static void test_divided(void **state)
{
    check_divided(0.7, 1e-4);
    check_divided(0.3, 0.1);
}

static void test_sheet(void **state)
{
    check_sheet(0.42, 0);
    check_sheet(0.42, 0.21);
}

// ---- a cup that is tilted and shaken

static void shake(Wet *w, double time)
{
    const double reach = 0.1, rate = 50, phase = rate * time, tilt = 0.6 * sin(8 * time);
    const OndSolidState state = {
        turned(ond_vec(0, 0, 1), tilt,
               ond_vec(reach * sin(phase), 0.3 * reach * sin(1.7 * phase), 0)),
        {reach * rate * cos(phase), 0.3 * reach * 1.7 * rate * cos(1.7 * phase), 0},
        {0, 0, 0.6 * 8 * cos(8 * time)}};
    ond_solids_aim(w->solids, 0, &state);
}

// Whether the way from a to b passes a triangle.
static bool passes(const OndMesh *mesh, OndVec a, OndVec b)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        OndVec c[3];
        for (int k = 0; k < 3; ++k)
            c[k] = ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]);
        const OndVec n = ond_cross(ond_sub(c[1], c[0]), ond_sub(c[2], c[0]));
        const double from = ond_dot(n, ond_sub(a, c[0])), to = ond_dot(n, ond_sub(b, c[0]));
        if (from * to > 0) continue;
        const OndVec at = ond_add(a, ond_scale(ond_sub(b, a), from / (from - to)));
        bool inside = true;
        for (int k = 0; k < 3; ++k)
            inside &= ond_dot(n, ond_cross(ond_sub(c[(k + 1) % 3], c[k]), ond_sub(at, c[k]))) >= 0;
        if (inside) return true;
    }
    return false;
}

static void test_shaken_cup(void **state)
{
    Wet w = wet_make(3, 0.01);
    OndMesh mesh = box_mesh(ond_vec(-0.05, -0.06, -0.05), ond_vec(0.05, 0.06, 0.05), 2, false);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    wet_solids(&w, &def, 1);
    w.aim = shake;
    w.world.solid_speed = 5;
    wet_fill(&w, (OndBox){{-0.05, -0.06, -0.05}, {0.05, 0.06, 0.05}}, wet_free);
    const int count = w.s->fields.count;
    OndVec *was = calloc((size_t)count, sizeof *was);
    for (int i = 0; i < count; ++i)
        was[w.s->id[i]] = own(&w, i);
    int passed = 0, left = 0;
    double hardest = 0;
    while (w.time < 0.15) {
        wet_step(&w);
        hardest = fmax(hardest, ond_length(ond_solids_loads(w.solids)[0].force));
        for (int i = 0; i < count; ++i) {
            const OndVec now = own(&w, i);
            passed += passes(&mesh, was[w.s->id[i]], now);
            was[w.s->id[i]] = now;
        }
    }
    for (int i = 0; i < count; ++i)
        left += fabs(was[i].x) < 0.05 && fabs(was[i].y) < 0.06 && fabs(was[i].z) < 0.05;
    print_message("cup shaken at 5 m/s: %d of %d particles left in it, %d went through it, load up "
                  "to %.0f times the weight\n",
                  left, count, passed, hardest / mass_of(&w));
    CHECK_NEAR(passed, 0, 0, "particles that went through a cup");
    free(was);
    wet_close(&w);
    ond_mesh_free(&mesh);
}

// With a lid: a second of it, and all is still in there.
static void test_shaken_bottle(void **state)
{
    (void)state;
    const OndVec half = {0.05, 0.06, 0.05};
    Wet w = wet_make(3, 0.01);
    OndMesh mesh = box_mesh(ond_scale(half, -1), half, 2, true);
    const OndSolidDef def = mesh_def(&mesh, false, false);
    wet_solids(&w, &def, 1);
    w.aim = shake;
    w.world.solid_speed = 5;
    wet_fill(&w, (OndBox){ond_scale(half, -1), {0.05, 0.02, 0.05}}, wet_free);
    const int count = w.s->fields.count;
    int steps = 0;
    for (; w.time < 1.0; ++steps) {
        wet_step(&w);
        for (int i = 0; i < w.s->fields.count; ++i) {
            const OndVec p = own(&w, i);
            if (!(fabs(p.x) < half.x && fabs(p.y) < half.y && fabs(p.z) < half.z))
                fail_msg("t = %g s: particle %d is outside, at %g, %g, %g", w.time, i, p.x, p.y,
                         p.z);
        }
    }
    print_message("bottle shaken at 5 m/s for 1 s, %d steps: all %d particles left in it\n", steps,
                  w.s->fields.count);
    assert_true(count > 700);
    assert_int_equal(w.s->fields.count, count);
    wet_close(&w);
    ond_mesh_free(&mesh);
}

int main(void)
{
    ond_threads_set(1); // too small for more
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aslant),
        cmocka_unit_test(test_buoyancy),
        cmocka_unit_test(test_buoyancy_of_a_box),
        cmocka_unit_test(test_divided),
        cmocka_unit_test(test_sheet),
        cmocka_unit_test(test_shaken_cup),
        cmocka_unit_test(test_shaken_bottle),
    };
    return cmocka_run_group_tests_name("sph_solids_mesh", tests, NULL, NULL);
}
