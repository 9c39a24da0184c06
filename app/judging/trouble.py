"""What can go wrong with a judge."""


class JudgeTrouble(Exception):
    """The judge has no say; the message goes on after 'the judge at HOST'."""


class NotTaken(JudgeTrouble):
    """The server refused the form of the request; a plainer one may do."""
