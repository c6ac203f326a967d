import { join } from "node:path";
import { expect, test } from "vitest";
import { hostedEmbedder, hostedModel } from "../src/cli/models/hosted-models.js";
import { hostingFor } from "../src/cli/models/hosting.js";
import { keyOf } from "../src/core/keys.js";
import { type CallOptions, type Model, type Picture, placedName } from "../src/core/models.js";
import type { Step } from "../src/core/step.js";
import { openStore } from "../src/files/open-store.js";
import { openPicture } from "../src/images/picture.js";
import { keeps } from "../src/models/contracts.js";
import { openAiClient } from "../src/models/openai-compatible/openai-compatible.js";
import { runSteps } from "../src/runs/run-steps.js";
import { fakeEnvironment } from "./support/fake-environment.js";
import { handClock } from "./support/hand-clock.js";
import { colouredImage, scriptedOpenAi } from "./support/scripted-openai.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

/** Of so many images the server breaks on so many, each time it is asked about them. */
const [all, poisoned] = [30, 12];

async function ask(model: Model, image: Picture, options: CallOptions): Promise<void> {
  if (keeps(model, "ImageEmbedder")) await model.embedImage(image, options);
  else if (keeps(model, "VisualQuestionAnswering")) {
    await model.probabilityOfYes(image, ["Is it?"], options);
  }
}

/** Goes over a run in a process of its own. */
async function goOver(
  directory: string,
  { kind, useCache }: { readonly kind: "chat" | "embeddings"; readonly useCache: boolean },
  baseUrl: string,
) {
  const clock = handClock();
  const kept = {
    ...hostingFor(fakeEnvironment({ workingDirectory: directory }), {
      settings: { directory: "replies" },
      useCache,
    }),
    client: async (options: Parameters<typeof openAiClient>[0]) =>
      openAiClient({ ...options, clock }),
  };
  const hosted = kind === "chat" ? hostedModel : hostedEmbedder;
  const { model } = await hosted(
    { provider: "openai-compatible" as const, model: "tiny", baseUrl, attempts: 6 },
    kept,
  );
  const images = Array.from({ length: all }, (_, at) => colouredImage(`image ${at}`));
  const pictures = await Promise.all(images.map((bytes) => openPicture(bytes)));
  const step: Step<"score"> = {
    name: "score",
    version: 1,
    produces: "score",
    parameters: {},
    asks: [placedName(model.identity)],
    async *plan() {
      for (const { hash } of pictures) {
        const metric = { metric: "m", metricVersion: 1, statistic: "s", model: "tiny", trial: 0 };
        const scale = { range: [0, 1] as [number, number], direction: "higher" as const };
        yield { of: keyOf(hash), image: hash, text: "", ...metric, ...scale };
      }
    },
    async perform({ image }, options) {
      const picture = pictures.find(({ hash }) => hash === image);
      if (picture === undefined) throw new Error("Expected an image of the plan");
      await ask(model, picture, options);
      return { value: 1 };
    },
  };
  const run = await openStore(join(directory, "run"), {
    create: { command: "touchstone score", seed: 0, software: "1.0.0" },
  });
  const { meter } = kept;
  let isDone = false;
  const summaries = runSteps({ run, steps: [step], meter, concurrency: 4, openPicture }).finally(
    () => {
      isDone = true;
    },
  );
  // Whatever it fails with is thrown below.
  summaries.catch(() => {});
  while (!isDone) await clock.advance(1000);
  return (await summaries)[0];
}

test.each([
  { kind: "chat", useCache: true },
  { kind: "chat", useCache: false },
  { kind: "embeddings", useCache: true },
  { kind: "embeddings", useCache: false },
] as const)(
  "where nothing is left but images on which the server breaks it isn't down: %o",
  async (options) => {
    const breaking = Array.from({ length: poisoned }, (_, at) =>
      colouredImage(`image ${2 * at}`).toString("base64"),
    );
    const server = await scriptedOpenAi({
      chat: () => ({ text: "Yes", probabilities: { Yes: 0.75, No: 0.25 } }),
      behave: ({ body }) =>
        breaking.some((image) => JSON.stringify(body).includes(image))
          ? { kind: "raw", status: 500, text: "broken" }
          : undefined,
    });
    const directory = await temporaryDirectory();
    const found = { done: all - poisoned, unscored: { "provider-error": poisoned } };
    expect(await goOver(directory, options, server.baseUrl)).toMatchObject(found);
    for (let again = 0; again < 2; again++) {
      const before = server.received.length;
      expect(await goOver(directory, options, server.baseUrl)).toMatchObject({
        ...found,
        reused: all - poisoned,
      });
      // Each is asked again, and what was answered before a few times, to see whether the server lives.
      expect(server.received.length - before).toBeLessThan(7 * poisoned);
    }
  },
);
