import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { scriptedOpenAi } from "../../../../test/support/scripted-openai.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

const words = ["cat", "lamp", "river", "tower", "violin", "bread", "anchor", "cactus"];
const count = 24;
const textOf = (at: number) => `a ${words[at % 8]} beside a ${words[(at * 3 + 1) % 8]}, take ${at}`;

type Share = (asked: { readonly image: number; readonly text: number }) => number;

const servers = {
  sound: ({ image, text }) => (image === text ? 0.9 : 0.1),
  "ignores-text": ({ image }) => 0.1 + image / 40,
} satisfies Record<string, Share>;

/** Images that tell their number by their bytes, with texts, and a server that judges them by both. */
async function workshop(share: Share) {
  const workingDirectory = await temporaryDirectory();
  const numbers = new Map<string, number>();
  const rows: string[] = [];
  for (let at = 0; at < count; at++) {
    const create = { width: 8, height: 8, channels: 3, background: { r: at, g: 9, b: 9 } } as const;
    const bytes = await sharp({ create }).png().toBuffer();
    numbers.set(bytes.toString("base64"), at);
    await writeFile(join(workingDirectory, `${at}.png`), bytes);
    rows.push(JSON.stringify({ image: `${at}.png`, text: textOf(at) }));
  }
  await writeFile(join(workingDirectory, "rows.jsonl"), `${rows.join("\n")}\n`);
  const server = await scriptedOpenAi({
    chat({ texts, images }) {
      const text = Number(/take (\d+)/.exec(texts.join(" "))?.[1]);
      const p = share({ image: numbers.get(images[0] ?? "") ?? 9, text });
      return { text: "Yes", probabilities: { Yes: p, No: 1 - p } };
    },
  });
  const variables = { ...server.variables, XDG_CACHE_HOME: join(workingDirectory, "cache") };
  return {
    server,
    text: (name: string) => readFile(join(workingDirectory, name), "utf8"),
    run: async (...line: readonly string[]) => {
      const before = server.received.length + server.sights.length;
      const ended = await touchstoneHere(line, { variables, workingDirectory });
      return { ...ended, asked: server.received.length + server.sights.length - before };
    },
  };
}

const score = ["score", "rows.jsonl", "--json", "--metric"];

test("placebos are forecast, asked once and within the limits", async () => {
  const { run } = await workshop(servers.sound);
  const line = ["score", "rows.jsonl", "--metric", "vqa-score=openai-compatible:tiny"];
  const first = await run(...line);
  expect(first.asked).toBe(4 + count + 8 + 8);
  expect(first.stderr).toContain(`Scoring: about ${4 + count} calls`);
  expect(first.stderr).toContain("Placebos of vqa-score=openai-compatible:tiny: about 16 calls");
  expect((await run(...line)).asked).toBe(0);
  const anew = await run(...line, "--no-cache", "--max-calls", String(4 + count));
  expect([anew.asked, anew.code]).toEqual([4 + count, 0]);
  expect(anew.stdout.replace(/\s+/g, " ")).toContain("the same score");
  const without = await run(...line, "--no-cache", "--no-sanity", "--json");
  expect(without.asked).toBe(count);
  const { metrics } = JSON.parse(without.stdout).sanity;
  expect(metrics["vqa-score=openai-compatible:tiny"].state).toBe("skipped");
});

test("--fail-on defect misses the gate of a metric that is told so, and of one that was not checked", async () => {
  const line = [...score, "vqa-score=openai-compatible:tiny", "--fail-on", "defect"];
  const { run, text } = await workshop(servers["ignores-text"]);
  expect((await run(...line)).code).toBe(4);
  expect((await run(...line, "--no-sanity")).code).toBe(4);
  // Each row says it, in every format.
  for (const [more, state] of [
    [[], "defect"],
    [["--no-sanity"], "skipped"],
  ] as const) {
    await run(...line, ...more, "--out", "scores.csv");
    const [head = "", ...rows] = (await text("scores.csv")).trim().split("\n");
    expect(head).toMatch(/,direction,sanity$/);
    expect(new Set(rows.map((row) => row.split(",").at(-1)))).toEqual(new Set([state]));
  }
  const other = await workshop(servers.sound);
  expect((await other.run(...line)).code).toBe(0);
});
