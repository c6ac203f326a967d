import type {
  PairCard,
  PrototypicalityReport,
} from "../../benchmarks/prototypicality/conclusion.js";
import type { Figure } from "../../views/figures/figure.js";
import { type Html, html } from "../pages/html.js";
import type { FirstScreen } from "../pages/page.js";
import { failureRatesPlot } from "../plots/failure-rates.js";
import { prototypicalityEffectPlot } from "../plots/prototypicality-effect-plot.js";
import { worstAndBest } from "../verdicts/report-verdict.js";
import { pairCard } from "./cards.js";
import { type Banded, effectOf, ratesOf } from "./failures.js";
import { labNotice } from "./lab-notice.js";
import { plotFigure } from "./plot-figure.js";

/** With more metrics their controls wait below: the first figure must fit the first screen. */
const mostWithControls = 5;

/** The verdict, the rates that it speaks of, and a pair on which its metrics differ. */
export async function firstScreen(
  report: PrototypicalityReport,
  [verdict = ""]: readonly string[],
): Promise<FirstScreen> {
  const figure = openingFigure(report);
  const example = examplePair(report);
  return {
    verdict,
    notice: report.fromLab && labNotice,
    figure: figure && (await plotFigure(figure, figure.caption)),
    example: example && pairCard(example, report),
  };
}

/** The rates that the verdict speaks of; undefined where no metric has one. */
export function openingFigure(report: PrototypicalityReport): Figure | undefined {
  const all = overall(report);
  const rates = all
    .flatMap((one) => ratesOf(one, report))
    .filter(({ series }) => all.length <= mostWithControls || series === "triplet");
  if (rates.length === 0) return undefined;
  const title = "Failure rate by metric";
  return {
    title,
    caption:
      "A metric fails where the wrong image of a pair scores as high as the right one, or higher. n counts pairs.",
    ...failureRatesPlot(title, rates),
  };
}

/**
 * A triplet on which the verdict's worst metric fails and its best does not, else one on which metrics
 * disagree, else the first.
 */
export function examplePair(report: PrototypicalityReport): PairCard | undefined {
  const triplets = report.cards.filter(({ comparison }) => comparison === "contrastive");
  const { worst, best } = worstAndBest(report);
  const outcome = ({ scores }: PairCard, id: string | undefined) =>
    scores.find(({ metric }) => metric === id)?.outcome;
  return (
    triplets.find((card) => outcome(card, worst) === "wrong" && outcome(card, best) === "right") ??
    triplets.find(({ group }) => group === "disagree") ??
    triplets[0]
  );
}

/** Further findings of the run, and what the conflict adds to each metric's failures. */
export async function furtherFindings(
  report: PrototypicalityReport,
  [, ...others]: readonly string[],
): Promise<Html> {
  const effects = overall(report).map((one) => effectOf(one, report));
  return html`${others.length > 0 && html`<ul class="also">${others.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
<p class="small">Over the pairs ${report.selections[0].description}. Brackets hold 95 % intervals, clustered by prompt.</p>
${await plotFigure(
  prototypicalityEffectPlot("Effect of prototypicality", effects),
  html`Failure rate of the triplets minus that of both controls together; an interval that crosses the line shows no significant effect. n counts triplets.`,
)}`;
}

const overall = ({ selections: [{ metrics }] }: PrototypicalityReport): Banded[] =>
  metrics.map(({ metric, overall: is }) => ({ band: "", metric, is }));
