"""The reward of a pair of scores (ProtoBias, section 5): for the right order, for the margin up to a cap, and a
penalty that grows where the order is wrong. The constants are ours and stand in data/proto-score/reward.yaml; the
paper says what is rewarded, not how much."""

import torch
from torch.nn import functional as F


def pair_reward(correct, adversarial, constants):
    """Of tensors of scores in [0, 1]. A tie is a failure, no misranking."""
    lead = correct - adversarial
    margin = (lead / constants["marginCap"]).clip(0, 1)
    return constants["ranking"] * (lead > 0) + constants["margin"] * margin - constants["penalty"] * (-lead).clip(0, 1)


def outcome_rewards(chances, constants):
    """The expected reward of each outcome, [pairs, 2, levels + 1], given all chances in that shape: of both images
    of a pair, the correct one first, those of the digits and of whatever is no digit. A digit's reward is the mean
    over the digits of the other image, and the reward of the format; where that image has none, the format's is all."""
    levels = constants["levels"]
    scores = torch.linspace(0, 1, levels, dtype=chances.dtype, device=chances.device)
    table = pair_reward(scores[:, None], scores, constants)
    digits = chances[..., :levels]
    correct, adversarial = (digits / digits.sum(-1, keepdim=True).clip(min=1e-30)).unbind(1)
    readable = constants["format"] + torch.stack([adversarial @ table.T, correct @ table], 1)
    return F.pad(readable, (0, 1), value=constants["unreadable"])


def group_relative(chances, constants, epsilon=1e-4):
    """By how much each outcome's log-probability is to rise: its chance times its advantage, the reward less its mean,
    over its standard deviation. The gradient of the sum of these times log-probabilities is GRPO's: in expectation
    where `chances` are the policy's own, as sampled where they are the shares among samples. Also the mean rewards."""
    rewards = outcome_rewards(chances, constants)
    mean = (chances * rewards).sum(-1, keepdim=True)
    spread = (chances * (rewards - mean) ** 2).sum(-1, keepdim=True).sqrt()
    return chances * (rewards - mean) / (spread + epsilon), mean[..., 0]
