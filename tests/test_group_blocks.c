// SPDX-License-Identifier: MIT
// The blocks of groups that move stiffly hold what their links do: the energy of any motion by the blocks is the sum
// over the links, one by one, in every instruction set; and the blocks of groups of groups hold the same.
#include "base/cpu.h"
#include "base/random.h"
#include "check.h"
#include "particles/loops/loops.h"

#include <math.h>
#include <string.h>

#define LOCALS  60
#define GROUPS  9
#define LARGER  3
#define WITHOUT 6 // locals without a group
#define REACH   0.5
#define ROOM    4096

extern const OndLoops ond_loops_base;
extern const OndLoops ond_loops_v3 __attribute__((weak)), ond_loops_v4 __attribute__((weak));

static double within(double low, double high, int key, int stream)
{
    return low + (high - low) * (double)ond_random((uint64_t)key, (uint64_t)stream);
}

typedef struct Links {
    uint32_t first[LOCALS], length[LOCALS], near[ROOM];
    float g[3][ROOM], x[3][LOCALS];
    int home[LOCALS], member[GROUPS][LOCALS], members[GROUPS];
} Links;

// Particles in a cube, linked to all within reach, by stiffness of nine orders; lists end with links to oneself.
static void make_links(Links *l)
{
    uint32_t at = 0;
    memset(l, 0, sizeof *l);
    for (int i = 0; i < LOCALS; ++i) {
        for (int a = 0; a < 3; ++a)
            l->x[a][i] = (float)within(0, 1, i, a);
        l->home[i] = i < WITHOUT ? -1 - i % 2 : i % GROUPS;
        if (i >= WITHOUT) l->member[i % GROUPS][l->members[i % GROUPS]++] = i;
    }
    for (int i = 0; i < LOCALS; ++i) {
        l->first[i] = at;
        for (int j = 0; j < LOCALS; ++j) {
            double far = 0;
            for (int a = 0; a < 3; ++a)
                far += pow(l->x[a][i] - l->x[a][j], 2);
            if (j == i || far > REACH * REACH) continue;
            const float root = (float)pow(10, within(0, 4.5, i < j ? i : j, 7));
            for (int a = 0; a < 3; ++a)
                l->g[a][at] = root * (l->x[a][i] - l->x[a][j]);
            l->near[at++] = (uint32_t)j;
        }
        for (int k = 0; k < 3; ++k)
            l->near[at++] = (uint32_t)i;
        l->length[i] = at - l->first[i];
        assert_true(at + LOCALS < ROOM);
    }
}

// Velocity at x of a group that moves by `motion` about c.
static void velocity(const double motion[6], const double c[3], const double x[3], double v[3])
{
    for (int a = 0; a < 3; ++a) {
        const int p = (a + 1) % 3, q = (a + 2) % 3;
        v[a] = motion[a] + motion[3 + p] * (x[q] - c[q]) - motion[3 + q] * (x[p] - c[p]);
    }
}

// Sum over links between what moves differently.
static double energy_of_links(const Links *l, const double center[][3], const double motion[][6])
{
    double sum = 0;
    for (int i = 0; i < LOCALS; ++i)
        for (uint32_t e = l->first[i]; e < l->first[i] + l->length[i]; ++e) {
            const int j = (int)l->near[e], one = l->home[i], other = l->home[j];
            if (j <= i || one == other || (one < 0 && other < 0)) continue;
            double along = 0, v[2][3] = {{0}};
            for (int k = 0; k < 2; ++k) {
                const int at = k ? j : i;
                const double x[3] = {l->x[0][at], l->x[1][at], l->x[2][at]};
                if (l->home[at] >= 0) velocity(motion[l->home[at]], center[l->home[at]], x, v[k]);
            }
            for (int a = 0; a < 3; ++a)
                along += l->g[a][e] * (v[0][a] - v[1][a]);
            sum += along * along;
        }
    return sum;
}

typedef struct Level {
    int count;
    double center[GROUPS][3], tie[GROUPS][36], link[GROUPS * GROUPS][36];
    uint32_t first[GROUPS], length[GROUPS], near[GROUPS * GROUPS];
} Level;

static double energy_of_blocks(const Level *level, const double motion[][6])
{
    double sum = 0;
    for (int k = 0; k < level->count; ++k)
        for (int a = 0; a < 6; ++a) {
            for (int b = 0; b < 6; ++b)
                sum += motion[k][a] * level->tie[k][6 * a + b] * motion[k][b];
            for (uint32_t e = level->first[k]; e < level->first[k] + level->length[k]; ++e)
                for (int b = 0; b < 6; ++b) // column by column
                    sum += motion[k][a] * level->link[e][6 * b + a] * motion[level->near[e]][b];
        }
    return sum;
}

static void tie(const OndLoops *loops, const Links *l, Level *level)
{
    uint32_t seat[GROUPS], used = 0;
    memset(seat, 0x5a, sizeof seat); // whatever was there before
    memset(level, 0x7f, sizeof *level);
    level->count = GROUPS;
    for (int k = 0; k < GROUPS; ++k)
        for (int a = 0; a < 3; ++a)
            level->center[k][a] = within(0, 1, k, 11 + a);
    const OndTieLoop loop = {l->first,
                             l->length,
                             l->near,
                             l->g[0],
                             l->g[1],
                             l->g[2],
                             l->x[0],
                             l->x[1],
                             l->x[2],
                             l->home,
                             (const double(*)[3])level->center,
                             level->tie,
                             level->link,
                             level->near};
    for (int k = 0; k < GROUPS; ++k) {
        OndSeats seats = {seat, used, 0};
        memset(level->tie[k], 0, sizeof *level->tie);
        const int half = l->members[k] / 2; // as a body's group, in two goes
        loops->tie(&loop, &seats, k, l->member[k], half);
        loops->tie(&loop, &seats, k, l->member[k] + half, l->members[k] - half);
        loops->share(&loop, &seats, k);
        level->first[k] = used, level->length[k] = seats.count;
        used += seats.count;
    }
}

// Groups k, k + LARGER, k + 2 LARGER... are one. Every block is kept, also where there is nothing.
static void carry(const OndLoops *loops, const Level *below, Level *level)
{
    memset(level, 0, sizeof *level);
    level->count = LARGER;
    for (int k = 0; k < LARGER; ++k) {
        for (int a = 0; a < 3; ++a)
            level->center[k][a] = within(0, 1, k, 21 + a);
        level->first[k] = (uint32_t)(LARGER * k), level->length[k] = LARGER;
        for (int o = 0; o < LARGER; ++o)
            level->near[LARGER * k + o] = (uint32_t)o;
    }
    for (int i = 0; i < below->count; ++i) {
        const int k = i % LARGER;
        double mine[3], theirs[3];
        for (int a = 0; a < 3; ++a)
            mine[a] = below->center[i][a] - level->center[k][a];
        loops->carry(level->tie[k], below->tie[i], mine, mine);
        for (uint32_t e = below->first[i]; e < below->first[i] + below->length[i]; ++e) {
            const int j = (int)below->near[e], other = j % LARGER;
            for (int a = 0; a < 3; ++a)
                theirs[a] = below->center[j][a] - level->center[other][a];
            loops->carry(level->link[LARGER * k + other], below->link[e], theirs, mine);
        }
    }
}

static void check_set(const char *name, const OndLoops *loops)
{
    static Links links;
    static Level level, above;
    double worst = 0, still = 0;
    make_links(&links);
    tie(loops, &links, &level);
    carry(loops, &level, &above);
    for (int round = 0; round < 20; ++round) {
        double large[LARGER][6], small[GROUPS][6], parts[GROUPS][6];
        for (int k = 0; k < GROUPS; ++k)
            for (int a = 0; a < 6; ++a)
                small[k][a] = within(-1, 1, k + 100 * round, a);
        for (int k = 0; k < LARGER; ++k)
            for (int a = 0; a < 6; ++a)
                large[k][a] = within(-1, 1, k + 100 * round, 30 + a);
        for (int i = 0; i < GROUPS; ++i) { // as the larger ones move
            velocity(large[i % LARGER], above.center[i % LARGER], level.center[i], parts[i]);
            memcpy(parts[i] + 3, large[i % LARGER] + 3, 3 * sizeof(double));
        }
        const double want = energy_of_links(&links, level.center, small);
        const double whole = energy_of_links(&links, level.center, parts);
        worst = fmax(worst, fabs(energy_of_blocks(&level, small) / want - 1));
        still = fmax(still, fabs(energy_of_blocks(&above, large) / whole - 1));
    }
    print_message("%s: energies off by %.1g of them, of larger groups by %.1g\n", name, worst,
                  still);
    // links are single numbers: their direction is right to 1e-7
    CHECK_NEAR(worst, 0, 1e-6, name);
    CHECK_NEAR(still, 0, 1e-6, name);
}

static void energies(void **state)
{
    ond_loops(); // pulls the others out of the library where it has them
    check_set("base", &ond_loops_base);
    if (ond_cpu_isa() >= OND_ISA_V3 && &ond_loops_v3) check_set("v3", &ond_loops_v3);
    if (ond_cpu_isa() >= OND_ISA_V4 && &ond_loops_v4) check_set("v4", &ond_loops_v4);
}

// All groups turn as one: nothing is stretched, whatever rounding does to stiff links.
static void turns(void **state)
{
    static Links links;
    static Level level;
    make_links(&links);
    for (int i = 0; i < WITHOUT; ++i) // nothing stands still
        links.home[i] = i % GROUPS, links.member[i % GROUPS][links.members[i % GROUPS]++] = i;
    tie(ond_loops(), &links, &level);
    const double whole[6] = {1, -2, 3, 4, 5, -6}, about[3] = {0.3, 0.4, 0.5};
    double motion[GROUPS][6], size = 0;
    for (int k = 0; k < GROUPS; ++k) {
        velocity(whole, about, level.center[k], motion[k]);
        memcpy(motion[k] + 3, whole + 3, 3 * sizeof(double));
        for (int a = 0; a < 6; ++a)
            size += level.tie[k][7 * a] * motion[k][a] * motion[k][a];
    }
    print_message("a turn as one: energy %.1g of its parts\n",
                  fabs(energy_of_blocks(&level, motion)) / size);
    CHECK_NEAR(energy_of_blocks(&level, motion) / size, 0, 1e-14, "a turn as one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energies), cmocka_unit_test(turns)};
    return cmocka_run_group_tests_name("group blocks", tests, NULL, NULL);
}
