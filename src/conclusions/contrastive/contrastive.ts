import { fewestToTell } from "../../analysis/inference/few-clusters.js";
import { whichSide } from "../../analysis/inference/one-sided-bound.js";
import {
  type ContrastiveConclusion,
  type ContrastiveSummary,
  contrastiveOf,
  evidenceOfRows,
  namedSummaries,
} from "../../analysis/pairs/contrastive.js";
import { PairTable } from "../../analysis/pairs/pair-sums.js";
import { scoreScales } from "../../analysis/pairs/score-scale.js";
import { tieText } from "../../analysis/pairs/score-ties.js";
import type { Arguments } from "../../core/options.js";
import { listText } from "../../core/phrases.js";
import type { Estimate } from "../../stats/estimate.js";
import { optionalText, text } from "../../tables/columns.js";
import {
  besideCoin,
  type CoinStanding,
  coinStanding,
  equalWeightsText,
  pooledText,
} from "../../views/beside-coin.js";
import {
  boundNoteWithMeans,
  countText,
  fixedText,
  pluralText,
  spokenShare,
  tooFewText,
} from "../../views/number-text.js";
import {
  type Cell,
  countColumn,
  numberColumn,
  percentColumn,
  textColumn,
  type ViewColumn,
  type ViewTable,
  type ViewWithData,
} from "../../views/view.js";
import { conclusion } from "../conclusion.js";
import { drawKindsWithProbability, drawsOfRows } from "../draw-columns.js";
import { pairReader, wideArguments } from "../pair-columns.js";
import { intervalArguments, parseRanges, tieArguments } from "../shared-options.js";

const sides = ["correct", "adversarial"] as const;

/** By `readTable`; `outcomeOf` (analysis/pairs/pair-sums.ts) then says of each row whether it fails. */
const readPairs = pairReader(
  { id: text, domain: text, prompt: optionalText, ...drawKindsWithProbability },
  sides,
);

const options = {
  ...wideArguments(["correct", "adversarial"]),
  direction: {
    kind: "choice",
    choices: ["higher", "lower"],
    default: "higher",
    description: "which scores are better",
  },
  scale: {
    kind: "choice",
    choices: scoreScales,
    default: "none",
    description: "how scores are scaled to [0, 1] for means and margins; rankings use raw scores",
  },
  range: {
    kind: "text",
    repeated: true,
    value: "[METRIC=]LOW,HIGH",
    description: "the lowest and highest possible score, for --scale range",
  },
  ...tieArguments,
  ...intervalArguments,
} as const satisfies Arguments;

export default conclusion({
  title: "Contrastive analysis",
  description:
    "Measures how often, and by how much, metrics prefer a wrong but typical image to a " +
    "right but atypical one. Reads JSONL, JSON, CSV or Parquet with the columns id, metric, " +
    "domain, correct, adversarial and, optionally, prompt, weight (1 / probability of the row's draw), stratum and round; an empty or null score is " +
    "unscored. Ties count as failures. `touchstone example contrastive` prints a sample.",
  examples: [
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze contrastive wide.csv --wide",
    "touchstone analyze contrastive scores.jsonl --map correct=score_right --out failures.html",
    "touchstone example contrastive | touchstone analyze contrastive - --json",
  ],
  example: { shows: "two metrics' scores of eight triplets, with a tie and an unscored one" },
  page: "failures.html",
  options,
  sums: () => import("./sums.js"),
  async read(given, inputs) {
    const table = await readPairs(given, inputs);
    const draws = drawsOfRows(table);
    return evidenceOfRows(new PairTable({ ...table.columns, ...(draws && { draws }) }));
  },
  conclude(pairs, { "tie-tolerance": tieTolerance, range, ...given }) {
    const options = { ...given, tieTolerance };
    const conclusion = contrastiveOf(pairs, { ...options, rangeOf: parseRanges(range) });
    const verdict = contrastiveVerdict(conclusion, (metric, than) =>
      pairs.differenceOf({ ...options, metric, than }),
    );
    return { ...conclusion, ...verdict };
  },
  view: contrastiveView,
  async figure(found) {
    const { contrastiveFigure } = await import("./figure.js");
    return contrastiveFigure(found);
  },
});

function contrastiveView(found: ContrastiveConclusion & ContrastiveVerdict): ViewWithData {
  return {
    verdict: found.verdict,
    findings: found.findings,
    tables: [failures(found), means(found), margins(found)],
    data: data(found),
    caveats: found.warnings,
    method: `Brackets hold intervals: ${found.intervals.text}.${found.weighted === undefined ? "" : ` ${found.weighted}`}`,
  };
}

const failures = (found: ContrastiveConclusion) =>
  table(found, {
    title: "How often the wrong image is preferred",
    columns: [
      countColumn("n"),
      countColumn("unscored"),
      countColumn("ties"),
      percentColumn("failure rate, %"),
      percentColumn("wrong ahead, %", { id: "without ties, %" }),
      percentColumn("if all were scored, %", { id: "bounds, %" }),
    ],
    cells: ({ n, unscored, ties, failureRate, strictFailureRate, bounds }) => [
      ...[n, unscored, ties, failureRate, { ...strictFailureRate, low: null, high: null }],
      unscored === 0 ? null : bounds,
    ],
    note:
      `A tie is a failure (${tieText(found.tieTolerance)}); wrong ahead: the share of all n where the wrong ` +
      "image scores better. " +
      `If all were scored: the failure rate, had every unscored row passed or failed. ${boundNoteWithMeans}`,
  });

const means = (found: ContrastiveConclusion) =>
  table(found, {
    title: `Mean scores, ${unitOf(found)} (${found.direction === "higher" ? "more" : "less"} is better)`,
    columns: ["correct", "adversarial", "difference"].map((title) => numberColumn(title)),
    cells: ({ meanCorrect, meanAdversarial, difference }) => [
      ...[meanCorrect, meanAdversarial, difference],
    ],
    note: "Difference: correct minus adversarial.",
  });

const margins = (found: ContrastiveConclusion) =>
  table(found, {
    title: `Margins, ${unitOf(found)}`,
    columns: [numberColumn("where right"), numberColumn("where wrong")],
    cells: ({ correctMargin, incorrectMargin }) => [correctMargin, incorrectMargin],
    note:
      "By how much the better of the two scores wins, where the ranking is right and where it is " +
      "wrong (ties count as 0). –: undefined, --json says why.",
  });

function table(
  { metrics }: ContrastiveConclusion,
  {
    columns,
    cells,
    ...rest
  }: Pick<ViewTable, "title" | "note"> & {
    readonly columns: readonly ViewColumn[];
    readonly cells: (summary: ContrastiveSummary) => readonly Cell[];
  },
): ViewTable {
  return {
    ...rest,
    columns: [textColumn("metric", { isGroup: true }), textColumn("domain"), ...columns],
    rows: Object.entries(metrics).flatMap(([metric, each]) =>
      namedSummaries(each).map(([domain, summary]) => [metric, domain, ...cells(summary)]),
    ),
  };
}

function unitOf({ scale }: ContrastiveConclusion): string {
  if (scale === "none") return "in each metric's own unit";
  return scale === "range"
    ? "where 0 and 1 are the ends of the metric's range"
    : "where 0 and 1 are the metric's lowest and highest score here";
}

const rates = ["failureRate", "strictFailureRate"] as const;

const scores = [
  ...([
    "meanCorrect",
    "meanAdversarial",
    "difference",
    "correctMargin",
    "incorrectMargin",
  ] as const),
];

/** A row for each metric and scope (overall, macro, a domain); shares from 0 to 1. */
const data = ({ metrics }: ContrastiveConclusion): ViewWithData["data"] => ({
  columns: [
    ...["metric", "scope", "domain"].map((id) => textColumn(id)),
    ...["n", "unscored", "ties"].map((id) => countColumn(id)),
    ...rates.map((id) => percentColumn(id, { spread: "interval" })),
    ...scores.map((id) => numberColumn(id, { spread: "interval" })),
    percentColumn("bounds", { spread: "range" }),
  ],
  rows: Object.entries(metrics).flatMap(([metric, { overall, macro, domains }]) =>
    [
      { scope: "overall", domain: "", summary: overall },
      { scope: "macro", domain: "", summary: macro },
      ...Object.entries(domains).map(([domain, summary]) => ({ scope: "domain", domain, summary })),
    ].map(({ scope, domain, summary }) => [
      ...[metric, scope, domain, summary.n, summary.unscored, summary.ties],
      ...[...rates, ...scores].map((name) => summary[name]),
      summary.bounds,
    ]),
  ),
});

interface Named {
  readonly name: string;
  readonly overall: ContrastiveSummary;
  readonly macro: ContrastiveSummary;
  readonly rate: number;
}

/** Verdict on a contrastive conclusion. */
interface ContrastiveVerdict {
  /** Which metric fails most and which least, in one sentence with one interval. */
  readonly verdict: string;
  /** Below it, a sentence each: every metric beside a coin with its ties, and who does not differ significantly. */
  readonly findings: readonly string[];
}

/**
 * Which metric fails most and which least, and how each stands beside a coin. `differenceOf` gives the
 * failure rate of one metric minus that of another on the rows that both scored; where its interval
 * holds zero, or few prompts are behind it, the two are not called different.
 */
export function contrastiveVerdict(
  { metrics, intervals }: ContrastiveConclusion,
  differenceOf: (metric: string, than: string) => Estimate,
): ContrastiveVerdict {
  const ranked = Object.entries(metrics)
    .flatMap(([name, { overall, macro }]): Named[] => {
      const rate = overall.failureRate.value;
      return rate === null ? [] : [{ name, overall, macro, rate }];
    })
    .sort((a, b) => b.rate - a.rate);
  const worst = ranked[0];
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) {
    return { verdict: "Nothing can be concluded: no row has both scores.", findings: [] };
  }
  const domains = [...new Set(Object.values(metrics).flatMap((each) => Object.keys(each.domains)))];
  const weights = equalWeightsText(
    domains,
    ranked.map(({ name, macro }) => ({ name, mean: macro.failureRate })),
    "rows",
  );
  const { clusters, clusteredBy } = intervals;
  const isEnough = clusters >= fewestToTell;
  const isApart = (one: Named, other: Named) =>
    isEnough && whichSide(differenceOf(one.name, other.name)) === "above";
  const unscored = Object.keys(metrics).filter((name) => !ranked.some((one) => one.name === name));
  const alike = ranked.slice(1, -1).filter((one) => !isApart(one, best));
  return {
    verdict: `${worst.name} ${failing(worst)} in ${rateOf(worst)}${pooledText(domains)}${besides(ranked, isApart, isEnough)}.`,
    findings: [
      ...(weights === undefined ? [] : [weights]),
      ...besideCoin(
        ranked.map((one) => ({ share: one.overall.failureRate, said: countedFailures(one) })),
        isEnough,
      ),
      ...(alike.length === 0
        ? []
        : [
            `Not significantly different from ${best.name}: ${listText(alike.map(({ name }) => name))}.`,
          ]),
      ...(unscored.length === 0
        ? []
        : [`Without a row that has both scores: ${listText(unscored)}.`]),
      ...(isEnough
        ? []
        : [`${tooFewText(clusters, clusteredBy)} to tell metrics from a coin or apart.`]),
    ],
  };
}

/** How a metric fails: one that scores both images the same prefers neither. */
function failing(one: Named): string {
  // The table of a study's answers calls its raters so.
  const s = one.name === "people" ? "" : "s";
  if (one.overall.ties === 0) return `prefer${s} the wrong image`;
  return isAllTies(one)
    ? `score${s} both images the same, a failure,`
    : `prefer${s} the wrong image or tie${s}`;
}

const isAllTies = ({ overall: { ties, strictFailureRate } }: Named) =>
  ties > 0 && strictFailureRate.value === 0;

/** The rest of the verdict beside the worst metric's rate. */
function besides(
  ranked: readonly Named[],
  isApart: (one: Named, other: Named) => boolean,
  isEnough: boolean,
): string {
  const [worst] = ranked;
  const best = ranked.at(-1);
  if (worst === undefined || best === undefined) return "";
  if (worst === best) return `: ${coinWords[coinStanding(worst.overall.failureRate, isEnough)]}`;
  const rate = shortRate(best);
  if (!isApart(worst, best)) return `; indistinguishable from ${best.name} (${rate})`;
  const fails = isAllTies(worst) ? "fails significantly" : "does so significantly";
  return `; ${best.name} ${fails} ${ranked.length > 2 ? "least" : "less"} often (${rate})`;
}

const rateOf = ({ overall: { failureRate, n } }: Named) =>
  spokenShare(failureRate, pluralText(n, "row"));

const shortRate = ({ rate }: Named) => `${fixedText(100 * rate, 1)} %`;

const coinWords: Readonly<Record<CoinStanding, string>> = {
  more: "more often than a coin would",
  less: "less often than a coin would",
  untold: "indistinguishable from a coin",
};

/** @example "clip-score (41 of 59 rows fail, 6 of them ties)" */
function countedFailures({ name, rate, overall: { n, ties } }: Named): string {
  const failures = Math.round(rate * n);
  const tied =
    ties === 0 ? "no ties" : `${countText(ties)} of them ${ties === 1 ? "a tie" : "ties"}`;
  return failures === 0
    ? `${name} (none of ${pluralText(n, "row")} ${n === 1 ? "fails" : "fail"})`
    : `${name} (${countText(failures)} of ${pluralText(n, "row")} ${failures === 1 ? "fails" : "fail"}, ${tied})`;
}
