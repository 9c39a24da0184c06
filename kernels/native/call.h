// What Python has settled of a call, kept in the bytes of a tensor.
//
// A tensor is what a node may keep that autograd knows how to hand on: compiled autograd takes a
// node's data out and puts them back, and refuses a capsule. Any copy of the bytes is a Call too.

#pragma once

#include "kernel.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <type_traits>

namespace ridgepoint {

// The kernels and numbers of a shape, dtypes and gradients wanted.
struct Call {
  Kernel forward, backward, sums;
  int64_t rows = 0, features = 0, statistics = 0, partials = 0;
  int need_dx = 0, need_sums = 0;
  at::ScalarType x = at::kFloat, weight = at::kFloat, bias = at::kFloat, y = at::kFloat;
};
static_assert(std::is_trivially_copyable_v<Call>);

inline Tensor kept(const Call& call) {
  const auto release = [](void* bytes) { delete static_cast<Call*>(bytes); };
  return at::from_blob(new Call(call), {sizeof(Call)}, release, at::kByte);
}

inline const Call& call_in(const Tensor& bytes) {
  TORCH_CHECK_TYPE(bytes.is_cpu() && bytes.scalar_type() == at::kByte &&
                       bytes.numel() == sizeof(Call) && bytes.is_contiguous(),
                   "this tensor holds no call of the chain");
  return *static_cast<const Call*>(bytes.data_ptr());
}

// Where PyTorch has its operators run at this moment; a CPU, as in tests, has no streams.
inline CUstream current_stream(at::Device device) {
  if (device.is_cpu()) return nullptr;
  const c10::impl::VirtualGuardImpl streams(device.type());
  return static_cast<CUstream>(streams.getStreamNativeHandle(streams.getStream(device)));
}

}  // namespace ridgepoint
