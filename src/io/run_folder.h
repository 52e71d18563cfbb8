// SPDX-License-Identifier: MIT
// The folder of a run, and what stands where in it.
//
//     scene.yaml                 the scene as run
//     log.csv                    a line for each step
//     checkpoint.h5              where to resume; checkpoint.prev.h5 is the one before
//     frames/frame_0000.ply      particles
//     frames/frame_0000.vtp      the same for ParaView, listed in frames.pvd
//     frames/frame_0000.vti      the grid, where there is one; listed there, too
//     frames/frame_0000.vdb      the same for Blender
//     frames/frame_0000.csv      particles in any other format (formats/format_list.h)
//     frames/foam_0000.ply       spray, foam and bubbles, where a liquid makes some; in any format
//     frames/solids_0000.csv     where solids stand that move (solid_poses.h)
//     solids/NAME.ply            their triangles
//     surfaces/surface_0000.ply  what `ondine mesh` makes of them; .vtp ones listed in surfaces.pvd
//     pictures/frame_0000.png
//     probes/NAME.csv            what was measured
//     film.mp4
//
// What lies between frame 12 and the next has the thousandths of the way in its name:
// surface_0012t250.ply. The t sorts behind the full stop, so names stand in the order of time.
#ifndef OND_IO_RUN_FOLDER_H
#define OND_IO_RUN_FOLDER_H

#include "io/file.h"
#include "io/formats/format_list.h"

typedef struct OndRunFolder {
    char path[OND_PATH_MAX - 80]; ///< leaves room for the longest name in it
    int lock;                     ///< keeps other runs out; counts where `locked`
    bool locked;
} OndRunFolder;

typedef enum OndRunMode {
    OND_RUN_NEW,    ///< refuses a folder that holds a run
    OND_RUN_FORCE,  ///< removes the files of an earlier run; nothing else
    OND_RUN_RESUME, ///< needs a checkpoint
    OND_RUN_READ,   ///< only looks: makes nothing, needs no right to write
} OndRunMode;

typedef enum OndRunItem {
    OND_RUN_SCENE,
    OND_RUN_LOG,
    OND_RUN_CHECKPOINT,
    OND_RUN_CHECKPOINT_PREVIOUS,
    OND_RUN_COLLECTION,
    OND_RUN_FILM,
    OND_RUN_SURFACES_COLLECTION,
#define OND_RUN_FRAME(name, NAME) OND_RUN_FRAME_##NAME,
    OND_FORMATS(OND_RUN_FRAME) ///< OND_RUN_FRAME_PLY and so on; from here on they are numbered
    OND_RUN_PICTURE,
    OND_RUN_SOLIDS,
#define OND_RUN_FOAM(name, NAME) OND_RUN_FOAM_##NAME,
    OND_FORMATS(OND_RUN_FOAM) ///< OND_RUN_FOAM_PLY and so on, as frames
#define OND_RUN_SURFACE(name, NAME) OND_RUN_SURFACE_##NAME,
    OND_SURFACE_FORMATS(
        OND_RUN_SURFACE) ///< OND_RUN_SURFACE_PLY and so on, as in ond_surface_formats
    OND_RUN_ITEMS
} OndRunItem;

#define OND_RUN_NUMBERED OND_RUN_FRAME_PLY ///< the first item that is

/// Frames in a format of the register, by its place in ond_formats.
static inline OndRunItem ond_run_frame_item(int format)
{
    return (OndRunItem)(OND_RUN_NUMBERED + format);
}

/// Foam in a format of the register.
static inline OndRunItem ond_run_foam_item(int format)
{
    return (OndRunItem)(OND_RUN_FOAM_PLY + format);
}

/// Makes the folder and those in it (parents too), and makes sure that files can be written there,
/// so that a run fails before it starts and not at its first frame. Unless it only looks, no other
/// process can open the folder for writing until ond_run_close or the end of this one.
OndStatus ond_run_open(const char *path, OndRunMode mode, OndRunFolder *out, OndError *err);

/// Lets others write. Harmless for a folder that is all zero, failed to open, or is only looked at.
void ond_run_close(OndRunFolder *folder);

/// The path of an item; `index` counts for numbered ones. Always fits, and returns `out`.
char *ond_run_path(const OndRunFolder *folder, OndRunItem item, int index, char out[OND_PATH_MAX]);

/// The name of an item as seen from the folder: "frames/frame_0012.vtp".
char *ond_run_name(OndRunItem item, int index, char out[64]);

/// The same for a moment between frame `index` and the next, as thousandths of the way; 0: the
/// frame.
char *ond_run_path_between(const OndRunFolder *folder, OndRunItem item, int index, int thousandth,
                           char out[OND_PATH_MAX]);
char *ond_run_name_between(OndRunItem item, int index, int thousandth, char out[64]);

/// Makes a folder and those above it; one that is there is fine.
OndStatus ond_run_make_folders(const char *path, OndError *err);

typedef struct OndRunFrames {
    int *index; ///< ascending; free with ond_run_frames_free
    int count;
} OndRunFrames;

/// The numbers of the files of a numbered item that are there. None is not an error.
OndStatus ond_run_frames(const OndRunFolder *folder, OndRunItem item, OndRunFrames *out,
                         OndError *err);
void ond_run_frames_free(OndRunFrames *frames);

/// The number after the last one that is there; 0 when there is none.
OndStatus ond_run_next(const OndRunFolder *folder, OndRunItem item, int *next, OndError *err);

/// Removes the files of a numbered item from `first` on, and those between the frame before and
/// `first`: what a resumed run will make again.
OndStatus ond_run_remove_from(const OndRunFolder *folder, OndRunItem item, int first,
                              OndError *err);

#endif
