"""The lab's networks: an image trunk, a dual encoder, a question answerer, a localiser, a rater, a judge.

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

    def scales(self, pixels):
        """The grid, and the finer ones of 24 x 24 and 48 x 48 on the way to it."""
        edges = self.layers[0](pixels)
        parts = self.layers[1:4](edges)
        return self.layers[4:](parts), parts, edges


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

    def remember(self, context):
        """Keys and values of what is looked at, [n, heads, length, width / heads] each."""
        return split(self.key(context), self.heads), split(self.value(context), self.heads)

    def forward(self, x, memory, mask=None):
        query, (key, value) = split(self.query(x), self.heads), memory
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

    def forward(self, words, mask, seen=None):
        """seen: what `look` remembers of the image, of one for all texts or of each text's own."""
        normed = self.listen_norm(words)
        words = words + self.listen(normed, self.listen.remember(normed), mask)
        if self.looks:
            words = words + self.look(self.look_norm(words), seen)
        return words + self.think(self.think_norm(words))


class Words(nn.Module):
    """Token ids [n, length] -> vectors, and the mask that hides padding."""

    def __init__(self, vocabulary, width, length, ordered=True):
        super().__init__()
        self.word = nn.Embedding(vocabulary, width)
        self.ordered = ordered
        if ordered:
            self.position = nn.Parameter(torch.randn(1, length, width) * 0.02)
        nn.init.normal_(self.word.weight, std=0.05)

    def forward(self, ids):
        known = (ids != PAD).float()
        mask = ((1 - known) * -1e4)[:, None, None, :]
        words = self.word(ids)
        return words + self.position[:, : ids.shape[1]] if self.ordered else words, mask, known


def mean_word(words, known):
    """Of vectors [n, length, width] the mean over what is no padding."""
    return (words * known[:, :, None]).sum(1) / known.sum(1, keepdim=True)


class TextEncoder(nn.Module):
    """Without layers, a bag of words: their order is not to be told."""

    def __init__(self, vocabulary, width, length, layers, embedding):
        super().__init__()
        self.words = Words(vocabulary, width, length, ordered=layers > 0)
        self.blocks = nn.ModuleList([Block(width, looks=False) for _ in range(layers)])
        self.norm, self.project = nn.LayerNorm(width), nn.Linear(width, embedding, bias=False)

    def forward(self, ids):
        words, mask, known = self.words(ids)
        for block in self.blocks:
            words = block(words, mask)
        return self.project(mean_word(self.norm(words), known))


def summed_up(grid):
    """Mean and maximum of a grid, and the means of its quarters [n, 6 * width]: what is there, and
    roughly where, and no longer what belongs together."""
    quarters = F.avg_pool2d(grid, grid.shape[2] // 2).flatten(1)
    return torch.cat([grid.mean((2, 3)), grid.amax((2, 3)), quarters], 1)


class ImageEncoder(nn.Module):
    """Sums a trunk's grid up, and makes of that a point in the space of texts."""

    def __init__(self, width, depth, embedding):
        super().__init__()
        self.trunk = Trunk(width, depth)
        self.project = nn.Sequential(
            nn.Linear(6 * width, 2 * width), nn.ReLU(), nn.Linear(2 * width, embedding, bias=False)
        )

    def sum_up(self, pixels):
        return summed_up(self.trunk(pixels))

    def forward(self, pixels):
        return self.project(self.sum_up(pixels))


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

    def compare(self, sums, ids):
        """Of images that are summed up [n, ...] and texts' ids [m, length], logits [n, m]."""
        image = F.normalize(self.image.project(sums).float(), dim=1)
        text = F.normalize(self.text(ids).float(), dim=1)
        return image @ text.T * self.scale.exp().clamp(max=100)

    def forward(self, pixels, ids):
        return self.compare(self.image.sum_up(pixels), ids)


class Vision(nn.Module):
    """The half of a network that needs the image alone."""

    def __init__(self, width, depth):
        super().__init__()
        self.trunk = Trunk(width, depth)

    def forward(self, pixels):
        return self.trunk(pixels)


class Seer(nn.Module):
    """A trunk that is taught what each cell holds, which exact masks tell for free. Those who read
    the cells are needed only in training."""

    def __init__(self, layout, settings, vision=Vision):
        super().__init__()
        width = settings["width"]
        self.vision = vision(width, settings["depth"])
        kinds, colours, patterns = (len(layout[name]) for name in ["kinds", "colours", "patterns"])
        sizes = {"kind": kinds, "colour": colours, "centre": kinds, "pattern": patterns}
        self.readers = nn.ModuleDict(
            {layer: nn.Conv2d(width, size + 1, 1) for layer, size in sizes.items()}
        )

    def read(self, grid):
        """By layer of the dense labels, logits [n, values, cells, cells]."""
        return {layer: reader(grid) for layer, reader in self.readers.items()}

    def forward(self, pixels):
        return self.read(self.vision(pixels))


class Reader(nn.Module):
    """Reads texts, looking at the grid of an image: features [1, width, cells, cells] of one image for
    all of them, ids [n, length] -> vectors [n, width]."""

    def __init__(self, vocabulary, width, length, layers, cells):
        super().__init__()
        self.words = Words(vocabulary, width, length)
        self.place = nn.Parameter(torch.randn(1, cells * cells, width) * 0.02)
        self.grid_norm = nn.LayerNorm(width)
        self.blocks = nn.ModuleList([Block(width, looks=True) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)

    def see(self, features):
        """What each block remembers of the images: done once, however many texts there are."""
        grid = self.grid_norm(features.flatten(2).transpose(1, 2)) + self.place
        return [block.look.remember(grid) for block in self.blocks]

    def understand(self, memories, ids):
        words, mask, known = self.words(ids)
        for block, memory in zip(self.blocks, memories):
            words = block(words, mask, memory)
        return mean_word(self.norm(words), known)

    def understand_each(self, features, ids, groups=4):
        """Of images [n, ...] and ids [n, asked, length], vectors [n * asked, width]. Texts of about
        one length are read together, since of a short one among long ones most is padding."""
        memories, asked = self.see(features), ids.shape[1]
        ids = ids.flatten(0, 1)
        lengths = (ids != PAD).sum(1)
        order = lengths.argsort()
        read = [
            self.understand(
                [(key[group // asked], value[group // asked]) for key, value in memories],
                ids[group, : int(lengths[group].max())],
            )
            for group in order.chunk(groups)
        ]
        return torch.cat(read)[order.argsort()]


class Answerer(Reader):
    """The half that reads questions: features, ids -> logits [n]."""

    def __init__(self, vocabulary, width, length, layers, cells):
        super().__init__(vocabulary, width, length, layers, cells)
        self.answer = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, features, ids):
        return self.answer(self.understand(self.see(features), ids))[:, 0]


class QuestionAnswerer(Seer):
    def __init__(self, layout, settings):
        super().__init__(layout, settings)
        self.answerer = Answerer(
            len(layout["words"]), settings["width"], settings["questionTokens"],
            settings["layers"], settings["cells"],
        )

    def forward(self, pixels, ids):
        """ids [n, asked, length] -> logits [n, asked], and what the readers say of the cells."""
        features = self.vision(pixels)
        logits = self.answerer.answer(self.answerer.understand_each(features, ids))
        return logits.view(ids.shape[:2]), self.read(features)


def doubled(inputs, outputs):
    """Twice as many places each way, from each place four."""
    return nn.Sequential(nn.Conv2d(inputs, 4 * outputs, 1), nn.PixelShuffle(2))


class FineVision(Vision):
    """Beside the grid, vectors of `pixel` numbers for 48 x 48 places of the image."""

    pixel = 32

    def __init__(self, width, depth):
        super().__init__(width, depth)
        pixel = self.pixel
        self.from_grid, self.from_parts = doubled(width, 64), nn.Conv2d(64, 64, 1)
        self.mix, self.rise = Mixer(64, 1), doubled(64, pixel)
        self.from_edges = nn.Conv2d(32, pixel, 1)
        self.last = nn.Sequential(
            nn.ReLU(), nn.Conv2d(pixel, pixel, 3, 1, 1, groups=pixel), nn.Conv2d(pixel, pixel, 1)
        )

    def forward(self, pixels):
        grid, parts, edges = self.trunk.scales(pixels)
        middle = self.mix(self.from_grid(grid) + self.from_parts(parts))
        return grid, self.last(self.rise(middle) + self.from_edges(edges))


class Finder(Reader):
    """The half that reads the name of an entity, looks where it may be, and compares what it then
    seeks with every place: features, places [1, 32, 48, 48], ids [n, length] -> the places' logits
    [n, 48, 48], and that there is any such entity [n]."""

    def __init__(self, vocabulary, width, length, layers, cells):
        super().__init__(vocabulary, width, length, layers, cells)
        self.sought, self.found = nn.Linear(width, FineVision.pixel + 1), nn.Linear(width, 1)

    def find(self, said, places):
        """said [images, n, width], places [images, 32, 48, 48] -> [images, n, 48, 48], [images, n]"""
        sought = self.sought(said)
        logits = sought[:, :, :-1] @ places.flatten(2) / math.sqrt(FineVision.pixel) + sought[:, :, -1:]
        return logits.reshape(*said.shape[:2], *places.shape[2:]), self.found(said)[:, :, 0]

    def forward(self, features, places, ids):
        logits, found = self.find(self.understand(self.see(features), ids)[None], places)
        return logits[0], found[0]


class Localizer(Seer):
    def __init__(self, layout, settings):
        super().__init__(layout, settings, FineVision)
        self.finder = Finder(
            len(layout["words"]), settings["width"], settings["entityTokens"],
            settings["layers"], settings["cells"],
        )

    def forward(self, pixels, ids):
        """ids [n, asked, length] -> logits [n, asked, 48, 48] and [n, asked], and the readers'."""
        features, places = self.vision(pixels)
        said = self.finder.understand_each(features, ids, groups=1)
        return *self.finder.find(said.unflatten(0, ids.shape[:2]), places), self.read(features)


class RatingReader(Reader):
    """Reads a text and, beside it, the words of an instruction in any order: features, ids [n, length]
    and instruction ids [n, words] -> logits of the ratings [n, 4]."""

    told = 32

    def __init__(self, vocabulary, width, length, layers, cells):
        super().__init__(vocabulary, width, length, layers, cells)
        # As many numbers of words as instruction-words.ts tells apart, and 0 for none.
        self.instruction = nn.Embedding(512, self.told, padding_idx=PAD)
        self.answer = nn.Sequential(nn.Linear(width + self.told, width), nn.ReLU(), nn.Linear(width, 4))

    def rate(self, said, instructions):
        told = mean_word(self.instruction(instructions), (instructions != PAD).float())
        return self.answer(torch.cat([said, told], 1))

    def forward(self, features, ids, instructions):
        return self.rate(self.understand(self.see(features), ids), instructions)


class Rater(Seer):
    def __init__(self, layout, settings):
        super().__init__(layout, settings)
        self.reader = RatingReader(
            len(layout["words"]), settings["width"], settings["captionTokens"],
            settings["layers"], settings["cells"],
        )

    def forward(self, pixels, ids, instructions):
        """ids and instructions [n, asked, length] -> logits [n, asked, 4], and the readers'."""
        features = self.vision(pixels)
        said = self.reader.understand_each(features, ids)
        logits = self.reader.rate(said, instructions.flatten(0, 1))
        return logits.unflatten(0, ids.shape[:2]), self.read(features)


class Comparer(nn.Module):
    """Says which of two pictures an instruction makes the better one. What a picture has for and
    against it are its merits; instruction and pictures say what each merit weighs, the instruction
    alone what the first place does. So two equal pictures differ by their places alone, and pictures
    that change places change sides."""

    told, merits = 64, 16

    def __init__(self, width):
        super().__init__()
        # Numbered as for the rating reader.
        self.instruction = nn.Embedding(512, self.told, padding_idx=PAD)
        self.merit = nn.Sequential(nn.Linear(width, 128), nn.ReLU(), nn.Linear(128, self.merits))
        self.weigh = nn.Sequential(
            nn.Linear(width + self.told, 128), nn.ReLU(), nn.Linear(128, self.merits)
        )
        self.first = nn.Sequential(nn.Linear(self.told, 32), nn.ReLU(), nn.Linear(32, 1))
        self.tie = nn.Sequential(nn.Linear(self.told + 1, 32), nn.ReLU(), nn.Linear(32, 1))

    def compare(self, first, second, instructions):
        """Of what was seen of each picture [n, width] and instruction ids [n, words]: the merits
        [n, 16] of both, how much sooner the first is better [n], and the logit of a tie [n]."""
        told = mean_word(self.instruction(instructions), (instructions != PAD).float())
        merits = self.merit(first), self.merit(second)
        weights = self.weigh(torch.cat([(first + second) / 2, told], 1))
        lead = (weights * (merits[0] - merits[1])).sum(1)
        apart = lead.detach().abs()[:, None]
        tie = self.tie(torch.cat([told, apart], 1))[:, 0]
        return merits, lead + self.first(told)[:, 0], tie

    def forward(self, first, second, instructions):
        """-> logits [n, 3] of the first, the second and a tie."""
        _, lead, tie = self.compare(first, second, instructions)
        return torch.stack([lead / 2, -lead / 2, tie], 1)


class Judge(Rater):
    """A rater that also compares two pictures, by what its reader says of each and a glance at it."""

    glance = 48

    def __init__(self, layout, settings):
        super().__init__(layout, settings)
        self.look = nn.Sequential(
            nn.Conv2d(settings["width"], 24, 1), nn.ReLU(), nn.AvgPool2d(settings["cells"] // 3),
            nn.Flatten(), nn.Linear(24 * 9, self.glance), nn.ReLU(),
        )
        self.comparer = Comparer(settings["width"] + self.glance)

    def forward(self, pixels, ids, instructions):
        """As the rater's, and what was seen [n, asked, width] for the comparer."""
        features = self.vision(pixels)
        said = self.reader.understand_each(features, ids)
        logits = self.reader.rate(said, instructions.flatten(0, 1)).unflatten(0, ids.shape[:2])
        looks = self.look(features)[:, None].expand(-1, ids.shape[1], -1)
        return logits, self.read(features), torch.cat([said.unflatten(0, ids.shape[:2]), looks], 2)


class Witness(nn.Module):
    """The part of a judge that looks at one picture with a text: features, ids -> what was seen."""

    def __init__(self, judge):
        super().__init__()
        self.reader, self.look = judge.reader, judge.look

    def forward(self, features, ids):
        said = self.reader.understand(self.reader.see(features), ids)
        return torch.cat([said, self.look(features).expand(ids.shape[0], -1)], 1)
