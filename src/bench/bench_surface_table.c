// SPDX-License-Identifier: MIT
// The table of bench_surface.c: every field on the same splash at three sizes.
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/bench_machine.h"
#include "bench/bench_surface.h"

#include <string.h>

#define KINDS_MAX 16
#define BUDGET_MS 60000.0 // a field that would take longer at the next size is left out there

static const int sizes[] = {10000, 100000, 1000000};

typedef struct SurfaceRows {
    OndSurfaceRow row[KINDS_MAX * OND_COUNT(sizes)];
    int count;
    double last_ms[KINDS_MAX]; // of each field at the size before; 0: it could not be measured
} SurfaceRows;

static bool too_long(const SurfaceRows *rows, int kind, int size)
{
    const double more = size ? (double)sizes[size] / sizes[size - 1] : 0.0;
    return rows->last_ms[kind] * more > BUDGET_MS;
}

static OndStatus measure_size(const OndBenchSettings *settings, int size, SurfaceRows *rows,
                              OndError *err)
{
    int kinds;
    const OndFieldKind *const *kind = ond_field_kinds(&kinds);
    OndFrame frame = {0};
    const OndStatus status = ond_bench_splash(&frame, sizes[size], err);
    for (int k = 0; k < kinds && k < KINDS_MAX && status == OND_OK; ++k) {
        OndSurfaceRow *row = &rows->row[rows->count++];
        if (too_long(rows, k, size)) {
            *row = (OndSurfaceRow){.field = kind[k]->name, .particles = frame.particles.count};
            snprintf(row->error, sizeof row->error, "left out: it would take over a minute");
            rows->last_ms[k] *= (double)sizes[size] / sizes[size - 1];
            continue;
        }
        ond_bench_show(kind[k]->name, NULL);
        ond_bench_surface(&frame, kind[k]->name, settings->quick || size > 1 ? 2 : 3, row);
        rows->last_ms[k] = row->error[0] ? 0.0 : row->ms;
    }
    ond_bench_show(NULL, NULL);
    ond_frame_free(&frame);
    return status;
}

// ---- printing

static double core_us(const OndSurfaceRow *row)
{
    return row->core_ms * 1e3 / row->particles;
}

static void print_row(const OndSurfaceRow *row)
{
    printf("| %s | %d |", row->field, row->particles);
    if (row->error[0]) {
        printf(" %s |||||||||\n", row->error);
        return;
    }
    const OndSurfaceTimes *t = &row->times;
    printf(" %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %d | %.1f |\n", row->threads, t->points,
           t->field, t->polygons, t->finish, row->ms, core_us(row), row->triangles,
           t->bytes * 1e-6);
}

static void print_markdown(const OndMachine *machine, const SurfaceRows *rows)
{
    fputs("## surface\n\n", stdout);
    ond_machine_print(machine);
    fputs("\n\nA pool with waves, a crown and drops; marching cubes with cells of half a spacing "
          "(one particle radius).\nMilliseconds: `points` sorts and weighs the particles, `field` "
          "samples the lattice, `polygons` makes triangles\nand normals, `finish` carries "
          "velocities to the corners.\n\n",
          stdout);
    fputs("| field | particles | threads | points | field | polygons | finish | all ms | µs of "
          "core per particle | triangles | MB |\n"
          "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
          stdout);
    for (int k = 0; k < rows->count; ++k)
        print_row(&rows->row[k]);
}

static void print_json_row(const OndSurfaceRow *row)
{
    fputs("{\"field\":", stdout);
    ond_cli_json_text(stdout, row->field);
    printf(",\"particles\":%d", row->particles);
    if (row->error[0]) {
        fputs(",\"error\":", stdout);
        ond_cli_json_text(stdout, row->error);
    } else {
        printf(",\"threads\":%d,\"points_ms\":%.3f,\"field_ms\":%.3f,\"polygons_ms\":%.3f,"
               "\"finish_ms\":%.3f,\"ms\":%.3f,\"core_us_per_particle\":%.4f,\"corners\":%d,"
               "\"triangles\":%d,\"bytes\":%.0f",
               row->threads, row->times.points, row->times.field, row->times.polygons,
               row->times.finish, row->ms, core_us(row), row->corners, row->triangles,
               row->times.bytes);
    }
    putchar('}');
}

static void print_json(const OndMachine *machine, const SurfaceRows *rows)
{
    fputs("{\"bench\":\"surface\",\"machine\":", stdout);
    ond_machine_json(machine);
    fputs(",\"rows\":[", stdout);
    for (int k = 0; k < rows->count; ++k) {
        if (k) putchar(',');
        print_json_row(&rows->row[k]);
    }
    puts("]}");
}

OndStatus ond_bench_surface_table(const OndBenchSettings *settings, OndError *err)
{
    OndMachine machine;
    SurfaceRows rows = {.count = 0};
    ond_machine_measure(&machine);
    OndStatus status = OND_OK;
    const int last = settings->quick ? 1 : OND_COUNT(sizes);
    for (int size = 0; size < last && status == OND_OK; ++size)
        status = measure_size(settings, size, &rows, err);
    if (status != OND_OK) return status;
    if (settings->json)
        print_json(&machine, &rows);
    else
        print_markdown(&machine, &rows);
    return OND_OK;
}
