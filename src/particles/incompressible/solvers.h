// SPDX-License-Identifier: MIT
// The register of solvers that keep a liquid's volume: one is a file NAME.c here, which defines
// ond_pressure_NAME (incompressible.h), and a line below. Scenes and the reference know it then.
#ifndef OND_PARTICLES_SOLVERS_H
#define OND_PARTICLES_SOLVERS_H

// NAME, in capitals, what it is
#define OND_PRESSURE_SOLVERS(X)                                                                    \
    X(cg, CG, "conjugate gradients")                                                               \
    X(pcisph, PCISPH, "Solenthaler 2009")                                                          \
    X(iisph, IISPH, "Ihmsen 2014")                                                                 \
    X(dfsph, DFSPH, "Bender 2015")                                                                 \
    /* the end: new ones go above */

#endif
