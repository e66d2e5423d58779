// A tree of two levels. Each block fills a leaf, and the block that is done last writes the root.
#include "clang.h"

struct node {
  unsigned keys[2], count;
};

// Each thread persists its own key; the barrier makes the others wait for that.
extern "C" __global__ void insert(struct node *leaves, struct node *root, const unsigned *keys, int *done) {
  struct node *leaf = &leaves[blockIdx_x];
  leaf->keys[threadIdx_x] = keys[blockIdx_x * 2 + threadIdx_x];
  __threadfence_system();
  __syncthreads();
  if (threadIdx_x == 0) {
    leaf->count = 2;
    __threadfence_system();
    if (atomicAdd(done, 1) == 1)
      root->count = 2;
  }
}

// The first thread sees the other's key behind the barrier, and its fence persists its own alone.
extern "C" __global__ void insert_visible(struct node *leaves, struct node *root, const unsigned *keys, int *done) {
  struct node *leaf = &leaves[blockIdx_x];
  leaf->keys[threadIdx_x] = keys[blockIdx_x * 2 + threadIdx_x];
  __syncthreads();
  if (threadIdx_x == 0) {
    leaf->count = 2;
    __threadfence_system();
    if (atomicAdd(done, 1) == 1)
      root->count = 2;
  }
}

// Each key is durable with its thread's fence, and the leaf's count is not.
extern "C" __global__ void insert_device(struct node *leaves, struct node *root, const unsigned *keys, int *done) {
  struct node *leaf = &leaves[blockIdx_x];
  leaf->keys[threadIdx_x] = keys[blockIdx_x * 2 + threadIdx_x];
  __threadfence_system();
  __syncthreads();
  if (threadIdx_x == 0) {
    leaf->count = 2;
    __threadfence();
    if (atomicAdd(done, 1) == 1)
      root->count = 2;
  }
}
