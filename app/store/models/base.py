"""What every table shares: the naming of constraints, and columns that hold a word."""

from enum import StrEnum

from sqlalchemy import Enum, MetaData
from sqlalchemy.orm import DeclarativeBase, MappedAsDataclass

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def word(kind: type[StrEnum]) -> Enum:
    """A column that holds one of an enumeration's words, as text, with no CHECK to migrate."""
    return Enum(
        kind,
        native_enum=False,
        create_constraint=False,
        length=20,
        values_callable=_values,
    )


def _values(members: type[StrEnum]) -> list[str]:
    return [member.value for member in members]


class Base(MappedAsDataclass, DeclarativeBase):
    """What every table shares."""

    metadata = MetaData(naming_convention=NAMES)
