// SPDX-License-Identifier: MIT
// Ctrl-C and `kill`: the first asks a run to stop after the step under way, the second ends it.
#ifndef OND_APP_RUN_STOP_H
#define OND_APP_RUN_STOP_H

/// From now on SIGINT and SIGTERM are noticed. A file that grows past a limit is an error like any
/// other instead of the process's end.
void ond_stop_watch(void);

/// The signal that came, or 0.
int ond_stop_asked(void);

#endif
