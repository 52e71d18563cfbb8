// SPDX-License-Identifier: MIT
#include "sim/frame.h"

#include <string.h>

void ond_frame_free(OndFrame *frame)
{
    if (frame->owned) {
        ond_fields_free(&frame->particles);
        ond_fields_free(&frame->cells);
    }
    memset(frame, 0, sizeof *frame);
}
