"""What differs between a laptop, a test and a server: one frozen Settings, read once.

Every field can be set as an environment variable with the prefix RIDGEPOINT_,
for example RIDGEPOINT_DATABASE_URL. The defaults are those of a laptop. A length
of time is a number of seconds (2.5), or as in ISO 8601 (PT1H30M).
"""

import os
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    PositiveInt,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from app import settings_faults as faulty
from app.secret_faults import of_secret
from app.settings_faults import without

ROOT = Path(__file__).resolve().parent.parent


def _seconds(given: Any) -> Any:
    """A bare number, which pydantic refuses in a text, as seconds; the rest as it is."""
    try:
        return float(given) if isinstance(given, str) else given
    except ValueError:
        return given


LengthOfTime = Annotated[timedelta, BeforeValidator(_seconds), Field(gt=timedelta(0))]


class Settings(BaseSettings):
    """All that a process may be told from outside."""

    model_config = SettingsConfigDict(env_prefix="RIDGEPOINT_", frozen=True, extra="ignore")

    data_dir: Path = ROOT / ".data"
    """Where the SQLite file, the secret and the logs of a laptop lie."""

    database_url: Annotated[str, without(faulty.of_database)] = ""
    """An SQLAlchemy URL; empty means SQLite in `data_dir`."""

    secret: Annotated[str, without(of_secret)] = ""
    """Signs the session cookie: 32 or more random characters, the same for all processes and at
    every start; empty means one made once and kept in `data_dir`."""

    origin: str = ""
    """The address that people type, such as https://ridgepoint.example; needed behind a proxy."""

    secure_cookies: bool = False
    """True where the site is served over https only."""

    content_dir: Path = ROOT / "content"
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    log_json: bool = False

    embedded_worker: bool = True
    """Whether `serve` keeps a worker of its own; a server with GPU workers turns it off."""

    runs_enabled: bool = True
    """False switches benchmark runs off while practice goes on."""

    runs_waiting_per_learner: PositiveInt = 2
    runs_per_learner_a_day: PositiveInt = 40
    runs_waiting_in_all: PositiveInt = 20
    run_deadline: LengthOfTime = timedelta(minutes=5)
    """How long one run may take from its start before it ends as interrupted."""

    run_wait_limit: LengthOfTime = timedelta(hours=1)
    """How long a run may wait for a worker before it ends as interrupted."""

    bench_module: str = "kernels.bench"
    """The program that a worker starts for a run, as `python -m` knows it."""

    worker_id: str = ""
    """A worker's name, the same after every restart; empty means its host and a free number."""

    worker_lost_after: LengthOfTime = timedelta(seconds=15)
    """How long a worker may be silent before its run ends as interrupted."""

    lock_dir: Path = Path(tempfile.gettempdir()) / f"ridgepoint-{os.getuid()}"
    """Where the workers of one machine agree on who uses which device."""

    max_answer_characters: PositiveInt = 20_000
    max_body_bytes: PositiveInt = 300_000
    """More than the longest answer: one character takes up to 12 bytes in a form or in JSON."""

    check_deadline: LengthOfTime = timedelta(seconds=2)
    """How long the check of one answer may take before it is put off."""

    judge_url: Annotated[str, without(faulty.of_judge)] = ""
    """A stronger judge: a chat-completions server's address up to `/v1`, such as
    http://127.0.0.1:11434/v1; empty means that answers are checked here alone."""

    judge_model: Annotated[str, Field(max_length=100)] = ""
    """The model to ask for there."""

    judge_key: Annotated[SecretStr, without(faulty.of_key)] = SecretStr("")
    """What the judge's server knows us by; empty where it asks for nothing."""

    judge_deadline: LengthOfTime = timedelta(seconds=10)
    """How long the judge may take over one answer before the check goes on without it."""

    @field_validator("*", mode="before")
    @classmethod
    def _is_text(cls, given: Any) -> Any:
        return faulty.taken(given, faulty.of_text) if isinstance(given, str) else given

    @field_validator("judge_model")
    @classmethod
    def _is_named_where_it_is_asked(cls, model: str, known: ValidationInfo) -> str:
        if known.data.get("judge_url") and not model:
            raise ValueError("is empty: name a model, since RIDGEPOINT_JUDGE_URL is set")
        return model

    @property
    def resolved_database_url(self) -> str:
        """The database to use: the one given, else the SQLite file in `data_dir`."""
        return self.database_url or f"sqlite:///{self.data_dir / 'ridgepoint.db'}"


def faults(error: ValueError) -> str | None:
    """What is wrong with the settings, for a person, without the values; None for other errors."""
    if not isinstance(error, ValidationError) or error.title != Settings.__name__:
        return None
    return "; ".join(_fault(one["loc"][0], one["type"], one["msg"]) for one in error.errors())


def _fault(field: int | str, kind: str, said: str) -> str:
    """Our own words complete the setting's name; pydantic's stand for themselves."""
    between = " " if kind == "value_error" else ": "
    return f"RIDGEPOINT_{str(field).upper()}{between}{said.removeprefix('Value error, ')}"
