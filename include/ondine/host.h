// SPDX-License-Identifier: MIT
// What the program around the library may bring instead of threads and malloc.
//
// Both are set once, before anything else of the library is called, and hold for the whole process.
// The structs are copied; what `user` points to, and the functions, outlive all use of the library.
// They come back by returning: neither an exception nor a longjmp may pass through the library, so an
// allocator in C++ catches std::bad_alloc and returns NULL. They must not call the library.
#ifndef ONDINE_HOST_H
#define ONDINE_HOST_H

#include <ondine/error.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void OndTask(int index, void *data);

/// A task system. `run` calls task(k, data) once for each k below `count`, in whatever threads, at
/// the same time or one after the other, and returns when all are done. It may be called from
/// several threads at once, when several simulations run; never from inside a task.
typedef struct OndTaskSystem {
    int workers; ///< tasks that can run at the same time, 1 to 256; `count` is never more
    void (*run)(void *user, int count, OndTask *task, void *data);
    void *user;
} OndTaskSystem;

/// Uses it instead of the library's own threads; NULL: own threads again. Results are the same bits.
/// OND_BAD_VALUE when it makes no sense.
OND_API OndStatus ond_host_tasks(const OndTaskSystem *tasks, OndError *err);

/// Threads of the library's own, at most 256; 0 or less: one per core. Holds from the next loop on,
/// and is without effect while the host's tasks are used.
OND_API void ond_threads_set(int threads);
OND_API int ond_threads(void);

/// An allocator. `alloc` returns memory that is aligned for any type of C (what it holds does not
/// matter), or NULL when there is none; `release` gets what `alloc` gave, never NULL. Both may be called
/// from several threads at once, and a block may be released by another thread than took it.
typedef struct OndAllocator {
    void *(*alloc)(void *user, size_t bytes);
    void (*release)(void *user, void *block);
    void *user;
} OndAllocator;

/// Uses it for all memory of the library's own; NULL: malloc again. Libraries beneath (HDF5, Embree
/// and so on) have allocators of their own. Not while anything made by the library is alive.
OND_API OndStatus ond_host_memory(const OndAllocator *allocator, OndError *err);

#ifdef __cplusplus
}
#endif
#endif
