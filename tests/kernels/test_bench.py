"""The benchmark's protocol and arithmetic, without torch."""

import pytest

from kernels.bench import protocol, summary
from kernels.bench.__main__ import main
from kernels.bench.emit import emit
from kernels.lab import measures


def test_presets_have_the_shapes_of_their_encoders():
    rows = {name: (p.rows, p.features) for name, p in protocol.PRESETS.items()}
    assert rows["whisper-large"] == (48_000, 1280)
    assert rows["wav2vec2-large"] == (47_968, 1024)
    assert rows["conformer-l"] == (48_000, 512)
    assert rows["wav2vec2-features"] == (256_000, 512)
    assert rows["hubert-base"] == (31_936, 768)


@pytest.mark.parametrize("name", protocol.PRESETS)
def test_every_preset_can_be_asked_for(name):
    assert protocol.from_preset(name, dtype="fp32").rows == protocol.PRESETS[name].rows


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rows": 0}, "rows must be from 1"),
        ({"features": 65_537}, "features must be from 1"),
        ({"rows": 4_000_000, "features": 4096}, "rows × features"),
        ({"dtype": "fp8"}, "dtype must be one of"),
        ({"norm": "batch"}, "norm must be one of"),
        ({"activation": "elu"}, "activation must be one of"),
        ({"direction": "up"}, "direction must be one of"),
        ({"device": "tpu"}, "device must be one of"),
    ],
)
def test_a_request_out_of_bounds_is_refused_by_name(change, words):
    with pytest.raises(ValueError, match=words):
        protocol.Request(**({"rows": 8, "features": 8} | change)).checked()


def test_an_event_must_have_the_fields_of_its_kind():
    protocol.check_event({"event": "progress", "done": 1, "of": 2})
    for bad in ([], {"event": "noise"}, {"event": "result", "variant": "fused"}):
        with pytest.raises(ValueError, match="event"):
            protocol.check_event(bad)


def test_nan_is_never_printed():
    with pytest.raises(ValueError, match="JSON compliant"):
        emit("progress", done=float("nan"), of=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--preset", "whisper-large", "--rows", "8"], "not both"),
        (["--preset", "whisper-large", "--rows", "0"], "not both"),
        (["--rows", "-3"], "rows must be from 1"),
        (["--rows", "0"], "rows must be from 1"),
        (["--features", "0"], "features must be from 1"),
        (["--samples", "1"], "samples must be from 3"),
    ],
)
def test_a_bad_command_line_ends_in_one_error_event(arguments, words, capsys):
    assert main(["chain", *arguments]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert '"kind": "bad_request"' in line
    assert words in line


def test_quantiles_are_interpolated():
    assert measures.quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert measures.quantile([0.0, 10.0], 0.1) == pytest.approx(1.0)
    assert measures.quantile([4.0], 0.9) == 4.0


def test_a_clear_difference_and_none():
    slow, fast = [20.0, 21.0, 20.5] * 20, [10.0, 10.2, 9.9] * 20
    clear = measures.compare("a", "b", {"a": slow, "b": fast})
    assert clear["verdict"] == "faster"
    assert clear["speedup"] == pytest.approx(2.05)
    assert clear["low"] <= clear["speedup"] <= clear["high"]
    assert measures.compare("a", "b", {"a": fast, "b": fast})["verdict"] == measures.NO_DIFFERENCE
    assert measures.compare("a", "b", {"a": fast, "b": slow})["verdict"] == "slower"


@pytest.mark.parametrize("samples", [[], [0.0], [float("nan")], [1.0, float("inf")]])
def test_an_empty_or_impossible_measurement_is_an_error(samples):
    with pytest.raises(ValueError, match="measured no times"):
        measures.times(samples)


def test_what_is_too_good_to_be_true_is_said():
    results = [{"variant": "fused", "share_of_limit": 1.03}]
    said = summary.suspects(results, {"speedup": 3.0, "predicted_speedup": 2.33})
    assert len(said) == 2
    assert not summary.suspects([], {"speedup": 2.3, "predicted_speedup": 2.33})


def test_a_busy_or_throttled_device_is_said():
    assert summary.busy({"processes": 2}, {}) != []
    assert summary.busy({}, {"throttle_reasons": 0x4}) != []
    assert summary.busy({"processes": 1, "throttle_reasons": 0x1}, {}) == []


def test_small_tensors_are_said_to_leave_the_model():
    small = protocol.Request(64, 512)
    assert "launches" in summary.notes(small, 65_536, 60_000_000)[0]
    middling = protocol.Request(31_936, 768)
    assert "L2" in summary.notes(middling, 49_000_000, 60_000_000)[0]
