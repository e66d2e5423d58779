// Floating-point values are computed and kept, and `done` says that they are.
#include "clang.h"

extern "C" __global__ void checkpoint(float *kept, const float *in, unsigned *stamp, unsigned *done) {
  kept[0] = in[0] * 0.5f + in[1];
  stamp[0] = 1;
  __threadfence_system();
  *done = 1;
}

extern "C" __global__ void checkpoint_late(volatile float *kept, const float *in, volatile unsigned *stamp,
                                           volatile unsigned *done) {
  kept[0] = in[0] * 0.5f + in[1];
  *done = 1;
  stamp[0] = 1;
}
