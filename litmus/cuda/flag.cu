// One block hands a value to another, which waits.
#include "clang.h"

extern "C" __global__ void hand_over(unsigned *data, volatile unsigned *flag, unsigned *out) {
  if (blockIdx_x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    __threadfence();
    *out = *data;
  }
}

// The fence orders within the block of the one who writes.
extern "C" __global__ void hand_over_block(unsigned *data, volatile unsigned *flag, unsigned *out) {
  if (blockIdx_x == 0) {
    *data = 42;
    __threadfence_block();
    *flag = 1;
  } else {
    while (*flag == 0)
      ;
    __threadfence();
    *out = *data;
  }
}
