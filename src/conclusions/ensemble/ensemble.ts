import { ensembleOf } from "../../analysis/ensemble/ensemble.js";
import { conclusion } from "../conclusion.js";
import { readAnswers, tells } from "./columns.js";
import { options } from "./options.js";
import { ensembleView } from "./view.js";

export default conclusion({
  title: "Ensembles of prompts",
  description:
    "Compares ways to combine several prompts into one calibrated judge: one prompt at " +
    "random, the best one, their average, Bayesian prompt ensembles (BPE), and the " +
    "multimodal mixture of them (MMB), whose weights depend on the image. Reads JSONL, JSON, " +
    "CSV or Parquet with the columns id, split (validation: fits weights; test: evaluates " +
    "them; support: only for clustering images), label (0 or 1), probabilities (of label 1: " +
    "a list with one for each prompt, null for no answer) and, optionally, embedding (a list " +
    "of numbers) or membership (of each group), and prompt (whose rows are resampled " +
    "together). Leaving labels out chooses objective, groups and temperature where no flag " +
    "sets them. `touchstone example ensemble` prints a sample.",
  examples: [
    "touchstone analyze ensemble answers.jsonl",
    "touchstone analyze ensemble answers.jsonl --objective mixture --lambda 0.3 --clusters 16 --out ensemble.html",
    "touchstone example ensemble | touchstone analyze ensemble - --json",
  ],
  example: {
    shows: "five prompts' answers on 24 labels to fit on and 80 to judge by, with one unanswered",
  },
  page: "ensemble.html",
  options,
  tells,
  read: readAnswers,
  conclude: ensembleOf,
  view: ensembleView,
  async figure(found) {
    const { ensembleFigure } = await import("./figure.js");
    return ensembleFigure(found);
  },
});
