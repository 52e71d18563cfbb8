// SPDX-License-Identifier: MIT
// The table of bench_melt_scenes.c.
#include "bench/bench_melt.h"

typedef struct MeltingFigures {
    double end, iterations, solves, asleep, step_us, frame_s, share, times_water;
} MeltingFigures;

static MeltingFigures figures(const OndMeltingRow *row)
{
    const OndSceneTimes *t = &row->times;
    const double steps = t->steps > 0 ? (double)t->steps : 1.0;
    const double step_us = row->particle_steps > 0.0 ? 1e6 * t->seconds / row->particle_steps : 0.0;
    return (MeltingFigures){.end = t->start + t->simulated,
                            .iterations = (double)t->rigid_iterations / steps,
                            .solves = row->solves / steps,
                            .asleep =
                                row->particle_steps > 0.0 ? row->asleep / row->particle_steps : 0.0,
                            .step_us = step_us,
                            .frame_s = t->frames > 0.0 ? t->seconds / t->frames : 0.0,
                            .share = t->seconds > 0.0 ? t->rigid_s / t->seconds : 0.0,
                            .times_water = row->water_us > 0.0 ? step_us / row->water_us : 0.0};
}

// ---- Markdown

static void print_columns(void)
{
    fputs("\n### what really melts\n\n"
          "Shipped scenes, and the same in about eight times the particles, in a window of time in "
          "which "
          "they melt; where a * stands, a budget of time ended before it or within, and what was "
          "measured lies earlier or is shorter. Water is `bench sph`'s 50k particles, measured "
          "after each row.\n\n"
          "| scene | particles | window, s | steps | iterations per step | 99th percentile | most "
          "| contact sets per step | most | steps at the cap | unsettled steps | asleep | us per "
          "particle "
          "and step "
          "| s per frame | in rigidity | water: us per particle and step | times water |\n"
          "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          stdout);
}

void ond_melting_print_row(const OndMeltingRow *row, bool first)
{
    const OndSceneTimes *t = &row->times;
    const MeltingFigures f = figures(row);
    if (first) print_columns();
    printf("| %s | %d | %.3f to %.3f%s | %lld |", row->scene, t->particles, t->start, f.end,
           row->moved ? " *" : "", t->steps);
    if (t->error[0])
        puts(" went wrong | | | | | | | | | | | | |");
    else
        printf(" %.1f | %d | %d | %.2f | %d | %lld | %lld | %.0f %% | %.3g | %.3g | %.0f %% | %.3g "
               "| %.1f |\n",
               f.iterations, row->iterations_99, row->most_iterations, f.solves, row->most_solves,
               t->unconverged, t->unsettled, 100.0 * f.asleep, f.step_us, f.frame_s,
               100.0 * f.share, row->water_us, f.times_water);
    fflush(stdout);
}

void ond_melting_print_end(const OndMeltingRow *rows, int count)
{
    const OndMeltingRow *worst = NULL;
    for (int k = 0; k < count; ++k) {
        if (rows[k].times.error[0])
            printf("\n%s went wrong: %s\n", rows[k].scene, rows[k].times.error);
        else if (!worst || figures(&rows[k]).times_water > figures(worst).times_water)
            worst = &rows[k];
    }
    if (worst)
        printf("\nWhat melts costs at most %.1f times what water does (%s).\n",
               figures(worst).times_water, worst->scene);
}

// ---- JSON

static void json_row(const OndMeltingRow *row)
{
    const OndSceneTimes *t = &row->times;
    const MeltingFigures f = figures(row);
    printf("{\"scene\":\"%s\",\"particles\":%d,\"window_start_s\":%.6g,\"window_end_s\":%.6g,"
           "\"moved_by_budget\":%s,\"frames\":%.6g,\"steps\":%lld,\"iterations_per_step\":%.6g,"
           "\"iterations_99th_percentile\":%d,\"most_iterations\":%d,\"solves_per_step\":%.6g,"
           "\"most_solves\":%d,\"unconverged_steps\":%lld,\"unsettled_steps\":%lld,\"asleep_"
           "share\":%.4f,"
           "\"us_per_particle_step\":%.6g,\"seconds_per_frame\":%.6g,\"rigid_share\":%.4f,"
           "\"water_us_per_particle_step\":%.6g,\"times_water\":%.6g,\"error\":",
           row->scene, t->particles, t->start, f.end, row->moved ? "true" : "false", t->frames,
           t->steps, f.iterations, row->iterations_99, row->most_iterations, f.solves,
           row->most_solves, t->unconverged, t->unsettled, f.asleep, f.step_us, f.frame_s, f.share,
           row->water_us, f.times_water);
    if (t->error[0])
        ond_cli_json_text(stdout, t->error);
    else
        fputs("null", stdout);
    putchar('}');
}

void ond_melting_json(const OndMeltingRow *rows, int count)
{
    fputs("\"melting\":[", stdout);
    for (int k = 0; k < count; ++k) {
        if (k) putchar(',');
        json_row(&rows[k]);
    }
    putchar(']');
}
