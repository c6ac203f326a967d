import type { Metric } from "../../../core/metric.js";
import { NoAnswer, unscoredReasons } from "../../../core/unscored.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { type Thumbnail, thumbnail } from "../../../images/thumbnail.js";
import type { ScoredImage, ScoresReport } from "../../../report/pages/scores-page.js";
import type { ItemResult } from "./item-results.js";
import type { ScoreItem } from "./score-item.js";
import { answererName, type MetricSummary, summaryWarnings } from "./score-tally.js";

/** Images lie in the page: so many, each so large at most. */
const mostImages = 48;
const size = { side: 256, mostBytes: 25_000 };

interface ImageScores {
  readonly item: ScoreItem;
  readonly values: Map<Metric, number | null>;
  /** The score by the first metric. */
  readonly value: number;
}

/** Collects results for a page: a number for each, and of the worst images and the best more. */
export class PageScores {
  #images = 0;
  #current: { readonly item: ScoreItem; readonly values: Map<Metric, number | null> } | undefined;
  readonly #values: number[] = [];
  /** The worst first; of equal ones that which came first. */
  readonly #worst: ImageScores[] = [];
  /** Of equal ones that which came last. */
  #best: ImageScores | undefined;

  /** Results of one item come one after the other, the first metric's first. */
  add({ item, metric, result }: ItemResult): void {
    const value = result.status === "scored" ? result.value : null;
    if (this.#current?.item === item) {
      this.#current.values.set(metric, value);
      return;
    }
    this.#images++;
    const values = new Map([[metric, value]]);
    this.#current = { item, values };
    if (value === null) return;
    this.#values.push(value);
    const scores = { item, values, value };
    const isWorse = metric.direction === "higher" ? less : more;
    if (this.#best === undefined || !isWorse(value, this.#best.value)) this.#best = scores;
    const place = this.#worst.findIndex((other) => isWorse(value, other.value));
    if (place >= 0) this.#worst.splice(place, 0, scores);
    else this.#worst.push(scores);
    this.#worst.splice(mostImages);
  }

  /** Builds the report, with thumbnails of the worst images by the first metric. */
  async report(
    summaries: readonly MetricSummary[],
    about: Pick<ScoresReport, "title" | "command" | "everyScore">,
  ): Promise<ScoresReport | undefined> {
    const [first, ...others] = summaries;
    if (first === undefined) return undefined;
    const { metric } = first;
    const isWorse = metric.direction === "higher" ? less : more;
    const shown = async ({ item, values }: ImageScores): Promise<ScoredImage> => ({
      image: item.image,
      text: item.text,
      values: summaries.map((each) => values.get(each.metric) ?? null),
      thumbnail: await thumbnailOf(item),
    });
    const worst: ScoredImage[] = [];
    for (const each of this.#worst) worst.push(await shown(each));
    const best = this.#best;
    return {
      ...about,
      metrics: [scoredMetric(first), ...others.map(scoredMetric)],
      values: this.#values.toSorted((a, b) => (isWorse(a, b) ? -1 : isWorse(b, a) ? 1 : 0)),
      images: this.#images,
      worst,
      best: best && (await shown(best)),
      warnings: summaryWarnings(summaries),
      method: `Intervals: ${first.summary.intervals.text}.`,
    };
  }
}

const less = (one: number, other: number) => one < other;
const more = (one: number, other: number) => one > other;

function scoredMetric({
  metric,
  summary,
  details,
  answerers,
}: MetricSummary): ScoresReport["metrics"][0] {
  const { name, model, convention, template, statistic, range, direction } = metric;
  const { n, unscored, mean, bounds, reasons } = summary;
  return {
    answerers: answerers.map((one) => {
      const { n, unscored, mean, bounds } = one.summary;
      return { model: answererName(metric, one), n, unscored, mean, bounds };
    }),
    name,
    model,
    statistic,
    range,
    direction,
    n,
    unscored,
    mean,
    bounds,
    ...(convention === undefined ? {} : { convention }),
    ...(template === undefined ? {} : { template }),
    reasons: unscoredReasons.flatMap((reason) => {
      const count = reasons[reason];
      return count === undefined ? [] : [{ reason, count, detail: details[reason] ?? "" }];
    }),
  };
}

/** Undefined where the file is gone since it was scored. */
async function thumbnailOf({ path, image }: ScoreItem): Promise<Thumbnail | undefined> {
  try {
    return await thumbnail(await openPictureFile(path, image), size);
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return undefined;
    throw thrown;
  }
}
