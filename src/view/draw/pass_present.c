// SPDX-License-Identifier: MIT
// From light to what a screen shows: highlights roll off, edges are smoothed along their own direction
// (as FXAA [Lottes 2009] does), a pattern of less than one step hides bands.
#include "view/draw/draw_state.h"

// clang-format off
static const char fragment[] = OND_GLSL(
in vec2 place;
layout(location = 0) out vec4 colour;

// Straight up to the knee, then bent towards 1.
vec3 screen(vec3 light)
{
    vec3 bent = 1.0 - 0.28 * exp((0.72 - light) / 0.28);
    vec3 x = clamp(mix(light, bent, step(0.72, light)), 0.0, 1.0);
    return mix(12.92 * x, 1.055 * pow(max(x, vec3(1e-5)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
}

// About as bright as a screen will show it, without the cost of being exact.
vec3 at(vec2 offset)
{
    vec3 light = texture(light_map, place + offset * picture.zw).rgb;
    return sqrt(clamp(light, 0.0, 1.5));
}

float bright(vec3 c)
{
    return dot(c, vec3(0.30, 0.59, 0.11));
}

void main()
{
    vec3 own = at(vec2(0.0));
    float m = bright(own);
    float nw = bright(at(vec2(-1.0, 1.0)));
    float ne = bright(at(vec2(1.0, 1.0)));
    float sw = bright(at(vec2(-1.0, -1.0)));
    float se = bright(at(vec2(1.0, -1.0)));
    float least = min(m, min(min(nw, ne), min(sw, se)));
    float most = max(m, max(max(nw, ne), max(sw, se)));
    vec3 result = own;
    if (most - least > max(0.04, 0.10 * most)) {
        vec2 along = vec2(sw + se - nw - ne, nw + sw - ne - se);
        float weak = max((nw + ne + sw + se) * 0.03, 0.008);
        along = clamp(along / (min(abs(along.x), abs(along.y)) + weak), -6.0, 6.0);
        vec3 near = 0.5 * (at(along / -6.0) + at(along / 6.0));
        vec3 wide = 0.5 * near + 0.25 * (at(along * -0.5) + at(along * 0.5));
        float b = bright(wide);
        result = b < least || b > most ? near : wide;
    }
    vec2 pixel = gl_FragCoord.xy;
    result = screen(result * result);
    float pattern = fract(52.9829189 * fract(0.06711056 * pixel.x + 0.00583715 * pixel.y));
    colour = vec4(result + (pattern - 0.5) / 255.0, 1.0);
}
);
// clang-format on

OndStatus ond_pass_present_make(OndDraw *draw, OndError *err)
{
    GLuint *const program = &draw->program[OND_PROGRAM_PRESENT];
    *program = ond_program_make("present", ond_shader_cover, fragment, draw->gles, err);
    return *program ? OND_OK : OND_MISSING;
}

void ond_pass_present(OndDraw *draw, const OndDrawShot *shot)
{
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)shot->into);
    glViewport(0, 0, shot->options->width, shot->options->height);
    glDisable(GL_DEPTH_TEST);
    ond_unit_set(OND_UNIT_LIGHT, GL_TEXTURE_2D, draw->scene.texture);
    ond_draw_cover(draw, OND_PROGRAM_PRESENT);
}
