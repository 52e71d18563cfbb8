// SPDX-License-Identifier: MIT
// Where new particles fit: what is taken is sorted into cells as large as the distance that two keep.
#include "view/play/play_state.h"

#include <math.h>
#include <stdlib.h>

#define APART     0.98 // spacings that two particles keep: nearer ones burst
#define CELLS_MAX 4e6  // of a room; more make the cells larger

void ond_play_room_destroy(OndPlayRoom *room)
{
    free(room->head);
    free(room->next);
    free(room->place);
    *room = (OndPlayRoom){0};
}

static bool lay_out(OndPlay *play, const double low[3], const double high[3])
{
    OndPlayRoom *const r = &play->room;
    double cells = CELLS_MAX + 1.0;
    r->least = APART * play->spacing;
    for (r->edge = r->least; cells > CELLS_MAX; r->edge *= 1.5) {
        cells = 1.0;
        for (int a = 0; a < 3; ++a) {
            r->low[a] = low[a] - r->edge;
            const double wide = a < play->dimension ? high[a] - low[a] + 2.0 * r->edge : 0.0;
            r->cells[a] = (int)fmin(wide / r->edge, 1e6) + 1;
            cells *= r->cells[a];
        }
        if (cells <= CELLS_MAX) break;
    }
    if ((int)cells > r->head_room) {
        int *const more = realloc(r->head, (size_t)cells * sizeof *more);
        if (!more) return ond_play_no_memory(play);
        r->head = more;
        r->head_room = (int)cells;
    }
    for (int k = 0; k < (int)cells; ++k)
        r->head[k] = -1;
    r->count = 0;
    return true;
}

// Number of the cell along an axis; outside of the room: -1.
static int cell_of(const OndPlayRoom *r, double at, int axis, int dimension)
{
    if (axis >= dimension) return 0;
    const double cell = floor((at - r->low[axis]) / r->edge);
    return cell >= 0.0 && cell < r->cells[axis] ? (int)cell : -1;
}

static bool make_place(OndPlayRoom *r)
{
    if (r->count < r->place_room) return true;
    const int room = 2 * r->place_room + 1024;
    int *const next = realloc(r->next, (size_t)room * sizeof *next);
    if (next) r->next = next;
    float *const place = next ? realloc(r->place, (size_t)room * 3 * sizeof *place) : NULL;
    if (!place) return false;
    r->place = place;
    r->place_room = room;
    return true;
}

bool ond_play_room_take(OndPlay *play, const double at[3])
{
    OndPlayRoom *const r = &play->room;
    int cell[3];
    for (int a = 0; a < 3; ++a)
        if ((cell[a] = cell_of(r, at[a], a, play->dimension)) < 0) return true; // far from the room
    if (!make_place(r)) return ond_play_no_memory(play);
    int *const head = &r->head[(cell[2] * r->cells[1] + cell[1]) * r->cells[0] + cell[0]];
    for (int a = 0; a < 3; ++a)
        r->place[3 * r->count + a] = (float)at[a];
    r->next[r->count] = *head;
    *head = r->count++;
    return true;
}

bool ond_play_room_look(OndPlay *play, const double low[3], const double high[3])
{
    OndFieldView x;
    if (!lay_out(play, low, high)) return false;
    ond_sim_find_field(play->sim, OND_PARTICLES, "position", &x);
    for (int i = 0; i < x.count; ++i) {
        double at[3];
        ond_play_place(&x, i, at);
        if (!ond_play_room_take(play, at)) return false;
    }
    return true;
}

static bool is_taken(const OndPlayRoom *r, int cell, const double at[3])
{
    for (int p = r->head[cell]; p >= 0; p = r->next[p]) {
        double sum = 0.0;
        for (int a = 0; a < 3; ++a) {
            const double d = r->place[3 * p + a] - at[a];
            sum += d * d;
        }
        if (sum < r->least * r->least) return true;
    }
    return false;
}

bool ond_play_room_free(const OndPlay *play, const double at[3])
{
    const OndPlayRoom *const r = &play->room;
    int first[3], last[3];
    for (int a = 0; a < 3; ++a) {
        const int cell = cell_of(r, at[a], a, play->dimension);
        if (cell < 0) return false;
        first[a] = cell > 0 ? cell - 1 : 0;
        last[a] = cell + 1 < r->cells[a] ? cell + 1 : cell;
    }
    for (int k = first[2]; k <= last[2]; ++k)
        for (int j = first[1]; j <= last[1]; ++j)
            for (int i = first[0]; i <= last[0]; ++i)
                if (is_taken(r, (k * r->cells[1] + j) * r->cells[0] + i, at)) return false;
    return !ond_sim_blocked(play->sim, at, 0.5 * play->spacing, NULL);
}
