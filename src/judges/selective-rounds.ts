import type { RecordType } from "../core/records.js";
import type { Records, Step } from "../core/step.js";
import { type AskingRule, askedInRounds, mostRounds } from "../ensembles/fewer-calls-replay.js";
import { answersSoFar, stateOf } from "./answers-so-far.js";
import type { ItemToJudge, PromptAnswer } from "./item-to-judge.js";
import type { Prompt } from "./prompt.js";

export interface SelectiveOptions<Type extends RecordType = RecordType> {
  readonly asking: {
    step(prompts: readonly Prompt[], items: () => AsyncIterable<ItemToJudge>): Step<Type>;
    answers(records: Records): AsyncIterable<PromptAnswer>;
  };
  readonly prompts: readonly Prompt[];
  /** How many numbers an answer has. */
  readonly width: number;
  /** The items, each time in the same order. */
  items(): AsyncIterable<ItemToJudge>;
  /** The weight of each prompt on each item, in the order of the items: items x prompts. */
  readonly weights: Float64Array;
  /** Says what to ask next, and when to stop. */
  readonly rule: AskingRule;
  /** Ask every prompt, whatever it can still change. */
  readonly everyPrompt: boolean;
}

/**
 * Steps that judge items by as few prompts as settle the verdict. Each round asks, of every item that
 * is not settled by the rounds before it, what can still change most. A run that goes on finds what
 * was answered and asks for nothing twice; with another threshold it asks only what that needs.
 */
export function selectiveRounds<Type extends RecordType>(
  options: SelectiveOptions<Type>,
): Step<Type>[] {
  const { asking, prompts, width, weights, rule, everyPrompt } = options;
  const rounds = everyPrompt ? 1 : Math.min(mostRounds, prompts.length);
  const all = asking.step(prompts, options.items);
  return Array.from({ length: rounds }, (_, round) => ({
    ...all,
    part: `${all.part}-round-${String(round + 1).padStart(2, "0")}`,
    parameters: { ...all.parameters, round: round + 1 },
    async *plan(records) {
      const said = await answersSoFar(asking.answers(records), {
        items: options.items(),
        prompts,
        width,
      });
      let row = 0;
      for await (const item of options.items()) {
        const state = stateOf(said.get(item.id), row, { weights, prompts: prompts.length, width });
        row++;
        const next = everyPrompt
          ? Array.from(prompts.keys()).filter((at) => state.asked[at] === 0)
          : askedInRounds(rule, state).next;
        if (next.length === 0) continue;
        const asked = next.flatMap((at) => prompts[at] ?? []);
        const own = asking.step(asked, async function* () {
          yield item;
        });
        yield* own.plan(records);
      }
    },
  }));
}
