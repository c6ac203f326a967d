import {
  type CorrelationConclusion,
  type CorrelationOptions,
  correlationComparison,
} from "../../../analysis/correlation/correlation.js";
import { countTargets } from "../../../analysis/correlation/dealt-groups.js";
import { groupAverages } from "../../../analysis/correlation/group-average.js";
import {
  type GroupedConclusion,
  groupedCorrelation,
} from "../../../analysis/correlation/grouped-correlation.js";
import { groupWeights, undefinedGroupRules } from "../../../analysis/correlation/grouping.js";
import type { GroupedOptions } from "../../../analysis/inference/grouped-samples.js";
import { intervalArguments } from "../../../conclusions/shared-options.js";
import { InputError } from "../../../core/errors.js";
import { largestOf } from "../../../core/extremes.js";
import { listText } from "../../../core/list-text.js";
import { correlationVerdict, readableCorrelation } from "../../../report/text/correlation-text.js";
import { withinVerdict } from "../../../report/text/within-groups-text.js";
import { parseValues, recoded, valuesArgument } from "../../../tables/recoded-column.js";
import { pluralText } from "../../../views/number-text.js";
import { conclusion } from "../../conclusions/conclusion-verb.js";
import type { WideRow, WideTable } from "../../conclusions/wide-row.js";
import { count, parseMetrics, readWideTable } from "../../conclusions/wide-table.js";
import { correlationFlags } from "./correlation-flags.js";
import { correlationRows } from "./correlation-rows.js";
import { meanOf, ratings } from "./ratings.js";

export default conclusion({
  description:
    "Correlates metrics with human ratings: Spearman, Kendall's tau-b and tau-c, Pearson, " +
    "and the share of pairs in people's order. Reads JSONL, JSON, CSV or Parquet with one " +
    "row for each item: the human rating in one column, each metric in another and, " +
    "optionally, prompt; an empty or null score is unscored. Results of score work too: one " +
    "row for each result, with a column metric (--metrics value). Several ratings of one id " +
    "are averaged. --group adds the average correlation within groups (a task, a model). " +
    "`touchstone example correlation` prints a sample.",
  examples: [
    "touchstone analyze correlation scores.csv --human rating",
    "touchstone analyze correlation scores.csv --human rating --metrics clip-score,vqa-score",
    "touchstone analyze correlation scores.csv --human rater_1,rater_2 --group model",
    "touchstone example correlation | touchstone analyze correlation - --human rating --json",
  ],
  title: "Correlation",
  example: "correlation.html",
  arguments: {
    human: {
      kind: "text",
      value: "COLUMN",
      description: "the column with the human rating (higher is better); A,B averages several",
    },
    group: {
      kind: "text",
      value: "A,B",
      description: "also correlate within groups of rows that share these columns' values",
    },
    average: {
      kind: "choice",
      choices: groupAverages,
      description: "for --group: average in Fisher's z or directly (default: fisher)",
    },
    weight: {
      kind: "choice",
      choices: groupWeights,
      description: "for --group: weight groups equally or by their rows (default: equal)",
    },
    undefined: {
      kind: "choice",
      choices: undefinedGroupRules,
      description:
        "for --group: leave out groups without a coefficient, or count them as zero (default " +
        "left-out)",
    },
    "human-counts": {
      kind: "text",
      value: "TP,FP,FN",
      description:
        "use these three columns with human counts instead of --human, pooled in groups of items",
    },
    target: {
      kind: "choice",
      choices: countTargets,
      description: "for --human-counts: the reference computed from a group's counts (default: f1)",
    },
    groups: {
      kind: "number",
      integer: true,
      minimum: 3,
      description:
        "for --human-counts: the number of groups, equal in size to within 1 (default: 25)",
    },
    seeds: {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 1000,
      description:
        "for --human-counts: the number of random groupings that are averaged (default: 5)",
    },
    metrics: {
      kind: "text",
      value: "A,B",
      description:
        "the columns of the metrics (default: every numeric column except id, prompt and human " +
        "ratings or counts)",
    },
    icc: {
      kind: "switch",
      description:
        "also intraclass correlations, ICC(A,1) and ICC(C,1): scores in the ratings' unit",
    },
    plcc: {
      kind: "switch",
      description:
        "also Pearson's after a logistic function of the scores is fitted to the ratings",
    },
    partial: {
      kind: "text",
      value: "A,B",
      description: "also partial correlations that hold these columns of numbers constant",
    },
    williams: {
      kind: "switch",
      description: "also Williams' test of every two metrics, which takes rows for independent",
    },
    "tie-calibration": {
      kind: "switch",
      description: "also count human ties, and fit each metric's tie threshold",
    },
    ...valuesArgument,
    ...intervalArguments,
  },
  read(given, inputs) {
    const { isRating, people, grouping, also } = correlationFlags(given);
    const groups = grouping?.columns ?? [];
    return readWideTable(given, {
      people,
      metrics: parseMetrics(given.metrics, [...people, ...groups, ...(also.partial ?? [])]),
      groups,
      controls: also.partial,
      inputs,
      kind: recoded(isRating ? ratings : count, parseValues(given.values)),
      isRating,
    });
  },
  conclude(table, given): Concluded {
    const { isRating, people, grouping, also } = correlationFlags(given);
    const tieCalibration = given["tie-calibration"];
    const conclusion = isRating
      ? byItems(table, people, { ...given, tieCalibration, also, grouping: grouping?.options })
      : byDealtGroups(table, people, given);
    return { ...conclusion, warnings: [...table.notes, ...conclusion.warnings] };
  },
  readable: (conclusion) => readableCorrelation(conclusion, conclusion.verdict),
  csv: correlationRows,
  async figure(conclusion, { metrics, rows }) {
    const plots = await import("../../../report/plots/correlation-plot.js");
    if (isDealt(conclusion)) return plots.groupedCorrelationFigure(conclusion);
    const within = await import("../../../report/plots/within-groups-plot.js");
    return conclusion.grouped === undefined
      ? plots.correlationFigure(conclusion, { metrics, rows: rows.map(rated) })
      : within.withinGroupsFigure(conclusion);
  },
});

type Concluded = (CorrelationConclusion | GroupedConclusion) & { readonly verdict: string };

const isDealt = (conclusion: Concluded): conclusion is GroupedConclusion & Concluded =>
  "groups" in conclusion;

const measure = "kendallTauB";

function byItems(
  { metrics, rows }: WideTable,
  columns: readonly string[],
  options: CorrelationOptions,
): Concluded {
  const human = columns.length === 1 ? columns.join() : `mean of ${listText(columns)}`;
  const compared = correlationComparison({ human, metrics, rows: rows.map(rated) }, options);
  const { difference, differenceWithin } = compared;
  const conclusion = {
    ...compared.conclusion,
    warnings: [...fewerRatings(rows, columns), ...compared.conclusion.warnings],
  };
  const verdict =
    differenceWithin === undefined
      ? correlationVerdict(conclusion, (metric, than) => difference({ metric, than, measure }))
      : withinVerdict(conclusion, (metric, than) => differenceWithin({ metric, than, measure }));
  return { ...conclusion, verdict };
}

const rated = ({ people, ...row }: WideRow) => ({ ...row, human: meanOf(people) });

/** Where items lack some of the ratings, of columns that were averaged. */
function fewerRatings(rows: WideTable["rows"], columns: readonly string[]): string[] {
  const given = rows.map(({ people }) => people.filter((rating) => rating !== null).length);
  const most = Math.max(0, largestOf(given));
  const fewer = given.filter((count) => count > 0 && count < most).length;
  return columns.length < 2 || fewer === 0
    ? []
    : [
        `${pluralText(fewer, "row")} ${fewer === 1 ? "has" : "have"} fewer than ${most} ratings; ` +
          `${fewer === 1 ? "its mean is" : "their means are"} over those given`,
      ];
}

type GivenGrouping = { readonly [Name in keyof GroupedOptions]?: GroupedOptions[Name] | undefined };

function byDealtGroups(
  { metrics, rows }: WideTable,
  columns: readonly string[],
  { target = "f1", groups = 25, seeds = 5, resamples, seed }: GivenGrouping,
): Concluded {
  const counted = rows.map(({ people: [tp, fp, fn], ...row }) => {
    const isCounted = typeof tp === "number" && typeof fp === "number" && typeof fn === "number";
    return { ...row, counts: isCounted ? ([tp, fp, fn] as const) : null };
  });
  const rated = counted.filter(({ counts }) => counts !== null).length;
  if (rated < groups) {
    throw new InputError(
      `Expected at least as many rows with people's counts as --groups, ${groups}, but ` +
        `received ${rated}`,
      { hint: "A group needs several rows; fewer groups: --groups 10" },
    );
  }
  const table = { human: `${target} of ${columns.join(", ")}`, metrics, rows: counted };
  const options = { target, groups, seeds, resamples, seed };
  const { conclusion, difference } = groupedCorrelation(table, options);
  const verdict = correlationVerdict(conclusion, (metric, than) =>
    difference({ metric, than, measure }),
  );
  return { ...conclusion, verdict };
}
