// SPDX-License-Identifier: MIT
// Where the solids of a frame stand that move: a table, one line each.
//
//     solid,name,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s
//
// `solid` is its number in the scene, from 0; the pose (place and unit quaternion) leads from the
// coordinates of its shape, as in solids/NAME.ply, to the world.
#ifndef OND_IO_SOLID_POSES_H
#define OND_IO_SOLID_POSES_H

#include "sim/frame.h"

/// Writes those that move.
OndStatus ond_solid_poses_write(const char *path, const OndFrameSolids *solids, OndError *err);

/// Sets `state[k]` and `known[k]` of the solids in the file, which are fewer than `count`; others
/// are left alone.
OndStatus ond_solid_poses_read(const char *path, OndSolidState *state, bool *known, int count,
                               OndError *err);

#endif
