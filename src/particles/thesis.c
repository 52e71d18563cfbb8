// SPDX-License-Identifier: MIT
#include "particles/rigid.h"

OndStatus ond_rigid_thesis(OndSph *s, float dt, OndError *err)
{
    return OND_OK;
}

void ond_thesis_free(OndThesis *thesis)
{
}
