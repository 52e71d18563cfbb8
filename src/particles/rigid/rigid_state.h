// SPDX-License-Identifier: MIT
// What the parts of the `global` solver share. Only rigid_*.c include this.
//
// Particles that can deform (0 < s) are the unknowns, three numbers each; wholly solid pieces are
// bodies, six numbers each. Both are numbered for the solver alone: `local` numbers in the order of
// the particles, so that cells stay contiguous.
#ifndef OND_PARTICLES_RIGID_STATE_H
#define OND_PARTICLES_RIGID_STATE_H

#include "particles/rigid/rigid.h"

#define OND_LINK_REACH 1.7f // spacings: pairs nearer than this hold each other
#define OND_LEVELS_MAX 16
#define OND_TOP        12 // groups that are solved directly
#define OND_NO_BODY    (-1)
#define OND_NO_GROUP   (-1)
#define OND_NO_SOLID   (-1)
#define OND_BODY_LEAST 3 // fewer solid particles than this are not worth a body

enum OndLocalKind {
    OND_LOCAL_SOFT, // an unknown of its own
    OND_LOCAL_RIM,  // moves with a body
    OND_LOCAL_HELD  // moves as told
};

// Of contacts; MISSED: of soft ones, those that should be there.
enum { OND_WRONG_SOFT = 1u, OND_WRONG_BODY = 2u, OND_WRONG_FRICTION = 4u, OND_WRONG_MISSED = 8u };

// A vector of the system: three numbers a local particle, six a body (velocity of the centre,
// spin).
typedef struct OndRigidVector {
    float *at[3];
    double (*body)[6];
} OndRigidVector;

// What contacts with a wall add up to: what friction allows, what it does, speeds without and with
// it.
typedef struct OndRubbing {
    double most, rub, glide, speed, count;
} OndRubbing;

// A solid piece.
typedef struct OndRigidPiece {
    int first, last;         // its members
    int rim_first, rim_last; // those that touch something soft, in `rim`
    int driver;              // material of its held members
    bool driven;             // it has held members, and moves with them
    bool still;              // some are asleep
    bool thin;               // a line of particles: nothing resists a turn about it,
    double along[3];         // its axis
    double hold;             // how much it is held by the soft parts that it touches
    double pull[3];          // mean acceleration by the liquid's forces; 0 once it meets something
    double mass, center[3];
    double inertia[3][3];           // about the centre
    double motion[6];               // velocity of the centre and spin: before, then after the solve
    double own[6][6];               // its own part of the system: mass and inertia
    double block[6][6];             // that with contacts
    double tie[6][6];               // what the links of its rim add for the preconditioner,
    double factor[6][6];            // and the Cholesky factor of the whole
    int group;                      // the group of particles round it, OND_NO_GROUP
    OndRubbing rubbing[6];          // a wall each
    struct OndWallContact *contact; // the first of its own
    bool wrong;                     // some of them are not as they should be
    bool looked, strict; // for rigid_halfway.c: they were so before; Newton's steps from now on
    bool changed;        // some are not what they were when the system was made
    bool meets;          // a solid, in this step
    int worst;           // of its meetings that do not live yet, -1: none is passed
    double passes;       // how fast, m/s
} OndRigidPiece;

// A particle that meets a wall in this step.
typedef struct OndWallContact {
    int local, body; // either an unknown, or a member of a body
    uint32_t particle;
    int side;
    float arm[3]; // from the body's centre
    float target; // least inward velocity, m/s
    double stiff; // kg
    double drag;  // the same along the wall
    double glide; // speed along it without friction; 0: not known yet, m/s
    bool active;
    bool changed;     // since the system was made
    double held[2];   // what the system has of it: along the normal, along the wall
    bool grips;       // it was active once in this step: walls that stick hold it along themselves
    bool lifted;      // it was not needed when last looked at
    double base;      // what it pushes with before soft parts count
    double push, rub; // found in the last round, kg m/s
    double passes;    // how fast it would enter the wall without, m/s
    int tries;
    // for rigid_hold.c
    struct OndWallContact *next; // of the same body
    double row[6], enters;       // inward velocity is row . motion; what it is short of, m/s
    bool holds;                  // the answer
    double before, gave; // for rigid_halfway.c: `passes` and what it gave where the body was
} OndWallContact;

// A member that meets a face of a solid, or a wall while its body meets a solid. Directions are the
// normal and two along the face.
typedef struct OndMeeting {
    int body, particle;
    int solid, side; // OND_NO_SOLID: a side of the domain
    bool free;       // the solid moves by what it gives
    float slip, friction, restitution;
    double velocity[3];                // of the face,
    double face[3];                    // and along each direction
    double row[3][6], answer[3][6];    // velocity is row . motion; what an impulse of 1 does to it
    double theirs[3][6], recoil[3][6]; // the same for a free solid, about its own origin
    double ease[3];                    // change of the speed between both by an impulse of 1
    double target;                     // least speed along the normal, from the face
    double borne;                      // part of the impulse that was there before
    double impulse[3];
    double before[3], trend[3]; // one round ago; over the rounds
} OndMeeting;

// A member that would end in a face or a wall.
typedef struct OndRigidEnd {
    int particle, solid, side;
    double normal[3], velocity[3]; // of the face
    double lift;                   // how far it must come out, m
} OndRigidEnd;

// Where a body goes in a step: a turn about its centre, without the unit matrix, and a shift.
typedef struct OndBodyWay {
    double center[3], turn[3][3], shift[3];
} OndBodyWay;

// Which turns of a group move nothing (rigid_idle.c).
enum OndIdle {
    OND_IDLE_NONE,
    OND_IDLE_LINE, // that about its line
    OND_IDLE_POINT // all
};

// A level of the preconditioner: groups that move stiffly, six numbers each (velocity of the
// centre, spin), and the Galerkin system of such motions.
typedef struct OndGroupLevel {
    int count;
    double (*center)[3];
    uint32_t *first, *length; // of each group's neighbours, those that links tie it to
    uint32_t *near;           // neighbours
    double (*link)[36];       // their blocks of the system, column by column,
    float *strong;            // and how strong each tie is
    double (*tie)[36];        // links' part of the group's own block,
    double (*whole)[36];      // that with mass and contacts,
    double (*inverse)[36];    // and its inverse
    int *parent;              // the group of the next level
    int *child_first, *child; // locals of the first level, else groups of the level below
    enum OndIdle *idle;       // turns that move nothing:
    double (*line)[3];        // those about this
    bool *stale;              // its contacts are not those of `whole`
    double (*x)[6], (*r)[6], (*t)[6];
    int room, block_room;
} OndGroupLevel;

typedef struct OndComponent {
    bool free; // nothing holds it: its momentum must stay
    double matrix[6][6], right[6];
} OndComponent;

struct OndRigid {
    int dimension;
    bool several; // there is more than one piece
    float dt;     // of the step
    int count;    // locals
    int room, link_room;
    int *local;               // particle -> local, -1
    uint32_t *particle;       // local -> particle
    uint8_t *kind;            // enum OndLocalKind
    int *member;              // particle -> body, OND_NO_BODY
    float *hold;              // local: share of the liquid's deformation that is taken back
    float *mass;              // local, kg
    float *ground[3];         // local: contact stiffness an axis
    float *grounded[3];       // the same with its mass; 0 of what is not soft
    float *loose;             // local: 1 if it is soft, else 0
    float *inert;             // its mass if it is soft, else 0
    float *own[6];            // local: its links' part of its own three equations,
    float *inverse[6];        // and the inverse of the whole: xx, yy, zz, xy, yz, zx
    float *px[3], *w[3];      // local positions and velocities before
    uint32_t *first, *length; // of each local's links
    uint32_t *near;           // links: local numbers
    float *pull[3];           // links: sqrt(k) n
    OndQuad *quad;            // local: what links pull at (rigid_system.c)
    OndRigidVector x, r, z, p, y;
    OndRigidVector b, f; // right-hand sides: of all, and of links alone
    OndRigidVector c;    // of contacts: at first as b is f + c, then what they push with at x
    OndRigidVector q;    // what x leaves of f, by links and masses alone: contacts come on top

    OndRigidPiece *body;
    int body_count, body_room;
    bool pushed;     // the system of pressures knows them
    uint32_t *order; // particles by body
    int *rim, rim_count;
    float *settled[6]; // positions and velocities of members after the step
    int *table;        // label -> body
    int table_room;
    uint8_t *restless; // label -> a member must not sleep

    OndWallContact *contact;
    int contact_count, contact_room;
    OndMeeting *meeting; // with solids
    int meeting_count, meeting_room;
    int meeting_live;    // the first of them; the others have not been needed yet
    double (*moving)[6]; // solids: velocity and spin at the end of the step

    OndGroupLevel level[OND_LEVELS_MAX];
    int level_count;
    int *group;    // local -> group of the first level, OND_NO_GROUP: none is tied to it strongly
    int *home;     // local -> the group it moves with, below 0: none; a rim with its body
    float *strong; // strong links: stiffness; a local's stand where its links do, from the first on
    uint32_t *strong_near, *strong_length; // and to whom; how many a local has
    int *body_of_group;                    // of the first level, OND_NO_BODY
    uint32_t *seat;                        // workers: neighbour -> its block
    size_t seat_room;
    double *top; // the last level's system, factored
    int top_room;

    int *node;      // local -> its group, or behind the groups a node of its own
    int *single;    // locals with a node of their own
    int node_count; // nodes of locals; those of bodies come behind them
    OndComponent *component;
    int component_count, component_room;
    int *root; // node -> its component
    int root_room;
    double (*part)[27]; // sums of each node
    double *sum;
};

// The smallest member of the set that i is in; `root` points towards it.
static inline int ond_find_root(int *root, int i)
{
    while (root[i] != i)
        i = root[i] = root[root[i]];
    return i;
}

// The velocity along `axis` at an arm r from a centre is row . (velocity of the centre, spin).
static inline void ond_motion_row(const double r[3], int axis, double row[6])
{
    const int b = (axis + 1) % 3, d = (axis + 2) % 3;
    for (int k = 0; k < 6; ++k)
        row[k] = k == axis ? 1.0 : 0.0;
    row[3 + b] = r[d];
    row[3 + d] = -r[b];
}

// What link e pulls a body with whose centre lies an arm r away: sqrt(k) n, and its torque.
static inline void ond_link_row(const OndRigid *g, uint32_t e, const double r[3], double row[6])
{
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        row[a] = g->pull[a][e];
        row[3 + a] = r[b] * g->pull[d][e] - r[d] * g->pull[b][e];
    }
}

// Where a body's way takes a place.
static inline void ond_body_end(const OndBodyWay *way, const double x[3], double to[3])
{
    const double r[3] = {x[0] - way->center[0], x[1] - way->center[1], x[2] - way->center[2]};
    for (int a = 0; a < 3; ++a)
        to[a] = x[a] + way->shift[a] + way->turn[a][0] * r[0] + way->turn[a][1] * r[1] +
                way->turn[a][2] * r[2];
}

// sum += k row row^T
static inline void ond_add_square(double sum[6][6], const double row[6], double k)
{
    for (int a = 0; a < 6; ++a)
        for (int c = 0; c < 6; ++c)
            sum[a][c] += k * row[a] * row[c];
}

// rigid_pieces.c
OndStatus ond_rigid_pieces(OndSph *s, OndError *err);
// rigid_global.c
OndStatus ond_rigid_room(OndSph *s, OndError *err);
// rigid_hold.c
void ond_rigid_hold(const OndRigid *g, const OndRigidPiece *body); // sets `holds` of its contacts
// rigid_halfway.c: sets `holds` of its contacts; false: rigid_hold.c should
bool ond_rigid_halfway(OndRigidPiece *body);
void ond_rigid_look_afresh(OndRigid *g); // before a solve
// rigid_rub.c
void ond_rigid_rub(OndSph *s, float dt);
// rigid_links.c
OndStatus ond_rigid_links(OndSph *s, float dt, OndError *err);
// rigid_contact.c
OndStatus ond_rigid_find_contacts(OndSph *s, float dt, bool bodies, OndError *err);
void ond_rigid_put_contacts(
    OndSph *s); // into ground, blocks and right-hand side; notes what changed
void ond_rigid_stop_soft(OndSph *s);
void ond_rigid_keep_contacts(OndSph *s); // for the next step to begin with
void ond_rigid_press(OndSph *s);         // c: what contacts push with at x
#define OND_SLIPPERY 1e-12               // of stiff: least drag
double ond_contact_first_drag(const OndSide *wall, double stiff);
void ond_contact_measure(const OndRigid *g, const OndWallContact *c, const OndSide *wall,
                         double lack[3]);
// rigid_judge.c
bool ond_rigid_judge_bodies(OndSph *s, float dt); // changes wrong contacts of bodies alone
unsigned ond_rigid_judge(OndSph *s, float dt,
                         unsigned of); // changes contacts that are wrong: which
// rigid_solids.c
OndStatus ond_rigid_meet_solids(OndSph *s, float dt, OndError *err);
OndStatus ond_rigid_meet_end(OndSph *s, const OndRigidEnd *end, float dt, OndError *err);
// rigid_room.c: meets all ends that are in something, and counts them; fails in the last look
OndStatus ond_rigid_look_ahead(OndSph *s, float dt, bool last, int *late, OndError *err);
// rigid_groups.c: groups of what is strongly linked, level by level
OndStatus ond_rigid_group(OndSph *s, OndError *err);
// Nodes whose group is OND_NO_GROUP join one, or stay so if they have no strong link; returns how
// many groups there are. Others than that are left out.
#define OND_NOT_GROUPED (-2)
typedef struct OndStrongGraph {
    int count;
    const uint32_t *first, *length, *near;
    const float *strong; // 0: not
} OndStrongGraph;
int ond_group_greedily(const OndStrongGraph *graph, int *group, int groups);
int ond_group_blocks(OndGroupLevel *l, float *weight); // `parent`
// rigid_coarse.c: their systems
OndStatus ond_rigid_coarsen(OndSph *s, OndError *err);
OndStatus ond_level_room(OndGroupLevel *l, int count, int children, OndError *err);
OndStatus ond_level_block_room(OndGroupLevel *l, double blocks, OndError *err);
void ond_rigid_free_levels(OndRigid *g);
OndStatus ond_rigid_coarse_ground(OndSph *s, OndError *err); // masses and contacts, of all
void ond_rigid_coarse_regroup(OndSph *s);                    // of those whose contacts changed
// rigid_idle.c
void ond_rigid_find_idle(OndRigid *g, int level);
void ond_rigid_stiffen_idle(enum OndIdle idle, const double line[3], double *block, int width);
// rigid_gather.c
OndStatus ond_rigid_gather(OndSph *s, int level, OndError *err); // its blocks of links
// rigid_cycle.c
#define OND_SMOOTHING 0.667 // of Jacobi's step: 4/3 over the largest eigenvalue, which is at most 2
void ond_rigid_cycle(OndSph *s); // first level: x from r
void ond_factor_top(double *m, int n);
// rigid_guess.c
OndStatus ond_rigid_components(OndSph *s, OndError *err);
void ond_rigid_guess(OndSph *s);         // x: the answer if rigidity were the same everywhere
void ond_rigid_keep_momentum(OndSph *s); // x: free components neither gain nor lose any
// rigid_system.c
#define OND_RIGID_BLOCK 512 // locals whose sums are one
#define OND_RIGID_RUN   64  // short enough that floats do for a sum
static inline int ond_rigid_blocks(const OndRigid *g)
{
    return (g->count + OND_RIGID_BLOCK - 1) / OND_RIGID_BLOCK;
}
static inline int ond_rigid_block_end(const OndRigid *g, int begin, int size)
{
    return begin + size < g->count ? begin + size : g->count;
}
double ond_rigid_add_up(const OndRigid *g, const double *sum); // of blocks
double ond_rigid_dot_bodies(const OndRigid *g, const OndRigidVector *a, const OndRigidVector *b);
double ond_rigid_dot(OndSph *s, const OndRigidVector *a, OndRigidVector *b);
void ond_rigid_clear(const OndRigid *g, OndRigidVector *v);
// to = A from, with contacts or without; returns from . to. Rims of `from` follow their bodies.
double ond_rigid_multiply(OndSph *s, const OndRigidVector *from, OndRigidVector *to, bool contacts);
void ond_rigid_find_pull(OndSph *s);    // f; what links hold particles and bodies with
void ond_rigid_own_blocks(OndRigid *g); // of bodies: masses
OndStatus ond_rigid_prepare(OndSph *s, OndError *err); // diagonals, once contacts are in
void ond_rigid_prepare_again(OndSph *s);               // those that contacts have changed
void ond_rigid_prepare_bodies(OndSph *s, bool all);    // those of bodies alone
void ond_rigid_leave(OndSph *s);                       // q, from x
void ond_rigid_solve_bodies(OndSph *s);                // x of bodies alone
// rigid_recall.c
void ond_rigid_start(OndSph *s);      // x, from the guess in x and the last step
void ond_rigid_keep_given(OndSph *s); // for the next step
// rigid_solve.c
int ond_rigid_solve(OndSph *s, float dt, int cap); // x and contacts, from x; iterations it took
// rigid_body.c
void ond_body_stiffen(OndSph *s); // members move as the body does
void ond_body_sum(OndSph *s);     // mass, centre, motion from the members' velocities
OndBodyWay ond_body_way(const OndSph *s, const OndRigidPiece *b, double dt);
void ond_body_move(OndSph *s, float dt); // where members go, kept for after the drift
void ond_body_factor(const OndRigidPiece *b, int dimension,
                     double a[6][6]); // in place, always works
bool ond_cholesky6(double a[6][6]);   // in place, lower; false where it is not positive
void ond_cholesky6_solve(const double l[6][6], double x[6]);
void ond_cholesky6_invert(const double l[6][6], double inverse[36]);

#endif
