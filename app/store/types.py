"""Column types and habits that all models share."""

from datetime import UTC, datetime
from typing import Annotated, Any

from sqlalchemy import JSON, DateTime, String, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import mapped_column
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: aware in, aware out, in UTC, on both databases.

    SQLite keeps no zone and PostgreSQL answers in the session's zone, so the
    zone is checked on the way in and set on the way out.
    """

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a zone can't be stored: pass datetime.now(UTC)")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


JsonType = JSON().with_variant(JSONB(), "postgresql")

IntPk = Annotated[int, mapped_column(primary_key=True)]
ShortText = Annotated[str, mapped_column(String(200))]
LongText = Annotated[str, mapped_column(Text)]
Moment = Annotated[datetime, mapped_column(UtcDateTime)]
JsonObject = Annotated[dict[str, Any], mapped_column(JsonType)]
JsonObjectOrNone = Annotated[
    dict[str, Any] | None,
    mapped_column(JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")),
]
JsonList = Annotated[list[Any], mapped_column(JsonType)]
