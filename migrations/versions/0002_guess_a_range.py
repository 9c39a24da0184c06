"""Keep a guess as a range, a choice or matches, where it was one number."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_ROWS = sa.table(
    "prediction",
    sa.column("quantity", sa.String()),
    sa.column("value", sa.Double()),
    sa.column("low", sa.Double()),
    sa.column("high", sa.Double()),
)


def upgrade() -> None:
    matches = sa.JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
    with op.batch_alter_table("prediction") as batch_op:
        batch_op.add_column(sa.Column("low", sa.Double(), nullable=True))
        batch_op.add_column(sa.Column("high", sa.Double(), nullable=True))
        batch_op.add_column(sa.Column("choice", sa.String(length=200), nullable=True))
        batch_op.add_column(sa.Column("matches", matches, nullable=True))
    op.execute(_ROWS.update().values(low=_ROWS.c.value, high=_ROWS.c.value))
    op.execute(_ROWS.update().where(_ROWS.c.quantity == "speedup").values(quantity="factor"))
    with op.batch_alter_table("prediction") as batch_op:
        batch_op.drop_column("value")


def downgrade() -> None:
    """One number is left of a range, its middle; a choice and matches have none and go."""
    with op.batch_alter_table("prediction") as batch_op:
        batch_op.add_column(sa.Column("value", sa.Double(), nullable=True))
    op.execute(_ROWS.delete().where(_ROWS.c.low.is_(None)))
    op.execute(_ROWS.update().values(value=(_ROWS.c.low + _ROWS.c.high) / 2))
    op.execute(_ROWS.update().where(_ROWS.c.quantity == "factor").values(quantity="speedup"))
    with op.batch_alter_table("prediction") as batch_op:
        batch_op.alter_column("value", existing_type=sa.Double(), nullable=False)
        for name in ("matches", "choice", "high", "low"):
            batch_op.drop_column(name)
