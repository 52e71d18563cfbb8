// SPDX-License-Identifier: MIT
// ondine view: play with a scene while it runs, or play a run back.
//
//   ondine view scenes/dam-break.yaml
//   ondine view out/dam-break
//   ondine view scenes/chocolate.yaml --screenshot chocolate.png --after 60 --do "tool heat; hold 0.5,0.5 60"
//
// This file only reads the options; the work is in view.c.
#include "app/cli_values.h"
#include "app/run_stop.h"
#include "base/memory.h"
#include "view/window/view.h"

#include <ondine/ondine.h>

#define SIDE_MAX 16384

static const char *const styles[] = {"spheres", "surface", NULL};
static const char *const backdrops[] = {"dark", "light", NULL};

static const char about[] = "Opens a window. A scene runs in it as fast as the machine can, and no "
                            "faster than real time; the left\n"
                            "button pushes, pours, heats, cools, cuts or grabs, keys drop more and "
                            "start again (H lists them). The\n"
                            "scene file is read again when it changes. The folder of a run is "
                            "played back, also while the run goes\n"
                            "on: time line, colours by any field, the values of a particle that is "
                            "clicked. C keeps the view as the\n"
                            "camera of the scene's file.\n\n"
                            "  ondine view scenes/dam-break.yaml\n"
                            "  ondine view out/dam-break --colour pressure\n\n"
                            "--screenshot makes a picture without a window or a display: of a "
                            "scene after N sixtieths of a second,\n"
                            "of a run frame N. --do says what a hand would do; places are shares "
                            "of width and height, numbers are\n"
                            "pictures:\n\n"
                            "  ondine view scenes/chocolate.yaml --screenshot torch.png --do "
                            "\"tool heat; hold 0.5,0.4 90\"\n"
                            "  --do \"key space; wait 30; drag 0.3,0.5 0.6,0.5 60; dial viscosity "
                            "5; turn 30 10; zoom 0.8\"";

static OndStatus parse_size(const OndOpt *opt, const char *text, OndError *err)
{
    int *const size = opt->target;
    double side[2];
    if (!ond_cli_numbers(text, "x", side, 2) || !(side[0] >= 1 && side[0] <= SIDE_MAX) ||
        !(side[1] >= 1 && side[1] <= SIDE_MAX) || side[0] != (int)side[0] ||
        side[1] != (int)side[1])
        return ond_fail(err, OND_BAD_VALUE,
                        "--size takes pixels as in 1280x720, each 1 to %d, not '%s'", SIDE_MAX,
                        text);
    size[0] = (int)side[0];
    size[1] = (int)side[1];
    return OND_OK;
}

static int run(int argc, char **argv)
{
    OndViewOptions o = {.style = -1, .after = -1, .backdrop = -1};
    int threads = 0;
    const OndOpt opts[] = {
        OND_OPT_TEXT(
            "--colour, --color", "WHAT",
            "what the colours show: speed, temperature, rigidity, density, pressure, plain",
            &o.colour),
        OND_OPT_CHOICE("--style", "WHAT", "how a liquid is drawn", &o.style, styles),
        OND_OPT_CHOICE("--backdrop", "WHAT", "behind it", &o.backdrop, backdrops),
        {.name = "--size",
         .argument = "WxH",
         .help = "pixels of the window or picture (1280x720)",
         .target = o.size,
         .parse = parse_size},
        OND_OPT_TEXTS("--set", "KEY=VALUE", "override a key, as in fluid.0.spacing=0.01", &o.set),
        OND_OPT_INT("--threads", "N", "threads (default: one per core)", &threads, 1, 1024),
        OND_OPT_TEXT("--screenshot", "FILE", "a PNG instead of a window", &o.screenshot),
        OND_OPT_INT("--after", "N", "so many pictures later, or of that frame of a run", &o.after,
                    0, 1e6),
        OND_OPT_FLAG("--panel", "with the panel in the picture", &o.panel),
        OND_OPT_TEXT("--do", "STEPS", "what a hand would do", &o.script),
        OND_OPT_TEXT("--report", "FILE", "what was seen last, as JSON", &o.report),
    };
    const OndUsage usage = {"ondine view SCENE|DIR [options]", about, 1, 1};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);
    OndError err = {0};
    o.path = argv[rest];
    ond_threads_set(threads);
    ond_stop_watch();
    if (ond_view(&o, &err) != OND_OK) return ond_cli_fail("view", &err);
    return ond_stop_asked() ? 128 + ond_stop_asked() : OND_EXIT_DONE;
}

const OndCommand ond_cmd_view = {"view", "play with a scene while it runs, or play a run back",
                                 run};
