// SPDX-License-Identifier: MIT
// ondine bench render: how long pictures of a surface take.
//
// The surface is the one of `bench surface`: a splash in a pool with its crown and drops, about
// 200 000 triangles, drawn as water, as wax and as steel. Times are the best of three; processor
// time counts all cores. Pictures of films, phase by phase, are in bench_film.c.
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "bench/bench.h"
#include "bench/bench_film.h"
#include "bench/bench_machine.h"
#include "bench/bench_surface.h"
#include "render/render.h"
#include "render/trace/trace_look.h"

#include <math.h>
#include <time.h>

#define PARTICLES 100000
#define WIDTH     960
#define HEIGHT    540
#define REPEATS   3
#define CELLS     128 // of the smoke, along each axis

typedef struct RenderRow {
    const char *look;
    OndQuality quality;
    bool smoke; // a volume, not the splash
    double wall_ms, cpu_ms;
    OndRenderTimes times; // of the best
} RenderRow;

static OndRenderDef make_def(const RenderRow *row)
{
    OndRenderDef def = ond_render_default_def();
    def.as = row->smoke ? OND_AS_VOLUME : OND_AS_SURFACE;
    def.width = WIDTH, def.height = HEIGHT;
    def.quality = row->quality;
    if (row->smoke) return def;
    def.looks[0] = (uint8_t)ond_look_find(row->look);
    def.look_count = 1;
    return def;
}

// A pillar of smoke with folds, thicker at the top: of the cells about one in six holds some.
static float folds(double x, double y, double z)
{
    const double wave = sin(19 * x + 7 * y) + sin(23 * z - 9 * y) + sin(17 * y + 11 * x - 13 * z);
    const double away = hypot(x - 0.5, z - 0.5) - (0.1 + 0.22 * y * y) - 0.025 * wave;
    return (float)fmin(fmax(-20.0 * away, 0.0), 1.0);
}

static OndStatus make_smoke(OndFrame *f, OndError *err)
{
    static const int n[3] = {CELLS, CELLS, CELLS};
    *f = (OndFrame){.dimension = 3, .domain = {{0, 0, 0}, {1, 1, 1}}, .owned = true};
    const OndStatus status = ond_grid_set(&f->grid, n, 1.0 / CELLS, ond_vec(0, 0, 0), NULL, err);
    if (status != OND_OK) return status;
    f->cells.count = f->cells.capacity = (int)f->grid.length;
    if (ond_fields_add(&f->cells, "density", "", OND_F32, 1, OND_FIELD_FRAME) < 0)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for smoke");
    float *const density = f->cells.field[0].data[0];
    for (int k = 0; k < CELLS; ++k)
        for (int j = 0; j < CELLS; ++j)
            for (int i = 0; i < CELLS; ++i)
                density[ond_grid_at(&f->grid, i, j, k)] =
                    folds((i + 0.5) / CELLS, (j + 0.5) / CELLS, (k + 0.5) / CELLS);
    return OND_OK;
}

static OndStatus measure_row(RenderRow *row, const OndSurface *surface, const OndFrame *smoke,
                             int repeats, OndError *err)
{
    const OndRenderDef def = make_def(row);
    OndImage image = {0};
    OndRenderer *renderer = ond_render_create(&def, err);
    if (!renderer) return err->status;
    OndStatus status = OND_OK;
    row->wall_ms = row->cpu_ms = HUGE_VAL;
    for (int k = 0; k < repeats && status == OND_OK; ++k) {
        const double wall = ond_now_ms();
        const clock_t cpu = clock();
        status = row->smoke ? ond_render_frame(renderer, smoke, &image, err)
                            : ond_render_surface(renderer, surface, NULL, &image, err);
        const double took = ond_now_ms() - wall;
        row->cpu_ms = fmin(row->cpu_ms, 1000.0 * (double)(clock() - cpu) / CLOCKS_PER_SEC);
        if (took >= row->wall_ms) continue;
        row->wall_ms = took;
        row->times = ond_render_times(renderer);
    }
    ond_image_free(&image);
    ond_render_destroy(renderer);
    return status;
}

static void print_markdown(const RenderRow *rows, int count, int triangles)
{
    OndMachine machine;
    ond_machine_measure(&machine);
    fputs("## render\n\n", stdout);
    ond_machine_print(&machine);
    printf("\n\nA splash of %d triangles and smoke on %d^3 cells, %d x %d pixels, %d thread%s.\n\n",
           triangles, CELLS, WIDTH, HEIGHT, ond_threads(), ond_threads() == 1 ? "" : "s");
    puts("| material | quality | s a picture | s of processor time | tree ms | smoke's light ms "
         "| ground ms | paths ms | filter ms |\n|:--|:--|--:|--:|--:|--:|--:|--:|--:|");
    for (int k = 0; k < count; ++k)
        printf("| %s | %s | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", rows[k].look,
               ond_quality_names[rows[k].quality], rows[k].wall_ms / 1000.0,
               rows[k].cpu_ms / 1000.0, rows[k].times.build, rows[k].times.mesh,
               rows[k].times.floor, rows[k].times.trace, rows[k].times.light);
}

static void print_json(const RenderRow *rows, int count, int triangles)
{
    OndMachine machine;
    ond_machine_measure(&machine);
    fputs("{\"bench\":\"render\",\"machine\":", stdout);
    ond_machine_json(&machine);
    printf(",\"triangles\":%d,\"width\":%d,\"height\":%d,\"threads\":%d,\"rows\":[", triangles,
           WIDTH, HEIGHT, ond_threads());
    for (int k = 0; k < count; ++k)
        printf("%s{\"material\":\"%s\",\"quality\":\"%s\",\"wall_ms\":%.1f,\"cpu_ms\":%.1f,"
               "\"build_ms\":%.1f,\"ground_ms\":%.1f,\"paths_ms\":%.1f,\"filter_ms\":%.1f}",
               k ? "," : "", rows[k].look, ond_quality_names[rows[k].quality], rows[k].wall_ms,
               rows[k].cpu_ms, rows[k].times.build, rows[k].times.floor, rows[k].times.trace,
               rows[k].times.light);
    putchar(']');
}

OndStatus ond_bench_render(const OndBenchSettings *settings, OndError *err)
{
    RenderRow rows[] = {{.look = "water", .quality = OND_QUALITY_PREVIEW},
                        {.look = "wax", .quality = OND_QUALITY_PREVIEW},
                        {.look = "steel", .quality = OND_QUALITY_PREVIEW},
                        {.look = "water", .quality = OND_QUALITY_GOOD},
                        {.look = "smoke", .quality = OND_QUALITY_PREVIEW, .smoke = true},
                        {.look = "smoke", .quality = OND_QUALITY_GOOD, .smoke = true}};
    const int count = settings->quick ? 1 : OND_COUNT(rows);
    OndFrame frame = {0}, smoke = {0};
    OndSurface surface = {0};
    const OndSurfaceDef def = ond_surface_default_def();
    OndStatus status = ond_bench_splash(&frame, PARTICLES, err);
    if (status == OND_OK) status = ond_surface_make(&surface, &frame, &def, NULL, err);
    if (status == OND_OK && !settings->quick) status = make_smoke(&smoke, err);
    for (int k = 0; k < count && status == OND_OK; ++k) {
        ond_bench_show(rows[k].look, ond_quality_names[rows[k].quality]);
        status = measure_row(&rows[k], &surface, &smoke, settings->quick ? 1 : REPEATS, err);
    }
    ond_bench_show(NULL, NULL);
    const int triangles = surface.mesh.triangle_count;
    ond_surface_free(&surface);
    ond_frame_free(&frame);
    ond_frame_free(&smoke);
    if (status != OND_OK) return status;
    OndFilmRow films[OND_FILM_ROWS];
    int film_count = 0;
    status = ond_bench_films(settings, films, &film_count, err);
    if (status != OND_OK) return status;
    (settings->json ? print_json : print_markdown)(rows, count, triangles);
    (settings->json ? ond_bench_films_json : ond_bench_films_markdown)(films, film_count);
    if (settings->json) puts("}");
    return OND_OK;
}
