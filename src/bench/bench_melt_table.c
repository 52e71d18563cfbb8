// SPDX-License-Identifier: MIT
#include "bench/bench_melt.h"

#include <math.h>
#include <string.h>

// ---- what a row says

typedef struct Figures {
    double frame_s, step_s, steps, iterations, share;
} Figures;

static Figures figures(const OndSceneTimes *t)
{
    const double steps = t->steps > 0 ? (double)t->steps : 1.0;
    const double frames = t->frames > 0.0 ? t->frames : 1.0;
    return (Figures){.frame_s = t->seconds / frames,
                     .step_s = t->seconds / steps,
                     .steps = (double)t->steps / frames,
                     .iterations = (double)t->rigid_iterations / steps,
                     .share = t->seconds > 0.0 ? t->rigid_s / t->seconds : 0.0};
}

static double iterations_ratio(const OndMelt *melt)
{
    const double few = figures(&melt->scaling[0].times).iterations,
                 many = figures(&melt->scaling[melt->scaling_count - 1].times).iterations;
    return few > 0.0 ? many / few : 0.0;
}

// ---- Markdown

void ond_melt_print_head(const OndMelt *melt)
{
    const OndBenchPlan *plan = &melt->plan;
    fputs("## melt\n\n", stdout);
    ond_machine_print(&melt->machine);
    printf(" Means over %d frames after %d to warm up", plan->frames, plan->warm_up);
    if (isfinite(plan->budget_s))
        printf("; a row marked * reached its budget of %.3g s (%.3g s to warm up) first: it leaves "
               "out the rest, and is the mean over as many of its first frames as it shows "
               "(`--budget S` gives it more, `--full` all)",
               plan->budget_s, plan->warm_up_s);
    fputs(".\n", stdout);
}

void ond_melt_print_columns(void)
{
    fputs("\nThe thesis's columns are Dagenais 2012, on the hardware of its day.\n\n"
          "| scene | solver | particles | moving | s per frame | s per step | steps per frame | in "
          "rigidity "
          "| iterations per step | steps at the cap | frames | thesis: particles | s per frame | s "
          "per step | steps per frame | in rigidity |\n"
          "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          stdout);
}

static void print_thesis(const OndThesisRow *t)
{
    if (t)
        printf(" %.1fk | %.1f | %.1f | %.1f | %.0f %% |", 1e-3 * t->particles, t->seconds_per_frame,
               t->seconds_per_step, t->steps_per_frame, 100.0 * t->rigid_share);
    putchar('\n');
    fflush(stdout);
}

static void print_measured(const OndMeltRow *row)
{
    const OndSceneTimes *t = &row->times;
    const Figures f = figures(t);
    printf("| %s | %s | %d | %d |", row->scene, row->solver, t->particles, t->moving);
    if (t->error[0])
        printf(" went wrong after %lld steps | | | | | | |", t->steps);
    else
        printf(" %.3g | %.3g | %.1f | %.0f %% | %.1f | %lld | %.3g%s |", f.frame_s, f.step_s,
               f.steps, 100.0 * f.share, f.iterations, t->unconverged, t->frames,
               t->cut ? " *" : "");
}

void ond_melt_print_row(const OndMeltRow *row)
{
    print_measured(row);
    print_thesis(row->thesis);
}

// The slowest row of a solver; NULL: none was measured.
static const OndMeltRow *slowest(const OndMelt *melt, const char *solver, const char *prefix)
{
    const OndMeltRow *worst = NULL;
    for (int k = 0; k < melt->count; ++k) {
        const OndMeltRow *row = &melt->row[k];
        if (strcmp(row->solver, solver) != 0 || row->times.error[0]) continue;
        if (strncmp(row->scene, prefix, strlen(prefix)) != 0) continue;
        if (!worst || figures(&row->times).frame_s > figures(&worst->times).frame_s) worst = row;
    }
    return worst;
}

static void print_slowest(const OndMelt *melt, const char *solver)
{
    const OndMeltRow *worst = slowest(melt, solver, "");
    const OndMeltRow *liquid = slowest(melt, solver, "blocks-s0.00"),
                     *block = slowest(melt, solver, "blocks-");
    if (!worst) return;
    printf("\n`%s`: at most %.3g s per frame (%s)", solver, figures(&worst->times).frame_s,
           worst->scene);
    if (liquid && melt->count > 1)
        printf("; on the blocks, at most %.2f times the time at s = 0 (%s)",
               figures(&block->times).frame_s / figures(&liquid->times).frame_s, block->scene);
    fputs(".\n", stdout);
}

static void print_errors(const OndMelt *melt)
{
    const int all = melt->count + melt->scaling_count;
    for (int k = 0; k < all; ++k) {
        const OndMeltRow *row = k < melt->count ? &melt->row[k] : &melt->scaling[k - melt->count];
        if (row->times.error[0])
            printf("\n%s with `%s` went wrong: %s\n", row->scene, row->solver, row->times.error);
    }
}

static void print_scaling(const OndMelt *melt)
{
    if (melt->scaling_count < 2) return;
    printf("\n### scaling\n\nA column on a held base, s from 0.99 at its foot to 0.7 at the top, "
           "and the same in eight times the particles%s.\n\n",
           melt->scaling_count > 2 ? " and in 64 times" : "");
    fputs("| scene | solver | particles | moving | s per frame | s per step | steps per frame | in "
          "rigidity | iterations per step | steps at the cap | frames |\n"
          "|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          stdout);
    for (int k = 0; k < melt->scaling_count; ++k)
        ond_melt_print_row(&melt->scaling[k]);
    if (iterations_ratio(melt) > 0.0)
        printf("\nIterations per step grow %.2f times.\n", iterations_ratio(melt));
    else
        fputs("\nNo iterations were needed.\n", stdout);
}

void ond_melt_print_end(const OndMelt *melt)
{
    for (int k = 0; k < melt->refused_count; ++k)
        printf("\n" OND_MELT_REFUSED ".\n", melt->refused[k]);
    for (int k = 0; ond_bench_solvers[k]; ++k)
        print_slowest(melt, ond_bench_solvers[k]);
    print_scaling(melt);
    print_errors(melt);
}

// ---- JSON

static void json_row(const OndMeltRow *row)
{
    const OndSceneTimes *t = &row->times;
    const Figures f = figures(t);
    printf("{\"scene\":\"%s\",\"solver\":\"%s\",\"particles\":%d,\"seconds_per_frame\":%.6g,"
           "\"steps_per_frame\":%.6g,\"iterations_per_step\":%.6g,\"rigid_share\":%.4f,"
           "\"seconds_per_step\":%.6g,\"frames\":%.6g,\"cut_by_budget\":%s,"
           "\"unconverged_steps\":%lld,\"unsettled_steps\":%lld,\"moving\":%d,\"error\":",
           row->scene, row->solver, t->particles, f.frame_s, f.steps, f.iterations, f.share,
           f.step_s, t->frames, t->cut ? "true" : "false", t->unconverged, t->unsettled, t->moving);
    if (t->error[0])
        ond_cli_json_text(stdout, t->error);
    else
        fputs("null", stdout);
    if (row->thesis)
        printf(",\"thesis_particles\":%d,\"thesis_seconds_per_frame\":%.6g,"
               "\"thesis_seconds_per_step\":%.6g,\"thesis_steps_per_frame\":%.6g,"
               "\"thesis_rigid_share\":%.6g",
               row->thesis->particles, row->thesis->seconds_per_frame,
               row->thesis->seconds_per_step, row->thesis->steps_per_frame,
               row->thesis->rigid_share);
    putchar('}');
}

static void json_rows(const OndMeltRow *rows, int count)
{
    fputs("\"rows\":[", stdout);
    for (int k = 0; k < count; ++k) {
        if (k) putchar(',');
        json_row(&rows[k]);
    }
    putchar(']');
}

void ond_melt_json(const OndMelt *melt)
{
    fputs("{\"bench\":\"melt\",\"machine\":", stdout);
    ond_machine_json(&melt->machine);
    printf(",\"warm_up_frames\":%d,\"frames\":%d,\"budget_s\":", melt->plan.warm_up,
           melt->plan.frames);
    if (isfinite(melt->plan.budget_s))
        printf("%.6g,", melt->plan.budget_s);
    else
        fputs("null,", stdout);
    json_rows(melt->row, melt->count);
    fputs(",\"refused\":[", stdout);
    for (int k = 0; k < melt->refused_count; ++k)
        printf("%s\"%s\"", k ? "," : "", melt->refused[k]);
    putchar(']');
    if (melt->scaling_count > 1) {
        fputs(",\"scaling\":{", stdout);
        json_rows(melt->scaling, melt->scaling_count);
        printf(",\"iterations_ratio\":%.4f}", iterations_ratio(melt));
    }
    if (melt->melting_count) {
        putchar(',');
        ond_melting_json(melt->melting, melt->melting_count);
    }
    puts("}");
}
