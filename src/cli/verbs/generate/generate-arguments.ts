import type { Arguments } from "../../../core/options.js";
import { outsideArguments } from "../../command-line/shared-arguments.js";
import { defectChoices } from "../../models/generator-choice.js";
import { limitArguments } from "../run/limits.js";

export const generateArguments = {
  prompts: {
    kind: "positional",
    optional: true,
    description: "a table of prompts (JSONL, CSV, Parquet; text, id), or - for standard input",
  },
  out: {
    kind: "text",
    value: "DIR",
    description: "with PROMPTS: the folder to write images to",
  },
  run: {
    kind: "text",
    value: "DIR",
    default: "runs/benchmark",
    description: "without PROMPTS: the folder of the run",
  },
  model: {
    kind: "text",
    value: "PROVIDER:MODEL",
    default: "lab:painter",
    description:
      "the generator: lab:painter (-a to -e err more and more), python:gen.py:generate, " +
      "diffusers:ORG/NAME, openai-images:gpt-image-1, folder:DIR (images made elsewhere), recorded:RUN, another " +
      "service (touchstone metrics models lists them), or a name of touchstone.config.yaml",
  },
  samples: {
    kind: "number",
    integer: true,
    minimum: 1,
    description: "images for each sentence of a prompt (default: 5, with PROMPTS 1)",
  },
  seed: {
    kind: "number",
    integer: true,
    minimum: 0,
    description: "with PROMPTS: the random seed (default: 0). A run has its own seed",
  },
  map: {
    kind: "text",
    repeated: true,
    value: "NAME=COLUMN",
    description: "with PROMPTS: read NAME from another column: text=prompt",
  },
  defects: {
    kind: "choice",
    choices: defectChoices,
    default: "none",
    description: "how often lab:painter makes errors; demo: as in the demo",
  },
  embed: {
    kind: "switch",
    description: "with folder:DIR: keep copies of the images in the run",
  },
  wanted: {
    kind: "text",
    value: "FILE.csv",
    description:
      "generate nothing; list the images that the run needs, for another tool to generate",
  },
  ...outsideArguments,
  ...limitArguments,
} as const satisfies Arguments;
