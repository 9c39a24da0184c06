// The chain's step in autograd's graph.

#pragma once

#include "call.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/DeviceGuard.h>
#include <torch/csrc/autograd/custom_function.h>

#include <stdexcept>
#include <string>

namespace ridgepoint {

using Maybe = std::optional<Tensor>;  // as autograd wants what may be absent
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// Gradients under create_graph=True: what follows from them is refused, not silently zero.
struct Once : Function<Once> {
  static variable_list forward(AutogradContext*, at::TensorList gradients, at::TensorList) {
    return gradients.vec();
  }
  static variable_list backward(AutogradContext*, variable_list) {
    TORCH_CHECK(false, "the fused chain has no second derivative: its backward is once_differentiable");
  }
};

// What a forward has made, and the Call that its backward needs.
struct Made {
  Tensor y, statistics, call;
};

// `is_traceable` stays false: compiled autograd then calls this backward as it is, between what it
// compiles.
struct Chain : Function<Chain> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Maybe& residual,
                        const Maybe& weight, const Maybe& bias, const Made& made) {
    context->save_for_backward(
        {x, weight.value_or(Tensor()), bias.value_or(Tensor()), made.statistics});
    context->saved_data["call"] = made.call;
    if (residual && residual->requires_grad())
      context->saved_data["residual"] = static_cast<int64_t>(residual->scalar_type());
    return made.y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const Tensor held = context->saved_data["call"].toTensor();
    const Call& call = call_in(held);
    const at::Device device = gradients[0].device();  // autograd has seen to it
    const int64_t elements = call.rows * call.features;
    const auto saved = context->get_saved_variables();
    const Tensor x = as_compiled(saved[0], device, call.x, elements);
    const Tensor weight = as_compiled(saved[1], device, call.weight, call.features);
    const Tensor bias = as_compiled(saved[2], device, call.bias, call.features);
    const Tensor statistics =
        as_compiled(saved[3], device, at::kFloat, call.statistics * call.rows);
    const Tensor dy = as_compiled(gradients[0], device, call.y, elements);
    variable_list found = started(call, dy, x, weight, bias, statistics);
    if (at::GradMode::is_enabled()) refuse_second(found, {gradients[0], x, weight, bias});
    const auto residual = context->saved_data.find("residual");
    if (residual != context->saved_data.end())  // dy itself, where the dtypes agree
      found[1] = gradients[0].to(static_cast<at::ScalarType>(residual->second.toInt()));
    return found;
  }

  // {dx, nothing for the residual, dweight, dbias, nothing}, by kernels on the current stream:
  // autograd makes it the forward's, compiled autograd does not.
  static variable_list started(const Call& call, const Tensor& dy, const Tensor& x,
                               const Tensor& weight, const Tensor& bias,
                               const Tensor& statistics) {
    const c10::DeviceGuard guard(x.device());
    const int device = x.device().index();
    const CUstream stream = current_stream(x.device());
    Tensor dx, partial, dweight, dbias;
    if (call.need_dx) dx = at::empty_like(x);
    if (call.need_sums)
      partial = at::empty({2, call.partials, call.features}, statistics.options());
    must_start(call.backward.start(device, stream,
                                   {&dy, &x, &weight, &bias, &statistics, &dx, &partial}));
    if (call.need_sums) {
      if (weight.defined()) dweight = at::empty_like(weight);
      if (bias.defined()) dbias = at::empty_like(bias);
      must_start(call.sums.start(device, stream, {&partial, &dweight, &dbias}));
    }
    return {dx, Tensor(), dweight, dbias, Tensor()};
  }

  static void must_start(CUresult result) {
    if (result != CUDA_SUCCESS)
      throw std::runtime_error(kNotStarted + std::to_string(static_cast<int>(result)));
  }

  static void refuse_second(variable_list& found, std::initializer_list<Tensor> sources) {
    variable_list there, given;
    for (const Tensor& gradient : found)
      if (gradient.defined()) there.push_back(gradient);
    for (const Tensor& source : sources)
      if (source.defined()) given.push_back(source);
    const auto guarded = Once::apply(at::TensorList(there), at::TensorList(given));
    size_t at = 0;
    for (Tensor& gradient : found)
      if (gradient.defined()) gradient = guarded[at++];
  }
};

}  // namespace ridgepoint
