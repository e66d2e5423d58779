/* crashlit_kernel.h: what a CUDA kernel says to crashlit where CUDA has no word for it.
 *
 *   CRASHLIT("pbarrier.cta");        a persist barrier of the block
 *   CRASHLIT_AT("clwb", &log[i]);    what a definition file of the test says of `clwb(X)`
 *   CRASHLIT("crash \"half\"");      the crash may come here, and with such points in a test only there
 *
 * Each is a comment in the PTX that nvcc and clang write, and nothing in the program: ptxas passes
 * it over. The compiler moves no access to memory past it. crashlit reads it in a test of the
 * dialect CUDA; the word is one of a definition file that the test names (uses "px86.def"), or
 * pbarrier.{thread,warp,cta,grid,gpu}, or crash.
 *
 * A persist barrier wider than a thread is met by all threads of its scope under the model epoch,
 * like __syncthreads(): a thread that does not come to it is an error.
 *
 * A marker has no effect when the kernel runs. If the device has the instruction that it stands
 * for, write that beside it.
 *
 * This file may be copied into any program, without conditions.
 */
#ifndef CRASHLIT_KERNEL_H
#define CRASHLIT_KERNEL_H

#ifdef __CUDA_ARCH__
#define CRASHLIT(text) asm volatile("// crashlit: " text ::: "memory")
#define CRASHLIT_AT(text, pointer) \
    asm volatile("// crashlit: " text " [%0]" ::"l"(pointer) : "memory")
#else
#define CRASHLIT(text) ((void)0)
#define CRASHLIT_AT(text, pointer) ((void)(pointer))
#endif

#endif
