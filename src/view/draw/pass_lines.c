// SPDX-License-Identifier: MIT
// The domain's edges and the ring of the tool: lines of one and a half pixels with soft rims, made by the
// vertex shader alone, all in one draw call.
#include "view/draw/draw_state.h"

enum { EDGES = 12, RING = 64 };

// clang-format off
static const char vertex[] = OND_GLSL(
out float across;
flat out vec4 ink;

// Both ends of line number k, in the eye's space.
void ends(int k, out vec3 a, out vec3 b)
{
    vec3 p;
    vec3 q;
    if (k < 12) {
        int axis = k / 4;
        bool u = (k & 1) == 1;
        bool v = (k & 2) == 2;
        vec3 at = axis == 0 ? vec3(0.0, u, v) : axis == 1 ? vec3(u, 0.0, v) : vec3(u, v, 0.0);
        vec3 way = axis == 0 ? vec3(1.0, 0.0, 0.0) : axis == 1 ? vec3(0.0, 1.0, 0.0) : vec3(0.0, 0.0, 1.0);
        p = mix(low.xyz, high.xyz, at);
        q = mix(low.xyz, high.xyz, at + way);
        a = (view * vec4(p, 1.0)).xyz;
        b = (view * vec4(q, 1.0)).xyz;
    } else {
        vec3 middle = (view * vec4(tool.xyz, 1.0)).xyz;
        float from = 6.2831853 * float(k - 12) / 64.0;
        float to = 6.2831853 * float(k - 11) / 64.0;
        a = middle + tool.w * vec3(cos(from), sin(from), 0.0);
        b = middle + tool.w * vec3(cos(to), sin(to), 0.0);
    }
}

void main()
{
    int k = gl_VertexID / 6;
    int c = gl_VertexID % 6;
    bool far_end = c == 1 || c == 2 || c == 4;
    float side = (c == 2 || c == 4 || c == 5) ? 1.0 : -1.0;
    vec3 a;
    vec3 b;
    ends(k, a, b);
    if (k < 12 && eye.w < 0.5) { // before the liquid that stands at the walls
        a *= 1.0 - min(3.0 * ball.x / max(length(a), 1e-9), 0.5);
        b *= 1.0 - min(3.0 * ball.x / max(length(b), 1e-9), 0.5);
    }
    float near = eye.w > 0.5 ? 1e30 : -lens.z;
    if (eye.w < 0.5) { // what lies behind the eye is cut off
        if (a.z > near && b.z > near) {
            gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
            return;
        }
        if (a.z > near) a = mix(b, a, (near - b.z) / (a.z - b.z));
        if (b.z > near) b = mix(a, b, (near - a.z) / (b.z - a.z));
    }
    vec4 p = clip * vec4(a, 1.0);
    vec4 q = clip * vec4(b, 1.0);
    vec2 way = (q.xy / q.w - p.xy / p.w) * picture.xy;
    way = dot(way, way) > 1e-12 ? normalize(way) : vec2(1.0, 0.0);
    float half_width = k < 12 ? 1.5 : 2.2; // pixels, rims included
    vec4 here = far_end ? q : p;
    here.xy += vec2(-way.y, way.x) * side * 2.0 * half_width * picture.zw * here.w;
    if (k >= 12) here.z = -0.99 * here.w; // over everything
    across = side * half_width;
    ink = k < 12 ? line : vec4(mix(vec3(1.0, 0.75, 0.3), line.rgb, 0.25), 0.9);
    gl_Position = here;
}
);

static const char fragment[] = OND_GLSL(
in float across;
flat in vec4 ink;
layout(location = 0) out vec4 light;

void main()
{
    float reach = ink.a > 0.8 ? 2.2 : 1.5;
    float cover = ink.a * clamp(reach - abs(across), 0.0, 1.0);
    light = vec4(ink.rgb * cover, cover);
}
);
// clang-format on

OndStatus ond_pass_lines_make(OndDraw *draw, OndError *err)
{
    GLuint *const program = &draw->program[OND_PROGRAM_LINES];
    *program = ond_program_make("lines", vertex, fragment, draw->gles, err);
    return *program ? OND_OK : OND_MISSING;
}

void ond_pass_lines(OndDraw *draw, const OndDrawShot *shot)
{
    const int lines = EDGES + (shot->options->tool_radius > 0.0 ? RING : 0);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDepthMask(GL_FALSE);
    if (shot->flat) glDisable(GL_DEPTH_TEST);
    glUseProgram(draw->program[OND_PROGRAM_LINES]);
    glBindVertexArray(draw->nothing);
    glDrawArrays(GL_TRIANGLES, 0, 6 * lines);
    glDepthMask(GL_TRUE);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}
