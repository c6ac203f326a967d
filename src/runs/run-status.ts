import { z } from "zod";
import type { RecordStore, Worker } from "../core/record-store.js";
import { stepId } from "../core/step.js";
import { UnscoredDetails, type UnscoredReason } from "../core/unscored.js";
import { Tally } from "./step-summary.js";

export interface StepStatus {
  readonly step: string;
  /** Keys of its plan when it was last gone over; `null` where nobody noted it. */
  readonly planned: number | null;
  readonly done: number;
  readonly unscored: Readonly<Partial<Record<UnscoredReason, number>>>;
  /** The commonest detail of what is unscored; `null` where nothing is. */
  readonly commonestDetail: string | null;
  /** Unscored ones that are asked again on resume. */
  readonly retryable: number;
  /** Whether its records are complete and in order. */
  readonly isFinished: boolean;
  /** US dollars so far; `null` where nothing was said of cost. */
  readonly cost: number | null;
  /** Records a second since it was last gone over; `null` where nothing is known. */
  readonly rate: number | null;
  /** Until it is finished at that rate, in seconds; `null` where nothing is known. */
  readonly secondsLeft: number | null;
}

/** Somebody at work. */
export interface AtWork {
  /** Such as "process 7 of mill". */
  readonly who: string;
  readonly command: string | null;
  /** Always null: only a database knew how long it had not heard of a process. */
  readonly silentFor: null;
}

/** A process at work, as printed by `run status`. */
const atWorkOf = ({ who, command }: Worker): AtWork => ({
  who,
  command: command ?? null,
  silentFor: null,
});

export interface RunStatus {
  readonly steps: readonly StepStatus[];
  readonly atWork: readonly AtWork[];
  /** Cost of the steps whose cost is known; `null` where none is. */
  readonly cost: number | null;
}

const entrySchema = z.object({
  step: z.string().optional(),
  part: z.string().optional(),
  kind: z.string().optional(),
  cost: z.number().optional(),
  planned: z.number().optional(),
  at: z.string().optional(),
  startedAt: z.string().optional(),
  seconds: z.number().optional(),
  /** Tasks that the entry stands for, where it is not one. */
  count: z.number().optional(),
});

interface Traced {
  cost: number | null;
  planned: number | null;
  begun: number;
  asked: number;
  ended: number;
}

/** How far a run is, by its records and its trace; nobody is asked and nothing is written. */
export async function runStatus(run: RecordStore): Promise<RunStatus> {
  const traced = await stepTraces(run);
  const steps: StepStatus[] = [];
  for (const step of run.recipe.steps) {
    const id = stepId(step);
    const tally = new Tally();
    const details = new UnscoredDetails();
    let retryable = 0;
    for await (const record of run.ofStep(id)) {
      tally.count(record.status === "done" ? undefined : record.reason);
      if (record.status === "done") continue;
      details.add(record.reason, record.detail);
      if (record.retryable) retryable++;
    }
    const seen = traced.get(id);
    const state = await run.stateOf(id);
    const count = tally.done + Object.values(tally.unscored).reduce((sum, many) => sum + many, 0);
    const planned = seen?.planned ?? null;
    const rate = seen?.rate ?? null;
    const left = planned === null ? null : Math.max(0, planned - count + retryable);
    steps.push({
      step: id,
      planned,
      done: tally.done,
      unscored: { ...tally.unscored },
      commonestDetail: details.commonest()?.detail ?? null,
      retryable,
      // Without a record it is finished only where its plan was gone over, and was empty.
      isFinished:
        state === "absent" ? planned === 0 : state === "finished" && count >= (planned ?? 0),
      cost: seen?.cost ?? null,
      rate,
      secondsLeft: left === null || rate === null ? null : left / rate,
    });
  }
  const workers = await run.workers();
  return {
    steps,
    atWork: workers.map(atWorkOf),
    cost: steps.reduce<number | null>((sum, { cost }) => plus(sum, cost), null),
  };
}

/** State of a step by the trace of a run. */
export interface StepTrace extends Pick<StepStatus, "planned" | "cost" | "rate"> {
  /** When its last answer came; null where none did. */
  readonly answeredAt: Date | null;
}

/** Reads the trace of each step, by its `stepId`: costs of all time, the rate since it was last gone over. */
export async function stepTraces(run: RecordStore): Promise<ReadonlyMap<string, StepTrace>> {
  const traced = await readTrace(run);
  return new Map(
    [...traced].map(([step, { planned, cost, begun, asked, ended }]) => {
      const span = (ended - begun) / 1000;
      const answeredAt = ended === 0 ? null : new Date(ended);
      return [step, { planned, cost, rate: span > 0 ? asked / span : null, answeredAt }];
    }),
  );
}

async function readTrace(run: RecordStore): Promise<ReadonlyMap<string, Traced>> {
  const found = new Map<string, Traced>();
  const entriesOf = async function* () {
    for await (const value of run.trace()) {
      const { data } = entrySchema.safeParse(value);
      if (data?.step === undefined) continue;
      const id = stepId({ name: data.step.replace(/@\d+$/, ""), part: data.part });
      const nothing = { cost: null, planned: null, begun: 0, asked: 0, ended: 0 };
      const seen: Traced = found.get(id) ?? nothing;
      found.set(id, seen);
      yield { ...data, seen };
    }
  };
  for await (const { seen, kind, planned, at, cost } of entriesOf()) {
    seen.cost = plus(seen.cost, cost ?? null);
    const begun = Date.parse(at ?? "");
    if (kind !== "planned" || planned === undefined || !(begun >= seen.begun)) continue;
    seen.begun = begun;
    seen.planned = planned;
  }
  for await (const { seen, kind, startedAt, seconds, count = 1 } of entriesOf()) {
    const started = Date.parse(startedAt ?? "");
    if (kind !== "asked" || !(started >= seen.begun)) continue;
    seen.asked += count;
    seen.ended = Math.max(seen.ended, started + 1000 * (seconds ?? 0));
  }
  return found;
}

/** The sum of what is known of two amounts. */
const plus = (one: number | null, other: number | null) =>
  one === null ? other : one + (other ?? 0);
