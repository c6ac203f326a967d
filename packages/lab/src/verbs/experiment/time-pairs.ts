import type { Environment } from "touchstone-t2i/internal/cli/environment.js";
import type { Output } from "touchstone-t2i/internal/cli/terminal/output.js";
import { progressOf } from "touchstone-t2i/internal/cli/verbs/score/score-progress.js";
import { hashOf, keyOf } from "touchstone-t2i/internal/core/keys.js";
import type { Model, Picture } from "touchstone-t2i/internal/core/models.js";
import type { RecordStore } from "touchstone-t2i/internal/core/record-store.js";
import { openDocuments, runPlace } from "touchstone-t2i/internal/files/open-store.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { composePrompts } from "touchstone-t2i/internal/judges/compose-prompts.js";
import { inBothOrders, judgePair } from "touchstone-t2i/internal/judges/pairwise-judge.js";
import { loadPromptPool } from "touchstone-t2i/internal/judges/read-prompt-pool.js";
import { samplePrompts } from "touchstone-t2i/internal/judges/sample-prompts.js";
import { metricByName } from "touchstone-t2i/internal/metrics/catalogue.js";
import { z } from "zod";
import type { TimedAnswers } from "../../experiments/proto-score/answer-times.js";
import { type LabModelName, labModel } from "../../models/lab-model.js";
import { labPainter } from "../../painter/lab-painter.js";
import type { ProtoScoreDesign } from "./proto-score-design.js";

/** Two images of one prompt; the first shows it. */
interface Pair {
  readonly text: string;
  readonly images: readonly [Picture, Picture];
}

/** A metric or judge that is asked about pairs, with a count of its calls to models. */
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
 * Times ProtoScore, the encoder it was trained from, other metrics and the lab's judge on the same pairs of
 * triplets, one call after another. Each is shown its own copy of every picture, so that no cache serves two
 * of them. Times are kept beside the run.
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
  const askers = askersOf(prompts);
  const models = askers.map(({ name }) => name);
  const documents = openDocuments(runPlace(run, environment));
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

function askersOf(drawn: ProtoScoreDesign["timing"]["prompts"]): Asker[] {
  const scoring = (name: LabModelName, metricName: string, says: string): Asker => {
    const { model, calls } = counted(labModel(name));
    const metric = metricByName(metricName).make({ model });
    return {
      name: `lab:${name}`,
      says,
      calls,
      async ask({ text, images }) {
        for (const image of images) await metric.score({ image, text });
      },
    };
  };
  const { model, calls } = counted(labModel("judge"));
  const asked = inBothOrders(
    samplePrompts({ prompts: composePrompts(loadPromptPool("pairwise").pool), ...drawn }),
  );
  return [
    scoring("proto-score", "proto-score", "a score of each image"),
    scoring("dual-encoder-skewed", "clip-score", "the cosine of each image: its start"),
    scoring("vqa", "vqa-score", "P(yes) of each image"),
    scoring("rater", "mllm-rating", "a rating of each image"),
    {
      name: "lab:judge",
      says: `a preference by each of ${drawn.count} prompts, in both orders`,
      calls,
      async ask({ text, images: [a, b] }) {
        for (const prompt of asked) await judgePair({ model, prompt, caption: text, a, b });
      },
    },
  ];
}

/** The first triplets of the run, `most` of them. */
async function* sentences(store: RecordStore, most: number) {
  let given = 0;
  for await (const record of store.ofType("prompt")) {
    if (record.status !== "done") continue;
    if (given++ === most) return;
    yield record;
  }
}

/** Paints and decodes a picture; `copy` gives it a hash that no other copy of it has. */
async function picture(
  sentence: string,
  { seed, copy }: { readonly seed: number; readonly copy: string },
): Promise<Picture> {
  const { bytes } = await labPainter().generate({ prompt: sentence, seed });
  const opened = await openPicture(bytes);
  await opened.pixels();
  return { ...opened, hash: hashOf(new TextEncoder().encode(`${opened.hash} ${copy}`)) };
}

/** Methods of models that count as a call. */
const asking = ["chat", "embedImage", "embedText", "probabilityOfYes"];

/** The model behind a counter of its calls. */
function counted<One extends Model>(model: One) {
  let calls = 0;
  const counting = new Proxy(model, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function" || !asking.includes(String(name))) return member;
      return (...asked: unknown[]) => {
        calls++;
        return Reflect.apply(member, target, asked);
      };
    },
  });
  return { model: counting, calls: () => calls };
}
