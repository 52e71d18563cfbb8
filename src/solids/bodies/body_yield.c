// SPDX-License-Identifier: MIT
#include "solids/bodies/body_yield.h"

#define N 6

bool ond_load_yields(const OndSolidLoad *load)
{
    return load->yield[0][0] + load->yield[1][1] + load->yield[2][2] > 0.0;
}

// Adds to three values those of b x arm, for a row or a column of a matrix: about the centre, a
// turning also sees what pushes the origin.
static void shift(double *a, const double *b, int stride, OndVec arm)
{
    const OndVec v = ond_cross(ond_vec(b[0], b[stride], b[2 * stride]), arm);
    a[0] += v.x, a[stride] += v.y, a[2 * stride] += v.z;
}

static void move_to_centre(double y[N][N], OndVec arm)
{
    for (int r = 0; r < N; ++r)
        shift(&y[r][3], &y[r][0], 1, arm);
    for (int c = 0; c < N; ++c)
        shift(&y[3][c], &y[0][c], N, arm);
}

static void add_mass(double y[N][N], const OndBody *body, const OndPose *pose)
{
    for (int a = 0; a < 3; ++a) {
        const OndVec axis = ond_pose_unturn(pose, ond_vec(a == 0, a == 1, a == 2));
        const OndVec l = ond_pose_turn(pose, ond_inertia_times(&body->inertia, axis));
        y[a][a] += body->mass;
        y[3][3 + a] += l.x, y[4][3 + a] += l.y, y[5][3 + a] += l.z;
    }
}

// In 2D: neither out of the plane nor about an axis in it.
static void keep_flat(double y[N][N], double f[N])
{
    for (int k = 2; k <= 4; ++k) {
        for (int c = 0; c < N; ++c)
            y[k][c] = y[c][k] = 0.0;
        y[k][k] = 1.0, f[k] = 0.0;
    }
}

// Cholesky's way; y is symmetric and positive.
static void solve(double y[N][N], double f[N])
{
    for (int c = 0; c < N; ++c) {
        for (int k = 0; k < c; ++k)
            y[c][c] -= y[c][k] * y[c][k];
        y[c][c] = sqrt(y[c][c]);
        for (int r = c + 1; r < N; ++r) {
            for (int k = 0; k < c; ++k)
                y[r][c] -= y[r][k] * y[c][k];
            y[r][c] /= y[c][c];
        }
        for (int k = 0; k < c; ++k)
            f[c] -= y[c][k] * f[k];
        f[c] /= y[c][c];
    }
    for (int c = N - 1; c >= 0; --c) {
        for (int k = c + 1; k < N; ++k)
            f[c] -= y[k][c] * f[k];
        f[c] /= y[c][c];
    }
}

void ond_body_gain(const OndBody *body, const OndPose *pose, OndVec arm, const OndSolidLoad *load,
                   bool flat, double dt, OndVec force, OndVec torque, OndVec *gain, OndVec *spin)
{
    double y[N][N], f[N] = {dt * force.x,  dt * force.y,  dt * force.z,
                            dt * torque.x, dt * torque.y, dt * torque.z};
    for (int r = 0; r < N; ++r)
        for (int c = 0; c < N; ++c)
            y[r][c] = dt * load->yield[r][c];
    move_to_centre(y, arm);
    add_mass(y, body, pose);
    if (flat) keep_flat(y, f);
    solve(y, f);
    *gain = ond_vec(f[0], f[1], f[2]);
    *spin = ond_vec(f[3], f[4], f[5]);
}
