// SPDX-License-Identifier: MIT
#ifndef OND_APP_MEMORY_FREE_H
#define OND_APP_MEMORY_FREE_H

/// Bytes that could be had without driving anything out: what the system says is available, or
/// what is left of a container's limit where that is less. 0 when nobody knows.
double ond_memory_free(void);

#endif
