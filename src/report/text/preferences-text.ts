import { fewestToTell } from "../../analysis/inference/fewest-to-tell.js";
import { unitsText } from "../../analysis/inference/intervals.js";
import { whichSide } from "../../analysis/inference/which-side.js";
import type {
  PreferenceConclusion,
  PreferredModel,
} from "../../analysis/preferences/preferences.js";
import { listText } from "../../core/list-text.js";
import { numberColumns } from "../../views/number-columns.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
  spokenPercent,
} from "../../views/number-text.js";
import type { ReadableConclusion, TextTable } from "../../views/text-table.js";

/** Preferences as people read them: the strongest model comes first. */
export function readablePreferences(conclusion: PreferenceConclusion): ReadableConclusion {
  const { pairs, warnings, intervals } = conclusion;
  const ranked = rankedModels(conclusion);
  return {
    verdict: verdictOf(conclusion, ranked),
    findings: [...whyUndefined(ranked), ...positionEffect(conclusion)],
    tables: [
      modelTable(conclusion, ranked),
      ...(pairs.length === 0 ? [] : [pairTable(conclusion)]),
    ],
    warnings,
    method: `Brackets hold intervals: ${intervals.text}.`,
  };
}

/** A model with its name. */
export type NamedModel = PreferredModel & { readonly name: string };

/** The strongest first; in the order of names where strengths are undefined. */
export const rankedModels = ({ models }: PreferenceConclusion): NamedModel[] =>
  Object.entries(models)
    .map(([name, model]) => ({ name, ...model }))
    .sort((one, other) => (other.strength.value ?? 0) - (one.strength.value ?? 0));

function verdictOf(
  { n, intervals: { clusters, clusteredBy }, firstShown }: PreferenceConclusion,
  [best, ...others]: readonly NamedModel[],
): string {
  if (best === undefined || firstShown.value === null) {
    return "Nothing can be concluded: no row has a preference.";
  }
  const { value, reason } = best.strength;
  if (value === null) {
    const [why] = (reason ?? "").split(": ");
    return `Strengths are undefined: ${why}. --prior 0.1 keeps them finite.`;
  }
  const strength = estimateText(best.strength);
  const compared = pluralText(n, "comparison");
  if (clusters < fewestToTell) {
    const few = `${unitsText(clusters, clusteredBy)} ${clusters === 1 ? "is" : "are"} too few to rank models`;
    return `${best.name} has the highest strength, ${strength}, but ${few}: it takes ${fewestToTell}.`;
  }
  const near = others.filter(({ behind }) => whichSide(behind) !== "above");
  if (near.length === 0) {
    return `${best.name} is preferred most: strength ${strength} log odds, significantly above every other model (${compared}).`;
  }
  const names = near.length > 2 ? `${near.length} others` : listText(near.map(({ name }) => name));
  return `${best.name} has the highest strength, ${strength} log odds; whether it beats ${names} is inconclusive (${compared}).`;
}

/** Who never lost, where that leaves strengths undefined. */
const whyUndefined = ([first]: readonly NamedModel[]): string[] =>
  first?.strength.reason?.includes(": ") ? [`No strengths: ${first.strength.reason}.`] : [];

/** Whether the image shown first is preferred for that. */
function positionEffect({ firstShown, intervals: { clusters } }: PreferenceConclusion): string[] {
  if (firstShown.value === null) return [];
  const side = clusters < fewestToTell ? undefined : whichSide(firstShown, 0.5);
  const effect =
    side === undefined
      ? "a position effect is inconclusive"
      : `significantly ${side === "above" ? "more" : "less"} often than the second`;
  return [
    `The image shown first is preferred in ${spokenPercent(firstShown)} of comparisons (ties half): ${effect}.`,
  ];
}

function modelTable(
  { tieModel, nu, prior }: PreferenceConclusion,
  ranked: readonly NamedModel[],
): TextTable {
  return {
    title: "Models",
    columns: [
      { title: "strength" },
      { title: "model" },
      ...numberColumns("n", "wins", "ties", "losses", "strength", "rank"),
    ],
    rows: ranked.map(({ name, n, wins, ties, losses, strength, rank: { best, worst } }, at) => [
      at === 0 ? "log odds of being preferred, mean 0" : "",
      name,
      countText(n),
      countText(wins),
      countText(ties),
      countText(losses),
      estimateText(strength),
      best === worst ? String(best) : `${best} to ${worst}`,
    ]),
    note: [
      tieModel === "half"
        ? "Strength: Bradley-Terry, a tie as half a win for each."
        : `Strength: Davidson's model, in which a tie of equals is ${fixedText(nu ?? 0, 2)} times as likely as a win of one.`,
      ...(prior === 0
        ? []
        : [
            `${prior} ${prior === 1 ? "win" : "wins"} each way added between any two models (--prior).`,
          ]),
      "Rank: the places that its interval and those of the others allow.",
    ].join(" "),
  };
}

function pairTable({ pairs, ties }: PreferenceConclusion): TextTable {
  return {
    title: "Pairs",
    columns: [
      { title: "model" },
      { title: "beside" },
      ...numberColumns("n", "wins, %", ...(ties > 0 ? ["preferred, %", "ties, %"] : [])),
    ],
    rows: pairs.map(({ a, b, n, winRate, shares }, at) => [
      pairs[at - 1]?.a === a ? "" : a,
      b,
      countText(n),
      percentText(winRate),
      ...(ties > 0 ? [percentText(shares.a), percentText(shares.tie)] : []),
    ]),
    note:
      "Wins: how often the upper one was preferred to the one beside it, ties half." +
      (ties > 0 ? " Preferred: without ties." : ""),
  };
}
