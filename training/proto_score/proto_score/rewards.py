"""The reward of a sampled pair of scores (ProtoBias, section 5): for the right order, for the margin up
to a cap, and a penalty that grows where the order is wrong. The constants are ours and stand in
data/proto-score/reward.yaml; the paper says what is rewarded, not how much."""

import re


def pair_reward(correct, adversarial, constants):
    """Of scores in [0, 1], as numbers, arrays or tensors of one shape. A tie is a failure, no misranking."""
    lead = correct - adversarial
    margin = clipped(lead / constants["marginCap"], 0, 1)
    return (
        constants["ranking"] * (lead > 0)
        + constants["margin"] * margin
        - constants["penalty"] * clipped(-lead, 0, 1)
    )


def clipped(value, low, high):
    return value.clip(low, high) if hasattr(value, "clip") else min(max(value, low), high)


def score_of(answer, constants):
    """The score that an answer says: one digit and nothing else, over the greatest. None where unreadable."""
    found = re.fullmatch(r"\s*(\d)\s*\.?\s*", answer)
    return None if found is None else int(found[1]) / (constants["levels"] - 1)


def sampled_rewards(answers, pairs, sides, constants):
    """The reward of each answer: the mean over the samples of the other image of its pair, and the
    reward of the format. An unreadable answer takes `unreadable` alone; where no sample of the other
    image can be read, the format's is all.

    `pairs` says of each answer its pair, `sides` whether its image is "correct" or "adversarial".
    """
    scores = [score_of(answer, constants) for answer in answers]
    by_side = {}
    for score, pair, side in zip(scores, pairs, sides):
        by_side.setdefault((pair, side), []).append(score)
    other = {"correct": "adversarial", "adversarial": "correct"}
    rewards = []
    for score, pair, side in zip(scores, pairs, sides):
        if (pair, other[side]) not in by_side:
            raise ValueError(f"Expected both images of pair {pair} in one batch but received the {side} one alone")
        if score is None:
            rewards.append(float(constants["unreadable"]))
            continue
        against = [one for one in by_side[pair, other[side]] if one is not None]
        ordered = [(score, one) if side == "correct" else (one, score) for one in against]
        mean = sum(pair_reward(*both, constants) for both in ordered) / len(ordered) if ordered else 0
        rewards.append(constants["format"] + mean)
    return rewards
