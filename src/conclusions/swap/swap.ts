import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { unitsText } from "../../analysis/inference/intervals.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import { evidenceOfRows, type PairEvidence } from "../../analysis/pairs/contrastive.js";
import { evidenceOfCells } from "../../analysis/pairs/pair-cells.js";
import { PairTable } from "../../analysis/pairs/pair-sums.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import type { SwapSummary } from "../../analysis/pairs/swap.js";
import { type SwapTestConclusion, swapTestOf } from "../../analysis/pairs/swap-test.js";
import { InputError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import { listText } from "../../core/phrases.js";
import { picked } from "../../core/row-codes.js";
import type { Estimate } from "../../stats/estimate.js";
import { optionalAnswer, optionalText, text } from "../../tables/columns.js";
import { quoted } from "../../tables/format.js";
import { besideCoin } from "../../views/beside-coin.js";
import {
  boundNote,
  countText,
  fixedText,
  pluralText,
  spokenShare,
} from "../../views/number-text.js";
import {
  countColumn,
  percentColumn,
  textColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { conclusion } from "../conclusion.js";
import { pairReader, wideArguments } from "../pair-columns.js";
import { intervalArguments, tieArguments } from "../shared-options.js";
import { pairSums, readPairCells } from "../sums/pair-sums.js";
import type { GivenTable, Inputs } from "../table-options.js";

const swapView = (found: SwapTestConclusion & SwapVerdict): ViewWithData => ({
  verdict: found.verdict,
  findings: found.findings,
  tables: [rates(found)],
  data: data(found),
  caveats: found.warnings,
  method: `Brackets hold intervals: ${found.intervals.text}.`,
});

const rates = ({ metrics, tieTolerance }: SwapTestConclusion): ViewTable => ({
  title: "How often the swapped description is preferred",
  columns: [
    textColumn("rows", { isGroup: true }),
    textColumn("metric"),
    countColumn("n"),
    countColumn("unscored"),
    percentColumn("fails, %"),
    percentColumn("ties, %"),
    percentColumn("fails + ½ ties, %"),
    percentColumn("if all were scored, %", { id: "bounds, %" }),
  ],
  rows: Object.entries(metrics).map(([metric, { n, unscored, bounds, ...found }]) => [
    ...["each scored against its description and the swapped one", metric, n, unscored],
    ...[found.failureRate, found.tieRate.value, found.failuresAndHalfTies.value],
    unscored === 0 ? null : bounds,
  ]),
  note:
    `A failure is a swapped description that scores better; ties stand apart (${tieText(tieTolerance)}). ` +
    "A constant metric ties everywhere: 50 % with half the ties. If all were scored: the " +
    `failure rate, had every unscored row passed or failed. ${boundNote}`,
});

const shares = ["failureRate", "tieRate", "failuresAndHalfTies", "difference"] as const;

/** A row for each metric; shares from 0 to 1. */
const data = ({ metrics }: SwapTestConclusion): ViewWithData["data"] => ({
  columns: [
    textColumn("metric"),
    ...["n", "unscored", "failures", "ties"].map((id) => countColumn(id)),
    ...shares.map((id) => percentColumn(id, { spread: "interval" })),
    percentColumn("bounds", { spread: "range" }),
  ],
  rows: Object.entries(metrics).map(([metric, found]) => [
    ...[metric, found.n, found.unscored, found.failures, found.ties],
    ...shares.map((name) => found[name]),
    found.bounds,
  ]),
});

const sides = ["original", "swapped"] as const;

const readPairs = pairReader(
  { id: text, prompt: optionalText, asDescribed: optionalAnswer },
  sides,
);

const options = {
  ...wideArguments(["original", "swapped"]),
  direction: {
    kind: "choice",
    choices: ["higher", "lower"],
    default: "higher",
    description: "which scores are better",
  },
  ...tieArguments,
  ...intervalArguments,
} as const satisfies Arguments;

const sums = pairSums({
  name: "swap",
  sides: ["original", "swapped"],
  domain: "asDescribed",
  isDomainAlone: true,
});

/** All pairs, and those whose image is as described; undefined where nobody said so of any. */
interface SwapPairs {
  readonly all: PairEvidence;
  readonly described: PairEvidence | undefined;
}

async function readRows(
  given: Parameters<typeof readPairs>[0],
  inputs: Parameters<typeof readPairs>[1],
): Promise<SwapPairs> {
  const { length, columns } = await readPairs(given, inputs);
  const { id, metric, prompt, original, swapped, asDescribed } = columns;
  const domain = { codes: new Int32Array(length), names: [""] };
  const sides = { correct: original, adversarial: swapped };
  const all = new PairTable({ id, metric, domain, prompt, ...sides });
  const right = Int32Array.from(asDescribed.keys()).filter((row) => asDescribed[row] === 1);
  return {
    all: evidenceOfRows(all),
    described: asDescribed.every(Number.isNaN) ? undefined : evidenceOfRows(all.only(right)),
  };
}

async function readCells(...given: readonly [GivenTable, Inputs]): Promise<SwapPairs> {
  const cells = await readPairCells(sums, given);
  const { codes, names } = cells.domain;
  const said = new Map(
    [...new Set(picked(codes, cells.cells))].map((code) => {
      const word = names[code] ?? "";
      const found = optionalAnswer.read(word, { isText: true });
      if ("value" in found) return [code, found.value];
      throw new InputError(
        `Expected ${found.expected} for asDescribed but received ${quoted(word)}`,
      );
    }),
  );
  if (new Set(said.values()).size < said.size) {
    const words = listText([...said.keys()].map((code) => quoted(names[code] ?? "")));
    throw new InputError(
      `Expected one word for each answer of asDescribed but received ${words}: what is summed apart can't be put together`,
      { hint: "Write 1, 0 or nothing in each row; or analyze the table of rows itself." },
    );
  }
  const answerOf = (row: number) => said.get(codes[row] ?? -1) ?? null;
  const pairs = { ...cells, domain: { codes: codes.map(() => -1), names: [] } };
  return {
    all: evidenceOfCells(pairs),
    described: cells.cells.every((row) => answerOf(row) === null)
      ? undefined
      : evidenceOfCells(pairs, (row) => answerOf(row) === 1),
  };
}

export default conclusion({
  title: "Swap test",
  description:
    "Measures how often metrics prefer a description whose attributes are swapped between " +
    "entities to the description that the image shows (L-VQAScore, section 3.2). Reads " +
    "JSONL, JSON, CSV or Parquet with the columns id, metric, original, swapped and, " +
    "optionally, prompt and asDescribed (1: the image shows the description, by people or the truth; " +
    "0: it doesn't); an empty or null score is unscored. A failure is a better score for " +
    "the swapped description; ties are counted apart. Rows whose image is not as described are left " +
    "out, since the swapped description may be right; without asDescribed there is no verdict on " +
    "metrics. `touchstone example swap` prints a sample.",
  examples: [
    "touchstone analyze swap scores.csv",
    "touchstone analyze swap scores.csv --wide --out swap.html",
    "touchstone example swap | touchstone analyze swap - --json",
  ],
  example: {
    shows: "two metrics' scores of twelve images for their descriptions and the swapped ones",
  },
  page: "swap.html",
  options,
  sums: async () => ({ sums, read: readCells }),
  read: readRows,
  conclude({ all, described: pairs }, { "tie-tolerance": tieTolerance, ...given }) {
    const options = { ...given, tieTolerance };
    if (pairs === undefined) {
      const conclusion = swapTestOf(all, options);
      return { ...conclusion, ...unreferencedVerdict(conclusion) };
    }
    const conclusion = swapTestOf(pairs, options);
    const excluded = all.length - pairs.length;
    const verdict = swapVerdict(conclusion, (metric, than) =>
      pairs.differenceOf({ ...options, metric, than, ties: "half" }),
    );
    const warnings = [...excludedWarnings(excluded, all.length), ...conclusion.warnings];
    return { ...conclusion, excluded, warnings, ...verdict };
  },
  view: swapView,
  async figure(found) {
    const { swapFigure } = await import("./figure.js");
    return swapFigure(found);
  },
});

interface Named {
  readonly name: string;
  readonly summary: SwapSummary;
  /** Failures, and ties as half of one. */
  readonly rate: number;
}

interface SwapVerdict {
  /** Which metric fails most and which least. */
  readonly verdict: string;
  /** Each metric beside a coin, a tie as half a failure, a sentence for each standing. */
  readonly findings: readonly string[];
}

/**
 * Which metric most often prefers the swapped description, and how each stands beside a coin.
 * `differenceOf` gives failures and half the ties of one metric minus those of another on the images
 * that both scored.
 */
function swapVerdict(
  { metrics, intervals: { clusters, clusteredBy } }: SwapTestConclusion,
  differenceOf: (metric: string, than: string) => Estimate,
): SwapVerdict {
  const ranked = Object.entries(metrics)
    .flatMap(([name, summary]): Named[] => {
      const rate = summary.failuresAndHalfTies.value;
      return rate === null ? [] : [{ name, summary, rate }];
    })
    .sort((a, b) => b.rate - a.rate);
  const worst = ranked[0];
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) {
    const verdict =
      "Nothing can be concluded: no row of an image that is as described has both scores.";
    return { verdict, findings: [] };
  }
  const isEnough = clusters >= fewestToTell;
  const { failureRate, n } = worst.summary;
  const opening = `${worst.name} prefers the swapped description in ${spokenShare(failureRate, pluralText(n, "row"))}`;
  const few = `${unitsText(clusters, clusteredBy)} ${clusters === 1 ? "is" : "are"} too few; it takes ${fewestToTell}`;
  const findings = [
    ...besideCoin(
      ranked.map((one) => ({ share: one.summary.failuresAndHalfTies, said: counted(one) })),
      isEnough,
    ),
    ...(isEnough ? [] : [`${few} to tell metrics from a coin or apart.`]),
  ];
  if (worst === best) return { verdict: `${opening}.`, findings };
  const isApart = isEnough && whichSide(differenceOf(worst.name, best.name)) === "above";
  const rate = `${best.name} (${percent(best.summary.failureRate.value)})`;
  const rest = isApart
    ? `; ${rate} does so significantly ${ranked.length > 2 ? "least" : "less"} often`
    : `; whether ${rate} does so less often is inconclusive`;
  return { verdict: `${opening}${rest}.`, findings };
}

/** How often each metric prefers the swapped description, where nobody said what the images show. */
function unreferencedVerdict({ metrics }: SwapTestConclusion): SwapVerdict {
  return {
    verdict:
      "No verdict on metrics: nobody said what the images show (column asDescribed), and where " +
      "attributes are mixed up the swapped description is right.",
    findings: Object.entries(metrics).map(
      ([name, { failureRate, n }]) =>
        `${name} prefers the swapped description in ${spokenShare(failureRate, pluralText(n, "row"))}: the image or the metric is wrong.`,
    ),
  };
}

/** Says how many rows a reference leaves out; nothing where it leaves out none. */
const excludedWarnings = (excluded: number, all: number): readonly string[] =>
  excluded === 0
    ? []
    : [
        `${countText(excluded)} of ${pluralText(all, "row")} ${excluded === 1 ? "is" : "are"} left out: asDescribed is not 1 there`,
      ];

const percent = (share: number | null) => `${fixedText(100 * (share ?? 0), 1)} %`;

/** @example "clip-score (4 of 12 rows fail, 2 tie)" */
const counted = ({ name, summary: { n, failures, ties } }: Named) =>
  `${name} (${countText(failures)} of ${pluralText(n, "row")} ${failures === 1 ? "fails" : "fail"}, ` +
  `${ties === 0 ? "none ties" : `${countText(ties)} ${ties === 1 ? "ties" : "tie"}`})`;
