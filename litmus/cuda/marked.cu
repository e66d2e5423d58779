// What CUDA has no word for stands in markers (include/crashlit_kernel.h).
#include "../../include/crashlit_kernel.h"
#include "clang.h"

struct entry {
  unsigned value, valid;
};

// A persist barrier of the block between the entry and the word that says that it is there, which
// another thread of the block writes.
extern "C" __global__ void append_block(struct entry *log, volatile unsigned *tail) {
  log[threadIdx_x].value = 7;
  __syncthreads();
  CRASHLIT("pbarrier.cta");
  if (threadIdx_x == 0)
    *tail = 2;
}

// The barrier is each thread's own: thread 0 has not persisted what the others wrote.
extern "C" __global__ void append_thread(struct entry *log, volatile unsigned *tail) {
  log[threadIdx_x].value = 7;
  __syncthreads();
  CRASHLIT("pbarrier.thread");
  if (threadIdx_x == 0)
    *tail = 2;
}

// Flushed, and waited for.
extern "C" __global__ void append_flush(struct entry *log) {
  log[blockIdx_x].value = 7;
  CRASHLIT_AT("clwb", &log[blockIdx_x].value);
  CRASHLIT("sfence");
  log[blockIdx_x].valid = 1;
}

// The wrong one of two.
extern "C" __global__ void append_other(struct entry *log) {
  log[blockIdx_x].value = 7;
  CRASHLIT_AT("clwb", &log[blockIdx_x].valid);
  CRASHLIT("sfence");
  log[blockIdx_x].valid = 1;
}
