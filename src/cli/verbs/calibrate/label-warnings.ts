import { sharedOf, taskTables } from "../../../core/judging-tables.js";
import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import { pluralText } from "../../../views/number-text.js";

/** Lists caveats about labels and answers that readers of the results should know. */
export function labelWarnings(
  {
    task,
    labels,
    certification: { method },
  }: Pick<JudgeArtefact, "task" | "labels"> & {
    readonly certification: Pick<JudgeArtefact["certification"], "method">;
  },
  unscored: Readonly<Record<string, number>>,
): string[] {
  const { n, couldDecide, ties, idle, reviewed, idleReviewed } = labels;
  // Where groups are not parted into those that fit and those that decide, none of them is idle.
  const repeats = method === "split" ? idle - idleReviewed : n - ties - reviewed - couldDecide;
  const one = method === "none" ? "one that could decide" : "one that decides";
  const { item } = taskTables[task];
  const shared = sharedOf(task);
  const reasons = Object.entries(unscored).map(([reason, count]) => `${count} ${reason}`);
  return [
    ...(ties > 0
      ? [
          `${pluralText(ties, "label")} ${ties === 1 ? "is a tie" : "are ties"} and excluded: the certificate is about pairs where people prefer one image.`,
        ]
      : []),
    ...(repeats > 0
      ? [
          `${pluralText(repeats, "label")} ${repeats === 1 ? "shares its" : "share their"} ${shared} with ${one}; ${item}s of one ${shared} are not independent. --every-label counts them all the same.`,
        ]
      : []),
    ...(reviewed > 0
      ? [
          `${pluralText(reviewed, "answer")} came from review of what a judge was unsure of. Hard ${item}s say nothing ` +
            "of the others, so they change neither the judge nor its certificate; judge keeps to them.",
        ]
      : []),
    ...(reasons.length > 0
      ? [
          `Questions without an answer: ${reasons.join(", ")}.` +
            ((unscored["not-applicable"] ?? 0) > 0
              ? " A model without log-probabilities is asked by --samples 5; touchstone doctor --models says what a model can do."
              : ""),
        ]
      : []),
  ];
}
