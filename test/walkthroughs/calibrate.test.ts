import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { randomFrom } from "../../src/core/random.js";
import { goodness } from "../support/pair-server.js";
import {
  colouredImage,
  type ScriptedQuestion,
  scriptedOpenAi,
} from "../support/scripted-openai.js";
import { walkthrough } from "../support/walkthrough.js";

const images = 40;

/** Prefers the better image, less surely the closer they are, with noise of each wording's own. */
function judge(numbers: ReadonlyMap<string, number>) {
  return ({ texts, shown }: ScriptedQuestion) => {
    const [first, second] = shown.map(({ label, image }) => {
      const number = numbers.get(image);
      // An altered copy is none of the images.
      const good = number === undefined ? -3 : goodness(number);
      return { answer: label.replace(/[^A-Za-z0-9]/g, ""), good };
    });
    if (first === undefined || second === undefined) throw new Error("Expected two images");
    const noise = randomFrom("view", texts[0] ?? "", shown[0]?.image ?? "").between(-1, 1);
    const p = 1 / (1 + Math.exp(-2 * (first.good - second.good) - noise));
    const kept = Math.min(0.99, Math.max(0.01, p));
    const [one, other] = kept >= 0.5 ? [first, second] : [second, first];
    const most = Math.max(kept, 1 - kept);
    return {
      text: one.answer,
      probabilities: { [one.answer]: most, [other.answer]: 1 - most },
    };
  };
}

test("docs/calibrate-your-judge.md runs from nothing to its reports, killed on the way", async () => {
  const numbers = new Map<string, number>();
  const made = Array.from({ length: images }, (_, at) => colouredImage(`image ${at}`));
  for (const [at, image] of made.entries()) numbers.set(image.toString("base64"), at);
  const server = await scriptedOpenAi({
    chat: judge(numbers),
    embedding: (image) => {
      const number = numbers.get(image) ?? 0;
      return [1, number % 3, number % 2];
    },
  });
  const { directory, commands, read, run, kill } = await walkthrough(
    "calibrate-your-judge.md",
    server,
  );
  const rowsOf = async (name: string) =>
    (await read(name))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const write = (name: string, rows: readonly object[]) =>
    writeFile(join(directory, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  await mkdir(join(directory, "images"));
  await Promise.all(
    made.map((image, at) => writeFile(join(directory, "images", `${at}.png`), image)),
  );
  const random = randomFrom("walkthrough", "pairs");
  const pairs = Array.from({ length: 120 }, (_, at) => {
    const a = random.integer(images);
    const b = (a + 1 + random.integer(images - 1)) % images;
    const pair = {
      id: `p${at}`,
      caption: `caption ${at}`,
      image_a: `images/${a}.png`,
      image_b: `images/${b}.png`,
    };
    return { pair, preferred: goodness(a) > goodness(b) ? "a" : "b" };
  });
  const tie = (at: number) => ({
    id: `t${at}`,
    caption: `tie ${at}`,
    image_a: `images/${at}.png`,
    image_b: `images/${at}.png`,
    preferred: "tie",
  });
  await write("labels.jsonl", [
    ...pairs.slice(0, 90).map(({ pair, preferred }) => ({ ...pair, preferred })),
    tie(100 % images),
  ]);
  await write(
    "pairs.jsonl",
    pairs.slice(90).map(({ pair }) => pair),
  );
  await write(
    "ties.jsonl",
    Array.from({ length: 6 }, (_, at) => tie(at)),
  );
  await write(
    "images/metadata.jsonl",
    Array.from({ length: 8 }, (_, at) => ({ file_name: `${at}.png`, text: `caption ${at}` })),
  );

  const [lint, calibrate, judging, ensemble, claims, grouping, degrade, equal, noPreference] =
    commands;
  expect((await run(lint)).stdout).toContain("pairwise-quality.yaml: no problem");

  // Killed while it asks, it goes on by the command that a run names, and writes all that was wanted.
  await kill(calibrate, () => server.received.length >= 200);
  await expect(read("judge.json")).rejects.toThrow("ENOENT");
  await run(["run", "resume", "judge-answers"]);
  const chats = server.received.filter(({ path }) => path.endsWith("/chat/completions")).length;
  expect(chats).toBeGreaterThanOrEqual(91 * 6);
  expect(chats).toBeLessThan(91 * 6 + 60);
  const answers = await rowsOf("answers.jsonl");
  expect(answers).toHaveLength(91);
  expect(answers[0]).toMatchObject({ id: "p0", group: "caption 0", label: expect.any(Number) });
  expect(answers[0].probabilities).toHaveLength(6);
  expect(answers[0].embedding).toHaveLength(3);
  expect(answers.at(-1)).toMatchObject({ id: "t20", label: null });
  expect(await read("judge-answers/answers.jsonl")).toBe(await read("answers.jsonl"));
  const saved = JSON.parse(await read("judge.json"));
  expect(JSON.stringify(saved)).toContain("pairwise-quality@1");
  expect(saved.embedder).toMatchObject({ model: "openai-embeddings:openai/clip-vit-base-patch16" });

  await run(judging);
  const decided = await rowsOf("results.jsonl");
  const truth = new Map(pairs.map(({ pair, preferred }) => [pair.id, preferred]));
  const right = decided.filter(({ id, decision }) => truth.get(id) === decision).length;
  expect(decided.length).toBeGreaterThan(10);
  expect(right / decided.length).toBeGreaterThan(0.7);

  await run(ensemble);
  expect(await read("grid.html")).toContain("MMB");
  await run(claims, { more: ["--resamples", "100"] });
  expect(await read("claims.html")).toContain("MMB");
  expect((await run(grouping)).stdout).toContain("groups by images");

  expect((await run(degrade)).stdout).toMatch(/\b40\b.* 8 images/);
  await run(equal);
  const copies = await rowsOf("equal.jsonl");
  expect(copies.filter(({ degradation }) => degradation === "noise")).toHaveLength(8);
  expect(copies.filter(({ label }) => label === null)).toHaveLength(6);
  await run(noPreference);
  expect(await read("table4.html")).toContain("MMB");
});
