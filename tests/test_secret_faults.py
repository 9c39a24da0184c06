"""Secrets that are long and can be guessed all the same, and random ones, which never are."""

from base64 import b64encode, urlsafe_b64encode
from random import Random

import pytest

from app.secret_faults import of_secret

FORMS = {
    "openssl rand -hex 16": lambda random: random.randbytes(16).hex(),
    "openssl rand -hex 32": lambda random: random.randbytes(32).hex(),
    "openssl rand -base64 24": lambda random: b64encode(random.randbytes(24)).decode(),
    "openssl rand -base64 32": lambda random: b64encode(random.randbytes(32)).decode(),
    "secrets.token_urlsafe(48)": lambda random: urlsafe_b64encode(random.randbytes(48)).decode(),
}


@pytest.mark.parametrize(
    "secret",
    [
        "password" * 4,
        "Password-1-password-2-password-3",
        "p@ssw0rd" * 5,
        "changeme" * 4,
        "change-me-" * 5,
        "secret" * 6,
        "ridgepoint-secret-key-change-me-in-production",
        "this-is-my-very-secret-password-123",
        "qwertyuiopasdfghjklzxcvbnm123456",
    ],
)
def test_well_known_words_make_no_secret_however_long(secret):
    assert "`openssl rand -hex 32`" in (of_secret(secret) or "")


@pytest.mark.parametrize(
    "secret",
    [
        "0" * 64,
        "0123456789" * 4,
        "0123456789abcdef" * 2,
        "deadbeef" * 8,
        "abcdefghijklmnopqrstuvwxyz012345",
        "zyxwvutsrqponmlkjihgfedcba987654",
        "aaaabbbbccccddddeeeeffff11112222",
        "00000000-0000-0000-0000-000000000000",
        "Tr0ub4dor&3" * 3,
    ],
)
def test_a_pattern_makes_no_secret_however_long(secret):
    assert "can be guessed" in (of_secret(secret) or "")


@pytest.mark.parametrize("form", FORMS)
def test_no_random_secret_is_refused(form):
    random = Random(form)
    made = [FORMS[form](random) for _ in range(5000)]
    assert [secret for secret in made if of_secret(secret)] == []


@pytest.mark.parametrize(
    "secret",
    [
        "",
        "the orange piano sleeps under nine bridges",
        "schlüssel, den niemand erraten kann",
        "f47ac10b-58cc-4372-a567-0e02b2c3d479",
        "secret:9f8b2c61d0e74a35b8c19d2e6f7a0b43",
    ],
)
def test_what_nobody_can_guess_is_taken_whatever_it_looks_like(secret):
    assert of_secret(secret) is None
