// SPDX-License-Identifier: MIT
// What all shaders know: the numbers of the picture (Frame), and how things are lit.
#ifndef VIEW_DRAW_SHADER_PARTS_H
#define VIEW_DRAW_SHADER_PARTS_H

extern const char ond_shader_frame[]; ///< of vertex and fragment shaders
extern const char ond_shader_light[]; ///< of fragment shaders: sky, lamp, shade
/// One triangle that covers the picture: a vertex shader that gives `place`, from 0 to 1.
extern const char ond_shader_cover[];

/// The uniform block Frame, as std140 lays it out. Colours are light, not as a screen shows them.
typedef struct OndFrameBlock {
    float view[16]; ///< from the world to the eye
    float clip[16]; ///< from the eye to the picture
    float lamp[16]; ///< from the world to the lamp's map: x and y from 0 to 1, z depth from -1 to 1
    float eye[4];   ///< in the world; w: 1 in 2D
    float key[4];   ///< direction to the lamp, in the world; w: its strength
    float sky_top[4];    ///< w: 1 on dark backgrounds
    float sky_bottom[4]; ///< w: how far the floor is seen, m
    float ground[4];     ///< the floor; w: its height, m
    float low[4],
        high[4];       ///< corners of the domain; w of `low`: there is a floor, of `high`: half the
                       ///< diagonal, m
    float picture[4];  ///< width, height, 1 / width, 1 / height
    float lens[4];     ///< half width and height of the view at distance 1 (2D: in m), near, far
    float ball[4];     ///< radius, low end of the colours, 1 / their range, 1: the lamp has a map
    float tool[4];     ///< where the tool is, and its radius
    float base[4];     ///< colour of what is plain; w: how much the value colours
    float line[4];     ///< colour and strength of the domain's edges
    float look[4];     ///< gloss, how waxy, how clear, how dark a shadow it casts
    float absorb[4];   ///< light that a clear liquid takes per m; w: how milky it is
    float grid_low[4]; ///< lower corner of the cells; w: light lost per m
    float grid_high[4]; ///< upper corner; w: edge of a cell
} OndFrameBlock;

#endif
