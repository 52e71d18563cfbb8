// SPDX-License-Identifier: MIT
// A law: what one pair or one cell does, as a small function of plain values.
//
// Loops gather values and call laws; a law knows of no array that it does not get, of no particle
// and no grid. It is written in the common part of C17 and C++17, so that the same lines run in the
// loops of every instruction set, in a page (wasm32) and in a GPU's kernels (CUDA).
// tests/check_vectorised.sh sees to it that none of them is left as a call in a hot loop.
#ifndef OND_PHYSICS_LAW_H
#define OND_PHYSICS_LAW_H

#if defined(__CUDACC__)
#define OND_LAW static inline __host__ __device__
#else
#define OND_LAW static inline
#endif

#endif
