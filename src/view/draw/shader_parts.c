// SPDX-License-Identifier: MIT
#include "view/draw/shader_parts.h"

#include "view/draw/gl.h"

// clang-format off
const char ond_shader_frame[] = OND_GLSL(
layout(std140) uniform Frame {
    mat4 view;
    mat4 clip;
    mat4 lamp;
    vec4 eye;
    vec4 key;
    vec4 sky_top;
    vec4 sky_bottom;
    vec4 ground;
    vec4 low;
    vec4 high;
    vec4 picture;
    vec4 lens;
    vec4 ball;
    vec4 tool;
    vec4 base;
    vec4 line;
    vec4 look;
    vec4 absorb;
    vec4 grid_low;
    vec4 grid_high;
};

bool is_fit(vec3 p)
{
    return dot(p, p) < 1e24; // neither NaN nor far out
}
);

const char ond_shader_light[] = OND_GLSL(
uniform sampler2D palette_map;
uniform sampler2D light_map;
uniform sampler2D depth_map;
uniform sampler2D shade_map;

// What is seen of the sky in a direction: a gradient, with a broad soft lamp in it.
vec3 sky(vec3 way)
{
    float t = clamp(way.y * 0.5 + 0.5, 0.0, 1.0);
    vec3 light = mix(sky_bottom.rgb, sky_top.rgb, smoothstep(0.35, 1.0, t));
    float lamp_seen = max(dot(way, key.xyz), 0.0);
    return light + 0.5 * key.w * pow(lamp_seen, 24.0) * vec3(1.0, 0.97, 0.92);
}

// The same with a studio's panels, for what mirrors.
vec3 studio(vec3 way)
{
    float band = smoothstep(0.08, 0.35, way.y) * (1.0 - smoothstep(0.55, 0.95, way.y));
    float side = 0.5 + 0.5 * dot(normalize(way.xz + 1e-5), normalize(key.xz));
    float panel = band * smoothstep(0.25, 0.9, side);
    float floor_seen = smoothstep(0.0, -0.3, way.y);
    return mix(sky(way), ground.rgb * (0.6 * key.w + 0.3), floor_seen) +
           (sky_top.w > 0.5 ? 0.55 : 0.35) * panel * vec3(0.92, 0.97, 1.0);
}

// Light from all sides on a face that looks to `n`.
vec3 sky_on(vec3 n)
{
    vec3 upper = 0.55 * (sky_top.rgb + sky_bottom.rgb) + (sky_top.w > 0.5 ? 0.22 : 0.0);
    vec3 lower = 0.45 * ground.rgb + (sky_top.w > 0.5 ? 0.05 : 0.0);
    return mix(lower, upper, n.y * 0.5 + 0.5);
}

// Share of the lamp's light that arrives: Chebyshev's bound from mean depth and its square, which
// may be blurred [Donnelly and Lauritzen 2006]; the lowest shares are taken as shadow, or light
// would leak through. `soft` is a level of the map: the rim of a shadow is some 2^soft texels wide.
float shade_soft(vec3 world, float soft)
{
    if (ball.w < 0.5) return 1.0;
    vec3 at = (lamp * vec4(world, 1.0)).xyz;
    at.z = min(at.z, 1.0); // what is farther is as far as where nothing is
    if (any(greaterThan(abs(at.xy - 0.5), vec2(0.5)))) return 1.0;
    vec2 moments = textureLod(shade_map, at.xy, soft).xy;
    float beyond = at.z - moments.x - 0.01;
    if (beyond <= 0.0) return 1.0;
    float spread = max(moments.y - moments.x * moments.x, 0.0004);
    float lit = spread / (spread + beyond * beyond);
    return smoothstep(0.15, 1.0, lit);
}

float shade(vec3 world)
{
    return shade_soft(world, 0.0);
}

// What comes back to the eye from a matt face with a gloss over it.
vec3 lit(vec3 albedo, vec3 n, vec3 to_eye, float gloss, float wax, float shaded)
{
    float wrap = mix(0.12, 0.5, wax);
    float facing = max((dot(n, key.xyz) + wrap) / (1.0 + wrap), 0.0);
    vec3 glow = mix(vec3(1.0), albedo / max(max(albedo.r, albedo.g), max(albedo.b, 0.05)), wax * (1.0 - facing));
    vec3 matt = albedo * (key.w * facing * mix(shaded, 1.0, 0.3 * wax) * glow + sky_on(n));
    vec3 between = normalize(key.xyz + to_eye);
    float shine = pow(max(dot(n, between), 0.0), 70.0) * shaded;
    float rim = 0.03 + 0.97 * pow(1.0 - clamp(dot(n, to_eye), 0.0, 1.0), 5.0);
    return matt + gloss * (0.6 * key.w * shine + rim * 0.8 * studio(reflect(-to_eye, n)));
}

vec3 palette(float value)
{
    float t = clamp((value - ball.y) * ball.z, 0.0, 1.0);
    vec3 colour = texture(palette_map, vec2((t * 255.0 + 0.5) / 256.0, 0.5)).rgb;
    return mix(base.rgb, colour, base.w);
}

// The direction from the eye through a place of the picture, in the world.
vec3 way_through(vec2 place)
{
    vec3 way = vec3((2.0 * place - 1.0) * lens.xy, -1.0);
    return normalize(transpose(mat3(view)) * way);
}
);

const char ond_shader_cover[] = OND_GLSL(
out vec2 place;
void main()
{
    place = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * place - 1.0, 1.0, 1.0);
}
);
// clang-format on
