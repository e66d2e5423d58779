// Two words that change together: their old values are in a log while they change.
#include "clang.h"

struct undo {
  unsigned old[2];
  unsigned valid;
};

extern "C" __global__ void update(unsigned *data, struct undo *log, unsigned v) {
  log->old[0] = data[0];
  log->old[1] = data[1];
  __threadfence_system();
  log->valid = 1;
  __threadfence_system();
  data[0] = v;
  data[1] = v;
  __threadfence_system();
  log->valid = 0;
}

// The log is given up before the words are durable.
extern "C" __global__ void update_early(volatile unsigned *data, volatile struct undo *log, unsigned v) {
  log->old[0] = data[0];
  log->old[1] = data[1];
  __threadfence_system();
  log->valid = 1;
  __threadfence_system();
  data[0] = v;
  data[1] = v;
  log->valid = 0;
}

extern "C" __global__ void recover(unsigned *data, struct undo *log) {
  if (log->valid) {
    data[0] = log->old[0];
    data[1] = log->old[1];
    __threadfence_system();
    log->valid = 0;
  }
}
