// SPDX-License-Identifier: MIT
#include "app/run_stop.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t asked; // a handler has no other way to tell

static void take_note(int number)
{
    asked = number;
}

void ond_stop_watch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = take_note;
    action.sa_flags = (int)SA_RESETHAND | SA_RESTART; // the next one ends the process
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
}

int ond_stop_asked(void)
{
    return asked;
}
