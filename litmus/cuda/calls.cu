// Functions that stay calls, with a structure by value.
#include "clang.h"

struct job {
  unsigned op, value;
  unsigned *at;
};

__device__ __noinline__ unsigned work(unsigned op, unsigned value) {
  switch (op) {
  case 0: return value;
  case 1: return value + 1;
  case 2: return value * 2;
  case 3: return value ^ 5;
  default: return 0;
  }
}

__device__ __noinline__ void put(struct job job) {
  *job.at = work(job.op, job.value);
}

extern "C" __global__ void run(struct job job, unsigned *done) {
  put(job);
  __threadfence_system();
  *done = 1;
}

// The fence stands before what it should persist.
extern "C" __global__ void run_late(struct job job, unsigned *done) {
  __threadfence_system();
  put(job);
  *done = 1;
}
