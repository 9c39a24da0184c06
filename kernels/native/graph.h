// The chain's step in autograd's graph.

#pragma once

#include "kernel.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <stdexcept>
#include <string>

namespace ridgepoint {

using Maybe = std::optional<Tensor>;  // as autograd wants what may be absent
using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

// The kernels and numbers of a shape, dtypes and gradients wanted, as Python has settled them.
struct Call : torch::CustomClassHolder {
  Kernel forward, backward, sums;
  int64_t rows = 0, features = 0, statistics = 0, partials = 0;
  int need_dx = 0, need_sums = 0;
  at::ScalarType result = at::kFloat;
};
using CallPtr = c10::intrusive_ptr<Call>;

// Gradients under create_graph=True: what follows from them is refused, not silently zero.
struct Once : Function<Once> {
  static variable_list forward(AutogradContext*, at::TensorList gradients, at::TensorList) {
    return gradients.vec();
  }
  static variable_list backward(AutogradContext*, variable_list) {
    TORCH_CHECK(false, "the fused chain has no second derivative: its backward is once_differentiable");
  }
};

// What a forward has made, and what its backward needs to know.
struct Made {
  Tensor y, statistics;
  CallPtr call;
  int64_t stream;
};

struct Chain : Function<Chain> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Maybe& residual,
                        const Maybe& weight, const Maybe& bias, const Made& made) {
    context->save_for_backward(
        {x, weight.value_or(Tensor()), bias.value_or(Tensor()), made.statistics});
    context->saved_data["call"] = c10::IValue::make_capsule(made.call);
    context->saved_data["stream"] = made.stream;
    if (residual && residual->requires_grad())
      context->saved_data["residual"] = static_cast<int64_t>(residual->scalar_type());
    return made.y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const auto call =
        c10::static_intrusive_pointer_cast<Call>(context->saved_data["call"].toCapsule());
    // Autograd runs a backward on its forward's stream.
    const auto stream = reinterpret_cast<CUstream>(context->saved_data["stream"].toInt());
    const auto saved = context->get_saved_variables();
    // A hook on saved tensors may hand back others than were saved.
    const Tensor x = made_usable(saved[0]), weight = made_usable(saved[1]);
    const Tensor bias = made_usable(saved[2]), statistics = made_usable(saved[3]);
    const Tensor dy = made_usable(gradients[0]);
    const int device = x.device().index();

    Tensor dx, partial, dweight, dbias;
    if (call->need_dx) dx = at::empty_like(x);
    if (call->need_sums)
      partial = at::empty({2, call->partials, call->features}, statistics.options());
    started(call->backward.start(device, stream,
                                 {&dy, &x, &weight, &bias, &statistics, &dx, &partial}));
    if (call->need_sums) {
      if (weight.defined()) dweight = at::empty_like(weight);
      if (bias.defined()) dbias = at::empty_like(bias);
      started(call->sums.start(device, stream, {&partial, &dweight, &dbias}));
    }
    variable_list found{dx, Tensor(), dweight, dbias, Tensor()};
    if (at::GradMode::is_enabled()) refuse_second(found, {gradients[0], x, weight, bias});
    const auto residual = context->saved_data.find("residual");
    if (residual != context->saved_data.end())  // dy itself, where the dtypes agree
      found[1] = gradients[0].to(static_cast<at::ScalarType>(residual->second.toInt()));
    return found;
  }

  static void started(CUresult result) {
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
