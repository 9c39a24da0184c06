"""Find a learner's runs and guesses by an index, newest first, and not by reading all there are."""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_run_learner_id_requested_at", "run", ["learner_id", "requested_at"])
    op.create_index("ix_prediction_learner_id_made_at", "prediction", ["learner_id", "made_at"])


def downgrade() -> None:
    op.drop_index("ix_prediction_learner_id_made_at", "prediction")
    op.drop_index("ix_run_learner_id_requested_at", "run")
