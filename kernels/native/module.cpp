// The chain's kernels started from C++, with its step in autograd's graph in C++ too: for Python.
//
// Small tensors leave the GPU waiting for the host, and most of the host's time for a forward and
// a backward was Python: the backward runs on autograd's own thread, far from the caches that the
// forward has warmed. Nothing is decided here: which kernels, with which launch and numbers, is a
// Call that Python has made (kernels/native/calls.py).

#include <Python.h>

#include "graph.h"

#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

namespace {

using namespace ridgepoint;

constexpr const char* kCapsule = "kernels.native.call";

void release(PyObject* capsule) {
  delete static_cast<CallPtr*>(PyCapsule_GetPointer(capsule, kCapsule));
}

bool read_kernel(PyObject* given, Kernel& kernel) {
  unsigned long long function = 0;
  PyObject *numbers = nullptr, *eps = nullptr;
  if (!PyArg_ParseTuple(given, "K(III)IIpO!O", &function, &kernel.grid_x, &kernel.grid_y,
                        &kernel.grid_z, &kernel.threads, &kernel.shared_bytes, &kernel.early,
                        &PyTuple_Type, &numbers, &eps))
    return false;
  kernel.function = reinterpret_cast<CUfunction>(function);
  kernel.count = static_cast<int>(std::min<Py_ssize_t>(PyTuple_Size(numbers), 3));
  for (int i = 0; i < kernel.count; ++i) {
    kernel.numbers[i] = static_cast<int>(PyLong_AsLong(PyTuple_GetItem(numbers, i)));
  }
  if (eps != Py_None) kernel.eps = static_cast<float>(PyFloat_AsDouble(eps));
  return PyErr_Occurred() == nullptr;
}

// prepare(forward, backward, sums, rows, features, statistics, partials, need_dx, need_sums, dtype)
PyObject* prepare(PyObject*, PyObject* arguments) {
  HANDLE_TH_ERRORS
  auto call = c10::make_intrusive<Call>();
  PyObject *forward, *backward, *sums, *dtype;
  long long rows, features, statistics, partials;
  if (!PyArg_ParseTuple(arguments, "O!O!O!LLLLppO", &PyTuple_Type, &forward, &PyTuple_Type,
                        &backward, &PyTuple_Type, &sums, &rows, &features, &statistics, &partials,
                        &call->need_dx, &call->need_sums, &dtype))
    return nullptr;
  TORCH_CHECK_TYPE(THPDtype_Check(dtype), "dtype must be a torch.dtype");
  call->result = reinterpret_cast<THPDtype*>(dtype)->scalar_type;
  call->rows = rows, call->features = features;
  call->statistics = statistics, call->partials = partials;
  if (!read_kernel(forward, call->forward) || !read_kernel(backward, call->backward) ||
      !read_kernel(sums, call->sums))
    return nullptr;
  return PyCapsule_New(new CallPtr(std::move(call)), kCapsule, release);
  END_HANDLE_TH_ERRORS
}

Tensor tensor_or_none(PyObject* given) {
  return given == Py_None ? Tensor() : THPVariable_Unpack(given);
}

// chain(x, residual, weight, bias, call, stream): y, or None where the tensors don't lie as the
// kernels were compiled for, or not on the current device.
PyObject* chain(PyObject*, PyObject* const* given, Py_ssize_t count) {
  HANDLE_TH_ERRORS
  if (count != 6) return PyErr_Format(PyExc_TypeError, "chain takes 6 arguments, not %zd", count);
  const Tensor x = THPVariable_Unpack(given[0]), residual = tensor_or_none(given[1]);
  const Tensor weight = tensor_or_none(given[2]), bias = tensor_or_none(given[3]);
  const auto* held = static_cast<CallPtr*>(PyCapsule_GetPointer(given[4], kCapsule));
  if (held == nullptr) return nullptr;
  const CallPtr call = *held;
  const long long stream = PyLong_AsLongLong(given[5]);
  if (stream == -1 && PyErr_Occurred()) return nullptr;
  const c10::impl::VirtualGuardImpl device(x.device().type());
  if (device.getDevice() != x.device() || !usable(x) || !usable(residual) || !usable(weight) ||
      !usable(bias))
    Py_RETURN_NONE;

  Tensor y = at::empty(x.sizes(), x.options().dtype(call->result));
  Tensor statistics = at::empty({call->statistics, call->rows}, x.options().dtype(at::kFloat));
  CUresult result;
  Py_BEGIN_ALLOW_THREADS  // a launch waits where the GPU's queue is full
  result = call->forward.start(x.device().index(), reinterpret_cast<CUstream>(stream),
                               {&x, &residual, &weight, &bias, &y, &statistics});
  Py_END_ALLOW_THREADS
  if (result != CUDA_SUCCESS)
    return PyErr_Format(PyExc_RuntimeError, "%s%d", kNotStarted, static_cast<int>(result));
  const auto maybe = [](const Tensor& tensor) {
    return tensor.defined() ? Maybe(tensor) : std::nullopt;
  };
  return THPVariable_Wrap(Chain::apply(x, maybe(residual), maybe(weight), maybe(bias),
                                       Made{y, statistics, call, static_cast<int64_t>(stream)}));
  END_HANDLE_TH_ERRORS
}

// bind(library): start kernels through this driver library; OSError where it is not there.
PyObject* bind(PyObject*, PyObject* library) {
  const char* name = PyUnicode_AsUTF8(library);
  if (name == nullptr) return nullptr;
  void* library_of = dlopen(name, RTLD_NOW);
  const auto find = [&](auto& function, const char* symbol) {
    if (library_of == nullptr) return false;
    void* found = dlsym(library_of, symbol);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    return found != nullptr;
  };
  if (!find(driver.launch, "cuLaunchKernelEx") || !find(driver.current, "cuCtxGetCurrent") ||
      !find(driver.set_current, "cuCtxSetCurrent") ||
      !find(driver.retain_primary, "cuDevicePrimaryCtxRetain")) {
    PyErr_SetString(PyExc_OSError, dlerror());
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"bind", bind, METH_O, nullptr},
    {"prepare", prepare, METH_VARARGS, nullptr},
    {"chain", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(chain)), METH_FASTCALL,
     nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef definition = {PyModuleDef_HEAD_INIT, "ridgepoint_chain", nullptr, -1, methods};

}  // namespace

PyMODINIT_FUNC PyInit_ridgepoint_chain() { return PyModule_Create(&definition); }
