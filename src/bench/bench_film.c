// SPDX-License-Identifier: MIT
// A frame of a scene, drawn again and again as a film's picture and sent to ffmpeg: the demo's
// letters as they stand at the start, all of them to be seen, and water that has been let go.
#include "bench/bench_film.h"

#include "app/run_scene.h"
#include "base/clock.h"
#include "base/memory.h"
#include "io/film.h"
#include "lib/render_look.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define PICTURES 6 // the first warms up

typedef struct Filmed {
    const char *scene;
    const char *set, *quick; // spacings
    int frame;               // that is drawn
} Filmed;

static const Filmed table[OND_FILM_ROWS] = {
    {"melting-letters", "fluid.0.spacing=0.0135", "fluid.0.spacing=0.04", 0},
    {"dam-break", "fluid.0.spacing=0.025", "fluid.0.spacing=0.08", 9},
};

// ---- measuring

// Of this program and of those it has waited for, ms.
static double cpu_ms(int who)
{
    struct rusage used;
    if (getrusage(who, &used) != 0) return 0.0;
    return 1e3 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// A film of so many pictures, in each of which everything has moved by a pixel.
static OndStatus encode(OndImage *image, int pictures, double *ms, double *cpu, OndError *err)
{
    char folder[] = "/tmp/ondine-bench-XXXXXX", path[64];
    if (!mkdtemp(folder)) return ond_fail(err, OND_IO, "no folder below /tmp for a film");
    snprintf(path, sizeof path, "%s/film.mp4", folder);
    const double start = ond_now_ms(), used = cpu_ms(RUSAGE_CHILDREN);
    OndFilm *film = ond_film_open(path, image->width, image->height, 24.0, err);
    OndStatus status = film ? OND_OK : err->status;
    const size_t bytes = 3 * (size_t)image->width * (size_t)image->height;
    for (int k = 0; k < pictures && status == OND_OK; ++k) {
        memmove(image->rgb, image->rgb + 3, bytes - 3);
        status = ond_film_add(film, image, err);
    }
    if (status == OND_OK)
        status = ond_film_close(film, err);
    else
        ond_film_abandon(film);
    *ms = ond_now_ms() - start;
    *cpu = cpu_ms(RUSAGE_CHILDREN) - used;
    remove(path);
    rmdir(folder);
    return status;
}

// Of one more picture: a film's start and end are left out.
static OndStatus measure_encoding(OndImage *image, OndFilmRow *row, OndError *err)
{
    enum { MANY = 25 };
    double one, many, cpu_one, cpu_many;
    row->encode_ms = -1.0;
    if (ond_film_here(NULL) != OND_OK) return OND_OK;
    OndStatus status = encode(image, 1, &one, &cpu_one, err);
    if (status == OND_OK) status = encode(image, MANY, &many, &cpu_many, err);
    if (status != OND_OK) return status;
    row->encode_ms = fmax((many - one) / (MANY - 1), 0.0);
    row->wall_ms += row->encode_ms;
    row->cpu_ms += fmax((cpu_many - cpu_one) / (MANY - 1), 0.0);
    return OND_OK;
}

static OndStatus measure_pictures(OndRenderer *renderer, const OndFrame *frame, int pictures,
                                  OndFilmRow *row, OndError *err)
{
    OndImage image = {0};
    OndStatus status = OND_OK;
    row->wall_ms = row->cpu_ms = HUGE_VAL;
    for (int k = 0; k < pictures && status == OND_OK; ++k) {
        const double start = ond_now_ms(), used = cpu_ms(RUSAGE_SELF);
        status = ond_render_frame(renderer, frame, &image, err);
        const double took = ond_now_ms() - start;
        row->cpu_ms = fmin(row->cpu_ms, cpu_ms(RUSAGE_SELF) - used);
        if (took >= row->wall_ms) continue;
        row->wall_ms = took;
        row->times = ond_render_times(renderer);
    }
    if (status == OND_OK) status = measure_encoding(&image, row, err);
    ond_image_free(&image);
    return status;
}

// ---- the frame

static OndStatus draw(OndSim *sim, const OndSceneDef *scene, int pictures, OndFilmRow *row,
                      OndError *err)
{
    OndFrame frame;
    OndRenderDef look = ond_look_of_scene(scene);
    ond_sim_frame(sim, &frame); // borrowed
    ond_look_forecast(scene, &frame, &look);
    row->particles = frame.particles.count;
    OndRenderer *renderer = ond_render_create(&look, err);
    if (!renderer) return err->status;
    const OndStatus status = measure_pictures(renderer, &frame, pictures, row, err);
    ond_render_destroy(renderer);
    return status;
}

static OndStatus measure(const Filmed *filmed, const char *path, bool quick, OndFilmRow *row,
                         OndError *err)
{
    const OndTexts sets = {.item = {quick ? filmed->quick : filmed->set}, .count = 1};
    OndSceneDef scene;
    *row = (OndFilmRow){.scene = filmed->scene};
    OndStatus status = ond_scene_load(path, &sets, &scene, err);
    if (status != OND_OK) return status;
    ond_bench_show(filmed->scene, "film");
    OndSim *sim = ond_sim_make(&scene, &ond_scene_assets, err);
    status = sim ? OND_OK : err->status;
    while (status == OND_OK && ond_sim_frame_index(sim) < filmed->frame)
        status = ond_sim_step(sim, err);
    if (status == OND_OK) status = draw(sim, &scene, quick ? 1 : PICTURES, row, err);
    ond_sim_destroy(sim);
    ond_scene_free(&scene);
    ond_bench_show(NULL, NULL);
    return status;
}

OndStatus ond_bench_films(const OndBenchSettings *settings, OndFilmRow rows[OND_FILM_ROWS],
                          int *count, OndError *err)
{
    const char *folder = settings->folder ? settings->folder : "scenes";
    OndStatus status = OND_OK;
    for (*count = 0; *count < (settings->quick ? 1 : OND_FILM_ROWS); ++*count) {
        char path[OND_PATH_MAX];
        status = ond_bench_path(folder, table[*count].scene, path, err);
        if (status == OND_OK && access(path, R_OK) != 0) return OND_OK;
        if (status == OND_OK)
            status = measure(&table[*count], path, settings->quick, &rows[*count], err);
        if (status != OND_OK) return status;
    }
    return OND_OK;
}

// ---- printing

void ond_bench_films_markdown(const OndFilmRow *rows, int count)
{
    if (count == 0) {
        puts("\nPictures of films are left out: there is no scenes/melting-letters.yaml here; run "
             "this in Ondine's source folder, or say where its scenes are with --scenes DIR.");
        return;
    }
    puts(
        "\nPictures of a film (`--film`, 1280 x 720 at preview quality), ms each:\n\n"
        "| scene | particles | s a picture | s of processor time | surface | tree | ground | paths "
        "| filter | develop | encode |\n|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (int k = 0; k < count; ++k) {
        const OndFilmRow *r = &rows[k];
        printf("| %s | %d | %.3f | %.3f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |", r->scene,
               r->particles, r->wall_ms / 1e3, r->cpu_ms / 1e3, r->times.mesh, r->times.build,
               r->times.floor, r->times.trace, r->times.light, r->times.finish);
        if (r->encode_ms >= 0.0)
            printf(" %.0f |\n", r->encode_ms);
        else
            puts(" no ffmpeg |");
    }
}

void ond_bench_films_json(const OndFilmRow *rows, int count)
{
    fputs(",\"films\":[", stdout);
    for (int k = 0; k < count; ++k) {
        const OndFilmRow *r = &rows[k];
        printf("%s{\"scene\":\"%s\",\"particles\":%d,\"wall_ms\":%.1f,\"cpu_ms\":%.1f,"
               "\"surface_ms\":%.1f,\"tree_ms\":%.1f,\"ground_ms\":%.1f,\"paths_ms\":%.1f,"
               "\"filter_ms\":%.1f,\"develop_ms\":%.1f",
               k ? "," : "", r->scene, r->particles, r->wall_ms, r->cpu_ms, r->times.mesh,
               r->times.build, r->times.floor, r->times.trace, r->times.light, r->times.finish);
        if (r->encode_ms >= 0.0) printf(",\"encode_ms\":%.1f", r->encode_ms);
        putchar('}');
    }
    putchar(']');
}
