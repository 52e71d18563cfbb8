// SPDX-License-Identifier: MIT
// Inputs of a simulation that is played with, on their way to its thread.
#include "view/window/live_state.h"

static bool is_move(const OndInput *input)
{
    return input->kind == OND_INPUT_POINTER &&
           (input->which == OND_POINTER_MOVE || input->which == OND_POINTER_HOVER);
}

// How little one is missed, the least first: a press or release of the pointer that is lost leaves the tool
// held for ever.
static int worth(const OndInput *input)
{
    if (input->kind == OND_INPUT_POINTER) return is_move(input) ? 0 : 3;
    return input->kind == OND_INPUT_KEY ? 1 : 2;
}

static OndLiveInput *waiting_at(OndLive *live, int place)
{
    return &live->input[(live->first + place) % INPUTS];
}

// Of what is missed least, the oldest goes.
static void drop_one(OndLive *live)
{
    int least = 0;
    for (int k = 1; k < live->waiting; ++k)
        if (worth(&waiting_at(live, k)->what) < worth(&waiting_at(live, least)->what)) least = k;
    for (int k = least; k > 0; --k)
        *waiting_at(live, k) = *waiting_at(live, k - 1);
    live->first = (live->first + 1) % INPUTS;
    --live->waiting;
}

long long ond_live_input(OndLive *live, const OndInput *input)
{
    pthread_mutex_lock(&live->lock);
    const long long number = ++live->number;
    const bool move = is_move(input), turn = input->kind == OND_INPUT_DIAL;
    const OndInput *const before =
        live->waiting > 0 ? &waiting_at(live, live->waiting - 1)->what : NULL;
    const bool instead =
        before && (move || turn) && before->kind == input->kind && before->which == input->which;
    if (!instead && live->waiting == INPUTS) drop_one(live);
    if (!instead) ++live->waiting;
    *waiting_at(live, live->waiting - 1) = (OndLiveInput){*input, number};
    if (!move) live->urgent = true;
    pthread_cond_signal(&live->news);
    pthread_mutex_unlock(&live->lock);
    return number;
}

bool ond_live_next(OndLive *live, OndLiveInput *out)
{
    pthread_mutex_lock(&live->lock);
    const bool some = live->waiting > 0;
    if (some) {
        *out = live->input[live->first];
        live->first = (live->first + 1) % INPUTS;
        --live->waiting;
    } else
        live->urgent = false;
    pthread_mutex_unlock(&live->lock);
    return some;
}
