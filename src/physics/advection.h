// SPDX-License-Identifier: MIT
// Semi-Lagrangian advection: where a value comes from, and what is made of what stood there.
//
// The MacCormack scheme [Selle 2008] goes back along the flow and there again; half of what the
// return misses is put right, as far as the result stays between the values it came from (the
// limiter).
//
// With short steps it is Lax and Wendroff's scheme and hardly damps waves of two cells: what the
// flow folds to that size (aliasing) gathers there until it feeds the flow [Phillips 1959]. Third
// order upwind schemes have the cure built in; here it is added as hyperviscosity along each axis,
//
//     u -= share |c| d4 u,   c = v dt / h,   d4 u = u(-2) - 4 u(-1) + 6 u - 4 u(1) + u(2)
//
// [Selle 2008] An unconditionally stable MacCormack method, J. Sci. Comput. 35.
// [Phillips 1959] An example of non-linear computational instability, in The Atmosphere and the Sea
// in Motion.
#ifndef OND_PHYSICS_ADVECTION_H
#define OND_PHYSICS_ADVECTION_H

#include "physics/law.h"

#include <math.h>

// ---- the way

// A place along an axis of n cells that has sides; what is not a number ends at 0.
OND_LAW float ond_advection_inside(float x, float n)
{
    return x > 0.0f ? (x < n ? x : n) : 0.0f;
}

// The same round a periodic axis; `inverse` is 1 / n.
OND_LAW float ond_advection_round(float x, float n, float inverse)
{
    return ond_advection_inside(x - n * floorf(x * inverse), n);
}

// A y with y + w(y) = x is sought, w was v at x and `next` at x - v. Where w changes evenly along its
// direction, this share of v in place of a share of `next` gives the answer; `along` is
// (v - next) . (2 v - next), `square` (2 v - next)^2. No more than 3/4: the flow may fold there.
OND_LAW float ond_advection_share(float along, float square)
{
    const float share = along / (square + 1e-30f), kept = share > -1.0f ? share : -1.0f;
    return kept < 0.75f ? kept : 0.75f;
}

// ---- MacCormack

// `back` is what came back of `before`; `trust` is 1/2, or 0 where ghosts took part.
OND_LAW float ond_maccormack(float carried, float trust, float before, float back)
{
    return carried + trust * (before - back);
}

// The way back from where a value goes begins with the flow there. If that is another one, by more
// than `folded` cells in a step, it does not find home [Smolarkiewicz 1992], and what it brought tells
// nothing of the value: a whirl of a few cells would feed on it. `off2` is that, squared.
OND_LAW float ond_maccormack_trust(float trust, float off2, float folded)
{
    return off2 <= folded * folded ? trust : 0.0f;
}

OND_LAW float ond_least(float a, float b)
{
    return a < b ? a : b;
}

OND_LAW float ond_most(float a, float b)
{
    return a > b ? a : b;
}

OND_LAW float ond_limit(float value, float low, float high)
{
    return ond_least(ond_most(value, low), high);
}

// ---- hyperviscosity

OND_LAW float ond_fourth_difference(float a, float b, float c, float d, float e)
{
    return (a + e) - 4.0f * (b + d) + 6.0f * c;
}

// What it takes off. No more than `most` of the Courant number counts, so that all axes together
// stay stable for any step.
OND_LAW float ond_hyperviscosity(float share, float courant, float most, float fourth)
{
    const float size = courant < 0.0f ? -courant : courant;
    return share * ond_least(size, most) * fourth;
}

#endif
