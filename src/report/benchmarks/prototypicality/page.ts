import { metricOf } from "../../../analysis/inference/metric-name.js";
import { tieText } from "../../../analysis/pairs/score-ties.js";
import type {
  PairCard,
  PrototypicalityReport,
} from "../../../benchmarks/prototypicality/conclusion.js";
import { emptyFigure, type Figure } from "../../../views/figures/figure.js";
import { boundNote, countText, estimateText } from "../../../views/number-text.js";
import { type Column, dataTable, metricCell } from "../../pages/data-table.js";
import { type Content, type Html, html } from "../../pages/html.js";
import { artCredit, labNotice } from "../../pages/notices.js";
import { type FirstScreen, furtherChapters, page } from "../../pages/page.js";
import { claims } from "../../sections/claims-section.js";
import { gallery } from "../../sections/gallery-section.js";
import { methods } from "../../sections/methods.js";
import { plotFigure } from "../../sections/plot-figure.js";
import { unanswered } from "../../sections/unanswered.js";
import type { OverviewTable, RunOverview } from "../overview.js";
import type { PageOptions } from "../shown-benchmark.js";
import { cards, pairCard } from "./cards.js";
import {
  type Banded,
  bandedByDomain,
  bandedByKnob,
  comparedCells,
  effectOf,
  failures,
  filters,
  ratesOf,
} from "./failures.js";
import { failureRatesPlot, pairKinds, prototypicalityEffectPlot } from "./figure.js";
import { scores } from "./scores.js";
import { reportVerdict, worstAndBest } from "./verdict.js";

/**
 * The report of a prototypicality run as one self-contained HTML file. Pure: the same report gives
 * the same text.
 */
export async function renderPrototypicalityReport(
  report: PrototypicalityReport,
  { further = [], sanity }: PageOptions = {},
): Promise<string> {
  const verdict = reportVerdict(report);
  return page({
    title: `Prototypicality report: ${report.name}`,
    first: { ...(await firstScreen(report, verdict)), sanity },
    sections: [
      { id: "also", title: "What else is known", body: await furtherFindings(report, verdict) },
      ...[
        { id: "failures", title: "By domain and error type", body: await failures(report) },
        { id: "cards", title: "Pairs to look at", body: cards(report, examplePair(report)) },
        { id: "disagreement", title: "Where metrics disagree most", body: gallery(report.gallery) },
        { id: "filters", title: "With and without filters", body: await filters(report) },
        { id: "scores", title: "Scores and margins", body: await scores(report) },
        ...(report.times.length === 0
          ? []
          : [{ id: "times", title: "What a score takes", body: timesTable(report) }]),
        {
          id: "claims",
          title: "Claims of the paper",
          body: html`${claims(report.claims)}${weighting(report)}`,
        },
        ...(further.length === 0
          ? []
          : [{ id: "further", title: "Further chapters", body: furtherChapters(further) }]),
        { id: "unscored", title: "What has no answer", body: unanswered(report) },
        {
          id: "methods",
          title: "How every number was made",
          body: methods({ ...report, tieRule: tieRule(report) }),
        },
      ].map((section) => ({ ...section, isFolded: true })),
    ],
    closing: html`${report.fromLab && artCredit}<p>Made by touchstone-t2i. This file asks nothing of a network and runs no script.</p>`,
  });
}

function weighting({ selections: [{ metrics }] }: PrototypicalityReport): Content {
  const isOne = metrics.every(({ domains }) => Object.keys(domains).length < 2);
  return isOne
    ? ""
    : html`<p class="prose small">Where no domain is named, the pairs of all domains are pooled.</p>`;
}

const tieRule = ({ tieTolerance }: PrototypicalityReport) =>
  `a tie is a failure; the strict failure rate leaves ties out; ${tieText(tieTolerance)}`;

/** With more metrics their controls wait below: the first figure must fit the first screen. */
const mostWithControls = 5;

/** The verdict, the rates that it speaks of, and a pair on which its metrics differ. */
async function firstScreen(
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
function openingFigure(report: PrototypicalityReport): Figure | undefined {
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
async function furtherFindings(
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

/** Time, calls and cost of a score, by metric. */
function timesTable(report: PrototypicalityReport): Html {
  const { times, fromLab } = report;
  const isCalled = times.some(({ calls }) => calls !== null);
  const ofCalls = ["calls", "tokens", "cost (US dollars)"];
  const number = (title: string): Column => ({ title, kind: "number" });
  return dataTable({
    name: "What a score takes",
    caption: html`<b>What a score takes</b>, by the run's trace. Seconds run from asking to the answer, [95 % interval], with waiting, limits and retries; a rate counts scores while any was asked for. Both depend on the machine, its load and how many images are asked about at once; the first metric also opens the images. ${
      isCalled && "Calls, tokens and cost are those of hosted models, for an image. "
    }Answers from a cache are excluded.${
      fromLab &&
      html` The lab's models run in this process and none is large: <code>touchstone experiment proto-score --lab</code> counts their calls and times them one after another on the same pairs.`
    }`,
    columns: [
      { title: "metric" },
      ...["images", "seconds", "scores/s"].map(number),
      ...(isCalled ? ofCalls : []).map(number),
    ],
    rows: times.map(({ metric, n, seconds, perSecond, calls, tokens, cost }) => ({
      heading: metricCell(metricOf(report, metric)),
      cells: [
        countText(n),
        estimateText(seconds),
        threeFigures(perSecond),
        ...(isCalled ? [calls, tokens, cost].map(threeFigures) : []),
      ],
    })),
  });
}

const threeFigures = (value: number | null) =>
  value === null ? "–" : estimateText({ value, low: null, high: null });

/** The rates that the verdict speaks of, and every metric's by domain and by error type. */
export const prototypicalityOverview = (report: PrototypicalityReport): RunOverview => ({
  figure: openingFigure(report) ?? emptyFigure("Failure rate by metric", "no pair has both scores"),
  tables: [
    failureTable(report, { by: "domain", banded: bandedByDomain(report) }),
    failureTable(report, { by: "errorType", banded: bandedByKnob(report) }),
  ].filter(({ rows }) => rows.length > 0),
});

const byText = { domain: "domain", errorType: "error type" } as const;

function failureTable(
  report: PrototypicalityReport,
  { by, banded }: { readonly by: keyof typeof byText; readonly banded: readonly Banded[] },
): OverviewTable {
  const number = { align: "right" } as const;
  return {
    title: `Failure rates by ${byText[by]}`,
    columns: [
      { title: byText[by] },
      { title: "metric" },
      { title: "model" },
      ...pairKinds.flatMap(({ name: group }) => [
        { title: "failure rate (%)", group, ...number },
        { title: "n", group, ...number },
      ]),
      { title: "effect (points)", ...number },
    ],
    rows: banded.map(({ band, metric: id, is }) => {
      const { metric, model } = metricOf(report, id);
      return {
        facets: { [by]: band, metric, model },
        cells: [band, metric, model, ...comparedCells(is)],
      };
    }),
    note: `In percent, [95 % interval]. Effect: failure rate of the triplets minus that of both controls together. ${boundNote}`,
  };
}
