// All blocks meet: each then reads what the other wrote before.
#include "clang.h"

extern "C" __global__ void meet(unsigned *data, unsigned *come, unsigned *out) {
  data[blockIdx_x] = 1;
  __threadfence();
  atomicAdd(come, 1);
  while (*(volatile unsigned *)come != 2)
    ;
  __threadfence();
  out[blockIdx_x] = data[1 - blockIdx_x];
}

// Nobody waits for his own write.
extern "C" __global__ void meet_bare(unsigned *data, unsigned *come, unsigned *out) {
  data[blockIdx_x] = 1;
  atomicAdd(come, 1);
  while (*(volatile unsigned *)come != 2)
    ;
  __threadfence();
  out[blockIdx_x] = data[1 - blockIdx_x];
}
