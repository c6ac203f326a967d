"""proto-score train | merge | evaluate"""

import argparse
from pathlib import Path

from proto_score.settings import load_config

HERE = Path(__file__).parents[1]


def main(words=None):
    parser = argparse.ArgumentParser(prog="proto-score")
    verbs = parser.add_subparsers(dest="verb", required=True)
    train = verbs.add_parser("train", help="train an adapter on exported pairs")
    train.add_argument("pairs", help="a folder of touchstone export pairs")
    train.add_argument("--out", required=True)
    train.add_argument("--config", default=str(HERE / "config.yaml"))
    train.add_argument("--paper", action="store_true", help="triplets alone, as in the paper: it teaches the opposite prejudice")
    train.add_argument("--steps", type=int, help="stop after so many")
    train.add_argument("--resume", action="store_true", help="go on from the last checkpoint in --out")
    train.add_argument("--dry-run", action="store_true", help="estimate hours and memory, and load nothing")
    merge = verbs.add_parser("merge", help="put the adapter into the model, with a model card")
    merge.add_argument("out", help="the --out of train")
    merge.add_argument("--into", required=True)
    evaluate = verbs.add_parser("evaluate", help="put measured figures into the model card")
    evaluate.add_argument("folder", help="the --into of merge")
    evaluate.add_argument("--report", help="what touchstone report RUN --json printed")
    evaluate.add_argument("--people", help="what touchstone analyze correlation --json printed")
    evaluate.add_argument("--calibration", help="what touchstone analyze calibration --json printed")
    given = parser.parse_args(words)
    if given.verb == "evaluate":
        from proto_score.evaluation import evaluate as put

        return print(put(given.folder, given.report, given.people, given.calibration))
    if given.verb == "merge":
        from proto_score.merge import merge as put

        return put(given.out, given.into)
    config = load_config(given.config)
    from proto_score.pairs import PAPER, read_pairs

    kinds = PAPER if given.paper else None
    if given.dry_run:
        from proto_score.estimate import estimate, text_of

        pairs = len(read_pairs(given.pairs, kinds))
        return print(text_of(estimate(config, pairs), pairs))
    from proto_score.train import train as run

    run(config, given.pairs, given.out, kinds, given.steps, given.resume)


if __name__ == "__main__":
    main()
