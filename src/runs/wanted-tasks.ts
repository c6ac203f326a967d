import { setTimeout as pause } from "node:timers/promises";
import type { StepWriter } from "../core/record-store.js";
import type { Records, RunEvent } from "../core/step.js";
import { stepId } from "../core/step.js";
import type { Budget } from "./budget.js";
import type { Task } from "./make-record.js";
import {
  type Batch,
  batchesOf,
  type ErasedStep,
  type Planned,
  type Survey,
  stepName,
} from "./step-plan.js";

/** So many tasks are claimed together: few enough to share, enough that claiming costs nothing. */
const batchSize = 16;

const lookAgain = 200;

/** A task to be asked. */
export interface HandedTask {
  readonly task: Task;
  /** Whether nobody else has asked it meanwhile, or is about to. */
  mayAsk(): Promise<boolean>;
  /** To be called when the task's record is on the disk, or the task is left to others. */
  done(): Promise<void>;
}

/**
 * Hands out the tasks of a surveyed plan that have no record, batch by batch. A batch is claimed
 * before it is looked at, so that nobody else has it in hand, and what others have finished is read
 * after that, so that nothing finished is done again. Batches that others claim are waited for, and
 * gone over again when they end, are killed or leave some of it undone. Ends when nothing is left
 * or when `signal` aborts.
 */
export async function* wantedTasks(
  step: ErasedStep,
  options: {
    readonly records: Records;
    readonly stored: StepWriter;
    readonly survey: Survey;
    readonly budget: Budget;
    readonly signal: AbortSignal;
    readonly onEvent: (event: RunEvent) => void;
  },
): AsyncGenerator<HandedTask> {
  const { records, stored, survey, budget, signal, onEvent } = options;
  const id = stepId(step);
  const { produces: type, part } = step;
  const shared = { type, step: stepName(step), ...(part === undefined ? {} : { part }) };
  const mine = new Set<number>();

  const read = async () => {
    const more = await stored.refresh();
    if (more > 0) onEvent({ kind: "records-of-others", step: id, records: more });
  };
  const othersToMove = async (batches: readonly number[]) => {
    for (let round = 0; !signal.aborted && budget.over === undefined; round++) {
      const holders = await stored.holders(batches);
      await read();
      if (batches.some((batch) => !holders.has(batch))) return;
      const busy = new Map([...holders.values()].map((worker) => [worker.id, worker.who]));
      if (round === 0) onEvent({ kind: "waiting", step: id, for: [...busy.values()] });
      await pause(lookAgain, undefined, { signal }).catch(() => {});
    }
  };
  const claimed = async ({ number, entries }: Batch) => {
    if (!(await stored.claim(number))) return undefined;
    await read();
    const left = await wantedOf(entries, stored);
    if (left.length === 0) await stored.release(number);
    return left;
  };

  for (;;) {
    const inTheWay: number[] = [];
    for await (const batch of batchesOf(step, { records, survey, size: batchSize })) {
      const { number, entries } = batch;
      if (signal.aborted) return;
      if (mine.has(number) || (await wantedOf(entries, stored)).length === 0) continue;
      const left = await claimed(batch);
      if (left === undefined) inTheWay.push(number);
      if (left === undefined || left.length === 0) continue;
      mine.add(number);
      let open = left.length;
      const done = async () => {
        open--;
        if (open > 0) return;
        mine.delete(number);
        await stored.release(number);
      };
      for (const { key, about, attempt } of left) {
        const task = { ...shared, key, attempt: attempt + 1, about };
        yield { task, done, mayAsk: () => stored.mayAsk(number, key) };
      }
    }
    if (inTheWay.length === 0) return;
    await othersToMove(inTheWay);
    if (signal.aborted) return;
  }
}

/** Tasks of a batch that are to be asked, with what was attempted so far. */
export async function wantedOf(
  entries: readonly Planned[],
  stored: StepWriter,
): Promise<(Planned & { readonly attempt: number })[]> {
  const states = await stored.look(entries.map(({ key }) => key));
  return entries.flatMap((entry, at) => {
    const { isWanted, attempt } = states[at] ?? { isWanted: false, attempt: 0 };
    return isWanted ? [{ ...entry, attempt }] : [];
  });
}
