// SPDX-License-Identifier: MIT
#include "app/memory_free.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

// A file that holds one number; -1 when it does not ("max").
static double number_in(const char *path)
{
    double value = -1.0;
    FILE *file = fopen(path, "r");
    if (!file) return -1.0;
    if (fscanf(file, "%lf", &value) != 1) value = -1.0;
    fclose(file);
    return value;
}

// The number after `name` in a file of lines; 0 when it is not there.
static double number_after(const char *path, const char *name)
{
    char line[128], format[64];
    double value = 0.0;
    FILE *file = fopen(path, "r");
    snprintf(format, sizeof format, "%s %%lf", name);
    while (file && fgets(line, sizeof line, file) && sscanf(line, format, &value) != 1) {
    }
    if (file) fclose(file);
    return value;
}

static double system_free(void)
{
    const double kib = number_after("/proc/meminfo", "MemAvailable:");
    if (kib > 0.0) return kib * 1024.0;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (double)pages * (double)page : 0.0;
}

// In a container, what it may use counts too; files that the system only remembers give way.
double ond_memory_free(void)
{
    const double limit = number_in("/sys/fs/cgroup/memory.max"),
                 used = number_in("/sys/fs/cgroup/memory.current"), all = system_free();
    if (!(limit > 0.0) || !(used >= 0.0)) return all;
    const double held = used - number_after("/sys/fs/cgroup/memory.stat", "inactive_file");
    const double left = fmax(limit - held, 1.0);
    return all > 0.0 ? fmin(all, left) : left;
}
