import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { type TextColumn, textAt } from "../../core/text-column.js";
import type { Estimate } from "../../stats/estimate.js";
import { fewestToTell } from "../inference/few-clusters.js";
import { changeInterval, type ScoreSteps, scoreSteps } from "./change-interval.js";
import {
  type ChangeNoise,
  floorOf,
  marginFor,
  noiseOfSamples,
  noiseOfSelf,
  oneSidedError,
  promptsFor,
} from "./change-noise.js";
import type { ComparisonFound } from "./comparison.js";
import { type Baseline, beforeOf, gateCautions, refuseOther } from "./comparison-gate.js";
import { type ComparisonColumns, rowsOfModel, someRows } from "./comparison-samples.js";
import { promptChanges } from "./model-change.js";

/** How much a mean may change. */
export interface Margin {
  /** The largest drop; null where `same` is given. */
  readonly notWorse: number | null;
  /** The largest change either way. */
  readonly same: number | null;
}

export const marginOf = ({ notWorse, same }: Margin): number => notWorse ?? same ?? Number.NaN;

/**
 * What is shown: that a model is as good as before within the margin; that it is worse, by more than the margin or
 * by more than chance; with `same` that it is better by more than the margin; or nothing.
 */
export type MarginState = "as-good" | "worse" | "better" | "undecided";

/** A change and what it shows. */
export interface MarginVerdict {
  /** Change of the mean for the better; the interval is two-sided at 90 %, so each end holds at 95 %. */
  readonly change: Estimate;
  readonly state: MarginState;
  readonly prompts: {
    readonly shared: number;
    /** About how many decide, were change and spread as they are; null once decided, and where none would. */
    readonly needed: number | null;
    readonly onlyBefore: number;
    readonly onlyNow: number;
  };
}

export interface MarginModel extends MarginVerdict {
  readonly model: string;
  /** Its name in the baseline, where that is another. */
  readonly before?: string;
  readonly mean: Estimate;
  /** Its mean before. */
  readonly baseline: number | null;
  readonly passed: boolean;
  readonly floor: number | null;
}

/** Prompts with one value of a column; intervals allow for the number of looks (Bonferroni). */
export interface MarginGroup extends MarginVerdict {
  readonly model: string;
  readonly group: string;
}

export interface MarginGate extends Margin {
  readonly passed: boolean;
  /** The smallest margin that the shared prompts can show of an unchanged generator; null where nothing tells. */
  readonly floor: number | null;
  /** The margin that an unchanged generator holds in four of five gates. */
  readonly proposed: number | null;
  readonly noise: ChangeNoise["from"] | null;
  readonly interval: "skewed-t" | "t";
  readonly models: readonly MarginModel[];
  /** The worst first; missing without a column to group by. */
  readonly groups?: readonly MarginGroup[];
  readonly gone: readonly string[];
  readonly added: readonly string[];
  readonly cautions: readonly string[];
}

export interface MarginOptions extends Margin {
  readonly baseline: Baseline;
  /** Scores of the baseline's generator, run again. */
  readonly self?: readonly ComparisonColumns[];
  /** What each row belongs to. */
  readonly by?: TextColumn | undefined;
  readonly range?: readonly [low: number, high: number] | undefined;
  /** True for Student's t alone. */
  readonly isT?: boolean;
}

const usualForecast = { power: 0.8 } as const;

/**
 * Whether each model is shown to be as good as before: the whole one-sided 95 % interval of its mean change lies
 * above minus the margin (non-inferiority), or with `same` both ends within the margin (two one-sided tests:
 * Schuirmann, "A Comparison of the Two One-Sided Tests Procedure and the Power Approach", 1987). The change is paired
 * by prompt, over the mean of each prompt's images. All models have to pass, and no adjustment is due (the
 * intersection-union test: Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling", 1982). With `by`
 * no group may be shown worse, either.
 *
 * @throws InputError where the baseline is of something else or has no scores of prompts, and for a margin below
 *   what `self` shows to be noise.
 */
export function marginGate(
  rows: ComparisonColumns,
  conclusion: ComparisonFound,
  {
    baseline,
    self = [],
    by,
    range = conclusion.measure.range,
    isT = false,
    ...margin
  }: MarginOptions,
): MarginGate {
  refuseOther(baseline, conclusion);
  // Of its own mean the value alone is shown: no draws for an interval.
  const before = beforeOf(baseline, { interval: "t" });
  const now = Object.keys(conclusion.models);
  const couples = couplesOf(now, [...before.keys()]);
  const { direction } = conclusion;
  const found = couples.map(([model, name]) => {
    const old = before.get(name)?.rows;
    if (old === undefined) throw onlyMeans();
    const its = someRows(rows, rowsOfModel(rows, model));
    const changed = promptChanges(its, old, direction);
    const steps = scoreSteps([its.score, old.score], changed.changes, range);
    const others = self.map((table) => someRows(table, rowsOfModel(table, selfName(table, name))));
    const noise = others.length > 0 ? noiseOfSelf(old, others, direction) : noiseOfSamples(old);
    return { model, name, changed, steps, noise };
  });
  const isBothEnds = margin.same !== null;
  const floors = found.map(({ noise, steps, changed: { shared } }) => ({
    floor: noise === undefined ? null : floorOf(noise, steps, shared),
    proposed:
      noise === undefined || shared < 2
        ? null
        : marginFor(noise, steps, shared, { ...usualForecast, isBothEnds }),
  }));
  const floor = largest(floors.map((each) => each.floor));
  const proposed = largest(floors.map((each) => each.proposed));
  if (self.length > 0 && floor !== null && marginOf(margin) < floor) {
    throw belowFloor(margin, { floor, proposed, prompts: found[0]?.changed.shared ?? 0 });
  }
  const models = found.map(({ model, name, changed, steps }, at): MarginModel => {
    const verdict = judged(changed.changes, { steps, margin, isT, error: oneSidedError });
    const { onlyBefore, onlyNow } = changed;
    const { mean = nothing } = conclusion.models[model] ?? {};
    return {
      model,
      ...(name === model ? {} : { before: name }),
      mean,
      baseline: before.get(name)?.mean.value ?? null,
      ...verdict,
      prompts: { ...verdict.prompts, onlyBefore, onlyNow },
      floor: floors[at]?.floor ?? null,
      passed: verdict.state === "as-good",
    };
  });
  const looks =
    by === undefined
      ? undefined
      : found.flatMap(({ model, changed, steps }) =>
          partsOf(rows, by, changed).map((part) => ({ model, steps, ...part })),
        );
  const judgedGroups = looks
    ?.map(({ model, group, changes, steps }): MarginGroup => {
      const error = oneSidedError / looks.length;
      return { model, group, ...judged(changes, { steps, margin, isT, error }) };
    })
    .sort((one, other) => (one.change.value ?? 0) - (other.change.value ?? 0));
  return {
    passed:
      models.every(({ passed }) => passed) &&
      (judgedGroups ?? []).every(({ state }) => state !== "worse"),
    ...margin,
    floor,
    proposed,
    noise: found[0]?.noise?.from ?? null,
    interval: isT ? "t" : "skewed-t",
    models,
    ...(judgedGroups === undefined ? {} : { groups: judgedGroups }),
    gone: [...before.keys()].filter((name) => !couples.some(([, its]) => its === name)),
    added: now.filter((name) => !couples.some(([its]) => its === name)),
    cautions: gateCautions(models, { paired: true }),
  };
}

const nothing: Estimate = { value: null, low: null, high: null, reason: "nothing was scored" };

const largest = (values: readonly (number | null)[]): number | null =>
  values.reduce(
    (most, each) => (each === null || (most !== null && most > each) ? most : each),
    null,
  );

/** Models now and before: by their names, or the only one of either. */
export function couplesOf(
  now: readonly string[],
  before: readonly string[],
): (readonly [now: string, before: string])[] {
  const shared = now.filter((name) => before.includes(name));
  if (shared.length > 0) return shared.map((name) => [name, name]);
  const [[one, ...more], [other, ...others]] = [now, before];
  if (one !== undefined && other !== undefined && more.length + others.length === 0) {
    return [[one, other]];
  }
  throw new InputError(
    `Expected a model of the baseline (${listText(before)}) in the table but it has ${listText(now)}`,
    { hint: "Models are matched by name, or if either table has only one" },
  );
}

/** The model's name among scores of the same generator. */
export function selfName({ model }: ComparisonColumns, name: string): string {
  const [only, ...more] = model.names;
  if (model.names.includes(name) || only === undefined || more.length > 0) return name;
  return only;
}

const onlyMeans = () =>
  new InputError(
    "Expected a baseline with scores of single prompts for a margin but it holds means alone",
    { hint: "Give its table, or write it anew: touchstone compare scores.csv --out accepted.json" },
  );

/** At least as much, with two figures. */
function roundedUp(value: number): string {
  const rounded = Number(value.toPrecision(2));
  return String(rounded >= value ? rounded : Number((value * 1.05).toPrecision(2)));
}

function belowFloor(
  margin: Margin,
  {
    floor,
    proposed,
    prompts,
  }: { readonly floor: number; readonly proposed: number | null; readonly prompts: number },
): InputError {
  const flag = margin.same === null ? "not-worse" : "same";
  return new InputError(
    `Expected a margin of at least ${roundedUp(floor)} for --${flag} but received ${marginOf(margin)}: with ` +
      `${prompts} prompts the unchanged generator's own noise hides a smaller one`,
    {
      hint:
        `--${flag} ${roundedUp(proposed ?? floor)} is held by an unchanged generator in four of five gates; or take more ` +
        `prompts: --${flag} ${marginOf(margin)} --power 0.8 says how many`,
    },
  );
}

function judged(
  changes: Float64Array,
  {
    steps,
    margin,
    isT,
    error,
  }: {
    readonly steps: ScoreSteps;
    readonly margin: Margin;
    readonly isT: boolean;
    readonly error: number;
  },
): MarginVerdict {
  const interval = changeInterval(changes, steps, { error, isT });
  const shared = changes.length;
  const isEnough = shared >= fewestToTell;
  const tooFew = `${shared === 1 ? "1 prompt has" : `${shared} prompts have`} both scores; it takes ${fewestToTell}`;
  const change = isEnough ? interval : { ...interval, reason: interval.reason ?? tooFew };
  const state = isEnough ? stateOf(change, margin) : "undecided";
  const needed = state === "undecided" ? neededOf(changes, change, { steps, margin }) : null;
  return { change, state, prompts: { shared, needed, onlyBefore: 0, onlyNow: 0 } };
}

function stateOf({ low, high }: Estimate, margin: Margin): MarginState {
  if (low === null || high === null) return "undecided";
  const most = marginOf(margin);
  if (low > -most && (margin.same === null || high < most)) return "as-good";
  if (high < 0) return "worse";
  return margin.same !== null && low > most ? "better" : "undecided";
}

/** How many prompts decide with a power of 0.8, were change and deviation as they are. */
function neededOf(
  changes: Float64Array,
  { value }: Estimate,
  { steps, margin }: { readonly steps: ScoreSteps; readonly margin: Margin },
): number | null {
  if (value === null || changes.length < 2) return null;
  const mean = value;
  const squares = changes.reduce((sum, each) => sum + (each - mean) * (each - mean), 0);
  const df = changes.length - 1;
  const most = marginOf(margin);
  const away = margin.same === null ? Math.abs(mean + most) : Math.abs(most - Math.abs(mean));
  const noise = { deviation: Math.sqrt(squares / df), df, from: "prompts" } as const;
  const forecast = { ...usualForecast, isBothEnds: false, margin: away };
  const needed = promptsFor(noise, steps, forecast);
  return needed === null ? null : Math.max(needed, changes.length + 1, fewestToTell);
}

/** The changes of a model's prompts by what they belong to; a prompt belongs to what its first row says. */
function partsOf(
  { prompt }: ComparisonColumns,
  by: TextColumn,
  { prompts, changes }: { readonly prompts: readonly string[]; readonly changes: Float64Array },
): { readonly group: string; readonly changes: Float64Array }[] {
  const groups = new Map<string, string>();
  for (const [row, code] of prompt.codes.entries()) {
    const name = prompt.names[code] ?? "";
    const group = textAt(by, row);
    if (group !== undefined && !groups.has(name)) groups.set(name, group);
  }
  const parts = new Map<string, number[]>();
  for (const [at, name] of prompts.entries()) {
    const group = groups.get(name);
    if (group === undefined) continue;
    const part = parts.get(group) ?? [];
    part.push(changes[at] ?? 0);
    parts.set(group, part);
  }
  return [...parts].map(([group, its]) => ({ group, changes: Float64Array.from(its) }));
}
