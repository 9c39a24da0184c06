"""Create the first tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "card",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=200), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("topic", sa.String(length=200), nullable=False),
        sa.Column("content_hash", sa.String(length=200), nullable=False),
        sa.Column("body", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card")),
        sa.UniqueConstraint("slug", name=op.f("uq_card_slug")),
    )
    op.create_table(
        "learner",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_learner")),
        sa.UniqueConstraint("key", name=op.f("uq_learner_key")),
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.String(length=200), nullable=False),
        sa.Column("device", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("card_id", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(length=200), nullable=False),
        sa.Column("tier", sa.String(length=200), nullable=False),
        sa.Column("target_seconds", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("draft", sa.Text(), nullable=False),
        sa.Column("draft_saved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("clock_stopped_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("handed_in_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("abandoned_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("claimed", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column("sureness", sa.String(length=200), nullable=True),
        sa.Column("reviewed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("checked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("check_trouble", sa.Text(), nullable=True),
        sa.Column("checked_by", sa.String(length=200), nullable=True),
        sa.Column("check_note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["card_id"], ["card.id"], name=op.f("fk_attempt_card_id_card")),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_attempt_learner_id_learner")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
    )
    with op.batch_alter_table("attempt") as batch_op:
        batch_op.create_index(
            "ix_attempt_learner_id_card_id_started_at",
            ["learner_id", "card_id", "started_at"],
            unique=False,
        )
        batch_op.create_index(
            "uq_attempt_open",
            ["learner_id", "card_id"],
            unique=True,
            sqlite_where=sa.text("handed_in_at IS NULL AND abandoned_at IS NULL"),
            postgresql_where=sa.text("handed_in_at IS NULL AND abandoned_at IS NULL"),
        )

    op.create_table(
        "run",
        sa.Column("id", sa.String(length=200), nullable=False),
        sa.Column("experiment", sa.String(length=200), nullable=False),
        sa.Column("parameters", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column(
            "source",
            sa.Enum("live", "recorded", name="runsource", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column(
            "state",
            sa.Enum(
                "waiting",
                "running",
                "done",
                "failed",
                "interrupted",
                "cancelled",
                name="runstate",
                native_enum=False,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("requested_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=True),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("worker", sa.String(length=200), nullable=True),
        sa.Column("trouble_kind", sa.String(length=200), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_run_learner_id_learner")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    with op.batch_alter_table("run") as batch_op:
        batch_op.create_index("ix_run_state_requested_at", ["state", "requested_at"], unique=False)

    op.create_table(
        "finding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column(
            "kind",
            sa.Enum("key_point", "pitfall", name="kind", native_enum=False, length=20),
            nullable=False,
        ),
        sa.Column("ref", sa.String(length=200), nullable=False),
        sa.Column(
            "state",
            sa.Enum(
                "covered",
                "flagged",
                "possible",
                "rejected",
                "not_found",
                name="state",
                native_enum=False,
                length=20,
            ),
            nullable=False,
        ),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("signs", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.Column(
            "dispute",
            sa.Enum("said", "opposite", "not_said", name="dispute", native_enum=False, length=20),
            nullable=True,
        ),
        sa.Column("disputed_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_finding_attempt_id_attempt")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finding")),
        sa.UniqueConstraint(
            "attempt_id", "kind", "ref", name=op.f("uq_finding_attempt_id_kind_ref")
        ),
    )
    op.create_table(
        "prediction",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=200), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("quantity", sa.String(length=200), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_prediction_learner_id_learner")
        ),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_prediction_run_id_run")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prediction")),
        sa.UniqueConstraint("run_id", "learner_id", name=op.f("uq_prediction_run_id_learner_id")),
    )
    op.create_table(
        "reveal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("card_id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=True),
        sa.Column("part", sa.String(length=200), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tried", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_reveal_attempt_id_attempt")
        ),
        sa.ForeignKeyConstraint(["card_id"], ["card.id"], name=op.f("fk_reveal_card_id_card")),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_reveal_learner_id_learner")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reveal")),
    )
    with op.batch_alter_table("reveal") as batch_op:
        batch_op.create_index(
            "uq_reveal_in_attempt",
            ["attempt_id", "part"],
            unique=True,
            sqlite_where=sa.text("attempt_id IS NOT NULL"),
            postgresql_where=sa.text("attempt_id IS NOT NULL"),
        )
        batch_op.create_index(
            "uq_reveal_in_study",
            ["learner_id", "card_id", "part"],
            unique=True,
            sqlite_where=sa.text("attempt_id IS NULL"),
            postgresql_where=sa.text("attempt_id IS NULL"),
        )

    op.create_table(
        "run_event",
        sa.Column("run_id", sa.String(length=200), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.JSON().with_variant(JSONB(), "postgresql"), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["run.id"], name=op.f("fk_run_event_run_id_run")),
        sa.PrimaryKeyConstraint("run_id", "seq", name=op.f("pk_run_event")),
    )


def downgrade() -> None:
    op.drop_table("run_event")
    with op.batch_alter_table("reveal") as batch_op:
        batch_op.drop_index(
            "uq_reveal_in_study",
            sqlite_where=sa.text("attempt_id IS NULL"),
            postgresql_where=sa.text("attempt_id IS NULL"),
        )
        batch_op.drop_index(
            "uq_reveal_in_attempt",
            sqlite_where=sa.text("attempt_id IS NOT NULL"),
            postgresql_where=sa.text("attempt_id IS NOT NULL"),
        )

    op.drop_table("reveal")
    op.drop_table("prediction")
    op.drop_table("finding")
    with op.batch_alter_table("run") as batch_op:
        batch_op.drop_index("ix_run_state_requested_at")

    op.drop_table("run")
    with op.batch_alter_table("attempt") as batch_op:
        batch_op.drop_index(
            "uq_attempt_open",
            sqlite_where=sa.text("handed_in_at IS NULL AND abandoned_at IS NULL"),
            postgresql_where=sa.text("handed_in_at IS NULL AND abandoned_at IS NULL"),
        )
        batch_op.drop_index("ix_attempt_learner_id_card_id_started_at")

    op.drop_table("attempt")
    op.drop_table("worker")
    op.drop_table("learner")
    op.drop_table("card")
