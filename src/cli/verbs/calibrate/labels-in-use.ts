import { append } from "../../../core/arrays.js";
import { InputError } from "../../../core/errors.js";
import type { JudgingTask } from "../../../core/judging-task.js";
import { answersNeeded } from "../../../ensembles/binomial-bound.js";
import { splitLabels } from "../../../ensembles/label-split.js";
import { type CalibratingOptions, splitOf } from "../../../judges/calibrate-judge.js";
import { checkOnce, type LabelledItem, openLabels } from "./judged-table.js";
import type { ItemSource } from "./opened-table.js";

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
