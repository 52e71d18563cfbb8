// SPDX-License-Identifier: MIT
// The order of a picture: everything is drawn as light into a target of our own, and brought to the
// screen at the end.
#include "view/draw/draw_state.h"

#ifdef __EMSCRIPTEN__
#include <emscripten/html5.h>
#endif
#include <stdlib.h>
#include <string.h>

const char *ond_draw_style_name(OndDrawStyle style)
{
    static const char *const names[] = {"spheres", "surface"};
    return style < OND_DRAW_STYLES ? names[style] : names[0];
}

void ond_draw_cover(const OndDraw *draw, OndDrawProgram program)
{
    glUseProgram(draw->program[program]);
    glBindVertexArray(draw->nothing);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

// ---- made and freed

// Points of four floats each.
static void make_points(GLuint *array, GLuint *buffer)
{
    glGenVertexArrays(1, array);
    glGenBuffers(1, buffer);
    glBindVertexArray(*array);
    glBindBuffer(GL_ARRAY_BUFFER, *buffer);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
}

static void make_objects(OndDraw *draw)
{
    glGenVertexArrays(1, &draw->nothing);
    glGenBuffers(1, &draw->frame);
    glGenTextures(1, &draw->palette);
    make_points(&draw->particle_array, &draw->particles);
    make_points(&draw->rider_array, &draw->riders);
}

// Whether what is drawn can be kept in that format: WebGL 2 promises bytes alone.
static bool can_hold(GLenum format)
{
    OndTarget probe = {0};
    GLint bound = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    const bool can = ond_target_size(&probe, format, false, 4, 4, NULL) == OND_OK;
    ond_target_free(&probe, false);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
    return can;
}

static void ask_for_floats(void)
{
#ifdef __EMSCRIPTEN__
    emscripten_webgl_enable_extension(emscripten_webgl_get_current_context(),
                                      "EXT_color_buffer_float");
#endif
}

typedef OndStatus PassMaker(OndDraw *draw, OndError *err);

static PassMaker *const makers[] = {
    ond_pass_sky_make,     ond_pass_meshes_make, ond_pass_spheres_make, ond_pass_lamp_make,
    ond_pass_surface_make, ond_pass_flat_make,   ond_pass_foam_make,    ond_pass_smoke_make,
    ond_pass_lines_make,   ond_pass_present_make};

OndDraw *ond_draw_create(bool gles, OndError *err)
{
    OndDraw *const draw = calloc(1, sizeof *draw);
    if (!draw) {
        ond_fail(err, OND_NO_MEMORY, "no memory to draw with");
        return NULL;
    }
    draw->gles = gles;
    make_objects(draw);
    ask_for_floats();
    draw->floats = can_hold(GL_RGBA16F) && can_hold(GL_RG32F) && can_hold(GL_R16F);
    draw->light = draw->floats ? GL_RGBA16F : GL_RGBA8;
    OndStatus status = OND_OK;
    for (size_t k = 0; k < sizeof makers / sizeof *makers && status == OND_OK; ++k)
        status = makers[k](draw, err);
    if (status == OND_OK) return draw;
    ond_draw_destroy(draw, false);
    return NULL;
}

void ond_draw_destroy(OndDraw *draw, bool lost)
{
    if (!draw) return;
    ond_upload_meshes_free(draw, lost);
    OndTarget *const target[] = {&draw->scene,     &draw->behind, &draw->distance,  &draw->smoothed,
                                 &draw->thickness, &draw->lamp,   &draw->lamp_soft, &draw->smoke};
    for (size_t k = 0; k < sizeof target / sizeof *target; ++k)
        ond_target_free(target[k], lost);
    if (!lost) {
        for (int k = 0; k < OND_DRAW_PROGRAMS; ++k)
            if (draw->program[k]) glDeleteProgram(draw->program[k]);
        glDeleteVertexArrays(1, &draw->nothing);
        glDeleteVertexArrays(1, &draw->particle_array);
        glDeleteVertexArrays(1, &draw->rider_array);
        glDeleteBuffers(1, &draw->frame);
        glDeleteBuffers(1, &draw->particles);
        glDeleteBuffers(1, &draw->riders);
        glDeleteTextures(1, &draw->palette);
        if (draw->cells) glDeleteTextures(1, &draw->cells);
    }
    free(draw);
}

// ---- what is shown

// The numbers of an OndShown without its arrays, which are another's.
static void keep_numbers(OndDraw *draw, const OndShown *shown)
{
    draw->shown = *shown;
    draw->shown.particle = draw->shown.rider = draw->shown.density = draw->shown.warmth = NULL;
    draw->shown.mesh = NULL;
    draw->shown.pose = NULL;
    memset(&draw->shown.surface, 0, sizeof draw->shown.surface);
}

// New memory each time: what is still being drawn from the old is not waited for.
static void put_points(GLuint buffer, const float *point, int count)
{
    if (count == 0) return;
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)count * 4 * (GLsizeiptr)sizeof(float), point,
                 GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

OndStatus ond_draw_upload(OndDraw *draw, const OndShown *shown, OndError *err)
{
    keep_numbers(draw, shown);
    draw->lamp_is_fresh = false;
    put_points(draw->particles, shown->particle, shown->particles);
    put_points(draw->riders, shown->rider, shown->riders);
    ond_upload_surface(draw, &shown->surface);
    const OndStatus status = ond_upload_cells(draw, shown, err);
    return status == OND_OK ? ond_upload_meshes(draw, shown, err) : status;
}

// ---- the picture

// As a panel expects to find it.
static void leave(const OndDrawShot *shot)
{
    glUseProgram(0);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)shot->into);
}

static void begin(const OndDraw *draw)
{
#ifndef __EMSCRIPTEN__
    if (!draw->gles) glEnable(GL_PROGRAM_POINT_SIZE);
#endif
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
}

// WebGL warns of units without a texture, also where a shader does not come to look.
static void fill_units(const OndDraw *draw)
{
    for (int unit = OND_UNIT_LIGHT; unit <= OND_UNIT_B; ++unit)
        ond_unit_set((OndTextureUnit)unit, GL_TEXTURE_2D, draw->palette);
    ond_unit_set(OND_UNIT_CELLS, GL_TEXTURE_3D, draw->cells);
}

// With tracers in it: they have the colours of their value, and what is warm in the grid glows.
static OndStatus draw_smoke(OndDraw *draw, const OndDrawShot *shot, OndError *err)
{
    OndDrawOptions options = *shot->options;
    OndDrawShot own = *shot;
    if (draw->shown.cells[0] == 0 || draw->shown.particles == 0)
        return ond_pass_smoke(draw, shot, err);
    if (!options.palette) options.palette = "heat";
    own.options = &options;
    ond_frame_fill_smoke(draw, &own);
    ond_palette_choose(draw, &own);
    const OndStatus status = ond_pass_smoke(draw, &own, err);
    ond_frame_fill(draw, shot);
    ond_palette_choose(draw, shot);
    return status;
}

static OndStatus draw_all(OndDraw *draw, const OndDrawShot *shot, OndError *err)
{
    OndStatus status = shot->flat || !draw->floats ? OND_OK : ond_pass_lamp(draw, err);
    if (status == OND_OK)
        status = ond_target_size(&draw->scene, draw->light, true, shot->options->width,
                                 shot->options->height, err);
    if (status != OND_OK) return status;
    if (draw->lamp.texture) ond_unit_set(OND_UNIT_SHADE, GL_TEXTURE_2D, draw->lamp.texture);
    ond_pass_sky(draw);
    ond_pass_meshes(draw, false);
    if (shot->style == OND_DRAW_SPHERES)
        status = ond_pass_spheres(draw, shot, err);
    else
        status = shot->flat ? ond_pass_flat(draw, shot, err) : ond_pass_surface(draw, shot, err);
    ond_pass_foam(draw);
    if (status == OND_OK) status = draw_smoke(draw, shot, err);
    ond_pass_meshes(draw, true);
    ond_pass_lines(draw, shot);
    ond_pass_present(draw, shot);
    return status;
}

OndStatus ond_draw_picture(OndDraw *draw, const OndOrbit *orbit, const OndDrawOptions *options,
                           OndError *err)
{
    OndDrawShot shot = {.orbit = orbit,
                        .options = options,
                        .style = draw->floats ? options->style : OND_DRAW_SPHERES,
                        .flat = draw->shown.dimension == 2,
                        .dark = options->dark};
    if (draw->shown.look && strcmp(draw->shown.look, "sand") == 0)
        shot.style = OND_DRAW_SPHERES;                            // grains are seen one by one
    if (draw->shown.cells[0] > 0) shot.style = OND_DRAW_SPHERES;  // tracers, too
    if (options->width < 1 || options->height < 1) return OND_OK; // minimised
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &shot.into);
    begin(draw);
    ond_frame_fill(draw, &shot);
    ond_palette_choose(draw, &shot);
    fill_units(draw);
    const OndStatus status = draw_all(draw, &shot, err);
    leave(&shot);
    return status;
}
