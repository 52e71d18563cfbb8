// SPDX-License-Identifier: MIT
// Read-outs: what is measured on the way and comes out as rows of a table.
//
//     force     mean force and torque (about the pivot) on a solid since the row before
//     level     the highest place of the liquid on a vertical line: where a sum of kernels over the
//               particles falls to half of what it is inside
//     pressure  at a point: a plane fitted to the particles round it, so that it is right at walls,
//               too, where a mean would see one side only. What a solid hides from a point or a
//               line does not count, and inside of solids there is none
//     flow      through a rectangle: of particles near its plane, volume times velocity across,
//               weighed so that each counts once on its way through. One that is poured so near
//               that it has part of that way behind it, or not before it, is put right at once
//
// A row is due when a step passes a multiple of 1 / rate; that follows from the times alone. What
// is summed up between rows goes into checkpoints, so that a resumed run has the same rows.
#ifndef OND_SIM_PROBE_H
#define OND_SIM_PROBE_H

#include "base/fields.h"
#include "sim/checkpoint.h"
#include "solids/scene/sim_solids.h"

#define OND_PROBE_COLUMNS 6 // of values; the time stands before them
#define OND_PROBE_SUMS    7
#define OND_PROBE_KEPT    (OND_PROBE_SUMS + 2) // numbers in checkpoints

typedef struct OndProbe {
    const OndVariant *def;
    bool due;                      ///< a row came with the last step
    double row[OND_PROBE_COLUMNS]; ///< its values
    double sum[OND_PROBE_SUMS];    ///< since the row before; the last: of all time
    double since;                  ///< s that the sums are over
    double rows;                   ///< so far; below 0: nobody knows
    char name[OND_PROBE_KEPT][32]; ///< of these numbers in checkpoints
} OndProbe;

typedef struct OndProbes {
    const OndSceneDef *scene;
    OndProbe *probe;
    int count;
} OndProbes;

OndStatus ond_probes_make(const OndSceneDef *scene, OndProbes *out, OndError *err);
void ond_probes_free(OndProbes *probes);

/// After a step from time `from` to `to`.
void ond_probes_step(OndProbes *probes, const OndSimSolids *solids, const OndFields *particles,
                     double from, double to);

/// Before a step: the particles from `first` on have just been poured.
void ond_probes_born(OndProbes *probes, const OndSimSolids *solids, const OndFields *particles,
                     int first);

void ond_probes_save(const OndProbes *probes, OndCheckpoint *out);
void ond_probes_restore(OndProbes *probes, const OndCheckpoint *from);

const char *ond_probe_name(const OndProbe *probe);
/// The table's first line, without its end: "time_s,level_m".
const char *ond_probe_header(const OndProbe *probe, int dimension);
int ond_probe_columns(const OndProbe *probe);

#endif
