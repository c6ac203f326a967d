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
  // Of the images, or of those that it gave an answer about.
  const rate = ({ overall }: typeof best) =>
    `${spokenPercent(overall.failureRate)}${overall.n < images ? ` of the ${countText(overall.n)} that it scored` : ""}`;
  const which = `of the ${countText(images)} images ${description}`;
  const tied = scored.filter(({ overall }) => (overall.tieRate.value ?? 0) > 0.05);
  const correlated = standing.flatMap(({ id }) => {
    const found = correlations?.f1.metrics[id];
    const rho = found?.spearman.value ?? null;
    return found === undefined || rho === null ? [] : [{ id, ...found, rho }];
  });
  // One that scored fewer images followed the reference on other groups.
  const most = Math.max(...correlated.map(({ n }) => n));
  const [closest] = correlated.filter(({ n }) => n === most).sort((a, b) => b.rho - a.rho);
  return [
    worst === undefined
      ? `${name(best.id)} prefers the swapped description for ${rate(best)} ${which}.`
      : `${name(worst.id)} prefers the swapped description for ${rate(worst)} ${which}; ` +
        `${name(best.id)} for ${rate(best)}.`,
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
