// SPDX-License-Identifier: MIT
// A simulation: made of a scene, advanced by any time, saved and resumed.
#ifndef ONDINE_SIM_H
#define ONDINE_SIM_H

#include <ondine/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OndSim OndSim;

typedef struct OndSimOptions {
    /// Bytes that it may take; a scene that needs more is refused before anything is made. 0: what the
    /// machine has; below 0: nobody asks.
    double memory;
} OndSimOptions;

/// Makes a simulation. The scene is copied: it may be changed or destroyed afterwards. `options` may
/// be NULL. NULL and a sentence on failure. Free with ond_sim_destroy. Files that the scene names are
/// read now, and not again.
OND_API OndSim *ond_sim_create(const OndScene *scene, const OndSimOptions *options, OndError *err);
/// Frees it with everything that it lent: views (fields.h) become invalid. NULL is allowed.
OND_API void ond_sim_destroy(OndSim *sim);

// ---- time

typedef struct OndAdvance {
    int steps;   ///< that were taken
    int frames;  ///< of the scene's that were reached or passed
    double time; ///< where the simulation stands now, s
} OndAdvance;

/// Advances by `dt` seconds (0 or more), in as many stable steps as that takes, and ends there. Steps
/// also end at each frame of the scene on the way; a `dt` that ends within a billionth of a frame's
/// time from one ends at it. `report` (may be NULL) is filled on failure, too. Views become invalid.
/// OND_UNSTABLE: the numbers have left all reason; the simulation is then only good for destroying.
/// OND_NO_MEMORY: it stands between two steps, and goes on when there is memory again.
OND_API OndStatus ond_sim_advance(OndSim *sim, double dt, OndAdvance *report, OndError *err);
/// The same to the scene's next frame.
OND_API OndStatus ond_sim_next_frame(OndSim *sim, OndAdvance *report, OndError *err);
/// One step, never past the next frame.
OND_API OndStatus ond_sim_step(OndSim *sim, OndError *err);

OND_API double ond_sim_time(const OndSim *sim);     ///< s
OND_API bool ond_sim_done(const OndSim *sim);       ///< the scene's duration is reached
OND_API bool ond_sim_at_frame(const OndSim *sim);   ///< now is exactly a frame's time
OND_API int ond_sim_frame_index(const OndSim *sim); ///< of the last frame passed or reached
OND_API int ond_sim_particle_count(const OndSim *sim);
OND_API long long ond_sim_cell_count(const OndSim *sim); ///< 0: no grid

/// The box that the fluid lives in, m; false: it is open on all sides.
OND_API bool ond_sim_domain(const OndSim *sim, double min[3], double max[3]);
/// As it is now, changes (edit.h) included, m/s^2.
OND_API void ond_sim_gravity(const OndSim *sim, double out[3]);

OND_API size_t ond_sim_bytes(const OndSim *sim); ///< of memory that it holds, about

/// What a person should know of the scene before it runs: what was mended, left out, or looks
/// strange. A sentence each, from 0; NULL after the last. Lives as long as the simulation.
OND_API const char *ond_sim_note(const OndSim *sim, int index);

/// What the last step did.
typedef struct OndStepReport {
    long long step;            ///< 1 is the first; 0: none was taken
    double dt;                 ///< s
    double max_speed;          ///< m/s
    double density_error;      ///< mean compression of a liquid, as a share; on a grid what is left
                               ///< of divergence
    double kinetic, potential; ///< of the fluid, J
    int iterations;            ///< of an implicit solver
    bool unconverged;          ///< it stopped at its cap
    bool unsettled;            ///< which contacts hold was still changing when it stopped
} OndStepReport;
OND_API void ond_sim_last_step(const OndSim *sim, OndStepReport *out);

// ---- files

/// Writes particles or cells of now into a file, in the format of its extension: .ply, .vtp, .vti, .vdb
/// and what else `ondine convert` writes. Whole, or not at all.
OND_API OndStatus ond_sim_write(const OndSim *sim, const char *path, OndError *err);

/// Writes everything that is needed to go on, what was changed while it ran (edit.h) included, into
/// one file: whole, or not at all. A good one of that name is kept as NAME.prev.h5. Views stay valid.
OND_API OndStatus ond_sim_save(OndSim *sim, const char *path, OndError *err);
/// Goes on from such a file with the scene it was made of. What follows is the same bits as if it
/// had never stopped. A file that is damaged or absent is replaced by the one that was saved before it
/// (NAME.prev.h5), and a note (ond_sim_note) says so.
OND_API OndSim *ond_sim_resume(const OndScene *scene, const char *path,
                               const OndSimOptions *options, OndError *err);

#ifdef __cplusplus
}
#endif
#endif
