import type { Metric } from "../../../core/metric.js";
import { shellWord } from "../../../core/shell-word.js";
import type { Output } from "../../terminal/output.js";
import type { ItemColumns } from "./item-columns.js";
import { isPage } from "./result-row.js";
import type { ScoreGiven } from "./score-arguments.js";

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
