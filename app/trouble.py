"""What can go wrong at the command line, in a sentence that says what to do."""

import errno


class Trouble(Exception):
    """A known kind of failure; its text is a whole sentence for a person."""


def in_one_sentence(trouble: Exception) -> str:
    """The trouble as one sentence; a full disk says what to do."""
    if isinstance(trouble, OSError) and trouble.errno in (errno.ENOSPC, errno.EDQUOT):
        where = f" while writing {trouble.filename}" if trouble.filename else ""
        return f"the disk is full{where}: free some space and start again."
    return str(trouble)
