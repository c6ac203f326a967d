import { z } from "zod";
import type { RecordStore } from "../core/record-store.js";
import { stepId } from "../core/step.js";

const entrySchema = z.object({
  /** `name@version` */
  step: z.string(),
  part: z.string().optional(),
  kind: z.string().optional(),
  cost: z.number().optional(),
});

/**
 * Mean cost of a call of a step so far, by the step's id, in US dollars, as the trace of the run says;
 * `undefined` where it says nothing. The trace is read when it is first asked for.
 */
export function costsOfCalls(run: RecordStore): (step: string) => Promise<number | undefined> {
  let read: Promise<Map<string, { calls: number; cost: number }>> | undefined;
  return async (step) => {
    read ??= readCosts(run);
    const found = (await read).get(step);
    return found === undefined || found.cost === 0 ? undefined : found.cost / found.calls;
  };
}

async function readCosts(run: RecordStore) {
  const found = new Map<string, { calls: number; cost: number }>();
  for await (const value of run.trace()) {
    const { data } = entrySchema.safeParse(value);
    if (data === undefined) continue;
    const id = stepId({ name: data.step.replace(/@\d+$/, ""), part: data.part });
    const sum = found.get(id) ?? { calls: 0, cost: 0 };
    if (data.kind === "asked") sum.calls++;
    sum.cost += data.cost ?? 0;
    found.set(id, sum);
  }
  return found;
}
