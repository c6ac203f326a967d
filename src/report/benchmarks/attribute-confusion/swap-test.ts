import { metricOf } from "../../../analysis/inference/metric-name.js";
import { tieText } from "../../../analysis/pairs/score-ties.js";
import type { SwapSummary } from "../../../analysis/pairs/swap.js";
import type {
  ConfusionReport,
  SwapSelection,
} from "../../../benchmarks/attribute-confusion/conclusion.js";
import { shellWord } from "../../../core/shell-word.js";
import type { Figure } from "../../../views/figures/figure.js";
import { swapPlot } from "../../../views/figures/swap-test.js";
import {
  boundNote,
  countText,
  estimateText,
  fixedText,
  percentText,
} from "../../../views/number-text.js";
import { above, type Column, dataTable, metricCell, type Row } from "../../pages/data-table.js";
import { type Html, html } from "../../pages/html.js";
import { warningList } from "../../pages/notices.js";

/** How often each metric prefers the swapped description, and ties. */
export function swapFigure(report: ConfusionReport): Figure {
  const [headline] = report.selections;
  const title = "Swap test by metric";
  const metrics = standingOf(report, headline).map(([id, { overall }]) => {
    const { metric, model } = metricOf({ metrics: report.standing }, id);
    return { metric, model, ...overall };
  });
  return {
    title,
    caption:
      "How often the description with its attributes swapped scores higher, and how often both score the same. n counts images.",
    ...swapPlot(title, metrics),
  };
}

/** Who prefers a description whose attributes stand on the wrong entities. */
export function swapTest(report: ConfusionReport): Html {
  const [headline] = report.selections;
  if (report.isUnreferenced) return unreferencedTest(report, headline);
  return html`<div class="prose">
<p>Each image is scored against the description that it was made from, and against the same with the attributes swapped between its entities. A metric <em>fails</em> where the swapped description scores strictly higher. Ties stand apart (${tieText(headline.swap.tieTolerance)}): a metric that says the same of everything never fails, and ties everywhere.</p>
<p>Counted are:</p>
<ul>${report.selections.map(({ name, description, images }) => html`<li><b>${name}</b>: the ${countText(images)} images ${description}</li>`)}</ul>
<p>An image on which a generator mixed the attributes up may rightly score higher for the swapped description; so the first is what the verdict speaks of.</p>
${warningList(report.warnings)}</div>
${report.selections.map((selection) => overallTable(report, selection))}
${partsTable(report, "generator", headline, "generators")}
${partsTable(report, "set of descriptions", headline, "sets")}
${published(report)}`;
}

/** What metrics prefer where nobody said what the images show, and how to find out. */
function unreferencedTest(report: ConfusionReport, all: SwapSelection): Html {
  const run = shellWord(report.name);
  return html`<div class="prose">
<p>Each image is scored against the description that it was made from, and against the same with the attributes swapped between its entities. Where the swapped one scores higher, either the generator mixed the attributes up and the metric saw it, or the metric is wrong. Nobody said which, so this counts for or against no metric.</p>
<p>People who answer the questions about each image's entities are such a reference. They see whole images, never what a metric looks at:</p>
<pre>touchstone example study-attribute-protocols &gt; study.yaml
touchstone study create study.yaml --from ${run} --run studies/attributes
touchstone study serve studies/attributes
touchstone score ${run} --answers studies/attributes --block localized
touchstone report ${run}</pre>
${warningList(report.warnings)}</div>
${overallTable(report, all)}
${published(report)}`;
}

/** What the column of bounds holds, as a part of a caption. */
export const boundsText = ({ isUnreferenced }: Pick<ConfusionReport, "isUnreferenced">): string =>
  isUnreferenced
    ? "the bounds are the first share had no unscored image scored higher so, and had all."
    : "the bounds are the share of failures had no unscored image failed, and had all.";

type SwapColumn = Column & { readonly title: string };

/** A metric that prefers the swapped description fails, unless nobody knows if the image is right. */
export const swapColumns = ({
  isUnreferenced,
}: Pick<ConfusionReport, "isUnreferenced">): readonly [SwapColumn, ...SwapColumn[]] => [
  { title: "metric" },
  { title: "n", kind: "number" },
  { title: isUnreferenced ? "prefers swapped (%)" : "fails (%)", kind: "number" },
  { title: "ties (%)", kind: "number" },
  { title: "unscored", kind: "number" },
  { title: "bounds (%)", kind: "number" },
  { title: "original − swapped", kind: "number" },
];

/** The metrics that stand for their name. */
export const standingOf = ({ standing }: ConfusionReport, { swap }: SwapSelection) =>
  Object.entries(swap.metrics).filter(([id]) => standing.some((metric) => metric.id === id));

function overallTable(report: ConfusionReport, selection: SwapSelection): Html {
  const { name } = selection;
  return dataTable({
    name: `Swap test, ${name}`,
    caption: html`<b>Swap test, ${name}.</b> Shares of n, [95 % interval]; ${boundsText(report)} ${boundNote}`,
    columns: swapColumns(report),
    rows: standingOf(report, selection).map(([id, { overall }]) => ({
      heading: metricCell(metricOf({ metrics: report.standing }, id)),
      cells: swapCells(overall),
    })),
  });
}

const percent = (share: number | null) => (share === null ? "–" : fixedText(share * 100, 1));

/** In the order of the columns after the metric. */
export const swapCells = ({
  n,
  unscored,
  failureRate,
  tieRate,
  bounds,
  difference,
}: SwapSummary): string[] => [
  countText(n),
  percentText(failureRate),
  percentText(tieRate),
  countText(unscored),
  unscored === 0 ? "–" : `${percent(bounds.low)} to ${percent(bounds.high)}`,
  estimateText(difference),
];

function partsTable(
  report: ConfusionReport,
  what: string,
  selection: SwapSelection,
  part: "generators" | "sets",
): Html | undefined {
  const { name } = selection;
  const metrics = standingOf(report, selection);
  const rows = metrics.flatMap(([id, metric]) =>
    Object.entries(metric[part]).map(
      ([of, summary], at): Row => ({
        heading: at === 0 ? metricCell(metricOf({ metrics: report.standing }, id)) : above,
        rule: at === 0,
        cells: [of.replace(/@.*$/, ""), ...swapCells(summary)],
      }),
    ),
  );
  const parts = new Set(metrics.flatMap(([, metric]) => Object.keys(metric[part])));
  if (parts.size < 2) return undefined;
  const title = `Swap test by ${what}, ${name}`;
  const [first, ...others] = swapColumns(report);
  return html`<details class="plain"><summary>${title}</summary>
${dataTable({
  name: title,
  caption: html`<b>${title}.</b> Columns as above.`,
  columns: [first, { title: what, kind: "short" }, ...others],
  rows,
})}</details>
`;
}

function published({ published: { paper, swap } }: ConfusionReport): Html {
  const name = "The paper's failures: other models on other images";
  return dataTable({
    name,
    caption: html`<b>${name}.</b> As ${paper} prints them (${swap.source}), of a few dozen cases; to be set beside the figures above by eye, never an expectation.`,
    columns: [{ title: "metric" }, { title: "fails (%)", kind: "number" }],
    rows: swap.rows.map(({ name: heading, value }) => ({ heading, cells: [fixedText(value, 2)] })),
  });
}
