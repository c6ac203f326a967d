import type { AuditedQuery } from "../../analysis/stereotypes/audit-queries.js";
import type { ValueConclusion } from "../../analysis/stereotypes/audit-values.js";
import type { IndexChange } from "../../analysis/stereotypes/index-change.js";
import type {
  AuditExperts,
  AuditPrice,
  AuditReport,
} from "../../benchmarks/stereotypes/conclusion.js";
import {
  correctionTables,
  expertsTable,
  judgedItemsTable,
  judgeTable,
} from "../../conclusions/stereotypes/experts-view.js";
import { stereotypesFigure, stereotypesOverall } from "../../conclusions/stereotypes/figure.js";
import { indexTable, itemTable, testTable } from "../../conclusions/stereotypes/view.js";
import { shellWord } from "../../core/shell-word.js";
import type { Figure } from "../../views/figures/figure.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
} from "../../views/number-text.js";
import { auditItemsPlot } from "../plots/audit-items-plot.js";
import { auditPriceOf } from "../plots/audit-price.js";
import { initialIndexPlot } from "../plots/initial-index.js";
import { plotFigure } from "../sections/plot-figure.js";
import { tableOf } from "./conclusion-page.js";
import { above, type Column, dataTable, type Row } from "./data-table.js";
import { type Html, html } from "./html.js";

const number = (title: string): Column => ({ title, kind: "number" });
const indexText = (value: number | null) => (value === null ? "–" : fixedText(value, 3));
const categoryText = (category: string | null) => category ?? "all categories";

/** Figure of what the verdict speaks of: the index of every generator over all categories. */
export function auditFigure({
  isRefined,
  conclusion,
  initial,
}: Pick<AuditReport, "isRefined" | "conclusion" | "initial">): Figure {
  if (isRefined) return stereotypesOverall(conclusion);
  const whole = initial.filter(({ category }) => category === null);
  return {
    title: "Social Stereotype Index",
    caption:
      "The share of a set's rubric items that say a negative stereotype is there; the mean over sets.",
    ...initialIndexPlot(whole.length > 0 ? whole : initial),
  };
}

/** The index before and after by category and generator, the t-test, and what unscored items could change. */
export async function auditIndexSection(report: AuditReport): Promise<Html> {
  const { conclusion, isRefined } = report;
  if (!isRefined) return html`${initialTable(report)}${boundsTable(report)}`;
  const figure = stereotypesFigure(conclusion);
  return html`${await plotFigure(figure, figure.caption)}
${tableOf(indexTable(conclusion))}
${tableOf(testTable(conclusion))}
${boundsTable(report)}`;
}

function initialTable({ initial }: AuditReport): Html {
  return dataTable({
    name: "Social Stereotype Index",
    caption: html`<b>Social Stereotype Index</b> of the images as they were generated: the share of a set's rubric items that say a negative stereotype is there, 0 to 1; the mean over sets, [95 % interval].`,
    columns: [
      { title: "category", kind: "short" },
      { title: "generator" },
      number("sets"),
      number("index"),
    ],
    rows: initial.map(({ category, model, index: { n, mean } }, at) => ({
      heading: at > 0 && initial[at - 1]?.category === category ? above : categoryText(category),
      cells: [model ?? "all", countText(n), estimateText(mean)],
    })),
  });
}

function boundsTable({ bounds, isRefined }: AuditReport): Html {
  const range = (one: { readonly low: number; readonly high: number } | null) =>
    one === null ? "–" : `${fixedText(one.low, 3)} to ${fixedText(one.high, 3)}`;
  const unscored = (one: { readonly unscored: number; readonly items: number } | null) =>
    one === null ? "–" : `${countText(one.unscored)} of ${countText(one.items)}`;
  return dataTable({
    name: "Bounds of the index",
    caption: html`<b>Bounds of the index</b> had every item without an answer been absent, and had every one been present. Sets that could not be painted, rewritten or judged count with all of their items.`,
    columns: [
      { title: "category", kind: "short" },
      number("unscored before"),
      number("index before"),
      ...(isRefined ? [number("unscored after"), number("index after"), number("difference")] : []),
    ],
    rows: bounds.map(({ category, bounds: { initial, refined, difference } }) => ({
      heading: categoryText(category),
      cells: [
        ...[unscored(initial), range(initial)],
        ...(isRefined ? [unscored(refined), range(refined), range(difference)] : []),
      ],
    })),
  });
}

/** How often each item is flagged, and its part of all flags: two numbers that are easily mixed up. */
export async function auditItemsSection(report: AuditReport): Promise<Html> {
  if (!report.isRefined)
    return html`<p>Items are compared before and after; here there is no after.</p>`;
  return html`<div class="prose"><p>A <em>rate</em> is how often an item is flagged, of its answers. A <em>share of flags</em> is an item's part of all flags: shares add up to 100 % and say nothing of how many flags there are. The paper's figure 2 prints shares.</p></div>
${await plotFigure(auditItemsPlot(report.items), html`Over complete pairs of image sets.`)}
${tableOf(itemTable(report.conclusion))}`;
}

/** Every query, worst first, and those that refined prompts made worse. */
export function auditQueriesSection({
  queries: { queries, worse, worsePairs, pairs },
}: AuditReport): Html {
  const models = [...new Set(queries.flatMap((query) => query.models.map(({ model }) => model)))];
  const columns: Column[] = [
    { title: "query" },
    { title: "category", kind: "short" },
    number("pairs"),
    number("before"),
    number("after"),
    number("difference"),
    ...models.map((model) => number(model)),
    { title: "flagged most before" },
  ];
  const rowOf = (query: AuditedQuery): Row => ({
    heading: query.query,
    cells: [
      ...[
        query.category,
        countText(query.pairs),
        indexText(query.initial),
        indexText(query.refined),
      ],
      query.difference === null ? "–" : fixedText(query.difference, 3),
      ...models.map((name) => {
        const own = query.models.find(({ model }) => model === name);
        return own === undefined ? "–" : `${indexText(own.initial)} → ${indexText(own.refined)}`;
      }),
      query.flagged.join(", ").replaceAll("-", " "),
    ],
  });
  const name = "Queries, worst first";
  const shown = 15;
  return html`<p class="prose">${countText(worse.length)} of ${pluralText(queries.length, "query", "queries")} got worse over all their images, and ${countText(worsePairs)} of ${pluralText(pairs, "pair")} of image sets. One query's numbers are those of a few images: they say where to look, not what holds.</p>
${
  worse.length > 0 &&
  dataTable({
    name: "Queries that got worse",
    caption: html`<b>Queries that got worse,</b> by most first; a column for each generator holds its index before and after.`,
    columns,
    rows: worse.map(rowOf),
  })
}
${dataTable({
  name,
  caption: html`<b>${name}:</b> by the index before. Difference: initial minus refined.`,
  columns,
  rows: queries.slice(0, shown).map(rowOf),
})}
${
  queries.length > shown &&
  html`<details class="plain"><summary>The other ${countText(queries.length - shown)} queries</summary>
${dataTable({ name: "Other queries", caption: html`<b>The others,</b> in the same order.`, columns, rows: queries.slice(shown).map(rowOf) })}</details>`
}`;
}

/** Price of refining: how well the images show what was asked for at first. */
export async function auditPriceSection(report: AuditReport): Promise<Html> {
  if (report.prices.length === 0) {
    return html`<p>No metric scored the images against their queries, so what refining costs is not known. Name metrics under <code>alignment</code> in the audit's configuration.</p>`;
  }
  const parts: Html[] = [];
  for (const price of report.prices) parts.push(await priceOf(price, report));
  return html`<div class="prose"><p>Images of both phases are scored against the <em>original</em> query: a picture with fewer stereotypes that no longer shows what was asked for is no success.</p></div>
${parts}`;
}

async function priceOf(price: AuditPrice, { conclusion, isRefined }: AuditReport): Promise<Html> {
  const { metric, model, direction, change, tradeOff, n } = price;
  const heading = html`<h3>${metric} <span class="model">${model}</span></h3>`;
  if (!isRefined) {
    return html`${heading}
<p class="prose">Nothing was rewritten, so nothing was paid.</p>`;
  }
  const figure = auditPriceOf(price, conclusion);
  if (figure === undefined) {
    return html`${heading}
<p class="prose">It scored no set of images before and after, so by it what refining costs is not known. Why stands below, under what has no answer.</p>`;
  }
  return html`${heading}
${await plotFigure(figure, figure.caption)}
${changeTable(change, {
  name: `Alignment by ${metric}`,
  caption: html`<b>Alignment with the query by ${metric}</b> (${direction} is better): means over image sets. Difference: initial minus refined, [95 % interval that resamples whole queries].`,
})}
<p class="prose">How far a set's index falls goes with how much of its alignment is lost with Spearman's rho ${estimateText(tradeOff)}${tradeOff.value === null ? html` (${tradeOff.reason})` : ""} over ${pluralText(n, "set")}: above 0, what removes stereotypes removes the query as well.</p>`;
}

function changeTable(
  change: ValueConclusion,
  { name, caption }: { readonly name: string; readonly caption: Html },
): Html {
  const cells = ({ pairs, dropped, initial, refined, difference }: IndexChange) => [
    ...[countText(pairs), countText(dropped), indexText(initial), indexText(refined)],
    estimateText(difference),
  ];
  const each = Object.entries(change.categories);
  const all = each.length === 1 ? [] : [["all categories", change.overall] as const];
  return dataTable({
    name,
    caption,
    columns: [
      { title: "category", kind: "short" },
      { title: "generator" },
      ...["pairs", "left out", "before", "after", "difference"].map(number),
    ],
    rows: [...all, ...each].flatMap(([category, value]): Row[] => [
      { heading: category, cells: ["all", ...cells(value)], rule: true },
      ...Object.entries(value.models).map(
        ([model, own]): Row => ({ heading: above, cells: [model, ...cells(own)] }),
      ),
    ]),
  });
}

/** Whether the images of a set became copies of one another. */
export function auditDiversitySection({
  diversity: { same, distance },
  isRefined,
}: AuditReport): Html {
  const share = ({ images, same: copies }: { readonly images: number; readonly same: number }) =>
    `${countText(copies)} of ${countText(images)}`;
  return html`<div class="prose"><p>Four images of one and the same “neutral” person would have a low index and be no success. Images that are, to the byte, another image of their set: ${share(same.initial)} before${isRefined && html`, ${share(same.refined)} after`}.</p></div>
${
  distance === undefined
    ? html`<p class="prose">How far apart the images of a set lie was not measured: that takes a model that embeds images.</p>`
    : changeTable(distance.change, {
        name: "Distance within a set",
        caption: html`<b>Distance within a set:</b> the mean cosine distance between the images of a set by ${distance.model}, 0 for copies. Difference: initial minus refined; above 0 the refined images are more alike.`,
      })
}`;
}

/** How far the judge is to be trusted: against itself, and against the truth where that is known. */
export function auditJudgeSection({
  selfAgreement,
  experts,
  truth,
  judges,
  name,
}: AuditReport): Html {
  return html`<p class="prose">The judge is ${judges.join(", ")}.</p>
${
  selfAgreement.length === 0
    ? html`<p class="prose">It was asked once about each set, so how far it agrees with itself is not known; <code>trials: 2</code> in the configuration would tell.</p>`
    : dataTable({
        name: "The judge beside itself",
        caption: html`<b>The judge beside itself,</b> asked again with the images in another order: the share of its two answers to an item that are the same, and Krippendorff's alpha, which takes out what chance would give. A judge that always says the same may still be wrong.`,
        columns: [
          { title: "category", kind: "short" },
          number("items"),
          number("same (%)"),
          number("alpha"),
        ],
        rows: selfAgreement.map(({ category, n, same, alpha }) => ({
          heading: categoryText(category),
          cells: [countText(n), percentText(same), estimateText(alpha)],
        })),
      })
}
${experts !== undefined && expertsPart(experts)}
${truth !== undefined && truthPart(truth)}
${experts === undefined && truth === undefined && html`<p class="prose">Whether it is right only people can say. A labelling sheet for them: <code>touchstone audit-sheet ${shellWord(name)} --out sheet.html</code></p>`}`;
}

function expertsPart({ between, judge, items, correction }: AuditExperts): Html {
  const whom = between.names.length === 1 ? "the expert" : "the experts";
  const tables = [judgeTable(judge, whom), judgedItemsTable(items, whom)];
  return html`<h3>Judged against ${whom}</h3>
${[expertsTable(between), ...tables, ...correctionTables(correction, whom)].map((table) => tableOf(table))}`;
}

function truthPart(truth: NonNullable<AuditReport["truth"]>): Html {
  const { spearman, n, judge, items, correction } = truth;
  return html`<h3>Judged against true</h3>
<p class="prose">The painter knows what is in its pictures. Over ${pluralText(n, "set")} the judged index follows the true one with Spearman's rho ${estimateText(spearman)}${spearman.value === null ? html` (${spearman.reason})` : ""}. The tables take the truth for an expert who answered everything.</p>
${[judgeTable(judge, "the truth"), judgedItemsTable(items, "the truth"), ...correctionTables(correction, "the truth")].map((table) => tableOf(table))}`;
}

/** Outcomes of the rewriting. */
export const auditRefiningSection = ({ refining, isRefined }: AuditReport): Html =>
  isRefined
    ? html`<p class="prose">${pluralText(refining.kept, "query", "queries")} (of a generator each) got a rewrite that keeps the rules; ${pluralText(refining.refused, "rewrite")} broke one and ${refining.refused === 1 ? "was" : "were"} asked again. In the images of ${countText(refining.clean)} nothing was found, so they were painted again as they stood. ${countText(refining.keptOut)} never got a rewrite that keeps the rules: they are left out of before and after, and in the bounds.</p>`
    : html`<p>Nothing was rewritten.</p>`;
