import type { Metric } from "../../../core/metric.js";
import { shellWord } from "../../../core/shell-word.js";
import { rating } from "../../../tables/columns.js";
import type { Output } from "../../terminal/output.js";
import { isPage } from "./result-file.js";
import type { ScoreGiven } from "./score-arguments.js";
import type { ScoreItem } from "./score-item.js";

/** The command that does more with what was done, or what such a command would need. */
export function sayNext(
  { source, out }: Pick<ScoreGiven, "source" | "out">,
  {
    items,
    metrics,
    words,
    output,
  }: {
    readonly items: readonly ScoreItem[];
    readonly metrics: readonly Metric[];
    /** Words of the command that writes results to a file. */
    readonly words: readonly string[];
    readonly output: Output;
  },
): void {
  const analysis =
    out === undefined || isPage(out) ? undefined : nextAnalysis(out, { items, metrics });
  if (analysis !== undefined) {
    output.nextCommand(analysis);
  } else if (out !== undefined && !isPage(out)) {
    const makers = new Set(items.map(({ others: { model } }) => model));
    output.note(
      makers.size < 2
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
  { items, metrics }: { readonly items: readonly ScoreItem[]; readonly metrics: readonly Metric[] },
): string[] | undefined {
  const human = humanColumn(items);
  if (human !== undefined) {
    return ["analyze", "correlation", out, "--human", human];
  }
  if (!namesModels(items)) return undefined;
  const names = metrics.map(({ name }) => name);
  // One name of several, by which compare takes one metric's rows.
  const [name] = names.filter((each) => names.indexOf(each) === names.lastIndexOf(each));
  if (name === undefined) return undefined;
  return ["compare", out, ...(names.length === 1 ? [] : ["--metric", name])];
}

/** Whether each item says which model made its image, and there are several, asked for the same. */
function namesModels(items: readonly ScoreItem[]): boolean {
  const made = new Map<string, Set<string>>();
  for (const { text, others } of items) {
    const { model, human } = others;
    const isNamed = typeof model === "string" && model.trim() !== "" && text.trim() !== "";
    // compare reads a column human by itself, and refuses one that holds no numbers.
    if (!isNamed || human !== undefined) return false;
    made.set(text, (made.get(text) ?? new Set()).add(model));
  }
  return [...made.values()].some((models) => models.size > 1);
}

const names = /^(human|people|rating)([_-]?(score|rating|judge?ment|mean))?$/i;

/**
 * The column of the table that, by its name and its numbers, holds what people said, of some items at
 * least.
 */
function humanColumn(items: readonly ScoreItem[]): string | undefined {
  const columns = new Set(items.flatMap(({ others }) => Object.keys(others)));
  return [...columns].find((column) => {
    if (!names.test(column)) return false;
    const cells = items.map(({ others }) => ratingOf(others[column]));
    return cells.every((cell) => cell !== undefined) && cells.some((cell) => cell !== null);
  });
}

/** As verbs of `analyze` read it; undefined where they refuse it. */
function ratingOf(cell: unknown): number | null | undefined {
  if (cell === undefined) return undefined;
  const read = rating.read(cell, { isText: true });
  return "value" in read ? read.value : undefined;
}
