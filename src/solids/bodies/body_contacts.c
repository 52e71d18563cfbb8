// SPDX-License-Identifier: MIT
#include "solids/bodies/body_contacts.h"

#ifndef OND_HAVE_ODE

OndStatus ond_body_contacts_make(OndBodies *bodies, OndBodyContacts **out, OndError *err)
{
    const OndSceneSolid *const def = bodies->solids->solid[bodies->body[0].solid].def;
    *out = NULL;
    return ond_tree_fail(&bodies->solids->scene->tree, def->node, err,
                         "solid '%.60s' is a body, but this build has no ODE, which keeps bodies "
                         "apart: build with libode-dev, or leave out its density or mass",
                         def->name);
}

void ond_body_contacts_free(OndBodyContacts *contacts)
{
}

OndStatus ond_body_contacts_solve(OndBodyContacts *contacts, double dt, OndError *err)
{
    return OND_OK;
}

bool ond_body_contacts_unsettled(const OndBodyContacts *contacts)
{
    return false;
}

void ond_body_contacts_lead(OndBodyContacts *contacts, int solid)
{
    (void)contacts, (void)solid;
}

#else

#include "solids/bodies/body_things.h"

#include <string.h>

OndStatus ond_body_contacts_make(OndBodies *bodies, OndBodyContacts **out, OndError *err)
{
    OndBodyContacts *const c = OND_NEW(OndBodyContacts);
    *out = c;
    if (!c) return ond_fail(err, OND_NO_MEMORY, "not enough memory for contacts of bodies");
    ond_ode_open();
    c->bodies = bodies;
    c->ode = ond_ode_world_make();
    c->group = dJointGroupCreate(0);
    const size_t room = (size_t)bodies->solids->count + 6;
    c->thing = ond_arena_take(&c->arena, room * sizeof *c->thing);
    c->involved = ond_arena_take(&c->arena, (size_t)bodies->count * sizeof *c->involved);
    c->fair = ond_arena_take(&c->arena, (size_t)bodies->count * sizeof *c->fair);
    c->heap = ond_arena_take(&c->arena, (size_t)bodies->count * sizeof *c->heap);
    if (!c->thing || !c->involved || !c->fair || !c->heap)
        return ond_fail(err, OND_NO_MEMORY, "not enough memory for contacts of bodies");
    const OndStatus status = ond_body_things_make(c, err);
    return status == OND_OK ? ond_body_start_check(c, err) : status;
}

void ond_body_contacts_free(OndBodyContacts *c)
{
    if (!c) return;
    for (int k = 0; k < c->count; ++k)
        if (c->thing[k].geom) dGeomDestroy(c->thing[k].geom);
    dJointGroupDestroy(c->group);
    ond_ode_world_free(&c->ode);
    ond_ode_close();
    ond_arena_free(&c->arena);
    ond_free(c->contact);
    ond_free(c);
}

static OndStatus make_room(OndBodyContacts *c, int more, OndError *err)
{
    if (c->contact_count + more <= c->contact_room) return OND_OK;
    const int room = 2 * (c->contact_count + more) + 64;
    OndBodyContact *const wider = OND_NEW_ARRAY(OndBodyContact, room);
    if (!wider) return ond_fail(err, OND_NO_MEMORY, "not enough memory for contacts of bodies");
    if (c->contact_count > 0) memcpy(wider, c->contact, (size_t)c->contact_count * sizeof *wider);
    ond_free(c->contact);
    c->contact = wider;
    c->contact_room = room;
    return OND_OK;
}

static OndStatus meet(OndBodyContacts *c, int a, int b, OndError *err)
{
    const OndBodyThing *const one = &c->thing[a], *const other = &c->thing[b];
    if (!ond_body_things_near(one, other)) return OND_OK;
    const int count = ond_body_things_touch(c, one, other);
    const OndStatus status = make_room(c, count, err);
    for (int k = 0; k < count && status == OND_OK; ++k) {
        if (c->bodies->flat && fabs(c->touch[k].normal.z) > 0.5) continue;
        c->contact[c->contact_count++] = (OndBodyContact){a, b, c->touch[k]};
    }
    return status;
}

static OndStatus find_contacts(OndBodyContacts *c, OndError *err)
{
    OndStatus status = OND_OK;
    c->contact_count = 0;
    for (int i = 0; i < c->count; ++i) {
        if (c->thing[i].body < 0) continue;
        for (int j = 0; j < c->count && status == OND_OK; ++j)
            if (c->thing[j].body < 0 || j > i) status = meet(c, i, j, err);
    }
    return status;
}

OndStatus ond_body_contacts_solve(OndBodyContacts *c, double dt, OndError *err)
{
    c->unsettled = false;
    ond_body_things_place(c);
    const OndStatus status = find_contacts(c, err);
    if (status != OND_OK || c->contact_count == 0) return status;
    return ond_body_solve(c, dt, err);
}

bool ond_body_contacts_unsettled(const OndBodyContacts *c)
{
    return c && c->unsettled;
}

void ond_body_contacts_lead(OndBodyContacts *c, int solid)
{
    for (int k = 0; k < c->count; ++k) {
        OndBodyThing *const t = &c->thing[k];
        if (t->solid != solid || t->ode) continue;
        t->ode = dBodyCreate(c->ode.world);
        dBodySetKinematic(t->ode);
    }
}

#endif
