// SPDX-License-Identifier: MIT
// ctest: slow
// Pieces that come and go: what sets stands, what melts through falls apart.
#include "base/parallel.h"
#include "base/random.h"
#include "solids.h"

#define MELTS "T_solid: 0, T_liquid: 10, "

static int count_solid(const Stage *s)
{
    const float *rigidity = numbers_of(s, "rigidity");
    int count = 0;
    for (int i = 0; i < s->count; ++i)
        count += rigidity[i] >= 1;
    return count;
}

// The piece of the particle nearest to a point.
static uint32_t piece_at(const Stage *s, double x, double y)
{
    int best = 0;
    for (int i = 0; i < s->count; ++i)
        if (hypot(s->x[0][i] - x, s->x[1][i] - y) < hypot(s->x[0][best] - x, s->x[1][best] - y))
            best = i;
    return words_of(s, "piece")[best];
}

// Poured on a cold floor that holds what touches it, later it stands as it froze, and so do crumbs
// beside it (where the floor lets slip, those creep): at most 0.00014 spacings with 100 rates.
static void test_pour_sets(void **state)
{
    (void)state;
    Stage *s = stage_open(
        "dimension: 2\ndomain: {min: [-0.5, 0], max: [0.5, 1], slip: 0, temperature: -40}\n"
        "fluid: [{name: wax, spacing: 0.03, density: 900, " MELTS
        "temperature: 14, specific_heat: 100,\n"
        "  conductivity: 400, viscosity: 20}]\n"
        "emitter: [{fluid: wax, center: [0, 0.5], radius: 0.06, rate: 0.15, to: 0.6}]\n");
    stage_run(s, 4);
    const int solid = count_solid(s), count = s->count;
    const Motion then = motion_of(s, 0);
    Past past = past_of(s);
    stage_run(s, 4.7);
    const Motion now = motion_of(s, 0);
    print_message("poured: %d of %d are solid in %d pieces, heap %.2f wide %.2f high, later moved "
                  "%.2g spacings, speed %.2g\n",
                  solid, count, count_pieces(s), then.high[0] - then.low[0], then.high[1],
                  farthest_moved(&past, s, 0), now.speed);
    check_sane(s, 5, "poured");
    assert_true(count > 80);
    if (solid < 0.95 * count) fail_msg("only %d of %d have set", solid, count);
    if (then.high[1] < 0.1) fail_msg("it ran out flat: %g m high", then.high[1]);
    CHECK_NEAR(farthest_moved(&past, s, 0), 0, 0.001, "moves, spacings");
    past_free(&past);
    stage_close(s);
}

// What has set crowded stands still, so with `density: continuity` its density stays, however hard
// its particles push each other: here at 0.85 spacings from one another, and out of order, as a jet
// that sets where it lands leaves them.
static void test_set_density(void **state)
{
    (void)state;
    const double spacing = 0.004, pitch = 0.85, jitter = 0.3;
    Stage *s = stage_openf("domain: {min: [0, 0, 0], max: [0.1, 0.1, 0.1], slip: 0}\n"
                           "method: {density: continuity}\n"
                           "fluid: [{spacing: %g, rigidity: 1, shape: {type: box,\n"
                           "  min: [0.03, 0, 0.03], max: [0.07, 0.04, 0.07]}}]\n",
                           spacing);
    for (int i = 0; i < s->count; ++i)
        for (int a = 0; a < 3; ++a) {
            const double off = jitter * spacing * (2 * ond_random((uint64_t)i, (uint64_t)a) - 1);
            s->x[a][i] = (float)(pitch * s->x[a][i] + off);
        }
    double low = INFINITY, high = 0;
    while (ond_sim_time(s->sim) < 0.1) {
        stage_step(s);
        for (int i = 0; i < s->count; ++i) {
            low = fmin(low, s->density[i] / density_of(s, i));
            high = fmax(high, s->density[i] / density_of(s, i));
        }
    }
    print_message("set crowded: density %.4f to %.4f of what it was\n", low, high);
    CHECK_NEAR(low, 1, 0.01, "lowest density");
    CHECK_NEAR(high, 1, 0.01, "highest density");
    stage_close(s);
}

// A block with a liquid layer through its middle, which the cold halves freeze: one piece.
static void test_layer_sets(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const double z = dimension == 3 ? 0.2 : 0;
        Stage *s =
            stage_openf("dimension: %d\ngravity: [0, 0, 0]\nfluid:\n"
                        "  - {spacing: 0.04, " MELTS
                        "temperature: -30, conductivity: 2000, specific_heat: 100,\n"
                        "     shape: {type: box, min: [0, 0, 0], max: [0.6, 0.2, %g]}, regions: "
                        "[{shape: {type: "
                        "box, min: [0.28, 0, 0], max: [0.36, 0.2, 0.2]}, temperature: 20}]}\n",
                        dimension, z);
        stage_step(s);
        const int before = count_pieces(s);
        stage_run(s, 1);
        const uint32_t left = piece_at(s, 0, 0.1), middle = piece_at(s, 0.3, 0.1),
                       right = piece_at(s, 0.6, 0.1);
        print_message("%dD layer: %d pieces, then %d\n", dimension, before, count_pieces(s));
        CHECK_NEAR(before, 2, 0, "pieces with the layer liquid");
        CHECK_NEAR(count_pieces(s), 1, 0, "pieces when it has set");
        assert_true(left != 0 && left == middle && middle == right);
        stage_close(s);
    }
}

// A bar whose middle is melted by a heater falls into two.
static void test_bar_melts_through(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        const double z = dimension == 3 ? 0.12 : 0;
        Stage *s = stage_openf(
            "dimension: %d\ndomain: {min: [-0.5, 0, %g], max: [1.5, 1, %g]}\nfluid:\n"
            "  - {name: bar, spacing: 0.04, " MELTS "temperature: -5, specific_heat: 100, "
            "conductivity: 0.1,\n"
            "     shape: {type: box, min: [0, 0.4, 0], max: [1, 0.52, %g]}, regions:\n"
            "     [{shape: {type: box, min: [0, 0.4, 0], max: [0.08, 0.52, 1]}, fixed: true}]}\n"
            "heat: [{shape: {type: box, min: [0.44, 0, -1], max: [0.56, 1, 1]}, temperature: 40,\n"
            "   transfer: 2.0e+7, from: 0.1}]\n",
            dimension, dimension == 3 ? -0.5 : 0, dimension == 3 ? 0.5 : 0, z);
        Past past = past_of(s);
        stage_run(s, 0.1);
        const int before = count_pieces(s);
        CHECK_NEAR(farthest_moved(&past, s, 0), 0, 1e-3, "held at one end, solid, it stays");
        stage_run(s, 0.8);
        past_find(&past, s);
        double left = 0, right = 0, lowest = 1;
        for (int k = 0; k < past.count; ++k) {
            const double moved = past.at[k] < 0 ? 0 : past.x[k][1] - s->x[1][past.at[k]];
            if (past.x[k][0] < 0.4) left = fmax(left, fabs(moved) / 0.04);
            if (past.x[k][0] > 0.6)
                right = fmax(right, moved), lowest = fmin(lowest, s->x[1][past.at[k]]);
        }
        print_message("%dD bar: %d piece, then %d; left moved %.3g spacings, right fell %.3f m\n",
                      dimension, before, count_pieces(s), left, right);
        CHECK_NEAR(before, 1, 0, "pieces before");
        CHECK_NEAR(count_pieces(s), 2, 0, "pieces after");
        CHECK_NEAR(left, 0, 0.01, "the held half");
        CHECK_NEAR(right, 0.39, 0.06, "the free half lies on the floor");
        past_free(&past);
        stage_close(s);
    }
}

// ---- the letter h of the thesis, small: stem left, bridge, right leg. The stem is so wide that
// the letter can stand on it alone.

typedef struct Letter {
    double rest;    // farthest that what is solid has moved, spacings
    double soft;    // how far the piece in the right leg has sunk in the mean, spacings
    double top[3];  // how the top of the stem has moved, spacings
    double stretch; // largest change of a length between particles of the solid top, spacings
    int pieces;
} Letter;

// Which of its particles: those of the right leg's piece, or of all that is above both pieces.
static bool in_piece(const double x[3])
{
    return x[0] > 1.38 && x[1] > 0.24 && x[1] < 0.54;
}

static double top_stretch(const Past *p, const Stage *s)
{
    double worst = 0;
    for (int k = 0; k < p->count; ++k)
        for (int l = 0; l < k; ++l) {
            if (p->x[k][1] < 0.6 || p->x[l][1] < 0.6) continue;
            const double now = length_now(s, p->at[k], p->at[l]);
            worst = fmax(worst, fabs(now - length_then(p, k, l)) / s->scene.spacing);
        }
    return worst;
}

static Letter look_at_letter(Past *p, const Stage *s)
{
    Letter l = {.pieces = count_pieces(s)};
    int soft = 0, top = 0;
    past_find(p, s);
    for (int k = 0; k < p->count; ++k) {
        const double *x = p->x[k];
        double moved[3];
        for (int a = 0; a < 3; ++a)
            moved[a] = (s->x[a][p->at[k]] - x[a]) / s->scene.spacing;
        if (in_piece(x))
            l.soft -= moved[1], ++soft;
        else
            l.rest = fmax(l.rest, size_of(moved));
        for (int a = 0; a < 3 && x[1] > 1.5; ++a)
            l.top[a] += moved[a], top += a == 0;
    }
    l.soft /= soft;
    for (int a = 0; a < 3; ++a)
        l.top[a] /= top;
    l.stretch = top_stretch(p, s);
    return l;
}

// The right leg's piece, and the left one's, have these temperatures; solid is 0, liquid 100.
static Letter letter(double right, double left)
{
    Stage *s = stage_openf(
        "dimension: 3\ndomain: {min: [0, 0, 0], max: [2.4, 2, 0.84], slip: 0}\n"
        "method: {type: sph, rigidity: {tolerance: 1.0e-5}}\nfluid:\n"
        "  - {spacing: 0.06, temperature: 0, T_solid: 0, T_liquid: 100, shape: {type: union,\n"
        "     parts: [{type: box, min: [0.24, 0, 0.3], max: [1.02, 1.62, 0.54]},\n"
        "      {type: box, min: [1.02, 0.78, 0.3], max: [1.38, 1.08, 0.54]},\n"
        "      {type: box, min: [1.38, 0, 0.3], max: [1.8, 1.08, 0.54]}]}, regions:\n"
        "     [{shape: {type: box, min: [1.38, 0.24, 0.3], max: [1.8, 0.54, 0.54]},\n"
        "       temperature: %g},\n"
        "      {shape: {type: box, min: [0.24, 0.24, 0.3], max: [1.02, 0.54, 0.54]},\n"
        "       temperature: %g}]}\n",
        right, left);
    Past past = past_of(s);
    stage_run(s, 1.5);
    const Letter l = look_at_letter(&past, s);
    print_message(
        "h, pieces at %3g and %2g: %d solid pieces; rest moved %.3f, piece sank %.2f, top "
        "%+.3f %+.3f %+.4f spacings, lengths %.2g\n",
        right, left, l.pieces, l.rest, l.soft, l.top[0], l.top[1], l.top[2], l.stretch);
    check_sane(s, 5, "letter");
    past_free(&past);
    stage_close(s);
    return l;
}

// (a) The piece of one leg softens or melts: it comes off, and the rest stands on the other leg.
static void test_letter_a(void **state)
{
    (void)state;
    const Letter stiff = letter(20, 0), soft = letter(80, 0), melted = letter(100, 0);
    CHECK_NEAR(stiff.rest, 0, 0.01, "a stiff piece: the rest");
    CHECK_NEAR(soft.rest, 0, 0.01, "a soft piece: the rest");
    CHECK_NEAR(melted.rest, 0, 0.01, "a melted piece: the rest");
    CHECK_NEAR(melted.pieces, 2, 0, "what stands, and the foot");
    if (!(stiff.soft > 0.2 && soft.soft > stiff.soft + 1 && melted.soft > soft.soft + 1))
        fail_msg("the piece sinks by %g, %g, %g", stiff.soft, soft.soft, melted.soft);
}

// (b) Both legs are soft, the right one more so: the top stays in one piece and goes down with the
// left leg, towards the softer side and to neither side across.
static void test_letter_b(void **state)
{
    (void)state;
    const Letter b = letter(80, 50), even = letter(50, 50);
    CHECK_NEAR(b.pieces, 3, 0, "the top and two feet");
    CHECK_NEAR(b.stretch, 0, 1e-3, "lengths in the top");
    if (!(b.top[1] < -1)) fail_msg("the top does not go down: %g spacings", b.top[1]);
    if (!(b.top[0] > even.top[0] + 0.2)) fail_msg("the top leans %g spacings", b.top[0]);
    CHECK_NEAR(b.top[2], 0, 0.02, "across, spacings");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pour_sets),  cmocka_unit_test(test_set_density),
        cmocka_unit_test(test_layer_sets), cmocka_unit_test(test_bar_melts_through),
        cmocka_unit_test(test_letter_a),   cmocka_unit_test(test_letter_b),
    };
    ond_threads_set(1); // small scenes
    return cmocka_run_group_tests_name("setting", tests, NULL, NULL);
}
