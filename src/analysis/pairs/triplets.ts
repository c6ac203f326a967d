import type { Key } from "../../core/keys.js";
import type { MetricDescription } from "../../core/metric.js";
import { isByPeople } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import {
  type BenchmarkRecords,
  type ImagePair,
  imagePairs,
  type Selection,
  selector,
} from "./image-pairs.js";
import type { Comparison } from "./prototypicality-effect.js";

/** A metric with one model, as its score records describe it. */
export interface EvaluatedMetric extends Omit<MetricDescription, "name"> {
  /** Its name; with its model, and what else it takes, where the name alone says too little. */
  readonly id: string;
  readonly metric: string;
}

/** One metric's two scores for one pair of images; null where it has none. */
export interface TripletRow {
  readonly id: string;
  /** `EvaluatedMetric.id` */
  readonly metric: string;
  readonly domain: string;
  readonly category: string;
  readonly nonPrototype: string;
  readonly prototype: string;
  readonly knob: string;
  /** The prompt's record: rows of one prompt are not independent. */
  readonly prompt: Key;
  /** The text that both images were scored against; prompts about other pairs may share it. */
  readonly text: string;
  readonly sample: number;
  readonly comparison: Comparison;
  readonly correct: number | null;
  readonly adversarial: number | null;
  /** The image records behind the row. */
  readonly images: { readonly correct: Key; readonly adversarial: Key };
}

/**
 * The rows that `contrastive` takes: for every metric that scored images against their prompt's
 * text, every pair of images that the selection keeps. Scores count from trial 0; a pair without an
 * image or a score stays, as null, unless the selection had to see it. People rate a sample: pairs
 * that they were not asked about are not among theirs.
 *
 * @example triplets({ prompts, images, scores, selection: { name: "unfiltered" } })
 *   .rows.filter((row) => row.comparison === "contrastive")
 */
export function triplets({
  selection,
  ...records
}: BenchmarkRecords & { readonly selection: Selection }): {
  readonly metrics: EvaluatedMetric[];
  readonly rows: TripletRow[];
} {
  const scores = [...records.scores];
  const why = selector(selection, scores);
  const all = imagePairs(records);
  const evaluated = scoresByMetric(all, scores);
  const kept = all.filter((pair) => why(pair) === undefined);
  return {
    metrics: evaluated.map(({ metric }) => metric),
    rows: evaluated.flatMap(({ metric, asked, values }) =>
      kept
        .filter(({ correct, adversarial }) =>
          isByPeople(metric) ? asked.has(correct.key) && asked.has(adversarial.key) : true,
        )
        .map((pair) => rowOf(pair, metric, values)),
    ),
  };
}

function rowOf(
  { id, prompt, sample, comparison, correct, adversarial }: ImagePair,
  metric: EvaluatedMetric,
  values: ReadonlyMap<Key, number>,
): TripletRow {
  const { domain, category, nonPrototype, prototype, knob } = prompt;
  return {
    id,
    metric: metric.id,
    domain,
    category,
    nonPrototype,
    prototype,
    knob,
    prompt: prompt.key,
    text: prompt.text,
    sample,
    comparison,
    correct: values.get(correct.key) ?? null,
    adversarial: values.get(adversarial.key) ?? null,
    images: { correct: correct.key, adversarial: adversarial.key },
  };
}

interface MetricScores {
  readonly metric: EvaluatedMetric;
  /** The image records that it was asked about. */
  readonly asked: ReadonlySet<Key>;
  /** Ratings by image record. */
  readonly values: Map<Key, number>;
}

/** The scores of each metric against the prompts' texts, metrics in the order of their records. */
function scoresByMetric(
  pairs: readonly ImagePair[],
  scores: readonly RecordOf<"score">[],
): MetricScores[] {
  const texts = new Map<Key, string>();
  for (const { prompt, correct, adversarial } of pairs) {
    texts.set(correct.key, prompt.text).set(adversarial.key, prompt.text);
  }
  const found = new Map<
    string,
    { score: RecordOf<"score">; asked: Set<Key>; values: Map<Key, number> }
  >();
  for (const score of scores) {
    if (score.trial !== 0 || texts.get(score.of) !== score.text) continue;
    const identity = JSON.stringify(distinctions(score));
    const entry = found.get(identity) ?? {
      score,
      asked: new Set<Key>(),
      values: new Map<Key, number>(),
    };
    found.set(identity, entry);
    entry.asked.add(score.of);
    if (score.status === "done") entry.values.set(score.of, score.value);
  }
  const examples = [...found.values()].map(({ score }) => score);
  return [...found.values()].map(({ score, asked, values }) => ({
    metric: described(score, examples),
    asked,
    values,
  }));
}

/** Lists what tells metrics apart, the most telling first. */
export const distinctions = ({
  metric,
  model,
  baseUrl = "",
  convention = "",
  template = "",
  metricVersion,
}: Pick<
  RecordOf<"score">,
  "metric" | "model" | "baseUrl" | "convention" | "template" | "metricVersion"
>): string[] => [metric, model, baseUrl, convention, template, `version ${metricVersion}`];

export function described(
  score: RecordOf<"score">,
  among: readonly RecordOf<"score">[],
): EvaluatedMetric {
  const own = distinctions(score);
  const isSame = (other: RecordOf<"score">, depth: number) =>
    distinctions(other)
      .slice(0, depth)
      .every((part, index) => part === own[index]);
  let depth = 1;
  while (depth < own.length && among.filter((other) => isSame(other, depth)).length > 1) depth++;
  const { metric, metricVersion, convention, template, statistic, range, direction } = score;
  const { model, baseUrl } = score;
  return {
    id: own
      .slice(0, depth)
      .filter((part) => part !== "")
      .join(" · "),
    metric,
    version: metricVersion,
    ...(convention === undefined ? {} : { convention }),
    ...(template === undefined ? {} : { template }),
    statistic,
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    range,
    direction,
  };
}
