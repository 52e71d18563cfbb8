// SPDX-License-Identifier: MIT
// A build without a renderer.
#include <ondine/picture.h>

static OndStatus missing(OndError *err)
{
    return ond_fail(err, OND_MISSING,
                    "this build has no renderer; install libembree-dev and libpng-dev and build "
                    "again");
}

OndStatus ond_sim_picture(const OndSim *sim, const OndPictureInfo *info, unsigned char *rgb,
                          OndError *err)
{
    (void)sim, (void)info, (void)rgb;
    return missing(err);
}

OndStatus ond_sim_picture_file(const OndSim *sim, const OndPictureInfo *info, const char *path,
                               OndError *err)
{
    (void)sim, (void)info, (void)path;
    return missing(err);
}
