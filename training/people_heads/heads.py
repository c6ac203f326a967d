"""The head that says which signs a person shows."""

import sys
from pathlib import Path

from torch import nn

sys.path.append(str(Path(__file__).parents[1]))
from features import SHAPE
from networks import Mixer


class SignHead(nn.Module):
    """A grid [n, 64, 24, 24] -> logits [n, signs]. Every 2 x 2 cells say which signs they hold; a sign is
    as sure as the cells that are surest of it (the log of a sum of exponentials)."""

    def __init__(self, hidden, signs):
        super().__init__()
        self.cells = nn.Sequential(
            nn.Conv2d(SHAPE[0], hidden, 3, 2, 1), nn.ReLU(),
            Mixer(hidden, 1), nn.ReLU(), nn.Conv2d(hidden, signs, 1),
        )
        nn.init.constant_(self.cells[-1].bias, -6)

    def forward(self, grid):
        return self.cells(grid).flatten(2).logsumexp(2)
