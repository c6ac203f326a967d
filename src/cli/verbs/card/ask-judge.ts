import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import { labCaveat } from "../../../benchmarks/run-cards.js";
import { keyOf } from "../../../core/keys.js";
import { type ChatModel, placedName } from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import { firstShownBy, inBothOrders, judgePair } from "../../../judges/pairwise-judge.js";
import { type Prompt, wordingOf } from "../../../judges/prompt.js";
import { loadPromptPool } from "../../../judges/read-prompt-pool.js";
import { samplePrompts } from "../../../judges/sample-prompts.js";
import { inParallel } from "../../../runs/in-parallel.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { loadLab } from "../../lab.js";
import { hostingAsGiven } from "../../models/hosting.js";
import { checkMadeFor } from "../../models/made-for.js";
import { type Chosen, unloadedFor } from "../../models/model-for.js";
import type { Output } from "../../terminal/output.js";
import { progressOf } from "../score/score-progress.js";
import { Spending } from "../score/spending.js";
import type { AskedMetric } from "./ask-lab.js";
import type { CardGiven } from "./card-arguments.js";
import type { KnownPair } from "./card-asks.js";
import { type KeptRows, keptRowsOf } from "./kept-rows.js";
import { lookBefore } from "./look-before.js";

/**
 * Has judges choose between pictures of the lab, each pair by several wordings and in both orders: of
 * some one picture is better by the truth, of the others neither is.
 *
 * @throws InputError where a model can't be asked by prompts about images.
 */
export async function askJudges(
  { judge: names, pictures, wordings, run, seed, ...given }: CardGiven,
  { environment, output }: { readonly environment: Environment; readonly output: Output },
): Promise<AskedMetric[]> {
  const lab = await loadLab();
  const { settings } = await loadConfiguration(environment);
  const { signal } = environment;
  const hosting = hostingAsGiven(given, { settings, environment, output });
  const choosing = { flag: "--judge", configured: settings.models, hosting };
  const judges: Chosen<ChatModel>[] = [];
  for (const name of names) {
    const judge = await unloadedFor(name, "ChatModel", choosing);
    checkMadeFor(judge.model, "pair", "--judge");
    judges.push(judge);
  }
  for (const judge of judges) await judge.load();
  const onPainted = progressOf("Painting:", 2 * pictures, { environment, output });
  const pairs = await lab.pairs({ captions: pictures, seed, signal, onPainted });
  const asked = samplePrompts({ prompts: straightPrompts(), count: wordings, seed }).flatMap(
    (prompt) => pairs.map((pair) => ({ prompt, pair })),
  );
  const found: AskedMetric[] = [];
  for (const { model, callsAtOnce = 1 } of judges) {
    const name = placedName(model.identity).replace(/@[^@]*$/, "");
    const kept = await keptRowsOf(run, { name, environment });
    const next = asked.find((one) => kept.find(keyOfRow(model, one)) === undefined);
    const models = await lookBefore(hosting, {
      names: [placedName(model.identity)],
      models: [model],
      run,
      ask: next && (() => judgePair({ model, prompt: next.prompt, ...next.pair }, { signal })),
      signal,
    });
    const onDone = progressOf(`Asking ${name}:`, asked.length, { environment, output });
    const rows: CardRow[] = [];
    // The first answer loads the model, which is no part of the time per pair.
    const [loading] = asked;
    let done = 0;
    await inParallel(asked.entries(), {
      concurrency: callsAtOnce,
      signal,
      async work([at, one]) {
        rows[at] = await judgedRow(one, { model, kept, signal, isTimed: one !== loading });
        onDone(++done);
      },
    });
    signal.throwIfAborted();
    found.push({
      subject: {
        name,
        direction: "higher",
        isPairwise: true,
        reference: "the lab's truth",
        caveat: labCaveat,
        absence: "Asked of metrics, that score one image; this is the card of a judge of pairs.",
      },
      rows,
      models,
    });
  }
  return found;
}

const straightPrompts = (): Prompt[] =>
  composePrompts(loadPromptPool("pairwise").pool).filter((prompt) => firstShownBy(prompt) === "a");

const keyOfRow = (
  model: ChatModel,
  { prompt, pair: { caption, a, b } }: { readonly prompt: Prompt; readonly pair: KnownPair },
) =>
  keyOf({
    judge: placedName(model.identity),
    caption,
    images: [a.hash, b.hash],
    wording: [prompt.system, prompt.task, prompt.question, ...prompt.labels, ...prompt.answers],
  });

/** Asks a judge about one pair in both orders by one wording; a row with a retryable gap is not kept. */
async function judgedRow(
  { prompt, pair }: { readonly prompt: Prompt; readonly pair: KnownPair },
  {
    model,
    kept,
    signal,
    isTimed,
  }: {
    readonly model: ChatModel;
    readonly kept: KeptRows;
    readonly signal: AbortSignal;
    readonly isTimed: boolean;
  },
): Promise<CardRow> {
  const { caption, a, b } = pair;
  const key = keyOfRow(model, { prompt, pair });
  const before = kept.find(key);
  if (before !== undefined) return before;
  let isRetryable = false;
  const spending = new Spending();
  const start = performance.now();
  const answer = async (turned: Prompt) => {
    try {
      const { firstShown, probabilities } = await judgePair(
        { model, prompt: turned, caption, a, b },
        { signal, trace: spending.note },
      );
      return probabilities[firstShown] + probabilities.tie / 2;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      isRetryable ||= error.retryable;
      return null;
    }
  };
  const said: (number | null)[] = [];
  for (const one of inBothOrders([prompt])) said.push(await answer(one));
  const [first = null, turned = null] = said;
  const wording = wordingOf(prompt);
  const isWhole = first !== null && turned !== null;
  const { calls, cost } = spending.toJSON();
  const row: CardRow = {
    id: `${pair.id}/${wording}`,
    prompt: caption,
    paraphrase: wording,
    first,
    turned,
    ...pair.known,
    ...(isTimed && isWhole ? { seconds: (performance.now() - start) / 1000 } : {}),
    ...(isWhole && calls > 0 && cost !== null ? { cost } : {}),
  };
  if (!isRetryable) await kept.add(key, row);
  return row;
}
