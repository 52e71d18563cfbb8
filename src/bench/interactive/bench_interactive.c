// SPDX-License-Identifier: MIT
// How much of real time a scene that one plays with reaches: pictures of a sixtieth of a second, through the
// very calls of the window and the page, drawing not counted.
//
// Liquids are a basin, ten times as wide as deep, into which a column at its end collapses (`2d`, `3d`); wax is
// letters under a torch that is held still; smoke is a plume in a cube. Water is as large as waves are in which
// one plays with so many particles: 0.05 m apart in 2D, 0.1 m in 3D. In larger water steps are longer.
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/bench_machine.h"
#include "view/play/play.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define PICTURE  (1.0 / 60)
#define WARM_UP  12 // pictures before those that count: the first solves find the pressure
#define PICTURES 90 // of a row: the collapse and its wave
#define BUDGET_S 15.0
#define QUICK_S  0.2
#define FLAT     0.05 // m between particles
#define DEEP     0.1

// As a game takes them: steps of 0.6 of the support, an error of half a percent.
#define GAME "courant: 0.6, density_error: 0.005"

typedef struct PlayedScene {
    const char *row, *method;
    int dimension; // of water; 0: `text`
    double particles;
    const char *text; // what else it is
    double height;    // of what is held under the torch, m; 0: nothing
} PlayedScene;

#define WAX(spacing)                                                                               \
    "domain: {min: [0, 0, 0], max: [1.5, 0.6, 0.6], slip: 0}\n"                                    \
    "air: {temperature: 15, exchange: 5}\n"                                                        \
    "method: {pressure: cg}\n"                                                                     \
    "fluid: [{material: wax, viscosity: 2, specific_heat: 1.25, latent_heat: 100,\n"               \
    "         spacing: " spacing ", shape: {type: text, text: WAX, height: 0.38, depth: 0.1,\n"    \
    "         at: [0.13, 0, 0.25]}}]\n"

#define CG    "pressure: cg, " GAME
#define IISPH "pressure: iisph, courant: 0.6, density_error: 0.01"
#define DFSPH "pressure: dfsph, courant: 0.6, density_error: 0.01"

static const PlayedScene table[] = {
    {"2d-10k", CG, 2, 1e4, NULL, 0},
    {"2d-50k", CG, 2, 5e4, NULL, 0},
    {"2d-100k", CG, 2, 1e5, NULL, 0},
    {"2d-100k-iisph", IISPH, 2, 1e5, NULL, 0},
    {"2d-100k-dfsph", DFSPH, 2, 1e5, NULL, 0},
    {"2d-100k-wcsph", "pressure: wcsph", 2, 1e5, NULL, 0},
    {"3d-10k", CG, 3, 1e4, NULL, 0},
    {"3d-30k", CG, 3, 3e4, NULL, 0},
    {"3d-30k-iisph", IISPH, 3, 3e4, NULL, 0},
    {"3d-30k-dfsph", DFSPH, 3, 3e4, NULL, 0},
    {"3d-30k-wcsph", "pressure: wcsph", 3, 3e4, NULL, 0},
    {"3d-100k", CG, 3, 1e5, NULL, 0},
    {"melt-3k", "", 0, 0, WAX("0.0215"), 0.19},
    {"melt-5k", "", 0, 0, WAX("0.018"), 0.19},
    {"melt-10k", "", 0, 0, WAX("0.0142"), 0.19},
    {"smoke-64", "", 0, 0,
     "domain: {min: [0, 0, 0], max: [3.2, 3.2, 3.2]}\n"
     "method: {type: smoke, cell: 0.05, courant: 4}\n"
     "fluid: [{temperature: 90}]\n"
     "source: [{rate: 3, temperature: 110,\n"
     "          shape: {type: sphere, center: [1.6, 0.4, 1.6], radius: 0.3}}]\n",
     0},
};

typedef struct PlayedRow {
    int particles, pictures, kept; ///< kept: that came in time
    long long cells, steps;
    double seconds, slowest; ///< of the clock, in all and of one picture
    double simulated;        ///< s
    double wide;             ///< m
    bool cut, burst;
} PlayedRow;

static const char *name_of(int row)
{
    return row < OND_COUNT(table) ? table[row].row : NULL;
}

// A basin of the width that holds so many particles: depth a tenth, at its end a column as high again.
static void write_water(const PlayedScene *s, char *text, size_t size)
{
    const double gap = s->dimension == 2 ? FLAT : DEEP, deep = 0.1, column = 0.15;
    const double share = deep * (1.0 + column), broad = 0.6;
    const double wide = s->dimension == 2 ? gap * sqrt(s->particles / share)
                                          : gap * cbrt(s->particles / (share * broad));
    snprintf(text, size,
             "dimension: %d\n"
             "domain: {min: [0, 0, 0], max: [%g, %g, %g], slip: 1}\n"
             "method: {%s}\n"
             "fluid:\n"
             "  - {spacing: %g, shape: {type: box, min: [0, 0, 0], max: [%g, %g, %g]}}\n"
             "  - {spacing: %g, shape: {type: box, min: [0, %g, 0], max: [%g, %g, %g]}}\n",
             s->dimension, wide, 0.4 * wide, broad * wide, s->method, gap, wide, deep * wide,
             broad * wide, gap, deep * wide, column * wide, 2.0 * deep * wide, broad * wide);
}

static OndPlay *make_play(const PlayedScene *s, PlayedRow *row, OndError *err)
{
    char text[1200];
    double low[3], high[3];
    OndPlay *play = NULL;
    if (s->text)
        snprintf(text, sizeof text, "%s", s->text);
    else
        write_water(s, text, sizeof text);
    OndScene *const scene = ond_scene_create();
    if (!scene)
        ond_fail(err, OND_NO_MEMORY, "not enough memory for a scene");
    else if (ond_scene_text(scene, text, "bench interactive", err) == OND_OK)
        play = ond_play_create(scene, err);
    ond_scene_destroy(scene);
    if (play && ond_sim_domain(ond_play_sim(play), low, high)) row->wide = high[0] - low[0];
    return play;
}

// From the front, at the middle of the letters.
static void hold_torch(OndPlay *play, double height)
{
    const OndPlayRay ray = {{0.75, height, 3}, {0, 0, -1}};
    ond_play_set_dial(play, ond_play_find_dial(play, "size"), 0.2, NULL);
    ond_play_tool(play, OND_TOOL_HEAT);
    ond_play_pointer(play, OND_POINTER_DOWN, &ray);
}

static double clock_now(void)
{
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static OndStatus warm_up(OndPlay *play, double budget, PlayedRow *row, OndError *err)
{
    OndStepReport last;
    OndStatus status = OND_OK;
    const double began = clock_now();
    for (int k = 0; k < WARM_UP && status == OND_OK && clock_now() - began < budget; ++k)
        status = ond_play_advance(play, PICTURE, HUGE_VAL, err);
    ond_sim_last_step(ond_play_sim(play), &last);
    row->steps = -last.step;
    row->simulated = -ond_sim_time(ond_play_sim(play));
    return status;
}

static OndStatus run_pictures(OndPlay *play, double budget, PlayedRow *row, OndError *err)
{
    OndStatus status = OND_OK;
    OndPlayStats stats = {0};
    OndStepReport last;
    while (status == OND_OK && row->pictures < PICTURES && row->seconds < budget && !stats.burst) {
        const double began = clock_now();
        status = ond_play_advance(play, PICTURE, HUGE_VAL, err);
        const double spent = clock_now() - began;
        ++row->pictures;
        row->kept += spent <= PICTURE;
        row->seconds += spent;
        row->slowest = fmax(row->slowest, spent);
        ond_play_stats(play, &stats);
    }
    ond_sim_last_step(ond_play_sim(play), &last);
    row->steps += last.step;
    row->simulated += stats.time;
    row->particles = stats.particles;
    row->cells = ond_sim_cell_count(ond_play_sim(play));
    row->burst = stats.burst;
    row->cut = row->pictures < PICTURES;
    return status;
}

static OndStatus measure(const PlayedScene *s, const OndBenchSettings *settings, PlayedRow *row,
                         OndError *err)
{
    const double budget = settings->quick            ? QUICK_S
                          : settings->full           ? HUGE_VAL
                          : settings->budget_s > 0.0 ? settings->budget_s
                                                     : BUDGET_S;
    *row = (PlayedRow){0};
    ond_bench_show(s->row, NULL);
    OndPlay *const play = make_play(s, row, err);
    if (play && s->height > 0.0) hold_torch(play, s->height);
    OndStatus status = play ? warm_up(play, budget, row, err) : err->status;
    if (status == OND_OK) status = run_pictures(play, budget, row, err);
    ond_play_destroy(play);
    ond_bench_show(NULL, NULL);
    return status;
}

// ---- the table

static void print_head(const OndMachine *machine)
{
    fputs("## interactive\n\n", stdout);
    ond_machine_print(machine);
    printf(
        "\n\n%d pictures of 1/60 s, after %d that do not count, through the calls of the window "
        "and the page, drawing not counted, %d thread%s; where a * stands, a budget of time ended "
        "it before. Water is a basin ten times as wide as deep, with a column at its end that "
        "collapses, particles %g m apart in 2D and %g m in 3D; wax is letters under a torch. "
        "Without a word more: `cg` with `courant: 0.6`, `density_error: 0.005`; `iisph` and "
        "`dfsph` with 0.01. In time: pictures that took no longer than a sixtieth.\n\n",
        PICTURES, WARM_UP, ond_threads(), ond_threads() > 1 ? "s" : "", FLAT, DEEP);
    fputs(
        "| scene | particles or cells | wide, m | of real time | ms a picture | slowest | in time "
        "| steps a picture | ns per particle and step |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        stdout);
}

static double elements(const PlayedRow *row)
{
    return row->cells > 0 ? (double)row->cells : row->particles;
}

static void print_row(const PlayedScene *s, const PlayedRow *row)
{
    const double n = row->pictures, steps = (double)row->steps;
    if (row->burst) {
        printf("| %s | %.0f | %.3g | it burst after %.3g s ||||||\n", s->row, elements(row),
               row->wide, row->simulated);
        return;
    }
    printf("| %s | %.0f | %.3g | %.2f | %.1f%s | %.1f | %.0f %% | %.1f | %.0f |\n", s->row,
           elements(row), row->wide, row->simulated / row->seconds, 1e3 * row->seconds / n,
           row->cut ? " *" : "", 1e3 * row->slowest, 100.0 * row->kept / n, steps / n,
           1e9 * row->seconds / (steps * elements(row)));
}

static void print_json_row(const PlayedScene *s, const PlayedRow *row, bool first)
{
    printf("%s{\"row\":\"%s\",\"particles\":%d,\"cells\":%lld,\"wide_m\":%.6g,\"pictures\":%d,"
           "\"in_time\":%d,\"seconds\":%.6g,\"slowest_s\":%.6g,\"simulated_s\":%.6g,"
           "\"real_time\":%.6g,\"steps\":%lld,\"cut\":%s,\"burst\":%s}",
           first ? "" : ",", s->row, row->particles, row->cells, row->wide, row->pictures,
           row->kept, row->seconds, row->slowest, row->simulated, row->simulated / row->seconds,
           row->steps, row->cut ? "true" : "false", row->burst ? "true" : "false");
}

static OndStatus measure_rows(const OndBenchSettings *settings, int *wrong, OndError *err)
{
    OndStatus status = OND_OK;
    int rows = 0;
    for (int k = 0; k < OND_COUNT(table) && status == OND_OK; ++k) {
        PlayedRow row;
        if (!ond_bench_wants(settings, table[k].row)) continue;
        status = measure(&table[k], settings, &row, err);
        if (status != OND_OK) break;
        *wrong += row.burst;
        if (settings->json)
            print_json_row(&table[k], &row, rows++ == 0);
        else
            print_row(&table[k], &row);
        fflush(stdout);
    }
    return status;
}

OndStatus ond_bench_interactive(const OndBenchSettings *settings, OndError *err)
{
    OndMachine machine;
    int wrong = 0;
    OndStatus status = ond_bench_check_names(settings, name_of, err);
    if (status != OND_OK) return status;
    ond_machine_measure(&machine);
    if (settings->json) {
        fputs("{\"bench\":\"interactive\",\"machine\":", stdout);
        ond_machine_json(&machine);
        fputs(",\"rows\":[", stdout);
    } else
        print_head(&machine);
    status = measure_rows(settings, &wrong, err);
    if (settings->json) puts("]}");
    return status == OND_OK ? ond_bench_wrong_rows(wrong, err) : status;
}
