import type { ComparisonOptions } from "../../../analysis/comparison/comparison.js";
import type { outArgument } from "../../../conclusions/table-options.js";
import type { Arguments } from "../../../core/options.js";
import type { Invocation } from "../../command-line/command.js";
import {
  type detailsArgument,
  type openArgument,
  outsideArguments,
  sanityArguments,
} from "../../command-line/shared-arguments.js";
import { runtimeArgument } from "../../models/runtime-argument.js";
import { limitArguments } from "../run/limits.js";
import type { SidesRequest } from "./compare-sides.js";

export const imageArguments = {
  images: {
    kind: "text",
    repeated: true,
    value: "NAME=SOURCE",
    description:
      "given twice: two folders or tables of images, compared by prompt: by --metric, by what people said (--labels), " +
      "or, without either, pixel by pixel; two folders or runs in place of FILE are the same",
  },
  prompts: {
    kind: "text",
    value: "FILE",
    description:
      "for images: what each is to show: a table (file_name, prompt), or a prompt a line in the order of the images' names",
  },
  metric: {
    kind: "text",
    repeated: true,
    value: "NAME[=MODEL]",
    description:
      "for images: a metric to score them by, as score takes it (vqa-score=lab:vqa, ./mine.mjs, python:mine:score); for a " +
      "table: the metric to compare by, where the column metric names several",
  },
  model: {
    kind: "text",
    repeated: true,
    value: "PROVIDER:MODEL",
    description:
      "for images: the model of a metric that names none; without a metric one that embeds images, for their distance",
  },
  labels: {
    kind: "text",
    repeated: true,
    value: "FILE|STUDY|random|chosen",
    description:
      "for images: a study or table of people's answers; else random or chosen: how the labelled rows were picked",
  },
  ask: {
    kind: "number",
    integer: true,
    minimum: 1,
    value: "N",
    description: "for images: make a study that asks people about N of the prompts",
  },
  ...outsideArguments,
  runtime: runtimeArgument,
  ...sanityArguments,
  ...limitArguments,
} as const satisfies Arguments;

/** What the line gives of two sides of images. */
export interface GivenSides
  extends SidesRequest,
    Omit<ComparisonOptions, "labels" | "metric" | "range" | "seed" | "tieTolerance"> {
  readonly file: readonly string[];
  readonly images: readonly string[];
  readonly baseline: string | undefined;
  readonly "not-worse": number | undefined;
  readonly same: number | undefined;
  readonly "fail-under": number | undefined;
  readonly "tie-tolerance": number | undefined;
  readonly out: string | undefined;
  readonly open: boolean;
  readonly details: boolean;
}

export type SidesInvocation = Invocation<
  typeof imageArguments & typeof outArgument & typeof openArgument & typeof detailsArgument
>;
