// SPDX-License-Identifier: MIT
// The laws of src/physics/ on a GPU: the lists of tests/laws.h, computed by a kernel and by the
// processor, over the same arguments. Without fused multiplications (-fmad=false) what adds,
// multiplies, divides and takes roots is the same to the last bit; powers and exponentials may
// differ in the last digits. (On an H200: 113 of 120 laws the same bits, the rest by a digit.)
//
//   nvcc -std=c++17 -fmad=false -Iinclude -Isrc -Itests tests/cuda_laws.cu && ./a.out
//
// Exit 77: there is no GPU.
#include "base/random.h"
#include "laws_grid.h"
#include "laws_particles.h"
#include "laws_sph.h"

#include <cstdio>
#include <vector>

#define ALL_LAWS(X) SPH_LAWS(X) PARTICLE_LAWS(X) GRID_LAWS(X)
#define ROUNDS      2000
#define DIGITS      1e-6 // that powers may be off by, measured as in laws.h

#define VALUE(name, call, formula, size, ...)                                                      \
    static inline __host__ __device__ double value_##name(const float *x)                          \
    {                                                                                              \
        const float a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6],          \
                    h = x[7];                                                                      \
        (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;                    \
        return (double)(call);                                                                     \
    }
ALL_LAWS(VALUE)

#define SIZE(name, call, formula, size, ...)                                                       \
    static double size_##name(double want, const float *x)                                         \
    {                                                                                              \
        const double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6],         \
                     h = x[7];                                                                     \
        (void)want, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;        \
        return size;                                                                               \
    }
ALL_LAWS(SIZE)

#define NUMBER(name, ...) LAW_##name,
enum { ALL_LAWS(NUMBER) LAW_COUNT };

#define NAME(name, ...) #name,
static const char *const names[] = {ALL_LAWS(NAME)};

#define RANGE(name, call, formula, size, ...) {__VA_ARGS__},
static const float ranges[LAW_COUNT][16] = {ALL_LAWS(RANGE)};

#define SIZE_ENTRY(name, ...) size_##name,
static double (*const sizes[])(double, const float *) = {ALL_LAWS(SIZE_ENTRY)};

#define CASE(name, ...)                                                                            \
    case LAW_##name:                                                                               \
        return value_##name(x);
static inline __host__ __device__ double value_of(int law, const float *x)
{
    switch (law) {
        ALL_LAWS(CASE)
    default:
        return 0.0;
    }
}

static __global__ void find_values(const float *x, double *out)
{
    const int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (k < LAW_COUNT * ROUNDS) out[k] = value_of(k / ROUNDS, x + 8 * k);
}

static std::vector<float> make_arguments()
{
    std::vector<float> x;
    for (int k = 0; k < LAW_COUNT * ROUNDS; ++k)
        for (int n = 0; n < 8; ++n) {
            const float *range = ranges[k / ROUNDS] + 2 * n;
            x.push_back(range[0] +
                        (range[1] - range[0]) * ond_random((uint64_t)(k % ROUNDS), (uint64_t)n));
        }
    return x;
}

static bool ask_gpu(const std::vector<float> &x, std::vector<double> &out)
{
    float *arguments = nullptr;
    double *values = nullptr;
    const size_t in = x.size() * sizeof(float), back = out.size() * sizeof(double);
    bool good =
        cudaMalloc(&arguments, in) == cudaSuccess && cudaMalloc(&values, back) == cudaSuccess;
    good = good && cudaMemcpy(arguments, x.data(), in, cudaMemcpyHostToDevice) == cudaSuccess;
    if (good) find_values<<<(unsigned)(out.size() + 127) / 128, 128>>>(arguments, values);
    good = good && cudaMemcpy(out.data(), values, back, cudaMemcpyDeviceToHost) == cudaSuccess;
    cudaFree(arguments);
    cudaFree(values);
    return good;
}

int main()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        printf("skipped: no GPU\n");
        return 77;
    }
    const std::vector<float> x = make_arguments();
    std::vector<double> out((size_t)LAW_COUNT * ROUNDS);
    if (!ask_gpu(x, out)) {
        printf("the GPU failed: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    int same = 0, bad = 0;
    for (int law = 0; law < LAW_COUNT; ++law) {
        int alike = 0;
        double worst = 0;
        for (int k = law * ROUNDS; k < (law + 1) * ROUNDS; ++k) {
            const float *arguments = x.data() + 8 * k;
            const double want = value_of(law, arguments), off = fabs(out[k] - want);
            const double share = off / (fabs(sizes[law](want, arguments)) + 1e-30);
            alike += out[k] == want;
            if (!(share <= worst)) worst = share;
        }
        same += alike == ROUNDS;
        if (alike < ROUNDS) printf("%s: off by %.2g\n", names[law], worst);
        bad += !(worst <= DIGITS);
    }
    printf("%d laws on the GPU and on the processor: %d the same bits, %d too far off\n",
           (int)LAW_COUNT, same, bad);
    return bad > 0;
}
