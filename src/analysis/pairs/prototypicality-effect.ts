import { largestOf } from "../../core/arrays.js";
import { listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
} from "../inference/intervals.js";
import { metricWarnings } from "../inference/metric-warnings.js";
import { withDifferenceOfBounds } from "../inference/one-sided-bound.js";
import { failureRateTerms, type PairSummary, pairSummaries, type Scope } from "./pair-summary.js";
import {
  byMetric,
  type Direction,
  numbered,
  type PairRow,
  type PairSums,
  PairTable,
  pairSums,
} from "./pair-sums.js";
import type { TieOptions } from "./score-ties.js";

/**
 * Which two images a row compares: a right atypical with a wrong typical one (the triplets), two of
 * the same member, both atypical or both typical, the second wrong in the same way (the controls),
 * or a right typical with a wrong atypical one (the reversed conflict).
 */
export const comparisons = [
  "contrastive",
  "control-atypical",
  "control-typical",
  "reversed",
] as const;
export type Comparison = (typeof comparisons)[number];

export interface EffectRow extends PairRow {
  readonly prompt: string;
  readonly knob: string;
  readonly comparison: Comparison;
}

export interface EffectOptions extends IntervalOptions, TieOptions {
  /** Direction of the metric. Default "higher". */
  readonly direction?: Direction | undefined;
  /** No domains and no knobs, in a tenth of the time. */
  readonly isBrief?: boolean | undefined;
}

/** A failure rate beside its controls. */
export interface ControlledSummary {
  readonly triplets: PairSummary;
  readonly bothAtypical: PairSummary;
  readonly bothTypical: PairSummary;
  /** The rows of both kinds of control pooled. */
  readonly controls: PairSummary;
  /** Failure rate of the triplets minus that of the pooled controls. */
  readonly effect: Estimate;
  readonly effectOverAtypical: Estimate;
  readonly effectOverTypical: Estimate;
  /** Right and typical against wrong and atypical: fails where a metric has the opposite prejudice. */
  readonly reversed: PairSummary;
  /** Failure rate of the reversed conflict minus that of the pooled controls. */
  readonly reversedEffect: Estimate;
}

export interface EffectMetric {
  readonly overall: ControlledSummary;
  /** The plain average of the domains. */
  readonly macro: ControlledSummary;
  readonly domains: Readonly<Record<string, ControlledSummary>>;
  readonly knobs: Readonly<Record<string, ControlledSummary>>;
}

export interface EffectConclusion {
  readonly metrics: Readonly<Record<string, EffectMetric>>;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/**
 * The effect of prototypicality on each metric: how much more often it fails (ProtoBias Eq. 5)
 * where the wrong image is the typical one than where both images show the same member and only
 * the knob is wrong. It is a difference of failure rates, in [-1, 1]. The intervals draw prompts,
 * each with its triplets and controls, so what makes a prompt hard for both cancels. Beside it stands
 * the effect of the reversed conflict, where the right image is the typical one.
 *
 * @example
 * prototypicalityEffect(rows).metrics["clip-score"]?.overall.effect // { value: 0.24, low: 0.2, … }
 */
export function prototypicalityEffect(
  rows: readonly EffectRow[],
  options: EffectOptions = {},
): EffectConclusion {
  const { direction = "higher", tieTolerance } = options;
  const tables = [...byMetric(rows)].map(([metric, itsRows]) => {
    const { names, numberOf } = numbered(itsRows.map(cellName));
    const sums = pairSums(PairTable.of(itsRows), {
      rows: Int32Array.from(itsRows.keys()),
      group: Int32Array.from(itsRows, (row) => numberOf(cellName(row))),
      groups: names.length,
      metric,
      direction,
      tieTolerance,
    });
    const cells = new Map(itsRows.map((row) => [numberOf(cellName(row)), row]));
    return { metric, sums, cells: [...cells].map(([group, row]) => ({ group, ...row })) };
  });
  const method = intervalMethod(options, {
    clusters: Math.max(0, largestOf(tables.map(({ sums }) => sums.sums.clusters))),
    clusteredBy: "prompt",
  });
  return {
    metrics: Object.fromEntries(
      tables.map(({ metric, sums, cells }) => [
        metric,
        summarise(sums, cells, { method, ...options }),
      ]),
    ),
    warnings: unmatchedWarnings(rows),
    intervals: method,
  };
}

interface Cell extends Pick<EffectRow, "domain" | "knob" | "comparison"> {
  readonly group: number;
}

/** A cell is one comparison within a domain and a knob; it is a group of the sums. */
const cellName = ({ domain, knob, comparison }: Omit<Cell, "group">) =>
  JSON.stringify([domain, knob, comparison]);

function summarise(
  table: PairSums,
  cells: readonly Cell[],
  { isBrief, method }: Pick<EffectOptions, "isBrief"> & { readonly method: IntervalMethod },
): EffectMetric {
  const domains = numbered(cells.map(({ domain }) => domain)).names;
  const knobs = numbered(cells.map(({ knob }) => knob)).names;
  const inDomain = (domain: string) => cells.filter((cell) => cell.domain === domain);
  const further: readonly Part[] = isBrief
    ? []
    : [
        ...domains.map((name) => ({ name, cells: inDomain(name) })),
        ...knobs.map((name) => ({ name, cells: cells.filter(({ knob }) => knob === name) })),
      ];
  const parts: Part[][] = [
    [{ name: "overall", cells }],
    domains.map((name) => ({ name, cells: inDomain(name) })),
    ...further.map((part) => [part]),
  ];
  // Of all rows and of domains, tables show means of the triplets' scores as well.
  const whole = isBrief ? 0 : parts.length - knobs.length;
  const [overall, macro, ...rest] = controlled(table, parts, { method, whole });
  if (overall === undefined || macro === undefined) throw new RangeError("Expected two parts");
  const named = (names: readonly string[], from: number) =>
    Object.fromEntries(
      names.flatMap((name, at) => {
        const summary = rest[from + at];
        return summary ? [[name, summary]] : [];
      }),
    );
  return { overall, macro, domains: named(domains, 0), knobs: named(knobs, domains.length) };
}

interface Part {
  readonly name: string;
  readonly cells: readonly Cell[];
}

const sides = [
  ["contrastive"],
  ["control-atypical"],
  ["control-typical"],
  ["control-atypical", "control-typical"],
  ["reversed"],
] as const satisfies readonly (readonly Comparison[])[];

/** Number of effects: the triplets over each control and over both, and the reversed conflict over both. */
const effectsOfAPart = 4;

function controlled(
  table: PairSums,
  parts: readonly (readonly Part[])[],
  { method, whole }: { readonly method: IntervalMethod; readonly whole: number },
): ControlledSummary[] {
  const scopes = parts.flatMap((averaged) =>
    sides.map(
      (side): Scope => averaged.map(({ name, cells }) => ({ name, groups: of(side, cells) })),
    ),
  );
  const others = parts.flatMap((_, at) => {
    const [triplets = [], atypical = [], typical = [], controls = [], reversed = []] = scopes.slice(
      at * sides.length,
      (at + 1) * sides.length,
    );
    const over = (conflict: Scope, rowsAre: string, control: Scope) => ({
      within: [-1, 1] as const,
      terms: [
        ...failureRateTerms(table, conflict, { rowsAre }),
        ...failureRateTerms(table, control, { rowsAre: "controls" }).map((term) => ({
          ...term,
          weight: -term.weight,
        })),
      ],
    });
    return [
      over(triplets, "triplets", atypical),
      over(triplets, "triplets", typical),
      over(triplets, "triplets", controls),
      over(reversed, "reversed pairs", controls),
    ];
  });
  const isWhole = (scope: number) => scope % sides.length === 0 && scope / sides.length < whole;
  const found = pairSummaries(table, { scopes, others, method, isWhole });
  return parts.flatMap((_, at) => {
    const [triplets, bothAtypical, bothTypical, controls, reversed] = found.summaries.slice(
      at * sides.length,
    );
    const [effectOverAtypical, effectOverTypical, effect, reversedEffect] = found.others.slice(
      at * effectsOfAPart,
    );
    if (!triplets || !bothAtypical || !bothTypical || !controls || !reversed) return [];
    if (!effectOverAtypical || !effectOverTypical || !effect || !reversedEffect) return [];
    const bounded = (difference: Estimate, control: PairSummary, conflict = triplets) =>
      withDifferenceOfBounds(difference, conflict.failureRate, control.failureRate);
    return [
      {
        triplets,
        bothAtypical,
        bothTypical,
        controls,
        effect: bounded(effect, controls),
        effectOverAtypical: bounded(effectOverAtypical, bothAtypical),
        effectOverTypical: bounded(effectOverTypical, bothTypical),
        reversed,
        reversedEffect: bounded(reversedEffect, controls, reversed),
      },
    ];
  });
}

const of = (side: readonly Comparison[], cells: readonly Cell[]) =>
  cells.filter(({ comparison }) => side.includes(comparison)).map(({ group }) => group);

/**
 * Names the prompts that stand on one side only: they make the difference one between prompts, too.
 */
export function unmatchedWarnings(rows: readonly EffectRow[]): string[] {
  return metricWarnings(
    [...byMetric(rows)].flatMap(([metric, itsRows]) =>
      unmatched(itsRows).map((text) => ({ metric, text })),
    ),
  );
}

function unmatched(rows: readonly EffectRow[]): string[] {
  const scored = rows.filter(
    ({ correct, adversarial }) => correct !== null && adversarial !== null,
  );
  const promptsOf = (wanted: (comparison: Comparison) => boolean) =>
    new Set(scored.filter((row) => wanted(row.comparison)).map(({ prompt }) => prompt));
  const triplets = promptsOf((comparison) => comparison === "contrastive");
  const controls = promptsOf((comparison) => comparison.startsWith("control-"));
  const alone = [...triplets].filter((prompt) => !controls.has(prompt)).length;
  const without = [...controls].filter((prompt) => !triplets.has(prompt)).length;
  const sides = [
    ...(alone === 0 ? [] : [`${alone} of ${triplets.size} prompts with triplets have no control`]),
    ...(without === 0
      ? []
      : [`${without} of ${controls.size} prompts with controls have no triplet`]),
  ];
  return sides.length === 0 ? [] : [listText(sides)];
}
