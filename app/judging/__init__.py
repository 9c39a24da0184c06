"""A stronger judge, where one is set: any server that speaks the chat-completions protocol.

It is asked about one claim at a time, and its view is the second sign beside
the check made here. It can be late, broken or talked into things by the
answer, so nothing rests on it alone: see `reply`, `controls` and `agreement`.
"""
