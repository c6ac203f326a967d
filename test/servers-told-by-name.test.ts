import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decode } from "fast-png";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { MetricSanity } from "../src/analysis/sanity/metric-sanity.js";
import { scriptedOpenAi } from "./support/scripted-openai.js";
import { sightAsked, stripesSeen } from "./support/sight-answers.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

const words = ["cat", "lamp", "river", "tower", "violin", "bread", "anchor", "cactus"];
const count = 24;
const textOf = (at: number) => `a ${words[at % 8]} beside a ${words[(at * 3 + 1) % 8]}, take ${at}`;

/** What a server knows of a text and an image: the prompt of each, and the image's quality, 0 or 1. */
interface Seen {
  readonly text: number;
  readonly image: number;
  readonly quality: number;
}

interface Server {
  /** Which of the images that are sent reach the model, and how. */
  readonly receives?: (images: readonly string[]) => readonly string[] | Promise<string[]>;
  /** How good it calls an image for a text, from 0 to 1. */
  readonly rates: (seen: Seen) => number;
  /** What it says where colours are shown; these where not given. */
  readonly says?: (shown: readonly string[]) => readonly string[];
}

const fits = ({ text, image, quality }: Seen) => (text === image ? 0.7 : 0.1) + 0.2 * quality;

const shrunk = (images: readonly string[]) =>
  Promise.all(
    images.map(async (image) => {
      const small = sharp(Buffer.from(image, "base64")).resize(64, 64, { kernel: "nearest" });
      return (await small.png().toBuffer()).toString("base64");
    }),
  );

const servers = {
  "sees and reads": { rates: fits },
  // Right about nothing, which guessing would not be for sure.
  "is blind": {
    rates: ({ text }) => text / count,
    says: (shown) => shown.map((colour) => (colour === "red" ? "blue" : "red")),
  },
  "shrinks images to 64 pixels": { rates: fits, receives: shrunk },
  "keeps only the last image": { rates: fits, receives: (images) => images.slice(-1) },
  "ignores the text": { rates: ({ image, quality }) => (image + quality) / (count + 1) },
  "answers by the text alone": { rates: ({ text }) => text / count },
} as const satisfies Record<string, Server>;

/** Labelled pairs, each of two images of its prompt, the better one on either side; the better ones as rows. */
async function workshop({ rates, receives = (images) => images, says = (shown) => shown }: Server) {
  const workingDirectory = await temporaryDirectory();
  const rows: object[] = [];
  const labels: object[] = [];
  for (let at = 0; at < count; at++) {
    for (const quality of [0, 1]) {
      const background = { r: at, g: quality, b: 9 };
      const create = { width: 8, height: 8, channels: 3, background } as const;
      await sharp({ create })
        .png()
        .toFile(join(workingDirectory, `${at}-${quality}.png`));
    }
    rows.push({ image: `${at}-1.png`, text: textOf(at) });
    const [a, b] = at % 2 === 0 ? [1, 0] : [0, 1];
    labels.push({
      id: `p${at}`,
      caption: textOf(at),
      image_a: `${at}-${a}.png`,
      image_b: `${at}-${b}.png`,
      preferred: a === 1 ? "a" : "b",
    });
  }
  const lines = (of: readonly object[]) => of.map((row) => `${JSON.stringify(row)}\n`).join("");
  await writeFile(join(workingDirectory, "rows.jsonl"), lines(rows));
  await writeFile(join(workingDirectory, "labels.jsonl"), lines(labels));
  const server = await scriptedOpenAi({
    sees: async (body) => {
      const { stripes = 0, images = [] } = sightAsked(body) ?? {};
      const seen = [];
      for (const image of await receives(images)) seen.push(...(await stripesSeen(image, stripes)));
      return says(seen).join(", ");
    },
    chat({ texts, shown, schema }) {
      const text = Number(/take (\d+)/.exec(texts.join(" "))?.[1]);
      const [first, second] = shown.map(({ label, image }) => {
        const { data } = decode(Buffer.from(image, "base64"));
        const seen = { text, image: data[0] ?? 0, quality: data[1] ?? 0 };
        return { label: label.replace(/[^A-Za-z0-9]/g, ""), rate: rates(seen) };
      });
      if (first === undefined) throw new Error("Expected an image");
      if (second === undefined) {
        return schema === undefined
          ? { text: "Yes", probabilities: { Yes: first.rate, No: 1 - first.rate } }
          : { text: JSON.stringify({ rating: 1 + Math.round(3 * first.rate) }) };
      }
      const p = 0.5 + 0.45 * Math.tanh(3 * (first.rate - second.rate)) + 0.02;
      const [one, other] = p > 0.5 ? [first, second] : [second, first];
      const most = Math.max(p, 1 - p);
      return { text: one.label, probabilities: { [one.label]: most, [other.label]: 1 - most } };
    },
  });
  const variables = { ...server.variables, XDG_CACHE_HOME: join(workingDirectory, "cache") };
  return (...line: readonly string[]) => touchstoneHere(line, { variables, workingDirectory });
}

const model = "openai-compatible:tiny";
const ways = {
  "P(yes)": [`vqa-score=${model}`, ["score", "rows.jsonl", "--metric", `vqa-score=${model}`]],
  "ratings in words": [
    `mllm-rating=${model}`,
    ["score", "rows.jsonl", "--metric", `mllm-rating=${model}`],
  ],
  pairs: [`pairs=${model}`, ["calibrate", "labels.jsonl", "--model", model, "--prompts", "2"]],
} as const;

describe.each(Object.entries(ways))("by %s", (way, [name, line]) => {
  test.each(Object.entries<Server>(servers))(
    "a server that %s is told so",
    async (kind, server) => {
      const run = await workshop(server);
      const { code, stdout, stderr } = await run(...line, "--json");
      if (kind === "is blind") {
        expect([code, stderr]).toEqual([2, expect.stringContaining("does not see the images")]);
        return;
      }
      expect([code, stderr]).toEqual([0, expect.anything()]);
      const { models, metrics } = JSON.parse(stdout).sanity;
      const { findings, state }: MetricSanity = metrics[name];
      const kinds = findings.map((finding) => finding.kind);
      const { sight } = models[model];
      if (kind === "keeps only the last image" && way === "pairs") {
        expect(sight).toMatchObject({ state: "unclear", note: expect.stringContaining(kind) });
      } else {
        expect(sight.state).toBe("sees");
        const told = {
          "ignores the text": "ignores-text",
          "answers by the text alone": "ignores-image",
        };
        const expected = Object.entries(told).find(([of]) => of === kind)?.[1];
        if (expected === undefined) expect([kinds, state]).toEqual([[], "sound"]);
        else expect([kinds, state]).toEqual([expect.arrayContaining([expected]), "defect"]);
      }
    },
  );
});
