// SPDX-License-Identifier: MIT
#ifdef OND_HAVE_ODE

#include "solids/bodies/body_ode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>

// ---- one at a time

static atomic_flag busy = ATOMIC_FLAG_INIT;

static void take_turn(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
}

static void end_turn(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

// ---- faults

// Handlers get no context, so what a thread is doing stands here.
static _Thread_local struct {
    int messages;
    bool guarded; // there is a way back
    jmp_buf back;
} now;

static void count_message(int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
    ++now.messages;
}

// Returning from here would end the program.
static void go_back(int number, const char *format, va_list arguments)
{
    (void)number, (void)format, (void)arguments;
    if (now.guarded) longjmp(now.back, 1);
}

void ond_ode_open(void)
{
    take_turn();
    dSetMessageHandler(count_message);
    dSetErrorHandler(go_back);
    dSetDebugHandler(go_back);
    dInitODE2(0);
    dAllocateODEDataForThread(dAllocateMaskAll);
    end_turn();
}

void ond_ode_close(void)
{
    take_turn();
    dCloseODE();
    end_turn();
}

int ond_ode_collide(dGeomID a, dGeomID b, int most, dContactGeom *found)
{
    volatile int count = -1;
    dAllocateODEDataForThread(dAllocateMaskAll); // of this one; nothing happens where it has some
    now.guarded = true;
    if (!setjmp(now.back)) count = dCollide(a, b, most, found, sizeof *found);
    now.guarded = false;
    return count;
}

OndOdeWorld ond_ode_world_make(void)
{
    OndOdeWorld w = {dWorldCreate(), dThreadingAllocateSelfThreadedImplementation(), false};
    if (w.queue)
        dWorldSetStepThreadingImplementation(w.world, dThreadingImplementationGetFunctions(w.queue),
                                             w.queue);
    return w;
}

void ond_ode_world_free(OndOdeWorld *w)
{
    if (w->world) dWorldDestroy(w->world);
    if (w->queue && !w->broken) dThreadingFreeImplementation(w->queue);
    *w = (OndOdeWorld){0};
}

// Shuffled rows, but always in the same way.
static int step_by_rounds(dWorldID world, double dt, int rounds)
{
    dWorldSetQuickStepNumIterations(world, rounds);
    dRandSetSeed(1);
    return dWorldQuickStep(world, dt);
}

OndOdeEnd ond_ode_step(OndOdeWorld *w, double dt, int rounds)
{
    volatile int good = 0;
    if (w->broken) return OND_ODE_BROKEN;
    now.messages = 0;
    if (rounds > 0) take_turn();
    now.guarded = true;
    if (!setjmp(now.back))
        good = rounds > 0 ? step_by_rounds(w->world, dt, rounds) : dWorldStep(w->world, dt);
    now.guarded = false;
    if (rounds > 0) end_turn();
    w->broken = !good;
    if (w->broken) return OND_ODE_BROKEN;
    return now.messages > 0 ? OND_ODE_LOST : OND_ODE_GOOD;
}

#endif
