// The chain's kernels started from C++, with its step in autograd's graph in C++ too: for Python.
//
// Small tensors leave the GPU waiting for the host, and most of the host's time for a forward and
// a backward was Python: the backward runs on autograd's own thread, far from the caches that the
// forward has warmed. Nothing is decided here: which kernels, with which launch and numbers, is a
// Call that Python has made (kernels/native/calls.py).

#include <Python.h>

#include "graph.h"
#include "read.h"

#include <ATen/FuncTorchTLS.h>
#include <dlfcn.h>
#include <torch/csrc/Exceptions.h>

namespace {

using namespace ridgepoint;

// prepare(forward, backward, sums, rows, features, statistics, partials, need_dx, need_sums,
// (dtypes of x, weight, bias, y)): the call, as chain takes it. Of what is absent any dtype will do.
PyObject* prepare(PyObject*, PyObject* arguments) {
  HANDLE_TH_ERRORS
  Call call;
  PyObject *forward, *backward, *sums, *x, *weight, *bias, *y;
  long long rows, features, statistics, partials;
  if (!PyArg_ParseTuple(arguments, "O!O!O!LLLLpp(OOOO)", &PyTuple_Type, &forward, &PyTuple_Type,
                        &backward, &PyTuple_Type, &sums, &rows, &features, &statistics, &partials,
                        &call.need_dx, &call.need_sums, &x, &weight, &bias, &y))
    return nullptr;
  call.x = dtype_in(x), call.weight = dtype_in(weight);
  call.bias = dtype_in(bias), call.y = dtype_in(y);
  call.rows = rows, call.features = features;
  call.statistics = statistics, call.partials = partials;
  if (!read_kernel(forward, call.forward) || !read_kernel(backward, call.backward) ||
      !read_kernel(sums, call.sums))
    return nullptr;
  return THPVariable_Wrap(kept(call));
  END_HANDLE_TH_ERRORS
}

// Python's lock let go of, and taken again also where an exception passes.
struct Unlocked {
  PyThreadState* const thread = PyEval_SaveThread();
  ~Unlocked() { PyEval_RestoreThread(thread); }
};

// A launch waits where the GPU's queue is full.
CUresult start_forward(const Call& call, std::initializer_list<const Tensor*> tensors) {
  const at::Device device = (*tensors.begin())->device();
  const Unlocked unlocked;
  return call.forward.start(device.index(), current_stream(device), tensors);
}

// chain(x, residual, weight, bias, call): y, or None where the tensors don't lie as the kernels
// were compiled for, or not on the current device.
PyObject* chain(PyObject*, PyObject* const* given, Py_ssize_t count) {
  HANDLE_TH_ERRORS
  if (count != 5) return PyErr_Format(PyExc_TypeError, "chain takes 5 arguments, not %zd", count);
  const Tensor x = tensor_in(given[0]), residual = tensor_or_none(given[1]);
  const Tensor weight = tensor_or_none(given[2]), bias = tensor_or_none(given[3]);
  const Tensor held = tensor_in(given[4]);
  const Call& call = call_in(held);
  if (const auto& transforms = at::functorch::functorchTLSAccessor())
    transforms->checkSupportsCppAutogradFunction();  // refuses where one is active
  const c10::impl::VirtualGuardImpl device(x.device().type());
  if (device.getDevice() != x.device() || !usable(x) || !usable(residual) || !usable(weight) ||
      !usable(bias))
    Py_RETURN_NONE;

  Tensor y = at::empty(x.sizes(), x.options().dtype(call.y));
  Tensor statistics = at::empty({call.statistics, call.rows}, x.options().dtype(at::kFloat));
  const CUresult result =
      start_forward(call, {&x, &residual, &weight, &bias, &y, &statistics});
  if (result != CUDA_SUCCESS)
    return PyErr_Format(PyExc_RuntimeError, "%s%d", kNotStarted, static_cast<int>(result));
  const auto maybe = [](const Tensor& tensor) {
    return tensor.defined() ? Maybe(tensor) : std::nullopt;
  };
  return THPVariable_Wrap(Chain::apply(x, maybe(residual), maybe(weight), maybe(bias),
                                       Made{y, statistics, held}));
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
