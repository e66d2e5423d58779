// An entry of 16 bytes in one store: memory keeps 8 bytes at once.
#include "clang.h"

extern "C" __global__ void update16(unsigned *data, uint4 *log, unsigned v) {
  log[blockIdx_x] = make_uint4(blockIdx_x, data[blockIdx_x], 0, 1);
  __threadfence_system();
  data[blockIdx_x] = v;
}
