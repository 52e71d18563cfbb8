// SPDX-License-Identifier: MIT
// The second table of Dagenais 2012: three letters made stiff by viscosity, or by rigidity, until
// they look the same. Viscosity pays with the length of its steps. Whether they do look the same is
// in bench_letters_pairs.c.
#include "base/memory.h"
#include "bench/bench_machine.h"
#include "bench/bench_melt.h"

#include <math.h>

#define SECONDS  4.0  // simulated in the thesis
#define BUDGET_S 30.0 // wall clock of a row, s
#define QUICK_S  2.0

typedef struct Letters {
    const char *scene;
    bool rigid; // by rigidity: both solvers
    double step_s, minutes;
} Letters;

static const Letters table[] = {
    {"letters-mu1000", false, 6.1e-4, 47.8},     {"letters-mu10000", false, 6.1e-5, 484.8},
    {"letters-mu100000", false, 5.9e-6, 4474.3}, {"letters-s0.75", true, 4.05e-3, 85.0},
    {"letters-s0.92", true, 4.80e-3, 103.7},     {"letters-s0.98", true, 6.36e-3, 161.7},
};

typedef struct LettersRow {
    const Letters *letters;
    const char *solver; // NULL: viscosity
    OndSceneTimes times;
} LettersRow;

static const char *row_name(int row)
{
    const int count = OND_COUNT(table);
    return row < count ? table[row].scene : ond_pair_name(row - count);
}

static const char *file_name(int row)
{
    const int count = OND_COUNT(table);
    return row < count ? table[row].scene : ond_pair_file(row - count);
}

OndBenchPlan ond_letters_plan(const OndBenchSettings *s, double budget_s)
{
    const double seconds = s->seconds > 0.0 ? s->seconds : SECONDS;
    OndBenchPlan plan = {.frames = (int)ceil(seconds * OND_LETTERS_RATE - 1e-9),
                         .budget_s = s->quick ? QUICK_S : budget_s};
    if (s->budget_s > 0.0) plan.budget_s = s->budget_s;
    if (s->full) plan.budget_s = HUGE_VAL;
    return plan;
}

// ---- what a row says

static double mean_step(const OndSceneTimes *t)
{
    return t->steps > 0 ? t->simulated / (double)t->steps : 0.0;
}

static double per_second(const OndSceneTimes *t)
{
    return t->simulated > 0.0 ? t->seconds / t->simulated : 0.0;
}

// The time for all of it is a forecast.
static bool scaled(const OndSceneTimes *t)
{
    return t->simulated < SECONDS - 1e-6;
}

static double per_step(long long count, const OndSceneTimes *t)
{
    return t->steps > 0 ? (double)count / (double)t->steps : 0.0;
}

// ---- Markdown

static void print_head(const OndMachine *machine, const OndBenchPlan *plan)
{
    fputs("## letters\n\n", stdout);
    ond_machine_print(machine);
    printf(" Up to %.4g s are simulated", plan->frames / OND_LETTERS_RATE);
    if (isfinite(plan->budget_s)) printf(" in up to %.3g s a row", plan->budget_s);
    printf("; a row marked * simulated less than %.3g s, and its time for them is scaled from what "
           "it did (`--budget S` gives a row more, `--full` all it needs). The thesis's columns "
           "are Dagenais 2012, on the hardware of its day.\n\n",
           SECONDS);
}

static void print_columns(void)
{
    printf("| scene | solver | particles | simulated, s | steps | mean step, s | iterations per "
           "step | steps at the cap | s per simulated s | min for %.3g s | thesis: mean step, s | "
           "min for %.3g s |\n"
           "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
           SECONDS, SECONDS);
}

static void print_row(const LettersRow *row)
{
    const OndSceneTimes *t = &row->times;
    printf("| %s | %s | %d |", row->letters->scene, row->solver ? row->solver : "viscosity",
           t->particles);
    if (t->error[0])
        printf(" went wrong after %lld steps | | | | | | |", t->steps);
    else
        printf(" %.4g%s | %lld | %.3g | %.1f | %lld | %.4g | %.3g%s |", t->simulated,
               scaled(t) ? " *" : "", t->steps, mean_step(t), per_step(t->rigid_iterations, t),
               t->unconverged, per_second(t), SECONDS * per_second(t) / 60.0,
               scaled(t) ? " *" : "");
    printf(" %.3g | %.1f |\n", row->letters->step_s, row->letters->minutes);
    fflush(stdout);
}

static void print_errors(const LettersRow *rows, int count)
{
    for (int k = 0; k < count; ++k)
        if (rows[k].times.error[0])
            printf("\n%s (%s) went wrong: %s\n", rows[k].letters->scene,
                   rows[k].solver ? rows[k].solver : "viscosity", rows[k].times.error);
}

// ---- JSON

static void json_row(const LettersRow *row)
{
    const OndSceneTimes *t = &row->times;
    printf(
        "{\"scene\":\"%s\",\"solver\":\"%s\",\"particles\":%d,\"simulated_s\":%.6g,"
        "\"steps\":%lld,\"mean_step_s\":%.6g,\"iterations_per_step\":%.6g,"
        "\"unconverged_steps\":%lld,\"unsettled_steps\":%lld,\"seconds_per_simulated_second\":%.6g,"
        "\"minutes_for_4_s\":%.6g,\"scaled\":%s,\"thesis_mean_step_s\":%.6g,"
        "\"thesis_minutes_for_4_s\":%.6g,\"error\":",
        row->letters->scene, row->solver ? row->solver : "viscosity", t->particles, t->simulated,
        t->steps, mean_step(t), per_step(t->rigid_iterations, t), t->unconverged, t->unsettled,
        per_second(t), SECONDS * per_second(t) / 60.0, scaled(t) ? "true" : "false",
        row->letters->step_s, row->letters->minutes);
    if (t->error[0])
        ond_cli_json_text(stdout, t->error);
    else
        fputs("null", stdout);
    putchar('}');
}

static void print_json(const OndMachine *machine, const LettersRow *rows, int count,
                       const OndPairRow *pairs, int pair_count)
{
    fputs("{\"bench\":\"letters\",\"machine\":", stdout);
    ond_machine_json(machine);
    fputs(",\"rows\":[", stdout);
    for (int k = 0; k < count; ++k) {
        if (k) putchar(',');
        json_row(&rows[k]);
    }
    fputs("],", stdout);
    ond_pairs_json(pairs, pair_count);
    puts("}");
}

// ---- measuring

static OndStatus measure(const Letters *letters, const char *solver, const OndBenchPlan *plan,
                         const OndBenchSettings *s, LettersRow *row, OndError *err)
{
    *row = (LettersRow){.letters = letters, .solver = solver};
    const OndStatus status =
        ond_bench_scene_file(s->folder, letters->scene, solver, plan, &row->times, err);
    if (status == OND_OK && !s->json) print_row(row);
    return status;
}

static OndStatus measure_all(const OndBenchSettings *s, const OndBenchPlan *plan, LettersRow *rows,
                             int *count, OndError *err)
{
    OndStatus status = OND_OK;
    for (int r = 0; r < OND_COUNT(table); ++r)
        for (int k = 0; ond_bench_solvers[k] && status == OND_OK; ++k) {
            const bool once = !table[r].rigid && k > 0;
            if (!ond_bench_wants(s, table[r].scene) || once) continue;
            if (table[r].rigid && s->solver >= 0 && s->solver != k) continue;
            if (*count == 0 && !s->json) print_columns();
            status = measure(&table[r], table[r].rigid ? ond_bench_solvers[k] : NULL, plan, s,
                             &rows[*count], err);
            if (status == OND_OK) ++*count;
        }
    return status;
}

OndStatus ond_bench_letters(const OndBenchSettings *settings, OndError *err)
{
    const OndBenchPlan plan = ond_letters_plan(settings, BUDGET_S);
    LettersRow rows[2 * OND_COUNT(table)];
    OndPairRow pairs[OND_PAIR_ROWS];
    OndMachine machine;
    int count = 0, pair_count = 0, wrong = 0;
    OndStatus status = ond_bench_check_names(settings, row_name, err);
    if (status == OND_OK) status = ond_bench_check_files(settings, row_name, file_name, err);
    if (status != OND_OK) return status;
    ond_machine_measure(&machine);
    if (!settings->json) print_head(&machine, &plan);
    status = measure_all(settings, &plan, rows, &count, err);
    if (status == OND_OK) status = ond_pairs_measure(settings, pairs, &pair_count, err);
    if (status != OND_OK) return status;
    if (settings->json)
        print_json(&machine, rows, count, pairs, pair_count);
    else
        print_errors(rows, count);
    for (int k = 0; k < count; ++k)
        wrong += rows[k].times.error[0] != '\0';
    for (int k = 0; k < pair_count; ++k)
        wrong += pairs[k].times.error[0] != '\0';
    return ond_bench_wrong_rows(wrong, err);
}
