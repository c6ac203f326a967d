import { hypot } from "../../stats/elementary/powers.js";
import type { Estimate } from "../../stats/estimate.js";
import { noSpread, undefinedEstimate, withInterval } from "../inference/intervals.js";
import type { Direction } from "../pairs/pair-sums.js";
import { type ComparisonOptions, comparisonOf } from "./comparison.js";
import { type ComparisonColumns, cellsOf, duels, samplesOf } from "./comparison-samples.js";

/** Prompts with a score of one model. */
export interface PairedPrompts {
  readonly shared: number;
  readonly onlyBefore: number;
  readonly onlyNow: number;
}

/**
 * The mean change for the better of one model over the prompts with scores before and now, paired, and
 * how many those are.
 *
 * @param now its rows, and `before` those of before.
 */
export function pairedChange(
  now: ComparisonColumns,
  before: ComparisonColumns,
  { direction, ...options }: ComparisonOptions & { readonly direction: Direction },
): { readonly change: Estimate; readonly prompts: PairedPrompts } {
  const both = oneAfterTheOther(now, before);
  const samples = samplesOf(both);
  const { pairs } = comparisonOf(both, samples, { ...options, direction, permutations: 1 });
  const [pair] = pairs;
  const sizeOf = (name: string) => {
    const model = samples.models.indexOf(name);
    const { from, to } = cellsOf(samples, model);
    return model < 0 ? 0 : to - from;
  };
  const shared = pair?.n ?? 0;
  return {
    change: turned(pair?.difference ?? undefinedEstimate("nothing was scored"), direction),
    prompts: {
      shared,
      onlyBefore: sizeOf(beforeName) - shared,
      onlyNow: sizeOf(nowName) - shared,
    },
  };
}

/** How each prompt with scores before and now changed for the better: of each the mean now minus that before. */
export interface PromptChanges extends PairedPrompts {
  readonly prompts: readonly string[];
  readonly changes: Float64Array;
}

/** The same changes prompt by prompt. */
export function promptChanges(
  now: ComparisonColumns,
  before: ComparisonColumns,
  direction: Direction,
): PromptChanges {
  const samples = samplesOf(oneAfterTheOther(now, before));
  const sign = direction === "higher" ? 1 : -1;
  const [one, other] = [nowName, beforeName].map((name) => samples.models.indexOf(name));
  const [size, beside] = [one, other].map((model = -1) => {
    const { from, to } = cellsOf(samples, model);
    return model < 0 ? 0 : to - from;
  });
  const found =
    one === undefined || other === undefined || one < 0 || other < 0
      ? undefined
      : duels(samples, [one, other], { sign, tieTolerance: 0 });
  const shared = found?.prompt.length ?? 0;
  return {
    prompts: Array.from(found?.prompt ?? [], (prompt) => samples.prompts[prompt] ?? ""),
    changes: Float64Array.from(found?.difference ?? [], (each) => sign * each),
    shared,
    onlyBefore: (beside ?? 0) - shared,
    onlyNow: (size ?? 0) - shared,
  };
}

const nowName = "1 now";
const beforeName = "2 before";

/** Rows of two tables as those of two models; labels are left out. */
function oneAfterTheOther(now: ComparisonColumns, before: ComparisonColumns): ComparisonColumns {
  const length = now.score.length + before.score.length;
  const known = new Map(now.prompt.names.map((name, code) => [name, code]));
  const codes = before.prompt.names.map((name) => {
    const code = known.get(name) ?? known.size;
    known.set(name, code);
    return code;
  });
  const score = new Float64Array(length);
  score.set(now.score);
  score.set(before.score, now.score.length);
  const prompt = new Int32Array(length);
  prompt.set(now.prompt.codes);
  prompt.set(
    before.prompt.codes.map((code) => codes[code] ?? -1),
    now.score.length,
  );
  return {
    model: {
      codes: new Int32Array(length).fill(1, now.score.length),
      names: [nowName, beforeName],
    },
    prompt: { codes: prompt, names: [...known.keys()] },
    score,
  };
}

/** The change for the better of two means that count as independent: MOVER. */
export function independentChange(now: Estimate, before: Estimate, direction: Direction): Estimate {
  if (now.value === null || before.value === null) {
    return undefinedEstimate(now.value === null ? "nothing was scored" : "no mean before");
  }
  const value = now.value - before.value;
  const [one, other] = [endsOf(now), endsOf(before)];
  const interval =
    one &&
    other &&
    ([
      value - hypot(now.value - one.low, other.high - before.value),
      value + hypot(one.high - now.value, before.value - other.low),
    ] as const);
  return turned(withInterval(value, interval, { whenNone: "a mean has no interval" }), direction);
}

/** A mean whose prompts all agree moves by nothing that is known. */
function endsOf({ value, low, high, reason }: Estimate) {
  if (reason === noSpread && value !== null) return { low: value, high: value };
  return low === null || high === null ? undefined : { low, high };
}

/** The estimate as a change for the better. */
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
