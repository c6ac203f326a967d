import type { ComparedPair } from "../../analysis/comparison/compared-pair.js";
import type { ComparisonFound } from "../../analysis/comparison/comparison.js";
import type { PeoplesPreference } from "../../analysis/comparison/people-preference.js";
import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { listText } from "../../core/phrases.js";
import { type Estimate, mirrored } from "../../stats/estimate.js";
import { fixedText, pluralText, spokenShare, tooFewText } from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { type SidedPair, sidesOf, standing } from "./pairs.js";
import { comparisonFindings, peopleText } from "./verdict.js";
import { comparisonView } from "./view.js";

/** What is known of two sides of images. */
export interface SidesFound {
  readonly names: readonly [a: string, b: string];
  /** By each metric, the first the one to speak of. */
  readonly compared: readonly ComparedSides[];
  readonly people?: PeoplesPreference | undefined;
  /** Sentences on how images were paired. */
  readonly pairing: string;
  readonly notes: readonly string[];
}

/** Two sides by one metric. */
export interface ComparedSides {
  readonly found: ComparisonFound;
  /** How often published people's answers agree with it; undefined where no set says so. */
  readonly evidence: string | undefined;
  /** On how many of the prompts that both decide it has people's order. */
  readonly agreement?: { readonly n: number; readonly agreeing: number } | undefined;
}

/**
 * Two sides of images: what people prefer, then what each metric says, then what is known of the metric. Where nobody
 * was asked, the metric speaks first.
 */
export function sidesView(sides: SidesFound): ViewWithData {
  const { compared, people, pairing, notes } = sides;
  const views = compared.map(({ found }) => comparisonView(withoutPeople(found)));
  const [first] = compared;
  const withPeople = first && comparisonView(first.found);
  const metricsText = views.map(({ verdict }) => verdict);
  const [leading = ""] = metricsText;
  return {
    verdict: [
      ...(people === undefined ? [] : [peoplesSentence(people, sides)]),
      ...(leading === "" ? [] : [leading]),
      ...(first === undefined ? [] : [evidenceSentence(first)]),
    ].join(" "),
    findings: [
      pairing,
      ...compared.flatMap((one) => agreementSentence(one)),
      ...(first === undefined ? [] : estimateSentence(first.found)),
      ...compared.slice(1).flatMap((one, at) => [metricsText[at + 1] ?? "", evidenceSentence(one)]),
      ...(first === undefined ? [] : comparisonFindings(withoutPeople(first.found))),
    ],
    tables: [
      ...(people === undefined ? [] : [peoplesTable(people, sides)]),
      ...views.flatMap(({ tables }) => tables),
      // What is estimated from people's answers stands behind them.
      ...(withPeople?.tables ?? [])
        .slice(views[0]?.tables.length)
        .map((table) => ({ ...table, isHeadline: false })),
    ],
    data: {
      columns: withPeople?.data.columns ?? dataColumns,
      rows: [
        ...(people === undefined ? [] : [peoplesRow(people, sides)]),
        ...(withPeople?.data.rows ?? []),
        ...views.slice(1).flatMap(({ data }, at) => named(data.rows, compared[at + 1])),
      ],
    },
    caveats: [
      ...notes,
      ...(withPeople?.caveats ?? []),
      ...views.slice(1).flatMap(({ caveats }) => caveats),
    ],
    method: [
      ...(people === undefined ? [] : [`People's intervals: ${people.intervals.text}.`]),
      ...(withPeople === undefined ? [] : [withPeople.method]),
    ].join(" "),
  };
}

const withoutPeople = ({ humanCorrected: _, ...found }: ComparisonFound): ComparisonFound => found;

/** The rows of a further metric say its name in place of "metric". */
const named = (rows: ViewWithData["data"]["rows"], one: ComparedSides | undefined) =>
  rows.map((row) => [one?.found.metric ?? "", ...row.slice(1)]);

/** What people prefer, from the side of the one that more answers prefer. */
export interface PeoplesChoiceOfSides {
  readonly better: string;
  readonly other: string;
  readonly winRate: Estimate;
  readonly difference: Estimate;
  /** Whether they prefer it by more than chance. */
  readonly isClear: boolean;
}

/** People's choice from the side of the one that more answers prefer. */
export function peoplesSide(
  { winRate, difference, prompts }: PeoplesPreference,
  [a, b]: SidesFound["names"],
): PeoplesChoiceOfSides {
  const isA = (winRate.value ?? 0) >= 0.5;
  const share = isA ? winRate : mirrored(winRate, 1);
  const low = share.oneSided?.low ?? share.low ?? 0;
  return {
    better: isA ? a : b,
    other: isA ? b : a,
    winRate: share,
    difference: isA ? difference : mirrored(difference, 0),
    isClear: prompts >= fewestToTell && low > 0.5,
  };
}

/** @example "People prefer B in 66 % of 59 pairs [57, 74]; the metric agrees." */
function peoplesSentence(people: PeoplesPreference, { names, compared }: SidesFound): string {
  const { better, other, winRate, isClear } = peoplesSide(people, names);
  const { n, prompts } = people;
  const pairs =
    n === prompts
      ? pluralText(prompts, "pair")
      : `${pluralText(n, "answer")} to ${pluralText(prompts, "pair")}`;
  const share = shareText(winRate, pairs);
  const opening = isClear
    ? `People prefer ${better} in ${share}`
    : prompts < fewestToTell
      ? `People prefer ${better} in ${share}, and ${tooFewText(prompts, "pair")}`
      : `People do not clearly prefer either: ${better} in ${share}`;
  const each = compared.map(({ found }) => {
    const name = compared.length === 1 ? "the metric" : found.metric;
    const side = sidesOf(found.pairs)(better, other);
    return `${name} ${agreementWords(side, { found, isClear, other })}`;
  });
  return each.length === 0 ? `${opening}.` : `${opening}; ${listText(each)}.`;
}

function agreementWords(
  side: SidedPair<ComparedPair> | undefined,
  {
    found,
    isClear,
    other,
  }: { readonly found: ComparisonFound; readonly isClear: boolean; readonly other: string },
): string {
  const its = side === undefined ? "unclear" : standing(side, found);
  if (!isClear) {
    const better = its === "better" ? side?.model : other;
    return its === "unclear" ? "can't tell either" : `says ${better}`;
  }
  return its === "better" ? "agrees" : its === "worse" ? "disagrees" : "can't tell them apart";
}

/** @example shareText(share, "59 pairs") // "66 % of 59 pairs [57, 74]" */
function shareText(share: Estimate, pairs: string): string {
  const { value, low, high } = share;
  if (value === null || value === 0 || value === 1) return spokenShare(share, pairs);
  const text = (part: number) => fixedText(100 * part, 0);
  const ends = low === null || high === null ? "" : ` [${text(low)}, ${text(high)}]`;
  return `${text(value)} % of ${pairs}${ends}`;
}

const evidenceSentence = ({ found: { metric }, evidence }: ComparedSides): string =>
  evidence === undefined
    ? `How far people agree with ${metric} is not published in any set that touchstone evidence knows.`
    : `Published people's answers agree with ${metric} on ${evidence}.`;

function agreementSentence({ found: { metric }, agreement }: ComparedSides): string[] {
  if (agreement === undefined || agreement.n === 0) return [];
  const { n, agreeing } = agreement;
  return [
    `${metric} has people's order on ${agreeing} of ${pluralText(n, "prompt")} that both decide (${fixedText((100 * agreeing) / n, 0)} %).`,
  ];
}

/** What people would say of all prompts, from their labels and the metric. */
function estimateSentence(found: ComparisonFound): string[] {
  const [pair] = found.pairs;
  const side = pair && sidesOf(found.pairs)(pair.a, pair.b);
  const text = side === undefined ? "" : peopleText(found, side).trim();
  return text === "" ? [] : [text];
}

const peoplesColumns = [
  textColumn("model", { isGroup: true }),
  textColumn("against", { id: "beside" }),
  countColumn("answers"),
  countColumn("prompts"),
  percentColumn("preferred, %"),
  numberColumn("difference"),
];

function peoplesTable(people: PeoplesPreference, { names }: SidesFound): ViewTable {
  const { better, other, winRate, difference } = peoplesSide(people, names);
  return {
    title: "People",
    isHeadline: true,
    columns: peoplesColumns,
    rows: [[better, other, people.n, people.prompts, winRate, difference]],
    note: "Their answers alone. Preferred: ties count half; prompts are resampled as a whole.",
  };
}

const dataColumns: ViewWithData["data"]["columns"] = [
  ...["by", "model", "against"].map((id) => textColumn(id)),
  ...["n", "unscored"].map((id) => countColumn(id)),
  ...["mean", "difference"].map((id) => numberColumn(id, { spread: "interval" })),
  percentColumn("winRate", { spread: "interval" }),
];

const peoplesRow = (
  { n, winRate, difference }: PeoplesPreference,
  { names: [a, b] }: SidesFound,
): readonly Cell[] => ["answers", a, b, n, null, null, difference, winRate];
