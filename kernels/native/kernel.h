// One of the kernels that Triton compiled, with its launch, started by CUDA's driver.

#pragma once

#include <ATen/core/Tensor.h>
#include <cuda.h>

#include <array>
#include <initializer_list>
#include <optional>

namespace ridgepoint {

using at::Tensor;

constexpr uintptr_t kAlignment = 16;  // bytes: what the kernels were compiled for
constexpr size_t kMost = 16;          // parameters of a kernel
constexpr const char* kNotStarted = "a kernel of the chain did not start: CUDA error ";

inline decltype(&cuLaunchKernelEx) launch_kernel = nullptr;

struct Kernel {
  CUfunction function = nullptr;
  unsigned grid_x = 0, grid_y = 0, grid_z = 0, threads = 0, shared_bytes = 0;
  int early = 0;                // may start before the kernel before it has ended
  std::array<int, 3> numbers{};  // rows and strides, as the kernel takes them
  int count = 0;                // of these
  std::optional<float> eps;     // follows them in the forward

  // Kernels take pointers first, absent tensors left out, then numbers, then Triton's two scratch
  // pointers, which are null. What the driver answers.
  CUresult start(CUstream stream, std::initializer_list<const Tensor*> tensors) const {
    std::array<CUdeviceptr, kMost> addresses{};
    std::array<void*, kMost> parameters{};
    size_t at = 0;
    for (const Tensor* tensor : tensors) {
      if (tensor->defined()) {
        addresses[at] = reinterpret_cast<CUdeviceptr>(tensor->data_ptr());
        parameters[at] = &addresses[at];
        ++at;
      }
    }
    for (int i = 0; i < count; ++i) parameters[at++] = const_cast<int*>(&numbers[i]);
    if (eps) parameters[at++] = const_cast<float*>(&*eps);
    CUdeviceptr scratch = 0;
    parameters[at++] = &scratch;
    parameters[at++] = &scratch;

    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    CUlaunchConfig launch{};
    launch.gridDimX = grid_x, launch.gridDimY = grid_y, launch.gridDimZ = grid_z;
    launch.blockDimX = threads, launch.blockDimY = 1, launch.blockDimZ = 1;
    launch.sharedMemBytes = shared_bytes;
    launch.hStream = stream;
    launch.attrs = &attribute;
    launch.numAttrs = early ? 1 : 0;
    return launch_kernel(&launch, function, parameters.data(), nullptr);
  }
};

// Whether a tensor lies as the kernels were compiled for.
inline bool usable(const Tensor& tensor) {
  return !tensor.defined() ||
         (tensor.is_contiguous() && reinterpret_cast<uintptr_t>(tensor.data_ptr()) % kAlignment == 0);
}

}  // namespace ridgepoint
