import type { ComparisonGate, GatedModel } from "../../analysis/comparison/comparison-gate.js";
import type { MarginGate } from "../../analysis/comparison/margin-gate.js";
import { largestOf } from "../../core/arrays.js";
import { listText } from "../../core/phrases.js";
import { type Estimate, mirrored } from "../../stats/estimate.js";
import { estimateText, pluralText } from "../../views/number-text.js";
import type { Cell } from "../../views/view.js";
import { marginSentences } from "./margin-view.js";
import { isPromptGate, promptGateText, type ShownPromptGate } from "./prompt-gate.js";

export const isMarginGate = (
  gate: ComparisonGate | MarginGate | ShownPromptGate,
): gate is MarginGate => "notWorse" in gate;

/**
 * Whether the gate was passed, and what each model lacks that did not.
 *
 * @example
 * // Gate missed: b's mean became worse by 0.0310 [0.0100, 0.0520] since previous.json, by more than
 * // chance.
 */
export function gateText(
  gate: ComparisonGate | MarginGate | ShownPromptGate,
  baselineName?: string,
): string {
  return isPromptGate(gate)
    ? promptGateText(gate, baselineName)
    : meansText(gate, baselineName ?? "the baseline");
}

function meansText(gate: ComparisonGate | MarginGate, baselineName: string): string {
  const { passed, gone, added, cautions } = gate;
  const limits = [
    ...(added.length === 0
      ? []
      : [`Not judged, since ${baselineName} lacks ${itOrThem(added)}: ${listText(added)}.`]),
    ...(gone.length === 0
      ? []
      : [`Not judged, since the table now lacks ${itOrThem(gone)}: ${listText(gone)}.`]),
    ...cautions.map((caution) => `Caveat: ${caution}.`),
  ];
  if (isMarginGate(gate)) {
    const [first = "", ...others] = marginSentences(gate, baselineName);
    return [`Gate ${passed ? "passed" : "missed"}: ${first}`, ...others, ...limits].join(" ");
  }
  const { models } = gate;
  if (passed) {
    const judged = `Gate passed: ${passedText(gate, baselineName)} (${pluralText(models.length, "model")}).`;
    return [judged, ...limits].join(" ");
  }
  const missed = models.filter((model) => !model.passed);
  const low = missed.filter(({ change, mean }) => change === undefined && mean.value !== null);
  const others = missed.filter((model) => !low.includes(model));
  const each = [
    ...lowMeans(low, gate),
    ...others.map((model) => missText(model, gate, baselineName)),
  ];
  return [`Gate missed: ${each.join("; ")}.`, ...limits].join(" ");
}

const itOrThem = ({ length }: readonly string[]) => (length === 1 ? "it" : "them");

function passedText({ failUnder, against, models }: ComparisonGate, baselineName: string): string {
  if (failUnder === null) {
    const drops = models.map(({ change }) => 0 - (change?.low ?? change?.value ?? 0));
    const most = largestOf([0, ...drops]);
    const could = most > 0 ? ` (it could be worse by up to ${Number(most.toPrecision(2))})` : "";
    return `no mean is shown to be worse than in ${baselineName}${could}`;
  }
  return against === "mean"
    ? `every mean is at least ${failUnder}`
    : failUnder > 0
      ? `every mean became better by at least ${failUnder} since ${baselineName}`
      : `no mean became worse by more than ${0 - failUnder} since ${baselineName}`;
}

/** Means below what is demanded: one with its interval; several stand in the table. */
function lowMeans(low: readonly GatedModel[], { failUnder }: ComparisonGate): string[] {
  return [true, false].flatMap((isSure) => {
    const some = low.filter((model) => model.isSure === isSure);
    const [one] = some;
    const below = isSure
      ? `significantly below ${failUnder}`
      : `below ${failUnder}, but not significantly`;
    if (one === undefined) return [];
    return some.length === 1
      ? [`${one.model}'s mean is ${estimateText(one.mean)}, ${below}`]
      : [`the means of ${listText(some.map(({ model }) => model))} are ${below}`];
  });
}

function missText(
  { model, mean, change, isSure, unjudged }: GatedModel,
  { failUnder }: ComparisonGate,
  baselineName: string,
): string {
  if (change === undefined) return `${model} has no mean, since ${mean.reason}`;
  if (unjudged !== undefined) return `${model} can't be judged: ${unjudged}`;
  const moved = `${model}'s mean became ${movedText(change)} since ${baselineName}`;
  return failUnder === null
    ? `${moved}, significantly`
    : `${moved}; ${demandText(failUnder)}, and it falls short of that${chance(isSure)}`;
}

function movedText({ value, low, high }: Estimate): string {
  if (value === null || value >= 0) return `better by ${estimateText({ value, low, high })}`;
  return `worse by ${estimateText(mirrored({ value, low, high }))}`;
}

const demandText = (failUnder: number) =>
  failUnder > 0 ? `better by ${failUnder} is demanded` : `worse by ${0 - failUnder} is allowed`;

const chance = (isSure: boolean) => (isSure ? " significantly" : ", but not significantly");

/** The gate's column in the table of models; none where it has no baseline. */
export function gateColumn(gate: ComparisonGate) {
  if (gate.against === "mean") return undefined;
  return {
    title: "change",
    cell: (model: string): Cell =>
      gate.models.find((each) => each.model === model)?.change ?? "new",
    note:
      "Change since the baseline, above 0 for the better, " +
      (gate.paired
        ? "on the prompts with scores before and now, paired."
        : "the two means taken as independent, which makes the interval wider than that of paired prompts."),
  };
}
