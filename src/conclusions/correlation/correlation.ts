import {
  type CorrelationComparison,
  type CorrelationConclusion,
  type CorrelationOptions,
  comparisonOf,
} from "../../analysis/correlation/correlation.js";
import {
  type CorrelationCells,
  comparisonOfCells,
} from "../../analysis/correlation/correlation-cells.js";
import type { CorrelationColumns } from "../../analysis/correlation/correlation-row.js";
import {
  type GroupedConclusion,
  groupedCorrelation,
} from "../../analysis/correlation/grouped-correlation.js";
import type { MetricDifference } from "../../analysis/correlation/metric-differences.js";
import { type RatersCeiling, ratersCeiling } from "../../analysis/correlation/raters-ceiling.js";
import type { GroupedOptions, GroupedRow } from "../../analysis/inference/grouped-samples.js";
import { isByInfluence, undefinedEstimate } from "../../analysis/inference/intervals.js";
import { RowNames } from "../../analysis/inference/prompt-clusters.js";
import { largestOf } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import { listAt } from "../../core/number-lists.js";
import { listText } from "../../core/phrases.js";
import { parseValues, recoded } from "../../tables/recoded-column.js";
import { pluralText } from "../../views/number-text.js";
import { conclusion } from "../conclusion.js";
import { meansOf, ratingLists } from "../ratings.js";
import { counts, parseMetrics, readWideTable } from "./columns.js";
import type { WideTable } from "./item-rows.js";
import { correlationFlags, options } from "./options.js";
import { correlationVerdict, withinVerdict } from "./verdict.js";
import { correlationView } from "./view.js";

export default conclusion({
  title: "Correlation",
  description:
    "Correlates metrics with human ratings: Spearman, Kendall's tau-b and tau-c, Pearson, " +
    "and the share of pairs in people's order. Reads JSONL, JSON, CSV or Parquet with one " +
    "row for each item: the human rating in one column, each metric in another and, " +
    "optionally, prompt; an empty or null score is unscored. Results of score work too: one " +
    "row for each result, with a column metric (--metrics value). Several ratings of one id " +
    "are averaged. A column weight (1 / probability of the row's draw) weighs rows. --group adds the average correlation within groups (a task, a model). " +
    "`touchstone example correlation` prints a sample.",
  examples: [
    "touchstone analyze correlation scores.csv --human rating",
    "touchstone analyze correlation scores.csv --human rating --metrics clip-score,vqa-score",
    "touchstone analyze correlation scores.csv --human rater_1,rater_2 --group model",
    "touchstone example correlation | touchstone analyze correlation - --human rating --json",
  ],
  example: {
    shows: "people's mean rating and two metrics' scores of twelve images, one of them unscored",
    words: ["--human", "rating"],
  },
  page: "correlation.html",
  options,
  sampledBy: "prompt",
  sums: () => import("./sums.js"),
  read(given, inputs): Promise<WideTable | CorrelationCells> {
    const { isRating, people, grouping, also } = correlationFlags(given);
    const groups = grouping?.columns ?? [];
    return readWideTable(given, {
      people,
      metrics: parseMetrics(given.metrics, [...people, ...groups, ...(also.partial ?? [])]),
      groups,
      controls: also.partial,
      inputs,
      kind: recoded(isRating ? ratingLists : counts, parseValues(given.values)),
      isRating,
    });
  },
  conclude(table, given): Concluded {
    const { isRating, people, grouping, also } = correlationFlags(given);
    const tieCalibration = given["tie-calibration"];
    if ("pairs" in table) {
      const asked = { ...given, human: people.join(), grouping: grouping?.options };
      const { conclusion, differenceWithin } = comparisonOfCells(table, asked);
      return { ...conclusion, verdict: verdictWithin(conclusion, differenceWithin) };
    }
    if (
      table.draws !== undefined &&
      given.interval !== undefined &&
      isByInfluence(given.interval)
    ) {
      throw new InputError(
        `Expected percentile or bca for --interval, as rows have weights, but received ${given.interval}`,
      );
    }
    const conclusion = isRating
      ? byItems(table, people, { ...given, tieCalibration, also, grouping: grouping?.options })
      : byDealtGroups(table, people, given);
    return { ...conclusion, warnings: [...table.notes, ...conclusion.warnings] };
  },
  view: correlationView,
  async figure(found, table) {
    const figures = await import("./figure.js");
    if (isDealt(found)) return figures.groupedCorrelationFigure(found);
    if (found.grouped !== undefined) {
      const { withinGroupsFigure } = await import("./within-figure.js");
      return withinGroupsFigure(found);
    }
    if ("pairs" in table) return undefined;
    if (table.metrics.length > 1) {
      const { headlineFigure } = await import("./figure.js");
      return headlineFigure(found);
    }
    return figures.scatterFigure(found, { metrics: table.metrics, columns: rated(table) });
  },
});

type Concluded = (CorrelationConclusion | GroupedConclusion) & Compared;

/** What compares the metrics with one another, and with people. */
interface Compared {
  /** Every two metrics, of several metrics of rows. */
  readonly differences?: readonly MetricDifference[];
  /** How far one rater follows the others, where rows have several ratings. */
  readonly ceiling?: RatersCeiling;
  readonly verdict: string;
}

const isDealt = (conclusion: Concluded): conclusion is GroupedConclusion & Concluded =>
  "groups" in conclusion;

const measure = "kendallTauB";

function byItems(
  table: WideTable,
  columns: readonly string[],
  options: CorrelationOptions,
): Concluded {
  const human = columns.length === 1 ? columns.join() : `mean of ${listText(columns)}`;
  const rows = rated(table);
  const compared = comparisonOf({ human, metrics: table.metrics, columns: rows }, options);
  const { difference, differenceWithin } = compared;
  const ceiling = ratersCeiling(rows, table.people, options);
  const conclusion = {
    ...compared.conclusion,
    warnings: [...fewerRatings(table, columns), ...compared.conclusion.warnings],
  };
  const verdict =
    differenceWithin === undefined
      ? correlationVerdict(conclusion, (metric, than) => difference({ metric, than, measure }))
      : verdictWithin(conclusion, differenceWithin);
  return {
    ...conclusion,
    ...(table.metrics.length < 2 ? {} : { differences: compared.differences() }),
    ...(ceiling === undefined ? {} : { ceiling }),
    verdict,
  };
}

const verdictWithin = (
  conclusion: CorrelationConclusion,
  differenceWithin: CorrelationComparison["differenceWithin"],
): string =>
  withinVerdict(
    conclusion,
    (metric, than) =>
      differenceWithin?.({ metric, than, measure }) ?? undefinedEstimate("no groups"),
  );

/** The rows with the mean of the ratings that were given. */
const rated = ({
  people,
  group,
  scores,
  controls,
  draws,
  ...named
}: WideTable): CorrelationColumns => ({
  draws,
  names: new RowNames(named),
  rows: named.id.codes.map((_, row) => row),
  group,
  human: meansOf(people),
  scores,
  controls,
});

/** Where items lack some of the ratings, of columns that were averaged. */
function fewerRatings({ people, id }: WideTable, columns: readonly string[]): string[] {
  if (columns.length < 2) return [];
  const given = id.codes.map((_, row) => countOf(listAt(people, row)));
  const most = Math.max(0, largestOf(given));
  const fewer = given.filter((count) => count > 0 && count < most).length;
  return fewer === 0
    ? []
    : [
        `${pluralText(fewer, "row")} ${fewer === 1 ? "has" : "have"} fewer than ${most} ratings; ` +
          `${fewer === 1 ? "its mean is" : "their means are"} over those given`,
      ];
}

const countOf = (ratings: Float64Array) => ratings.filter((rating) => !Number.isNaN(rating)).length;

type GivenGrouping = { readonly [Name in keyof GroupedOptions]?: GroupedOptions[Name] | undefined };

function byDealtGroups(
  table: WideTable,
  columns: readonly string[],
  { target = "f1", groups = 25, seeds = 5, resamples, seed }: GivenGrouping,
): Concluded {
  const { metrics } = table;
  const rows = countedRows(table);
  const rated = rows.filter(({ counts }) => counts !== null).length;
  if (rated < groups) {
    throw new InputError(
      `Expected at least as many rows with people's counts as --groups, ${groups}, but ` +
        `received ${rated}`,
      { hint: "A group needs several rows; fewer groups: --groups 10" },
    );
  }
  const options = { target, groups, seeds, resamples, seed };
  const human = `${target} of ${columns.join(", ")}`;
  const { conclusion, difference } = groupedCorrelation({ human, metrics, rows }, options);
  const verdict = correlationVerdict(conclusion, (metric, than) =>
    difference({ metric, than, measure }),
  );
  return { ...conclusion, verdict };
}

/** The rows as objects: each is dealt into groups thousands of times. */
function countedRows({ id, prompt, people, scores }: WideTable): GroupedRow[] {
  return Array.from(id.codes, (code, row) => {
    const [tp = Number.NaN, fp = Number.NaN, fn = Number.NaN] = listAt(people, row);
    return {
      id: id.names[code] ?? "",
      prompt: prompt.names[prompt.codes[row] ?? -1],
      counts: Number.isNaN(tp + fp + fn) ? null : [tp, fp, fn],
      scores: scores.map((column) => (Number.isNaN(column[row]) ? null : (column[row] ?? null))),
    };
  });
}
