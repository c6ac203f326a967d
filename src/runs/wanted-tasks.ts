import { setTimeout as pause } from "node:timers/promises";
import type { Records, RunEvent } from "../core/step.js";
import { stepId } from "../core/step.js";
import type { Worker } from "../files/run-folder/run-work.js";
import type { RunWriter } from "../files/run-folder/run-writer.js";
import type { StepRecords } from "../files/run-folder/step-records.js";
import type { Budget } from "./budget.js";
import type { Task } from "./make-record.js";
import { type Batch, batchesOf, type ErasedStep, type Planned, stepName } from "./step-plan.js";

/** So many tasks are claimed together: few enough to share, enough that claiming costs nothing. */
const batchSize = 16;

const lookAgain = 200;

/** A task to be asked. */
export interface HandedTask {
  readonly task: Task;
  /** To be called when the task's record is on the disk. */
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
    readonly stored: StepRecords;
    readonly writer: RunWriter;
    readonly budget: Budget;
    readonly signal: AbortSignal;
    readonly onEvent: (event: RunEvent) => void;
  },
): AsyncGenerator<HandedTask> {
  const { records, stored, writer, budget, signal, onEvent } = options;
  const id = stepId(step);
  const { produces: type, part } = step;
  const shared = { type, step: stepName(step), ...(part === undefined ? {} : { part }) };
  const mine = new Set<number>();
  const isWanted = ({ key }: Planned) => stored.index.isWanted(key);
  const claimOf = (number: number) => `${stored.name}.${number}`;

  const read = async (others: readonly Worker[]) => {
    const more = await stored.refresh((owner) => others.every((other) => other.id !== owner));
    if (more > 0) onEvent({ kind: "records-of-others", step: id, records: more });
  };
  const othersToMove = async (claims: readonly string[]) => {
    for (let round = 0; !signal.aborted && budget.over === undefined; round++) {
      const others = await writer.others();
      const busy = others.filter((other) => other.claims.some((claim) => claims.includes(claim)));
      await read(others);
      if (claims.some((claim) => busy.every((other) => !other.claims.includes(claim)))) return;
      if (round === 0) onEvent({ kind: "waiting", step: id, for: busy.map(workerText) });
      await pause(lookAgain, undefined, { signal }).catch(() => {});
    }
  };
  const claimed = async ({ number, entries }: Batch) => {
    const { isMine, others } = await writer.claim(claimOf(number));
    if (!isMine) return undefined;
    await read(others);
    const left = entries.filter(isWanted);
    if (left.length === 0) await writer.release(claimOf(number));
    return left;
  };

  for (;;) {
    const inTheWay: string[] = [];
    for await (const batch of batchesOf(step, { records, stored, size: batchSize })) {
      const { number, entries } = batch;
      if (signal.aborted) return;
      if (mine.has(number) || !entries.some(isWanted)) continue;
      const left = await claimed(batch);
      if (left === undefined) inTheWay.push(claimOf(number));
      if (left === undefined || left.length === 0) continue;
      mine.add(number);
      let open = left.length;
      const done = async () => {
        open--;
        if (open > 0) return;
        mine.delete(number);
        await writer.release(claimOf(number));
      };
      for (const { key, about } of left) {
        const attempt = (stored.get(key)?.attempt ?? 0) + 1;
        yield { task: { ...shared, key, attempt, about }, done };
      }
    }
    if (inTheWay.length === 0) return;
    await othersToMove(inTheWay);
    if (signal.aborted) return;
  }
}

/** A process as messages name it, with the way out where nothing can be known of it. */
export const workerText = ({ process, host, isHere, path }: Worker): string =>
  `process ${process} of ${host}${isHere ? "" : ` (if that no longer exists, remove ${path})`}`;
