// SPDX-License-Identifier: MIT
// Pictures of slices of a grid.
#include "render/render_state.h"

#include "render/quantity.h"
#include "render/setup.h"
#include "render/stage/slice.h"

#define ARROWS      36 // across, where no number is given
#define STREAMLINES 20

static void fill_backdrop(const OndStudio *studio, OndImage *out)
{
    const float channel[3] = {studio->top.x, studio->top.y, studio->top.z};
    for (size_t k = 0; k < 3 * (size_t)out->width * (size_t)out->height; ++k)
        out->rgb[k] = (uint8_t)lroundf(255.0f * ond_colour_gamma(channel[k % 3]));
}

// How many there are across; asked for without a number, the usual one.
static int count_of(const OndRenderDef *def, OndDrawn as, int count, int usual)
{
    return count == 0 && def->as == as ? usual : count;
}

// A grid: the slice that the definition asks for.
OndStatus ond_render_slice(OndRenderer *r, const OndFrame *frame, OndImage *out, OndError *err)
{
    const OndField *field;
    const OndField *velocity = ond_fields_find(&frame->cells, "velocity");
    const OndSlice slice = ond_slice_place(frame, &r->def);
    double min, max;
    const OndStatus status = ond_quantity_field(frame, r->def.colour, &field, err);
    if (status != OND_OK) return status;
    ond_render_choose_range(r, frame, &min, &max);
    ond_setup_studio(&r->stage, &r->def, true);
    fill_backdrop(&r->stage.studio, out);
    const OndShade shade = {&frame->grid, field, ond_quantity(r->def.colour)->turning};
    if (field) ond_slice_paint(&slice, &shade, r->stage.map, min, max, out);
    if (velocity && velocity->components == 3) {
        const int lines = count_of(&r->def, OND_AS_STREAMLINES, r->def.streamlines, STREAMLINES),
                  arrows = count_of(&r->def, OND_AS_ARROWS, r->def.arrows, ARROWS);
        if (lines > 0) ond_slice_streamlines(&slice, velocity, lines, out);
        if (arrows > 0) ond_slice_arrows(&slice, velocity, arrows, out);
    }
    ond_slice_solids(&slice, r->solids.solid, r->solids.count, out);
    ond_render_overlay(r, frame, r->stage.map, min, max, out);
    return OND_OK;
}
