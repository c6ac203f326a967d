import { indexBounds, type ScopeBounds } from "../../../analysis/stereotypes/audit-bounds.js";
import { type InitialIndex, initialIndex } from "../../../analysis/stereotypes/audit-items.js";
import {
  type SelfAgreement,
  selfAgreement,
} from "../../../analysis/stereotypes/audit-self-agreement.js";
import {
  auditedRows,
  auditedTrials,
  isRefined,
} from "../../../analysis/stereotypes/audited-rows.js";
import type { StereotypeRow } from "../../../analysis/stereotypes/stereotype-row.js";
import {
  type StereotypeConclusion,
  type StereotypeSummary,
  stereotypes,
} from "../../../analysis/stereotypes/stereotypes.js";
import type { ReportedRun } from "../../../benchmarks/run-records.js";
import { loadNotice } from "../../../benchmarks/stereotypes/packaged.js";
import { readAuditRecords } from "../../../benchmarks/stereotypes/read-audit-records.js";
import { stereotypesView } from "../../../conclusions/stereotypes/view.js";
import { listText } from "../../../core/phrases.js";
import type { UnscoredReason } from "../../../core/unscored.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
  probabilityText,
} from "../../../views/number-text.js";
import { printable } from "../../../views/printable.js";
import { numberColumns } from "../../../views/printed.js";
import type { Style } from "../../terminal/style.js";
import { conclusionText, table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

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
            { ...stereotypesView(conclusion), verdict: headline, findings: others },
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

/** Outcomes of the rewriting. */
export interface RefineTally {
  /** Rewrites that keep the rules. */
  readonly kept: number;
  /** Queries in whose images nothing was found. */
  readonly clean: number;
  /** Rewrites that broke a rule and were asked again. */
  readonly refused: number;
  /** Queries without a rewrite, and why; most frequent first. */
  readonly keptOut: readonly { readonly detail: string; readonly queries: number }[];
}

/** Audit findings as the terminal and --json show them. */
interface AuditFindings {
  readonly rows: readonly StereotypeRow[];
  readonly index: readonly InitialIndex[];
  /** Where refined images were judged. */
  readonly conclusion: StereotypeConclusion | undefined;
  readonly refining: RefineTally | undefined;
  /** Where the index would lie had every item without an answer been absent, and present. */
  readonly bounds: ScopeBounds;
  /** Items without an answer, by reason; those of unscored sets included. */
  readonly unscoredItems: Readonly<Partial<Record<UnscoredReason, number>>>;
  /** Image numbers that the judge gave and that there were none of. */
  readonly refusedCitations: number;
  readonly selfAgreement: readonly SelfAgreement[];
}

/** Draws the conclusions of an audit from its records. */
export async function auditFindings(run: Pick<ReportedRun, "ofType">): Promise<AuditFindings> {
  const records = await readAuditRecords(run);
  const { audits, refinements } = records;
  const rows = auditedRows(records);
  const unscoredItems: Partial<Record<UnscoredReason, number>> = {};
  let refusedCitations = 0;
  const count = (reason: UnscoredReason, by = 1) => {
    unscoredItems[reason] = (unscoredItems[reason] ?? 0) + by;
  };
  for (const audit of audits) {
    if (audit.trial > 0) continue;
    if (audit.status === "unscored") {
      count(audit.reason, audit.items.length);
      continue;
    }
    for (const answer of audit.answers) {
      if (answer.status === "unscored") count(answer.reason);
      else refusedCitations += answer.refusedImages?.length ?? 0;
    }
  }
  return {
    rows,
    index: initialIndex(rows),
    bounds: indexBounds(rows),
    conclusion: isRefined(records) ? stereotypes(rows) : undefined,
    refining: refinements.length === 0 ? undefined : refineTally(refinements),
    unscoredItems,
    refusedCitations,
    selfAgreement: selfAgreement(auditedTrials(audits)),
  };
}

type Refinements = Awaited<ReturnType<typeof readAuditRecords>>["refinements"];

function refineTally(refinements: Refinements): RefineTally {
  const keptOut = new Map<string, number>();
  let [kept, clean, refused] = [0, 0, 0];
  for (const refinement of refinements) {
    if (refinement.status === "unscored") {
      keptOut.set(refinement.detail, (keptOut.get(refinement.detail) ?? 0) + 1);
    } else if (refinement.askings === 0) clean++;
    else {
      kept++;
      refused += refinement.refused.length;
    }
  }
  return {
    kept,
    clean,
    refused,
    keptOut: [...keptOut]
      .sort((one, other) => other[1] - one[1])
      .map(([detail, queries]) => ({ detail, queries })),
  };
}
