"""`make` says what there is."""

import re
import subprocess

from tests.setup.checkout import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_make_alone_lists_every_target_with_a_word_on_it() -> None:
    listing = subprocess.check_output(["make", "-s", "-C", ROOT], text=True)
    told = dict(re.findall(r"^  ([a-z-]+) +(\S.*)$", listing, re.MULTILINE))
    assert told.keys() == targets()


def test_no_target_is_taken_for_a_file() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == targets()
