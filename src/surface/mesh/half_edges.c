// SPDX-License-Identifier: MIT
#include "surface/mesh/half_edges.h"

#include "base/memory.h"

#include <string.h>

#define DEGREE_MOST 32 // corners with more neighbours do not take part

// ---- making

// Sides by the corner they start from, in `order`; first[c] is where those of corner c begin.
static void sort_sides(const OndHalfEdges *h, uint32_t *first, uint32_t *order)
{
    const uint32_t sides = 3 * (uint32_t)h->triangle_count;
    for (uint32_t n = 0; n < sides; ++n)
        ++first[h->triangle[n]];
    uint32_t sum = 0;
    for (int c = 0; c <= h->corner_count; ++c) {
        const uint32_t here = c < h->corner_count ? first[c] : 0;
        first[c] = sum;
        sum += here;
    }
    for (uint32_t n = 0; n < sides; ++n)
        order[first[h->triangle[n]]++] = n;
    memmove(first + 1, first, (size_t)h->corner_count * sizeof *first);
    first[0] = 0;
}

// The side from b to a, if there is just one.
static uint32_t find_twin(const OndHalfEdges *h, const uint32_t *first, const uint32_t *order,
                          uint32_t n)
{
    const uint32_t a = h->triangle[n], b = ond_side_end(h, n);
    uint32_t found = OND_GONE;
    for (uint32_t k = first[b]; k < first[b + 1]; ++k)
        if (ond_side_end(h, order[k]) == a) {
            if (found != OND_GONE) return OND_GONE;
            found = order[k];
        }
    return found;
}

static int degree_of(const OndHalfEdges *h, uint32_t corner)
{
    const uint32_t start = h->side[corner];
    int count = 0;
    uint32_t n = start;
    do {
        n = ond_side_turn(h, n);
    } while (++count < 1 << 20 && n != start);
    return count;
}

static bool join_sides(OndHalfEdges *h, uint32_t *first, uint32_t *order)
{
    const uint32_t sides = 3 * (uint32_t)h->triangle_count;
    sort_sides(h, first, order);
    memset(h->side, 0xff, (size_t)h->corner_count * sizeof *h->side);
    for (uint32_t n = 0; n < sides; ++n) {
        h->twin[n] = find_twin(h, first, order, n);
        if (h->twin[n] == OND_GONE) return false;
        if (h->side[h->triangle[n]] == OND_GONE) h->side[h->triangle[n]] = n;
    }
    for (uint32_t n = 0; n < sides; ++n)
        if (h->twin[h->twin[n]] != n) return false;
    for (int c = 0; c < h->corner_count; ++c) // one fan each
        if (h->side[c] != OND_GONE && degree_of(h, (uint32_t)c) != (int)(first[c + 1] - first[c]))
            return false;
    return true;
}

OndStatus ond_half_edges_make(OndHalfEdges *h, const OndMesh *mesh, OndError *err)
{
    const size_t sides = 3 * (size_t)mesh->triangle_count;
    *h = (OndHalfEdges){.triangle = mesh->triangle,
                        .corner_count = mesh->corner_count,
                        .triangle_count = mesh->triangle_count};
    h->twin = OND_NEW_ARRAY(uint32_t, sides + 1);
    h->side = OND_NEW_ARRAY(uint32_t, (size_t)mesh->corner_count + 1);
    uint32_t *first = OND_NEW_ARRAY(uint32_t, (size_t)mesh->corner_count + 2);
    uint32_t *order = OND_NEW_ARRAY(uint32_t, sides + 1);
    OndStatus status = OND_OK;
    if (!h->twin || !h->side || !first || !order)
        status = ond_fail(err, OND_NO_MEMORY, "not enough memory to thin out %d triangles",
                          mesh->triangle_count);
    else if (!join_sides(h, first, order))
        status = ond_fail(err, OND_BAD_VALUE,
                          "only a closed manifold mesh can be thinned out; this one is not");
    ond_free(first);
    ond_free(order);
    if (status != OND_OK) ond_half_edges_free(h);
    return status;
}

void ond_half_edges_free(OndHalfEdges *h)
{
    ond_free(h->twin);
    ond_free(h->side);
    memset(h, 0, sizeof *h);
}

// ---- collapsing

static bool is_neighbour(const OndHalfEdges *h, uint32_t corner, uint32_t other)
{
    const uint32_t start = h->side[corner];
    uint32_t n = start;
    do {
        if (ond_side_end(h, n) == other) return true;
        n = ond_side_turn(h, n);
    } while (n != start);
    return false;
}

bool ond_half_edges_may_collapse(const OndHalfEdges *h, uint32_t n)
{
    const uint32_t b = ond_side_end(h, n);
    const uint32_t c = h->triangle[ond_side_before(n)],
                   d = h->triangle[ond_side_before(h->twin[n])];
    const int degree = degree_of(h, h->triangle[n]), other = degree_of(h, b);
    if (c == d || degree + other > DEGREE_MOST || degree + other - 4 < 3) return false;
    for (uint32_t k = ond_side_turn(h, n); k != n; k = ond_side_turn(h, k)) {
        const uint32_t near = ond_side_end(h, k);
        if (near != c && near != d && is_neighbour(h, b, near)) return false;
    }
    return true;
}

static void remove_triangle(OndHalfEdges *h, uint32_t n)
{
    const uint32_t first = n - n % 3;
    for (uint32_t k = first; k < first + 3; ++k)
        h->triangle[k] = 0, h->twin[k] = OND_GONE;
}

// The two outer sides of a triangle at the edge become one edge of those beyond them.
static void close_gap(OndHalfEdges *h, uint32_t n)
{
    const uint32_t x = h->twin[ond_side_next(n)], y = h->twin[ond_side_before(n)];
    h->twin[x] = y, h->twin[y] = x;
    h->side[h->triangle[x]] = x;
    h->side[h->triangle[y]] = y;
}

void ond_half_edges_collapse(OndHalfEdges *h, uint32_t n)
{
    const uint32_t a = h->triangle[n], b = ond_side_end(h, n), twin = h->twin[n];
    for (uint32_t k = ond_side_turn(h, n); k != n; k = ond_side_turn(h, k))
        h->triangle[k] = b;
    h->triangle[n] = b;
    close_gap(h, n);
    close_gap(h, twin);
    remove_triangle(h, n);
    remove_triangle(h, twin);
    h->side[a] = OND_GONE;
}
