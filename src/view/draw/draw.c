// SPDX-License-Identifier: MIT
// The order of a picture: everything is drawn as light into a target of our own, and brought to the
// screen at the end.
#include "view/draw/draw_state.h"

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

static void make_objects(OndDraw *draw)
{
    glGenVertexArrays(1, &draw->nothing);
    glGenVertexArrays(1, &draw->particle_array);
    glGenBuffers(1, &draw->frame);
    glGenBuffers(1, &draw->particles);
    glGenTextures(1, &draw->palette);
    glBindVertexArray(draw->particle_array);
    glBindBuffer(GL_ARRAY_BUFFER, draw->particles);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    glBindVertexArray(0);
}

OndDraw *ond_draw_create(bool gles, OndError *err)
{
    OndDraw *const draw = calloc(1, sizeof *draw);
    if (!draw) {
        ond_fail(err, OND_NO_MEMORY, "no memory to draw with");
        return NULL;
    }
    draw->gles = gles;
    make_objects(draw);
    const bool done =
        ond_pass_sky_make(draw, err) == OND_OK && ond_pass_meshes_make(draw, err) == OND_OK &&
        ond_pass_spheres_make(draw, err) == OND_OK && ond_pass_lines_make(draw, err) == OND_OK &&
        ond_pass_present_make(draw, err) == OND_OK;
    if (done) return draw;
    ond_draw_destroy(draw, false);
    return NULL;
}

void ond_draw_destroy(OndDraw *draw, bool lost)
{
    if (!draw) return;
    ond_upload_meshes_free(draw, lost);
    ond_target_free(&draw->scene, lost);
    if (!lost) {
        for (int k = 0; k < OND_DRAW_PROGRAMS; ++k)
            if (draw->program[k]) glDeleteProgram(draw->program[k]);
        glDeleteVertexArrays(1, &draw->nothing);
        glDeleteVertexArrays(1, &draw->particle_array);
        glDeleteBuffers(1, &draw->frame);
        glDeleteBuffers(1, &draw->particles);
        glDeleteTextures(1, &draw->palette);
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

OndStatus ond_draw_upload(OndDraw *draw, const OndShown *shown, OndError *err)
{
    keep_numbers(draw, shown);
    if (shown->particles > 0) {
        // New memory each time: what is still being drawn from the old is not waited for.
        glBindBuffer(GL_ARRAY_BUFFER, draw->particles);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)shown->particles * 4 * (GLsizeiptr)sizeof(float),
                     shown->particle, GL_STREAM_DRAW);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
    }
    return ond_upload_meshes(draw, shown, err);
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

static void draw_all(OndDraw *draw, const OndDrawShot *shot)
{
    ond_pass_sky(draw);
    ond_pass_meshes(draw, false);
    ond_pass_spheres(draw, shot);
    ond_pass_meshes(draw, true);
    ond_pass_lines(draw, shot);
    ond_pass_present(draw, shot);
}

OndStatus ond_draw_picture(OndDraw *draw, const OndOrbit *orbit, const OndDrawOptions *options,
                           OndError *err)
{
    OndDrawShot shot = {.orbit = orbit,
                        .options = options,
                        .style = options->style,
                        .flat = draw->shown.dimension == 2,
                        .dark = options->dark};
    if (options->width < 1 || options->height < 1) return OND_OK; // minimised
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &shot.into);
    begin(draw);
    const OndStatus status =
        ond_target_size(&draw->scene, GL_RGBA16F, true, options->width, options->height, err);
    if (status == OND_OK) {
        ond_frame_fill(draw, &shot);
        ond_palette_choose(draw, &shot);
        draw_all(draw, &shot);
    }
    leave(&shot);
    return status;
}
