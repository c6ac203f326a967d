import { type EvaluatedMetric, type TripletRow, triplets } from "../../analysis/triplets.js";
import type { CardRow } from "../../analysis/trust-card-rows.js";
import { loadPublished } from "../../benchmarks/prototypicality/published.js";
import { InputError } from "../../core/errors.js";
import type { RunFolder } from "../../files/run-folder.js";
import { type RunRecords, readRunRecords } from "../../report/run-records.js";
import { isProbability } from "./measure-card.js";

/** One metric of a run with the rows of its card. */
export interface RunCard {
  readonly metric: EvaluatedMetric;
  readonly rows: readonly CardRow[];
  /** Which pairs of images the rows are from. */
  readonly selection: string;
}

/**
 * What a finished run tells of each of its metrics: pairs of images and their controls, where the run
 * rated its images those that passed; where the truth is known also whether each image of a pair that
 * shows what it should shows the prompt's text; and texts of descriptions against their swapped ones.
 *
 * @throws InputError where nothing was scored.
 */
export async function readRunCards(run: RunFolder, name: string): Promise<RunCard[]> {
  const records = await readRunRecords(run);
  const has = (step: string) => records.scores.find((score) => score.step.startsWith(`${step}@`));
  const rating = has("rate-images");
  const truth = has("check-truth");
  const shown = triplets({
    ...records,
    selection:
      rating === undefined
        ? { name: "unfiltered" }
        : {
            name: "filtered",
            metric: rating.metric,
            atLeast: loadPublished().retention.threshold,
          },
  });
  if (shown.metrics.length === 0) {
    throw new InputError(`Expected a run with scores of a benchmark but ${name} has none`, {
      hint: "Score its images first: touchstone score RUN --metric …, or: touchstone demo",
    });
  }
  const known =
    truth === undefined
      ? undefined
      : triplets({
          ...records,
          selection: { name: "truth-filtered", metric: truth.metric, atLeast: 1 },
        });
  return shown.metrics.map((metric) => {
    const own = (rows: readonly TripletRow[]) => rows.filter((row) => row.metric === metric.id);
    const values = scoresOf(records, metric);
    return {
      metric,
      selection: rating === undefined ? "all pairs" : "pairs whose images passed the run's filter",
      rows: [
        ...own(shown.rows).map(pairRow),
        ...labelled(own(known?.rows ?? []), { metric, keys: values }),
      ],
    };
  });
}

const pairRow = ({ id, prompt, domain, knob, comparison, correct, adversarial }: TripletRow) => ({
  ...{ id, prompt, domain, knob, comparison, correct, adversarial },
});

/** Each image once: those that are right and those that are wrong of the prompt's text. */
function labelled(
  rows: readonly TripletRow[],
  {
    metric,
    keys,
  }: { readonly metric: EvaluatedMetric; readonly keys: ReadonlyMap<string, string> },
): CardRow[] {
  const found = new Map<string, CardRow>();
  for (const { prompt, images, correct, adversarial } of rows) {
    const sides = [
      { image: images.correct, score: correct, label: 1 },
      { image: images.adversarial, score: adversarial, label: 0 },
    ] as const;
    for (const { image, score, label } of sides) {
      found.set(`${image} ${prompt}`, {
        id: keys.get(image) ?? image,
        ...{ prompt, image, score, label },
        ...(isProbability(metric) ? { probability: score } : {}),
      });
    }
  }
  return [...found.values()];
}

/** The key of the score of each image, by that of the image. */
function scoresOf({ scores }: RunRecords, metric: EvaluatedMetric): Map<string, string> {
  const own = scores.filter(
    (score) =>
      score.metric === metric.metric &&
      score.model === metric.model &&
      score.step.startsWith("score-images"),
  );
  return new Map(own.map(({ of, key }) => [of, key]));
}
