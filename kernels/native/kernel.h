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

// What is called of CUDA's driver, once bind() has found it.
inline struct {
  decltype(&cuLaunchKernelEx) launch = nullptr;
  decltype(&cuCtxGetCurrent) current = nullptr;
  decltype(&cuCtxSetCurrent) set_current = nullptr;
  decltype(&cuDevicePrimaryCtxRetain) retain_primary = nullptr;
} driver;

// A thread that has used no GPU before has no context yet; PyTorch's own is the device's primary.
inline CUresult ensure_context(int device) {
  CUcontext context = nullptr;
  CUresult result = driver.current(&context);
  if (result == CUDA_SUCCESS && context == nullptr) {
    result = driver.retain_primary(&context, device);  // kept for as long as the process runs
    if (result == CUDA_SUCCESS) result = driver.set_current(context);
  }
  return result;
}

struct Kernel {
  CUfunction function = nullptr;
  unsigned grid_x = 0, grid_y = 0, grid_z = 0, threads = 0, shared_bytes = 0;
  int early = 0;                // may start before the kernel before it has ended
  std::array<int, 3> numbers{};  // rows and strides, as the kernel takes them
  int count = 0;                // of these
  std::optional<float> eps;     // follows them in the forward

  // Kernels take pointers first, absent tensors left out, then numbers, then Triton's two scratch
  // pointers, which are null. What the driver answers.
  CUresult start(int device, CUstream stream,
                 std::initializer_list<const Tensor*> tensors) const {
    const CUresult ready = ensure_context(device);
    if (ready != CUDA_SUCCESS) return ready;
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
    return driver.launch(&launch, function, parameters.data(), nullptr);
  }
};

// Whether a tensor lies as the kernels were compiled for.
inline bool usable(const Tensor& tensor) {
  return !tensor.defined() ||
         (tensor.is_contiguous() && reinterpret_cast<uintptr_t>(tensor.data_ptr()) % kAlignment == 0);
}

// The tensor, or a copy that lies so; an Error where it is another than the kernels take: hooks on
// saved tensors and on gradients may hand over what they like.
inline Tensor as_compiled(const Tensor& tensor, at::Device device, at::ScalarType dtype,
                          int64_t elements) {
  TORCH_CHECK(!tensor.defined() || (tensor.device() == device && tensor.scalar_type() == dtype &&
                                    tensor.numel() == elements),
              "the fused chain's backward was handed another shape, dtype or device than its forward's");
  return usable(tensor) ? tensor : tensor.clone(at::MemoryFormat::Contiguous);
}

}  // namespace ridgepoint
