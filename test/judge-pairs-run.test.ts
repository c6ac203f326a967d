import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { encode } from "fast-png";
import { expect, test } from "vitest";
import type { RecordStore } from "../src/core/record-store.js";
import { openStore } from "../src/files/open-store.js";
import { openPicture } from "../src/images/picture.js";
import { composePrompts } from "../src/judges/compose-prompts.js";
import { judgePairs, type PairToJudge } from "../src/judges/judge-pairs-step.js";
import { loadPromptPool } from "../src/judges/read-prompt-pool.js";
import { samplePrompts } from "../src/judges/sample-prompts.js";
import { openAiCompatible } from "../src/models/openai-compatible/openai-compatible.js";
import { Budget } from "../src/runs/budget.js";
import { runSteps } from "../src/runs/run-steps.js";
import {
  type Behaviour,
  completion,
  misbehavingServer,
  type Received,
} from "./support/misbehaving-server.js";
import { temporaryDirectory } from "./support/temporary-directory.js";

/** The words before the first image: the label of the first place, as a served model sees it. */
const firstLabel = ({ body }: Received): string => {
  const content = body.messages?.at(-1)?.content;
  const parts: { type: string; text?: string }[] = Array.isArray(content) ? content : [];
  const at = parts.findIndex(({ type }) => type === "image_url");
  return parts[at - 1]?.text ?? "";
};
const secondOf: Readonly<Record<string, string>> = {
  A: "B",
  "A)": "B)",
  "1": "2",
  "1.": "2.",
  "first:": "second:",
};

test("pairs judged over HTTP, stopped and gone on with: nothing is asked twice, refusals are kept", async () => {
  const server = await misbehavingServer({
    behave(call): Behaviour {
      const label = firstLabel(call);
      if (label === "A)") return { kind: "reply", json: completion({ refusal: "No people." }) };
      if (label === "1.") return { kind: "reply", json: completion({ text: "Both are fine" }) };
      const probabilities = { [label]: 0.75, [secondOf[label] ?? ""]: 0.2, I: 0.05 };
      return { kind: "reply", json: completion({ text: label, probabilities }) };
    },
  });
  const model = openAiCompatible("judge", { baseUrl: server.baseUrl, apiKey: "none" });
  const all = composePrompts(loadPromptPool("pairwise").pool);
  const prompts = samplePrompts({ prompts: all, count: 5, seed: 0 });
  const run = async (directory: string, limit?: number) => {
    const folder = await openStore(directory, {
      create: { command: "touchstone judge", seed: 0, software: "1.0.0" },
    });
    const step = judgePairs({
      model,
      prompts,
      orders: "both",
      async *pairs() {
        for (const level of [10, 90]) {
          const [imageA, imageB] = [await store(folder, level), await store(folder, 50)];
          yield {
            pair: `pair-${level}`,
            caption: "a red dot",
            imageA,
            imageB,
          } satisfies PairToJudge;
        }
      },
    });
    const budget = limit === undefined ? {} : { budget: new Budget({ calls: limit }) };
    await runSteps({ run: folder, steps: [step], openPicture, ...budget });
    const judged = [];
    for await (const record of folder.ofType("judgment")) judged.push(record);
    return judged;
  };

  const once = join(await temporaryDirectory(), "once");
  const judged = await run(once);
  const planned = 2 * 2 * prompts.length;
  expect(judged).toHaveLength(planned);
  expect(server.received).toHaveLength(planned);

  const twice = join(await temporaryDirectory(), "twice");
  await expect(run(twice, 7)).rejects.toThrow("limit of 7 calls");
  expect(server.received).toHaveLength(planned + 7);
  expect(await run(twice)).toEqual(judged);
  expect(await run(twice)).toEqual(judged);
  expect(server.received).toHaveLength(2 * planned);
  expect(await recordsOf(twice)).toEqual(await recordsOf(once));

  const byGlyphs = (glyphs: string) =>
    judged.filter(({ prompt }) => prompt.includes(`/${glyphs}/`));
  expect(byGlyphs("AB-bracket").map((one) => one.status === "unscored" && one.reason)).toEqual(
    Array(4).fill("refused"),
  );
  // No token has log-probabilities there, which no repetition would mend.
  expect(byGlyphs("1-2-dot").map((one) => one.status === "unscored" && one.reason)).toEqual(
    Array(4).fill("not-applicable"),
  );
  for (const one of byGlyphs("AB")) {
    if (one.status !== "done") throw new Error(one.detail);
    expect(one.probabilities[one.firstShown]).toBeCloseTo(0.75 / 0.95, 9);
    expect(one.remaining).toBeCloseTo(0.05, 9);
  }
});

const store = (folder: RecordStore, level: number) =>
  folder.blobs.write(
    encode({ width: 1, height: 1, channels: 3, depth: 8, data: new Uint8Array([level, 0, 0]) }),
    "image/png",
  );

async function recordsOf(directory: string): Promise<string[]> {
  const names = (await readdir(join(directory, "records"))).sort();
  return Promise.all(names.map((name) => readFile(join(directory, "records", name), "utf8")));
}
