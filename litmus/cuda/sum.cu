// A sum over a block, by shared memory.
#include "clang.h"

extern "C" __global__ void sum(const unsigned *in, unsigned *out) {
  __shared__ unsigned part[4];
  part[threadIdx_x] = in[threadIdx_x];
  __syncthreads();
  if (threadIdx_x == 0)
    *out = part[0] + part[1];
}

extern "C" __global__ void sum_early(const unsigned *in, unsigned *out) {
  __shared__ volatile unsigned part[4];
  part[threadIdx_x] = in[threadIdx_x];
  if (threadIdx_x == 0)
    *out = part[0] + part[1];
}
