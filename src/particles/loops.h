// SPDX-License-Identifier: MIT
// The hot loops: everything that visits each particle's neighbours.
//
// Each loop is one file (loops_*.c) with arithmetic only; which one runs, and over what, is decided
// in sph_*.c. The build compiles these files once for each instruction set; ond_loops() hands out
// the best set for this processor.
//
// All loops gather: particle i reads its neighbours j and writes only itself. A particle's list
// holds its neighbours' indices and is filled up to a multiple of OND_LANES with i itself. That
// padding needs no test: every term carries x_i - x_j, v_i - v_j or the like, which is exactly 0
// for j = i.
#ifndef OND_PARTICLES_LOOPS_H
#define OND_PARTICLES_LOOPS_H

#include "physics/kernels.h"
#include "space/cells.h"

#include <stdint.h>

#define OND_LANES 8 // list lengths are a multiple of this

#define OND_JOIN2(a, b) a##_##b
#define OND_JOIN(a, b)  OND_JOIN2(a, b)
#define OND_LOOP(name)  OND_JOIN(ond_loop_##name, OND_ISA) // its name in this instruction set

#ifdef __GNUC__
#define OND_INLINE static inline __attribute__((always_inline))
#else
#define OND_INLINE static inline
#endif

// Lists of all particles, in slabs handed out to workers.
typedef struct OndLists {
    uint32_t *pool;
    uint32_t *first, *length; // of each particle; lengths are padded
    uint32_t capacity;        // of the pool
    _Atomic(uint32_t) *used;  // shared by the workers
    _Atomic(int) *overflow;   // set when the pool was too small: grow it and search again
} OndLists;

// What a worker of the search keeps to itself: a cache line each, since it changes with every
// particle.
typedef struct OndCandidates {
    _Alignas(64) float *r2; // squared distances of the list under construction
    uint32_t at, end;       // rest of this worker's slab of the pool
} OndCandidates;

typedef struct OndSearchLoop {
    const OndCells *cells, *images; // of particles, and of images behind walls and periodic sides
    uint32_t image_base;            // index of the first image
    const float *px, *py, *pz;
    OndKernelSet kernel;
    float reach2; // squared radius of the lists; may be more than the kernel's
    OndLists lists;
    OndCandidates *worker;
    float *sum; // out: sum of W over neighbours and the particle itself, 1/m^3
} OndSearchLoop;

// What the pair loops read.
typedef struct OndPairs {
    const uint32_t *pool, *first, *length;
    const float *px, *py, *pz, *vx, *vy, *vz;
    const float *density, *volume;
    OndKernelSet kernel;
    float *ax, *ay, *az; // accelerations, added to
} OndPairs;

typedef struct OndPressureLoop {
    OndPairs pairs;
    const float *weight, *load, *scale; // a_i -= scale_i sum_j weight_j (load_i + load_j) grad W
} OndPressureLoop;

typedef struct OndArtificialLoop {
    OndPairs pairs;
    float linear, quadratic; // alpha c and xi
} OndArtificialLoop;

typedef struct OndViscosityLoop {
    OndPairs pairs;
    const float *viscosity; // Pa s
} OndViscosityLoop;

typedef struct OndContinuityLoop {
    OndPairs pairs;
    float diffusion; // delta c h
    float *rate;     // out: d rho / dt
} OndContinuityLoop;

typedef struct OndXsphLoop {
    OndPairs pairs;
    float share;
    float *wx, *wy, *wz; // out: velocity to move with
} OndXsphLoop;

typedef struct OndCohesionLoop {
    OndPairs pairs;
    const float *pull; // surface tension of each particle, N/m
    float scale;       // C / (sum at rest) for a tension of 1
} OndCohesionLoop;

typedef struct OndColourLoop {
    OndPairs pairs;
    int dimension;
    float *nx, *ny, *nz; // out: gradient of the colour field, 1/m
    float *bend;         // out: its Laplacian, 1/m^2
} OndColourLoop;

typedef struct OndLoops {
    void (*search)(const OndSearchLoop *, int first_cell, int last_cell, int worker);
    void (*pressure)(const OndPressureLoop *, int first, int last);
    void (*artificial)(const OndArtificialLoop *, int first, int last);
    void (*viscosity)(const OndViscosityLoop *, int first, int last);
    void (*continuity)(const OndContinuityLoop *, int first, int last);
    void (*xsph)(const OndXsphLoop *, int first, int last);
    void (*cohesion)(const OndCohesionLoop *, int first, int last);
    void (*colour)(const OndColourLoop *, int first, int last);
} OndLoops;

/// The best set for this processor.
const OndLoops *ond_loops(void);

// Runs body(..., kind) with the kernel as a constant, so that each kernel gets a loop of its own.
#define OND_FOR_KERNEL(kind, call)                                                                 \
    switch (kind) {                                                                                \
    case OND_KERNEL_MUELLER:                                                                       \
        call(OND_KERNEL_MUELLER);                                                                  \
        break;                                                                                     \
    case OND_KERNEL_CUBIC:                                                                         \
        call(OND_KERNEL_CUBIC);                                                                    \
        break;                                                                                     \
    case OND_KERNEL_WENDLAND:                                                                      \
        call(OND_KERNEL_WENDLAND);                                                                 \
        break;                                                                                     \
    default:                                                                                       \
        call(OND_KERNEL_MULLER2D);                                                                 \
        break;                                                                                     \
    }

#endif
