// Sums of all words before, which go on where a crash has ended them: the same kernel recovers.
#include "clang.h"

extern "C" __global__ void prefix(const unsigned *in, unsigned *out, unsigned *done, unsigned n) {
#pragma unroll 1
  for (unsigned i = *done; i < n; i++) {
    out[i] = in[i] + (i ? out[i - 1] : 0);
    __threadfence_system();
    *done = i + 1;
    __threadfence_system();
  }
}

// How far it is may be durable before the sum is.
extern "C" __global__ void prefix_late(const unsigned *in, volatile unsigned *out, volatile unsigned *done, unsigned n) {
#pragma unroll 1
  for (unsigned i = *done; i < n; i++) {
    out[i] = in[i] + (i ? out[i - 1] : 0);
    *done = i + 1;
    __threadfence_system();
  }
}
