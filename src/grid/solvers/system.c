// SPDX-License-Identifier: MIT
#include "grid/solvers/system.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

#define GIVEN -1.0f // in the diagonal, before it is assembled

OndSystem *ond_system_create(const OndGrid *grid, OndError *err)
{
    OndSystem *s = OND_NEW(OndSystem);
    bool made = s != NULL;
    for (int a = 0; made && a < ond_grid_axes(grid); ++a)
        made = (s->matrix.face[a] = ond_grid_bytes(grid)) != NULL;
    made = made && (s->matrix.diagonal = ond_grid_floats(grid)) != NULL;
    if (!made) {
        ond_system_destroy(s);
        ond_fail(
            err, OND_NO_MEMORY,
            "a grid of %d x %d x %d cells needs %.2f GB for its linear system alone, more than "
            "there is; take fewer cells",
            grid->n[0], grid->n[1], grid->n[2], 7e-9 * (double)grid->length);
        return NULL;
    }
    s->matrix.grid = *grid;
    ond_system_reset(s);
    return s;
}

void ond_system_destroy(OndSystem *s)
{
    if (!s) return;
    for (int a = 0; a < 3; ++a)
        ond_free(s->matrix.face[a]);
    ond_free(s->matrix.diagonal);
    ond_pockets_free(&s->pockets);
    ond_free(s);
}

size_t ond_system_bytes(const OndSystem *s)
{
    const size_t cell = (size_t)ond_grid_axes(&s->matrix.grid) + sizeof(float);
    return sizeof *s + cell * s->matrix.grid.length +
           (size_t)s->pockets.runs * (sizeof(OndPocketRun) + sizeof(double)) +
           (size_t)s->pockets.count * 3 * sizeof(double);
}

// ---- what is open

void ond_system_reset(OndSystem *s)
{
    const OndGrid *g = &s->matrix.grid;
    for (int a = 0; a < ond_grid_axes(g); ++a) {
        uint8_t *face = s->matrix.face[a];
        const int first = g->periodic[a] ? 0 : 1; // the lower side's faces are number 0
        memset(face, 0, g->length);
        for (int k = a == 2 ? first : 0; k < g->n[2]; ++k)
            for (int j = a == 1 ? first : 0; j < g->n[1]; ++j) {
                const int i = a == 0 ? first : 0;
                memset(face + ond_grid_at(g, i, j, k), OND_FACE_OPEN, (size_t)(g->n[0] - i));
            }
    }
    memset(s->matrix.diagonal, 0, g->length * sizeof(float));
}

void ond_system_open(OndSystem *s, OndGridSide side)
{
    const OndGrid *g = &s->matrix.grid;
    const int axis = (int)side / 2, at = (int)side % 2 ? g->n[axis] : 0;
    if (axis >= ond_grid_axes(g) || g->periodic[axis]) return;
    int n[3] = {g->n[0], g->n[1], g->n[2]}, c[3];
    n[axis] = 1;
    for (c[2] = 0; c[2] < n[2]; ++c[2])
        for (c[1] = 0; c[1] < n[1]; ++c[1])
            for (c[0] = 0; c[0] < n[0]; ++c[0]) {
                int f[3] = {c[0], c[1], c[2]};
                f[axis] = at;
                s->matrix.face[axis][ond_grid_at(g, f[0], f[1], f[2])] = OND_FACE_OPEN;
            }
}

void ond_system_face(OndSystem *s, int axis, int i, int j, int k, double open)
{
    const double share = open > 0.0 ? open < 1.0 ? open : 1.0 : 0.0; // NaN: closed
    s->matrix.face[axis][ond_grid_at(&s->matrix.grid, i, j, k)] =
        (uint8_t)(share * OND_FACE_OPEN + 0.5);
}

void ond_system_fix(OndSystem *s, int i, int j, int k)
{
    s->matrix.diagonal[ond_grid_at(&s->matrix.grid, i, j, k)] = GIVEN;
}

void ond_system_hold(OndSystem *s, int i, int j, int k, double distance)
{
    float *hold = &s->matrix.diagonal[ond_grid_at(&s->matrix.grid, i, j, k)];
    const double near = distance > 1e-3 ? distance : 1e-3;
    if (*hold >= 0.0f) *hold += (float)(OND_FACE_OPEN / near);
}

// ---- the matrix

typedef struct Assembly {
    OndMatrix *matrix;
    float identity;
    long long *unknowns; // of each block
} Assembly;

// In place: what stood there is the hold, or that the cell is given.
static int assemble_row(const OndMatrix *m, size_t at, float identity)
{
    const OndGrid *g = &m->grid;
    int unknowns = 0;
    for (int i = 0; i < g->n[0]; ++i) {
        const size_t c = at + (size_t)i;
        float *d = &m->diagonal[c];
        int weights = m->face[0][c] + m->face[0][c + 1];
        weights += m->face[1][c] + m->face[1][c + (size_t)g->row];
        if (g->deep) weights += m->face[2][c] + m->face[2][c + (size_t)g->plane];
        const bool given = *d < 0.0f, out = weights == 0 && *d == 0.0f;
        *d = given || out ? 0.0f : *d + (float)weights + identity;
        unknowns += *d > 0.0f;
    }
    return unknowns;
}

static void assemble_blocks(int first, int last, int worker, void *context)
{
    const Assembly *a = context;
    const OndGrid *g = &a->matrix->grid;
    for (int r = first; r < last; ++r)
        a->unknowns[r / g->block] += assemble_row(a->matrix, ond_grid_row(g, r), a->identity);
}

static OndStatus check(const OndSystem *s, OndEquation e, OndError *err)
{
    if (!(e.identity >= 0.0 && e.identity < HUGE_VAL) ||
        !(e.coefficient > 0.0 && e.coefficient < HUGE_VAL))
        return ond_fail(err, OND_BAD_VALUE,
                        "a linear system with identity %g and coefficient %g; give at least 0 and "
                        "more than 0",
                        e.identity, e.coefficient);
    const double h = s->matrix.grid.h, ratio = e.identity * h * h / e.coefficient;
    if (!(ratio < 1e30) || !(e.coefficient / (h * h) > 1e-30 && e.coefficient / (h * h) < 1e30))
        return ond_fail(err, OND_BAD_VALUE,
                        "a linear system with identity %g, coefficient %g and cells of %g m is "
                        "beyond the range of its numbers",
                        e.identity, e.coefficient, h);
    return OND_OK;
}

OndStatus ond_system_assemble(OndSystem *s, OndEquation e, OndError *err)
{
    const OndGrid *g = &s->matrix.grid;
    OndStatus status = check(s, e, err);
    if (status != OND_OK) return status;
    s->scale = OND_FACE_OPEN * g->h * g->h / e.coefficient;
    for (int a = 0; a < ond_grid_axes(g); ++a)
        ond_grid_wrap_bytes(g, s->matrix.face[a]);
    long long *unknowns = OND_NEW_ARRAY(long long, ond_grid_blocks(g));
    if (!unknowns) return ond_fail(err, OND_NO_MEMORY, "not enough memory to count the cells");
    Assembly assembly = {&s->matrix, (float)(e.identity * s->scale), unknowns};
    ond_parallel_for(g->rows, g->block, assemble_blocks, &assembly);
    ond_grid_wrap(g, s->matrix.diagonal);
    s->unknowns = 0;
    for (int b = 0; b < ond_grid_blocks(g); ++b)
        s->unknowns += unknowns[b];
    ond_free(unknowns);
    if (s->unknowns == 0)
        return ond_fail(err, OND_BAD_VALUE,
                        "obstacles fill the domain: none of its %lld cells is left to flow in",
                        ond_grid_cells(g));
    if (e.identity > 0.0) {
        ond_pockets_free(&s->pockets);
        return OND_OK;
    }
    return ond_pockets_find(&s->pockets, &s->matrix, err);
}
