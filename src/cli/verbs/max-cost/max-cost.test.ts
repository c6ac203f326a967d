import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import {
  type Behaviour,
  completion,
  misbehavingServer,
} from "../../../../test/support/misbehaving-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../main.js";

const yes = {
  kind: "reply",
  json: completion({ probabilities: { Yes: 0.75, No: 0.25 } }),
} as const;

/** Costs a dollar by the price in the settings. */
const embedding = {
  kind: "reply",
  json: { data: [{ embedding: [1, 2] }], usage: { prompt_tokens: 100 } },
} as const;

/**
 * A folder with six images, and a server that answers about them: as `unpriced`, and as `priced` at a
 * price that makes each call cost a dollar.
 */
async function workshop(answer: Behaviour = yes) {
  const directory = await temporaryDirectory();
  const rows = [];
  for (let at = 0; at < 6; at++) {
    const create = { width: 4, height: 4, channels: 3, background: { r: at, g: 7, b: 0 } } as const;
    await sharp({ create })
      .png()
      .toFile(join(directory, `${at}.png`));
    rows.push(JSON.stringify({ image: `${at}.png`, text: "a cat" }));
  }
  await writeFile(join(directory, "rows.jsonl"), `${rows.join("\n")}\n`);
  const picture = await readFile(join(directory, "0.png"), "base64");
  const server = await misbehavingServer({
    behave: ({ path }) =>
      path.endsWith("embeddings")
        ? embedding
        : path.endsWith("images/generations")
          ? { kind: "reply", json: { data: [{ b64_json: picture }] } }
          : answer,
  });
  const at = `baseUrl: "${server.baseUrl}"`;
  const dollar = 1e6 / 101;
  await writeFile(
    join(directory, "touchstone.config.yaml"),
    [
      "models:",
      `  unpriced: { provider: openai-compatible, model: tiny, ${at} }`,
      `  priced: { provider: openai-compatible, model: tiny, ${at}, price: { input: ${dollar}, output: ${dollar} } }`,
      `  clip: { provider: openai-embeddings, model: c, ${at} }`,
      `  priced-clip: { provider: openai-embeddings, model: c, ${at}, pricePerMillionTokens: 10000 }`,
      `  painter: { provider: openai-images, model: p, ${at} }`,
      `  priced-painter: { provider: openai-images, model: p, ${at}, pricePerImage: 0.5 }`,
    ].join("\n"),
  );
  return {
    directory,
    server,
    async run(line: string) {
      const environment = fakeEnvironment({
        variables: { XDG_CACHE_HOME: join(directory, "cache") },
        workingDirectory: directory,
      });
      const code = await runCommandLine(line.split(" "), environment);
      const { stdout, stderr } = environment.written;
      return { code, stdout, stderr: stderr.replace(/\s+/g, " ") };
    },
  };
}

// What a look at the models costs is counted in score-sight.test.ts.
const score = "score rows.jsonl --no-sanity --metric vqa-score --model";

describe("a price that is not known", () => {
  test.each([
    `${score} unpriced`,
    "score rows.jsonl --metric vqa-score=unpriced",
    "score rows.jsonl --metric blip-vqa --model priced --decompose-with unpriced",
  ])("makes --max-cost refuse before the first call: %s", async (line) => {
    const { run, server } = await workshop();
    const { code, stderr } = await run(`${line} --max-cost 5`);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `Expected a known price of openai-compatible:tiny at ${server.baseUrl} for --max-cost but there is none; nothing was asked`,
    );
    expect(stderr).toContain(
      `mine: { provider: openai-compatible, model: "tiny", baseUrl: "${server.baseUrl}", price: { input: 0.15, output: 0.6 } }`,
    );
    expect(stderr).toContain("data/prices.yaml");
    expect(server.received).toHaveLength(0);
  });

  test("of a generator, too, and of the models of an audit and a calibration", async () => {
    const { run, server, directory } = await workshop();
    await writeFile(join(directory, "prompts.csv"), "text\na cat\n");
    const made = await run("generate prompts.csv --out images --model painter --max-cost 5");
    expect([made.code, made.stderr]).toEqual([2, expect.stringContaining("pricePerImage: 0.04")]);
    await writeFile(
      join(directory, "audit.yaml"),
      "generators: [lab:painter-slight]\njudge: unpriced\nimages: 1\n",
    );
    const audited = await run("audit audit.yaml --run run --max-cost 5");
    expect([audited.code, audited.stderr]).toEqual([2, expect.stringContaining("known price")]);
    await writeFile(
      join(directory, "labels.csv"),
      "id,caption,image_a,image_b,preferred\n1,a cat,0.png,1.png,a\n2,a dog,2.png,3.png,b\n",
    );
    const calibrated = await run("calibrate labels.csv --model unpriced --max-cost 5");
    expect([calibrated.code, calibrated.stderr]).toEqual([
      2,
      expect.stringContaining("known price"),
    ]);
    expect(server.received).toHaveLength(0);
  });

  test.each([
    "score rows.jsonl --metric clip-score --model clip",
    "calibrate labels.csv --model priced --embedder clip",
  ])("of an embedder, too: %s", async (line) => {
    const { run, server, directory } = await workshop();
    await writeFile(
      join(directory, "labels.csv"),
      "id,caption,image_a,image_b,preferred\n1,a cat,0.png,1.png,a\n2,a dog,2.png,3.png,b\n",
    );
    const { code, stderr } = await run(`${line} --max-cost 5`);
    expect([code, stderr]).toEqual([2, expect.stringContaining("pricePerMillionTokens: 0.02")]);
    expect(server.received).toHaveLength(0);
  });

  test("is said before the work where nothing limits its cost", async () => {
    const { run } = await workshop();
    const { code, stderr } = await run(`${score} unpriced`);
    expect(code).toBe(0);
    expect(stderr).toContain(
      "Scoring: about 6 calls, at a cost that is not known (no price of openai-compatible:tiny at",
    );
  });

  test("that nobody pays is given as 0", async () => {
    const { run, directory, server } = await workshop();
    const path = join(directory, "touchstone.config.yaml");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace("tiny,", "tiny, price: { input: 0, output: 0 },"));
    expect((await run(`${score} unpriced --max-cost 0`)).code).toBe(0);
    expect(server.received).toHaveLength(6);
  });
});

describe("a price that is known", () => {
  test("tells what is missing before it is asked, and the limit stops at the right call", async () => {
    const { run, server } = await workshop();
    const first = await run(`${score} priced --max-cost 4`);
    // 23 tokens of text, 255 of an image and 16 of an answer at most, for what 101 cost a dollar.
    expect(first.stderr).toMatch(
      /Scoring: about 6 calls, about \$1\d\.\d\d \(prices of touchstone\.config\.yaml\), at most \$4\.00/,
    );
    expect(first.code).toBe(3);
    expect(server.received).toHaveLength(4);
    expect(first.stderr).toContain("Scoring met its limit of $4: 2 of 6 results are unscored");
    expect(first.stderr).toContain("Go on with: touchstone run resume .touchstone/score-");
    const second = await run(`${score} priced --max-cost 9`);
    expect(second.stderr).toContain("Scoring: about 2 calls,");
    expect([second.code, server.received.length]).toEqual([0, 6]);
    const third = await run(`${score} priced`);
    expect(third.stderr).not.toContain("about");
  });

  test("of an image is more than the limit: none is made", async () => {
    const { run, server, directory } = await workshop();
    await writeFile(join(directory, "prompts.csv"), "text\na\n");
    const line = "generate prompts.csv --out images --model priced-painter --max-cost 0.4";
    expect((await run(line)).code).toBe(3);
    expect(server.received).toHaveLength(0);
  });

  test("of images that a table wants: those that are there are not counted", async () => {
    const { run, server, directory } = await workshop();
    await writeFile(join(directory, "prompts.csv"), "text\na\nb\nc\nd\n");
    const line = "generate prompts.csv --out images --model priced-painter";
    const first = await run(`${line} --max-cost 1.2`);
    expect(first.stderr).toContain(
      "Images: about 4 calls, about $2.00 (prices of touchstone.config.yaml), at most $1.20",
    );
    expect([first.code, server.received.length]).toEqual([3, 2]);
    expect(first.stderr).toContain(
      "Go on with it: touchstone generate prompts.csv --model priced-painter",
    );
    const second = await run(line);
    expect(second.stderr).toContain("Images: about 2 calls, about $1.00");
    expect([second.code, server.received.length]).toEqual([0, 4]);
  });

  test("of embeddings that a metric compares", async () => {
    const { run, server } = await workshop();
    const line = "score rows.jsonl --no-sanity --metric clip-score --model priced-clip";
    const first = await run(`${line} --max-cost 4`);
    expect(first.stderr).toMatch(/Scoring: about 7 calls, about \$\S+ .*, at most \$4\.00/);
    // A dollar for the text and for each of two images; a third might have cost two again.
    expect([first.code, server.received.length]).toEqual([3, 3]);
    const second = await run(line);
    expect(second.stderr).toContain("Scoring: about 4 calls,");
    expect([second.code, server.received.length]).toEqual([0, 7]);
  });

  test("of embeddings for a judge: what asking left over, and they are kept", async () => {
    const { run, server, directory } = await workshop();
    const rows = Array.from({ length: 6 }, (_, at) => `${at}.png,Red?,${at % 2 ? "no" : "yes"}`);
    const table = ["image,question,answer", ...rows, ""].join("\n");
    await writeFile(join(directory, "labels.csv"), table);
    const line =
      "calibrate labels.csv --no-sanity --model priced --embedder priced-clip --prompts 2 --every-label";
    const first = await run(`${line} --max-cost 15`);
    expect(first.stderr).toMatch(/Embedding: about 6 calls, about \$\S+ .*, at most \$15\.00/);
    expect(first.stderr).toContain(
      "Embedding met its limit of $15: 3 of 6 images are not embedded Go on with: touchstone run resume judge-answers",
    );
    expect([first.code, server.received.length]).toEqual([3, 15]);
    const second = await run("run resume judge-answers --max-cost 3");
    expect(second.stderr).toContain("Embedding: about 3 calls,");
    expect([second.code, server.received.length]).toEqual([0, 18]);
    const judged = await run("judge labels.csv --judge judge.json --threshold 0.5 --max-cost 0.5");
    expect(judged.stderr).not.toContain("Embedding: about");
    expect(server.received).toHaveLength(18);
  });

  test("of a judge that is calibrated, for every label and prompt", async () => {
    const { run, server, directory } = await workshop();
    const rows = ["0,1", "2,3", "4,5"].map((pair, at) => {
      const [a, b] = pair.split(",");
      return `${at},a cat ${at},${a}.png,${b}.png,a`;
    });
    const table = ["id,caption,image_a,image_b,preferred", ...rows, ""].join("\n");
    await writeFile(join(directory, "labels.csv"), table);
    const line = "calibrate labels.csv --no-sanity --model priced --prompts 4 --every-label";
    const { code, stderr } = await run(`${line} --max-cost 2`);
    expect(stderr).toMatch(/12 to do, about 12 calls, about \$\d+\.\d\d .*, at most \$2\.00/);
    expect([code, server.received.length]).toEqual([3, 2]);
    expect(stderr).toContain("Go on with: touchstone run resume judge-answers");
  });

  test("of a run: what it holds is not counted, and resuming keeps the limit", async () => {
    const { run, server, directory } = await workshop();
    await run("build --run run --prompts 1 --domain animals --drawable-by lab:painter");
    const generate = "generate --run run --model priced-painter --samples 1";
    const first = await run(`${generate} --max-cost 1`);
    expect(first.stderr).toMatch(/4 to do, about 4 calls, about \$2\.00 .*, at most \$1\.00/);
    expect([first.code, server.received.length]).toEqual([3, 2]);
    expect(first.stderr).toContain("touchstone run resume run");
    const second = await run("run resume run --max-cost 0.5");
    expect([second.code, server.received.length]).toEqual([3, 3]);
    const third = await run("run resume run");
    expect(third.stderr).toContain("1 of 4 to do");
    expect([third.code, server.received.length]).toEqual([0, 4]);

    // All images are alike here, so that one reply answers for all.
    const scored = await run(
      "score run --no-sanity --metric vqa-score --model priced --max-cost 3",
    );
    expect(scored.stderr).toMatch(/4 to do, about 1 call, about \$\d+\.\d\d .*, at most \$3\.00/);
    expect([scored.code, server.received.length]).toEqual([0, 5]);
    const configuration = join(directory, "touchstone.config.yaml");
    const text = await readFile(configuration, "utf8");
    await writeFile(configuration, text.replace(/, price: [^}]*\}/, ""));
    // What is finished needs no model, so only who asks anew is refused.
    const finished = await run("run resume run --max-cost 3");
    expect([finished.code, server.received.length]).toEqual([0, 5]);
    const refused = await run("score run --metric vqa-score --model priced --max-cost 3");
    expect([refused.code, server.received.length]).toEqual([2, 5]);
  });
});

test.each<[string, object, number]>([
  // The forecast stands in: some $.9 a call at this price.
  ["a usage that can't be true", { prompt_tokens: 0, completion_tokens: 0 }, 4],
  ["no usage", { prompt_tokens: null }, 4],
  [
    "thought beside the answer",
    { prompt_tokens: 100, completion_tokens: 1, total_tokens: 10_100 },
    1,
  ],
])("holds with %s", async (_, usage, most) => {
  const { run, server } = await workshop({
    kind: "reply",
    json: completion({ probabilities: { Yes: 0.75, No: 0.25 }, usage }),
  });
  const { code } = await run(`${score} priced --max-cost 2.5`);
  expect(code).toBe(3);
  expect(server.received.length).toBeGreaterThan(0);
  expect(server.received.length).toBeLessThanOrEqual(most);
});
