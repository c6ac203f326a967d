import { InputError } from "../core/errors.js";
import { listText } from "../core/list-text.js";
import type { Estimate } from "../stats/estimate.js";
import { type ComparisonConclusion, type ComparisonOptions, comparison } from "./comparison.js";
import type { ComparisonRow } from "./comparison-samples.js";
import { undefinedEstimate } from "./intervals.js";
import type { Direction } from "./pair-sums.js";

/** What an earlier comparison found, or the table that it was made from. */
export type Baseline =
  | {
      readonly kind: "conclusion";
      readonly metric: string;
      readonly direction: Direction;
      readonly models: Readonly<Record<string, { readonly mean: Estimate }>>;
    }
  | { readonly kind: "table"; readonly metric: string; readonly rows: readonly ComparisonRow[] };

export interface GatedModel {
  readonly model: string;
  readonly mean: Estimate;
  /** Its mean before; null without a baseline. */
  readonly baseline: number | null;
  /** By how much it became better, whatever the direction; undefined without a baseline. */
  readonly change?: Estimate;
  /** Whether it lies below what is demanded by more than chance: its whole interval does. */
  readonly isSure: boolean;
  readonly passed: boolean;
}

export interface ComparisonGate {
  /** The least mean, or with a baseline the least change; null: no drop by more than chance. */
  readonly failUnder: number | null;
  readonly against: "mean" | "conclusion" | "table";
  readonly passed: boolean;
  readonly models: readonly GatedModel[];
  /** Models of the baseline that have no rows now. */
  readonly gone: readonly string[];
  /** Models that the baseline lacks: nothing is held against them. */
  readonly added: readonly string[];
}

/**
 * Whether each model is good enough. Without a baseline its mean must be at least `failUnder`. With
 * one it must not have become worse: its change (now minus before; before minus now where less is
 * better) must be at least `failUnder`, which is negative where a small drop is allowed; without
 * `failUnder` it fails where the whole 95 % interval of the change lies below 0. A model without any
 * score fails. Against a table the change is over the prompts that both have, paired; a conclusion
 * holds no prompts, so the two means count as independent, which makes the interval wider than it
 * has to be: with l and u the bounds of now and before, d - sqrt((m - l)^2 + (u' - m')^2), and so on
 * (MOVER; Zou and Donner, "Construction of Confidence Limits about Effect Measures", 2008).
 *
 * @throws InputError where there is nothing to hold against the baseline, or it is of another metric.
 */
export function comparisonGate(
  rows: readonly ComparisonRow[],
  conclusion: ComparisonConclusion,
  {
    baseline,
    failUnder = null,
    ...options
  }: ComparisonOptions & {
    readonly baseline?: Baseline | undefined;
    readonly failUnder?: number | null | undefined;
  },
): ComparisonGate {
  const { direction } = conclusion;
  if (baseline === undefined) {
    if (failUnder === null) throw new RangeError("Expected a baseline or a least mean");
    if (direction === "lower") {
      throw new InputError("Expected --baseline with --fail-under where less is better", {
        hint: "With a baseline, --fail-under is the least change for the better",
      });
    }
    const models = Object.entries(conclusion.models).map(([model, { mean }]): GatedModel => {
      const passed = mean.value !== null && isAtLeast(mean.value, failUnder);
      const isSure = !passed && isBelow(mean, failUnder);
      return { model, mean, baseline: null, isSure, passed };
    });
    return { failUnder, against: "mean", passed: allPassed(models), models, gone: [], added: [] };
  }
  const before = beforeOf(baseline, conclusion, options);
  const models = Object.entries(conclusion.models).flatMap(([model, { mean }]): GatedModel[] => {
    const old = before.get(model);
    if (old === undefined) return [];
    const change =
      old.kind === "mean"
        ? independentChange(mean, old.mean, direction)
        : pairedChange(rows, old.rows, { ...options, model, direction });
    const isSure = isBelow(change, failUnder ?? 0);
    const passed =
      change.value !== null && (failUnder === null ? !isSure : isAtLeast(change.value, failUnder));
    return [{ model, mean, baseline: old.mean.value, change, isSure: !passed && isSure, passed }];
  });
  const now = Object.keys(conclusion.models);
  if (models.length === 0) {
    throw new InputError(
      `Expected a model of the baseline (${listText([...before.keys()])}) in the table but it has ` +
        `${listText(now)}`,
      { hint: "Models are the same where their names are" },
    );
  }
  const gone = [...before.keys()].filter((model) => !now.includes(model));
  const added = now.filter((model) => !before.has(model));
  return { failUnder, against: baseline.kind, passed: allPassed(models), models, gone, added };
}

type Before =
  | { readonly kind: "mean"; readonly mean: Estimate }
  | { readonly kind: "rows"; readonly mean: Estimate; readonly rows: readonly ComparisonRow[] };

function beforeOf(
  baseline: Baseline,
  { metric, direction }: ComparisonConclusion,
  options: ComparisonOptions,
): Map<string, Before> {
  const isOther = baseline.kind === "conclusion" && baseline.direction !== direction;
  if (baseline.metric !== metric || isOther) {
    const said = baseline.kind === "conclusion" ? ` (${baseline.direction} is better)` : "";
    throw new InputError(
      `Expected a baseline of ${metric} (${direction} is better) but received one of ` +
        `${baseline.metric}${said}`,
    );
  }
  if (baseline.kind === "table") {
    const models = new Set(baseline.rows.map(({ model }) => model));
    return new Map(
      [...models].map((model): [string, Before] => {
        const rows = baseline.rows.filter((row) => row.model === model);
        const mean = comparison(rows, options).models[model]?.mean;
        return [model, { kind: "rows", mean: mean ?? undefinedEstimate("no rows"), rows }];
      }),
    );
  }
  return new Map(
    Object.entries(baseline.models).map(([model, { mean }]) => [model, { kind: "mean", mean }]),
  );
}

function pairedChange(
  rows: readonly ComparisonRow[],
  old: readonly ComparisonRow[],
  {
    model,
    direction,
    ...options
  }: ComparisonOptions & { readonly model: string; readonly direction: Direction },
): Estimate {
  const both = [
    ...rows.filter((row) => row.model === model).map((row) => ({ ...row, model: "1 now" })),
    ...old.map((row) => ({ ...row, model: "2 before" })),
  ];
  const [pair] = comparison(both, { ...options, direction, permutations: 1 }).pairs;
  return turned(pair?.difference ?? undefinedEstimate("nothing was scored"), direction);
}

function independentChange(now: Estimate, before: Estimate, direction: Direction): Estimate {
  if (now.value === null || before.value === null) {
    return undefinedEstimate(now.value === null ? "nothing was scored" : "no mean before");
  }
  const value = now.value - before.value;
  const { low, high } = now;
  if (low === null || high === null || before.low === null || before.high === null) {
    return turned({ value, low: null, high: null, reason: "a mean has no interval" }, direction);
  }
  const down = Math.hypot(now.value - low, before.high - before.value);
  const up = Math.hypot(high - now.value, before.value - before.low);
  return turned({ value, low: value - down, high: value + up }, direction);
}

/** As a change for the better. */
function turned(change: Estimate, direction: Direction): Estimate {
  const negative = (number: number | null) => (number === null ? null : 0 - number);
  return direction === "higher"
    ? change
    : {
        ...change,
        value: negative(change.value),
        low: negative(change.high),
        high: negative(change.low),
      };
}

/** 0.31 - 0.33 is not below -0.02, though rounding has it so. */
const isAtLeast = (value: number, bar: number) => value >= bar - 1e-12;
const isBelow = ({ high }: Estimate, bar: number) => high !== null && high < bar;
const allPassed = (models: readonly GatedModel[]) => models.every(({ passed }) => passed);
