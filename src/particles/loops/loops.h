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

#include "physics/contact.h"
#include "physics/kernels.h"
#include "space/near_buffers.h"

#include <stdint.h>

/// List lengths are a multiple of this: of a 256-bit vector, which suits lists of about 30 better
/// than a wider one (docs/benchmarks.md, "What the limit is").
#define OND_LANES 8

#define OND_JOIN2(a, b) a##_##b
#define OND_JOIN(a, b)  OND_JOIN2(a, b)
#define OND_LOOP(name)  OND_JOIN(ond_loop_##name, OND_ISA) // its name in this instruction set

#ifdef __GNUC__
#define OND_INLINE static inline __attribute__((always_inline))
#else
#define OND_INLINE static inline
#endif

// Four floats that are loaded together.
typedef float OndQuad __attribute__((vector_size(16)));

typedef struct OndSearchLoop {
    const OndCells *cells, *images; // of particles, and of images behind walls and periodic sides
    uint32_t image_base;            // index of the first image
    const float *px, *py, *pz;
    const OndQuad *place; // the same; fourth: not read
    OndKernelSet kernel;
    float reach2; // squared radius of the lists; may be more than the kernel's
    OndLists lists;
    OndNearBuffer *worker;
    float *sum; // out: sum of W over neighbours and the particle itself, 1/m^3
} OndSearchLoop;

// Liquids that keep their volume (physics/incompressible.h).
typedef struct OndImpulseLoop {
    const uint32_t *pool, *first, *length;
    OndKernelSet kernel;       // its gradient is the slope of its value
    const OndQuad *place;      // m; fourth: impulse, kg m^5; images included
    const float *inverse_mass; // 1/kg; 0: moves as told
    OndQuad *way;              // m: made by `impulse`, read by `crowding`, which needs images;
                               // of `ease` the slopes of the diagonal, 1/m^4
    float *sum;                // out: of `crowding` the change of the sum of W, 1/m^3; of `differ`
                               // W times how much larger the impulses of neighbours are, summed
} OndImpulseLoop;

// Particles of one cell of a grid, and its corners (loops_multigrid.c).
typedef struct OndPressureGridLoop {
    const float *x[3];
    float low[3], inv_size[3]; // of the cell; a flat axis has 0
    const float *left, *ease;  // what is left of those with ease; the others count for nothing
    float back;                // of the direction so far
    OndQuad *place;            // `spread`: its fourth value is the direction; `element`: slopes
    float *sum;                // `gather`: added to; `spread`: of 1, x, y, xy, z, xz, yz, xyz
    const float *inverse_mass, *room;
    float slope_ratio;
    float (*element)[8]; // added to
} OndPressureGridLoop;
// Implicit viscosity (physics/viscosity.h).
typedef struct OndViscousLoop {
    const uint32_t *pool, *first, *length;
    OndKernelSet kernel;  // its gradient gives the pull of a pair
    float far;            // and how much more of it those get that are far, 1/m^2
    const OndQuad *place; // m; fourth: mu V^2, images included
    const OndQuad *go;    // m/s; fourth: share of the pull that goes along the line between two
    OndQuad *out;         // out of `rub`: what a velocity loses, N
    float (*block)[6];    // out of `rub_block`: of that, its own part: xx yy zz xy xz yz, N s/m
} OndViscousLoop;

// What the pair loops read.
typedef struct OndPairs {
    const uint32_t *pool, *first, *length;
    const float *px, *py, *pz, *vx, *vy, *vz;
    const float *density, *volume;
    OndKernelSet kernel;
    float *ax, *ay, *az; // accelerations, added to
    // The same side by side, for the loops that say what the fourth value is (near.h).
    const OndQuad *place; // m
    const OndQuad *go;    // m/s
} OndPairs;

typedef struct OndPressureLoop {
    OndPairs pairs;      // a_i -= scale_i sum_j weight_j (load_i + load_j) grad W; place: load
    const float *weight; // NULL: all 1
    const float *scale;
} OndPressureLoop;

typedef struct OndArtificialLoop {
    OndPairs pairs;          // place: density; go: volume
    float linear, quadratic; // alpha c and xi
} OndArtificialLoop;

// How a liquid turns and closes in.
typedef struct OndCurlLoop {
    OndPairs pairs;      // place: not read; go: volume
    float *turn, *close; // out: lengths of the velocity's curl and divergence, 1/s
} OndCurlLoop;

// Artificial viscosity of which each particle feels a share.
typedef struct OndSpareLoop {
    OndArtificialLoop artificial;
    const float *share;
} OndSpareLoop;

typedef struct OndViscosityLoop {
    OndPairs pairs; // place: viscosity, Pa s; go: volume
} OndViscosityLoop;

typedef struct OndContinuityLoop {
    OndPairs pairs;  // place: density; go: volume
    float diffusion; // delta c h
    float most;      // 1 / dt: share of a difference that spreads in a second
    float *rate;     // out: d rho / dt
} OndContinuityLoop;

typedef struct OndXsphLoop {
    OndPairs pairs; // place: density; go: volume
    float share;
    float *wx, *wy, *wz; // out: velocity to move with
} OndXsphLoop;

typedef struct OndSlopeLoop {
    OndPairs pairs;      // with the kernel of the normals
    OndKernelSet narrow; // that of the force; no wider
    float rest_volume;   // of a particle
    float *nx, *ny, *nz; // out: gradient of the colour field, 1/m
    float *fx, *fy, *fz; // out: the same by the narrow kernel
} OndSlopeLoop;

typedef struct OndCurvatureLoop {
    OndPairs pairs;
    const float *nx, *ny, *nz; // unit normals, into the liquid
    const float *weight;       // how much each counts
    float *curvature;          // out: mean of the principal ones, 1/m; above 0 for a drop
} OndCurvatureLoop;

typedef struct OndColourLoop {
    OndPairs pairs;
    int dimension;
    float *nx, *ny, *nz; // out: gradient of the colour field, 1/m
    float *bend;         // out: its Laplacian, 1/m^2
} OndColourLoop;

// Which particles hold each other, and how fast.
typedef struct OndLinkLoop {
    const uint32_t *pool, *list_first, *list_length; // neighbour lists
    const float *px, *py, *pz;
    const float *lead; // weight of each particle's rigidity, 0 where it has none (images too)
    const float *mass; // half of the link's scale: stiffness = lead (mass_i + mass_j) shape(r)
    float reach2;
    const uint32_t *particle, *piece; // particle of each local number
    const int *local;                 // local number of each particle, -1
    const uint8_t *kind;              // of each local number; 0 moves by itself
    OndNearBuffer *worker;            // its slab
    _Atomic(uint32_t) *used;
    _Atomic(int) *overflow;
    uint32_t capacity;
    uint32_t *near, *first, *length; // out: local numbers
    float *gx, *gy, *gz;             // out
} OndLinkLoop;

typedef struct OndPullLoop {
    const uint32_t *near, *first, *length;
    const float *gx, *gy, *gz;
    const OndQuad
        *u; // fourth: what holds a link back, the smaller of its two ends'; 1 where all count
    float *fx, *fy, *fz; // out
} OndPullLoop;

typedef struct OndRelaxPair {
    uint32_t index;
    float weight; // a particle's weights sum to 1
} OndRelaxPair;

typedef struct OndRelaxSlot {
    uint32_t particle, first, count, length; // of its pairs; the length is a multiple of 4
} OndRelaxSlot;

typedef struct OndThesisLoop {
    const OndRelaxSlot *slot;
    const OndRelaxPair *pair;
    const OndQuad *u; // displacement; w: 1 when stabilised
    OndQuad *pull;    // out, by slot: mean of u_j - u_i; w: weight of stabilised neighbours
} OndThesisLoop;

typedef struct OndConductLoop {
    OndPairs pairs;
    const float *conduct; // of each particle, with all factors of the Laplacian and the step
    float *weight;        // out: of each pair, beside the lists
    float *sum;           // out: over a particle's pairs
    const double *value;  // temperatures, images included
    double *out;          // out: what each particle loses
} OndConductLoop;

typedef struct OndFlowLoop {
    const uint32_t *pool, *first, *length;
    const float *weight;
    const double *value; // images included
    double *out;
} OndFlowLoop;

typedef struct OndExposedLoop {
    OndPairs pairs;
    int dimension;
    float full;      // 1 / what a full surrounding has on one side
    float ignored;   // share that may be missing inside
    float scale;     // of a flat surface, so that its area is right, m^(d-1)
    float closed[6]; // beyond these a bare wall closes that side
    float *area;     // out: m^2 (2D: m)
} OndExposedLoop;

// Potentials of foam (physics/foam.h).
typedef struct OndTrapLoop {
    OndPairs pairs;
    float inv_reach, scale;        // 1 / the reach of the lists; 1 / what a full one sums up to
    float least;                   // squared speed below which a particle is not asked: all 0
    float *trapped, *nx, *ny, *nz; // out: trapped air, m/s; which way the liquid is missing
} OndTrapLoop;

// The liquid round a place; no lists.
typedef struct OndMeetLoop {
    const float *px, *py, *pz, *vx, *vy, *vz;
    float at[3], inv_reach;
} OndMeetLoop;

// Grains that touch; no lists (loops_contact.c).
typedef struct OndContactLoop {
    const OndCells *cells, *images; // of grains, and of images beyond periodic sides (NULL: none)
    uint32_t image_base;            // index of the first image
    const float *px, *py, *pz, *vx, *vy, *vz, *mass; // images included
    float diameter;
    OndContactLaw law;
    float *ax, *ay, *az; // accelerations, added to
    uint32_t *touching;  // out: how many touch each
} OndContactLoop;

// Groups of the rigid system, six numbers each. Blocks of 6 x 6 stand column by column, and are read
// in eights: behind the last one there must be room for two numbers.
typedef struct OndGroupLoop {
    const uint32_t *first, *length, *near; // of each group's neighbours
    const double *link, *own, *inverse;    // blocks: of the neighbours, of each, and their inverses
    const double *right;                   // six each
    double *x, *out;
    double step;
} OndGroupLoop;

// The neighbours that a group has met so far. `at` holds the block of the group that met one last.
typedef struct OndSeats {
    uint32_t *at, first, count;
} OndSeats;

// Sums over links of row row^T, as halves of 24 numbers: rigid/rigid_gather.c tells what for.
typedef struct OndTieLoop {
    const uint32_t *first, *length, *near; // links
    const float *gx, *gy, *gz;
    const float *px, *py, *pz; // locals
    const int *home;           // the group that each moves with; below 0: none
    const double (*center)[3]; // groups
    double (*tie)[36];         // links to who has none
    double (*link)[36];        // blocks of neighbours,
    uint32_t *other;           // and who they are
} OndTieLoop;

typedef struct OndLoops {
    void (*search)(const OndSearchLoop *, int first_cell, int last_cell, int worker);
    void (*pressure)(const OndPressureLoop *, int first, int last);
    void (*artificial)(const OndArtificialLoop *, int first, int last);
    void (*curl)(const OndCurlLoop *, int first, int last);
    void (*spare)(const OndSpareLoop *, int first, int last);
    void (*viscosity)(const OndViscosityLoop *, int first, int last);
    void (*continuity)(const OndContinuityLoop *, int first, int last);
    void (*impulse)(const OndImpulseLoop *, int first, int last);
    void (*crowding)(const OndImpulseLoop *, int first, int last);
    void (*ease)(const OndImpulseLoop *, int first, int last); // diagonal
    void (*differ)(const OndImpulseLoop *, int first, int last);
    void (*gather)(const OndPressureGridLoop *, int first, int last);
    void (*spread)(const OndPressureGridLoop *, int first, int last);
    void (*element)(const OndPressureGridLoop *, int first, int last);
    void (*rub)(const OndViscousLoop *, int first, int last);
    void (*rub_block)(const OndViscousLoop *, int first, int last);
    void (*xsph)(const OndXsphLoop *, int first, int last);
    void (*slope)(const OndSlopeLoop *, int first, int last);
    void (*curvature)(const OndCurvatureLoop *, int first, int last);
    void (*colour)(const OndColourLoop *, int first, int last);
    void (*conduct)(const OndConductLoop *, int first, int last);
    void (*flow)(const OndFlowLoop *, int first, int last);
    void (*exposed)(const OndExposedLoop *, int first, int last);
    void (*thesis)(const OndThesisLoop *, int first, int last);
    void (*link)(const OndLinkLoop *, int first, int last, int worker);
    void (*pull)(const OndPullLoop *, int first, int last);
    void (*tie)(const OndTieLoop *, OndSeats *, int group, const int *member, int count);
    void (*share)(const OndTieLoop *, const OndSeats *, int group); // halves become blocks
    // block += T^T m U, T and U the motions of a part that lies an arm d (e) from the centre of its whole
    void (*carry)(double block[36], const double m[36], const double d[3], const double e[3]);
    void (*leave)(const OndGroupLoop *, int first, int last); // out = right - A x
    void (*relax)(const OndGroupLoop *, int first, int last); // out = step inverse (right - A x)
    void (*begin)(const OndGroupLoop *, int first, int last); // x = step inverse right
    void (*contact)(const OndContactLoop *, int first_cell, int last_cell);
    void (*trap)(const OndTrapLoop *, int first, int last);
    // adds particles in reach, their weights, and those times their velocities
    void (*meet)(const OndMeetLoop *, uint32_t first, uint32_t last, float sum[5]);
} OndLoops;

/// The best set for this processor.
const OndLoops *ond_loops(void);

// Runs call(kind) with the kernel as a constant, so that each kernel gets a loop of its own. Room
// for eight; numbers that no kernel has are not compiled.
// clang-format off
#define OND_KERNEL_CASE(number, call)                                                              \
    case number: if (number < OND_KERNEL_COUNT) { call(number); } break;
#define OND_FOR_KERNEL(kind, call)                                                                 \
    switch (kind) {                                                                                \
    OND_KERNEL_CASE(0, call) OND_KERNEL_CASE(1, call) OND_KERNEL_CASE(2, call)                     \
    OND_KERNEL_CASE(3, call) OND_KERNEL_CASE(4, call) OND_KERNEL_CASE(5, call)                     \
    OND_KERNEL_CASE(6, call) OND_KERNEL_CASE(7, call)                                              \
    default: break;                                                                                \
    }
// clang-format on
_Static_assert(OND_KERNEL_COUNT <= 8, "a case for each kernel");

#endif
