// SPDX-License-Identifier: MIT
// Materials that a scene can name: `material: wax` instead of nine numbers.
#ifndef OND_SIM_MATERIALS_H
#define OND_SIM_MATERIALS_H

#include "sim/scene/scene.h"

/// One material, in the units of a fluid's keys. Density, conductivity and specific heat are one
/// number each for solid and liquid; materials.c says where they come from.
typedef struct OndMaterialValues {
    double density;       ///< kg/m^3
    double viscosity;     ///< of the liquid, Pa s
    double solid, liquid; ///< C
    double conductivity;  ///< W/(m K)
    double specific_heat; ///< J/(kg K)
    double latent_heat;   ///< J/kg
    double temperature;   ///< at the start, C
} OndMaterialValues;

/// "none" first, then the materials; NULL-terminated.
extern const char *const ond_material_names[];

/// The values of ond_material_names[index]; NULL for "none".
const OndMaterialValues *ond_material_values(int index);

/// Gives a fluid its material's values wherever the scene says nothing.
void ond_material_fill(OndFluidDef *fluid);

#endif
