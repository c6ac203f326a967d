import { IncompleteError } from "../../../core/errors.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import { unscoredExample } from "../run/unscored-example.js";
import { exampleText, nothingScored, reasonsText, sum } from "../score/nothing-scored.js";

/**
 * Whether too few questions were answered to fit a judge: half of them or more have no answer.
 *
 * @param options.again the command that asks again what could not be read.
 * @returns the error to end with, which shows an answer of the commonest kind; what was answered is kept.
 */
export async function mostlyUnanswered(
  store: RecordStore,
  summaries: readonly StepSummary[],
  { judgesPhotographs, again }: { readonly judgesPhotographs: boolean; readonly again: string },
): Promise<IncompleteError | undefined> {
  const done = sum(summaries.map((each) => each.done));
  const reasons = summaries.map(({ unscored }) => unscored);
  const unanswered = sum(reasons.flatMap((each) => Object.values(each)));
  if (unanswered < Math.max(1, done)) return undefined;
  const [first] = summaries.filter(({ unscored }) => Object.keys(unscored).length > 0);
  const example = first === undefined ? undefined : await unscoredExample(store, first);
  if (done === 0) return nothingScored(reasons, { judgesPhotographs, example });
  return new IncompleteError(
    `${unanswered} of ${done + unanswered} questions have no answer (${reasonsText(reasons)}), so no judge was fitted`,
    {
      hint: [
        `${exampleText(example)}What was answered is kept.`,
        `Ask the others again, once that is mended: ${again}`,
      ].join("\n"),
    },
  );
}
