import { asJson } from "../../../core/json.js";
import type { RecordStore } from "../../../core/record-store.js";
import { UnscoredDetails } from "../../../core/unscored.js";
import type { ToldSanity } from "../../../runs/run-sanity.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import { printable } from "../../../views/printable.js";
import { numberColumns } from "../../../views/printed.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";
import { commonestReason } from "../score/mostly-unscored.js";

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

/** The commonest detail of a step's records that are unscored for the commonest reason. */
export async function unscoredExample(
  store: RecordStore,
  { step, unscored }: Pick<StepSummary, "step" | "unscored">,
): Promise<string | undefined> {
  const reason = commonestReason(unscored);
  if (reason === undefined) return undefined;
  const details = new UnscoredDetails();
  for await (const record of store.ofStep(step)) {
    if (record.status === "unscored") details.add(record.reason, record.detail);
  }
  return details.commonest(reason)?.detail;
}

/** Says under a table of steps why most of what a step lacks is unscored; nothing where nothing is. */
export const unscoredLines = (
  step: string,
  detail: string | null | undefined,
  width: number,
): string[] =>
  detail == null ? [] : [wrap(`${step}: unscored mostly because: ${printable(detail)}`, width)];
