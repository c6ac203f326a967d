import type { ConfusionReport } from "./confusion-report.js";
import { spokenName } from "./metric-name.js";
import { countText, estimateText, spokenPercent } from "./number-text.js";

/**
 * What an attribute confusion run comes to, in sentences, the most important first: who prefers the
 * swapped description, who can't tell, and who follows the reference.
 */
export function confusionVerdict(report: ConfusionReport): string[] {
  const { selections, standing, correlations } = report;
  const [{ swap, description, images }] = selections;
  const scored = standing.flatMap(({ id }) => {
    const overall = swap.metrics[id]?.overall;
    const rate = overall?.failureRate.value;
    return overall === undefined || rate === null || rate === undefined
      ? []
      : [{ id, overall, rate }];
  });
  const [best, ...others] = scored.sort((a, b) => a.rate - b.rate);
  const worst = others.at(-1);
  if (best === undefined) return ["No metric scored an image against both of its descriptions."];
  const name = (id: string) => spokenName({ metrics: standing }, id);
  const rates = (one: typeof best) =>
    `${name(one.id)} prefers the swapped description for ${spokenPercent(one.overall.failureRate)}`;
  const which = `of the ${countText(images)} images ${description}`;
  const tied = scored.filter(({ overall }) => (overall.tieRate.value ?? 0) > 0.05);
  const closest = standing
    .flatMap(({ id }) => {
      const spearman = correlations?.f1.metrics[id]?.spearman;
      return spearman === undefined || spearman.value === null ? [] : [{ id, spearman }];
    })
    .sort((a, b) => (b.spearman.value ?? 0) - (a.spearman.value ?? 0))[0];
  return [
    worst === undefined
      ? `${rates(best)} ${which}.`
      : `${rates(worst)} ${which}; ${name(best.id)} for ${spokenPercent(best.overall.failureRate)}.`,
    ...tied.map(
      ({ id, overall }) =>
        `${name(id)} scores both descriptions the same for ${spokenPercent(overall.tieRate)}: a tie is no failure, and no success.`,
    ),
    ...(closest === undefined
      ? []
      : [
          `${name(closest.id)} follows the reference's F1 most closely: Spearman's ρ ${estimateText(closest.spearman)} over groups.`,
        ]),
  ];
}
