// SPDX-License-Identifier: MIT
// What `ondine view` does once its options are read. A build without the libraries of a window has
// view_missing.c in place of all but the command.
#ifndef VIEW_WINDOW_VIEW_H
#define VIEW_WINDOW_VIEW_H

#include "app/cli.h"

typedef struct OndViewOptions {
    const char *path; ///< a scene, or the folder of a run
    const char *colour, *script, *screenshot, *report;
    int style;    ///< OndDrawStyle; -1: as suits
    int after;    ///< pictures, or a frame's number; -1: not said
    int size[2];  ///< 0: not said
    int backdrop; ///< 0 dark, 1 light, -1 as suits
    bool panel;
    OndTexts set;
} OndViewOptions;

/// Opens a window and returns when it is closed; or makes the screenshot.
OndStatus ond_view(const OndViewOptions *options, OndError *err);

#endif
