"""What the worker that `serve` keeps is told."""

from pydantic import SecretStr

from app.runs.embedded import EmbeddedWorker, as_environment
from app.settings import Settings


def test_the_worker_is_told_no_secret(settings, monkeypatch):
    monkeypatch.setenv("RIDGEPOINT_SECRET", "hush-1, of the letters that it needs")
    monkeypatch.setenv("ridgepoint_judge_key", "hush-2")
    asked = {"judge_url": "http://127.0.0.1:9/v1", "judge_model": "m", "secret": "hush-3"}
    telling = settings.model_copy(update={**asked, "judge_key": SecretStr("hush-4")})
    assert "hush" not in repr(EmbeddedWorker(telling)._environment)


def test_the_worker_reads_the_settings_as_they_are(settings, monkeypatch):
    for name, value in as_environment(settings).items():
        monkeypatch.setenv(name, value)
    assert Settings() == settings.model_copy(update={"secret": ""})
