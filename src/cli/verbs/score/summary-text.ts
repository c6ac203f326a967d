import { isNotable, unfoundText } from "../../../analysis/confusion/sought-entities.js";
import { type MetricSanity, sanitySkipped } from "../../../analysis/sanity/metric-sanity.js";
import { notWholeText } from "../../../analysis/sanity/sanity-text.js";
import type { Metric } from "../../../core/metric.js";
import { shellWord } from "../../../core/shell-word.js";
import { unscoredReasons } from "../../../core/unscored.js";
import { publishedLine } from "../../../evidence/card-notes.js";
import { printable } from "../../../views/printable.js";
import { estimate3, number3 } from "../../terminal/numbers.js";
import type { Output } from "../../terminal/output.js";
import { type Column, table } from "../../terminal/terminal-table.js";
import type { ItemColumns } from "./item-columns.js";
import { isPage } from "./result-row.js";
import type { ScoreGiven } from "./score-arguments.js";
import { answererName, type MetricSummary, summaryWarnings } from "./score-tally.js";

const columns = (isPlaced: boolean, isCut: boolean): readonly Column[] => [
  { title: "metric" },
  { title: "model" },
  ...(isPlaced ? [{ title: "at" }] : []),
  { title: "n", align: "right", isEssential: true },
  { title: "unscored", align: "right", isEssential: true },
  { title: "mean [95 %]", align: "right", isEssential: true },
  { title: "range", align: "right" },
  { title: "better" },
  ...(isCut ? [{ title: "cut or shrunk" }] : []),
];

/**
 * The summary for people: a table, how to read each number, and why some have none.
 *
 * @param options.sanityOf what was found of a metric
 */
export function summaryText(
  summaries: readonly MetricSummary[],
  {
    width,
    sanityOf,
  }: {
    readonly width: number;
    readonly sanityOf: (metric: Metric) => MetricSanity | undefined;
  },
): string {
  const isPlaced = haveNamesakes(summaries);
  const cutOf = (metric: Metric) => notWholeText(sanityOf(metric) ?? sanitySkipped);
  const isCut = summaries.some(({ metric }) => cutOf(metric) !== "");
  const rows = summaries
    .flatMap(toldApart)
    .map(({ metric, model, summary }) => [
      metric.name,
      model,
      ...(isPlaced ? [metric.baseUrl ?? "local"] : []),
      String(summary.n),
      String(summary.unscored),
      estimate3(summary.mean),
      rangeText(metric),
      metric.direction,
      ...(isCut ? [cutOf(metric)] : []),
    ]);
  return [
    table(columns(isPlaced, isCut), rows, width),
    "",
    ...summaries.flatMap((each) => [
      readingText(each.metric),
      ...evidenceLines(each),
      ...unscoredLines(each),
      ...unfoundLines(each),
    ]),
    ...intervalLines(summaries),
    ...summaryWarnings(summaries).map((warning) => `Caveat: ${warning}.`),
  ].join("\n");
}

/** A row for each model that answered, where several did in the place of one: their mean is of none. */
const toldApart = ({ metric, summary, answerers }: MetricSummary) =>
  answerers.length === 0
    ? [{ metric, model: metric.model, summary }]
    : answerers.map((one) => ({
        metric,
        model: answererName(metric, one),
        summary: one.summary,
      }));

/** Whether models of one name were asked at several addresses. */
const haveNamesakes = (summaries: readonly MetricSummary[]) =>
  summaries.some(({ metric }) =>
    summaries.some(
      (other) => other.metric.model === metric.model && other.metric.baseUrl !== metric.baseUrl,
    ),
  );

const rangeText = ({ range }: Metric) => range.map(number3).join(" to ");

/** How a metric's number came to be, on one line. */
function readingText({ name, convention, template, statistic }: Metric): string {
  return [
    `${name}: ${statistic}`,
    ...(convention === undefined ? [] : [`convention ${convention}`]),
    ...(template === undefined ? [] : [`template ${template}`]),
  ].join(", ");
}

/** What published people's answers say of the metric; of the lab's models they say nothing. */
function evidenceLines({ metric: { name, model } }: MetricSummary): string[] {
  const line = model.startsWith("lab:") ? undefined : publishedLine(name);
  return line === undefined ? [] : [`  published: agrees with people on ${line}`];
}

function unscoredLines({ summary, details }: MetricSummary): string[] {
  const { unscored, bounds, reasons } = summary;
  if (unscored === 0) return [];
  const each = unscoredReasons.flatMap((reason) =>
    reasons[reason] === undefined
      ? []
      : [`    ${reasons[reason]} ${reason}, such as: ${printable(details[reason] ?? "")}`],
  );
  const [low, high] = bounds;
  return [
    `  ${unscored} unscored: the mean over all would lie from ${number3(low)} to ${number3(high)}`,
    ...each,
  ];
}

/** Few of them are told here, many in a warning. */
const unfoundLines = ({ entities }: MetricSummary): string[] =>
  entities.notFound === 0 || isNotable(entities) ? [] : [`  ${unfoundText(entities)}`];

/** Metrics that scored the same rows have the same intervals; say how they were made once. */
function intervalLines(summaries: readonly MetricSummary[]): string[] {
  const withInterval = summaries.filter(({ summary }) => summary.mean.low !== null);
  const texts = new Set(withInterval.map(({ summary }) => summary.intervals.text));
  return [...texts].map((text) => `Intervals: ${text}.`);
}

/** The command that does more with what was done, or what such a command would need. */
export function sayNext(
  { source, out }: Pick<ScoreGiven, "source" | "out">,
  {
    columns,
    metrics,
    words,
    output,
  }: {
    readonly columns: ItemColumns;
    readonly metrics: readonly Metric[];
    /** Words of the command that writes results to a file. */
    readonly words: readonly string[];
    readonly output: Output;
  },
): void {
  const analysis =
    out === undefined || isPage(out) ? undefined : nextAnalysis(out, { columns, metrics });
  if (analysis !== undefined) {
    output.nextCommand(analysis);
  } else if (out !== undefined && !isPage(out)) {
    output.note(
      columns.makers.size < 2
        ? `To compare models, score another model's images of the same texts, then: touchstone compare ${shellWord(out)} OTHER`
        : "To conclude more, add a column rating (people's) or model (what made each image): Next then names\n" +
            "the command. touchstone analyze contrastive reads the scores of a right and a wrong image in one\n" +
            "row (touchstone example contrastive).",
    );
    // What the studio shows worst first.
    output.nextCommand(["studio", out]);
  } else if (source === "-") {
    output.note("To keep these results, give the table again and --out scores.jsonl");
  } else if (source !== undefined) {
    output.nextCommand(words);
  }
}

/**
 * The words after `touchstone` of a command that runs on a file of results and says more than they do: where the table had
 * people's ratings, whether the metrics follow them; where it names several models that made the images,
 * which is better. Undefined where it had neither.
 */
function nextAnalysis(
  out: string,
  { columns, metrics }: { readonly columns: ItemColumns; readonly metrics: readonly Metric[] },
): string[] | undefined {
  const { human } = columns;
  if (human !== undefined) {
    return ["analyze", "correlation", out, "--human", human];
  }
  if (!columns.namesModels) return undefined;
  const names = metrics.map(({ name }) => name);
  // One name of several, by which compare takes one metric's rows.
  const [name] = names.filter((each) => names.indexOf(each) === names.lastIndexOf(each));
  if (name === undefined) return undefined;
  return ["compare", out, ...(names.length === 1 ? [] : ["--metric", name])];
}
