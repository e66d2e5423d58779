// A counter under a lock.
#include "clang.h"

__device__ int lock;

extern "C" __global__ void count(unsigned *counter) {
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicExch(&lock, 0);
}

// Who takes the lock next, in another block, may miss the count.
extern "C" __global__ void count_block(unsigned *counter) {
  while (atomicCAS(&lock, 0, 1) != 0)
    ;
  __threadfence_block();
  *counter += 1;
  __threadfence_block();
  atomicExch(&lock, 0);
}
