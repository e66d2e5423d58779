// A counter under a lock that is looked at before it is tried.
#include "clang.h"

extern "C" __global__ void count_ttas(volatile int *lock, unsigned *counter) {
  do {
    while (*lock != 0)
      ;
  } while (atomicExch((int *)lock, 1) != 0);
  __threadfence();
  *counter += 1;
  __threadfence();
  atomicExch((int *)lock, 0);
}

// By mistake its fences are of the block.
extern "C" __global__ void count_ttas_block(volatile int *lock, unsigned *counter) {
  do {
    while (*lock != 0)
      ;
  } while (atomicExch((int *)lock, 1) != 0);
  __threadfence_block();
  *counter += 1;
  __threadfence_block();
  atomicExch((int *)lock, 0);
}
