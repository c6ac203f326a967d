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
}

/** Collects results for a page: a number for each, not the result. */
export class PageScores {
  private readonly byItem = new Map<ScoreItem, ImageScores>();

  add({ item, metric, result }: ItemResult): void {
    const found = this.byItem.get(item) ?? { item, values: new Map() };
    this.byItem.set(item, found);
    found.values.set(metric, result.status === "scored" ? result.value : null);
  }

  /** Builds the report, with thumbnails of the worst images by the first metric. */
  async report(
    summaries: readonly MetricSummary[],
    about: Pick<ScoresReport, "title" | "command" | "everyScore">,
  ): Promise<ScoresReport | undefined> {
    const [first, ...others] = summaries;
    if (first === undefined) return undefined;
    const { metric } = first;
    const worse = metric.direction === "higher" ? 1 : -1;
    const ranked = [...this.byItem.values()]
      .flatMap(({ item, values }) => {
        const value = values.get(metric) ?? null;
        return value === null ? [] : [{ item, values, value }];
      })
      .sort((a, b) => worse * (a.value - b.value));
    const shown = async ({ item, values }: ImageScores): Promise<ScoredImage> => ({
      image: item.image,
      text: item.text,
      values: summaries.map((each) => values.get(each.metric) ?? null),
      thumbnail: await thumbnailOf(item),
    });
    const worst: ScoredImage[] = [];
    for (const each of ranked.slice(0, mostImages)) worst.push(await shown(each));
    const last = ranked.at(-1);
    return {
      ...about,
      metrics: [scoredMetric(first), ...others.map(scoredMetric)],
      values: ranked.map(({ value }) => value),
      images: this.byItem.size,
      worst,
      best: last && (await shown(last)),
      warnings: summaryWarnings(summaries),
      method: `Intervals: ${first.summary.intervals.text}.`,
    };
  }
}

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
