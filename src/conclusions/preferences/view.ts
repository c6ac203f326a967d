import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { unitsText } from "../../analysis/inference/intervals.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import type {
  PreferenceConclusion,
  PreferredModel,
} from "../../analysis/preferences/preferences.js";
import { listText } from "../../core/phrases.js";
import { estimateText, fixedText, pluralText, spokenPercent } from "../../views/number-text.js";
import {
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";

/** Models by people's preferences, the strongest first. */
export function preferencesView(found: PreferenceConclusion): ViewWithData {
  const ranked = rankedModels(found);
  return {
    verdict: verdict(found, ranked),
    findings: [...whyUndefined(ranked), ...positionEffect(found)],
    tables: [
      models(found, ranked),
      ...(found.pairs.length === 0 ? [] : [pairs(found)]),
      ...(found.raters === undefined ? [] : [annotators(found.raters)]),
    ],
    data: data(found),
    caveats: found.warnings,
    method: `Brackets hold intervals: ${found.intervals.text}.`,
  };
}

/** A model with its name. */
export type NamedModel = PreferredModel & { readonly name: string };

/** The strongest first; in the order of names where strengths are undefined. */
export const rankedModels = ({ models }: PreferenceConclusion): NamedModel[] =>
  Object.entries(models)
    .map(([name, model]) => ({ name, ...model }))
    .sort((one, other) => (other.strength.value ?? 0) - (one.strength.value ?? 0));

function verdict(
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
  const tied = others.filter((one) => Math.abs((one.strength.value ?? Number.NaN) - value) < 1e-9);
  const leads =
    tied.length === 0
      ? `${best.name} has`
      : `${listText([best, ...tied].map(({ name }) => name))} share`;
  if (clusters < fewestToTell) {
    const few = `${unitsText(clusters, clusteredBy)} ${clusters === 1 ? "is" : "are"} too few to rank models`;
    return `${leads} the highest strength, ${strength}, but ${few}: it takes ${fewestToTell}.`;
  }
  if (tied.length > 0) return `${leads} the highest strength, ${strength} log odds (${compared}).`;
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

function models(
  { tieModel, nu, prior, raters }: PreferenceConclusion,
  ranked: readonly NamedModel[],
): ViewTable {
  const isHalf = tieModel === "half";
  const model = isHalf ? (raters === undefined ? "Bradley-Terry" : "Crowd-BT") : "Davidson";
  return {
    title: "Models",
    columns: [
      textColumn("strength", { isGroup: true }),
      textColumn("model"),
      ...["n", "wins", "ties", "losses"].map((title) => countColumn(title)),
      numberColumn("strength"),
      countColumn("rank"),
    ],
    rows: ranked.map(({ name, n, wins, ties, losses, strength, rank: { best, worst } }) => [
      ...[`${model}: log odds of being preferred, mean 0`, name],
      ...[n, wins, ties, losses, strength],
      best === worst ? String(best) : `${best} to ${worst}`,
    ]),
    note: [
      isHalf
        ? "A tie is half a win for each."
        : `A tie of equals is ${fixedText(nu ?? 0, 2)} times as likely as a win of one.`,
      ...(prior === 0
        ? []
        : [
            `${prior} ${prior === 1 ? "win" : "wins"} each way added between any two models (--prior).`,
          ]),
      "Rank: the places that its interval and those of the others allow.",
    ].join(" "),
  };
}

const pairs = ({ pairs: compared, ties }: PreferenceConclusion): ViewTable => ({
  title: "Pairs",
  columns: [
    textColumn("model", { isGroup: true }),
    textColumn("against", { id: "beside" }),
    countColumn("n"),
    percentColumn("wins, %"),
    ...(ties > 0 ? [percentColumn("preferred, %"), percentColumn("ties, %")] : []),
  ],
  rows: compared.map(({ a, b, n, winRate, shares }) => [
    ...[a, b, n, winRate],
    ...(ties > 0 ? [shares.a, shares.tie] : []),
  ]),
  note:
    "Wins: how often the upper one was preferred to the one it stands against, ties half." +
    (ties > 0 ? " Preferred: without ties." : ""),
});

const annotators = (raters: NonNullable<PreferenceConclusion["raters"]>): ViewTable => ({
  title: "Annotators",
  columns: [textColumn("annotator"), countColumn("n"), percentColumn("reliability, %")],
  rows: Object.entries(raters)
    .sort(([, one], [, other]) => (one.reliability.value ?? 0) - (other.reliability.value ?? 0))
    .map(([name, { n, reliability }]) => [name, n, reliability]),
  note: "Reliability: how often an annotator answers as the strengths would have them (Crowd-BT); 50 is a coin.",
});

/** A row for each model, then for each pair. */
const data = ({ models: found, pairs: compared }: PreferenceConclusion): ViewWithData["data"] => ({
  columns: [
    textColumn("model"),
    textColumn("against"),
    ...["n", "wins", "ties", "losses"].map((id) => countColumn(id)),
    numberColumn("strength", { spread: "interval" }),
    countColumn("best"),
    countColumn("worst"),
    percentColumn("winRate", { spread: "interval" }),
  ],
  rows: [
    ...Object.entries(found).map(([model, { n, wins, ties, losses, strength, rank }]) => [
      ...[model, null, n, wins, ties, losses, strength, rank.best, rank.worst, null],
    ]),
    ...compared.map(({ a, b, n, winRate }) => [
      ...[a, b, n, null, null, null, null, null, null, winRate],
    ]),
  ],
});
