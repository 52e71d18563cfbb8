// SPDX-License-Identifier: MIT
#include "sim/methods.h"

#include "grid/smoke.h"
#include "grid/stam.h"
#include "particles/dem.h"
#include "particles/sph.h"

const OndMethod *const ond_methods[] = {&ond_sph_method, &ond_dem_method, &ond_stam_method,
                                        &ond_smoke_method, &ond_current_method};
