// Two words that change together: their new values are in a log until they are there.
#include "clang.h"

struct redo {
  unsigned value[2];
  unsigned valid;
};

extern "C" __global__ void change(unsigned *data, struct redo *log, unsigned v) {
  log->value[0] = v;
  log->value[1] = v + 1;
  __threadfence_system();
  log->valid = 1;
  __threadfence_system();
  data[0] = v;
  data[1] = v + 1;
}

// The words change before the log is known to be whole.
extern "C" __global__ void change_early(unsigned *data, struct redo *log, unsigned v) {
  log->value[0] = v;
  log->value[1] = v + 1;
  __threadfence_system();
  log->valid = 1;
  data[0] = v;
  data[1] = v + 1;
}

extern "C" __global__ void apply(unsigned *data, struct redo *log) {
  if (log->valid) {
    data[0] = log->value[0];
    data[1] = log->value[1];
    __threadfence_system();
    log->valid = 0;
  }
}
