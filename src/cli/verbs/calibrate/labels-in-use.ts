import { append } from "../../../core/append.js";
import { InputError } from "../../../core/errors.js";
import type { JudgingTask } from "../../../core/judging-task.js";
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
  const used = items.filter(({ label }) => label !== null);
  if (used.length === 0) {
    throw new InputError(`Expected labels that prefer an image but all ${items.length} say tie`);
  }
  const idle = new Set(splitOf(used, options).idle);
  const ties = withTies ? items.filter(({ label }) => label === null) : [];
  return { used, idle, ties, asked: [...used.filter((_, at) => !idle.has(at)), ...ties] };
}

/** Labels, and what came back from review. @throws InputError where an item stands in two files. */
export async function allLabels(
  labels: readonly LabelledItem[],
  { task, ratings }: { readonly task: JudgingTask; readonly ratings: number | undefined },
  add: readonly string[],
  tables: Omit<ItemSource, "file">,
): Promise<LabelledItem[]> {
  const all = [...labels];
  for (const file of add) {
    const reviewed = await openLabels({ ...tables, file }, { task, isReviewed: true });
    append(all, await reviewed.read(ratings));
  }
  checkOnce(all, "Expected each label once but some are in two tables");
  return all;
}
