"""The lab's networks: an image trunk, a dual encoder, and a visual question answerer.

Attention is written out, so that the exported graph holds plain matrix products.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

PAD = 0


def conv(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU()
    )


class Mixer(nn.Module):
    """Depthwise 5 x 5, then two pointwise layers, around a skip connection."""

    def __init__(self, width, expansion=2):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(width, width, 5, 1, 2, groups=width, bias=False),
            nn.BatchNorm2d(width),
            nn.Conv2d(width, expansion * width, 1),
            nn.ReLU(),
            nn.Conv2d(expansion * width, width, 1, bias=False),
            nn.BatchNorm2d(width),
        )

    def forward(self, x):
        return x + self.layers(x)


class Trunk(nn.Module):
    """96 x 96 pixels -> a grid of 12 x 12 features."""

    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.Sequential(
            conv(3, 32, 2),
            conv(32, 64, 2),
            Mixer(64),
            Mixer(64),
            conv(64, width, 2),
            *[Mixer(width) for _ in range(depth)],
        )

    def forward(self, pixels):
        return self.layers(pixels)


def split(x, heads):
    """[n, length, width] -> [n, heads, length, width / heads]"""
    return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)


class Attention(nn.Module):
    """Softmax attention; where `counting`, half of the heads add up instead of averaging, since an
    average can't tell two rocks from three."""

    def __init__(self, width, heads=4, counting=False):
        super().__init__()
        self.heads, self.counting = heads, counting
        self.query, self.out = nn.Linear(width, width), nn.Linear(width, width)
        self.key, self.value = nn.Linear(width, width), nn.Linear(width, width)
        if counting:
            self.threshold = nn.Parameter(torch.full((1, heads // 2, 1, 1), -3.0))

    def forward(self, x, context, mask=None):
        query, key = split(self.query(x), self.heads), split(self.key(context), self.heads)
        value = split(self.value(context), self.heads)
        affinity = query @ key.transpose(2, 3) / math.sqrt(query.shape[-1])
        if mask is not None:
            affinity = affinity + mask
        if self.counting:
            half = self.heads // 2
            averaged = affinity[:, :half].softmax(3)
            added = torch.sigmoid(affinity[:, half:] + self.threshold)
            weights = torch.cat([averaged, added], 1)
        else:
            weights = affinity.softmax(3)
        return self.out((weights @ value).transpose(1, 2).flatten(2))


def feed_forward(width):
    return nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))


class Block(nn.Module):
    """A transformer block over words; where `looks`, words also look at the image."""

    def __init__(self, width, looks):
        super().__init__()
        self.listen, self.listen_norm = Attention(width), nn.LayerNorm(width)
        self.think, self.think_norm = feed_forward(width), nn.LayerNorm(width)
        self.looks = looks
        if looks:
            self.look, self.look_norm = Attention(width, 8, counting=True), nn.LayerNorm(width)

    def forward(self, words, mask, grid=None):
        normed = self.listen_norm(words)
        words = words + self.listen(normed, normed, mask)
        if self.looks:
            words = words + self.look(self.look_norm(words), grid)
        return words + self.think(self.think_norm(words))


class Words(nn.Module):
    """Token ids [n, length] -> vectors, and the mask that hides padding."""

    def __init__(self, vocabulary, width, length):
        super().__init__()
        self.word = nn.Embedding(vocabulary, width)
        self.position = nn.Parameter(torch.randn(1, length, width) * 0.02)
        nn.init.normal_(self.word.weight, std=0.05)

    def forward(self, ids):
        known = (ids != PAD).float()
        mask = ((1 - known) * -1e4)[:, None, None, :]
        return self.word(ids) + self.position[:, : ids.shape[1]], mask, known


class TextEncoder(nn.Module):
    def __init__(self, vocabulary, width, length, layers, embedding):
        super().__init__()
        self.words = Words(vocabulary, width, length)
        self.blocks = nn.ModuleList([Block(width, looks=False) for _ in range(layers)])
        self.norm, self.project = nn.LayerNorm(width), nn.Linear(width, embedding, bias=False)

    def forward(self, ids):
        words, mask, known = self.words(ids)
        for block in self.blocks:
            words = block(words, mask)
        pooled = (self.norm(words) * known[:, :, None]).sum(1) / known.sum(1, keepdim=True)
        return self.project(pooled)


class ImageEncoder(nn.Module):
    def __init__(self, width, depth, embedding):
        super().__init__()
        self.trunk = Trunk(width, depth)
        # Mean and maximum of the grid, which forget where things were but for what the trunk kept.
        self.project = nn.Linear(2 * width, embedding, bias=False)

    def forward(self, pixels):
        grid = self.trunk(pixels).flatten(2)
        return self.project(torch.cat([grid.mean(2), grid.amax(2)], 1))


class DualEncoder(nn.Module):
    """CLIP's arrangement (Radford et al. 2021): two encoders, one space, cosine similarity."""

    def __init__(self, vocabulary, settings):
        super().__init__()
        self.image = ImageEncoder(settings["width"], settings["depth"], settings["embedding"])
        self.text = TextEncoder(
            vocabulary,
            settings["textWidth"],
            settings["captionTokens"],
            settings["textLayers"],
            settings["embedding"],
        )
        self.scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))

    def forward(self, pixels, ids):
        image = F.normalize(self.image(pixels).float(), dim=1)
        text = F.normalize(self.text(ids).float(), dim=1)
        return image @ text.T * self.scale.exp().clamp(max=100)


class Vision(nn.Module):
    """The half of the question answerer that needs the image alone."""

    def __init__(self, width, depth):
        super().__init__()
        self.trunk = Trunk(width, depth)

    def forward(self, pixels):
        return self.trunk(pixels)


class Answerer(nn.Module):
    """The half that reads questions: features [1 or n, width, 12, 12], ids [n, length] -> logits."""

    def __init__(self, vocabulary, width, length, layers, cells):
        super().__init__()
        self.words = Words(vocabulary, width, length)
        self.place = nn.Parameter(torch.randn(1, cells * cells, width) * 0.02)
        self.grid_norm = nn.LayerNorm(width)
        self.blocks = nn.ModuleList([Block(width, looks=True) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.answer = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, features, ids):
        grid = self.grid_norm(features.flatten(2).transpose(1, 2)) + self.place
        words, mask, known = self.words(ids)
        for block in self.blocks:
            words = block(words, mask, grid)
        pooled = (self.norm(words) * known[:, :, None]).sum(1) / known.sum(1, keepdim=True)
        return self.answer(pooled)[:, 0]


class QuestionAnswerer(nn.Module):
    def __init__(self, vocabulary, kinds, colours, settings):
        super().__init__()
        width = settings["width"]
        self.vision = Vision(width, settings["depth"])
        self.answerer = Answerer(
            vocabulary, width, settings["questionTokens"], settings["layers"], settings["cells"]
        )
        # Only in training: what each cell holds, which exact masks tell for free.
        self.kind, self.colour = nn.Conv2d(width, kinds + 1, 1), nn.Conv2d(width, colours + 1, 1)
        self.centre = nn.Conv2d(width, kinds + 1, 1)

    def forward(self, pixels, ids):
        """ids [n, asked, length] -> logits [n, asked], and the cells' three readings."""
        features = self.vision(pixels)
        asked = ids.shape[1]
        logits = self.answerer(features.repeat_interleave(asked, 0), ids.flatten(0, 1))
        return logits.view(-1, asked), self.kind(features), self.colour(features), self.centre(features)
