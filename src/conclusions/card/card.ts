import { type TrustCard, trustCard } from "../../analysis/trust-card/trust-card.js";
import type { Given } from "../../core/options.js";
import { conclusion } from "../conclusion.js";
import { tieOptions } from "../shared-options.js";
import { type GivenTable, tableName } from "../table-options.js";
import { type MetricRows, options, readCardTable } from "./columns.js";
import { cardsView } from "./view.js";

/** The card of each metric of a table. */
export const tableCards = (
  metrics: readonly MetricRows[],
  { direction, seed, resamples, ...given }: Pick<GivenTable, "file"> & Given<typeof options>,
): TrustCard[] =>
  metrics.map(({ metric, rows }) =>
    trustCard(rows, {
      name: metric,
      direction,
      source: tableName(given),
      seed,
      resamples,
      ...tieOptions(given),
    }),
  );

export default conclusion({
  title: "Trust card",
  description:
    "Makes a metric's trust card: effect of prototypicality with its control, attribute " +
    "confusion, agreement with people or the truth, calibration error and overconfidence, " +
    "spread over wordings, repeatability, whether scores fall as pictures get worse in five " +
    "ways, time and cost; for a judge of pairs also position bias and confidence where " +
    "neither image is better. Each figure has n, an interval, an expected value and the rows " +
    "behind it; what could not be measured is listed, never guessed. A tied swap is no " +
    "failure of attribute confusion, but counts as half a failure against the expected value " +
    "(< 15 %, our choice), so constant scores never pass. Even perfect calibration has a " +
    "calibration error above 0; the card shows what chance gives and fails only above it. " +
    "--metric and --model measure a metric, --judge a judge of pairs, on pictures of the " +
    "lab. A run gives the figures of its own records. A table gives what its columns allow: " +
    "score, image, prompt, correct, adversarial, comparison, human, label, probability, " +
    "trial, paraphrase, degradation, level, seconds, cost (touchstone example card), and for " +
    "pairs first and turned: P(the image shown first is better) in one order and in the " +
    "other, with equal (1 if neither is better) and label (1 if the image that is first in " +
    "first is better). --json: {cards: [{subject, n, unscored, verdict, figures, warnings, " +
    "method}], verdict}, figures by name, each {status, sentence, n, unscored, estimate, " +
    "expectation, further, behind}.",
  examples: [
    "touchstone card --metric vqa-score --model lab:vqa --out card.html",
    "touchstone card --judge lab:judge --out card.html",
    "touchstone card runs/demo",
    "touchstone card scores.csv --map score=my_metric --json",
  ],
  example: {
    shows: "a metric's scores of eight prompts' images, from which most of a trust card comes",
  },
  page: "card.html",
  options,
  read: readCardTable,
  conclude: (metrics, given) => ({ cards: tableCards(metrics, given) }),
  view: ({ cards }) => cardsView(cards),
});
