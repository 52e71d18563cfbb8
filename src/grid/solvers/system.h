// SPDX-License-Identifier: MIT
// A linear system on the cells of a grid:
//
//     identity x - coefficient div(w grad x) = b
//
// with identity = 0 the pressure of a projection (Poisson), with identity = 1 an implicit step of
// diffusion or viscosity (Helmholtz). w in [0, 1] is how much of a face is open: solids close faces
// in part, so that a sphere is not a staircase. Boundaries are closed faces (w = 0: nothing flows,
// Neumann) or given cells (Dirichlet): a cell whose value is given lies in the array of the
// solution with that value, and so does a ghost cell behind an open side. Cells with no open face
// are out.
//
// How to make one, once and again whenever solids have moved:
//
//     ond_system_reset(s);                                  all inside open, sides closed
//     ond_system_open(s, OND_GRID_HIGH_Y);
//     s->matrix.face[0][ond_grid_at(g, i, j, k)] = ...      or ond_system_face
//     ond_system_fix(s, i, j, k);                           its value is given
//     ond_system_assemble(s, OND_POISSON, err);
//
// Where no open side or given cell is within reach (a closed pocket) and identity is 0, x is known
// up to a constant only, and only if b sums to zero there. Pockets are found by `assemble`; solvers
// check the sums and give each pocket the mean 0.
#ifndef OND_GRID_SYSTEM_H
#define OND_GRID_SYSTEM_H

#include "grid/solvers/matrix.h"

typedef enum OndGridSide {
    OND_GRID_LOW_X,
    OND_GRID_HIGH_X,
    OND_GRID_LOW_Y,
    OND_GRID_HIGH_Y,
    OND_GRID_LOW_Z,
    OND_GRID_HIGH_Z
} OndGridSide;

typedef struct OndEquation {
    double identity;    ///< >= 0
    double coefficient; ///< > 0
} OndEquation;
#define OND_POISSON ((OndEquation){0.0, 1.0})

/// Cells of a closed pocket that follow each other in a row.
typedef struct OndPocketRun {
    size_t at;
    int length, pocket;
} OndPocketRun;

typedef struct OndPockets {
    OndPocketRun *run;
    double *cells; ///< of each pocket
    double *sum;   ///< room for a number per run, and two per pocket behind them
    int runs, count;
} OndPockets;

typedef struct OndSystem {
    OndMatrix matrix;
    double scale; ///< what b is multiplied by to be in the matrix's unit
    long long unknowns;
    OndPockets pockets; ///< closed ones
} OndSystem;

/// An empty system (as after `reset`); NULL, with an error, when there is no memory.
OndSystem *ond_system_create(const OndGrid *grid, OndError *err);
void ond_system_destroy(OndSystem *system);

/// All faces inside open, periodic ones too; sides closed; no cell given.
void ond_system_reset(OndSystem *system);
/// Opens a side: x is given in the ghost cells behind it, 0 unless something else is put there.
void ond_system_open(OndSystem *system, OndGridSide side);
/// How open the lower face of a cell along an axis is, from 0 to 1.
void ond_system_face(OndSystem *system, int axis, int i, int j, int k, double open);
/// The value of this cell is given: it lies in the array of the solution.
void ond_system_fix(OndSystem *system, int i, int j, int k);
/// A value given nearby but not in a cell, at `distance` cells (0.5: at a face; a free surface:
/// anything from 0 to 1). The caller adds the value times
/// coefficient / (distance h^2) to b.
void ond_system_hold(OndSystem *system, int i, int j, int k, double distance);

/// Makes the matrix of what was set. Fails when no unknown is left ("obstacles fill the domain").
/// Before the next change, reset.
OndStatus ond_system_assemble(OndSystem *system, OndEquation equation, OndError *err);

/// True when the cell's value is solved for.
static inline bool ond_system_unknown(const OndSystem *s, int i, int j, int k)
{
    return s->matrix.diagonal[ond_grid_at(&s->matrix.grid, i, j, k)] > 0.0f;
}

size_t ond_system_bytes(const OndSystem *system);

// ---- closed pockets (pockets.c)

/// Finds them; called by `assemble`.
OndStatus ond_pockets_find(OndPockets *pockets, const OndMatrix *matrix, OndError *err);
void ond_pockets_free(OndPockets *pockets);
/// What a sum over a closed pocket may be: `share` of its terms' sizes, and `floor` a cell.
typedef struct OndNetLimit {
    double share, floor;
} OndNetLimit;
/// Fails when b sums to more than that.
OndStatus ond_pockets_check(const OndPockets *pockets, const OndGrid *grid, const float *b,
                            const OndNetLimit *limit, OndError *err);
/// Takes the mean out of every pocket.
void ond_pockets_level(const OndPockets *pockets, float *x);

#endif
