"""Note which results a learner has been shown, and which guesses were made after that.

Of guesses made before this it is not known; they go on counting.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sight",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("case", sa.String(length=200), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_sight_learner_id_learner")
        ),
        sa.PrimaryKeyConstraint("learner_id", "case", name=op.f("pk_sight")),
    )
    with op.batch_alter_table("prediction") as batch_op:
        batch_op.add_column(
            sa.Column("after_seeing", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("prediction") as batch_op:
        batch_op.alter_column("after_seeing", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("prediction") as batch_op:
        batch_op.drop_column("after_seeing")
    op.drop_table("sight")
