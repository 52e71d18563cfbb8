// SPDX-License-Identifier: MIT
// A knife: what lies in a thin slice along its stroke is taken out, so that pieces part.
//
// The slice is spanned by the stroke and the way that the eye looks, as deep before and behind the tool
// as DEEP of its radii, and so thick that what is on one side no longer feels the other.
#include "view/play/play_state.h"

#include <math.h>

#define DEEP  2.0  // radii of the tool
#define THICK 1.15 // spacings to either side: solid pieces hold together over about two

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        out[k] = a[l] * b[m] - a[m] * b[l];
    }
}

void ond_play_cut(OndPlay *play, const double from[3], const double to[3])
{
    OndError err = {0};
    OndFieldView x;
    double stroke[3], normal[3], along[3];
    const double *const eye = play->ray.direction;
    const double thick = THICK * play->spacing, deep = DEEP * play->dial[PLAY_TOOL_SIZE].value;
    ond_play_along(stroke, to, -1.0, from);
    cross(stroke, eye, normal);
    cross(eye, normal, along); // the stroke as the eye sees it
    const double length = sqrt(ond_play_dot(normal, normal));
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    if (!(length > 0.0) || play->burst || !ond_play_scratch(play, x.count)) return;
    int count = 0;
    for (int i = 0; i < x.count; ++i) {
        double way[3];
        ond_play_place(&x, i, way);
        ond_play_along(way, way, -1.0, from);
        const double on = ond_play_dot(way, along) / length;
        const bool in = fabs(ond_play_dot(way, normal)) < thick * length && on > -thick &&
                        on < length + thick && fabs(ond_play_dot(way, eye)) < deep;
        if (in) play->index[count++] = i;
    }
    if (ond_sim_remove_particles(play->sim, play->index, count, &err) != OND_OK)
        ond_play_failed(play, &err);
}
