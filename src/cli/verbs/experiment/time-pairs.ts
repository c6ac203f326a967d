import { z } from "zod";
import { hashOf, keyOf } from "../../../core/keys.js";
import type { ChatModel, Picture } from "../../../core/models.js";
import type { RecordStore } from "../../../core/record-store.js";
import type { TimedAnswers } from "../../../experiments/answer-times.js";
import { openDocuments, storePlace } from "../../../files/open-store.js";
import { openPicture } from "../../../images/picture.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import { inBothOrders, judgePair } from "../../../judges/pairwise-judge.js";
import { loadPromptPool } from "../../../judges/read-prompt-pool.js";
import { samplePrompts } from "../../../judges/sample-prompts.js";
import { type LabModelName, labModel } from "../../../lab/models/lab-model.js";
import { labPainter } from "../../../lab/painter/lab-painter.js";
import { mllmRating } from "../../../metrics/mllm-rating.js";
import { protoScore } from "../../../metrics/proto-score.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { progressOf } from "../score/score-progress.js";
import type { ProtoScoreDesign } from "./proto-score-design.js";

/** Two images of one prompt; the first shows it. */
interface Pair {
  readonly text: string;
  readonly images: readonly [Picture, Picture];
}

/** Somebody who is asked about pairs, and a count of the calls that takes. */
interface Asker {
  readonly name: string;
  readonly says: string;
  readonly calls: () => number;
  ask(pair: Pair): Promise<unknown>;
}

const kept = z.array(
  z.object({
    name: z.string(),
    says: z.string(),
    calls: z.number(),
    milliseconds: z.array(z.number()),
  }),
);

/**
 * Times ProtoScore and the lab's judges on the same pairs of the test's triplets, one call after another, nothing
 * shared between them: each is shown its own copy of a picture that nobody was asked about before. What was
 * measured stays beside the run.
 */
export async function timePairs(
  { timing: { pairs, prompts }, test: { seed } }: ProtoScoreDesign,
  {
    store,
    run,
    environment,
    output,
  }: {
    readonly store: RecordStore;
    readonly run: string;
    readonly environment: Environment;
    readonly output: Output;
  },
): Promise<readonly TimedAnswers[]> {
  const askers = askersOf(prompts, environment);
  const models = askers.map(({ name }) => name);
  const documents = openDocuments(storePlace(run, environment));
  const document = `times-${keyOf({ pairs, prompts, seed, models }).slice(0, 12)}.json`;
  const before = await documents.read(document);
  if (before !== undefined) return kept.parse(JSON.parse(before));
  const show = progressOf("Timed pairs:", pairs, { environment, output });
  const found = askers.map((): number[] => []);
  const counted = askers.map(() => 0);
  let at = 0;
  for await (const { text, correct, adversarial } of sentences(store, pairs + 1)) {
    for (const [who, asker] of askers.entries()) {
      environment.signal.throwIfAborted();
      const painted = { seed: seed + at, copy: asker.name };
      const images = [
        await picture(correct, painted),
        await picture(adversarial, painted),
      ] as const;
      const calls = asker.calls();
      const start = performance.now();
      await asker.ask({ text, images });
      // The first pair loads the models, which is no part of an answer.
      if (at === 0) continue;
      found[who]?.push(performance.now() - start);
      counted[who] = (counted[who] ?? 0) + asker.calls() - calls;
    }
    if (at > 0) show(at);
    at++;
  }
  const timed = askers.map(({ name, says }, who) => ({
    name,
    says,
    calls: counted[who] ?? 0,
    milliseconds: found[who] ?? [],
  }));
  await documents.write(document, `${JSON.stringify(timed)}\n`);
  return timed;
}

function askersOf(drawn: ProtoScoreDesign["timing"]["prompts"], { runtime }: Environment): Asker[] {
  const counting = (name: LabModelName & ("proto-score" | "rater" | "judge")) => {
    const model = labModel(name, { runtime });
    let calls = 0;
    const counted: ChatModel = {
      ...model,
      identity: model.identity,
      chat(request, options) {
        calls++;
        return model.chat(request, options);
      },
    };
    return { name: `lab:${name}`, model: counted, calls: () => calls };
  };
  const [trained, rater, judge] = [counting("proto-score"), counting("rater"), counting("judge")];
  const scored = protoScore({ model: trained.model });
  const rated = mllmRating({ model: rater.model });
  const asked = inBothOrders(
    samplePrompts({ prompts: composePrompts(loadPromptPool("pairwise").pool), ...drawn }),
  );
  const scoreBoth =
    (metric: typeof scored) =>
    async ({ text, images }: Pair) => {
      for (const image of images) await metric.score({ image, text });
    };
  return [
    { ...trained, says: "a score of each image", ask: scoreBoth(scored) },
    { ...rater, says: "a rating of each image", ask: scoreBoth(rated) },
    {
      ...judge,
      says: `a preference by each of ${drawn.count} prompts, in both orders`,
      async ask({ text, images: [a, b] }) {
        for (const prompt of asked) {
          await judgePair({ model: judge.model, prompt, caption: text, a, b });
        }
      },
    },
  ];
}

/** The sentences of some triplets of the run. */
async function* sentences(store: RecordStore, most: number) {
  let given = 0;
  for await (const record of store.ofType("prompt")) {
    if (record.status !== "done") continue;
    if (given++ === most) return;
    yield record;
  }
}

/** Painted and decoded; `copy` makes it another's than one with the same pixels. */
async function picture(
  sentence: string,
  { seed, copy }: { readonly seed: number; readonly copy: string },
): Promise<Picture> {
  const { bytes } = await labPainter().generate({ prompt: sentence, seed });
  const opened = await openPicture(bytes);
  await opened.pixels();
  return { ...opened, hash: hashOf(new TextEncoder().encode(`${opened.hash} ${copy}`)) };
}
