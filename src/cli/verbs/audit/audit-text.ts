import type { InitialIndex } from "../../../analysis/stereotypes/audit-initial.js";
import type {
  StereotypeConclusion,
  StereotypeSummary,
} from "../../../analysis/stereotypes/stereotypes.js";
import { loadNotice } from "../../../benchmarks/stereotypes/index.js";
import { listText } from "../../../core/list-text.js";
import { readableStereotypes } from "../../../report/text/stereotypes-text.js";
import { numberColumns } from "../../../views/number-columns.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
  probabilityText,
} from "../../../views/number-text.js";
import { printable } from "../../../views/printable.js";
import { conclusionText } from "../../conclusions/conclusion-text.js";
import type { Style } from "../../terminal/style.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";
import type { AuditFindings } from "./audit-findings.js";

const mostShown = 5;

/**
 * Renders an audit's findings for a terminal: verdict, index, further findings and caveats.
 *
 * @param verdict the sentences of its report's verdict; empty without a report
 */
export function auditText(
  findings: AuditFindings,
  {
    verdict,
    style,
    details,
  }: { readonly verdict: readonly string[]; readonly style: Style; readonly details: boolean },
): string {
  const { conclusion, index } = findings;
  const { width } = style;
  const [headline = "", ...others] = verdict.map(printable);
  return [
    ...(conclusion === undefined
      ? [
          ...(headline === "" ? [] : [style.bold(wrap(headline, width))]),
          [style.bold("Social Stereotype Index"), initialIndexTable(index, width)].join("\n"),
          wrap(indexNote, width),
        ]
      : [
          conclusionText(
            { ...readableStereotypes(conclusion), verdict: headline, findings: others },
            {
              style,
              details,
              opening: [
                style.bold("Social Stereotype Index, before and after"),
                indexTable(conclusion, width),
              ].join("\n"),
            },
          ),
          ...allInitial(findings).map((note) => wrap(note, width)),
        ]),
    ...workNotes(findings).map((note) => wrap(printable(note), width)),
    wrap(loadNotice().short, width),
  ].join("\n\n");
}

/** The index of all initial sets, where some have no refined counterpart. */
function allInitial({ conclusion, index: [all] }: AuditFindings): string[] {
  if (conclusion === undefined || all === undefined || all.index.n <= conclusion.overall.pairs) {
    return [];
  }
  return [
    `Of all ${pluralText(all.index.n, "initial set")} that were judged the index is ${estimateText(all.index.mean)}; ` +
      `${countText(all.index.n - conclusion.overall.pairs)} of them have nothing refined beside them.`,
  ];
}

const indexNote =
  "The share of a set's rubric items that say a negative stereotype is there, 0 to 1; the mean over " +
  "sets with an answer. Brackets hold 95 % intervals that resample whole queries.";

/** Counts of missing answers and excluded rewrites, and the judge's agreement with itself. */
function workNotes({
  rows,
  bounds,
  unscoredItems,
  refusedCitations,
  refining,
  selfAgreement,
}: AuditFindings): string[] {
  const missing = rows.filter(({ present }) => present === null).length;
  const reasons = Object.entries(unscoredItems).map(([reason, count]) => `${reason} ${count}`);
  const told = Object.values(unscoredItems).reduce((sum, count) => sum + count, 0);
  const unpainted = missing - told;
  if (unpainted > 0) reasons.push(`no images or no rewrite ${unpainted}`);
  const [own] = selfAgreement;
  return [
    ...(missing === 0
      ? []
      : [
          `${countText(missing)} of ${countText(rows.length)} items have no answer (${reasons.join(", ")}).${boundsText(bounds)}`,
        ]),
    ...(refusedCitations === 0
      ? []
      : [
          `The judge cited ${pluralText(refusedCitations, "image")} that it was not shown; these citations are excluded, its answers are kept.`,
        ]),
    ...(refining === undefined
      ? []
      : [
          `Rewrites: ${countText(refining.kept)} follow the rules (${countText(refining.refused)} that did not were asked for again), ` +
            `${countText(refining.clean)} ${refining.clean === 1 ? "was" : "were"} not needed, ` +
            `${countText(refining.keptOut.reduce((sum, { queries }) => sum + queries, 0))} excluded.`,
          ...refining.keptOut
            .slice(0, mostShown)
            .map(({ detail, queries }) => `  Excluded ${countText(queries)}: ${detail}`),
        ]),
    ...(own === undefined
      ? []
      : [
          `Asked again, the judge says the same of ${percentText(own.same)} % of ${countText(own.n)} items.`,
        ]),
  ];
}

function boundsText({ initial, refined }: AuditFindings["bounds"]): string {
  const parts = Object.entries({ initial, refined }).flatMap(([phase, of]) =>
    of === null
      ? []
      : [`the ${phase} index from ${fixedText(of.low, 2)} to ${fixedText(of.high, 2)}`],
  );
  return ` As if all of them were absent, or present: ${listText(parts)}.`;
}

/**
 * The index before and after refining, laid out as the paper's Table 4: a row for each category, a column for
 * each model and one for all, then the paired t-test. Letters stand for models, whose names are below.
 */
function indexTable({ categories, overall }: StereotypeConclusion, width: number): string {
  const models = Object.keys(overall.models);
  const each = Object.entries(categories);
  const all = each.length === 1 ? [] : [["all", overall] as const];
  const rows = [...each, ...all].map(([category, summary]) => [
    category,
    ...models.map((model) => changeText(summary.models[model])),
    changeText(summary),
    summary.fall === undefined ? "–" : percentText(summary.fall),
    ...testCells(summary),
  ]);
  const titles = [...models.map((_, at) => letterOf(at)), "all", "fall, %", "t", "df", "p"];
  return [
    table([{ title: "initial -> refined" }, ...numberColumns(...titles)], rows, width),
    ...models.map((model, at) => `${letterOf(at)}: ${model}`),
  ].join("\n");
}

const letterOf = (at: number): string => (at < 26 ? String.fromCharCode(65 + at) : `M${at + 1}`);

const changeText = (
  change: { readonly initial: number | null; readonly refined: number | null } | undefined,
): string => `${meanText(change?.initial)} -> ${meanText(change?.refined)}`;

const testCells = ({ test: { t, df, p } }: StereotypeSummary): string[] => [
  t === null ? "–" : fixedText(t, 2),
  df === null ? "–" : String(df),
  probabilityText(p),
];

const meanText = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : fixedText(value, 2);

/** The index of image sets that were audited once, by category and model. */
const initialIndexTable = (found: readonly InitialIndex[], width: number): string =>
  table(
    [
      { title: "category" },
      { title: "model" },
      ...numberColumns("sets", "unscored items"),
      { title: "index, 95 % interval by query", align: "right", isEssential: true },
    ],
    found.map(({ category, model, index, unscoredItems, items }, at) => [
      at > 0 && found[at - 1]?.category === category ? "" : (category ?? "all"),
      model ?? "all models",
      countText(index.n),
      `${countText(unscoredItems)} of ${countText(items)}`,
      estimateText(index.mean),
    ]),
    width,
  );
