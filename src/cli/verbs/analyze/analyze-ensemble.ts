import { resampledIntervals } from "../../../analysis/calibration/calibration.js";
import { ensemble } from "../../../analysis/ensemble/ensemble.js";
import { ensembleMethods } from "../../../analysis/ensemble/ensemble-methods.js";
import type { EnsembleRow } from "../../../analysis/ensemble/ensemble-rows.js";
import { intervalArguments } from "../../../conclusions/shared-options.js";
import { InputError } from "../../../core/errors.js";
import { objectives } from "../../../ensembles/weight-problem.js";
import { readableEnsemble } from "../../../report/text/ensemble-text.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import { readEnsembleTable } from "./ensemble-table.js";

export default conclusion({
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
  title: "Ensembles of prompts",
  example: "ensemble.html",
  arguments: {
    objective: {
      kind: "choice",
      choices: [...objectives, "auto"],
      default: "auto",
      description: "the objective that weights are fitted by",
    },
    lambda: {
      kind: "number",
      minimum: 1e-6,
      maximum: 1e6,
      description: "the weight of the entropy (default: 1); --objective auto chooses it",
    },
    clusters: {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 1024,
      description: "the number of image groups (default: chosen by leaving labels out)",
    },
    temperature: {
      kind: "number",
      minimum: 1e-6,
      maximum: 1e6,
      description: "the temperature of the membership (default: chosen by leaving labels out)",
    },
    restarts: {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 1000,
      default: 3,
      description: "restarts of the clustering",
    },
    interval: {
      kind: "choice",
      choices: resampledIntervals,
      default: "percentile",
      description: "bca corrects bias and skew",
    },
    resamples: intervalArguments.resamples,
    permutations: {
      kind: "number",
      integer: true,
      minimum: 100,
      maximum: 1_000_000,
      default: 10_000,
      description: "permutations of each test against the best",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      default: 0,
      description: "the random seed of clustering, bootstrap and tests",
    },
  },
  async read(given, inputs) {
    const rows = await readEnsembleTable(given, inputs);
    checkGroups(rows, given);
    return rows;
  },
  conclude: ensemble,
  readable: readableEnsemble,
  csv: ({ methods }) =>
    ensembleMethods.flatMap((method) => {
      const { n, unscored, intervalsOf } = methods[method];
      return Object.entries(intervalsOf).map(([statistic, { value, low, high }]) => ({
        method,
        statistic,
        n,
        unscored,
        value,
        low,
        high,
      }));
    }),
  async figure(conclusion) {
    const { ensembleFigure } = await import("../../../report/plots/ensemble-plot.js");
    return ensembleFigure(conclusion);
  },
});

/** @throws InputError where groups are wanted that the table has nothing to make of. */
function checkGroups(
  rows: readonly EnsembleRow[],
  {
    clusters,
    temperature,
  }: { readonly clusters: number | undefined; readonly temperature: number | undefined },
): void {
  if (rows.some(({ membership }) => membership !== null)) {
    const flag = clusters === undefined ? "--temperature" : "--clusters";
    if (clusters === undefined && temperature === undefined) return;
    throw new InputError(`Expected no ${flag} where the rows hold their membership`, {
      hint: "Leave the column membership out to have groups found in the embeddings",
    });
  }
  if (clusters === undefined || clusters === 1) return;
  const images = (split: EnsembleRow["split"]) =>
    rows.filter((row) => row.split === split && row.embedding !== null).length;
  const found = images("support") || images("validation");
  if (found < clusters) {
    throw new InputError(
      `Expected at least ${clusters} embeddings for --clusters ${clusters} but found ${found}`,
      {
        hint: "Groups are found in the rows of split support, or of validation where there are none",
      },
    );
  }
}
