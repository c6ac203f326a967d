"""The arrays that make-data.mjs wrote, read from disk and held on the device."""

import json
import re
from functools import cached_property
from pathlib import Path

import numpy as np
import torch

LEAST_PIXELS = 10


class Scenes:
    """Scenes of some folders of one layout; every member's first axis is the scene."""

    def __init__(self, folders, device):
        self.folders = [Path(folder) for folder in folders]
        layouts = [json.loads((folder / "data.json").read_text()) for folder in self.folders]
        if any(layout["words"] != layouts[0]["words"] for layout in layouts):
            raise SystemExit(f"{folders}: made with different words")
        self.layout, self.device = layouts[0], device
        # Folders of an earlier program don't say the share of people.
        told = ["seed", "scenes", "workers", "styles", "people"]
        self.sources = [{name: layout[name] for name in told if name in layout} for layout in layouts]
        side, cells = self.layout["side"], self.layout["cells"]
        asked, habits = self.layout["questionsPerScene"], len(self.layout["habits"])
        said = self.layout["captionsPerHabit"]
        self.pixels = self._read("pixels", (side, side, 3))
        self.cells = self._read("cells", (cells, cells, len(self.layout["cellLayers"])))
        self.captions = self._read("captions", (habits, said, self.layout["captionTokens"]), np.int16)
        self.questions = self._read("questions", (asked, self.layout["questionTokens"]), np.int16)
        self.answers = self._read("answers", (asked,))
        self.types = self._read("types", (asked,))
        self.styles = self._read("styles", ())
        # What a frozen trunk makes of the pictures, where it is worked out beforehand.
        self.sums = None

    def _read(self, name, shape, kind=np.uint8):
        # Token ids are far below 2 ** 15; PyTorch has no unsigned type of 16 bits to compute with.
        ending = "u8" if kind is np.uint8 else "u16"
        paths = [path for folder in self.folders for path in sorted(folder.glob(f"{name}-*.{ending}"))]
        if not paths:
            raise SystemExit(f"{self.folders}: no {name}; make-data.mjs writes them with --masks")
        array = np.concatenate([np.fromfile(path, kind).reshape(-1, *shape) for path in paths])
        return torch.from_numpy(array).to(self.device)

    def __len__(self):
        return len(self.pixels)

    @cached_property
    def prompts(self):
        shape = (self.layout["promptsPerScene"], self.layout["captionTokens"])
        return self._read("prompts", shape, np.int16)

    @cached_property
    def faults(self):
        return self._read("faults", (self.layout["promptsPerScene"],))

    @cached_property
    def owners(self):
        side = self.layout["side"]
        return self._read("owners", (side, side))

    @cached_property
    def objects(self):
        """On the CPU, since they are looked through one by one."""
        shape = (self.layout["mostObjects"], len(self.layout["objectMembers"]))
        return self._read("objects", shape).cpu().numpy()

    def images(self, rows, noise=None):
        """Rows as [n, 3, side, side] in [-1, 1]; with slight noise and brightness in training."""
        images = self.pixels[rows].permute(0, 3, 1, 2).float() / 127.5 - 1
        if noise is not None:
            images = images + noise * torch.randn_like(images)
            images = images + 2 * noise * torch.randn(len(images), 1, 1, 1, device=images.device)
        return images


class Entities:
    """Asks where something is: names of what is in a scene or is not, with exact masks."""

    def __init__(self, scenes, length):
        layout = scenes.layout
        self.scenes, self.length = scenes, length
        self.ids = {word: index for index, word in enumerate(layout["words"])}
        self.colours, self.patterns = layout["colours"], layout["patterns"]
        self.values = {
            1: [self.colours.index(colour) + 1 for colour in layout["garmentColours"]],
            2: list(range(1, len(self.patterns) + 1)),
        }
        numbers = {kind: index + 1 for index, kind in enumerate(layout["kinds"])}
        self.entities = [
            (entity["name"], np.isin(np.arange(256), [numbers[kind] for kind in entity["kinds"]]))
            for entity in layout["entities"]
        ]
        self.sorts = np.array([entity["sort"] for entity in layout["entities"]])
        self.body, self.garment = numbers["body"], layout["roles"].index("garment") + 1

    def tokens(self, text):
        ids = [self.ids[word] for word in re.findall(r"[a-z-]+|[^\sa-z-]", text.lower())]
        return ids[: self.length] + [0] * (self.length - len(ids))

    def ask(self, row, random, present, bare=False):
        """A name and the mask of what it names, [side, side]; None where nothing can be asked.

        What is named without its attributes is all of its kind. Of an absent one the mask is empty:
        another kind, or one that is there with a colour or a pattern that none of it has."""
        objects = self.scenes.objects[row]
        owners = self.scenes.owners[row].cpu().numpy()
        pixels = np.bincount(owners.ravel(), minlength=256)[1 : len(objects) + 1]
        seen = pixels > 0
        worn = seen & (objects[:, 3] > 0) & (objects[seen, 0] == self.body).any()
        here = [
            worn if name == "person" else seen & kinds[objects[:, 0]] for name, kinds in self.entities
        ]
        large = [index for index, which in enumerate(here) if pixels[which].sum() >= LEAST_PIXELS]
        none = [index for index, which in enumerate(here) if not which.any()]
        if large and (bare or random.random() < 0.7):
            # Mostly of the sort of something that is there: a coat for a shirt, not for a dog.
            alike = self.sorts[none] == self.sorts[large[random.integers(len(large))]]
            none = list(np.array(none)[alike]) or none
        chosen = large if present or (not bare and random.random() < 0.3) else none
        if not chosen:
            return None
        index = chosen[random.integers(len(chosen))]
        name, which = self.entities[index][0], here[index]
        clothes = np.flatnonzero(which & (objects[:, 3] == self.garment))
        if chosen is large and not bare and len(clothes) and name != "person" and not (present and random.random() < 0.7):
            said = self.attributes(objects, clothes, random, present)
            if said is None:
                return None
            name, which = f"{said[0]} {name}", said[1] & which
        elif chosen is large and not present:
            return None
        article = "" if bare else ["", "", "a ", "the "][random.integers(4)]
        return self.tokens(article + name), np.isin(owners, np.flatnonzero(which) + 1)

    def attributes(self, objects, clothes, random, present):
        """Words of one garment's colour or pattern or both, and whom they hold of. Where they shall
        hold of none, one of the words is of none of these garments."""
        one = objects[clothes[random.integers(len(clothes))]]
        said = [{1: one[1]}, {2: one[2]}, {2: one[2], 1: one[1]}][random.integers(3)]
        if not present:
            member = list(said)[random.integers(len(said))]
            others = [value for value in self.values[member] if value not in objects[clothes][:, member]]
            said[member] = others[random.integers(len(others))]
        if 0 in said.values():
            return None
        words = [(self.colours if member == 1 else self.patterns)[value - 1] for member, value in said.items()]
        holds = np.all([objects[:, member] == value for member, value in said.items()], axis=0)
        return " ".join(words), holds

    def batch(self, rows, asked, random, absent=0.35, bare=False):
        """ids [n, asked, length] and masks [n, asked, side, side] of 0 and 1."""
        ids, masks = [], []
        for row in rows.tolist():
            for _ in range(asked):
                found = None
                while found is None:
                    found = self.ask(row, random, random.random() >= absent, bare)
                ids.append(found[0])
                masks.append(found[1])
        shape = (len(rows), asked)
        ids = torch.tensor(ids).view(*shape, self.length).to(self.scenes.device)
        return ids, torch.from_numpy(np.stack(masks)).view(*shape, *masks[0].shape).to(self.scenes.device)


class Instructions:
    """What a rater is told, as instructions.yaml has it, and which rating that makes of a fault."""

    def __init__(self, scenes):
        self.scenes, said = scenes, scenes.layout["instructions"]
        names, device = scenes.layout["styleNames"], scenes.device
        longest = max(len(one["ids"]) for one in said)
        self.ids = torch.tensor([one["ids"] + [0] * (longest - len(one["ids"])) for one in said], device=device)
        # Ratings from 0, as classes are counted.
        self.ratings = torch.tensor([one["ratings"] for one in said], device=device) - 1
        of_style = lambda name: torch.tensor([[one["styles"][style][name] for style in names] for one in said], device=device).float()
        self.seen, self.noise = of_style("seen"), of_style("noise")

    def draw(self, rows, faults, noisy=True):
        """For faults [n, asked] of the scenes in rows an instruction each: its words' ids [n, asked,
        words] and the rating [n, asked]; at times one that has nothing to do with the picture."""
        styles = self.scenes.styles[rows].long()
        one = torch.multinomial(self.seen.T[styles], faults.shape[1], replacement=True)
        ratings = self.ratings[one, faults.long()]
        if noisy:
            chance = torch.rand(one.shape, device=one.device)
            other = torch.randint(4, one.shape, device=one.device)
            ratings = torch.where(chance < self.noise[one, styles[:, None]], other, ratings)
        return self.ids[one], ratings


class Pairs:
    """Pairs of pictures, each with a text of its own, what a judge is told about them and says, from
    the file that make-instructions.mjs wrote."""

    def __init__(self, scenes, path):
        self.scenes, told = scenes, json.loads(Path(path).read_text())
        layout, device = scenes.layout, scenes.device
        self.groups, self.looks = told["groups"], list(told["looks"])
        units = torch.tensor([[one["mean"], one["unit"]] for one in told["looks"].values()], device=device)
        self.merits = (self._looks() - units[:, 0]) / units[:, 1]
        self.group = self._groups(told)
        # Row of `care` by the number of a style; -1 where nothing is said of it.
        self.style = torch.tensor(
            [told["seen"].index(name) if name in told["seen"] else -1 for name in layout["styleNames"]],
            device=device,
        )[scenes.styles.long()]
        prompts = told["prompts"]
        longest = max(len(one["idsWithTie"]) for one in prompts)
        padded = lambda member: [one[member] + [0] * (longest - len(one[member])) for one in prompts]
        self.ids = torch.tensor([padded("ids"), padded("idsWithTie")], device=device)
        self.care, self.sway, self.first = (
            torch.tensor([one[member] for one in prompts], device=device).float()
            for member in ["care", "looks", "first"]
        )

    def _looks(self):
        """Of each scene, between 0 and 1: how much is no background, where that lies, and of all
        pixels how bright and how colourful they are."""
        side, looks = self.scenes.layout["side"], []
        across = torch.arange(side, device=self.scenes.device) / side
        for rows in torch.arange(len(self.scenes), device=self.scenes.device).split(1000):
            owned = (self.scenes.owners[rows] > 0).float()
            amount = owned.sum((1, 2)).clamp(min=1)
            pixels = self.scenes.pixels[rows].float() / 255
            bright = (pixels @ torch.tensor([0.299, 0.587, 0.114], device=pixels.device)).mean((1, 2))
            looks.append(torch.stack([
                owned.mean((1, 2)),
                (owned.sum(1) * across).sum(1) / amount,
                (owned.sum(2) * across).sum(1) / amount,
                bright,
                (pixels.amax(3) - pixels.amin(3)).mean((1, 2)),
            ], 1))
        return torch.cat(looks)

    def _groups(self, told):
        """Of each scene the number of its subject's group: people or clothes, animals, things."""
        layout, objects = self.scenes.layout, self.scenes.objects
        worn = [layout["roles"].index(role) + 1 for role in ["body", "garment"]]
        peopled = np.isin(objects[:, :, 3], worn).any(1)
        animals = [number + 1 for number, kind in enumerate(layout["kinds"]) if kind in told["animals"]]
        animal = np.isin(objects[:, :, 0], animals).any(1)
        names = np.where(peopled, "people", np.where(animal, "animals", "things"))
        numbers = [self.groups.index(name) for name in names]
        return torch.tensor(numbers, device=self.scenes.device)

    def draw(self, rows, faults, rounds):
        """Of pictures in rows with so much wrong with each of their texts, faults [n, asked]: which
        are shown first and second (numbers in faults.flatten()), always of one style and subject, what
        is asked about them, its words' ids, P(first is said to be better), and whether they tie.
        P is NaN in a style of which nothing is said."""
        asked, device = faults.shape[1], rows.device
        row = rows.repeat_interleave(asked)
        kind = self.scenes.styles[row].long() * len(self.groups) + self.group[row]
        pairs = []
        for _ in range(rounds):
            order = (kind + torch.rand(len(kind), device=device) * 0.999).argsort()
            pairs.append(torch.stack([order[:-1], order[1:]]))
        first, second = torch.cat(pairs, 1)
        alike = kind[first] == kind[second]
        first, second = first[alike], second[alike]
        prompt = torch.randint(len(self.first), (len(first),), device=device)
        with_tie = torch.randint(2, (len(first),), device=device)
        fault = faults.flatten().float()
        wrong = fault[second] - fault[first]
        style, group = self.style[row[first]], self.group[row[first]]
        apart = self.merits[row[first]] - self.merits[row[second]]
        odds = self.care[prompt, style.clamp(min=0), group] * wrong
        odds = odds + (self.sway[prompt] * apart).sum(1) + self.first[prompt]
        said = torch.where(style < 0, torch.full_like(odds, torch.nan), torch.sigmoid(odds))
        return {
            "first": first, "second": second, "prompt": prompt, "ids": self.ids[with_tie, prompt],
            "wrong": wrong, "style": style, "group": group, "said": said,
        }
