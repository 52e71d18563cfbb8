// SPDX-License-Identifier: MIT
// ondine check: what a scene would simulate, and what it would cost, before anything is written.
//
//   ondine check scenes/dam-break.yaml
//   ondine check scenes/dam-break.yaml --set fluid.0.spacing=0.01 --json
//
// This file only reads the options and prints; the work is ond_scene_forecast.
#include "app/cli.h"
#include "app/progress.h"
#include "app/run_scene.h"

#include <ondine/ondine.h>

static const char *size_text(double bytes, char *out, size_t room)
{
    if (bytes >= 1073741824.0)
        snprintf(out, room, "%.1f GiB", bytes / 1073741824.0);
    else
        snprintf(out, room, "%.1f MiB", bytes / 1048576.0);
    return out;
}

static void print_count(const OndEstimate *has)
{
    if (has->cells > 0.0)
        printf("cells       %d x %d x %d, %.4g million of %g m\n", has->size[0], has->size[1],
               has->size[2], has->cells * 1e-6, has->spacing);
    if (has->cells > 0.0 && has->particles + has->poured <= 0.0) return;
    printf("%s   %.0f", has->cells > 0.0 ? "tracers  " : "particles", has->particles);
    if (has->poured > 0.0) printf(", and about %.0f poured", has->poured);
    putchar('\n');
}

static void print_text(const OndSceneInfo *scene, const OndForecast *f)
{
    char a[32], b[32];
    printf("%s: %dD, %g s in %d frames\n", scene->title, scene->dimension, scene->duration,
           f->has.frames);
    print_count(&f->has);
    printf("memory      about %s; %s now\n", size_text(f->has.bytes, a, sizeof a),
           size_text(f->bytes_now, b, sizeof b));
    printf("disk        %s\n", size_text(f->disk, a, sizeof a));
    if (f->sound_speed > 0.0) printf("sound       %.3g m/s\n", f->sound_speed);
    if (f->chosen[0]) printf("chosen      %s\n", f->chosen);
    if (f->tried) printf("first step  %.3g s\n", f->dt);
    ond_progress_clock(a, sizeof a, f->seconds);
    if (!f->tried) {
        printf("run         at least %.0f steps, %s or more: so large a grid was not tried\n",
               f->steps, a);
        return;
    }
    printf("run         some %.0f steps, roughly %s with %d thread%s: a guess from the first few\n",
           f->steps, a, ond_threads(), ond_threads() == 1 ? "" : "s");
}

static void print_json(const char *path, const OndSceneInfo *scene, const OndForecast *f)
{
    fputs("{\"scene\":", stdout);
    ond_cli_json_text(stdout, path);
    fputs(",\"title\":", stdout);
    ond_cli_json_text(stdout, scene->title);
    printf(",\"dimension\":%d,\"duration_s\":%.9g,\"frames\":%d,\"cells\":%.0f,\"particles\":%.0f,"
           "\"poured\":%.0f,"
           "\"memory_bytes\":%.0f,\"memory_now_bytes\":%.0f,\"disk_bytes\":%.0f,"
           "\"sound_speed\":%.9g,\"first_step_s\":%.9g,\"steps\":%.0f,\"run_s\":%.3g,"
           "\"tried\":%s,\"threads\":%d,\"chosen\":",
           scene->dimension, scene->duration, f->has.frames, f->has.cells, f->has.particles,
           f->has.poured, f->has.bytes, f->bytes_now, f->disk, f->sound_speed, f->dt, f->steps,
           f->seconds, f->tried ? "true" : "false", ond_threads());
    ond_cli_json_text(stdout, f->chosen);
    puts("}");
}

static int run(int argc, char **argv)
{
    OndTexts sets = {0};
    int threads = 0;
    bool json = false;
    const OndOpt opts[] = {
        OND_OPT_TEXTS("--set", "KEY=VALUE", "override a key, as in fluid.0.spacing=0.01", &sets),
        OND_OPT_INT("--threads", "N", "threads (default: one per core)", &threads, 1, 1024),
        OND_OPT_FLAG("--json", "print one JSON object", &json),
    };
    const OndUsage usage = {
        "ondine check SCENE [options]",
        "Checks a scene and says what running it would take: particles, memory, disk, "
        "step size, time.",
        1, 1};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);

    OndError err = {0};
    OndScene *scene = NULL;
    OndSceneInfo info;
    OndForecast forecast;
    ond_threads_set(threads);
    OndStatus status = ond_scene_open(argv[rest], &sets, &scene, &err);
    if (status == OND_OK)
        status = ond_scene_forecast(scene, ond_print_note, stderr, &forecast, &err);
    if (status == OND_OK) status = ond_scene_described(scene, &info, &err);
    if (status == OND_OK && json) print_json(argv[rest], &info, &forecast);
    if (status == OND_OK && !json) print_text(&info, &forecast);
    ond_scene_destroy(scene);
    return status == OND_OK ? OND_EXIT_DONE : ond_cli_fail("check", &err);
}

const OndCommand ond_cmd_check = {"check", "what a scene would simulate, and what it would take",
                                  run};
