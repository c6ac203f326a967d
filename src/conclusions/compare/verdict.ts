import type { ComparedPair } from "../../analysis/comparison/compared-pair.js";
import type { ComparisonFound } from "../../analysis/comparison/comparison.js";
import type { CorrectedPair } from "../../analysis/comparison/comparison-labels.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  countText,
  estimateText,
  fixedText,
  pluralText,
  probabilityText,
  spokenPercent,
  spokenShare,
  tooFewText,
} from "../../views/number-text.js";
import {
  countedOf,
  peoplesStanding,
  rankedModels,
  type SidedPair,
  sidesOf,
  standing,
} from "./pairs.js";

/**
 * Which model is better and by how much, in a sentence or two; never more than the adjusted tests and
 * the intervals carry. Where people labelled some prompts, what they would say.
 *
 * @example
 * // B beats A on vqa-score: wins 58.0 % [54.0, 62.0] of 812 prompts. People preferred B on 17 of 30
 * // labelled prompts (56.7 %). Estimated for all 812 from labels and scores (prediction-powered
 * // inference): B wins 55.0 % [41.0, 69.0]; about 90 more labelled prompts would settle it.
 */
export function comparisonVerdict(conclusion: ComparisonFound): string {
  const { models, metric, pairs } = conclusion;
  const [best, next, ...others] = rankedModels(conclusion).filter(
    (model) => models[model]?.mean.value !== null,
  );
  if (best === undefined) return "Nothing can be concluded: no row has a score.";
  if (next === undefined) {
    const { mean, n } = models[best] ?? { mean: { value: null, low: null, high: null }, n: 0 };
    return (
      `Only ${best} has scores: mean ${metric} ${estimateText(mean)} over ${pluralText(n, "image")}; ` +
      "there is nothing to compare it with."
    );
  }
  const sideOf = sidesOf(pairs);
  const rivals = [next, ...others].flatMap((other) => sideOf(best, other) ?? []);
  const [nearest] = rivals;
  if (nearest === undefined) return "Nothing can be concluded.";
  return rivals.length === 1
    ? `${ofTwo(conclusion, nearest)}${peopleText(conclusion, nearest)}`
    : ofSeveral(conclusion, rivals);
}

/** Findings below the verdict on three models or more, a sentence or two each. */
export function comparisonFindings(conclusion: ComparisonFound): string[] {
  const { models, pairs, metric } = conclusion;
  const [best, ...others] = rankedModels(conclusion).filter(
    (model) => models[model]?.mean.value !== null,
  );
  const sideOf = sidesOf(pairs);
  const rivals = others.flatMap((other) => sideOf(best ?? "", other) ?? []);
  const [nearest] = rivals;
  if (nearest === undefined || rivals.length < 2) return [];
  const { beaten, worse } = standings(conclusion, rivals);
  const people = peopleText(conclusion, nearest).trim();
  const forecast = more(nearest.pair).replace("; ", "");
  return [
    ...(beaten.length === 0 || beaten.length === rivals.length
      ? []
      : [`${best} has a significantly better mean ${metric} than ${listText(beaten)}.`]),
    ...(worse.length === 0
      ? []
      : [
          `${listText(worse)} ${worse.length === 1 ? "is" : "are"} better than ${best} on the prompts that both have.`,
        ]),
    ...(forecast === "" || beaten.length === rivals.length
      ? []
      : [`${best} against ${nearest.other}: ${forecast}.`]),
    ...(people === "" ? [] : [people]),
  ];
}

/** The names of those that the best model beats, that beat it, and of which neither is significant. */
function standings(conclusion: ComparisonFound, rivals: readonly SidedPair<ComparedPair>[]) {
  const named = (wanted: ReturnType<typeof standing>) =>
    rivals.filter((side) => standing(side, conclusion) === wanted).map(({ other }) => other);
  return { beaten: named("better"), worse: named("worse"), unclear: named("unclear") };
}

function ofTwo(conclusion: ComparisonFound, side: SidedPair<ComparedPair>): string {
  const { metric } = conclusion;
  const { model, other, difference, winRate, pair } = side;
  if (pair.n === 0) {
    return `Nothing can be concluded of ${model} and ${other}: no prompt has scores of both.`;
  }
  const found = standing(side, conclusion);
  const wins = `wins ${winsText(side)}`;
  if (pair.ties === 1) {
    const few = pair.n < fewestToTell ? more(pair) : "";
    return `Inconclusive: ${model} and ${other} tie on ${metric} on ${allOf(pair.n)}${few}.`;
  }
  if (found === "unclear") {
    const against = `against ${other} on ${metric}`;
    if (pair.n >= fewestToTell)
      return `Inconclusive: ${model} ${wins} ${against}, adjusted p ${pText(pair.pAdjusted)}${more(pair)}.`;
    const few = `${spokenPercentAlone(winRate)} of ${pluralText(pair.n, "prompt")}`;
    return `Inconclusive: ${model} wins ${winRate.value === 1 ? allOf(pair.n) : few} ${against}${more(pair)}.`;
  }
  if (found === "worse") {
    return (
      `${other} beats ${model} on ${metric} on the ${pluralText(pair.n, "prompt")} that both have scores of, ` +
      `though its mean over all its own is not better: ${model} ${wins}.`
    );
  }
  if ((winRate.low ?? 0) > 0.5) return `${model} beats ${other} on ${metric}: ${wins}.`;
  return (
    `${model} has the better mean ${metric} than ${other}, by ${estimateText(difference)}; whether it wins ` +
    `most of ${pluralText(pair.n, "prompt")} is inconclusive (${spokenPercentAlone(winRate)}).`
  );
}

/** At most 25 words, where a name and a metric are one each. */
function ofSeveral(
  conclusion: ComparisonFound,
  rivals: readonly SidedPair<ComparedPair>[],
): string {
  const { metric } = conclusion;
  const [nearest] = rivals;
  if (nearest === undefined) return "";
  const { model, other, winRate, pair } = nearest;
  const { beaten, unclear, worse } = standings(conclusion, rivals);
  const wins =
    pair.ties === 1
      ? `ties with ${other} on ${allOf(pair.n)}`
      : `wins ${winsText(nearest)} against ${other}`;
  if (beaten.length === rivals.length) {
    return (winRate.low ?? 0) > 0.5
      ? `${model} beats every other model on ${metric}: it ${wins}, the runner-up.`
      : `${model} has a better mean ${metric} than every other model; whether it wins most prompts is ` +
          `inconclusive (${spokenPercentAlone(winRate)} of ${countText(pair.n)} against ${other}).`;
  }
  const open = unclear.length > 0 ? unclear : worse;
  const names = open.length > 2 ? `${open.length} others` : listText(open);
  return `${model} has the best mean ${metric}; whether it beats ${names} is inconclusive: it ${wins}.`;
}

/** What people preferred where they labelled, and what that says of all prompts; "" without labels. */
export function peopleText(
  { humanCorrected }: ComparisonFound,
  { model, other, pair: { n } }: SidedPair<ComparedPair>,
): string {
  if (humanCorrected === undefined || n === 0) return "";
  const side = sidesOf(humanCorrected.pairs)(model, other);
  if (side === undefined) return "";
  const { winRate, pair } = side;
  const counted = countedText(side);
  if (winRate.value === null) return `${counted} People's labels are not used: ${winRate.reason}.`;
  const opening =
    `${counted} Estimated for all ${countText(pair.prompts)} from ` +
    `${humanCorrected.sampling === "planned" ? "labels, weighted as they were drawn" : "labels and scores (prediction-powered inference)"}: ${model} wins ${spokenPercent(winRate)}`;
  if (winRate.low === null) return `${opening}; no interval, since ${winRate.reason}.`;
  if (pair.contradiction !== undefined) {
    return (
      `${opening}; neither this nor the difference of the same labels counts as significant, since ` +
      `${pair.contradiction}.`
    );
  }
  const found = peoplesStanding(side);
  if (found === "better") return `${opening}; people significantly prefer it.`;
  if (found === "worse") return `${opening}; people significantly prefer ${other}.`;
  const needed = pair.labelsNeeded.winRate;
  if (needed !== null && needed > 0) {
    return `${opening}; about ${pluralText(rounded(needed), "more labelled prompt")} would settle it.`;
  }
  return pair.n === pair.prompts
    ? `${opening}; more prompts are needed to settle it.`
    : `${opening}; labels of all ${countText(pair.prompts)} would hardly settle it.`;
}

/** People's labels, counted: they come before what is estimated from them. */
function countedText(side: SidedPair<CorrectedPair>): string {
  const { wins, ties, winRate } = countedOf(side);
  const { n } = side.pair;
  if (winRate === null) return "";
  const [neither, half] =
    ties === 0 ? ["", ""] : [` and neither on ${countText(ties)}`, ", ties half"];
  return (
    ` People preferred ${side.model} on ${countText(wins)} of ${pluralText(n, "labelled prompt")}${neither} ` +
    `(${fixedText(100 * winRate, 1)} %${half}).`
  );
}

/** Where the sentence has an interval already. */
const spokenPercentAlone = ({ value }: Estimate) =>
  value === null ? "undefined" : `${fixedText(100 * value, 1)} %`;

const allOf = (n: number) => (n === 1 ? "the only prompt" : `all ${countText(n)} prompts`);

const winsText = ({ winRate, pair }: SidedPair<ComparedPair>) =>
  spokenShare(winRate, pluralText(pair.n, "prompt"));

/** Number of prompts it would take, where there is a least number or the forecast says anything. */
function more({ n, promptsNeeded }: ComparedPair): string {
  if (n < fewestToTell) return `; ${tooFewText(n, "prompt")}`;
  if (promptsNeeded === null || promptsNeeded <= n) return "";
  return `; about ${countText(rounded(promptsNeeded - n))} more would settle it`;
}

const pText = (p: number | null) => (p === null ? "undefined" : probabilityText(p));

/** A forecast has no more than two figures. */
export const rounded = (count: number): number => Number(count.toPrecision(2));
