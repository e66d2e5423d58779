// A hash table in persistent memory: a key is there only with its value.
#include "clang.h"

struct slot {
  unsigned key, value;
};

// `taken` is volatile memory: who takes a place writes it alone.
extern "C" __global__ void insert(struct slot *table, unsigned *taken, unsigned size) {
  unsigned key = threadIdx_x * size + 1;
  for (unsigned i = 0; i < size; i++) {
    unsigned at = (key + i) % size;
    if (atomicCAS(&taken[at], 0, 1) == 0) {
      table[at].value = key + 100;
      __threadfence_system();
      table[at].key = key;
      return;
    }
  }
}

// The key takes the place, and is durable before its value.
extern "C" __global__ void insert_key(struct slot *table, unsigned size) {
  unsigned key = threadIdx_x * size + 1;
  for (unsigned i = 0; i < size; i++) {
    unsigned at = (key + i) % size;
    if (atomicCAS(&table[at].key, 0, key) == 0) {
      __threadfence_system();
      table[at].value = key + 100;
      return;
    }
  }
}
