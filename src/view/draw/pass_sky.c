// SPDX-License-Identifier: MIT
// What stands behind everything: in 3D the sky and a floor that runs out into it, in 2D a sheet of paper.
#include "view/draw/draw_state.h"

// clang-format off
static const char fragment[] = OND_GLSL(
in vec2 place;
layout(location = 0) out vec4 light;

vec3 paper()
{
    vec2 at = eye.xy + (2.0 * place - 1.0) * lens.xy;
    vec2 outside = max(max(low.xy - at, at - high.xy), 0.0);
    float far = length(outside) / high.w;
    vec3 around = mix(sky_bottom.rgb, sky_top.rgb, place.y);
    vec3 inside = mix(around, ground.rgb, 0.6);
    return far > 0.0 ? around * (1.0 - 0.25 * exp(-14.0 * far)) : inside;
}

uniform sampler3D cells_map;

// Share of the lamp's light that smoke lets through to a place of the floor.
float past_smoke(vec3 from)
{
    if (grid_high.w <= 0.0) return 1.0;
    vec3 a = (grid_low.xyz - from) / key.xyz;
    vec3 b = (grid_high.xyz - from) / key.xyz;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float begin = max(max(near.x, max(near.y, near.z)), 0.0);
    float end = min(far.x, min(far.y, far.z));
    if (end <= begin) return 1.0;
    float hop = (end - begin) / 10.0;
    float thick = 0.0;
    for (int k = 0; k < 10; ++k) {
        vec3 p = from + (begin + (float(k) + 0.5) * hop) * key.xyz;
        thick += texture(cells_map, (p - grid_low.xyz) / (grid_high.xyz - grid_low.xyz)).x;
    }
    return exp(-0.6 * grid_low.w * thick * hop);
}

void main()
{
    vec3 colour;
    float depth = 1.0;
    if (eye.w > 0.5) {
        colour = paper();
    } else {
        vec3 way = way_through(place);
        vec3 behind = mix(sky_bottom.rgb, sky_top.rgb, smoothstep(-0.1, 0.9, way.y));
        float down = (ground.w - eye.y) / (abs(way.y) > 1e-5 ? way.y : -1e-5);
        colour = behind;
        if (low.w > 0.5 && down > 0.0) {
            vec3 at = eye.xyz + down * way;
            vec2 middle = 0.5 * (low.xz + high.xz);
            float away = length(at.xz - middle) / high.w;
            float shown = exp(-0.16 * away * away);
            float lamp_light = max(key.y, 0.0) * key.w * mix(1.0, shade(at), look.w) * past_smoke(at) * exp(-0.10 * away * away);
            vec3 floor_light = ground.rgb * (lamp_light + sky_on(vec3(0.0, 1.0, 0.0)));
            colour = mix(behind, floor_light, shown);
            vec4 on = clip * view * vec4(at, 1.0);
            depth = clamp(0.5 * on.z / on.w + 0.5, 0.0, 1.0);
        }
    }
    light = vec4(colour, 1.0);
    gl_FragDepth = depth;
}
);
// clang-format on

OndStatus ond_pass_sky_make(OndDraw *draw, OndError *err)
{
    GLuint *const program = &draw->program[OND_PROGRAM_SKY];
    *program = ond_program_make("sky", ond_shader_cover, fragment, draw->gles, err);
    return *program ? OND_OK : OND_MISSING;
}

void ond_pass_sky(OndDraw *draw)
{
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    ond_draw_cover(draw, OND_PROGRAM_SKY);
    glDepthFunc(GL_LESS);
}
