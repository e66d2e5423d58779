// What a kernel of this folder needs of CUDA's headers, for clang without the toolkit.
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
typedef unsigned uint4 __attribute__((ext_vector_type(4)));
#define make_uint4(x, y, z, w) ((uint4){(x), (y), (z), (w)})
#define threadIdx_x ((unsigned)__nvvm_read_ptx_sreg_tid_x())
#define blockIdx_x ((unsigned)__nvvm_read_ptx_sreg_ctaid_x())
#define __threadfence_system() __nvvm_membar_sys()
#define __threadfence() __nvvm_membar_gl()
#define __threadfence_block() __nvvm_membar_cta()
#define __syncthreads() __nvvm_bar_sync(0)
#define atomicAdd(p, v) __nvvm_atom_add_gen_i((volatile int *)(p), (v))
#define __syncwarp(m) __nvvm_bar_warp_sync(m)
#define __shfl_sync(m, v, l) ((unsigned)__nvvm_shfl_sync_idx_i32((m), (int)(v), (int)(l), 31))
#define __shfl_down_sync(m, v, d) ((unsigned)__nvvm_shfl_sync_down_i32((m), (int)(v), (d), 31))
#define __ballot_sync(m, p) __nvvm_vote_ballot_sync((m), (p))
#define __any_sync(m, p) __nvvm_vote_any_sync((m), (p))
#define __popc(x) __builtin_popcount(x)
#define __noinline__ __attribute__((noinline))
#define __constant__ __attribute__((constant))
#define atomicInc(p, v) __nvvm_atom_inc_gen_ui((volatile unsigned *)(p), (v))
#define atomicExch(p, v) __nvvm_atom_xchg_gen_i((volatile int *)(p), (v))
#define atomicCAS(p, e, v) __nvvm_atom_cas_gen_i((volatile int *)(p), (e), (v))
#else
#define threadIdx_x threadIdx.x
#define blockIdx_x blockIdx.x
#endif
