// SPDX-License-Identifier: MIT
// The numbers are rounded honestly: where sources scatter, a value from the middle stands here and
// the range beside it. docs/materials.md has the same table for readers; a test compares the two.
//
// A pure substance melts at one temperature. Here melting needs a range, so theirs is a degree wide
// and has the melting point in its middle.
#include "sim/scene/materials.h"

#include <stddef.h>

const char *const ond_material_names[] = {"none",   "water", "ice",   "wax",   "chocolate",
                                          "butter", "lava",  "steel", "glass", NULL};

enum { NONE, WATER, ICE, WAX, CHOCOLATE, BUTTER, LAVA, STEEL, GLASS, MATERIALS };

static const OndMaterialValues values[MATERIALS] = {
    // CRC Handbook of Chemistry and Physics: water at 20 C; heat of fusion 333.6 kJ/kg.
    [WATER] = {.density = 998.2,
               .viscosity = 0.001,
               .solid = -0.5,
               .liquid = 0.5,
               .conductivity = 0.6,
               .specific_heat = 4182,
               .latent_heat = 333600,
               .temperature = 20},
    // CRC Handbook: ice at 0 C; its liquid is water at 0 C, which here keeps the density of ice.
    [ICE] = {.density = 917,
             .viscosity = 0.0018,
             .solid = -0.5,
             .liquid = 0.5,
             .conductivity = 2.2,
             .specific_heat = 2100,
             .latent_heat = 333600,
             .temperature = -5},
    // Paraffin. Zalba et al. 2003: density 916 solid, 790 liquid; conductivity 0.34 solid, 0.17
    // liquid; heat of fusion 174 to 266 kJ/kg. Grades melt between 46 and 68 C; specific heat 2100
    // to 2900; viscosity 0.003 to 0.007.
    [WAX] = {.density = 900,
             .viscosity = 0.005,
             .solid = 52,
             .liquid = 58,
             .conductivity = 0.25,
             .specific_heat = 2500,
             .latent_heat = 200000,
             .temperature = 20},
    // Dark. Cocoa butter V melts at 33.8 C (Wille and Lutton 1966) and begins to soften some
    // degrees
    // before; a third of the bar is fat, with 130 to 140 kJ/kg. Casson viscosity 2.1 to 3.9 Pa s
    // (Aeschlimann and Beckett 2000).
    [CHOCOLATE] = {.density = 1300,
                   .viscosity = 3,
                   .solid = 28,
                   .liquid = 34,
                   .conductivity = 0.25,
                   .specific_heat = 1700,
                   .latent_heat = 45000,
                   .temperature = 20},
    // Walstra et al. 2006: milk fat melts over tens of degrees and is liquid at 35 to 40 C, heat of
    // fusion about 85 kJ/kg; butter is 82 % fat. Its water counts in the specific heat.
    [BUTTER] = {.density = 910,
                .viscosity = 0.04,
                .solid = 15,
                .liquid = 35,
                .conductivity = 0.2,
                .specific_heat = 2400,
                .latent_heat = 70000,
                .temperature = 5},
    // Basalt. Wright and Okamura 1977: solid below 980 C, liquid above about 1200 C. Viscosity of
    // flowing basalt 10 to 1000 Pa s (Shaw et al. 1968 measured 65 to 75 at 1130 C): the low end.
    // Conductivity 1 to 2; specific heat 1000 to 1500; latent heat 300 to 500 kJ/kg (Turcotte and
    // Schubert 2002: 400).
    [LAVA] = {.density = 2700,
              .viscosity = 50,
              .solid = 980,
              .liquid = 1200,
              .conductivity = 1.5,
              .specific_heat = 1200,
              .latent_heat = 400000,
              .temperature = 1200},
    // Low-carbon. EN 1993-1-2: density 7850, conductivity 27 above 800 C (53 when cold), specific
    // heat 650 above 900 C (440 when cold). CRC Handbook: heat of fusion of iron 247 kJ/kg. Iida
    // and
    // Guthrie 1988: liquid iron 0.0055 Pa s.
    [STEEL] = {.density = 7850,
               .viscosity = 0.0055,
               .solid = 1490,
               .liquid = 1530,
               .conductivity = 30,
               .specific_heat = 650,
               .latent_heat = 247000,
               .temperature = 20},
    // Soda-lime. It has no melting point: below 550 C it keeps its shape for good, at 720 C it sags
    // under its weight, at 1000 C it is worked (1000 Pa s) and at 1200 C it pours (100 Pa s).
    // Density
    // 2500, conductivity 1 and specific heat 840 cold, 1200 to 1300 hot.
    [GLASS] = {.density = 2500,
               .viscosity = 100,
               .solid = 550,
               .liquid = 1000,
               .conductivity = 1,
               .specific_heat = 1000,
               .latent_heat = 0,
               .temperature = 20},
};

const OndMaterialValues *ond_material_values(int index)
{
    return index > NONE && index < MATERIALS ? &values[index] : NULL;
}

void ond_material_fill(OndFluidDef *fluid)
{
    const OndMaterialValues *const m = ond_material_values(fluid->material);
    if (!m) return;
    const struct {
        const char *key;
        double *place, value;
    } fill[] = {
        {"density", &fluid->density, m->density},
        {"viscosity", &fluid->viscosity, m->viscosity},
        {"temperature", &fluid->temperature, m->temperature},
        {"T_solid", &fluid->solid, m->solid},
        {"T_liquid", &fluid->liquid, m->liquid},
        {"conductivity", &fluid->conductivity, m->conductivity},
        {"specific_heat", &fluid->specific_heat, m->specific_heat},
        {"latent_heat", &fluid->latent_heat, m->latent_heat},
    };
    for (int k = 0; k < OND_COUNT(fill); ++k)
        if (!ond_node_get(fluid->node, fill[k].key)) *fill[k].place = fill[k].value;
}
