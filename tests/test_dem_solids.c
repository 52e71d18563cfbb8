// SPDX-License-Identifier: MIT
// Grains against solids: they rest at the right overlap, nothing is lost through thin or moving
// faces, and what grains get solids give.
#include "base/hash.h"
#include "base/parallel.h"
#include "check.h"
#include "particles/dem/dem.h"
#include "particles/dem/dem_state.h"
#include "solids/solids.h"

#define SPACING 0.05

typedef struct Pit {
    OndArena arena;
    OndSolidDef def[4];
    int solids;
    OndWorld world;
    OndDemDef dem;
    OndDem *d;
    OndSolidState end[4];
    double time;
} Pit;

static Pit pit(void)
{
    Pit p = {
        .world = {.dimension = 3, .gravity = {0, -10, 0}, .spacing = SPACING, .material_count = 1}};
    ond_schema_defaults(&ond_dem_schema, &p.dem);
    for (int side = 0; side < 6; ++side)
        p.world.side[side] = (OndSide){.kind = OND_SIDE_OPEN,
                                       .slip = 1,
                                       .restitution = 0.5f,
                                       .friction = OND_FRICTION_UNBOUNDED};
    p.world.material[0] = (OndMaterial){.name = "sand", .density = 1600, .held_until = 1e9};
    return p;
}

static void add_solid(Pit *p, OndSolidDef def)
{
    def.slip = 1, def.restitution = 0.5f, def.friction = OND_FRICTION_UNBOUNDED;
    p->def[p->solids++] = def;
}

static OndSolidState still(OndVec at)
{
    OndSolidState state = {.pose = ond_pose_still()};
    state.pose.at = at;
    return state;
}

// A block of grains from `corner`.
static void open_pit(Pit *p, OndVec corner, int nx, int ny, int nz)
{
    OndError err = {0};
    p->world.solids = ond_solids_create(p->def, p->solids, SPACING, false, &err);
    if (!p->world.solids) fail_msg("%s", err.text);
    for (int s = 0; s < p->solids; ++s)
        ond_solids_place(p->world.solids, s, &(OndSolidState){.pose = ond_pose_still()});
    p->d = ond_dem_method.create(&(OndSetup){&p->world, &p->dem, nx * ny * nz}, &err);
    if (!p->d) fail_msg("%s", err.text);
    OndFields *f = ond_dem_method.particles(p->d);
    for (int i = 0; i < nx * ny * nz; ++i) {
        const int cell[3] = {i % nx, i / nx % ny, i / nx / ny};
        for (int a = 0; a < 3; ++a) {
            ((float *)ond_fields_find(f, "position")->data[a])[i] =
                (float)(ond_axis(corner, a) + (cell[a] + 0.5) * SPACING);
            ((float *)ond_fields_find(f, "velocity")->data[a])[i] = 0.0f;
        }
    }
    f->count = nx * ny * nz;
    if (ond_dem_method.added(p->d, 0, &err) != OND_OK) fail_msg("%s", err.text);
    if (ond_dem_method.start(p->d, &err) != OND_OK) fail_msg("%s", err.text);
}

static void close_pit(Pit *p)
{
    ond_dem_method.destroy(p->d);
    ond_solids_destroy(p->world.solids);
    ond_arena_free(&p->arena);
}

// One step with all solids moving on as they do now; returns its length.
static double step_pit(Pit *p, double largest)
{
    OndError err = {0};
    memset(ond_solids_loads(p->world.solids), 0, (size_t)p->solids * sizeof(OndSolidLoad));
    if (ond_dem_method.prepare(p->d, &err) != OND_OK) fail_msg("%s", err.text);
    const double dt = fmin(ond_dem_method.largest_step(p->d), largest);
    for (int s = 0; s < p->solids; ++s) {
        OndSolidState end = *ond_solids_state(p->world.solids, s);
        end.pose.at = ond_add(end.pose.at, ond_scale(end.velocity, dt));
        const double angle = ond_length(end.spin) * dt;
        const OndVec axis = ond_scale(ond_unit(end.spin), sin(0.5 * angle));
        const OndPose q = end.pose;
        const double w = cos(0.5 * angle), x = axis.x, y = axis.y, z = axis.z;
        end.pose.w = w * q.w - x * q.x - y * q.y - z * q.z;
        end.pose.x = w * q.x + x * q.w + y * q.z - z * q.y;
        end.pose.y = w * q.y - x * q.z + y * q.w + z * q.x;
        end.pose.z = w * q.z + x * q.y - y * q.x + z * q.w;
        ond_solids_aim(p->world.solids, s, &end);
    }
    if (ond_dem_method.advance(p->d, dt, NULL, &err) != OND_OK) fail_msg("%s", err.text);
    ond_solids_arrive(p->world.solids);
    p->time += dt;
    return dt;
}

static void run_pit(Pit *p, double until)
{
    while (p->time < until)
        step_pit(p, until - p->time + 1e-9);
}

// A grain on a box, on a plane and on a sphere: the spring carries its weight, and the solid feels
// it.
static void test_rests(void **state)
{
    for (int c = 0; c < 3; ++c) {
        Pit p = pit();
        p.dem.stiffness = 4000;
        OndShape *const shape[] = {NULL,
                                   ond_shape_box(&p.arena, ond_vec(-1, -1, -1), ond_vec(1, 0, 1)),
                                   ond_shape_sphere(&p.arena, ond_vec(0, -0.5, 0), 0.5)};
        add_solid(&p, (OndSolidDef){.name = "floor",
                                    .kind = c ? OND_SOLID_SHAPE : OND_SOLID_PLANE,
                                    .shape = shape[c]});
        open_pit(&p, ond_vec(-0.5 * SPACING, 0.01, -0.5 * SPACING), 1, 1, 1);
        run_pit(&p, 2);
        step_pit(&p, 1e-4);
        const double weight = p.d->mass_of[0] * 10;
        CHECK_NEAR(0.5 * SPACING - p.d->x[1][0], weight / 4000, 2e-6, "overlap");
        CHECK_NEAR(ond_solids_loads(p.world.solids)[0].force.y, -weight, 2e-3 * weight, "load");
        CHECK_NEAR(ond_length(ond_solids_loads(p.world.solids)[0].torque), 0, 1e-3 * weight,
                   "torque");
        close_pit(&p);
    }
}

// A sheet of no thickness, square, two triangles.
static OndMesh plate(void)
{
    OndMesh mesh = {0};
    OndError err = {0};
    if (ond_mesh_make(&mesh, 4, 2, &err) != OND_OK) fail_msg("%s", err.text);
    const float corner[12] = {-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1};
    const uint32_t triangle[6] = {0, 2, 1, 0, 3, 2};
    memcpy(mesh.corner, corner, sizeof corner);
    memcpy(mesh.triangle, triangle, sizeof triangle);
    return mesh;
}

// Nothing comes through a sheet, though contacts are far too soft for the load, and though it is
// thrown up against the grains.
static void test_sheet_holds(void **state)
{
    const double speeds[] = {0, 1, 8};
    for (int c = 0; c < 3; ++c) {
        Pit p = pit();
        OndMesh mesh = plate();
        p.dem.stiffness = 5; // the weight of a single grain presses it by half its diameter
        add_solid(&p, (OndSolidDef){.name = "plate", .kind = OND_SOLID_MESH, .mesh = &mesh});
        open_pit(&p, ond_vec(-0.1, 0.1, -0.1), 4, 6, 4);
        OndSolidState moving = still(ond_vec(0, 0, 0));
        moving.velocity = ond_vec(0, speeds[c], 0);
        ond_solids_place(p.world.solids, 0, &moving);
        while (p.time < 0.4) {
            step_pit(&p, 1);
            const double at = ond_solids_state(p.world.solids, 0)->pose.at.y;
            for (int i = 0; i < p.d->fields.count; ++i)
                if (p.d->x[1][i] < at && fabs(p.d->x[0][i]) < 1 && fabs(p.d->x[2][i]) < 1)
                    fail_msg("at %g m/s a grain is through after %g s", speeds[c], p.time);
        }
        close_pit(&p);
        ond_mesh_free(&mesh);
    }
}

static OndVec momentum(const OndDem *d)
{
    OndVec sum = {0, 0, 0};
    for (int i = 0; i < d->fields.count; ++i)
        sum = ond_add(sum, ond_scale(ond_vec(d->v[0][i], d->v[1][i], d->v[2][i]), d->mass_of[0]));
    return sum;
}

// Gravity and the solid's push are all that changes the momentum of the grains; velocities stand at
// full steps, so the last push is only half spent.
static void test_action_and_reaction(void **state)
{
    Pit p = pit();
    p.dem.restitution = 0.3;
    add_solid(&p,
              (OndSolidDef){.name = "ball",
                            .kind = OND_SOLID_SHAPE,
                            .shape = ond_shape_sphere(&p.arena, ond_vec(0.03, -0.3, 0.02), 0.3)});
    open_pit(&p, ond_vec(-0.2, 0.01, -0.2), 8, 4, 8);
    OndVec impulse = {0, 0, 0}, most = {0, 0, 0};
    for (int k = 0; k < 3000; ++k) {
        const double dt = step_pit(&p, 1);
        const OndVec load = ond_solids_loads(p.world.solids)[0].force;
        impulse = ond_add(impulse, ond_scale(load, dt));
        most = ond_length(load) > ond_length(most) ? load : most;
    }
    const double weight = p.d->mass_of[0] * p.d->fields.count * 10;
    const OndVec got = momentum(p.d), want = ond_sub(ond_vec(0, -weight * p.time, 0), impulse);
    print_message("%g s, %g Ns given back\n", p.time, ond_length(impulse));
    if (ond_length(impulse) < 0.05 * weight * p.time) fail_msg("nothing was hit");
    CHECK_NEAR(got.x, want.x, ond_length(most) * p.d->last_dt, "x");
    CHECK_NEAR(got.y, want.y, ond_length(most) * p.d->last_dt, "y");
    CHECK_NEAR(got.z, want.z, ond_length(most) * p.d->last_dt, "z");
    close_pit(&p);
}

// A drum that turns, with grains inside; the same bits for any number of threads.
static void test_drum(void **state)
{
    uint64_t first = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
        ond_threads_set(threads);
        Pit p = pit();
        add_solid(&p, (OndSolidDef){.name = "drum",
                                    .kind = OND_SOLID_SHAPE,
                                    .container = true,
                                    .shape = ond_shape_box(&p.arena, ond_vec(-0.5, -0.5, -0.5),
                                                           ond_vec(0.5, 0.5, 0.5))});
        open_pit(&p, ond_vec(-0.4, -0.45, -0.4), 16, 8, 16);
        OndSolidState turning = still(ond_vec(0, 0, 0));
        turning.spin = ond_vec(0, 0.3, 3);
        ond_solids_place(p.world.solids, 0, &turning);
        for (int k = 0; k < 300; ++k)
            step_pit(&p, 1);
        OndHash hash;
        ond_hash_begin(&hash);
        for (int a = 0; a < 3; ++a)
            ond_hash_add(&hash, p.d->x[a], (size_t)p.d->fields.count * 4);
        ond_hash_add(&hash, ond_solids_loads(p.world.solids), sizeof(OndSolidLoad));
        const uint64_t got = ond_hash_end(&hash);
        const OndPose pose = ond_solids_state(p.world.solids, 0)->pose;
        for (int i = 0; i < p.d->fields.count; ++i) {
            const OndVec own =
                ond_pose_in(&pose, ond_vec(p.d->x[0][i], p.d->x[1][i], p.d->x[2][i]));
            const double out = fmax(fabs(own.x), fmax(fabs(own.y), fabs(own.z)));
            if (out > 0.5) fail_msg("a grain is %g m outside the drum", out - 0.5);
        }
        if (threads == 1) first = got;
        if (got != first) fail_msg("%d threads give other bits", threads);
        close_pit(&p);
    }
    ond_threads_set(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rests),
        cmocka_unit_test(test_sheet_holds),
        cmocka_unit_test(test_action_and_reaction),
        cmocka_unit_test(test_drum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
