// SPDX-License-Identifier: MIT
// The hot loops of the linear solvers: everything that visits each cell.
//
// Each loop takes a range of rows; who runs them, and on how many threads, is sweep.h. Like those
// of particles/ they are compiled once for each instruction set; ond_grid_loops() hands out the
// best set for this processor. Loops with a sum return it in double.
#ifndef OND_GRID_LOOPS_H
#define OND_GRID_LOOPS_H

#include "grid/solvers/matrix.h"

#define OND_GRID_JOIN2(a, b) a##_##b
#define OND_GRID_JOIN(a, b)  OND_GRID_JOIN2(a, b)
/// A loop's name in this instruction set.
#define OND_GRID_LOOP(name) OND_GRID_JOIN(ond_grid_loop_##name, OND_ISA)

#ifdef __GNUC__
#define OND_GRID_INLINE static inline __attribute__((always_inline))
#else
#define OND_GRID_INLINE static inline
#endif

/// What a loop reads and writes; each takes what it needs of it.
typedef struct OndGridLoop {
    const OndMatrix *matrix;
    const OndMatrix *coarse; ///< of the next level
    const float *a, *b;
    float *x, *y;
    float *low;    ///< NULL, or what x (in `residual`: a) lacks by rounding
    float scale;   ///< of b, or of a step
    float step;    ///< of a smoother, a relaxation, a direction
    int colour;    ///< 0 or 1: cells with i + j + k even or odd
    double second; ///< out: another sum, of `residual`
} OndGridLoop;

typedef double OndGridLoopFn(OndGridLoop *loop, int first_row, int last_row);

typedef struct OndGridLoops {
    OndGridLoopFn *residual; ///< x = scale b - A (a + low); sum of x x, second: of (D a)^2
    OndGridLoopFn *right;    ///< sum of (scale b + what given cells of a add)^2
    OndGridLoopFn *apply;    ///< x = A a; sum of a x
    OndGridLoopFn *rest;     ///< x = b - A a; no sum
    OndGridLoopFn *smooth;   ///< x = a + step (b - A a) / D; no sum
    OndGridLoopFn *finish;   ///< the same; sum of b x
    OndGridLoopFn *divide;   ///< x = step b / D; sum of b x
    OndGridLoopFn *correct;  ///< x += step b / D; no sum
    OndGridLoopFn *relax;    ///< of x, packed by parity: one colour of Gauss-Seidel, over-relaxed
    OndGridLoopFn *dot;      ///< sum of a b
    OndGridLoopFn *advance;  ///< x + low += step a, y -= step b; sum of y y
    OndGridLoopFn *turn;     ///< x = a + step x
    OndGridLoopFn *collect;  ///< rows of `coarse`: x = scale P' a
    OndGridLoopFn *spread;   ///< x += P a, with a on `coarse`
    OndGridLoopFn *lower;    ///< a slab of rows: x = L^-1 b, with a on L's diagonal as 1 / of it
    OndGridLoopFn *upper;    ///< a slab of rows: x = L'^-1 x
} OndGridLoops;

/// The best set for this processor.
const OndGridLoops *ond_grid_loops(void);

#endif
