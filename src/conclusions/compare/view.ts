import type { ComparedPair } from "../../analysis/comparison/compared-pair.js";
import type { ComparisonFound } from "../../analysis/comparison/comparison.js";
import type { ComparisonGate } from "../../analysis/comparison/comparison-gate.js";
import type { CorrectedPair, HumanCorrected } from "../../analysis/comparison/comparison-labels.js";
import type { MarginGate } from "../../analysis/comparison/margin-gate.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import { largestOf } from "../../core/arrays.js";
import { countText, fixedText, pluralText } from "../../views/number-text.js";
import { printable } from "../../views/printable.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  probabilityColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { gateColumn, gateText, isMarginGate } from "./gate-view.js";
import { marginMethod, marginTables } from "./margin-view.js";
import { countedOf, rankedModels, sidedPairs } from "./pairs.js";
import { isPromptGate, type ShownPromptGate, worstPictures, worstPrompts } from "./prompt-gate.js";
import { comparisonFindings, comparisonVerdict } from "./verdict.js";

/** A comparison of models; `baselineName` is the file of the gate's baseline. */
export function comparisonView(
  conclusion: ComparisonFound,
  gate?: {
    readonly gate: ComparisonGate | MarginGate | ShownPromptGate;
    readonly baselineName: string | undefined;
    /** Where readers find the images. */
    readonly imagesAt?: string | undefined;
  },
): ViewWithData {
  const { pairs, humanCorrected, intervals, warnings } = conclusion;
  const verdict = comparisonVerdict(conclusion);
  const judged = gate && gateText(gate.gate, gate.baselineName);
  const margin = gate !== undefined && isMarginGate(gate.gate) ? gate.gate : undefined;
  const byPrompt = gate !== undefined && isPromptGate(gate.gate) ? gate.gate : undefined;
  const means =
    gate === undefined || isMarginGate(gate.gate) || isPromptGate(gate.gate)
      ? undefined
      : gate.gate;
  // Of one model there is nothing to say beside its gate.
  const texts = [judged, judged !== undefined && pairs.length === 0 ? undefined : verdict];
  return {
    // A name with a line end must not begin a line of its own.
    verdict: printable(texts.filter((text) => text !== undefined).join(" ")),
    findings: comparisonFindings(conclusion),
    tables: [
      ...(margin === undefined ? [] : marginTables(margin)),
      ...(byPrompt === undefined ? [] : [worstPrompts(byPrompt)]),
      modelTable(conclusion, means),
      ...(pairs.length === 0 ? [] : [pairTable(conclusion)]),
      ...(humanCorrected === undefined ? [] : peopleTables(conclusion, humanCorrected)),
    ],
    ...(byPrompt && { pictures: worstPictures(byPrompt, gate?.imagesAt) }),
    data: data(conclusion),
    caveats: [...warnings, ...refusals(humanCorrected)],
    method: `Brackets hold intervals: ${intervals.text}.${conclusion.weighted === undefined ? "" : ` ${conclusion.weighted}`}${testText(conclusion)}${margin === undefined ? "" : marginMethod(margin)}`,
  };
}

function modelTable(conclusion: ComparisonFound, gate: ComparisonGate | undefined): ViewTable {
  const { models, metric, direction, unscored } = conclusion;
  const change = gate === undefined ? undefined : gateColumn(gate);
  const hasBounds = unscored > 0;
  return {
    title: "Models",
    columns: [
      textColumn("metric", { isGroup: true }),
      textColumn("model"),
      countColumn("images"),
      countColumn("unscored"),
      numberColumn("mean"),
      ...(hasBounds ? [numberColumn("if all were scored", { id: "range if unscored" })] : []),
      ...(change === undefined ? [] : [numberColumn(change.title)]),
    ],
    rows: rankedModels(conclusion).flatMap((model) => {
      const found = models[model];
      if (found === undefined) return [];
      const { n, unscored: missing, mean, bounds } = found;
      return [
        [
          ...[`${metric}, ${direction} is better`, model, n, missing, mean],
          ...(hasBounds ? [missing === 0 ? "" : bounds] : []),
          ...(change === undefined ? [] : [change.cell(model)]),
        ],
      ];
    }),
    note: [
      "The mean is over images; prompts are resampled as a whole.",
      ...(hasBounds
        ? ["If all were scored: the mean, had all unscored images the lowest or highest score."]
        : []),
      ...(change === undefined ? [] : [change.note]),
    ].join(" "),
  };
}

function pairTable(conclusion: ComparisonFound): ViewTable {
  const sides = sidedPairs(conclusion, conclusion.pairs);
  const namesOf = namesIn(sides);
  return {
    title: "Pairs",
    isHeadline: true,
    columns: [
      ...pairColumns,
      countColumn("prompts"),
      percentColumn("wins, %"),
      numberColumn("difference"),
      probabilityColumn("adjusted p"),
      numberColumn("d_z", { decimals: 2 }),
    ],
    rows: sides.map((side) => {
      const { model, difference, winRate, pair } = side;
      const { n, pAdjusted, cohensDz } = pair;
      const size = cohensDz === null || pair.a === model ? cohensDz : -cohensDz;
      return [...namesOf(side), n, winRate, difference, pAdjusted, size];
    }),
    note:
      `On the prompts that both have scores of. Wins: the share of them with the better score, ties half` +
      `${mostTies(sides.map(({ pair }) => pair))}; ${tieText(conclusion.tieTolerance)}; of several ` +
      "images of a prompt all pairs count. d_z: the mean difference over its standard deviation." +
      (sides.length > 1 ? " Tests are adjusted for the number of pairs, intervals are not." : ""),
  };
}

/** Beside this many characters of a name the numbers would no longer fit. */
const longestBeside = 24;

const pairColumns = [
  textColumn("model", { isGroup: true }),
  textColumn("against", { id: "beside" }),
];

interface Named {
  readonly model: string;
  readonly other: string;
}

/** How the two models of a row are named: in one cell where names are long. */
function namesIn(sides: readonly Named[]): (side: Named) => [string, string] {
  const areLong = sides.some(({ other }) => other.length > longestBeside);
  return ({ model, other }) => (areLong ? [`${model} against ${other}`, ""] : [model, other]);
}

function mostTies(pairs: readonly ComparedPair[]): string {
  const known = pairs.flatMap(({ ties }) => ties ?? []);
  if (known.length === 0) return "";
  const most = largestOf(known);
  return most === 0 ? " (there are none)" : ` (at most ${fixedText(most * 100, 1)} % tie)`;
}

function peopleTables(conclusion: ComparisonFound, corrected: HumanCorrected): ViewTable[] {
  const means = meansTable(conclusion, corrected);
  return corrected.pairs.length === 0
    ? [means]
    : [countedTable(conclusion, corrected), estimatedTable(conclusion, corrected), means];
}

/** Table of people's labels, which comes before what is estimated from them. */
function countedTable(conclusion: ComparisonFound, { pairs }: HumanCorrected): ViewTable {
  const sides = sidedPairs(conclusion, pairs);
  const namesOf = namesIn(sides);
  return {
    title: "People's labels, counted",
    isHeadline: true,
    columns: [
      ...pairColumns,
      ...["labelled", "preferred", "ties", "the other"].map((title) => countColumn(title)),
      percentColumn("share, %"),
      numberColumn("difference"),
    ],
    rows: sides.map((side) => {
      const { wins, ties, losses, winRate, difference } = countedOf(side);
      return [...namesOf(side), side.pair.n, wins, ties, losses, winRate, difference];
    }),
    note: "Of the labelled prompts alone. Share: ties half. Difference: of the mean labels.",
  };
}

function estimatedTable(
  conclusion: ComparisonFound,
  { pairs, sampling }: HumanCorrected,
): ViewTable {
  const sides = sidedPairs(conclusion, pairs);
  const namesOf = namesIn(sides);
  return {
    title: "People's choice, estimated for all prompts",
    isHeadline: true,
    columns: [
      ...pairColumns,
      countColumn("labelled"),
      countColumn("of"),
      percentColumn("wins, %"),
      numberColumn("difference"),
      countColumn("labels needed to settle it", { id: "labels to settle" }),
    ],
    rows: sides.map((side) => {
      const { difference, winRate, pair } = side;
      const { n, prompts } = pair;
      return [...namesOf(side), n, prompts, winRate, difference, labelsCell(pair, winRate.low)];
    }),
    note:
      `${sampling === "planned" ? labelsWeighted : "From the labels and all scores (prediction-powered inference)."} Labels to settle: how many more prompts to ` +
      "label until the interval of wins excludes 50 %, " +
      "if all else stays as it is; such a forecast holds about half of the time." +
      (pairs.some(({ contradiction }) => contradiction !== undefined)
        ? " Disputed: wins and difference of the same labels contradict each other, and neither is significant."
        : ""),
  };
}

const labelsWeighted =
  "Labels are weighted by 1 / probability of their draw (Hájek estimates; rounds by their numbers of labels).";

function meansTable(conclusion: ComparisonFound, { models, method }: HumanCorrected): ViewTable {
  return {
    title: "People's mean",
    columns: [
      textColumn("scale", { isGroup: true }),
      textColumn("model"),
      countColumn("labels"),
      numberColumn("their mean"),
      countColumn("images"),
      numberColumn("estimated mean"),
    ],
    rows: rankedModels(conclusion).map((model) => {
      const { n = 0, counted = null, mean = null } = models[model] ?? {};
      const images = conclusion.models[model]?.n ?? 0;
      return ["as people would judge", model, n, counted, images, mean];
    }),
    note: `On the scale of the labels. The estimated mean is of all images: ${method}.`,
  };
}

function labelsCell({ labelsNeeded, contradiction }: CorrectedPair, low: number | null): Cell {
  if (contradiction !== undefined) return "disputed";
  const { winRate: needed } = labelsNeeded;
  if (low === null) return null;
  if (needed === null) return "not resolvable with all prompts";
  return needed <= 0 ? "settled" : needed;
}

const mostReasons = 3;

/** Once each, though several estimates have the same reason. */
function refusals(corrected: HumanCorrected | undefined): string[] {
  if (corrected === undefined) return [];
  const all = [
    ...Object.entries(corrected.models).map(([model, { mean }]) => [model, mean.reason] as const),
    ...corrected.pairs.map(({ a, b, winRate }) => [`${a} and ${b}`, winRate.reason] as const),
  ];
  const reasons = new Map<string, string[]>();
  for (const [who, reason] of all) {
    if (reason !== undefined) reasons.set(reason, [...(reasons.get(reason) ?? []), who]);
  }
  const shown = [...reasons].slice(0, mostReasons).map(([reason, who]) => {
    const more = who.length > 3 ? ` and ${countText(who.length - 3)} more` : "";
    return `no estimate of what people would say of ${who.slice(0, 3).join("; ")}${more}: ${reason}`;
  });
  const rest = reasons.size - shown.length;
  return rest > 0 ? [...shown, `${rest} more of this kind; --json has them all`] : shown;
}

function testText(found: ComparisonFound): string {
  const { test, adjust, pairs } = found;
  if (pairs.length === 0) return "";
  const tests = {
    "sign-flip": `sign flips of the differences of prompts${flipsText(found)}`,
    t: "paired t-tests over prompts",
    wilcoxon: "Wilcoxon's signed ranks of the differences of prompts, zeros dropped",
  };
  const by = { holm: "Holm", bh: "Benjamini and Hochberg", by: "Benjamini and Yekutieli" };
  const over =
    adjust === "none"
      ? "not adjusted"
      : `adjusted over ${pluralText(pairs.length, "pair")} by ${by[adjust]}`;
  return ` Tests, two-sided: ${tests[test]}, ${over}.`;
}

/** How sign flips came by the pairs' p: " (exact: all of them)". */
function flipsText({ pairs, permutations, seed }: ComparisonFound): string {
  const how = {
    exact: "exact: all of them",
    random:
      `${countText(permutations)} random ones, seed ${seed}, ` +
      "p = (1 + flips at least as far from 0) / (1 + all)",
    normal: "their normal limit, as there are more than 10,000 prompts",
  };
  const used = (["exact", "random", "normal"] as const).flatMap((flips) => {
    const count = pairs.filter((pair) => pair.flips === flips).length;
    return count === 0 ? [] : [{ flips, count }];
  });
  const texts = used.map(({ flips, count }) =>
    used.length === 1 ? how[flips] : `of ${pluralText(count, "pair")} ${how[flips]}`,
  );
  return texts.length === 0 ? "" : ` (${texts.join("; ")})`;
}

/**
 * A row for each model and pair: by the metric and, where there are labels, by the labels counted and
 * by people as they are estimated for all prompts.
 */
function data({ models, pairs, humanCorrected }: ComparisonFound): ViewWithData["data"] {
  const people = {
    models: Object.entries(humanCorrected?.models ?? {}),
    pairs: humanCorrected?.pairs ?? [],
  };
  const ofModel = (by: string, model: string, n: number, mean: Cell, unscored: Cell = null) => [
    ...[by, model, null, n, unscored, mean],
    ...[null, null, null, null, null],
  ];
  const ofPair = (
    by: string,
    { a, b, n }: { readonly a: string; readonly b: string; readonly n: number },
    { difference, winRate }: { readonly difference: Cell; readonly winRate: Cell },
    tests: readonly Cell[] = [null, null, null],
  ) => [by, a, b, n, null, null, difference, winRate, ...tests];
  return {
    columns: [
      ...["by", "model", "against"].map((id) => textColumn(id)),
      ...["n", "unscored"].map((id) => countColumn(id)),
      ...["mean", "difference"].map((id) => numberColumn(id, { spread: "interval" })),
      percentColumn("winRate", { spread: "interval" }),
      ...["p", "pAdjusted"].map((id) => probabilityColumn(id)),
      numberColumn("cohensDz"),
    ],
    rows: [
      ...Object.entries(models).map(([model, { n, unscored, mean }]) =>
        ofModel("metric", model, n, mean, unscored),
      ),
      ...pairs.map((pair) => ofPair("metric", pair, pair, [pair.p, pair.pAdjusted, pair.cohensDz])),
      ...people.models.map(([model, { n, counted }]) => ofModel("labels", model, n, counted)),
      ...people.pairs.map((pair) => ofPair("labels", pair, pair.counted)),
      ...people.models.map(([model, { n, mean }]) => ofModel("people", model, n, mean)),
      ...people.pairs.map((pair) => ofPair("people", pair, pair)),
    ],
  };
}
