"""The arrays that make-data.mjs wrote, mapped from disk and held on the device."""

import json
from pathlib import Path

import numpy as np
import torch


class Scenes:
    """Scenes of one folder; every member's first axis is the scene."""

    def __init__(self, folder, device):
        self.folder = Path(folder)
        self.layout = layout = json.loads((self.folder / "data.json").read_text())
        side, cells = layout["side"], layout["cells"]
        per_habit, asked = layout["captionsPerHabit"], layout["questionsPerScene"]
        habits = len(layout["habits"])
        self.device = device
        self.pixels = self._read("pixels", (side, side, 3))
        self.cells = self._read("cells", (cells, cells, len(layout["cellLayers"])))
        self.captions = self._read("captions", (habits, per_habit, layout["captionTokens"]), np.int16)
        self.questions = self._read("questions", (asked, layout["questionTokens"]), np.int16)
        self.answers = self._read("answers", (asked,))
        self.types = self._read("types", (asked,))

    def _read(self, name, shape, kind=np.uint8):
        # Token ids are far below 2 ** 15; PyTorch has no unsigned type of 16 bits to compute with.
        ending = "u8" if kind is np.uint8 else "u16"
        parts = [np.fromfile(path, kind) for path in sorted(self.folder.glob(f"{name}-*.{ending}"))]
        array = np.concatenate([part.reshape(-1, *shape) for part in parts])
        return torch.from_numpy(array).to(self.device)

    def __len__(self):
        return len(self.pixels)

    def images(self, rows, noise=None):
        """Rows as [n, 3, side, side] in [-1, 1]; with slight noise and brightness in training."""
        images = self.pixels[rows].permute(0, 3, 1, 2).float() / 127.5 - 1
        if noise is not None:
            images = images + noise * torch.randn_like(images)
            images = images + 2 * noise * torch.randn(len(images), 1, 1, 1, device=images.device)
        return images
