import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { labPainter } from "../../packages/lab/src/painter/lab-painter.js";
import { labServer } from "../../packages/lab/src/serve/lab-server.js";
import type { JsonObject } from "../../src/core/json.js";
import type { GenerationRequest, ImageGenerator } from "../../src/core/models.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { openPicture } from "../../src/images/picture.js";
import { folderGenerator, ImageIndex } from "../../src/models/folder/folder-generator.js";
import type { Clock } from "../../src/models/http/clock.js";
import { openAiImages } from "../../src/models/openai-images/openai-images.js";
import { madeImage } from "../support/generator-behind.js";
import { handClock } from "../support/hand-clock.js";
import { documentedServices, receivedCall, runningService } from "../support/image-services.js";

const folder = await mkdtemp(join(tmpdir(), "touchstone-"));
afterAll(() => rm(folder, { recursive: true }));
await writeFile(join(folder, "dog.png"), madeImage);
await writeFile(join(folder, "metadata.csv"), "file_name,text\ndog.png,A dog is in the snow.\n");
const index = await ImageIndex.open(folder);

const app = labServer();

type Hosted = (options: { readonly clock?: Clock; readonly calling?: Calling }) => ImageGenerator;
type Calling = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;

/** Adapters of providers that are asked over HTTP. A new one is one line. */
const hosted: readonly [name: string, make: Hosted][] = [
  [
    "openai-images",
    ({ calling = (fetch) => fetch, ...options }) =>
      openAiImages("painter", {
        ...options,
        baseUrl: "http://localhost/v1",
        fetch: calling(async (url, init) => {
          init?.signal?.throwIfAborted();
          return app.request(String(url), init);
        }),
      }),
  ],
  ...documentedServices.map((service): [string, Hosted] => [
    service.name,
    ({ calling = (fetch) => fetch, ...options }) => {
      const { base, fetch } = runningService(service, ({ body }, sound) =>
        JSON.stringify(body ?? "").includes("sonnet")
          ? Response.json({ detail: "not that" }, { status: 422 })
          : sound(),
      );
      return service.make({ ...options, baseUrl: base, fetch: calling(fetch) });
    },
  ]),
];

/** What every adapter of the contract promises, whatever is behind it. A new adapter is one line. */
const generators: readonly [name: string, make: () => ImageGenerator][] = [
  ["lab:painter", () => labPainter()],
  ["folder", () => folderGenerator({ directory: folder, index })],
  ...hosted.map(([name, make]): [string, () => ImageGenerator] => [name, () => make({})]),
];

const asked: GenerationRequest = { prompt: "A dog is in the snow.", seed: 3 };

describe.each(generators)("%s generates", (_, make) => {
  test("an image that can be opened, the same one for the same prompt and seed", async () => {
    const { bytes } = await make().generate(asked);
    const { width, height } = await openPicture(bytes);
    expect(width * height).toBeGreaterThan(0);
    expect(Buffer.compare((await make().generate(asked)).bytes, bytes)).toBe(0);
  });

  test("or has no answer, with a reason", async () => {
    const sonnet = { prompt: "a sonnet about the sea", seed: 3 };
    await expect(make().generate(sonnet)).rejects.toThrow(NoAnswer);
  });

  test("under an identity, and stops when told to", async () => {
    expect(JSON.parse(JSON.stringify(make().identity))).toEqual(make().identity);
    await expect(make().generate(asked, { signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
  });
});

test.each(hosted)(
  "%s isn't down where nothing is left but prompts on which it breaks",
  async (_, make) => {
    const clock = handClock();
    const paid: unknown[] = [];
    const generator = make({
      clock,
      calling: (fetch) => async (url, init) =>
        JSON.stringify((await receivedCall(url, init)).body).includes("poison")
          ? new Response("broken", { status: 500 })
          : fetch(url, init),
    });
    // Made by an earlier process.
    generator.answered?.(asked);
    const left = Array.from({ length: 12 }, (_, seed) => ({ prompt: `poison ${seed}`, seed }));
    const trace = ({ kind, isBilled }: JsonObject) =>
      kind === "answered-again" && paid.push(isBilled);
    const ended = Promise.allSettled(left.map((one) => generator.generate(one, { trace })));
    let isDone = false;
    ended.finally(() => {
      isDone = true;
    });
    while (!isDone) await clock.advance(1000);
    for (const one of await ended) {
      expect(one).toMatchObject({ status: "rejected", reason: { reason: "provider-error" } });
    }
    expect(paid).toEqual([true]);
  },
);
