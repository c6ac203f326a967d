import type { ChatModel } from "../core/models.js";
import type { RecordOf } from "../core/records.js";
import type { Step } from "../core/step.js";
import type { AskedSoFar } from "../ensembles/fewer-calls.js";
import { type Approximation, toAsk } from "../ensembles/fewer-calls-replay.js";
import { judgePairs, type PairToJudge } from "./judge-pairs-step.js";
import { type JudgingWay, preferenceForA } from "./pairwise-judge.js";
import type { Prompt } from "./prompt.js";

export interface SelectiveOptions extends JudgingWay {
  readonly model: ChatModel;
  readonly prompts: readonly Prompt[];
  readonly trials: number;
  /** The pairs, each time in the same order. */
  pairs(): AsyncIterable<PairToJudge>;
  /** The weight of each prompt on each pair, in the order of the pairs: pairs x prompts. */
  readonly weights: Float64Array;
  /** On max(P, 1 - P). */
  readonly threshold: number;
  readonly approximate: Approximation | undefined;
  /** Ask every prompt, whatever it can still change. */
  readonly everyPrompt: boolean;
}

/** Of many prompts several are asked in a round, so that there are no more rounds than this. */
const mostRounds = 20;

/**
 * Steps that judge pairs by as few prompts as settle the verdict. Each round asks, of every pair that
 * is not settled by the rounds before it, what can still change most. A run that goes on finds what
 * was answered and asks for nothing twice; with another threshold it asks only what that needs.
 */
export function selectiveRounds(options: SelectiveOptions): Step<"judgment">[] {
  const { model, prompts, trials, ties = false, way = "tokens" } = options;
  const rounds = options.everyPrompt ? 1 : Math.min(mostRounds, prompts.length);
  const atLeast = Math.ceil(prompts.length / rounds);
  const shared = { model, ties, way, trials };
  const all = judgePairs({ ...shared, prompts, pairs: options.pairs });
  return Array.from({ length: rounds }, (_, round) => ({
    ...all,
    part: `${all.part}-round-${String(round + 1).padStart(2, "0")}`,
    parameters: { ...all.parameters, round: round + 1 },
    async *plan(records) {
      const said = await answersSoFar(records.ofType("judgment"), options);
      let row = 0;
      for await (const pair of options.pairs()) {
        const state = stateOf(said.get(pair.pair), row, options);
        row++;
        const next = nextOf(state, atLeast, options);
        if (next.length === 0) continue;
        const asked = next.flatMap((at) => prompts[at] ?? []);
        const own = judgePairs({
          ...{ ...shared, prompts: asked },
          async *pairs() {
            yield pair;
          },
        });
        yield* own.plan(records);
      }
    },
  }));
}

/** What prompts said of one pair: P(a is better) by prompt, the mean of its trials. */
interface Said {
  readonly sums: Float64Array;
  readonly counts: Int32Array;
  /** Trials asked, with or without an answer. */
  readonly asked: Int32Array;
}

/** What was said of each pair, by its name. */
export async function answersSoFar(
  judgments: AsyncIterable<RecordOf<"judgment">>,
  { prompts }: Pick<SelectiveOptions, "prompts">,
): Promise<Map<string, Said>> {
  const places = new Map(prompts.map(({ id }, at) => [id, at]));
  const said = new Map<string, Said>();
  for await (const judgment of judgments) {
    const at = places.get(judgment.prompt);
    if (at === undefined) continue;
    const one = said.get(judgment.pair) ?? {
      sums: new Float64Array(prompts.length),
      counts: new Int32Array(prompts.length),
      asked: new Int32Array(prompts.length),
    };
    said.set(judgment.pair, one);
    one.asked[at] = (one.asked[at] ?? 0) + 1;
    if (judgment.status !== "done") continue;
    one.sums[at] = (one.sums[at] ?? 0) + preferenceForA(judgment.probabilities);
    one.counts[at] = (one.counts[at] ?? 0) + 1;
  }
  return said;
}

/** How a pair stands; `row` is its number among the pairs. */
export function stateOf(
  said: Said | undefined,
  row: number,
  { prompts, weights }: Pick<SelectiveOptions, "prompts" | "weights">,
): AskedSoFar {
  const count = prompts.length;
  return {
    weights: weights.subarray(row * count, (row + 1) * count),
    answers: Float64Array.from({ length: count }, (_, at) =>
      (said?.counts[at] ?? 0) > 0 ? (said?.sums[at] ?? 0) / (said?.counts[at] ?? 1) : Number.NaN,
    ),
    asked: Uint8Array.from({ length: count }, (_, at) => ((said?.asked[at] ?? 0) > 0 ? 1 : 0)),
  };
}

function nextOf(
  state: AskedSoFar,
  atLeast: number,
  { threshold, approximate, everyPrompt }: SelectiveOptions,
): number[] {
  if (everyPrompt) return Array.from(state.asked.keys()).filter((at) => state.asked[at] === 0);
  const next = toAsk(state, threshold, approximate);
  // Every prompt that is added to fill a round is the one that would have come next, were its answer as expected.
  const asked = Uint8Array.from(state.asked);
  const all = [...next];
  for (const at of next) asked[at] = 1;
  const others = Array.from(state.weights.keys())
    .filter((at) => asked[at] === 0 && (state.weights[at] ?? 0) > 0)
    .sort((one, other) => (state.weights[other] ?? 0) - (state.weights[one] ?? 0));
  while (all.length > 0 && all.length < atLeast && others.length > 0) all.push(others.shift() ?? 0);
  return all;
}
