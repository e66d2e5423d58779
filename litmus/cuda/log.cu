// A log of entries, of which `valid` says that the value is there. Each thread writes its own.
#include "clang.h"

struct entry {
  unsigned value, valid;
};

extern "C" __global__ void append(struct entry *log, unsigned v) {
  log[blockIdx_x].value = v;
  __threadfence_system();
  log[blockIdx_x].valid = 1;
}

// As fast as the other one, and of no use: the fence orders within the block.
extern "C" __global__ void append_block(struct entry *log, unsigned v) {
  log[blockIdx_x].value = v;
  __threadfence_block();
  log[blockIdx_x].valid = 1;
}

extern "C" __global__ void append_none(volatile struct entry *log, unsigned v) {
  log[blockIdx_x].value = v;
  log[blockIdx_x].valid = 1;
}

// The place is taken from a counter.
extern "C" __global__ void append_tail(struct entry *log, unsigned *tail, unsigned size, unsigned v) {
  unsigned i = atomicAdd(tail, 1);
  if (i >= size)
    return;
  log[i].value = v;
  __threadfence_system();
  log[i].valid = 1;
}
