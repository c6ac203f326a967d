import { correlation, correlationDifference } from "../../analysis/correlation.js";
import { correlationVerdict, readableCorrelation } from "../../report/correlation-text.js";
import { asJson, fileWriter } from "../analyze/conclusion-file.js";
import { conclusionText } from "../analyze/conclusion-text.js";
import { correlationCsv } from "../analyze/correlation-csv.js";
import { intervalArguments, intervalWords } from "../analyze/interval-arguments.js";
import { outArgument, tableArguments, tableName, tableWords } from "../analyze/table-arguments.js";
import { parseMetrics, readWideTable } from "../analyze/wide-table.js";
import { command } from "../command.js";
import { shellWords } from "../shell-words.js";

export default command({
  description:
    "How well metrics follow people: Spearman, Kendall's tau-b and tau-c, Pearson, and the share of " +
    "pairs in people's order. Reads JSONL, CSV or Parquet with a row for each item, people's rating " +
    "in one column, a metric in each other and, if there is one, prompt; an empty or null score is " +
    "unscored. `touchstone example correlation` prints a sample.",
  examples: [
    "touchstone analyze correlation scores.csv --human rating",
    "touchstone analyze correlation scores.csv --human rating --metrics clip-score,vqa-score",
    "touchstone example correlation | touchstone analyze correlation - --human rating --json",
  ],
  arguments: {
    ...tableArguments,
    human: {
      kind: "text",
      value: "COLUMN",
      required: true,
      description: "people's rating of an item: a number, more is better",
    },
    metrics: {
      kind: "text",
      value: "A,B",
      description: "the metrics' columns; default: all that hold numbers but id, prompt, people's",
    },
    ...intervalArguments,
    ...outArgument,
  },
  async run({ given, environment, output }) {
    const write = fileWriter(given.out, environment);
    const { human, interval, resamples, seed } = given;
    const metrics = parseMetrics(given.metrics, human);
    const table = await readWideTable(given, { human, metrics, environment });
    const intervals = { interval, resamples, seed };
    const conclusion = correlation(table, intervals);
    const verdict = correlationVerdict(conclusion, (metric, than) =>
      correlationDifference(table, { metric, than, measure: "kendallTauB", ...intervals }),
    );
    const readable = readableCorrelation(conclusion, verdict);
    const json = asJson({ ...conclusion, verdict });
    const again = shellWords([
      ...["touchstone", "analyze", "correlation", ...tableWords(given), "--human", human],
      ...(given.metrics === undefined ? [] : ["--metrics", given.metrics]),
      ...intervalWords(intervals),
    ]);

    await write({
      ...{ json, readable, command: again },
      csv: () => correlationCsv(conclusion),
      async page() {
        const { conclusionPage } = await import("../../report/conclusion-page.js");
        const title = `Correlation: ${tableName(given)}`;
        return conclusionPage(readable, { title, command: again });
      },
    });
    output.resultJson(json);
    output.result(conclusionText(readable, output.style));
    if (given.out !== undefined) output.note(`Wrote ${given.out}`);
    output.nextCommand(
      given.out === undefined ? `${again} --out correlation.html` : `${again} --json`,
    );
  },
});
