// The block that comes last adds up what all have written.
#include "clang.h"

extern "C" __global__ void last(unsigned *part, unsigned *come, unsigned *out) {
  part[blockIdx_x] = blockIdx_x + 3;
  __threadfence();
  if (atomicInc(come, 1) == 1) {
    __threadfence();
    *out = part[0] + part[1];
  }
}

// It does not keep its reads behind its count.
extern "C" __global__ void last_bare(unsigned *part, unsigned *come, unsigned *out) {
  part[blockIdx_x] = blockIdx_x + 3;
  __threadfence();
  if (atomicInc(come, 1) == 1)
    *out = part[0] + part[1];
}
