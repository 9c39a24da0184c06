"""Find a learner's runs of one experiment by an index, in the order in which they ended."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NAME = "ix_run_learner_id_experiment_finished_at"


def upgrade() -> None:
    op.create_index(NAME, "run", ["learner_id", "experiment", "finished_at"])


def downgrade() -> None:
    op.drop_index(NAME, "run")
