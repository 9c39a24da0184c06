"""Any layout of x, residual and dy gives what its contiguous copy gives, to the bit."""

import pytest

from tests.kernels.needs import inputs, normal, torch  # isort: skip
from kernels import fused_chain, separate_chain
from kernels.layout import as_rows
from kernels.reference import gradients

SHAPE = (3, 4, 24)


def contiguous():
    return normal(*SHAPE)


def transposed():
    """As a convolutional encoder hands it over: (batch, features, time), turned."""
    return normal(3, 24, 4).transpose(1, 2)


def sliced_rows():
    return normal(3, 8, 24)[:, ::2]


def sliced_features():
    return normal(3, 4, 31)[..., 5:29]


def strided_features():
    return normal(3, 4, 48)[..., ::2]


def first_frames():
    return normal(3, 9, 24)[:, :4]


def expanded_rows():
    return normal(24).expand(SHAPE)


def expanded_batch():
    return normal(1, 4, 24).expand(SHAPE)


def expanded_features():
    return normal(3, 4, 1).expand(SHAPE)


def misaligned():
    return normal(3 * 4 * 24 + 1)[1:].view(SHAPE)


LAYOUTS = [
    contiguous, transposed, sliced_rows, sliced_features, strided_features, first_frames,
    expanded_rows, expanded_batch, expanded_features, misaligned,
]  # fmt: skip


def assert_layout_is_nothing(chain, x, residual, dy, weight=None, bias=None):
    found = gradients(chain, (x, residual, weight, bias), dy)
    copies = [t.contiguous() for t in (x, residual, dy)]
    expected = gradients(chain, (*copies[:2], weight, bias), copies[2])
    for name, value in found.items():
        assert torch.equal(value, expected[name]), name


@pytest.mark.parametrize("chain", [fused_chain, separate_chain])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("which", ["x", "residual", "dy"])
def test_a_layout_changes_no_bit(chain, layout, which):
    tensors = {"x": contiguous(), "residual": normal(*SHAPE, seed=1), "dy": normal(*SHAPE, seed=2)}
    tensors[which] = layout()
    assert_layout_is_nothing(chain, **tensors, weight=normal(24, seed=3), bias=normal(24, seed=4))


@pytest.mark.parametrize("vector", [lambda: normal(48)[::2], lambda: normal(1).expand(24)])
def test_weight_and_bias_of_any_layout(vector):
    given, dy = inputs(5, 24)
    strided = vector()
    found = gradients(fused_chain, (*given[:2], strided, strided), dy)
    expected = gradients(fused_chain, (*given[:2], strided.contiguous(), strided.contiguous()), dy)
    assert all(torch.equal(found[name], expected[name]) for name in found)


def test_the_gradient_of_a_sum_has_stride_zero_and_is_right():
    given, _ = inputs(5, 24)
    leaves = [t.requires_grad_() for t in given]
    fused_chain(*leaves).sum().backward()
    ones = gradients(fused_chain, given, torch.ones_like(given[0]))
    assert torch.equal(leaves[0].grad, ones["dx"])
    assert torch.equal(leaves[2].grad, ones["dweight"])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_a_constant_distance_apart_are_read_in_place(layout):
    tensor = layout()
    rows, stride = as_rows(tensor)
    flat = rows.as_strided((12, 24), (stride, 1))
    assert torch.equal(flat, tensor.reshape(12, 24))
    in_place = (contiguous, sliced_rows, sliced_features, expanded_rows, misaligned)
    assert (rows.data_ptr() == tensor.data_ptr()) == (layout in in_place)


def test_a_row_taken_from_each_sequence_keeps_its_distance():
    x = normal(4, 5, 24)
    last = x[:, -1]
    rows, stride = as_rows(last)
    assert (rows.data_ptr(), stride) == (last.data_ptr(), 5 * 24)
    assert_layout_is_nothing(fused_chain, last, normal(4, 24, seed=1), normal(4, 24, seed=2))
