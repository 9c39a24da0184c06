"""What trained weights read in answers, token by token, as the checker's network would."""

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from app.domain.checking.wordpiece import END, START
from tests.checking.training.lines import Line
from tests.checking.training.model import Judge
from tests.checking.training.packed import Cutter, padded, statement_ids, text_of
from tests.checking.training.stacked import State, judge_of

_WINDOW, _STRIDE = 220, 150  # as app.domain.checking.network reads


@torch.no_grad()
def read(state: State, lines: list[Line], claims_file: Path, vocab: Path) -> dict[str, np.ndarray]:
    """Token scores [pieces, claims] of the answers, by their texts' hashes."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    judge, cutter = judge_of(state).to(device), Cutter(vocab)
    sentences: dict[str, list[str]] = json.loads(claims_file.read_text())
    claims = torch.stack([_claim(judge, texts, cutter, device) for texts in sentences.values()])
    texts = [text_of(line.segments) for line in lines]
    pieces = [cutter.ids(text) for text in texts]
    found = [np.full((len(p), len(claims)), -30, dtype=np.float32) for p in pieces]
    rows = [(i, at) for i, p in enumerate(pieces) for at in _windows(len(p))]
    rows.sort(key=lambda row: len(pieces[row[0]]))
    for start in range(0, len(rows), 64):
        chosen = rows[start : start + 64]
        ids = padded([[START, *pieces[i][at : at + _WINDOW], END] for i, at in chosen])
        tokens, _ = judge(
            torch.from_numpy(ids).to(device), torch.from_numpy(ids > 0).to(device).float()
        )
        logits = judge.scores(tokens, claims).float().cpu().numpy()
        for row, (i, at) in enumerate(chosen):
            part = found[i][at : at + _WINDOW]
            np.maximum(part, logits[row, 1 : 1 + len(part)], out=part)
    keys = [sha256(text.encode()).hexdigest()[:16] for text in texts]
    return {key: f.astype(np.float16) for key, f in zip(keys, found, strict=True)}


def _windows(length: int) -> list[int]:
    return [0, *range(_STRIDE, length - (_WINDOW - _STRIDE), _STRIDE)]


def _claim(judge: Judge, texts: list[str], cutter: Cutter, device: torch.device) -> Tensor:
    each = [torch.from_numpy(statement_ids([t], cutter)).to(device) for t in texts]
    return torch.stack([judge(ids, torch.ones_like(ids).float())[1][0] for ids in each]).mean(0)
