import type { Arguments, Given } from "../../../core/options.js";
import { outsideArguments } from "../../command-line/allow-outside.js";
import { openArgument } from "../../command-line/open-flag.js";
import { textsArgument } from "../../command-line/texts-argument.js";
import { exampleChatModel, exampleEncoder } from "../../models/example-models.js";
import { runtimeArgument } from "../../models/runtime-argument.js";
import { limitArguments, withoutLimits } from "../run/limits.js";
import { askAgainArguments, withoutAskingAgain } from "../run/retry-unscored.js";

export const scoreArguments = {
  source: {
    kind: "positional",
    optional: true,
    description:
      "a folder of images, a table, WebDataset shards (.tar) or Parquet with images, by a path or a " +
      "pattern; - for a table on standard input; or a run",
  },
  image: { kind: "text", value: "FILE", description: "one image, with --text" },
  text: { kind: "text", description: "the text that the image should show" },
  metric: {
    kind: "text",
    repeated: true,
    value: "NAME[=MODEL]",
    description:
      "clip-score, clip-score:cosine, localized-vqa-score, … or ./mine.mjs, or python:mine:score for a function score(image, text) of mine.py. It asks each --model that " +
      "can carry it, or the models after = alone: vqa-score=lab:vqa. Default: each model is asked by " +
      "the first it can carry of clip-score, image-reward, vqa-score, mllm-rating and proto-score. " +
      "localized-vqa-score needs two models, one that answers questions and one that finds entities " +
      "(=lab:vqa,lab:localizer), and takes conventions: :recall, :precision, :masking, :none, …",
  },
  model: {
    kind: "text",
    repeated: true,
    value: "PROVIDER:MODEL",
    description: `such as ${exampleChatModel}, ${exampleEncoder} or lab:vqa`,
  },
  wording: {
    kind: "text",
    repeated: true,
    value: "NAME=FILE.yaml",
    description:
      "your own instructions to a chat model, for mllm-rating or prompt-rating, with the members of " +
      "data/metrics/mllm-rating.yaml; mllm-rating=paper asks by ProtoBias' Table 6, word for word",
  },
  entities: {
    kind: "text",
    value: "JSON",
    description:
      "with --text: its entities, [{entity, attributes: []}]; a table has a column entities",
  },
  "decompose-with": {
    kind: "text",
    value: "PROVIDER:MODEL",
    description:
      "the chat model that splits texts without entities into entities; rules (the default of " +
      "localized-vqa-score) needs no model",
  },
  map: {
    kind: "text",
    repeated: true,
    value: "NAME=COLUMN",
    description: "read NAME from another column: image=path",
  },
  ...textsArgument,
  out: {
    kind: "text",
    value: "FILE",
    description:
      "write one row for each result: .jsonl, .csv, .parquet or .json; or a page that shows the worst images " +
      "first: .html",
  },
  ...openArgument,
  answers: {
    kind: "text",
    value: "DIR",
    description: "for a run: the study whose answers about its images become scores by people",
  },
  block: {
    kind: "text",
    value: "NAME",
    description: "with --answers: the block of the study, where several score images",
  },
  "rate-with": {
    kind: "text",
    value: "PROVIDER:MODEL",
    description:
      "for a run: the model that rates each image against its own sentence from 1 to 10, to filter: a " +
      "chat model in words (prompt-rating, prompt-rating:expected=MODEL), another by P(yes) (vqa-rating=MODEL)",
  },
  "keep-from": {
    kind: "number",
    minimum: 1,
    maximum: 10,
    value: "N",
    description:
      "with --rate-with: the lowest rating that both images of a pair need to be kept (default: 8)",
  },
  "skip-bad": {
    kind: "switch",
    description: "mark missing or broken images and texts unscored, and score the rest",
  },
  ...outsideArguments,
  ...askAgainArguments,
  runtime: runtimeArgument,
  ...limitArguments,
} as const satisfies Arguments;

export type ScoreGiven = Given<typeof scoreArguments>;

/** For a command line that is given again: it may spend anew, and keeps what was answered. */
export const askedAnew = { ...withoutAskingAgain, ...withoutLimits };
