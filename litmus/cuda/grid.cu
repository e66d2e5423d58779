// Blocks of a cooperative launch meet: by CUDA's header, which is loads and atomics in global memory.
#include <cooperative_groups.h>

#include "clang.h"

// Each block makes its part durable and meets the others; then one tells of all.
extern "C" __global__ void phases(unsigned *part, unsigned *done) {
  part[blockIdx_x] = 7;
  __threadfence_system();
  cooperative_groups::this_grid().sync();
  if (blockIdx_x == 0)
    *done = 1;
}

// The blocks meet first.
extern "C" __global__ void phases_early(unsigned *part, unsigned *done) {
  part[blockIdx_x] = 7;
  cooperative_groups::this_grid().sync();
  __threadfence_system();
  if (blockIdx_x == 0)
    *done = 1;
}

// What a block has written before is seen by the others behind it.
extern "C" __global__ void exchange(unsigned *part, unsigned *sum) {
  part[blockIdx_x] = blockIdx_x + 1;
  cooperative_groups::this_grid().sync();
  sum[blockIdx_x] = part[0] + part[1];
}
