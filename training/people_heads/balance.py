"""Makes P(sign) that of a question which is asked as often of those who show the sign as of those who show
another one in its place. Of all people few show any one sign, so that a head is otherwise right to doubt."""

import numpy as np
import torch


@torch.no_grad()
def said_of(head, data):
    head.eval()
    parts = np.array_split(data.rows, len(data.rows) // 50 + 1)
    return torch.cat([head(data.features(rows)) for rows in parts])


def sides(data, at):
    """Which of data.rows show a sign, and which another in its place."""
    places = np.array(data.layout["signPlaces"])
    shown = data.signs[data.rows] > 0
    alike = torch.from_numpy(places == places[at])
    return shown[:, at], (shown & alike).any(1) & ~shown[:, at]


def shift_of(logits, own, other):
    """The b for which sigmoid(x + b) is wrong by as much of the one as of the other: where the likelihood
    of both together, weighed alike, is greatest."""
    low, high = -8.0, 8.0
    for _ in range(40):
        b = (low + high) / 2
        missed = torch.sigmoid(-(logits[own] + b)).mean() - torch.sigmoid(logits[other] + b).mean()
        low, high = (b, high) if missed > 0 else (low, b)
    return (low + high) / 2


def balance(head, data):
    """Adds to each sign's logit, and says how much."""
    logits = said_of(head, data)
    shifts = [shift_of(logits[:, at], *sides(data, at)) for at in range(logits.shape[1])]
    with torch.no_grad():
        head.cells[-1].bias += torch.tensor(shifts)
    return shifts


def measured(head, data):
    """By sign how many show it, how many another in its place, and the mean of both shares that are right."""
    logits = said_of(head, data)
    signs = {}
    for at, name in enumerate(data.layout["signs"]):
        own, other = sides(data, at)
        both = [(logits[own, at] > 0).float().mean().item(), (logits[other, at] <= 0).float().mean().item()]
        signs[name] = {"shown": int(own.sum()), "another": int(other.sum()), "right": [round(one, 3) if one == one else None for one in both]}
    return signs
