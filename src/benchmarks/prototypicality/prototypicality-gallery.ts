import { metricOf } from "../../analysis/inference/metric-name.js";
import type { EvaluatedMetric } from "../../analysis/pairs/triplets.js";
import { distinctions } from "../../analysis/pairs/triplets.js";
import type { Key } from "../../core/keys.js";
import type { RecordOf } from "../../core/records.js";
import { type Gallery, readGallery } from "../disagreement-gallery.js";
import type { ReportedRun, RunRecords } from "../run-records.js";

/**
 * The images on which metrics disagree most, each against the text of its prompt; with the truth
 * among them where the generator's is known: an image made from a right sentence that shows what it
 * says is right, one made from a wrong sentence is wrong.
 */
export async function prototypicalityGallery({
  records: { prompts, images, scores },
  metrics,
  run,
}: {
  readonly records: RunRecords;
  readonly metrics: readonly EvaluatedMetric[];
  readonly run: ReportedRun;
}): Promise<Gallery> {
  const texts = new Map<Key, string>();
  for (const prompt of prompts) if (prompt.status === "done") texts.set(prompt.key, prompt.text);
  const shows = new Map<Key, boolean>();
  const values = new Map<string, number>();
  for (const score of scores) {
    if (score.status !== "done" || score.trial !== 0) continue;
    if (score.step.startsWith("check-truth@")) shows.set(score.of, score.value === 1);
    else values.set(`${score.of} ${identityOf(score)} ${score.text}`, score.value);
  }
  const names = new Map<string, string>();
  for (const score of scores) names.set(idOf(score, metrics) ?? "", identityOf(score));
  const isKnown = shows.size > 0;
  return readGallery({
    columns: [
      ...metrics.map(({ id, direction }) => {
        const { metric, model } = metricOf({ metrics }, id);
        return { name: metric, model, direction };
      }),
      ...(isKnown
        ? [{ name: "the truth", model: "1 if right", direction: "higher" as const }]
        : []),
    ],
    candidates: images.flatMap((image) => {
      const text = texts.get(image.prompt);
      if (image.status !== "done" || text === undefined) return [];
      const truth = shows.get(image.key);
      const isMeantRight = image.role === "correct" || image.role === "control-correct";
      return [
        {
          image,
          text,
          scores: [
            ...metrics.map(({ id }) => values.get(`${image.key} ${names.get(id)} ${text}`) ?? null),
            // What else is in a picture that shows not what it was made from, nobody has checked.
            ...(isKnown ? [truth === true ? Number(isMeantRight) : null] : []),
          ],
        },
      ];
    }),
    blobs: run.blobs,
  });
}

const identityOf = (score: RecordOf<"score">): string => JSON.stringify(distinctions(score));

/** The metric of the report whose score this is. */
const idOf = (score: RecordOf<"score">, metrics: readonly EvaluatedMetric[]) =>
  metrics.find(
    ({ metric, model, baseUrl, convention, template, version }) =>
      metric === score.metric &&
      model === score.model &&
      baseUrl === score.baseUrl &&
      convention === score.convention &&
      template === score.template &&
      version === score.metricVersion,
  )?.id;
