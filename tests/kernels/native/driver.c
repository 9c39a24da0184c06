// A driver that starts nothing and writes down what it was told to start.

#include <cuda.h>
#include <string.h>

#define MOST 16
#define WIDTH 24

// A launch: function, grid (3), threads, shared bytes, attributes, stream, then its parameters.
unsigned long long launches[MOST][WIDTH];
int count = 0;
int result = 0;  // what a launch answers

CUresult cuLaunchKernelEx(const CUlaunchConfig *launch, CUfunction function, void **given,
                          void **extra) {
  unsigned long long *here = launches[__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED) % MOST];
  unsigned long long head[8] = {
      (unsigned long long)function, launch->gridDimX, launch->gridDimY, launch->gridDimZ,
      launch->blockDimX, launch->sharedMemBytes, launch->numAttrs,
      (unsigned long long)launch->hStream};
  memset(here, 0, sizeof launches[0]);
  memcpy(here, head, sizeof head);
  for (int i = 0; i < WIDTH - 8 && given[i]; ++i) memcpy(&here[8 + i], given[i], 8);
  return result;
}

// A thread has no context until one is set; `adopted` counts how often that was.
static _Thread_local CUcontext context;
int adopted = 0;

CUresult cuCtxGetCurrent(CUcontext *found) {
  *found = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext wanted) {
  context = wanted;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *found, CUdevice device) {
  ++adopted;
  *found = (CUcontext)1;
  return CUDA_SUCCESS;
}
