import { append, largestOf } from "../../../core/arrays.js";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { type JudgingTask, sharedOf, taskTables } from "../../../core/judging-task.js";
import type { RecordStore } from "../../../core/record-store.js";
import { answersNeeded } from "../../../ensembles/binomial-bound.js";
import { splitLabels } from "../../../ensembles/label-split.js";
import { type CalibratingOptions, splitOf } from "../../../judges/calibrate-judge.js";
import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import { loadPromptPool, promptPoolNames } from "../../../judges/read-prompt-pool.js";
import type { StepSummary } from "../../../runs/run-steps.js";
import { pluralText } from "../../../views/number-text.js";
import { unscoredExample } from "../run/show-steps.js";
import { exampleText, nothingScored, reasonsText, sum } from "../score/mostly-unscored.js";
import { ratingsOf } from "./judge-asking.js";
import { checkOnce, type LabelledItem, openLabels } from "./judged-table.js";
import type { ItemSource } from "./opened-table.js";

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

/**
 * Which ratings of the prompts' scale no label has, and where none reaches its upper end, by which pool
 * the labels' own scale would be asked for.
 *
 * @param ratings how many the prompts ask for.
 */
export function scaleWarnings(
  ratings: number | undefined,
  items: readonly Pick<LabelledItem, "label">[],
): string[] {
  const given = new Set(items.map(({ label }) => label));
  const missing = Array.from({ length: ratings ?? 0 }, (_, at) => at + 1).filter(
    (rating) => !given.has(rating),
  );
  if (ratings === undefined || missing.length === 0) return [];
  const reached = largestOf(items.map(({ label }) => label ?? 0));
  if (reached === ratings) {
    return [
      `No label has the rating ${missing.join(" or ")}, on the scale from 1 to ${ratings}: the judge is not tested there.`,
    ];
  }
  const fitting = promptPoolNames
    .map((name) => ({ name, most: ratingsOf(loadPromptPool(name)) }))
    .find(({ most = 0 }) => most >= reached && most < ratings);
  return [
    `No label is above ${reached}, and the prompts ask for ratings from 1 to ${ratings}. If people used another scale: ` +
      (fitting === undefined
        ? "--pool with a file of your own."
        : `--pool ${fitting.name} (1 to ${fitting.most}), or a file of your own.`),
  ];
}

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

/** Labelled items, by what a calibration does with them. */
export interface LabelsInUse {
  /** Items whose label is not a tie. */
  readonly used: readonly LabelledItem[];
  /** Numbers of used items that no model is asked about. */
  readonly idle: ReadonlySet<number>;
  /** Ties that a model is asked about. */
  readonly ties: readonly LabelledItem[];
  /** Items that a model is asked about. */
  readonly asked: readonly LabelledItem[];
}

/**
 * @param withTies Nothing is fitted on ties; an experiment asks how sure a judge is of them.
 * @throws InputError where every label is a tie.
 */
export function labelsInUse(
  items: readonly LabelledItem[],
  { options, withTies }: { readonly options: CalibratingOptions; readonly withTies: boolean },
): LabelsInUse {
  const used = decided(items);
  if (used.length === 0) {
    throw new InputError(`Expected labels that prefer an image but all ${items.length} say tie`);
  }
  const idle = new Set(splitOf(used, options).idle);
  const ties = withTies ? items.filter(({ label }) => label === null) : [];
  return { used, idle, ties, asked: [...used.filter((_, at) => !idle.has(at)), ...ties] };
}

/**
 * Labels, and what came back from review.
 *
 * @returns also how often labels are counted with these: once more for each queue that holds all
 *   because the labels before it, though enough to certify something, certified nothing.
 * @throws InputError where an item stands in two files.
 */
export async function allLabels(
  labels: readonly LabelledItem[],
  {
    task,
    ratings,
    options,
  }: {
    readonly task: JudgingTask;
    readonly ratings: number | undefined;
    readonly options: CalibratingOptions;
  },
  add: readonly string[],
  tables: Omit<ItemSource, "file">,
): Promise<{ readonly items: LabelledItem[]; readonly tries: number }> {
  const items = [...labels];
  let tries = 1;
  for (const file of add) {
    const reviewed = await openLabels({ ...tables, file }, { task, isReviewed: true });
    const added = await reviewed.read(ratings);
    const isTry =
      added.some(({ isReviewed }) => !isReviewed) &&
      splitLabels(decided(items), options).couldDecide >= answersNeeded(0, options);
    if (isTry) tries++;
    append(items, added);
  }
  checkOnce(items, "Expected each label once but some are in two tables");
  return { items, tries };
}

const decided = (items: readonly LabelledItem[]) => items.filter(({ label }) => label !== null);
