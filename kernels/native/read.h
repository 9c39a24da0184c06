// What Python hands over, read; a Python error is set, or thrown, where it is another thing.

#pragma once

#include <Python.h>

#include "kernel.h"

#include <torch/csrc/Dtype.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

#include <algorithm>

namespace ridgepoint {

inline bool read_kernel(PyObject* given, Kernel& kernel) {
  unsigned long long function = 0;
  PyObject *numbers = nullptr, *eps = nullptr;
  if (!PyArg_ParseTuple(given, "K(III)IIpO!O", &function, &kernel.grid_x, &kernel.grid_y,
                        &kernel.grid_z, &kernel.threads, &kernel.shared_bytes, &kernel.early,
                        &PyTuple_Type, &numbers, &eps))
    return false;
  kernel.function = reinterpret_cast<CUfunction>(function);
  if (PyTuple_Size(numbers) > static_cast<Py_ssize_t>(std::size(kernel.numbers))) {
    PyErr_SetString(PyExc_ValueError, "a kernel takes more numbers than there is room for");
    return false;
  }
  kernel.count = static_cast<int>(PyTuple_Size(numbers));
  for (int i = 0; i < kernel.count; ++i) {
    kernel.numbers[i] = static_cast<int>(PyLong_AsLong(PyTuple_GetItem(numbers, i)));
  }
  if (eps != Py_None) kernel.eps = static_cast<float>(PyFloat_AsDouble(eps));
  return PyErr_Occurred() == nullptr;
}

inline at::ScalarType dtype_in(PyObject* given) {
  TORCH_CHECK_TYPE(THPDtype_Check(given), "a dtype must be a torch.dtype");
  return reinterpret_cast<THPDtype*>(given)->scalar_type;
}

inline Tensor tensor_in(PyObject* given) {
  TORCH_CHECK_TYPE(THPVariable_Check(given), "chain takes tensors");
  return THPVariable_Unpack(given);
}

inline Tensor tensor_or_none(PyObject* given) {
  return given == Py_None ? Tensor() : tensor_in(given);
}

}  // namespace ridgepoint
