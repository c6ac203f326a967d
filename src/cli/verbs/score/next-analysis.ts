import type { Metric } from "../../../core/metric.js";
import { humanColumn } from "./human-column.js";
import type { ScoreItem } from "./score-item.js";

/**
 * The words after `touchstone` of a command that runs on a file of results and says more than they do: where the table had
 * people's ratings, whether the metrics follow them; where it names several models that made the images,
 * which is better. Undefined where it had neither.
 */
export function nextAnalysis(
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
