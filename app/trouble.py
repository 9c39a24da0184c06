"""What can go wrong at the command line, in a sentence that says what to do."""

import errno


class Trouble(Exception):
    """A known kind of failure; its text is a whole sentence for a person."""


def in_one_sentence(trouble: Exception) -> str:
    """The trouble as one sentence: of the system's own errors the file and what it says of it."""
    if not isinstance(trouble, OSError):
        return str(trouble)
    if trouble.errno in (errno.ENOSPC, errno.EDQUOT):
        where = f" while writing {trouble.filename}" if trouble.filename else ""
        return f"the disk is full{where}: free some space and start again."
    where = f"{trouble.filename}: " if trouble.filename else ""
    return f"{where}{trouble.strerror or trouble}."
