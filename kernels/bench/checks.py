"""The judging of a result's error, for every check event."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from kernels.bench.emit import Failure


def judged(variant: str, quantity: str, error: float, cap: float) -> dict[str, Any]:
    """A check's fields; an error that is NaN or infinite is null there, and beyond any cap."""
    finite = isfinite(error)
    return {
        "variant": variant,
        "quantity": quantity,
        "error": error if finite else None,
        "cap": cap,
        "passed": finite and error <= cap,
    }


def must_pass(check: Mapping[str, Any]) -> None:
    """Failure where a check was not passed."""
    if check["passed"]:
        return
    error = "not finite" if check["error"] is None else check["error"]
    raise Failure(
        "wrong_result",
        f"{check['variant']} computes a wrong {check['quantity']}: its error is {error}, "
        f"the cap {check['cap']}.",
    )
