// SPDX-License-Identifier: MIT
// Spray, foam and bubbles: small white points, each as thin as it is small.
#include "view/draw/draw_state.h"

// clang-format off
static const char vertex[] = OND_GLSL(
layout(location = 0) in vec4 rider; // and its kind
flat out vec2 strength; // and kind

void main()
{
    vec3 at = (view * vec4(rider.xyz, 1.0)).xyz;
    float before = eye.w > 0.5 ? 1.0 : -at.z;
    if (!is_fit(rider.xyz) || before < lens.z) {
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        gl_PointSize = 1.0;
        return;
    }
    float size = (rider.w < 0.5 ? 0.36 : rider.w < 1.5 ? 0.5 : 0.3) * ball.x * picture.y / (lens.y * before);
    gl_Position = clip * vec4(at + vec3(0.0, 0.0, 0.5 * ball.x), 1.0);
    gl_PointSize = max(size, 1.5);
    strength = vec2(min(size / 1.5, 1.0), rider.w);
}
);

static const char fragment[] = OND_GLSL(
flat in vec2 strength;
layout(location = 0) out vec4 light;

void main()
{
    vec2 p = 2.0 * gl_PointCoord - 1.0;
    float square = dot(p, p);
    if (square > 1.0) discard;
    float cover = strength.x * (strength.y > 1.5 ? 0.25 + 0.3 * square : 0.8 * (1.0 - square) + 0.15);
    vec3 white = vec3(0.95, 0.97, 1.0) * (0.55 * key.w + 0.6 * sky_on(vec3(0.0, 1.0, 0.0)));
    light = vec4(min(white, vec3(1.0)), 1.0) * cover;
}
);
// clang-format on

OndStatus ond_pass_foam_make(OndDraw *draw, OndError *err)
{
    GLuint *const program = &draw->program[OND_PROGRAM_FOAM];
    *program = ond_program_make("foam", vertex, fragment, draw->gles, err);
    return *program ? OND_OK : OND_MISSING;
}

void ond_pass_foam(OndDraw *draw)
{
    if (draw->shown.riders == 0) return;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    glUseProgram(draw->program[OND_PROGRAM_FOAM]);
    glBindVertexArray(draw->rider_array);
    glDrawArrays(GL_POINTS, 0, draw->shown.riders);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
}
