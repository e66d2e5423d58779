// What the four lanes of a warp do together.
#include "clang.h"

#define LANES 0xfu

struct entry { unsigned value, valid; };

// A sum over the lanes: lane 0 has it.
extern "C" __global__ void add_up(const unsigned *in, unsigned *out) {
  unsigned sum = in[threadIdx_x];
  sum += __shfl_down_sync(LANES, sum, 2);
  sum += __shfl_down_sync(LANES, sum, 1);
  if (threadIdx_x == 0)
    *out = sum;
}

// The first step leaves two lanes out.
extern "C" __global__ void add_up_half(const unsigned *in, unsigned *out) {
  unsigned sum = in[threadIdx_x];
  sum += __shfl_down_sync(LANES, sum, 1);
  sum += __shfl_down_sync(LANES, sum, 1);
  if (threadIdx_x == 0)
    *out = sum;
}

// Values other than 0 are moved together: one atomic operation for all lanes.
extern "C" __global__ void compact(const unsigned *in, unsigned *out, unsigned *count) {
  unsigned value = in[threadIdx_x], base = 0;
  unsigned full = __ballot_sync(LANES, value != 0);
  if (threadIdx_x == 0)
    base = atomicAdd(count, __popc(full));
  base = __shfl_sync(LANES, base, 0);
  if (value)
    out[base + __popc(full & ((1u << threadIdx_x) - 1))] = value;
}

// A lane counts itself among those before it.
extern "C" __global__ void compact_off(const unsigned *in, unsigned *out, unsigned *count) {
  unsigned value = in[threadIdx_x], base = 0;
  unsigned full = __ballot_sync(LANES, value != 0);
  if (threadIdx_x == 0)
    base = atomicAdd(count, __popc(full));
  base = __shfl_sync(LANES, base, 0);
  if (value)
    out[base + __popc(full & ((2u << threadIdx_x) - 1))] = value;
}

// Each lane writes an entry and makes it durable; then one tells how many there are.
extern "C" __global__ void append_warp(unsigned *log, unsigned *tail, unsigned v) {
  log[threadIdx_x] = v;
  __threadfence_system();
  __syncwarp(LANES);
  if (threadIdx_x == 0)
    *tail = 4;
}

// The lanes meet before their entries are durable.
extern "C" __global__ void append_warp_early(unsigned *log, unsigned *tail, unsigned v) {
  log[threadIdx_x] = v;
  __syncwarp(LANES);
  __threadfence_system();
  if (threadIdx_x == 0)
    *tail = 4;
}

// Who votes has waited for the others, too, and so for their fences.
extern "C" __global__ void append_vote(unsigned *log, unsigned *tail, unsigned v) {
  log[threadIdx_x] = v;
  __threadfence_system();
  if (__any_sync(LANES, log[threadIdx_x] == v) && threadIdx_x == 0)
    *tail = 4;
}

// A value that a neighbour reads from memory behind __syncwarp.
extern "C" __global__ void neighbour(unsigned *data, unsigned *out) {
  data[threadIdx_x] = 1;
  __syncwarp(LANES);
  out[threadIdx_x] = data[threadIdx_x ^ 1];
}

// An exchange of registers orders no memory, not even between fences.
extern "C" __global__ void neighbour_shfl(unsigned *data, unsigned *out, unsigned *sums) {
  volatile unsigned *place = data + threadIdx_x;
  *place = 1;
  __threadfence_block();
  sums[threadIdx_x] = __shfl_down_sync(LANES, *place, 1);
  __threadfence_block();
  out[threadIdx_x] = ((volatile unsigned *)data)[threadIdx_x ^ 1];
}
