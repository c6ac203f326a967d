import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import { fewestToTell } from "../inference/few-clusters.js";
import { noSpread, undefinedEstimate } from "../inference/intervals.js";
import { metricWarnings } from "../inference/metric-warnings.js";
import { whichSide } from "../inference/one-sided-bound.js";
import type { Direction } from "../pairs/pair-sums.js";
import { type ComparisonFound, type ComparisonOptions, comparisonOf } from "./comparison.js";
import {
  type ComparisonColumns,
  type ComparisonRow,
  inColumns,
  rowsOfModel,
  samplesOf,
  someRows,
} from "./comparison-samples.js";
import { independentChange, type PairedPrompts, pairedChange } from "./model-change.js";
import { columnsOfScores, type PromptScores } from "./prompt-scores.js";
import { differencesOf, type ScoreMeasure } from "./score-measure.js";

/** An earlier comparison, or the table that it was made from. */
export type Baseline =
  | {
      readonly kind: "conclusion";
      readonly metric: string;
      readonly direction: Direction;
      readonly measure?: ScoreMeasure | undefined;
      readonly models: Readonly<Record<string, { readonly mean: Estimate }>>;
      /** Missing where an earlier version wrote it: means are then all there is. */
      readonly scores?: PromptScores | undefined;
    }
  | {
      readonly kind: "table";
      readonly metric: string;
      /** Undefined where the table does not say. */
      readonly direction?: Direction | undefined;
      readonly measure?: ScoreMeasure | undefined;
      readonly rows: readonly ComparisonRow[] | ComparisonColumns;
    };

export interface ComparisonGate {
  /** The least mean, or with a baseline the least change; null: no drop by more than chance. */
  readonly failUnder: number | null;
  readonly against: "mean" | "conclusion" | "table";
  /** True if the change is paired over the shared prompts. */
  readonly paired: boolean;
  readonly passed: boolean;
  readonly models: readonly GatedModel[];
  /** Models of the baseline that have no rows now. */
  readonly gone: readonly string[];
  /** Models that the baseline lacks: nothing is held against them. */
  readonly added: readonly string[];
  /** Limits of the judgement, a sentence each without its stop. */
  readonly cautions: readonly string[];
}

export type GateOptions = ComparisonOptions & {
  readonly baseline?: Baseline | undefined;
  readonly failUnder?: number | null | undefined;
};

/**
 * Whether each model is good enough. Without a baseline its mean must be at least `failUnder`. With
 * one it must not have become worse: its change (now minus before; before minus now where less is
 * better) must be at least `failUnder`, which is negative where a small drop is allowed; without
 * `failUnder` it fails where the whole 95 % interval of the change lies below 0. The change is over the
 * prompts that have scores before and now, paired. Where the baseline holds means alone they count as
 * independent, which makes the interval wider than it has to be: with l and u the bounds of now and
 * before, d - sqrt((m - l)^2 + (u' - m')^2), and so on (MOVER; Zou and Donner, "Construction of
 * Confidence Limits about Effect Measures", 2008).
 *
 * A model that can't be judged fails: one without any score, one that shares fewer than six prompts with a
 * baseline that has others, and, without `failUnder`, one that became worse where too few prompts (or
 * no interval) say whether by chance.
 *
 * @throws InputError where there is nothing to hold against the baseline, or its scores are not of the
 *   same: another metric, direction, model asked, version or range.
 */
export function comparisonGate(
  rows: readonly ComparisonRow[] | ComparisonColumns,
  conclusion: ComparisonFound,
  { baseline, failUnder = null, ...options }: GateOptions,
): ComparisonGate {
  return baseline === undefined
    ? meanGate(conclusion, failUnder)
    : changeGate(inColumns(rows), conclusion, { ...options, baseline, failUnder });
}

function meanGate(
  { models, direction }: ComparisonFound,
  failUnder: number | null,
): ComparisonGate {
  if (failUnder === null) throw new RangeError("Expected a baseline or a least mean");
  if (direction === "lower") {
    throw new InputError("Expected --baseline with --fail-under where less is better", {
      hint: "With a baseline, --fail-under is the least change for the better",
    });
  }
  const gated = Object.entries(models).map(([model, { mean }]): GatedModel => {
    const passed = mean.value !== null && isAtLeast(mean.value, failUnder);
    const isSure = !passed && isBelow(mean, failUnder);
    return { model, mean, baseline: null, isSure, passed };
  });
  return {
    failUnder,
    against: "mean",
    paired: false,
    passed: allPassed(gated),
    models: gated,
    gone: [],
    added: [],
    cautions: [],
  };
}

function changeGate(
  rows: ComparisonColumns,
  conclusion: ComparisonFound,
  {
    baseline,
    failUnder,
    ...options
  }: ComparisonOptions & { readonly baseline: Baseline; readonly failUnder: number | null },
): ComparisonGate {
  refuseOther(baseline, conclusion);
  const before = beforeOf(baseline, options);
  const now = Object.keys(conclusion.models);
  const models = Object.entries(conclusion.models).flatMap(([model, { mean }]): GatedModel[] => {
    const old = before.get(model);
    if (old === undefined) return [];
    const { direction } = conclusion;
    const found =
      old.rows === undefined
        ? { change: independentChange(mean, old.mean, direction) }
        : pairedChange(someRows(rows, rowsOfModel(rows, model)), old.rows, {
            ...options,
            direction,
          });
    return [{ model, mean, baseline: old.mean.value, ...judged(found, failUnder) }];
  });
  if (models.length === 0) {
    throw new InputError(
      `Expected a model of the baseline (${listText([...before.keys()])}) in the table but it has ` +
        `${listText(now)}`,
      { hint: "Models are matched by name" },
    );
  }
  const paired = baseline.kind === "table" || baseline.scores !== undefined;
  return {
    failUnder,
    against: baseline.kind,
    paired,
    passed: allPassed(models),
    models,
    gone: [...before.keys()].filter((model) => !now.includes(model)),
    added: now.filter((model) => !before.has(model)),
    cautions: gateCautions(models, { paired }),
  };
}

/** Result of one model; `prompts` is undefined where they are not paired. */
function judged(
  { change, prompts }: { readonly change: Estimate; readonly prompts?: PairedPrompts },
  failUnder: number | null,
): Omit<GatedModel, "model" | "mean" | "baseline"> {
  const found = { change, ...(prompts === undefined ? {} : { prompts }) };
  const unjudged = whyUnjudged(change, { prompts, failUnder });
  if (unjudged !== undefined) return { ...found, isSure: false, passed: false, unjudged };
  const isEnough = prompts === undefined || prompts.shared >= fewestToTell;
  const isSure = isEnough && isBelow(change, failUnder ?? 0);
  const passed = failUnder === null ? !isSure : isAtLeast(change.value ?? Number.NaN, failUnder);
  return { ...found, isSure: !passed && isSure, passed };
}

function whyUnjudged(
  { value, high, reason }: Estimate,
  {
    prompts,
    failUnder,
  }: { readonly prompts: PairedPrompts | undefined; readonly failUnder: number | null },
): string | undefined {
  if (prompts !== undefined && prompts.shared < fewestToTell) {
    const { shared, onlyBefore } = prompts;
    const isWorse = failUnder === null && value !== null && value < 0;
    if (onlyBefore > 0 || isWorse || value === null) {
      const have = shared === 1 ? "prompt has a score" : "prompts have scores";
      return `${shared} ${have} before and now; it takes ${fewestToTell}`;
    }
  }
  if (value === null) return reason ?? "it has no change";
  // Prompts that all agree point one way, though they give no interval.
  const pointsOneWay = high !== null || reason === noSpread;
  if (failUnder !== null || value >= 0 || pointsOneWay) return undefined;
  return `it became worse, and whether by chance is not known: ${reason ?? "no interval"}`;
}

/** @throws InputError where the baseline's scores are of something else. */
export function refuseOther(baseline: Baseline, now: ComparisonFound): void {
  const { metric, direction = now.direction, measure = {} } = baseline;
  if (metric !== now.metric || direction !== now.direction) {
    const said = baseline.direction === undefined ? "" : ` (${direction} is better)`;
    throw new InputError(
      `Expected a baseline of ${now.metric} (${now.direction} is better) but received one of ` +
        `${metric}${said}`,
    );
  }
  const others = differencesOf(now.measure, measure);
  if (others.length === 0) return;
  throw new InputError(
    `Expected a baseline of the same ${metric} but it differs in ${listText(others)}`,
    { hint: "Scores of the one say nothing of the other; make the baseline anew" },
  );
}

interface Before {
  readonly mean: Estimate;
  /** Undefined where the baseline holds means alone. */
  readonly rows?: ComparisonColumns;
}

export function beforeOf(baseline: Baseline, options: ComparisonOptions): Map<string, Before> {
  if (baseline.kind === "conclusion") {
    const { models, scores } = baseline;
    return new Map(
      Object.entries(models).map(([model, { mean }]): [string, Before] => [
        model,
        scores === undefined ? { mean } : { mean, rows: columnsOfScores(scores, model) },
      ]),
    );
  }
  const all = inColumns(baseline.rows);
  return new Map(
    all.model.names.flatMap((model): [string, Before][] => {
      const rows = someRows(all, rowsOfModel(all, model));
      if (rows.score.length === 0) return [];
      const mean = comparisonOf(rows, samplesOf(rows), options).models[model]?.mean;
      return [[model, { mean: mean ?? undefinedEstimate("no rows"), rows }]];
    }),
  );
}

/** 0.31 - 0.33 is not below -0.02, though rounding has it so. */
const isAtLeast = (value: number, bar: number) => value >= bar - 1e-12;
const isBelow = (estimate: Estimate, bar: number) => whichSide(estimate, bar) === "below";
const allPassed = (models: readonly GatedModel[]) => models.every(({ passed }) => passed);

/** Means this many times as large or small are likelier to be on another scale than to have moved. */
const otherScale = 10;

/** Blind spots of a gate's judgement, a sentence each without its stop. */
export function gateCautions(
  models: readonly (Found & Pick<GatedModel, "model">)[],
  { paired }: { readonly paired: boolean },
): string[] {
  return [
    ...(paired
      ? []
      : [
          "the baseline holds no scores of single prompts, so small changes stay unseen: " +
            "write it anew with this version, or give its table",
        ]),
    ...metricWarnings(
      models.flatMap(({ model: metric, ...found }) =>
        [...lacking(found), ...few(found), ...scale(found)].map((text) => ({ metric, text })),
      ),
    ),
  ];
}

type Found = Pick<GatedModel, "mean" | "baseline" | "prompts" | "unjudged">;

function lacking({ prompts }: Found): string[] {
  if (prompts === undefined) return [];
  const { shared, onlyBefore, onlyNow } = prompts;
  const of = (count: number, whose: string) =>
    `${count} of ${shared + count} prompts ${whose} ${count === 1 ? "has" : "have"} no score`;
  return [
    ...(onlyBefore === 0 ? [] : [`${of(onlyBefore, "of the baseline")} now`]),
    ...(onlyNow === 0 ? [] : [`${of(onlyNow, "now")} in the baseline`]),
  ];
}

function few({ prompts, unjudged }: Found): string[] {
  if (prompts === undefined || unjudged !== undefined || prompts.shared >= fewestToTell) return [];
  const counted = `${prompts.shared} ${prompts.shared === 1 ? "prompt is" : "prompts are"}`;
  return [`${counted} too few to tell a change from chance: it takes ${fewestToTell}`];
}

function scale({ mean: { value }, baseline }: Found): string[] {
  if (value === null || baseline === null || value === 0 || baseline === 0) return [];
  const times = Math.abs(value / baseline);
  return times < otherScale && times > 1 / otherScale
    ? []
    : [`its mean was ${short(baseline)} and is ${short(value)}; see that the scale is the same`];
}

const short = (value: number) => String(Number(value.toPrecision(3)));

export interface GatedModel {
  readonly model: string;
  readonly mean: Estimate;
  /** Its mean before; null without a baseline. */
  readonly baseline: number | null;
  /** Change for the better, whatever the direction; undefined without a baseline. */
  readonly change?: Estimate;
  /** Prompts with a score before and now, and only then; undefined where prompts are not paired. */
  readonly prompts?: PairedPrompts;
  /** True if its whole interval lies below the gate. */
  readonly isSure: boolean;
  readonly passed: boolean;
  /** Why nothing can be said of it; it then fails. */
  readonly unjudged?: string;
}
