import { questionKinds } from "../../../analysis/evidence/evidence-table.js";
import { detailsArgument, openArgument } from "../../command-line/shared-arguments.js";

export const evidenceArguments = {
  for: {
    kind: "choice",
    choices: questionKinds,
    default: "alignment",
    description: "what people were asked: figures of different questions are never averaged",
  },
  metric: { kind: "text", value: "NAME", description: "show one metric on every set" },
  from: {
    kind: "text",
    value: "DIR",
    description:
      "recompute from files of published sets in DIR and below: clones, what fetch wrote",
  },
  only: { kind: "text", value: "NAME", description: "of --from, read this set alone" },
  ...detailsArgument,
  out: {
    kind: "text",
    value: "FILE",
    description: "also write a page (.html), .json, .csv or .md",
  },
  ...openArgument,
} as const;
