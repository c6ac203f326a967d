import { hypot } from "../../stats/elementary/hypot.js";
import type { Estimate } from "../../stats/estimate.js";
import { noSpread, undefinedEstimate, withInterval } from "../inference/intervals.js";
import type { Direction } from "../pairs/pair-sums.js";
import { type ComparisonOptions, comparison } from "./comparison.js";
import type { ComparisonRow } from "./comparison-samples.js";

/** Prompts with a score of one model. */
export interface PairedPrompts {
  readonly shared: number;
  readonly onlyBefore: number;
  readonly onlyNow: number;
}

/**
 * The mean change for the better of one model over the prompts with scores before and now, paired, and
 * how many those are.
 */
export function pairedChange(
  rows: readonly ComparisonRow[],
  old: readonly ComparisonRow[],
  {
    model,
    direction,
    ...options
  }: ComparisonOptions & { readonly model: string; readonly direction: Direction },
): { readonly change: Estimate; readonly prompts: PairedPrompts } {
  const both = [
    ...rows.filter((row) => row.model === model).map((row) => ({ ...row, model: "1 now" })),
    ...old.map((row) => ({ ...row, model: "2 before" })),
  ];
  const { pairs, scores } = comparison(both, { ...options, direction, permutations: 1 });
  const [difference] = pairs.map((pair) => pair.difference);
  const scored = (name: string) =>
    scores.prompts.map((_, at) => (scores.models[name]?.[at]?.length ?? 0) > 0);
  const [isNow, wasBefore] = [scored("1 now"), scored("2 before")];
  const count = (now: boolean, before: boolean) =>
    isNow.filter((is, at) => is === now && wasBefore[at] === before).length;
  return {
    change: turned(difference ?? undefinedEstimate("nothing was scored"), direction),
    prompts: {
      shared: count(true, true),
      onlyBefore: count(false, true),
      onlyNow: count(true, false),
    },
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
