import type { ComparedPair } from "../../analysis/comparison/compared-pair.js";
import type { ComparisonConclusion } from "../../analysis/comparison/comparison.js";
import type { ComparisonGate } from "../../analysis/comparison/comparison-gate.js";
import type { CorrectedPair, HumanCorrected } from "../../analysis/comparison/comparison-labels.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import { largestOf } from "../../core/extremes.js";
import { numberColumns } from "../../views/number-columns.js";
import {
  countText,
  estimateText,
  fixedText,
  percentText,
  pluralText,
  probabilityText,
} from "../../views/number-text.js";
import { printable } from "../../views/printable.js";
import type { ReadableConclusion, TextTable } from "../../views/text-table.js";
import { comparisonFindings, comparisonVerdict } from "../verdicts/comparison-verdict.js";
import { gateColumn, gateText } from "./comparison-gate-text.js";
import { countedOf, rankedModels, sidedPairs } from "./comparison-pairs.js";

/** A comparison of models as people read it; `baselineName` is the file of the gate's baseline. */
export function readableComparison(
  conclusion: ComparisonConclusion,
  gate?: { readonly gate: ComparisonGate; readonly baselineName: string | undefined },
): ReadableConclusion {
  const { pairs, humanCorrected, intervals, warnings } = conclusion;
  const verdict = comparisonVerdict(conclusion);
  return {
    // A name with a line end must not begin a line of its own.
    verdict: printable(
      gate === undefined ? verdict : `${verdict} ${gateText(gate.gate, gate.baselineName)}`,
    ),
    findings: comparisonFindings(conclusion),
    tables: [
      modelTable(conclusion, gate?.gate),
      ...(pairs.length === 0 ? [] : [pairTable(conclusion)]),
      ...(humanCorrected === undefined ? [] : peopleTables(conclusion, humanCorrected)),
    ],
    warnings: [...warnings, ...refusals(humanCorrected)],
    method: `Brackets hold intervals: ${intervals.text}. ${testText(conclusion)}`,
  };
}

function modelTable(conclusion: ComparisonConclusion, gate: ComparisonGate | undefined): TextTable {
  const { models, metric, direction, unscored } = conclusion;
  const change = gate === undefined ? undefined : gateColumn(gate);
  const hasBounds = unscored > 0;
  return {
    title: "Models",
    columns: [
      { title: "metric" },
      { title: "model" },
      ...numberColumns(
        ...["images", "unscored", "mean"],
        ...(hasBounds ? ["range if unscored"] : []),
        ...(change === undefined ? [] : [change.title]),
      ),
    ],
    rows: rankedModels(conclusion).flatMap((model, at) => {
      const found = models[model];
      if (found === undefined) return [];
      const { n, unscored: missing, mean, bounds } = found;
      const { low, high } = bounds;
      return [
        [
          at === 0 ? `${metric}, ${direction} is better` : "",
          model,
          countText(n),
          countText(missing),
          estimateText(mean),
          ...(hasBounds
            ? [
                missing === 0
                  ? ""
                  : estimateText({ value: low, low: null, high: null }).concat(
                      " to ",
                      estimateText({ value: high, low: null, high: null }),
                    ),
              ]
            : []),
          ...(change === undefined ? [] : [change.cell(model)]),
        ],
      ];
    }),
    note: [
      "The mean is over images; prompts are resampled as a whole.",
      ...(hasBounds
        ? [
            "Range if unscored: the mean if every unscored image had the lowest or the highest score.",
          ]
        : []),
      ...(change === undefined ? [] : [change.note]),
    ].join(" "),
  };
}

function pairTable(conclusion: ComparisonConclusion): TextTable {
  const sides = sidedPairs(conclusion, conclusion.pairs);
  return {
    title: "Pairs",
    isHeadline: true,
    columns: [
      { title: "model" },
      { title: "beside" },
      ...numberColumns("prompts", "wins, %", "difference", "adjusted p", "d_z"),
    ],
    rows: sides.map(({ difference, winRate, pair, ...names }, at) => [
      ...namesOf(sides, at),
      countText(pair.n),
      percentText(winRate),
      estimateText(difference),
      probabilityText(pair.pAdjusted),
      pair.cohensDz === null
        ? "–"
        : fixedText(pair.a === names.model ? pair.cohensDz : -pair.cohensDz, 2),
    ]),
    note:
      `On the prompts that both have scores of. Wins: the share of them with the better score, ties half` +
      `${mostTies(sides.map(({ pair }) => pair))}; ${tieText(conclusion.tieTolerance)}; of several ` +
      "images of a prompt all pairs count. d_z: the mean difference over its standard deviation." +
      (sides.length > 1 ? " Tests are adjusted for the number of pairs, intervals are not." : ""),
  };
}

/** Beside this many characters of a name the numbers would no longer fit. */
const longestBeside = 24;

/** The model, once for all its rows, and the one beside it; long names in one cell for themselves. */
function namesOf(
  sides: readonly { readonly model: string; readonly other: string }[],
  at: number,
): [string, string] {
  const { model = "", other = "" } = sides[at] ?? {};
  if (sides.some((each) => each.other.length > longestBeside))
    return [`${model} beside ${other}`, ""];
  return [sides[at - 1]?.model === model ? "" : model, other];
}

function mostTies(pairs: readonly ComparedPair[]): string {
  const known = pairs.flatMap(({ ties }) => ties ?? []);
  if (known.length === 0) return "";
  const most = largestOf(known);
  return most === 0 ? " (there are none)" : ` (at most ${fixedText(most * 100, 1)} % tie)`;
}

function peopleTables(conclusion: ComparisonConclusion, corrected: HumanCorrected): TextTable[] {
  const means = meansTable(conclusion, corrected);
  return corrected.pairs.length === 0
    ? [means]
    : [countedTable(conclusion, corrected), estimatedTable(conclusion, corrected), means];
}

/** Table of people's labels, which comes before what is estimated from them. */
function countedTable(conclusion: ComparisonConclusion, { pairs }: HumanCorrected): TextTable {
  const sides = sidedPairs(conclusion, pairs);
  return {
    title: "People's labels, counted",
    isHeadline: true,
    columns: [
      { title: "model" },
      { title: "beside" },
      ...numberColumns("labelled", "preferred", "ties", "the other", "share, %", "difference"),
    ],
    rows: sides.map((side, at) => {
      const { wins, ties, losses, winRate, difference } = countedOf(side);
      return [
        ...namesOf(sides, at),
        ...[side.pair.n, wins, ties, losses].map(countText),
        winRate === null ? "–" : fixedText(100 * winRate, 1),
        estimateText({ value: difference, low: null, high: null }),
      ];
    }),
    note: "Of the labelled prompts alone. Share: ties half. Difference: of the mean labels.",
  };
}

function estimatedTable(conclusion: ComparisonConclusion, { pairs }: HumanCorrected): TextTable {
  const sides = sidedPairs(conclusion, pairs);
  return {
    title: "People's choice, estimated for all prompts",
    isHeadline: true,
    columns: [
      { title: "model" },
      { title: "beside" },
      ...numberColumns("labelled", "of", "wins, %", "difference", "to settle"),
    ],
    rows: sides.map(({ difference, winRate, pair }, at) => [
      ...namesOf(sides, at),
      countText(pair.n),
      countText(pair.prompts),
      percentText(winRate),
      estimateText(difference),
      labelsText(pair, winRate.low),
    ]),
    note:
      "From the labels and all scores (prediction-powered inference). To settle: how many more prompts to " +
      "label until the interval of wins excludes 50 %, " +
      "if all else stays as it is; such a forecast holds about half of the time." +
      (pairs.some(({ contradiction }) => contradiction !== undefined)
        ? " Disputed: wins and difference of the same labels contradict each other, and neither is significant."
        : ""),
  };
}

function meansTable(
  conclusion: ComparisonConclusion,
  { models, method }: HumanCorrected,
): TextTable {
  return {
    title: "People's mean",
    columns: [
      { title: "scale" },
      { title: "model" },
      ...numberColumns("labels", "their mean", "images", "estimated mean"),
    ],
    rows: rankedModels(conclusion).map((model, at) => {
      const found = models[model];
      return [
        at === 0 ? "as people would judge" : "",
        model,
        countText(found?.n ?? 0),
        estimateText({ value: found?.counted ?? null, low: null, high: null }),
        countText(conclusion.models[model]?.n ?? 0),
        found === undefined ? "–" : estimateText(found.mean),
      ];
    }),
    note: `On the scale of the labels. The estimated mean is of all images: ${method}.`,
  };
}

function labelsText({ labelsNeeded, contradiction }: CorrectedPair, low: number | null): string {
  if (contradiction !== undefined) return "disputed";
  const { winRate: needed } = labelsNeeded;
  if (low === null) return "–";
  if (needed === null) return "not resolvable with all prompts";
  return needed <= 0 ? "settled" : countText(needed);
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

function testText({ test, adjust, permutations, pairs, seed }: ComparisonConclusion): string {
  if (pairs.length === 0) return "";
  const tests = {
    "sign-flip":
      `sign flips of the differences of prompts (all of them up to 20 prompts, else ${countText(permutations)} ` +
      `random ones, seed ${seed}, p = (1 + flips at least as far from 0) / (1 + all))`,
    t: "paired t-tests over prompts",
    wilcoxon: "Wilcoxon's signed ranks of the differences of prompts, zeros dropped",
  };
  const by = { holm: "Holm", bh: "Benjamini and Hochberg", by: "Benjamini and Yekutieli" };
  const over =
    adjust === "none"
      ? "not adjusted"
      : `adjusted over ${pluralText(pairs.length, "pair")} by ${by[adjust]}`;
  return `Tests, two-sided: ${tests[test]}, ${over}.`;
}
