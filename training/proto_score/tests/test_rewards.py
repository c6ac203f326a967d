import pytest

from proto_score.rewards import pair_reward, sampled_rewards, score_of

CONSTANTS = {
    "ranking": 1, "margin": 0.25, "marginCap": 0.5, "penalty": 0.25, "format": 0.1, "unreadable": -1,
    "levels": 10,
}


# Worked out by hand: 1 for the order, .25 times the lead over .5 up to 1, minus .25 times what it lags.
@pytest.mark.parametrize(
    "correct, adversarial, reward",
    [
        (1.0, 0.0, 1.25), (0.75, 0.25, 1.25), (0.5, 0.25, 1.125), (0.6, 0.5, 1.05),
        (0.5, 0.5, 0.0), (0.0, 0.0, 0.0), (0.25, 0.5, -0.0625), (0.0, 1.0, -0.25),
    ],
)
def test_a_pair(correct, adversarial, reward):
    assert pair_reward(correct, adversarial, CONSTANTS) == pytest.approx(reward)


@pytest.mark.parametrize(
    "answer, score",
    [("9", 1.0), ("0", 0.0), (" 3.\n", 3 / 9), ("10", None), ("8.5", None), ("", None), ("nine", None), ("9/9", None)],
)
def test_an_answer(answer, score):
    assert score_of(answer, CONSTANTS) == (score if score is None else pytest.approx(score))


def test_samples_against_those_of_the_other_image():
    # Correct image: 9 and "?"; adversarial image: 0 and 9.
    answers, pairs = ["9", "?", "0", "9"], [7, 7, 7, 7]
    sides = ["correct", "correct", "adversarial", "adversarial"]
    # 9 against 0: 1.25, against 9: 0, so .1 + .625; "?" -1; 0 against the 9 alone: .1 + 1.25; 9 against 9: .1.
    assert sampled_rewards(answers, pairs, sides, CONSTANTS) == pytest.approx([0.725, -1, 1.35, 0.1])


def test_pairs_are_not_mixed():
    answers = ["9", "0", "0", "9"]
    rewards = sampled_rewards(answers, [1, 1, 2, 2], ["correct", "adversarial"] * 2, CONSTANTS)
    assert rewards == pytest.approx([1.35, 1.35, -0.15, -0.15])


def test_nothing_to_compare_with():
    assert sampled_rewards(["5", "x"], [1, 1], ["correct", "adversarial"], CONSTANTS) == [0.1, -1]
    with pytest.raises(ValueError, match="both images of pair 1"):
        sampled_rewards(["5"], [1], ["correct"], CONSTANTS)
