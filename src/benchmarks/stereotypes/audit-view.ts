import type { InitialIndex, ItemEstimate } from "../../analysis/stereotypes/audit-items.js";
import type { AuditedQuery } from "../../analysis/stereotypes/audit-queries.js";
import type { ValueConclusion } from "../../analysis/stereotypes/audit-values.js";
import type { IndexChange } from "../../analysis/stereotypes/index-change.js";
import { stereotypesFigure, stereotypesOverall } from "../../conclusions/stereotypes/figure.js";
import {
  correctionTables,
  expertsTable,
  indexTable,
  itemTable,
  judgedItemsTable,
  judgeTable,
  testTable,
} from "../../conclusions/stereotypes/view.js";
import { shellWord } from "../../core/shell-word.js";
import type { Estimate } from "../../stats/estimate.js";
import type { Drawing, Figure } from "../../views/figures/figure.js";
import { intervalPlot, lineNotes, percentRow } from "../../views/figures/interval-plot.js";
import { palette } from "../../views/figures/palette.js";
import { countText, estimateText, fixedText, pluralText } from "../../views/number-text.js";
import type { Part } from "../../views/report.js";
import {
  as,
  type Cell,
  countColumn,
  named,
  numberColumn,
  percentColumn,
  said,
  textColumn,
  type ViewColumn,
  type ViewTable,
} from "../../views/view.js";
import type { AuditExperts, AuditPrice, AuditReport } from "./conclusion.js";
import {
  boundsTable,
  category,
  categoryText,
  generator,
  indices,
  initialTable,
} from "./index-tables.js";
import { auditPriceOf } from "./price-figure.js";

const counts = (...titles: readonly string[]) => titles.map((title) => countColumn(title));

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
export function indexParts(report: AuditReport): Part[] {
  const { conclusion, isRefined } = report;
  return [
    ...(isRefined
      ? [stereotypesFigure(conclusion), changedIndex(report), testTable(conclusion)]
      : [initialTable(report)]),
    boundsTable(report),
  ];
}

/** The index by category and generator, before and after. */
export function changedIndex({ conclusion }: Pick<AuditReport, "conclusion">): ViewTable {
  const table = indexTable(conclusion);
  const [, , ...numbers] = table.columns;
  return { ...table, columns: [category, generator, ...numbers] };
}

/** How often each item is flagged, and its part of all flags: two numbers that are easily mixed up. */
export const itemParts = ({ isRefined, items, conclusion }: AuditReport): Part[] =>
  isRefined
    ? [
        said`A ${as("em", "rate")} is how often an item is flagged, of its answers. A ${as("em", "share of flags")} is an item's part of all flags: shares add up to 100 % and say nothing of how many flags there are. The paper's figure 2 prints shares.`,
        {
          title: "Rubric items before and after",
          caption: "Over complete pairs of image sets.",
          ...auditItemsPlot(items),
        },
        itemTable(conclusion),
      ]
    : ["Items are compared before and after; here there is no after."];

/** Most queries shown without being asked for. */
const mostQueries = 15;

/** Every query, worst first, and those that refined prompts made worse. */
export function queryParts({
  queries: { queries, worse, worsePairs, pairs },
}: AuditReport): Part[] {
  const models = [...new Set(queries.flatMap((query) => query.models.map(({ model }) => model)))];
  const tableOf = (title: string, some: readonly AuditedQuery[], note: string): ViewTable => ({
    title,
    columns: [
      ...["query", "category"].map((one) => textColumn(one)),
      countColumn("pairs"),
      ...indices("before", "after", "difference", ...models),
      textColumn("flagged most before"),
    ],
    rows: some.map((query) => [
      ...[query.query, query.category, query.pairs],
      ...[query.initial, query.refined, query.difference],
      ...models.map((name) => fromTo(query.models.find(({ model }) => model === name))),
      query.flagged.join(", ").replaceAll("-", " "),
    ]),
    note,
  });
  const others = queries.slice(mostQueries);
  return [
    `${countText(worse.length)} of ${pluralText(queries.length, "query", "queries")} got worse over all their images, and ${countText(worsePairs)} of ${pluralText(pairs, "pair")} of image sets. One query's numbers are those of a few images: they say where to look, not what holds.`,
    ...(worse.length === 0
      ? []
      : [
          tableOf(
            "Queries that got worse",
            worse,
            "By most first; a column for each generator holds its index before and after.",
          ),
        ]),
    tableOf(
      "Queries, worst first",
      queries.slice(0, mostQueries),
      "By the index before. Difference: initial minus refined.",
    ),
    ...(others.length === 0
      ? []
      : [
          {
            summary: `The other ${countText(others.length)} queries`,
            parts: [tableOf("Other queries", others, "In the same order.")],
          },
        ]),
  ];
}

function fromTo(own: AuditedQuery["models"][number] | undefined): string {
  if (own === undefined) return "–";
  const text = (value: number | null) => (value === null ? "–" : fixedText(value, 3));
  return `${text(own.initial)} → ${text(own.refined)}`;
}

/** Price of refining: how well the images show what was asked for at first. */
export const priceParts = (report: AuditReport): Part[] =>
  report.prices.length === 0
    ? [
        said`No metric scored the images against their queries, so what refining costs is not known. Name metrics under ${as("code", "alignment")} in the audit's configuration.`,
      ]
    : [
        said`Images of both phases are scored against the ${as("em", "original")} query: a picture with fewer stereotypes that no longer shows what was asked for is no success.`,
        ...report.prices.flatMap((price) => priceOf(price, report)),
      ];

function priceOf(price: AuditPrice, { conclusion, isRefined }: AuditReport): Part[] {
  const { metric, model, direction, change, tradeOff, n } = price;
  const heading = { heading: named(metric, model) };
  if (!isRefined) return [heading, "Nothing was rewritten, so nothing was paid."];
  const figure = auditPriceOf(price, conclusion);
  if (figure === undefined) {
    return [
      heading,
      "It scored no set of images before and after, so by it what refining costs is not known. Why stands below, under what has no answer.",
    ];
  }
  return [
    heading,
    figure,
    changeTable(
      change,
      `Alignment with the query by ${metric}`,
      `${direction === "higher" ? "Higher" : "Lower"} is better: means over image sets. Difference: initial minus refined, [95 % interval that resamples whole queries].`,
    ),
    `How far a set's index falls goes with how much of its alignment is lost with Spearman's rho ${rhoText(tradeOff)} over ${pluralText(n, "set")}: above 0, what removes stereotypes removes the query as well.`,
  ];
}

const rhoText = (rho: Estimate) =>
  `${estimateText(rho)}${rho.value === null ? ` (${rho.reason})` : ""}`;

function changeTable(change: ValueConclusion, title: string, note: string): ViewTable {
  const cells = ({ pairs, dropped, initial, refined, difference }: IndexChange): Cell[] => [
    ...[pairs, dropped, initial, refined, difference],
  ];
  const each = Object.entries(change.categories);
  const all = each.length === 1 ? [] : [["all categories", change.overall] as const];
  const columns: ViewColumn[] = [
    ...[category, generator, ...counts("pairs", "left out")],
    ...[...indices("before", "after"), numberColumn("difference")],
  ];
  return {
    title,
    columns,
    rows: [...all, ...each].flatMap(([category, value]): Cell[][] => [
      [category, "all", ...cells(value)],
      ...Object.entries(value.models).map(([model, own]) => [category, model, ...cells(own)]),
    ]),
    note,
  };
}

/** Whether the images of a set became copies of one another. */
export function diversityParts({ diversity: { same, distance }, isRefined }: AuditReport): Part[] {
  const share = ({ images, same: copies }: { readonly images: number; readonly same: number }) =>
    `${countText(copies)} of ${countText(images)}`;
  return [
    `Four images of one and the same “neutral” person would have a low index and be no success. Images that are, to the byte, another image of their set: ${share(same.initial)} before${isRefined ? `, ${share(same.refined)} after` : ""}.`,
    distance === undefined
      ? "How far apart the images of a set lie was not measured: that takes a model that embeds images."
      : changeTable(
          distance.change,
          "Distance within a set",
          `The mean cosine distance between the images of a set by ${distance.model}, 0 for copies. Difference: initial minus refined; above 0 the refined images are more alike.`,
        ),
  ];
}

/** How far the judge is to be trusted: against itself, and against the truth where that is known. */
export const judgeParts = ({
  selfAgreement,
  experts,
  truth,
  judges,
  name,
}: AuditReport): Part[] => [
  `The judge is ${judges.join(", ")}.`,
  selfAgreement.length === 0
    ? said`It was asked once about each set, so how far it agrees with itself is not known; ${as("code", "trials: 2")} in the configuration would tell.`
    : {
        title: "The judge beside itself",
        columns: [
          ...[textColumn("category"), countColumn("items")],
          ...[percentColumn("same (%)"), numberColumn("alpha")],
        ],
        rows: selfAgreement.map(({ category, n, same, alpha }) => [
          ...[categoryText(category), n, same, alpha],
        ]),
        note: "Asked again with the images in another order: the share of its two answers to an item that are the same, and Krippendorff's alpha, which takes out what chance would give. A judge that always says the same may still be wrong.",
      },
  ...(experts === undefined ? [] : expertsParts(experts)),
  ...(truth === undefined ? [] : truthParts(truth)),
  ...(experts === undefined && truth === undefined
    ? [
        said`Whether it is right only people can say. A labelling sheet for them: ${as("code", `touchstone study page --audit ${shellWord(name)} --out sheet.html`)}`,
      ]
    : []),
];

function expertsParts({ between, judge, items, correction }: AuditExperts): Part[] {
  const whom = between.names.length === 1 ? "the expert" : "the experts";
  return [
    { heading: `Judged against ${whom}` },
    expertsTable(between),
    judgeTable(judge, whom),
    judgedItemsTable(items, whom),
    ...correctionTables(correction, whom),
  ];
}

const truthParts = ({
  spearman,
  n,
  judge,
  items,
  correction,
}: NonNullable<AuditReport["truth"]>): Part[] => [
  { heading: "Judged against true" },
  `The painter knows what is in its pictures. Over ${pluralText(n, "set")} the judged index follows the true one with Spearman's rho ${rhoText(spearman)}. The tables take the truth for an expert who answered everything.`,
  judgeTable(judge, "the truth"),
  judgedItemsTable(items, "the truth"),
  ...correctionTables(correction, "the truth"),
];

/** Outcomes of the rewriting. */
export const refiningParts = ({ refining, isRefined }: AuditReport): Part[] => [
  isRefined
    ? `${pluralText(refining.kept, "query", "queries")} (of a generator each) got a rewrite that keeps the rules; ${pluralText(refining.refused, "rewrite")} broke one and ${refining.refused === 1 ? "was" : "were"} asked again. In the images of ${countText(refining.clean)} nothing was found, so they were painted again as they stood. ${countText(refining.keptOut)} never got a rewrite that keeps the rules: they are left out of before and after, and in the bounds.`
    : "Nothing was rewritten.",
];

/** The index of images that were audited once, by category and generator. */
const initialIndexPlot = (initial: readonly InitialIndex[]): Drawing =>
  intervalPlot({
    title: "Social Stereotype Index",
    axisTitle: "index (0 to 1), with its 95 % interval",
    axisFormat: ".1f",
    valueTitle: "index",
    rows: initial.map(({ category, model, index: { n, mean } }) => {
      const { value, low, high, reason = "no answers" } = mean;
      const row = {
        band: category ?? "all categories",
        name: model ?? "all",
        series: "index",
        count: countText(n),
      };
      return value === null
        ? { ...row, label: "–", reason }
        : {
            ...row,
            value,
            low: low ?? value,
            high: high ?? value,
            label: estimateText({ value, low: null, high: null }),
          };
    }),
    series: [{ name: "index", colour: palette.vermilion, shape: "circle", filled: false }],
    domain: [0, 1],
    notes: ["n: image sets."],
  });

const series = [
  { name: "initial prompts", colour: palette.vermilion, shape: "circle", filled: false },
  { name: "refined prompts", colour: palette.green, shape: "diamond", filled: true },
] as const;

/** How often each rubric item is flagged before and after, by category. */
export function auditItemsPlot(items: readonly ItemEstimate[]): Drawing {
  const rows = items.map(({ category, item, phase, n, rate }) =>
    percentRow(
      {
        band: category,
        name: item.replaceAll("-", " "),
        series: `${phase} prompts`,
        count: countText(n),
      },
      rate,
    ),
  );
  return intervalPlot({
    title: "Rubric items before and after",
    axisTitle: "how often an item is flagged (%), with its 95 % interval",
    axisFormat: "d",
    valueTitle: "rate",
    rows,
    series,
    domain: [0, 100],
    notes: ["n: answers about image sets with an answer before and after.", ...lineNotes(rows)],
  });
}
