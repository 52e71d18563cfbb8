// SPDX-License-Identifier: MIT
// The list of methods. A new one is a file that defines `ond_NAME_method` (method/method.h) and
// `ond_NAME_schema`, and one line here: scenes, messages and the reference know it from then on.
#ifndef OND_SIM_METHODS_H
#define OND_SIM_METHODS_H

#include "method/method.h"

// The first is that of a scene without a method.
#define OND_METHODS(X)                                                                             \
    X(sph)                                                                                         \
    X(dem)                                                                                         \
    X(stam)                                                                                        \
    X(smoke)                                                                                       \
    X(current)                                                                                     \
    /* the end: new ones go above */

extern const OndMethod *const ond_methods[];
/// Their schemas in the same order, so that a scene's `method.type` picks both; NULL-terminated.
extern const OndSchema *const ond_method_schemas[];
extern const int ond_method_count;

#endif
