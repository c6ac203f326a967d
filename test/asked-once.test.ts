import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metricCatalogue } from "../src/metrics/catalogue.js";
import { fittingServer, side } from "./support/fitting-server.js";
import { colouredImage } from "./support/scripted-openai.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

/** A folder with settings whose models all stand on one server. */
async function workplace() {
  const workingDirectory = await temporaryDirectory();
  const server = await fittingServer(workingDirectory);
  const images = Array.from({ length: 6 }, (_, at) => colouredImage(`image ${at}`, 0, side));
  await mkdir(join(workingDirectory, "images"));
  for (const [number, image] of images.entries()) {
    await writeFile(join(workingDirectory, `images/${number}.png`), image);
  }
  return {
    server,
    place: (name: string, text: string) => writeFile(join(workingDirectory, name), text),
    read: (name: string) => readFile(join(workingDirectory, name), "utf8"),
    write: (name: string, rows: readonly object[]) =>
      writeFile(
        join(workingDirectory, name),
        rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
      ),
    /** Runs a command line; returns what it printed, the requests it made, and how many it said it would. */
    async run(line: string) {
      const before = [server.received.length, server.sights.length] as const;
      const { code, stderr, stdout } = await touchstoneHere(line.split(" "), { workingDirectory });
      const requests = [...server.received.slice(before[0]), ...server.sights.slice(before[1])];
      const said = [...stderr.replace(/\s+/g, " ").matchAll(/about ([\d,]+) calls?/g)];
      return {
        code,
        printed: stdout + stderr,
        asked: requests.map(({ path, body }) => `${path} ${JSON.stringify(body)}`),
        forecast: said.reduce((sum, [, calls]) => sum + Number(calls?.replace(/,/g, "")), 0),
      };
    },
  };
}

/** Metrics that no server answers for: the network of ImageReward runs here alone. */
const local = ["image-reward"];
const modelsOf = ({ name, needs }: (typeof metricCatalogue)[number]) =>
  name === "localized-vqa-score"
    ? "vlm,segmenter"
    : needs.includes("ImageEmbedder")
      ? "clip"
      : "vlm";

test.each(
  metricCatalogue
    .filter(({ name }) => !local.includes(name))
    .map((each) => [each.name, each] as const),
)("%s asks nothing twice, and as much as was forecast", async (name, metric) => {
  const { write, run } = await workplace();
  // Texts and images come again, and so does a whole row. Of metrics with a localizer 5 rows are tried.
  const texts = ["a red chair and a blue table", "a green cup and a brown bowl", "a white hat"];
  const rows = Array.from({ length: name === "localized-vqa-score" ? 4 : 11 }, (_, at) => ({
    image: `images/${at % 4}.png`,
    text: texts[at % 3],
  }));
  await write("rows.jsonl", [...rows, ...rows.slice(0, 1)]);
  const line = `score rows.jsonl --metric ${name}=${modelsOf(metric)}`;
  const first = await run(line);
  expect(first.code, first.printed).toBe(0);
  expect(first.asked.length).toBeGreaterThan(0);
  expect(repeated(first.asked)).toEqual([]);
  // A segmenter's calls cost nothing and are in no forecast.
  const forecastable = first.asked.filter((request) => !request.startsWith("/v1/segment"));
  expect(forecastable).toHaveLength(first.forecast);
  const second = await run(line);
  expect(second.asked.filter((request) => !request.startsWith("/v1/segment"))).toEqual([]);
});

const benchmarks: Readonly<Record<string, { place?: Record<string, string>; lines: string[] }>> = {
  prototypicality: {
    lines: [
      "build --run run --prompts 2 --domain animals --drawable-by lab:painter",
      "generate --run run --model painter --samples 2",
      "score run --metric vqa-score=vlm --metric mllm-rating=vlm --metric clip-score=clip --rate-with rater",
    ],
  },
  "attribute-confusion": {
    place: {
      "rooms.yaml": `set: rooms
frames:
  room: "A room with {list}."
descriptions:
  - entities: { sofa: green velvet, lamp: red }
  - entities: { rug: white, table: black }
`,
    },
    lines: [
      "build --benchmark attribute-confusion --run run --descriptions rooms.yaml",
      "generate --run run --model painter --samples 1",
      "score run --metric localized-vqa-score=vlm,segmenter --metric vqa-score=vlm --metric blip-vqa=vlm",
    ],
  },
  preference: {
    lines: ["build --benchmark preference --run run --prompts 3 --style noto --style fluent"],
  },
  stereotypes: {
    place: {
      "audit.yaml":
        "generators: [painter]\njudge: vlm\nrefiner: vlm\nimages: 2\nqueries: queries.yaml\n",
      "queries.yaml": `sets:
  - category: occupational
    language: en
    frame: "a photo of a {term}"
    terms: [nurse, pilot]
`,
    },
    lines: ["audit audit.yaml --run run"],
  },
};

test.each(Object.entries(benchmarks))(
  "the benchmark %s asks nothing twice, and as much as was forecast",
  async (_, { place: files = {}, lines }) => {
    const { place, run } = await workplace();
    for (const [name, text] of Object.entries(files)) await place(name, text);
    const all: string[] = [];
    for (const line of lines) {
      const { code, printed, asked, forecast } = await run(line);
      expect(code, printed).toBe(0);
      const forecastable = asked.filter((request) => !request.startsWith("/v1/segment"));
      expect([line, forecastable.length, printed]).toEqual([line, forecast, printed]);
      all.push(...asked);
    }
    expect(repeated(all)).toEqual([]);
  },
);

const pairsOf = (at: number) => ({
  caption: `a hat, ${at % 3}`,
  image_a: `images/${at % 4}.png`,
  image_b: `images/${4 + (at % 2)}.png`,
});
const judges = {
  pair: (at: number) => ({ ...pairsOf(at), preferred: at % 3 === 0 ? "b" : "a" }),
  "yes-no": (at: number) => ({
    image: `images/${at % 6}.png`,
    question: `Is it ${at % 4}?`,
    answer: at % 3 === 0 ? "no" : "yes",
  }),
  rating: (at: number) => ({
    image: `images/${at % 6}.png`,
    text: `a hat, ${at % 4}`,
    rating: 1 + (at % 5),
  }),
};

test.each(
  Object.entries(judges).flatMap(([task, row]) =>
    [[], ["--samples 3"], ["--embedder clip --clusters 2 --support images"]].map(
      (flags) => [task, flags.join(" "), row] as const,
    ),
  ),
)(
  "calibrating and judging: %s %s asks nothing twice, and as much as was forecast",
  async (_, flags, row) => {
    const { write, read, run } = await workplace();
    const rows = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `i${from + at}`, ...row(from + at) }));
    // Texts and images come again, and so do whole rows by another id.
    await write("labels.jsonl", [...rows(0, 60)]);
    await write(
      "items.jsonl",
      rows(60, 20).map(({ preferred, answer, rating, ...rest }: Record<string, unknown>) => rest),
    );
    const lines = [
      `calibrate labels.jsonl --model vlm --prompts 5 --every-label ${flags}`,
      "judge items.jsonl --threshold 0.7",
    ];
    const all: string[] = [];
    for (const line of lines) {
      const { code, printed, asked, forecast } = await run(line.trim());
      expect(code, printed).toBe(0);
      expect([line, asked.length, printed]).toEqual([line, forecast, printed]);
      all.push(...asked);
    }
    expect(repeated(all)).toEqual([]);
    const { groups } = JSON.parse(await read("judge.json"));
    expect(groups.support).toBe(flags.includes("--support") ? 6 : undefined);
  },
);

/** What stands there more than once. */
const repeated = (asked: readonly string[]) =>
  asked
    .filter((request, at) => asked.indexOf(request) < at)
    .map((request) => request.slice(0, 300));
