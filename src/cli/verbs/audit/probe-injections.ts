import {
  type InjectionEffect,
  injectionProbe,
} from "../../../benchmarks/stereotypes/injection-probe.js";
import { loadJudgeWording } from "../../../benchmarks/stereotypes/judge-wording.js";
import type { Rubric } from "../../../benchmarks/stereotypes/rubrics.js";
import { IncompleteError } from "../../../core/errors.js";
import type { ChatModel } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { RubricWording } from "../../../judges/rubric-message.js";
import type { Budget } from "../../../runs/budget.js";
import type { Output } from "../../terminal/output.js";
import { chatWithinBudget } from "./chat-within-budget.js";
import { injectionSets } from "./injection-sets.js";

/**
 * Probes an audit's judge with sets of its run. Nothing of it is kept in the run.
 *
 * @throws IncompleteError where the budget was met; what hosted models answered is kept for the next
 *   time.
 */
export async function probeInjections(
  run: RecordStore,
  {
    judge,
    rubrics,
    wording = loadJudgeWording(),
    config,
    sets: count,
    budget,
    signal,
    output,
  }: {
    readonly judge: ChatModel;
    readonly rubrics: ReadonlyMap<string, Rubric>;
    /** Words of one's own to the judge. */
    readonly wording?: RubricWording | undefined;
    readonly config: { readonly seed: number };
    readonly sets: number;
    readonly budget: Budget;
    readonly signal: AbortSignal;
    readonly output: Pick<Output, "progress">;
  },
): Promise<InjectionEffect[]> {
  const { seed } = config;
  const sets = await injectionSets(run, { rubrics, count, seed });
  const effects = await injectionProbe(
    { judge: chatWithinBudget(judge, budget), wording, sets, seed },
    {
      signal,
      onSet: (done) => output.progress(`Probing the judge: ${done} of ${sets.length} sets`),
    },
  );
  if (budget.over === undefined) return effects;
  throw new IncompleteError(`The injection probe met its limit of ${budget.over}`, {
    hint: "Give the same command with a higher limit: the audit itself is whole.",
  });
}
