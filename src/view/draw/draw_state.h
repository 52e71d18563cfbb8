// SPDX-License-Identifier: MIT
// What the passes of a picture share; inside src/view/draw only.
//
// A pass is a file pass_NAME.c with two functions: one that makes its programs, one that draws, in one
// draw call for each of its programs. draw.c calls them in order.
#ifndef VIEW_DRAW_DRAW_STATE_H
#define VIEW_DRAW_DRAW_STATE_H

#include "view/draw/draw.h"
#include "view/draw/gl.h"
#include "view/draw/shader_parts.h"

typedef enum OndDrawProgram {
    OND_PROGRAM_SKY,
    OND_PROGRAM_MESH,
    OND_PROGRAM_SPHERES,
    OND_PROGRAM_SHADED,
    OND_PROGRAM_DISCS,
    OND_PROGRAM_LINES,
    OND_PROGRAM_LAMP_BALLS,
    OND_PROGRAM_LAMP_MESHES,
    OND_PROGRAM_BLUR,
    OND_PROGRAM_DISTANCES,
    OND_PROGRAM_THICKNESS,
    OND_PROGRAM_MESH_DISTANCES,
    OND_PROGRAM_MESH_THICKNESS,
    OND_PROGRAM_NARROW,
    OND_PROGRAM_CLEAN,
    OND_PROGRAM_LIQUID,
    OND_PROGRAM_BLOBS,
    OND_PROGRAM_FILLED,
    OND_PROGRAM_FOAM,
    OND_PROGRAM_SMOKE,
    OND_PROGRAM_SMOKE_OVER,
    OND_PROGRAM_SHEET,
    OND_PROGRAM_PRESENT,
    OND_DRAW_PROGRAMS
} OndDrawProgram;

// Triangles in buffers, ready to be drawn.
typedef struct OndDrawMesh {
    GLuint array, corners, indices;
    int opaque, clear; ///< indices: those of opaque meshes first
} OndDrawMesh;

// What a picture is drawn of besides what was uploaded.
typedef struct OndDrawShot {
    const OndOrbit *orbit;
    const OndDrawOptions *options;
    OndDrawStyle style; ///< that is really drawn
    bool flat, dark;
    GLint into; ///< the caller's framebuffer
} OndDrawShot;

struct OndDraw {
    bool gles;
    bool floats;  ///< targets can hold floats; without, no surfaces and no shadows
    GLenum light; ///< the format of targets of light
    GLuint program[OND_DRAW_PROGRAMS];
    GLuint frame;      ///< the uniform block
    OndFrameBlock now; ///< what is in it
    GLuint nothing;    ///< an array without corners, for what shaders make by themselves
    GLuint palette;
    const char *palette_is; ///< NULL: none was made yet

    OndTarget scene;                         ///< the picture as light, and its depth
    OndTarget behind;                        ///< the same before the liquid was drawn
    OndTarget distance, smoothed, thickness; ///< of the liquid (pass_surface.c)
    OndTarget lamp, lamp_soft;               ///< (pass_lamp.c)
    OndTarget smoke;                         ///< (pass_smoke.c)
    bool lamp_is_fresh;                      ///< of what was uploaded

    // What was uploaded: counts and numbers of an OndShown, whose arrays are in buffers.
    OndShown shown; ///< without arrays
    GLuint particles, particle_array;
    GLuint riders, rider_array;
    GLuint cells;        ///< a texture
    OndDrawMesh surface; ///< of the liquid, of a run that is played back
    OndDrawMesh solids;
    GLuint poses; ///< a texture: three rows and a colour for each mesh
    int pose_room, mesh_version;
    bool has_meshes;
};

// ---- what each pass gives (pass_*.c)

OndStatus ond_pass_sky_make(OndDraw *draw, OndError *err);
void ond_pass_sky(OndDraw *draw);

OndStatus ond_pass_meshes_make(OndDraw *draw, OndError *err);
void ond_pass_meshes(OndDraw *draw, bool clear);

OndStatus ond_pass_spheres_make(OndDraw *draw, OndError *err);
OndStatus ond_pass_spheres(OndDraw *draw, const OndDrawShot *shot, OndError *err);

OndStatus ond_pass_lamp_make(OndDraw *draw, OndError *err);
OndStatus ond_pass_lamp(OndDraw *draw, OndError *err);

OndStatus ond_pass_surface_make(OndDraw *draw, OndError *err);
OndStatus ond_pass_surface(OndDraw *draw, const OndDrawShot *shot, OndError *err);

OndStatus ond_pass_flat_make(OndDraw *draw, OndError *err);
OndStatus ond_pass_flat(OndDraw *draw, const OndDrawShot *shot, OndError *err);

OndStatus ond_pass_foam_make(OndDraw *draw, OndError *err);
void ond_pass_foam(OndDraw *draw);

OndStatus ond_pass_smoke_make(OndDraw *draw, OndError *err);
OndStatus ond_pass_smoke(OndDraw *draw, const OndDrawShot *shot, OndError *err);

OndStatus ond_pass_lines_make(OndDraw *draw, OndError *err);
void ond_pass_lines(OndDraw *draw, const OndDrawShot *shot);

OndStatus ond_pass_present_make(OndDraw *draw, OndError *err);
void ond_pass_present(OndDraw *draw, const OndDrawShot *shot);

// ---- what they use

/// Fills the numbers of the picture (frame.c) and hands them to the shaders.
void ond_frame_fill(OndDraw *draw, const OndDrawShot *shot);
/// The same numbers with the colours of what fills the grid, where there are tracers in it, too.
void ond_frame_fill_smoke(OndDraw *draw, const OndDrawShot *shot);
/// The palette for what is shown (frame.c).
void ond_palette_choose(OndDraw *draw, const OndDrawShot *shot);
/// Puts the solids of an OndShown into buffers (upload_meshes.c).
OndStatus ond_upload_meshes(OndDraw *draw, const OndShown *shown, OndError *err);
/// Puts the liquid's surface, if there is one, into buffers (upload_meshes.c).
void ond_upload_surface(OndDraw *draw, const OndShownMesh *mesh);
/// Puts its cells into a texture (upload_cells.c).
OndStatus ond_upload_cells(OndDraw *draw, const OndShown *shown, OndError *err);
void ond_upload_meshes_free(OndDraw *draw, bool lost);

/// Uses the program and draws one triangle over the whole target.
void ond_draw_cover(const OndDraw *draw, OndDrawProgram program);

#endif
