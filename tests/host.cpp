// SPDX-License-Identifier: MIT
// A host in C++17 against the installed library, for tests/check_install.sh: owners that free by
// themselves, failures as exceptions, several threads, and an allocator with a budget that throws
// inside. With too little memory everything is refused with a sentence, and nothing is left behind.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <ondine/ondine.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace
{

constexpr std::size_t head = 16; // bytes before a block, for its size

std::atomic<long long> used{0}, budget{0};

void *take(std::size_t bytes)
{
    if (used + static_cast<long long>(bytes) > budget) throw std::bad_alloc();
    char *const block = static_cast<char *>(std::malloc(bytes + head));
    if (!block) throw std::bad_alloc();
    *reinterpret_cast<std::size_t *>(block) = bytes;
    used += static_cast<long long>(bytes);
    return block + head;
}

// No exception passes through the library.
void *take_or_null(void *, std::size_t bytes) noexcept
{
    try {
        return take(bytes);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void give_back(void *, void *place) noexcept
{
    char *const block = static_cast<char *>(place) - head;
    used -= static_cast<long long>(*reinterpret_cast<std::size_t *>(block));
    std::free(block);
}

struct Failed : std::runtime_error {
    OndStatus status;
    explicit Failed(const OndError &err) : std::runtime_error(err.text), status(err.status)
    {
    }
};

// The struct is not cleared: a call that fails fills it.
template <class Call> void must(Call call)
{
    OndError err;
    if (call(&err) != OND_OK) throw Failed(err);
}

using Scene = std::unique_ptr<OndScene, decltype(&ond_scene_destroy)>;
using Sim = std::unique_ptr<OndSim, decltype(&ond_sim_destroy)>;

Sim make(double spacing)
{
    const Scene scene(ond_scene_create(), ond_scene_destroy);
    if (!scene) throw std::bad_alloc();
    OndDomainInfo box = ond_domain_info();
    box.max[0] = box.max[1] = box.max[2] = 1.0;
    OndFluidInfo water = ond_fluid_info();
    water.spacing = spacing;
    water.shape = ond_box_shape(0, 0, 0, 0.4, 0.4, 0.4);
    must([&](OndError *err) { return ond_scene_domain(scene.get(), &box, err); });
    must([&](OndError *err) { return ond_scene_add_fluid(scene.get(), &water, err); });
    OndError err;
    Sim sim(ond_sim_create(scene.get(), nullptr, &err), ond_sim_destroy);
    if (!sim) throw Failed(err);
    return sim;
}

// What happened: OND_OK, or why not.
OndStatus run(double spacing)
{
    try {
        const Sim sim = make(spacing);
        must([&](OndError *err) { return ond_sim_advance(sim.get(), 0.01, nullptr, err); });
        return OND_OK;
    } catch (const Failed &failed) {
        std::printf("%s\n", failed.what());
        return failed.status;
    } catch (const std::bad_alloc &) {
        return OND_NO_MEMORY;
    }
}

bool expect(OndStatus got, OndStatus want, const char *what)
{
    if (got == want && used == 0) return true;
    std::printf("%s: status %d, not %d; %lld bytes are left\n", what, got, want, used.load());
    return false;
}

} // namespace

int main()
{
    const OndAllocator own = {take_or_null, give_back, nullptr};
    must([&](OndError *err) { return ond_host_memory(&own, err); });
    bool good = true;
    for (const long long kilobytes : {0, 1, 30, 300, 1000, 4000}) {
        budget = kilobytes << 10;
        good &= expect(run(0.02), OND_NO_MEMORY, "too little memory");
    }
    budget = 1LL << 30;
    good &= expect(run(0.03), OND_OK, "enough memory");
    good &= expect(run(-1.0), OND_BAD_VALUE, "a spacing that is none");
    std::atomic<int> fine{0};
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k)
        threads.emplace_back([&fine, k] { fine += run(0.04 + 0.01 * k) == OND_OK; });
    for (std::thread &thread : threads)
        thread.join();
    good &= expect(fine == 3 ? OND_OK : OND_UNSTABLE, OND_OK, "three threads");
    return good ? 0 : 1;
}
