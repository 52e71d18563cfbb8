// SPDX-License-Identifier: MIT
// What a run says at its end, for people and for programs.
#ifndef OND_APP_RUN_REPORT_H
#define OND_APP_RUN_REPORT_H

#include "app/run_loop.h"

/// Prints how it went and returns the exit code: 0 done, 1 failed, 2 bad scene, 128 + the signal's
/// number when it was stopped by one.
int ond_runner_report(const OndRunner *run, OndStatus status, const OndError *err);

#endif
