// SPDX-License-Identifier: MIT
// ondine mesh: particles in, triangle surfaces out.
//
//   ondine mesh out/dam-break
//   ondine mesh out/dam-break --frames 20-40 --cell 0.3 --format obj -o wave
//   ondine mesh frame_0040.ply -o wave.stl
//   ondine mesh out/dam-break --frames 20-40 --between 4
//
// This file reads the options and says what came of it; the work is in mesh_frames.c.
#include "app/between.h"
#include "app/cli_values.h"
#include "app/mesh_frames.h"
#include "app/run_scene.h"
#include "app/run_stop.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "surface/of_scene.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define FORMATS_MAX 16   // with the NULL at the end
#define GUIDED      6    // parts of the way: a drop that flies five spacings a frame stays one
#define GUIDES_MOST 64   // as ond_morph_surface takes
#define NONE        1e-9 // for a 0 that shall not mean the default

typedef struct MeshOptions {
    const char *out;
    double cell, decimate, radius, threshold;
    int frames[2];
    int format;                  // -1: by the output's name
    int field, polygons, smooth; // -1: as the scene says
    int between, morph, guides;
    int placement; // -1: the field's own
    double smoothing;
    int exact;
    int threads;
    bool hollow, again, quiet, json;
} MeshOptions;

// ---- what is wanted

// Surfaces between frames by a morph in space and time are variational; so are then the frames'.
static const char *field_name(const MeshOptions *o, const OndSurfaceDef *def)
{
    if (o->field >= 0) return ond_field_names[o->field];
    return o->between && o->morph == OND_MORPH_4D ? "variational" : def->field;
}

static OndSurfaceDef make_def(const MeshOptions *o, const OndShots *shots)
{
    OndSurfaceDef def =
        shots->has_scene ? ond_surface_def_of_scene(&shots->scene) : ond_surface_default_def();
    if (strcmp(field_name(o, &def), def.field) != 0) {
        def.field = field_name(o, &def);
        def.how.radius = def.how.threshold = 0.0; // the scene's were for another field
    }
    if (o->cell > 0.0) def.cell = o->cell;
    if (o->decimate >= 0.0) def.decimate = o->decimate;
    if (o->smooth >= 0) def.smooth = o->smooth;
    if (o->polygons >= 0) def.polygons = (OndPolygons)o->polygons;
    if (o->radius > 0.0) def.how.radius = o->radius;
    if (!isnan(o->threshold)) def.how.threshold = o->threshold;
    if (o->placement >= 0) def.how.placement = o->placement;
    if (o->smoothing >= 0.0) def.how.smoothing = fmax(o->smoothing, NONE);
    if (o->exact > 0) def.how.exact_limit = o->exact;
    def.how.surface_only = o->hollow;
    return def;
}

// Options that would go unheard.
static OndStatus check_field(const MeshOptions *o, const OndSurfaceDef *def, OndError *err)
{
    const bool variational = strcmp(def->field, "variational") == 0;
    const bool evens = variational || strcmp(def->field, "anisotropic") == 0;
    const bool morph = o->between && o->morph == OND_MORPH_4D;
    const char *unheard = o->placement >= 0 ? "--placement" : o->exact > 0 ? "--exact" : NULL;
    if (morph && !variational) unheard = "--morph 4d";
    if (unheard && !variational)
        return ond_fail(err, OND_BAD_VALUE,
                        "%s is for the field variational, and this is %s; give --field variational",
                        unheard, def->field);
    if (variational && (!isnan(o->threshold) || o->radius > 0.0))
        return ond_fail(err, OND_BAD_VALUE, "%s is not for the field variational",
                        o->radius > 0.0 ? "--radius" : "--threshold");
    if (o->threshold == 0.0)
        return ond_fail(err, OND_BAD_VALUE,
                        "--threshold 0 would put no end to the liquid; it must be above 0 (leave "
                        "it away for the field's own)");
    if (o->hollow && strcmp(def->field, "blobs") != 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "--surface-only is for the field blobs, and this is %s; give --field blobs",
                        def->field);
    if (o->smoothing >= 0.0 && !evens)
        return ond_fail(err, OND_BAD_VALUE,
                        "--smoothing is for the fields anisotropic and variational, and this is %s",
                        def->field);
    if (morph && (def->smooth > 0 || def->decimate > 0.0))
        return ond_fail(
            err, OND_BAD_VALUE,
            "--morph 4d leaves its triangles as they are; give --smooth 0 --decimate 0, "
            "or --morph follow");
    return OND_OK;
}

// Guides at the moments themselves, and as many between as fast drops need.
static int choose_guides(const MeshOptions *o)
{
    const int parts = o->between + 1, each = (GUIDED + parts - 1) / parts;
    if (o->guides >= 0) return o->guides;
    return parts * each - 1 < GUIDES_MOST ? parts * each - 1 : GUIDES_MOST;
}

static OndStatus find_format(const MeshOptions *o, OndMeshing *m, OndError *err)
{
    int count;
    const OndSurfaceFormat *const *all = ond_surface_formats(&count);
    const OndSurfaceFormat *by_name = o->out ? ond_surface_format_of(o->out) : NULL;
    m->format = o->format >= 0 ? all[o->format] : by_name ? by_name : all[0];
    if (by_name && by_name != m->format)
        return ond_fail(err, OND_BAD_VALUE, "--format %s and -o %s contradict each other",
                        m->format->extension, o->out);
    if (by_name && !ond_scene_is_folder(o->out))
        m->file = o->out;
    else
        m->folder = o->out;
    return OND_OK;
}

static OndStatus make(const MeshOptions *o, OndShots *shots, OndMeshing *m, OndError *err)
{
    m->def = make_def(o, shots);
    m->morph = (OndMorphing)o->morph;
    m->guides = choose_guides(o);
    OndStatus status = check_field(o, &m->def, err);
    if (status == OND_OK) status = find_format(o, m, err);
    if (status == OND_OK) status = ond_shots_keep(shots, o->frames[0], o->frames[1], err);
    if (status == OND_OK) status = ond_shots_between(shots, o->between, err);
    if (status != OND_OK) return status;
    if (m->file && shots->count > 1)
        return ond_fail(err, OND_BAD_VALUE,
                        "%d frames do not fit one file; choose one with --frames, or give a folder "
                        "with -o",
                        shots->count);
    m->again = o->again;
    m->progress = o->quiet || o->json || shots->count == 1 ? OND_PROGRESS_QUIET : OND_PROGRESS_AUTO;
    return ond_shots_mesh(shots, m, err);
}

// ---- what came of it

static void print_place(const OndShots *shots, const OndMeshing *m, char path[OND_PATH_MAX])
{
    if (shots->count == 0 || !ond_mesh_path(shots, 0, m, path)) path[0] = '\0';
    char *slash = strrchr(path, '/');
    if (shots->count > 1 && slash) *slash = '\0';
    if (shots->count > 1 && !slash) strcpy(path, ".");
}

static void sum_up(const OndShots *shots, const OndMeshing *m, double seconds)
{
    char clock[32], path[OND_PATH_MAX];
    ond_progress_clock(clock, sizeof clock, seconds);
    print_place(shots, m, path);
    printf("%d surface%s made, %d kept", m->made, m->made == 1 ? "" : "s", m->kept);
    if (m->made) printf(", %.0f triangles, field %s, in %s", m->triangles, m->def.field, clock);
    if (m->empty) printf(" (%d frame%s without particles)", m->empty, m->empty == 1 ? "" : "s");
    printf("\n%s  %s\n", shots->count > 1 ? "surfaces" : "surface ", path);
}

static void print_json(const OndShots *shots, const OndMeshing *m, const OndError *err,
                       double seconds)
{
    char path[OND_PATH_MAX] = "";
    if (m->format) print_place(shots, m, path);
    printf("{\"status\":\"%s\",\"error\":", err->text[0]       ? "failed"
                                            : ond_stop_asked() ? "stopped"
                                                               : "done");
    err->text[0] ? ond_cli_json_text(stdout, err->text) : (void)fputs("null", stdout);
    fputs(",\"path\":", stdout);
    ond_cli_json_text(stdout, path);
    fputs(",\"field\":", stdout);
    ond_cli_json_text(stdout, m->def.field ? m->def.field : "");
    printf(",\"made\":%d,\"kept\":%d,\"empty\":%d,\"corners\":%.0f,\"triangles\":%.0f,"
           "\"seconds\":%.3f}\n",
           m->made, m->kept, m->empty, m->corners, m->triangles, seconds);
}

static int report(const MeshOptions *o, const OndShots *shots, const OndMeshing *m,
                  OndStatus status, OndError *err, double seconds)
{
    if (o->json) print_json(shots, m, err, seconds);
    if (status != OND_OK) return ond_cli_fail("mesh", err);
    if (!o->json && !o->quiet) sum_up(shots, m, seconds);
    if (!ond_stop_asked()) return OND_EXIT_DONE;
    if (!o->json) fputs("stopped; the same command goes on\n", stderr);
    return 128 + ond_stop_asked();
}

static const char about[] =
    "Makes a closed triangle surface of the particles of every frame: surfaces/ in a run's "
    "folder,\n"
    "or a file beside each frame file. What the scene's section `surface` says holds unless given\n"
    "here. Surfaces that are newer than their frame and made the same way are kept.\n"
    "--between 3 makes three more between each two frames, surface_0040t250.ply and so on, for "
    "slow\n"
    "motion.\n\n"
    "  ondine mesh out/dam-break\n"
    "  ondine mesh out/dam-break --frames 20-40 --cell 0.3 --format obj -o wave\n"
    "  ondine mesh frame_0040.ply -o wave.stl";

static void list_formats(const char *names[FORMATS_MAX])
{
    int count;
    const OndSurfaceFormat *const *all = ond_surface_formats(&count);
    for (int k = 0; k < count && k < FORMATS_MAX - 1; ++k)
        names[k] = all[k]->extension;
}

static int run(int argc, char **argv)
{
    static const char *const morphs[] = {"follow", "4d", NULL};           // as OndMorphing
    static const char *const placements[] = {"particles", "cells", NULL}; // as OndFieldDef has them
    const char *formats[FORMATS_MAX] = {NULL};
    list_formats(formats);
    MeshOptions o = {.frames = {0, INT_MAX},
                     .format = -1,
                     .field = -1,
                     .polygons = -1,
                     .smooth = -1,
                     .decimate = -1,
                     .guides = -1,
                     .smoothing = -1,
                     .threshold = NAN,
                     .placement = -1};
    const OndOpt opts[] = {
        OND_OPT_TEXT("-o, --output", "DIR|FILE", "folder, or a file for one frame", &o.out),
        OND_OPT_CHOICE("--format", "NAME", "files (default ply)", &o.format, formats),
        OND_OPT_CHOICE("--field", "NAME", "what makes one surface of many particles", &o.field,
                       ond_field_names),
        OND_OPT_DOUBLE("--cell", "X", "edge of a cell, in particle spacings (default 0.5)", &o.cell,
                       0.02, 4),
        OND_OPT_DOUBLE("--radius", "X", "how far a particle reaches, in spacings", &o.radius, 0.01,
                       100),
        OND_OPT_DOUBLE("--threshold", "X", "where the surface lies, in the field's measure",
                       &o.threshold, 0, 0),
        OND_OPT_CHOICE("--polygons", "HOW", "how cells become triangles", &o.polygons,
                       ond_polygons_names),
        OND_OPT_INT("--smooth", "N", "rounds of smoothing that keeps the volume", &o.smooth, 0,
                    100),
        OND_OPT_DOUBLE("--decimate", "X", "thin out flat parts, to within X cells", &o.decimate, 0,
                       1),
        OND_OPT_DOUBLE("--smoothing", "X",
                       "how far the field evens out single particles (anisotropic, variational)",
                       &o.smoothing, 0, 1),
        OND_OPT_CHOICE("--placement", "WHERE", "variational: constraints at", &o.placement,
                       placements),
        OND_OPT_INT("--exact", "N", "variational: up to so many constraints in one exact solve",
                    &o.exact, 1, 6000),
        OND_OPT_FLAG("--surface-only", "blobs: of particles at the surface alone, hollow inside",
                     &o.hollow),
        OND_OPT_FRAMES(o.frames),
        OND_OPT_INT("--between", "N", "so many surfaces more between each two frames", &o.between,
                    1, OND_BETWEEN_MOST),
        OND_OPT_CHOICE("--morph", "HOW",
                       "those between: along the particles' ways, or in space and time", &o.morph,
                       morphs),
        OND_OPT_INT("--guides", "N", "moments that guide --morph 4d; 0: mass may jump", &o.guides,
                    0, GUIDES_MOST),
        OND_OPT_INT("--threads", "N", "threads (default: one per core)", &o.threads, 1, 1024),
        OND_OPT_FLAG("--force", "make also what is newer than its frame", &o.again),
        OND_OPT_FLAG("-q, --quiet", "print nothing but errors", &o.quiet),
        OND_OPT_FLAG("--json", "print one JSON object at the end, and no progress", &o.json),
    };
    const OndUsage usage = {"ondine mesh DIR|FILE... [options]", about, 1, 100000};
    const int rest = ond_opts_parse(argc, argv, &usage, opts, OND_COUNT(opts));
    if (rest < 0) return ond_opts_exit(rest);

    OndError err = {0};
    OndShots shots;
    OndMeshing meshing = {0};
    const double start = ond_now_ms();
    ond_stop_watch();
    if (o.threads) ond_threads_set(o.threads);
    OndStatus status = ond_shots_find(argv + rest, argc - rest, OND_AS_SURFACE, &shots, &err);
    if (status == OND_OK) status = make(&o, &shots, &meshing, &err);
    const int code = report(&o, &shots, &meshing, status, &err, (ond_now_ms() - start) * 1e-3);
    ond_shots_free(&shots);
    return code;
}

const OndCommand ond_cmd_mesh = {"mesh", "frames to surfaces", run};
