// A counter under a ticket lock.
#include "clang.h"

struct ticket {
  unsigned next;
  volatile unsigned serving;
};

extern "C" __global__ void count_ticket(struct ticket *lock, unsigned *counter) {
  unsigned mine = atomicAdd(&lock->next, 1);
  while (lock->serving != mine)
    ;
  __threadfence();
  *counter += 1;
  __threadfence();
  lock->serving = mine + 1;
}

// The lock is given up before the count is there.
extern "C" __global__ void count_ticket_open(struct ticket *lock, unsigned *counter) {
  unsigned mine = atomicAdd(&lock->next, 1);
  while (lock->serving != mine)
    ;
  __threadfence();
  *counter += 1;
  lock->serving = mine + 1;
}
