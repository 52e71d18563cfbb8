// SPDX-License-Identifier: MIT
// `ondine view` of a build that has no window: says what to do.
#include "view/window/view.h"

OndStatus ond_view(const OndViewOptions *options, OndError *err)
{
    (void)options;
    return ond_fail(err, OND_MISSING,
                    "this build has no window; install libglfw3-dev, libepoxy-dev, libegl-dev and "
                    "libimgui-dev, and build again");
}
