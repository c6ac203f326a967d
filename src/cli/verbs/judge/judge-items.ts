import { extname } from "node:path";
import type { RecordStore } from "../../../core/record-store.js";
import type { AnyStep } from "../../../core/step.js";
import { type AskingRule, askedInRounds } from "../../../ensembles/fewer-calls-replay.js";
import { answersSoFar, stateOf } from "../../../judges/answers-so-far.js";
import { weightsOfItems } from "../../../judges/calibrate-fit.js";
import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import type { Budget } from "../../../runs/budget.js";
import type { CollectedRun, Invocation } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import { configuredName } from "../../models/configured-name.js";
import { chooseModel } from "../../models/model-choice.js";
import type { Choosing } from "../../models/model-for.js";
import type { Output } from "../../terminal/output.js";
import { chooseEmbedder, embedItems } from "../calibrate/embed-items.js";
import { askingOf, kindOf } from "../calibrate/judge-asking.js";
import type { ItemRow } from "../calibrate/judged-table.js";
import { resumable } from "../calibrate/long-work.js";
import { type ImageHashes, itemsAsked, itemsOfRun } from "../calibrate/open-items.js";
import { onlyCalibrated } from "../calibrate/other-model.js";
import type { Collection } from "../run/collect.js";
import { withoutLimits } from "../run/limits.js";
import { anewWords, asksAgain, retryOfRun, withoutAskingAgain } from "../run/retry-unscored.js";
import { nothingScored } from "../score/mostly-unscored.js";
import type { judgeArguments } from "./judge-arguments.js";
import { type JudgedItem, judged } from "./judged-items.js";
import { checkSameModel, weighingOf } from "./saved-judge.js";

/** Items as nobody judged them, where no threshold is certified. */
export function unjudgedItems(items: readonly ItemRow[], judge: JudgeArtefact): JudgedItem[] {
  const { prompts, task } = judge;
  const kind = kindOf(judge);
  const nobody = {
    weights: new Float64Array(prompts.length),
    answers: new Float64Array(prompts.length * kind.width).fill(Number.NaN),
    asked: new Uint8Array(prompts.length),
  };
  const rule = kind.rule(1);
  return items.map((item) => judged(item, nobody, { task, rule }));
}

/** Items that a judge is about to be asked about. */
export interface ItemsToJudge {
  steps(store: RecordStore): readonly AnyStep[];
  readonly asked: Collection;
  /** Concludes from what was answered. @throws IncompleteError where nothing was. */
  judged(collected: CollectedRun): Promise<JudgedItem[]>;
}

/**
 * The rounds in which a saved judge's model is asked about items, and what follows by `rule`.
 *
 * @throws InputError where another model is named.
 */
export async function itemsToJudge(
  items: readonly ItemRow[],
  {
    judge,
    rule,
    hashes,
    choosing,
    budget,
  }: {
    readonly judge: JudgeArtefact;
    readonly rule: AskingRule;
    readonly hashes: ImageHashes;
    readonly choosing: Choosing;
    readonly budget: Budget;
  },
  { given, environment, output, words, makes }: Invocation<typeof judgeArguments>,
): Promise<ItemsToJudge> {
  const { task, prompts } = judge;
  const { width } = kindOf(judge);
  const everyPrompt = given["every-prompt"];
  const {
    model: named,
    callsAtOnce,
    judgesPhotographs,
    load,
  } = await chooseModel(
    given.model ?? (await configuredName(judge.model, choosing)) ?? judge.model.model,
    choosing.configured,
    choosing.hosting,
  );
  const model = given["allow-other-model"] ? named : onlyCalibrated(named, judge, output.warn);
  const asking = askingOf(model, judge);
  checkSameModel(model, judge.model, "model");
  await load();
  const run = given.run ?? `${given.out.slice(0, -extname(given.out).length)}-answers`;
  const anew = { ...withoutAskingAgain, ...withoutLimits };
  const goOn = words({ run, ...anew });
  const { meter } = choosing.hosting;
  const weights = weightsOfItems(weighingOf(judge), {
    items: items.length,
    prompts: prompts.length,
    embeddings: await embeddings(),
  });
  return {
    asked: {
      run,
      command: [...goOn, ...anewWords(given)],
      makes: makes({ run: undefined, ...anew }),
      seed: 0,
      models: [judge.model.model],
      budget,
      meter,
      again: asksAgain(given, choosing.hosting.replies.directory),
      ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
      environment,
      output: withoutIdleRounds(output),
    },
    steps: (store) =>
      asking.rounds({
        prompts,
        width,
        weights,
        rule,
        everyPrompt,
        items: itemsOfRun(items, { store, hashes }),
      }),
    async judged({ store, summaries }) {
      const retry = retryOfRun(summaries, meter);
      if (retry !== undefined) output.note(retry);
      const asked = summaries.filter(({ planned }) => planned > 0);
      if (asked.length > 0 && asked.every(({ done }) => done === 0)) {
        throw nothingScored(
          asked.map(({ unscored }) => unscored),
          { judgesPhotographs },
        );
      }
      const said = await answersSoFar(asking.answers(store), {
        items: itemsAsked(items, hashes),
        prompts,
        width,
      });
      return items.map((item, row) => {
        const known = stateOf(said.get(item.id), row, { weights, prompts: prompts.length, width });
        const { state } = everyPrompt ? { state: known } : askedInRounds(rule, known);
        return judged(item, state, { task, rule });
      });
    },
  };

  async function embeddings() {
    if (judge.embedder === null) return undefined;
    const name =
      given.embedder ?? (await configuredName(judge.embedder, choosing)) ?? judge.embedder.model;
    const { model } = await chooseEmbedder(name, choosing);
    checkSameModel(model, judge.embedder, "embedder");
    const again = shellWords(["touchstone", ...goOn]);
    const embedding = { budget, meter, goOn: again, environment, output };
    return resumable(() => embedItems(model, items, embedding), {
      signal: environment.signal,
      doing: "images were embedded",
      goOn: again,
    });
  }
}

/** Rounds for which nothing is left are many, and of no interest. */
const withoutIdleRounds = (output: Output): Output => ({
  ...output,
  note(text) {
    if (!/, round \d+ \(.*\): nothing to do$/.test(text)) output.note(text);
  },
});
