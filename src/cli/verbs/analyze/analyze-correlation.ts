import {
  type CorrelationOptions,
  correlationComparison,
} from "../../../analysis/correlation/correlation.js";
import { type CountTarget, countTargets } from "../../../analysis/correlation/dealt-groups.js";
import { type GroupAverage, groupAverages } from "../../../analysis/correlation/group-average.js";
import { groupedCorrelation } from "../../../analysis/correlation/grouped-correlation.js";
import {
  type GroupWeight,
  groupWeights,
  type UndefinedGroupRule,
  undefinedGroupRules,
} from "../../../analysis/correlation/within-groups.js";
import type { IntervalOptions } from "../../../analysis/inference/intervals.js";
import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/list-text.js";
import { correlationVerdict, readableCorrelation } from "../../../report/text/correlation-text.js";
import { pluralText } from "../../../report/text/number-text.js";
import { withinVerdict } from "../../../report/text/within-groups-text.js";
import { command } from "../../command-line/command.js";
import { asJson, fileWriter } from "../../conclusions/conclusion-file.js";
import { intervalArguments } from "../../conclusions/interval-arguments.js";
import { plotArgument, plotWriter } from "../../conclusions/plot-file.js";
import { showConclusion } from "../../conclusions/show-conclusion.js";
import { outArgument, tableArguments } from "../../conclusions/table-arguments.js";
import {
  count,
  parseMetrics,
  readWideTable,
  type WideTable,
} from "../../conclusions/wide-table.js";
import { correlationCsv } from "./correlation-csv.js";
import { meanOf, ratings } from "./ratings.js";

export default command({
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
  arguments: {
    ...tableArguments,
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
      description: "for --group: average in Fisher's z or directly; default fisher",
    },
    weight: {
      kind: "choice",
      choices: groupWeights,
      description: "for --group: weight groups equally or by their rows; default equal",
    },
    undefined: {
      kind: "choice",
      choices: undefinedGroupRules,
      description:
        "for --group: leave out groups without a coefficient, or count them as zero; default " +
        "left-out",
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
      description: "for --human-counts: the reference computed from a group's counts; default f1",
    },
    groups: {
      kind: "number",
      integer: true,
      minimum: 3,
      description:
        "for --human-counts: the number of groups, equal in size to within 1; default 25",
    },
    seeds: {
      kind: "number",
      integer: true,
      minimum: 1,
      maximum: 1000,
      description:
        "for --human-counts: the number of random groupings that are averaged; default 5",
    },
    metrics: {
      kind: "text",
      value: "A,B",
      description:
        "the columns of the metrics; default: every numeric column except id, prompt and human " +
        "ratings",
    },
    "tie-calibration": {
      kind: "switch",
      description: "also count human ties, and fit each metric's tie threshold",
    },
    ...intervalArguments,
    ...outArgument,
    ...plotArgument,
  },
  async run({ given, environment, output, words }) {
    const write = await fileWriter(given, environment);
    const draw = await plotWriter(given, environment);
    const { interval, resamples, seed } = given;
    const { human, columns } = peopleOf(given.human, given["human-counts"]);
    if (human !== undefined) checkUndealt(given);
    const grouping = groupingOf(given);
    const { target = "f1", groups = 25, seeds = 5 } = given;
    if (human === undefined && interval !== undefined && interval !== "percentile") {
      throw new InputError(
        `Expected --interval percentile for --human-counts but received ${interval}`,
        { hint: "What groups are dealt from can only be drawn again" },
      );
    }
    const tieCalibration = given["tie-calibration"];
    if (human === undefined && tieCalibration) {
      throw new InputError("Expected --human for --tie-calibration but received --human-counts", {
        hint: "Rates of groups hardly ever tie",
      });
    }
    const groupColumns = grouping?.columns ?? [];
    const metrics = parseMetrics(given.metrics, [...columns, ...groupColumns]);
    const table = await readWideTable(given, {
      people: columns,
      metrics,
      groups: groupColumns,
      environment,
      kind: human === undefined ? count : ratings,
      isRating: human !== undefined,
    });
    const intervals = { interval, resamples, seed };
    const found =
      human === undefined
        ? byDealtGroups(table, columns, { target, groups, seeds, resamples, seed })
        : byItems(table, columns, { ...intervals, tieCalibration, grouping: grouping?.options });
    const { verdict, figure } = found;
    const conclusion = {
      ...found.conclusion,
      warnings: [...table.notes, ...found.conclusion.warnings],
    };
    const readable = readableCorrelation(conclusion, verdict);
    const json = asJson({ ...conclusion, verdict });

    await showConclusion({
      given,
      write,
      output,
      json,
      readable,
      words,
      csv: () => correlationCsv(conclusion),
      figure,
      draw,
      title: "Correlation",
      example: "correlation.html",
    });
  },
});

/** What is said of --group must not be lost without it, nor be mixed with people's counts. */
function groupingOf({
  group,
  average,
  weight,
  undefined: undefinedGroups,
  "human-counts": counts,
}: GivenGrouping & { readonly "human-counts": string | undefined }) {
  if (group === undefined) {
    const others = Object.entries({ average, weight, undefined: undefinedGroups });
    const [first] = others.filter(([, value]) => value !== undefined);
    if (first === undefined) return undefined;
    throw new InputError(`Expected --group for --${first[0]}`, {
      hint: "It averages correlations over groups: --group model",
    });
  }
  if (counts !== undefined) {
    throw new InputError("Expected --human for --group but received --human-counts", {
      hint: "People's counts are pooled in groups of their own: --groups 25",
    });
  }
  const columns = group.split(",").map((name) => name.trim());
  if (columns.includes("") || new Set(columns).size < columns.length) {
    throw new InputError(`Expected different columns for --group but received "${group}"`, {
      hint: "The columns that tell groups apart: --group task,model",
    });
  }
  return { columns, options: { average, weight, undefinedGroups } };
}

interface GivenGrouping {
  readonly group: string | undefined;
  readonly average: GroupAverage | undefined;
  readonly weight: GroupWeight | undefined;
  readonly undefined: UndefinedGroupRule | undefined;
}

/** What is said of people's counts must not be lost where there are none. */
function checkUndealt({
  target,
  groups,
  seeds,
}: {
  readonly [Name in keyof Grouping]: Grouping[Name] | undefined;
}): void {
  const flags = Object.entries({ target, groups, seeds }).filter(([, one]) => one !== undefined);
  if (flags.length === 0) return;
  throw new InputError(
    `Expected --human-counts for ${flags.map(([name]) => `--${name}`).join(" and ")} but received --human`,
    { hint: "They pool people's counts in groups: --human-counts tp,fp,fn" },
  );
}

/** People's columns; `human` only where it is one. */
function peopleOf(human: string | undefined, counts: string | undefined) {
  if (human !== undefined && counts === undefined) return { human, columns: ratersOf(human) };
  const columns = counts?.split(",").map((name) => name.trim()) ?? [];
  if (human !== undefined || counts === undefined) {
    throw new InputError("Expected either --human or --human-counts", {
      hint: "Name the column with people's ratings: --human rating",
    });
  }
  if (columns.length !== 3 || columns.includes("") || new Set(columns).size < 3) {
    throw new InputError(`Expected three columns for --human-counts but received "${counts}"`, {
      hint: "True positives, false positives, false negatives: --human-counts tp,fp,fn",
    });
  }
  return { human, columns };
}

/** The columns with people's ratings, each once. */
function ratersOf(human: string): string[] {
  const columns = human.split(",").map((name) => name.trim());
  if (columns.includes("") || new Set(columns).size < columns.length) {
    throw new InputError(`Expected different columns for --human but received "${human}"`, {
      hint: "The columns with a rater's ratings each: --human rater_1,rater_2",
    });
  }
  return columns;
}

function byItems(
  { metrics, rows }: WideTable,
  columns: readonly string[],
  options: CorrelationOptions,
) {
  const rated = rows.map(({ people, ...row }) => ({ ...row, human: meanOf(people) }));
  const human = columns.length === 1 ? columns.join() : `mean of ${listText(columns)}`;
  const table = { human, metrics, rows: rated };
  const compared = correlationComparison(table, options);
  const { difference, differenceWithin } = compared;
  const conclusion = {
    ...compared.conclusion,
    warnings: [...fewerRatings(rows, columns), ...compared.conclusion.warnings],
  };
  const measure = "kendallTauB";
  if (differenceWithin !== undefined) {
    return {
      conclusion,
      verdict: withinVerdict(conclusion, (metric, than) =>
        differenceWithin({ metric, than, measure }),
      ),
      async figure() {
        const { withinGroupsFigure } = await import("../../../report/plots/within-groups.js");
        return withinGroupsFigure(conclusion);
      },
    };
  }
  return {
    conclusion,
    verdict: correlationVerdict(conclusion, (metric, than) =>
      difference({ metric, than, measure }),
    ),
    async figure() {
      const { correlationFigure } = await import("../../../report/plots/correlation.js");
      return correlationFigure(conclusion, table);
    },
  };
}

/** Where items lack some of the ratings, of columns that were averaged. */
function fewerRatings(rows: WideTable["rows"], columns: readonly string[]): string[] {
  const given = rows.map(({ people }) => people.filter((rating) => rating !== null).length);
  const most = Math.max(0, ...given);
  const fewer = given.filter((count) => count > 0 && count < most).length;
  return columns.length < 2 || fewer === 0
    ? []
    : [
        `${pluralText(fewer, "row")} ${fewer === 1 ? "has" : "have"} fewer than ${most} ratings; ` +
          `${fewer === 1 ? "its mean is" : "their means are"} over those given`,
      ];
}

interface Grouping {
  readonly target: CountTarget;
  readonly groups: number;
  readonly seeds: number;
}

function byDealtGroups(
  { metrics, rows }: WideTable,
  columns: readonly string[],
  options: Grouping & Omit<IntervalOptions, "interval">,
) {
  const counted = rows.map(({ people: [tp, fp, fn], ...row }) => {
    const isCounted = typeof tp === "number" && typeof fp === "number" && typeof fn === "number";
    return { ...row, counts: isCounted ? ([tp, fp, fn] as const) : null };
  });
  const rated = counted.filter(({ counts }) => counts !== null).length;
  if (rated < options.groups) {
    throw new InputError(
      `Expected at least as many rows with people's counts as --groups, ${options.groups}, but ` +
        `received ${rated}`,
      { hint: "A group needs several rows; fewer groups: --groups 10" },
    );
  }
  const table = { human: `${options.target} of ${columns.join(", ")}`, metrics, rows: counted };
  const { conclusion, difference } = groupedCorrelation(table, options);
  const verdict = correlationVerdict(conclusion, (metric, than) =>
    difference({ metric, than, measure: "kendallTauB" }),
  );
  const figure = async () => {
    const { groupedCorrelationFigure } = await import("../../../report/plots/correlation.js");
    return groupedCorrelationFigure(conclusion);
  };
  return { conclusion, verdict, figure };
}
