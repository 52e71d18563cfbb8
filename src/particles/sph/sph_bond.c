// SPDX-License-Identifier: MIT
// What is solid and hangs on particles that are led along a path follows them, and bends with them.
//
// A solid piece is one body, and moves as one; particles on a path move as they are told, each by
// itself, and may bend as no body can. So they, and all that is solid and hangs together with them,
// are kept a rounding below solid: unknowns of their own that links hold together as stiffly as
// anything (particles/rigid/). What is cut off from them is a piece again, and falls as a body. What
// is of a piece stays so: a block that falls on something animated lies on it.
#include "base/memory.h"
#include "particles/sph/sph_state.h"

#include <float.h>

#define REACH  1.5f // spacings, as pieces are joined: the diagonal of a square is 1.41
#define NEARLY (1.0f - 0.5f * FLT_EPSILON) // the last float below solid

static bool is_led(const OndSph *s, int i)
{
    return ond_held_on_path(&s->world, s->material[i], s->held[i]);
}

static bool bonds(const OndSph *s, int i, int j)
{
    const float reach = REACH * (float)s->world.spacing;
    const float x = s->x[0][i] - s->x[0][j], y = s->x[1][i] - s->x[1][j],
                z = s->x[2][i] - s->x[2][j];
    return s->rigidity[j] >= 1.0f && !s->piece[j] && s->material[j] == s->material[i] &&
           x * x + y * y + z * z < reach * reach;
}

// A softened one is in the queue, or has been.
static int soften(OndSph *s, int i, int last)
{
    s->rigidity[i] = NEARLY;
    s->bond_queue[last] = (uint32_t)i;
    return last + 1;
}

static OndStatus make_queue(OndSph *s, OndError *err)
{
    if (s->fields.count <= s->bond_room) return OND_OK;
    ond_free(s->bond_queue);
    s->bond_room = s->fields.count + s->fields.count / 8;
    s->bond_queue = OND_NEW_ARRAY(uint32_t, s->bond_room);
    if (s->bond_queue) return OND_OK;
    s->bond_room = 0;
    return ond_fail(err, OND_NO_MEMORY, "not enough memory for what hangs on a path");
}

OndStatus ond_sph_bond(OndSph *s, OndError *err)
{
    const OndStatus status = make_queue(s, err);
    if (status != OND_OK) return status;
    int last = 0;
    for (int i = 0; i < s->fields.count; ++i)
        if (s->rigidity[i] >= 1.0f && is_led(s, i)) last = soften(s, i, last);
    for (int at = 0; at < last; ++at) {
        const int i = (int)s->bond_queue[at];
        const uint32_t *const list = s->lists.pool + s->lists.first[i];
        for (uint32_t k = 0; k < s->lists.length[i]; ++k)
            if (list[k] < (uint32_t)s->fields.count && bonds(s, i, (int)list[k]))
                last = soften(s, (int)list[k], last);
    }
    return OND_OK;
}
