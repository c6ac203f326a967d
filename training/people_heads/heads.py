"""The head that says which signs a person shows, and the scenes that it learns them from."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.append(str(Path(__file__).parents[1]))
from features import SHAPE, cached
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


class Signed:
    """Scenes with their grids and signs; without those that show one garment alone."""

    def __init__(self, folders, cache, eyes):
        self.folders = [Path(folder) for folder in folders]
        layouts = [json.loads((folder / "data.json").read_text()) for folder in self.folders]
        self.layout = layouts[0]
        told = ["seed", "scenes", "workers", "styles", "people", "mix"]
        self.sources = [{name: layout[name] for name in told} for layout in layouts]
        self.grids = [cached(cache, eyes, folder) for folder in folders]
        self.starts = np.cumsum([0] + [len(grid) for grid in self.grids])
        signs = self._read("signs", len(self.layout["signs"]))
        alone = (self._read("types", self.layout["questionsPerScene"]) == self.layout["questionTypes"].index("binding")).all(1)
        self.rows = np.flatnonzero(~alone)
        self.signs = torch.from_numpy(signs).float()

    def _read(self, name, size):
        paths = [path for folder in self.folders for path in sorted(folder.glob(f"{name}-*"))]
        return np.concatenate([np.fromfile(path, np.uint8).reshape(-1, size) for path in paths])

    def features(self, rows):
        folder = np.searchsorted(self.starts, rows, "right") - 1
        grids = [self.grids[one][row - self.starts[one]] for one, row in zip(folder, rows)]
        return torch.from_numpy(np.stack(grids)).float()
