import { metricOf } from "../../../analysis/inference/metric-name.js";
import type {
  ConfusionReport,
  LocalizedVariant,
} from "../../../benchmarks/attribute-confusion/conclusion.js";
import {
  boundNote,
  countText,
  estimateText,
  fixedText,
  percentText,
} from "../../../views/number-text.js";
import { dataTable } from "../../pages/data-table.js";
import { type Html, html } from "../../pages/html.js";
import { artCredit, labNotice } from "../../pages/notices.js";
import { page } from "../../pages/page.js";
import { claims } from "../../sections/claims-section.js";
import { gallery } from "../../sections/gallery-section.js";
import { methods } from "../../sections/methods.js";
import { plotFigure } from "../../sections/plot-figure.js";
import { unscoredTable } from "../../sections/unanswered.js";
import type { OverviewTable, RunOverview } from "../overview.js";
import type { PageOptions } from "../shown-benchmark.js";
import { strips, swapCards } from "./cards.js";
import { confusionCorrelation } from "./correlation.js";
import {
  boundsText,
  standingOf,
  swapCells,
  swapColumns,
  swapFigure,
  swapTest,
} from "./swap-test.js";
import { confusionVerdict } from "./verdict.js";

/**
 * The report of an attribute confusion run as one self-contained HTML file. Pure: the same report
 * gives the same text.
 */
export async function renderConfusionReport(
  report: ConfusionReport,
  { sanity }: Pick<PageOptions, "sanity"> = {},
): Promise<string> {
  const [verdict = "", ...others] = confusionVerdict(report);
  const { tieRule, tieTolerance } = report.selections[0].swap;
  const figure = swapFigure(report);
  return page({
    title: `Attribute confusion report: ${report.name}`,
    first: {
      verdict,
      sanity,
      notice: report.fromLab && labNotice,
      figure: await plotFigure(figure, figure.caption),
      example: swapCards(report),
    },
    sections: [
      {
        id: "also",
        title: "What else is known",
        body: html`${others.length > 0 && html`<ul class="also">${others.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
<p class="small">Brackets hold 95 % intervals, clustered by description.</p>`,
      },
      ...[
        { id: "swap", title: "Swapped attributes", body: swapTest(report) },
        {
          id: "reference",
          title: "Agreement with the reference",
          body: confusionCorrelation(report),
        },
        { id: "strips", title: "What a localised metric looks at", body: strips(report) },
        { id: "disagreement", title: "Where metrics disagree most", body: gallery(report.gallery) },
        { id: "ablations", title: "Ablations", body: ablations(report) },
        { id: "claims", title: "Claims of the paper", body: claims(report.claims) },
        { id: "unscored", title: "What has no answer", body: unscoredTable(report.unscored) },
        {
          id: "methods",
          title: "How every number was made",
          body: methods({ ...report, tieRule, tieTolerance }),
        },
      ].map((section) => ({ ...section, isFolded: true })),
    ],
    closing: html`${report.fromLab && artCredit}<p>Made by touchstone-t2i. This file asks nothing of a network and runs no script.</p>`,
  });
}

/** L-VQAScore with one part replaced: how the rest of the image is treated, who answers, or who localises. */
function ablations({ variants, published }: ConfusionReport): Html {
  const ours =
    variants.length === 0
      ? html`<p>No metric of this run looks at entities one by one. Score the run by one, with a model that answers questions and one that finds entities: <code>--metric localized-vqa-score</code>, and <code>--metric localized-vqa-score:masking</code> and the like for what is done around them.</p>`
      : dataTable({
          name: "Ablations of L-VQAScore",
          caption: html`<b>Ablations of L-VQAScore:</b> its F1 as it stands above, then with one part of it exchanged; failures and ties of the swap test in percent, correlation with the reference's F1 over groups, [95 % interval].`,
          columns: [
            { title: "part", kind: "short" },
            { title: "exchanged for", kind: "short" },
            { title: "n", kind: "number" },
            { title: "fails (%)", kind: "number" },
            { title: "ties (%)", kind: "number" },
            { title: "Spearman's ρ", kind: "number" },
            { title: "Kendall's τ-b", kind: "number" },
          ],
          rows: [...variants].sort(byPart).map((variant) => ({
            heading: variant.exchanged.map(({ part }) => part).join(" and ") || "nothing",
            cells: [exchangedFor(variant), ...cellsOf(variant)],
          })),
        });
  const { paper, ablation } = published;
  return html`${ours}
${dataTable({
  name: "The paper's ablations: other models on other images",
  caption: html`<b>The paper's ablations: other models on other images.</b> ${paper}, ${ablation.source}.`,
  columns: [
    { title: "part", kind: "short" },
    { title: "exchanged for", kind: "short" },
    { title: "Spearman's ρ", kind: "number" },
    { title: "Kendall's τ", kind: "number" },
  ],
  rows: ablation.rows.map(({ part, value, spearman, kendall }) => ({
    heading: part,
    cells: [value, fixedText(spearman, 3), fixedText(kendall, 3)],
  })),
})}`;
}

const partOf = ({ exchanged: [first] }: LocalizedVariant) => first?.part ?? "";
const byPart = (one: LocalizedVariant, other: LocalizedVariant) =>
  order.indexOf(partOf(one)) - order.indexOf(partOf(other));
const order = ["", "strategy", "leakage questions", "localiser", "answerer"];

const exchangedFor = ({ exchanged, strategy, answerer, localizer }: LocalizedVariant): Html =>
  exchanged.length > 0
    ? html`${exchanged.map(({ value }) => value).join(" and ")}`
    : html`${strategy}<span class="model">${[answerer, localizer].filter(Boolean).join(" + ")}</span>`;

const cellsOf = (variant: LocalizedVariant): string[] => [
  countText(variant.n),
  ...[variant.swapFailure, variant.swapTies].map(percentText),
  ...[variant.spearman, variant.kendallTauB].map(estimateText),
];

/** The swap test: every metric over all images, by generator and by set of descriptions. */
export const confusionOverview = (report: ConfusionReport): RunOverview => ({
  figure: swapFigure(report),
  tables: [
    swapTable(report, undefined),
    swapTable(report, { part: "generators", facet: "generator", title: "generator" }),
    swapTable(report, { part: "sets", facet: "domain", title: "set of descriptions" }),
  ].filter(({ rows }) => rows.length > 0),
});

interface Part {
  readonly part: "generators" | "sets";
  readonly facet: "generator" | "domain";
  readonly title: string;
}

function swapTable(report: ConfusionReport, by: Part | undefined): OverviewTable {
  const [headline] = report.selections;
  const [, ...numbers] = swapColumns(report);
  return {
    title: `Swap test, ${headline.name}${by === undefined ? "" : `, by ${by.title}`}`,
    columns: [
      { title: "metric" },
      { title: "model" },
      ...(by === undefined ? [] : [{ title: by.title }]),
      ...numbers.map(({ title }) => ({ title, align: "right" as const })),
    ],
    rows: standingOf(report, headline).flatMap(([id, results]) => {
      const { metric, model } = metricOf({ metrics: report.standing }, id);
      if (by === undefined) {
        return [
          { facets: { metric, model }, cells: [metric, model, ...swapCells(results.overall)] },
        ];
      }
      return Object.entries(results[by.part]).map(([whole, summary]) => {
        const of = whole.replace(/@.*$/, "");
        return {
          facets: { metric, model, [by.facet]: of },
          cells: [metric, model, of, ...swapCells(summary)],
        };
      });
    }),
    note: `Shares of n images ${headline.description}, [95 % interval]; ${boundsText(report)} ${boundNote}`,
  };
}
