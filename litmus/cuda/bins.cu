// Threads of a block count in shared memory.
#include "clang.h"

extern "C" __global__ void bins(const unsigned *in, unsigned *out) {
  __shared__ unsigned count[2];
  if (threadIdx_x < 2)
    count[threadIdx_x] = 0;
  __syncthreads();
  atomicAdd(&count[in[threadIdx_x]], 1);
  __syncthreads();
  if (threadIdx_x < 2)
    out[threadIdx_x] = count[threadIdx_x];
}

// Who counts may come before who clears.
extern "C" __global__ void bins_early(const unsigned *in, unsigned *out) {
  __shared__ unsigned count[2];
  if (threadIdx_x < 2)
    count[threadIdx_x] = 0;
  atomicAdd(&count[in[threadIdx_x]], 1);
  __syncthreads();
  if (threadIdx_x < 2)
    out[threadIdx_x] = count[threadIdx_x];
}
