// SPDX-License-Identifier: MIT
// Do the pairs of Dagenais 2012, table 5.2, look alike? Letters of a viscous liquid, of rigidity as
// the thesis words it, and of rigidity whose iterations end early (docs/melting.md tells why that
// is a reading of the thesis): how high they stand over time.
//
// Clocks play no part here, so that these rows can be taken on a machine that has other work.
#include "base/memory.h"
#include "bench/bench_melt.h"
#include "sim/frame.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET_S 600.0 // wall clock of a row: most take one to five minutes
#define BELOW    0.99  // share of the particles below the height: a crumb on top is none

const double ond_pair_times[OND_PAIR_TIMES] = {0.5, 1.0, 2.0, 4.0};

typedef struct PairScene {
    const char *name, *letters, *file;
    bool written; // as the thesis words it: constraints propagate, iterations end by its rule
} PairScene;

// The first of each pair is what the others are held against.
static const PairScene table[OND_PAIR_ROWS] = {
    {"pair-1000", "1000 Pa s", "letters-alike-mu1000", false},
    {"pair-1000", "s = 0.75, as written", "letters-alike-s0.75", true},
    {"pair-1000", "s = 0.75, ended early", "letters-alike-s0.75", false},
    {"pair-10000", "10 000 Pa s", "letters-alike-mu10000", false},
    {"pair-10000", "s = 0.92, as written", "letters-alike-s0.92", true},
    {"pair-10000", "s = 0.92, ended early", "letters-alike-s0.92", false},
    {"pair-100000", "100 000 Pa s", "letters-alike-mu100000", false},
    {"pair-100000", "s = 0.98, as written", "letters-alike-s0.98", true},
    {"pair-100000", "s = 0.98, ended early", "letters-alike-s0.98", false},
};

const char *ond_pair_name(int row)
{
    return row < OND_PAIR_ROWS ? table[row].name : NULL;
}

const char *ond_pair_file(int row)
{
    return row < OND_PAIR_ROWS ? table[row].file : NULL;
}

// ---- how high they stand

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// NAN without particles, or memory.
static double height_of(const OndFields *particles)
{
    const int count = particles->count;
    const OndField *const place = ond_fields_find(particles, "position");
    float *const y = place && count ? OND_NEW_ARRAY(float, count) : NULL;
    if (!y) return NAN;
    memcpy(y, place->data[1], sizeof *y * (size_t)count);
    qsort(y, (size_t)count, sizeof *y, by_size);
    const double height = y[(int)(BELOW * (count - 1))];
    ond_free(y);
    return height;
}

static void look(void *context, OndSim *sim)
{
    OndPairRow *const row = context;
    OndFrame frame;
    for (int k = 0; k < OND_PAIR_TIMES; ++k) {
        if (fabs(ond_sim_time(sim) - ond_pair_times[k]) > 0.25 / OND_LETTERS_RATE) continue;
        ond_sim_frame(sim, &frame);
        row->height[k] = height_of(&frame.particles);
    }
}

static double apart(const OndPairRow *row, const OndPairRow *first)
{
    double most = NAN;
    for (int k = 0; k < OND_PAIR_TIMES; ++k)
        most =
            fmax(most, fabs(row->height[k] / first->height[k] - 1.0)); // a NAN counts for nothing
    return most;
}

// ---- Markdown

static void print_head(void)
{
    printf("\n### pairs\n\nHow high the letters stand, in m: %.0f %% of their particles are below. "
           "The difference is the largest to the viscous ones of the pair, at the times that both "
           "reached.\n\n"
           "| pair | letters | particles | mean step, s | iterations per step |",
           100.0 * BELOW);
    for (int k = 0; k < OND_PAIR_TIMES; ++k)
        printf(" %g s |", ond_pair_times[k]);
    fputs(" difference |\n|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|\n", stdout);
}

static void print_row(const OndPairRow *row)
{
    const OndSceneTimes *t = &row->times;
    const double steps = t->steps > 0 ? (double)t->steps : 1.0;
    printf("| %s | %s | %d | %.3g | %.1f |", row->pair, row->letters, t->particles,
           t->simulated / steps, (double)t->rigid_iterations / steps);
    for (int k = 0; k < OND_PAIR_TIMES; ++k)
        if (isnan(row->height[k]))
            fputs(" – |", stdout);
        else
            printf(" %.3f |", row->height[k]);
    if (isnan(row->apart))
        fputs(" |\n", stdout);
    else
        printf(" %.0f %% |\n", 100.0 * row->apart);
    fflush(stdout);
}

// ---- JSON

static void json_number(double value)
{
    if (isnan(value))
        fputs("null", stdout);
    else
        printf("%.6g", value);
}

void ond_pairs_json(const OndPairRow *rows, int count)
{
    fputs("\"pairs\":[", stdout);
    for (int r = 0; r < count; ++r) {
        const OndPairRow *const row = &rows[r];
        printf("%s{\"pair\":\"%s\",\"letters\":\"%s\",\"particles\":%d,\"simulated_s\":%.6g,"
               "\"steps\":%lld,\"iterations\":%lld,\"heights_m\":[",
               r ? "," : "", row->pair, row->letters, row->times.particles, row->times.simulated,
               row->times.steps, row->times.rigid_iterations);
        for (int k = 0; k < OND_PAIR_TIMES; ++k) {
            if (k) putchar(',');
            json_number(row->height[k]);
        }
        fputs("],\"difference\":", stdout);
        json_number(row->apart);
        fputs(",\"error\":", stdout);
        if (row->times.error[0])
            ond_cli_json_text(stdout, row->times.error);
        else
            fputs("null", stdout);
        putchar('}');
    }
    putchar(']');
}

// ---- measuring

static OndStatus measure(const PairScene *pair, const OndBenchSettings *s, OndPairRow *row,
                         OndError *err)
{
    static const OndTexts written = {.item = {"method.rigidity.propagation=true",
                                              "method.rigidity.iterations=2000",
                                              "method.rigidity.stop=0.01"},
                                     .count = 3};
    OndBenchPlan plan = ond_letters_plan(s, BUDGET_S);
    OndSceneDef scene;
    *row = (OndPairRow){.pair = pair->name, .letters = pair->letters, .apart = NAN};
    for (int k = 0; k < OND_PAIR_TIMES; ++k)
        row->height[k] = NAN;
    plan.look = look, plan.context = row;
    OndStatus status = ond_bench_load(s->folder, pair->file, pair->written ? &written : NULL,
                                      pair->written ? "thesis" : NULL, &scene, err);
    if (status != OND_OK) return status;
    ond_bench_show(pair->name, pair->letters);
    status = ond_bench_scene(&scene, &plan, &row->times, err);
    ond_bench_show(NULL, NULL);
    ond_scene_free(&scene);
    return status;
}

static void print_errors(const OndPairRow *rows, int count)
{
    for (int k = 0; k < count; ++k)
        if (rows[k].times.error[0])
            printf("\n%s (%s) went wrong: %s\n", rows[k].pair, rows[k].letters,
                   rows[k].times.error);
}

OndStatus ond_pairs_measure(const OndBenchSettings *s, OndPairRow *rows, int *count, OndError *err)
{
    const OndPairRow *first = NULL;
    *count = 0;
    for (int r = 0; r < OND_PAIR_ROWS; ++r) {
        if (!ond_bench_wants(s, table[r].name)) continue;
        OndPairRow *const row = &rows[*count];
        const OndStatus status = measure(&table[r], s, row, err);
        if (status != OND_OK) return status;
        if (!first || strcmp(first->pair, row->pair) != 0)
            first = row;
        else
            row->apart = apart(row, first);
        if (!s->json && *count == 0) print_head();
        if (!s->json) print_row(row);
        ++*count;
    }
    if (!s->json) print_errors(rows, *count);
    return OND_OK;
}
