import pytest
import torch

from proto_score.rewards import group_relative, outcome_rewards, pair_reward

CONSTANTS = {
    "ranking": 1, "margin": 0.25, "marginCap": 0.5, "penalty": 0.25, "format": 0.1, "unreadable": -1,
    "levels": 10,
}
ANY = 10


def chances(correct, adversarial):
    """Of one pair, from outcomes to their chances."""
    found = torch.zeros(1, 2, 11, dtype=torch.float64)
    for side, given in enumerate([correct, adversarial]):
        for outcome, chance in given.items():
            found[0, side, outcome] = chance
    return found


# Worked out by hand: 1 for the order, .25 times the lead over .5 up to 1, minus .25 times what it lags.
@pytest.mark.parametrize(
    "correct, adversarial, reward",
    [
        (1.0, 0.0, 1.25), (0.75, 0.25, 1.25), (0.5, 0.25, 1.125), (0.6, 0.5, 1.05),
        (0.5, 0.5, 0.0), (0.0, 0.0, 0.0), (0.25, 0.5, -0.0625), (0.0, 1.0, -0.25),
    ],
)
def test_a_pair(correct, adversarial, reward):
    assert pair_reward(torch.tensor(correct), torch.tensor(adversarial), CONSTANTS).item() == pytest.approx(reward)


def test_each_outcome_against_those_of_the_other_image():
    found = outcome_rewards(chances({9: 0.5, ANY: 0.5}, {0: 0.5, 9: 0.5}), CONSTANTS)[0]
    # 9 against 0: 1.25, against 9: 0, so .1 + .625; no digit -1; 0 against the 9 alone: .1 + 1.25; 9 against 9: .1.
    assert [found[0, 9], found[0, ANY], found[1, 0], found[1, 9]] == pytest.approx([0.725, -1, 1.35, 0.1])


def test_nothing_to_compare_with():
    found = outcome_rewards(chances({5: 1}, {ANY: 1}), CONSTANTS)[0]
    assert [found[0, 5], found[1, ANY]] == pytest.approx([0.1, -1])


def test_advantages_are_centred_scaled_and_weighed_by_chances():
    # Of .725 and -1, both as likely: mean -.1375, standard deviation .8625.
    gains, mean = group_relative(chances({9: 0.5, ANY: 0.5}, {0: 0.5, 9: 0.5}), CONSTANTS, epsilon=0)
    assert mean[0].tolist() == pytest.approx([-0.1375, 0.725])
    assert [gains[0, 0, 9], gains[0, 0, ANY]] == pytest.approx([0.5, -0.5])
    assert group_relative(chances({9: 1}, {0: 1}), CONSTANTS)[0].abs().max() < 1e-9
