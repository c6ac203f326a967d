"""proto-score train | merge | evaluate | measure"""

import argparse

from proto_score.settings import SHIPPED, load_config


def main(words=None):
    parser = argparse.ArgumentParser(prog="proto-score")
    verbs = parser.add_subparsers(dest="verb", required=True)
    config = argparse.ArgumentParser(add_help=False)
    config.add_argument("--config", default=SHIPPED)
    train = verbs.add_parser("train", help="train an adapter on exported pairs", parents=[config])
    train.add_argument("pairs", help="a folder of touchstone export pairs")
    train.add_argument("--out", required=True)
    train.add_argument("--paper", action="store_true", help="triplets alone, as in the paper: it teaches the opposite prejudice")
    train.add_argument("--sampled", type=int, metavar="N", help="draw N answers for each image, as the paper does, in place of the sum over all answers")
    train.add_argument("--steps", type=int, metavar="N", help="stop after N steps")
    train.add_argument("--resume", action="store_true", help="go on from the last checkpoint in --out")
    train.add_argument("--dry-run", action="store_true", help="forecast minutes and memory from what was measured, and load nothing")
    train.add_argument("--measured", help="what proto-score measure wrote, for --dry-run; default: one H200")
    merge = verbs.add_parser("merge", help="put the adapter into the model, with a model card")
    merge.add_argument("out", help="the --out of train")
    merge.add_argument("--into", required=True)
    evaluate = verbs.add_parser("evaluate", help="put measured figures into the model card")
    evaluate.add_argument("folder", help="the --into of merge")
    evaluate.add_argument("--report", help="what touchstone report RUN --json printed")
    evaluate.add_argument("--people", help="what touchstone analyze correlation --json printed")
    evaluate.add_argument("--calibration", help="what touchstone analyze calibration --json printed")
    measure = verbs.add_parser("measure", help="measure seconds and memory here, with random weights", parents=[config])
    measure.add_argument("--model", help="tiny: to try it; default: the config's on a GPU, tiny without one")
    measure.add_argument("--out", default="measured.json")
    measure.add_argument("--seconds", type=float, default=220)
    given = parser.parse_args(words)
    if given.verb == "evaluate":
        from proto_score.evaluation import evaluate as put

        return print(put(given.folder, given.report, given.people, given.calibration))
    if given.verb == "merge":
        from proto_score.merge import merge as put

        return put(given.out, given.into)
    config = load_config(given.config)
    if given.verb == "measure":
        from proto_score.measure import measure as take

        return take(config, given.model, given.out, given.seconds)
    from proto_score.pairs import PAPER, read_pairs, steps_of

    kinds = PAPER if given.paper else None
    if given.dry_run:
        from proto_score.measure import dry_run

        return print(dry_run(config, steps_of(read_pairs(given.pairs, kinds), config, given.steps), given.measured))
    from proto_score.train import train as run

    run(config, given.pairs, given.out, kinds, given.steps, given.resume, given.sampled)


if __name__ == "__main__":
    main()
