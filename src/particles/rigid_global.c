// SPDX-License-Identifier: MIT
#include "particles/rigid.h"

OndStatus ond_rigid_global(OndSph *s, float dt, OndError *err)
{
    return OND_OK;
}

void ond_rigid_settle(OndSph *s, float dt)
{
}

void ond_rigid_free(OndRigid *rigid)
{
}
