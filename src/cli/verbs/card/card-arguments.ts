import { options } from "../../../conclusions/card/columns.js";
import { outArgument, tableArguments } from "../../../conclusions/table-options.js";
import type { Arguments, Given } from "../../../core/options.js";
import {
  openArgument,
  sanityArguments,
  unfilteredArgument,
} from "../../command-line/shared-arguments.js";

const { format, map, rows, where, unscored } = tableArguments;
const { direction, ...ownOptions } = options;

export const cardArguments = {
  source: {
    kind: "positional",
    optional: true,
    description: "a run, a table, or - for a table on standard input (default: the lab)",
  },
  metric: {
    kind: "text",
    repeated: true,
    value: "NAME",
    description: "the metric to measure in the lab, as in score",
  },
  model: {
    kind: "text",
    repeated: true,
    value: "PROVIDER:MODEL",
    description:
      "the model, such as lab:vqa, openai-compatible:NAME or one of touchstone.config.yaml",
  },
  judge: {
    kind: "text",
    repeated: true,
    value: "PROVIDER:MODEL",
    description: "measure a judge of pairs instead, such as lab:judge",
  },
  wordings: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 100,
    default: 10,
    description: "for --judge: the number of prompts, each asked about every pair in both orders",
  },
  pictures: {
    kind: "number",
    integer: true,
    minimum: 2,
    maximum: 10_000,
    default: 40,
    description:
      "the number of lab pictures (with --judge, captions) for each figure; a metric is asked " +
      "about 36 times for each picture; each caption gives at most one pair with a better " +
      "image and one without",
  },
  run: {
    kind: "text",
    value: "DIR",
    description: "save the lab's answers in DIR/card-scores.jsonl, and resume from there",
  },
  direction,
  format,
  map,
  rows,
  where,
  unscored,
  ...unfilteredArgument,
  ...sanityArguments,
  ...ownOptions,
  ...outArgument,
  ...openArgument,
} as const satisfies Arguments;

/** What a card is asked with. */
export type CardGiven = Given<typeof cardArguments>;
