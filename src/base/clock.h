// SPDX-License-Identifier: MIT
#ifndef OND_BASE_CLOCK_H
#define OND_BASE_CLOCK_H

/// Milliseconds since some fixed moment; never goes backwards.
double ond_now_ms(void);

/// Milliseconds since `*since`, which becomes now.
double ond_lap_ms(double *since);

#endif
