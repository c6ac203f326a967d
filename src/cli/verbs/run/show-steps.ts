import { asJson } from "../../../core/json.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { ToldSanity } from "../../../runs/run-sanity.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import { numberColumns } from "../../../views/text-table.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/terminal-table.js";
import { unscoredExample, unscoredLines } from "./unscored-example.js";

/**
 * Prints how steps of a run ended: a row each, with an example of what has no answer.
 *
 * @param options.done heads the column of those with an answer
 * @returns the examples, in the steps' order.
 */
export async function showSteps(
  store: RecordStore,
  {
    run,
    summaries,
    done: title,
    sanity,
    output,
  }: {
    readonly run: string;
    readonly summaries: readonly StepSummary[];
    readonly done: string;
    /** What was found of a run's metrics, where they were checked. */
    readonly sanity?: ToldSanity | undefined;
    readonly output: Output;
  },
): Promise<readonly (string | undefined)[]> {
  const { width } = output.style;
  const rows = summaries.map(({ step, done, unscored }) => {
    const reasons = Object.entries(unscored);
    const sum = reasons.reduce((total, [, count]) => total + count, 0);
    return [
      step,
      String(done),
      String(sum),
      reasons.map(([reason, count]) => `${reason} ${count}`).join(", "),
    ];
  });
  const examples = await Promise.all(summaries.map((each) => unscoredExample(store, each)));
  output.result(
    [
      table(
        [
          { title: "step" },
          ...numberColumns(title, "unscored").map((each) => ({ ...each, isEssential: true })),
          { title: "why", isEssential: true },
        ],
        rows,
        width,
      ),
      ...summaries.flatMap(({ step }, at) => unscoredLines(step, examples[at], width)),
    ].join("\n"),
  );
  output.resultJson({
    run,
    steps: summaries.map((each) => ({ ...each, unscored: { ...each.unscored } })),
    ...(sanity === undefined ? {} : { sanity: asJson(sanity) }),
  });
  return examples;
}
