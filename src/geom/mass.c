// SPDX-License-Identifier: MIT
// Integrals of 1, x and x x^T; the inertia is trace(x x^T) - x x^T about the centre.
#include "geom/mass.h"

#include "base/parallel.h"

#define CELLS 96 // along the longest side of a shape's bounds

// Integrals over a body; the second ones are about the origin.
typedef struct Moments {
    double one, x, y, z, xx, yy, zz, xy, xz, yz;
} Moments;

static void add_scaled(Moments *to, const Moments *m, double s)
{
    to->one += s * m->one, to->x += s * m->x, to->y += s * m->y, to->z += s * m->z;
    to->xx += s * m->xx, to->yy += s * m->yy, to->zz += s * m->zz;
    to->xy += s * m->xy, to->xz += s * m->xz, to->yz += s * m->yz;
}

static OndMass from_moments(const Moments *m, OndVec origin)
{
    OndMass mass = {.volume = m->one, .center = origin};
    if (!(m->one > 0.0)) return mass;
    const double x = m->x / m->one, y = m->y / m->one, z = m->z / m->one;
    const double xx = m->xx - m->x * x, yy = m->yy - m->y * y, zz = m->zz - m->z * z;
    mass.center = ond_add(origin, ond_vec(x, y, z));
    mass.inertia = (OndInertia){yy + zz,          xx + zz,          xx + yy,
                                m->x * y - m->xy, m->x * z - m->xz, m->y * z - m->yz};
    return mass;
}

// ---- primitives

OndMass ond_mass_box(OndVec min, OndVec max, bool flat)
{
    const OndVec size = ond_sub(max, min);
    const double x2 = size.x * size.x / 12, y2 = size.y * size.y / 12,
                 z2 = flat ? 0.0 : size.z * size.z / 12;
    const double v = size.x * size.y * (flat ? 1.0 : size.z);
    OndMass mass = {.volume = v, .center = ond_scale(ond_add(min, max), 0.5)};
    mass.inertia = (OndInertia){v * (y2 + z2), v * (x2 + z2), v * (x2 + y2), 0, 0, 0};
    if (flat) mass.center.z = 0.0;
    return mass;
}

OndMass ond_mass_sphere(OndVec center, double radius, bool flat)
{
    const double r2 = radius * radius, v = flat ? M_PI * r2 : 4.0 / 3.0 * M_PI * r2 * radius;
    const double i = v * r2 * (flat ? 0.25 : 0.4);
    OndMass mass = {v, center, {i, i, flat ? 2.0 * i : i, 0, 0, 0}};
    if (flat) mass.center.z = 0.0;
    return mass;
}

// A body that looks the same all round its axis: `along` is the inertia about the axis.
static OndMass round_mass(OndVec from, OndVec to, double volume, double along, double across)
{
    const OndVec way = ond_sub(to, from);
    const OndVec a = ond_length(way) > 0.0 ? ond_unit(way) : ond_vec(0, 1, 0);
    const double d = along - across;
    OndMass mass = {.volume = volume, .center = ond_scale(ond_add(from, to), 0.5)};
    mass.inertia =
        (OndInertia){across + d * a.x * a.x, across + d * a.y * a.y, across + d * a.z * a.z,
                     d * a.x * a.y,          d * a.x * a.z,          d * a.y * a.z};
    return mass;
}

OndMass ond_mass_cylinder(OndVec from, OndVec to, double radius)
{
    const double h = ond_length(ond_sub(to, from)), r2 = radius * radius, v = M_PI * r2 * h;
    return round_mass(from, to, v, 0.5 * v * r2, v * (r2 / 4 + h * h / 12));
}

// Two half balls, whose centres of mass lie 3/8 of the radius outside the flat faces, and what is
// between them.
OndMass ond_mass_capsule(OndVec from, OndVec to, double radius)
{
    const double h = ond_length(ond_sub(to, from)), r2 = radius * radius;
    const double rod = M_PI * r2 * h, ball = 4.0 / 3.0 * M_PI * r2 * radius;
    const double along = 0.5 * rod * r2 + 0.4 * ball * r2;
    const double shift = 0.5 * h + 0.375 * radius;
    const double across =
        rod * (r2 / 4 + h * h / 12) + ball * (0.4 * r2 - 9.0 / 64.0 * r2 + shift * shift);
    return round_mass(from, to, rod + ball, along, across);
}

// ---- meshes

// Integrals over the tetrahedron from the origin to a triangle, signed: by its corners' sums.
static void add_tetrahedron(Moments *m, OndVec a, OndVec b, OndVec c)
{
    const double v = ond_dot(a, ond_cross(b, c)) / 6.0;
    const OndVec s = ond_add(a, ond_add(b, c));
    const double w = v / 20.0;
    m->one += v;
    m->x += v / 4 * s.x, m->y += v / 4 * s.y, m->z += v / 4 * s.z;
    m->xx += w * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
    m->yy += w * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
    m->zz += w * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
    m->xy += w * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
    m->xz += w * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
    m->yz += w * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
}

OndMass ond_mass_mesh(const OndMesh *mesh)
{
    Moments m = {0};
    if (mesh->triangle_count == 0) return from_moments(&m, ond_vec(0, 0, 0));
    const OndVec origin =
        ond_mesh_corner(mesh, mesh->triangle[0]); // near it, so that little cancels
    for (int t = 0; t < mesh->triangle_count; ++t) {
        OndVec corner[3];
        for (int k = 0; k < 3; ++k)
            corner[k] = ond_sub(ond_mesh_corner(mesh, mesh->triangle[3 * (size_t)t + k]), origin);
        add_tetrahedron(&m, corner[0], corner[1], corner[2]);
    }
    Moments out = {0};
    add_scaled(&out, &m, m.one < 0.0 ? -1.0 : 1.0); // turned inside out: all the same
    return from_moments(&out, origin);
}

// ---- any shape

typedef struct MassLattice {
    const OndShape *shape;
    OndBox box;
    OndVec step;
    int nx, ny, nz;
    bool flat;
    Moments *layer; // one a layer, so that sums do not depend on the number of threads
} MassLattice;

static double filled(const MassLattice *l, OndVec at, double size)
{
    const double d = ond_shape_distance(l->shape, at, l->flat);
    return fmin(fmax(0.5 - d / size, 0.0), 1.0);
}

static void sum_layers(int first, int last, int worker, void *context)
{
    const MassLattice *l = context;
    const double size = l->step.x, cell = l->step.x * l->step.y * (l->flat ? 1.0 : l->step.z);
    for (int k = first; k < last; ++k) {
        Moments m = {0};
        const int ny = l->ny, nx = l->nx;
        const double z = l->flat ? 0.0 : (k / ny + 0.5) * l->step.z;
        const double y = (k % ny + 0.5) * l->step.y;
        for (int i = 0; i < nx; ++i) {
            const double x = (i + 0.5) * l->step.x;
            OndVec at = ond_add(l->box.min, ond_vec(x, y, z));
            if (l->flat) at.z = 0.0;
            const double w = cell * filled(l, at, size);
            m.one += w;
            m.x += w * x, m.y += w * y, m.z += w * z;
            m.xx += w * x * x, m.yy += w * y * y, m.zz += w * z * z;
            m.xy += w * x * y, m.xz += w * x * z, m.yz += w * y * z;
        }
        l->layer[k] = m;
    }
}

OndMass ond_mass_shape(const OndShape *shape, bool flat)
{
    MassLattice l = {.shape = shape, .box = ond_shape_bounds(shape), .flat = flat};
    const OndVec size = ond_sub(l.box.max, l.box.min);
    const double longest = fmax(size.x, fmax(size.y, flat ? 0.0 : size.z));
    Moments sum = {0};
    OndVec origin = l.box.min;
    if (flat) origin.z = 0.0;
    if (!(longest > 0.0) || !isfinite(longest)) return from_moments(&sum, origin);
    const double step = longest / CELLS;
    l.nx = (int)fmax(1.0, ceil(size.x / step)), l.ny = (int)fmax(1.0, ceil(size.y / step));
    l.nz = flat ? 1 : (int)fmax(1.0, ceil(size.z / step));
    l.step = ond_vec(step, step, step);
    const int rows = l.ny * l.nz;
    l.layer = OND_NEW_ARRAY(Moments, rows);
    if (!l.layer) return from_moments(&sum, origin);
    ond_parallel_for(rows, 16, sum_layers, &l);
    for (int k = 0; k < rows; ++k)
        add_scaled(&sum, &l.layer[k], 1.0);
    ond_free(l.layer);
    return from_moments(&sum, origin);
}

// ---- inertia

OndVec ond_inertia_solve(const OndInertia *m, OndVec v)
{
    const OndVec a = ond_vec(m->xx, m->xy, m->xz), b = ond_vec(m->xy, m->yy, m->yz),
                 c = ond_vec(m->xz, m->yz, m->zz);
    const OndVec bc = ond_cross(b, c), ca = ond_cross(c, a), ab = ond_cross(a, b);
    const double det = ond_dot(a, bc);
    if (!(det > 0.0)) return ond_vec(0, 0, 0);
    return ond_scale(ond_add(ond_scale(bc, v.x), ond_add(ond_scale(ca, v.y), ond_scale(ab, v.z))),
                     1.0 / det);
}
