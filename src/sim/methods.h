// SPDX-License-Identifier: MIT
// The table of methods: in the order of OndMethodType, so that a scene's `method.type` picks one.
#ifndef OND_SIM_METHODS_H
#define OND_SIM_METHODS_H

#include "physics/method.h"

extern const OndMethod *const ond_methods[];

#endif
