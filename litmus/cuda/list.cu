// A list whose head is a pointer in memory.
#include "clang.h"

struct node {
  struct node *next;
  unsigned value, pad;
};

extern "C" __global__ void push(struct node **head, struct node *nodes, unsigned *out) {
  struct node *mine = &nodes[blockIdx_x];
  if (blockIdx_x == 0) {
    mine->value = 7;
    __threadfence();
    *(struct node *volatile *)head = mine;
  } else {
    struct node *first = *(struct node *volatile *)head;
    __threadfence();
    if (first)
      *out = first->value;
  }
}

// The node may not be written yet where the head leads to it.
extern "C" __global__ void push_early(struct node **head, struct node *nodes, unsigned *out) {
  struct node *mine = &nodes[blockIdx_x];
  if (blockIdx_x == 0) {
    mine->value = 7;
    *(struct node *volatile *)head = mine;
  } else {
    struct node *first = *(struct node *volatile *)head;
    __threadfence();
    if (first)
      *out = first->value;
  }
}
