import { randomFrom } from "../../core/random.js";
import { measures } from "../correlation/correlation-measures.js";
import { type Dealing, dealtMeasures } from "../correlation/grouping.js";
import { promptClusters } from "./prompt-clusters.js";

/** One image's counts by people, and each metric's score; null where it has none. */
export interface GroupedRow {
  readonly id: string;
  readonly prompt?: string | undefined;
  /** True positives, false positives, false negatives: each at least 0. */
  readonly counts: readonly [tp: number, fp: number, fn: number] | null;
  /** In the order of the metrics. */
  readonly scores: readonly (number | null)[];
}

export interface GroupedOptions extends Dealing {
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
}

/** One metric's values on some images, and on what was drawn from them, measure by measure. */
export interface Sample {
  readonly n: number;
  readonly values: readonly number[];
  readonly resampled: readonly Float64Array[];
}

/**
 * Metrics that scored the same images meet the same draws and groups, so these are made for all of
 * them at once, and kept for their differences.
 */
export class Samples {
  readonly #rated: readonly GroupedRow[];
  readonly #options: GroupedOptions;
  readonly #known = new Map<string, Map<number, Sample>>();

  constructor(rated: readonly GroupedRow[], options: GroupedOptions) {
    this.#rated = rated;
    this.#options = options;
  }

  /** Each metric on the images that it scored. */
  ofEach(metrics: readonly number[]): Sample[] {
    const together = new Map<string, number[]>();
    const keys = metrics.map((metric) => this.#imagesOf([metric]));
    keys.forEach((key, at) => {
      together.set(key, [...(together.get(key) ?? []), metrics[at] ?? 0]);
    });
    for (const [key, those] of together) this.#draw(key, those);
    return metrics.map((metric, at) => this.#get(keys[at] ?? "", metric));
  }

  /** Two metrics on the images that both scored. */
  ofBoth(one: number, other: number): [Sample, Sample] {
    const key = this.#imagesOf([one, other]);
    const known = this.#known.get(key);
    const missing = [one, other].filter((metric) => known?.has(metric) !== true);
    if (missing.length > 0) this.#draw(key, missing);
    return [this.#get(key, one), this.#get(key, other)];
  }

  /** Which images all of these metrics scored, as a word. */
  #imagesOf(metrics: readonly number[]): string {
    return this.#rated
      .map(({ scores }) => (metrics.every((at) => typeof scores[at] === "number") ? "1" : "0"))
      .join("");
  }

  #get(key: string, metric: number): Sample {
    const sample = this.#known.get(key)?.get(metric);
    if (sample === undefined) throw new RangeError("Expected a sample that was drawn");
    return sample;
  }

  #draw(key: string, metrics: readonly number[]): void {
    const scored = this.#rated.filter((_, at) => key[at] === "1");
    const column = (of: (row: GroupedRow) => number | null | undefined) =>
      Float64Array.from(scored, (row) => of(row) ?? 0);
    const valuesOf = dealtMeasures(
      {
        tp: column(({ counts }) => counts?.[0]),
        fp: column(({ counts }) => counts?.[1]),
        fn: column(({ counts }) => counts?.[2]),
        scores: metrics.map((metric) => column(({ scores }) => scores[metric])),
      },
      this.#options,
    );
    const values = valuesOf(Int32Array.from(scored.keys()), shuffleOf);
    const resampled = resample(scored, valuesOf, values.length, this.#options);
    const known = this.#known.get(key) ?? new Map<number, Sample>();
    this.#known.set(key, known);
    metrics.forEach((metric, at) => {
      const [from, to] = [at * measures.length, (at + 1) * measures.length];
      known.set(metric, {
        n: scored.length,
        values: [...values.subarray(from, to)],
        resampled: resampled.slice(from, to),
      });
    });
  }
}

/** The shuffles of the values themselves, whatever the seed of the bootstrap. */
export const shuffleOf = (shuffle: number) => randomFrom("groups", shuffle);

/** Values of whole prompts drawn again and again, each draw dealt into groups anew. */
function resample(
  scored: readonly GroupedRow[],
  valuesOf: ReturnType<typeof dealtMeasures>,
  width: number,
  { resamples = 0, seed = 0 }: GroupedOptions,
): Float64Array[] {
  const { cluster, count } = promptClusters(scored);
  if (count < 2) return [];
  const members = Array.from({ length: count }, (): number[] => []);
  cluster.forEach((one, row) => {
    members[one]?.push(row);
  });
  const random = randomFrom(seed, "grouped bootstrap");
  const found = Array.from({ length: width }, () => new Float64Array(resamples));
  for (let draw = 0; draw < resamples; draw++) {
    const drawn = Int32Array.from(
      Array.from({ length: count }, () => members[random.integer(count)] ?? []).flat(),
    );
    const values = valuesOf(drawn, (shuffle) =>
      randomFrom(seed, "grouped bootstrap", draw, shuffle),
    );
    found.forEach((into, at) => {
      into[draw] = values[at] ?? Number.NaN;
    });
  }
  return found;
}
