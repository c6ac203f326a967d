import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import {
  type Behaviour,
  completion,
  misbehavingServer,
} from "../../../../test/support/misbehaving-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { runCommandLine } from "../../main.js";

const key = "sk-planted-key-0123456789";
const model = "openai-compatible:tiny";
const yes = (probability: number): Behaviour => ({
  kind: "reply",
  json: completion({ probabilities: { Yes: probability, No: 1 - probability } }),
});

const linesOf = async (path: string): Promise<Record<string, unknown>[]> =>
  (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** A folder of images with texts, and a server that answers about each as `behave` says. */
async function folderAndServer(
  texts: readonly string[],
  behave: (question: string) => Behaviour,
  { sees = true } = {},
) {
  const workingDirectory = await temporaryDirectory();
  const create = { width: 4, height: 4, channels: 3, background: "#345678" } as const;
  await sharp({ create }).png().toFile(join(workingDirectory, "a.png"));
  const rows = texts.map((text) => JSON.stringify({ image: "a.png", text }));
  await writeFile(join(workingDirectory, "rows.jsonl"), `${rows.join("\n")}\n`);
  const server = await misbehavingServer({
    sees,
    behave: ({ body }) => behave(JSON.stringify(body.messages?.at(-1)?.content)),
  });
  const variables = {
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: key,
    XDG_CACHE_HOME: join(workingDirectory, "cache"),
  };
  const touchstone = (...words: readonly string[]) =>
    touchstoneHere(words, { variables, workingDirectory });
  return {
    server,
    workingDirectory,
    touchstone,
    score: (...words: readonly string[]) =>
      touchstone("score", "rows.jsonl", "--model", model, ...words),
  };
}

test("vqa-score by a hosted model, its cost unknown where no price is", async () => {
  const { score, server } = await folderAndServer(["a cat", "a dog"], (question) =>
    yes(question.includes("a cat") ? 0.75 : 0.125),
  );
  const { code, stdout } = await score("--metric", "vqa-score", "--json");
  expect(code).toBe(0);
  const { results, spent } = JSON.parse(stdout);
  expect(results.map(({ value }: { value: number }) => value)).toEqual([
    expect.closeTo(0.75, 9),
    expect.closeTo(0.125, 9),
  ]);
  expect(results[0]).toMatchObject({ metric: "vqa-score", model, statistic: "P(yes)" });
  // Four to see whether it sees.
  expect(spent).toEqual({ calls: 4 + 2, cached: 0, cost: null });
  expect(server.received).toHaveLength(2);
});

test.each([
  ['{"rating": 1e999}', "rating: 1e999 is too large"],
  ['{"rating": 3, "rating": 1}', "rating: it stands there twice"],
])("of 20 images one that is answered with %s is unscored, the others stand", async (said, why) => {
  const texts = Array.from({ length: 20 }, (_, at) => `scene ${at}.`);
  const { score } = await folderAndServer(texts, (question) => {
    // Told what is wrong with it, the model says the same again.
    const isWrong = question.includes("scene 7.") || !question.includes("scene ");
    return { kind: "reply", json: completion({ text: isWrong ? said : '{"rating": 3}' }) };
  });
  const { code, stdout } = await score("--metric", "mllm-rating", "--json");
  const { results } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(results.filter(({ value }: { value: unknown }) => value === 3)).toHaveLength(19);
  expect(results[7]).toMatchObject({
    status: "unscored",
    value: null,
    reason: "unparsable",
    detail: expect.stringContaining(why),
  });
});

test("--retry-unscored asks again what could not be read, and no more", async () => {
  let isMended = false;
  const texts = Array.from({ length: 6 }, (_, at) => `scene ${at}.`);
  const said = (text: string, more: object = {}): Behaviour => ({
    kind: "reply",
    json: completion({ text, probabilities: { [text]: 1 }, ...more }),
  });
  // Cut, empty and twice something else.
  const replies = [
    said("Well", { finish_reason: "length" }),
    said(" "),
    said("Maybe"),
    said("Perhaps"),
  ];
  const { score, server } = await folderAndServer(texts, (question) => {
    const broken = replies[texts.findIndex((text) => question.includes(text))];
    return isMended || broken === undefined ? yes(0.5) : broken;
  });
  const words = ["--metric", "vqa-score"];
  const unscored = async (...more: readonly string[]) => {
    const before = server.received.length;
    const { code, stdout } = await score(...words, "--json", ...more);
    return { code, asked: server.received.length - before, unscored: JSON.parse(stdout).unscored };
  };
  // More than half is missing: a script must see it.
  expect(await unscored()).toMatchObject({ code: 3, asked: 6, unscored: 4 });
  const { stderr } = await score(...words);
  expect(stderr).toContain("4 answers could not be read; --retry-unscored");
  expect(stderr).toContain("Such as: ");
  expect(await unscored()).toMatchObject({ asked: 0, unscored: 4 });
  // Asked again in vain they are still there to be asked again.
  expect(await unscored("--retry-unscored")).toMatchObject({ asked: 4, unscored: 4 });
  isMended = true;
  expect(await unscored()).toMatchObject({ asked: 0, unscored: 4 });
  expect(await unscored("--retry-unscored")).toMatchObject({ code: 0, asked: 4, unscored: 0 });
  expect(await unscored("--retry-unscored")).toMatchObject({ asked: 0, unscored: 0 });
});

test("the second time nothing is asked, unless --no-cache says so; prices give a cost", async () => {
  const { score, server, workingDirectory } = await folderAndServer(["a cat"], () => yes(0.5));
  await writeFile(
    join(workingDirectory, "touchstone.config.yaml"),
    `models:\n  priced: { provider: openai-compatible, model: tiny, baseUrl: "${server.baseUrl}", ` +
      "price: { input: 100, output: 100 } }\nscore: { metrics: [vqa-score], models: [priced] }\n",
  );
  const words = ["--metric", "vqa-score", "--json"];
  await score(...words);
  expect(JSON.parse((await score(...words)).stdout).spent).toEqual({
    calls: 0,
    cached: 1,
    cost: 0,
  });
  expect(server.received).toHaveLength(1);
  await score(...words, "--no-cache");
  expect(server.received).toHaveLength(2);
  const { stderr } = await score("--model", "priced", "--no-cache", "--metric", "vqa-score");
  expect(stderr).toContain("Hosted models: $0.0505");
});

test("mllm-rating: JSON that does not fit is mended once, then unscored", async () => {
  const { score, server } = await folderAndServer(["a cat", "a dog"], (content) => {
    // The last turn is the question, or the request to mend the answer to it.
    const isCat = content.includes("a cat");
    const isMending = !isCat && !content.includes("a dog");
    const text = isCat ? '{"rating": 3}' : isMending ? '{"rating": 9}' : "Quite good!";
    return { kind: "reply", json: completion({ text }) };
  });
  const { code, stdout } = await score("--metric", "mllm-rating", "--json");
  expect(code).toBe(3);
  const [cat, dog] = JSON.parse(stdout).results;
  expect(cat).toMatchObject({ metric: "mllm-rating", value: 3 });
  expect(dog).toMatchObject({ status: "unscored", reason: "unparsable" });
  expect(server.received).toHaveLength(3);
  expect(server.received[0]?.body.response_format).toMatchObject({ type: "json_schema" });
});

/** A folder, and a server whose `answerer` answers yes or no alone, and its `rater` rates alone. */
async function twoTasks() {
  const { server, workingDirectory } = await folderAndServer(["a cat", "a dog", "a fox"], () =>
    yes(0.5),
  );
  const rater = await misbehavingServer({
    behave: ({ body }) =>
      JSON.stringify(body).includes("yes or no")
        ? { kind: "raw", status: 400, text: '{"error": "I only rate"}' }
        : { kind: "reply", json: completion({ text: '{"rating": 3}' }) },
  });
  await writeFile(
    join(workingDirectory, "touchstone.config.yaml"),
    `models:\n  answerer: { provider: openai-compatible, model: a, baseUrl: "${server.baseUrl}" }\n` +
      `  rater: { provider: openai-compatible, model: b, baseUrl: "${rater.baseUrl}" }\n`,
  );
  return {
    asked: () => [server.received.length, rater.received.length],
    async score(...words: readonly string[]) {
      return touchstoneHere(["score", "rows.jsonl", ...words], { workingDirectory });
    },
  };
}

test("a metric with a model of its own is asked of that alone", async () => {
  const { score, asked } = await twoTasks();
  const { code, stdout } = await score(
    ...["--metric", "vqa-score=answerer", "--metric", "mllm-rating=rater", "--json"],
  );
  expect([code, ...asked()]).toEqual([0, 3, 3]);
  expect(JSON.parse(stdout)).toMatchObject({ n: 6, unscored: 0 });
});

test("without a metric a model is asked once for each image", async () => {
  const { score, asked } = await twoTasks();
  expect((await score("--model", "answerer")).code).toBe(0);
  expect(asked()).toEqual([3, 0]);
});

test("a metric that scores nothing with a model ends in 3, and what goes on leaves it out", async () => {
  const { score } = await twoTasks();
  const words = ["--metric", "vqa-score", "--model", "answerer", "--model", "rater"];
  const { code, stderr } = await score(...words);
  expect(code).toBe(3);
  const said = stderr.replace(/\s+/g, " ");
  expect(said).toContain("3 of 6 results are unscored: 3 bad-input");
  expect(said).toContain("vqa-score=rater scored none of 3: 3 bad-input");
  const next = "touchstone score rows.jsonl --metric vqa-score=answerer";
  expect(said).toContain(next);
  expect((await score(...next.split(" ").slice(3))).code).toBe(0);
});

test("what is no answer is unscored for its reason, and the rest is scored; where most is none, the exit code is 3", async () => {
  const answers: Readonly<Record<string, Behaviour>> = {
    "a cat": yes(0.75),
    "a lion": { kind: "reply", json: completion({ refusal: "I'd rather not." }) },
    "a fox": { kind: "reply", json: completion({ probabilities: { The: 1 } }) },
    "a hen": { kind: "reply", json: completion({ probabilities: { Yes: 3 } }) },
    "a cow": { kind: "reply", json: completion({}) },
    "a pig": { kind: "raw", status: 400, text: '{"error": "image too small"}' },
  };
  const texts = Object.keys(answers);
  const { score } = await folderAndServer(texts, (question) => {
    const text = texts.find((candidate) => question.includes(candidate)) ?? "";
    return answers[text] ?? yes(0);
  });
  const { code, stdout, stderr } = await score("--metric", "vqa-score", "--json");
  expect(code).toBe(3);
  expect(JSON.parse(stderr).error).toMatchObject({
    message: "5 of 6 results are unscored: 1 refused, 2 unparsable, 1 bad-input, 1 not-applicable",
    hint: expect.stringContaining(
      "Go on: touchstone score rows.jsonl --metric vqa-score=openai-compatible:tiny",
    ),
  });
  const results: readonly { value?: number; reason?: string }[] = JSON.parse(stdout).results;
  expect(results.map(({ value, reason }) => reason ?? value)).toEqual([
    expect.closeTo(0.75, 9),
    "refused",
    "unparsable",
    "unparsable",
    "not-applicable",
    "bad-input",
  ]);
});

test("a wrong key ends the work at once, with what to mend", async () => {
  const refuse = () => ({
    kind: "raw" as const,
    status: 401,
    text: JSON.stringify({ error: { message: `Incorrect API key provided: ${key}` } }),
  });
  const texts = Array(50).fill("a cat");
  const { score, server } = await folderAndServer(texts, refuse, { sees: false });
  const { code, stderr } = await score("--metric", "vqa-score");
  expect(code).toBe(2);
  expect(stderr).toContain("Is the key in OPENAI_API_KEY right");
  // What was in hand: half as many again as the sixteen calls at once.
  expect(server.received.length).toBeLessThanOrEqual(24);
});

test.each(["the same command", "run resume"])(
  "what was answered before the end is not asked again by %s",
  async (how) => {
    let credit = 3;
    const { score, server, touchstone, workingDirectory } = await folderAndServer(
      ["a", "b", "c", "d", "e", "f"],
      () =>
        credit-- > 0 ? yes(0.5) : { kind: "raw", status: 402, text: '{"error": "no credit"}' },
    );
    const words = ["--metric", "vqa-score", "--json"];
    const first = await score(...words);
    expect(first.code).toBe(3);
    expect(first.stderr).toContain("are saved and cost nothing again");
    const before = server.received.length;
    credit = 100;
    const runs = await readdir(join(workingDirectory, ".touchstone"));
    const run = join(".touchstone", runs.find((name) => name.startsWith("score-")) ?? "");
    const second =
      how === "run resume"
        ? await touchstone("run", "resume", run, "--json")
        : await score(...words);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ n: 6, spent: { calls: 3, cached: 0 } });
    expect(server.received.length - before).toBe(3);
  },
);

test("nor what was under way when the end came", async () => {
  const asked: string[] = [];
  let isShut = true;
  const texts = ["a cat", "a dog", "a fox", "a hen", "a cow", "a pig"];
  const { score } = await folderAndServer(texts, (question) => {
    const text = texts.find((candidate) => question.includes(candidate)) ?? "";
    asked.push(text);
    return isShut && text === "a cat" ? { kind: "raw", status: 402, text: "no" } : yes(0.5);
  });
  expect((await score("--metric", "vqa-score")).code).toBe(3);
  isShut = false;
  expect((await score("--metric", "vqa-score")).code).toBe(0);
  const twice = texts.filter((text) => asked.filter((one) => one === text).length > 1);
  expect(twice).toEqual(["a cat"]);
});

test("texts that many images share are embedded once, whatever is forecast and kept", async () => {
  const { workingDirectory } = await folderAndServer(Array(12).fill("a cat"), () => yes(0.5));
  for (let at = 0; at < 12; at++) {
    const create = { width: 4, height: 4, channels: 3, background: { r: at, g: 9, b: 0 } } as const;
    await sharp({ create })
      .png()
      .toFile(join(workingDirectory, `${at}.png`));
  }
  const rows = Array.from({ length: 12 }, (_, at) => ({
    image: `${at}.png`,
    text: `scene ${at % 3}`,
  }));
  const lines = rows.map((row) => JSON.stringify(row)).join("\n");
  await writeFile(join(workingDirectory, "rows.jsonl"), `${lines}\n`);
  const server = await misbehavingServer({
    behave: () => ({ kind: "reply", json: { data: [{ embedding: [1, 2, 3] }] } }),
  });
  await writeFile(
    join(workingDirectory, "touchstone.config.yaml"),
    `models:\n  clip: { provider: openai-embeddings, model: clip, baseUrl: "${server.baseUrl}" }\n` +
      `cache: { directory: kept }\n`,
  );
  const line = ["score", "rows.jsonl", "--metric", "clip-score", "--model", "clip"];
  for (const more of [[], ["--no-cache"]]) {
    const before = server.received.length;
    const { code, stderr } = await touchstoneHere([...line, ...more], { workingDirectory });
    expect(code).toBe(0);
    // 12 images, 3 texts and a grey image.
    expect(server.received.length - before).toBe(16);
    // And to see whether it sees 2 images and 6 texts.
    expect(stderr).toContain("Scoring: about 23 calls");
    expect(stderr).toContain("Placebos of clip-score=clip: about 1 call");
  }
});

test("nor what was answered within a limit", async () => {
  const { score, server } = await folderAndServer(["a", "b", "c", "d"], () => yes(0.5));
  const words = ["--metric", "vqa-score"];
  const first = await score(...words, "--max-calls", "6");
  expect(first.code).toBe(3);
  expect(first.stderr.replace(/\s+/g, " ")).toContain(
    "What was answered is kept and costs nothing again",
  );
  expect((await score(...words, "--max-calls", "4")).code).toBe(0);
  expect(server.received).toHaveLength(4);
  // Nor without a cache: they are in the run.
  const anew = [...words, "--no-cache", "--max-calls"];
  expect((await score(...anew, "6")).code).toBe(3);
  expect((await score(...anew, "6")).code).toBe(0);
  expect(server.received).toHaveLength(4 + 4);
});

test("two servers that call a model alike are two models: in rows, records and files", async () => {
  const { score, server, workingDirectory } = await folderAndServer(["a cat"], () => yes(0.25));
  const other = await misbehavingServer({ behave: () => yes(0.75) });
  await writeFile(
    join(workingDirectory, "touchstone.config.yaml"),
    `models:\n  one: { provider: openai-compatible, model: tiny, baseUrl: "${server.baseUrl}" }\n` +
      `  two: { provider: openai-compatible, model: tiny, baseUrl: "${other.baseUrl}" }\n`,
  );
  const both = ["--model", "one", "--model", "two", "--metric", "vqa-score"];
  const environment = fakeEnvironment({ workingDirectory });
  const touchstone = (words: readonly string[]) => runCommandLine(words, environment);
  expect(await touchstone(["score", "rows.jsonl", ...both, "--out", "scores.jsonl"])).toBe(0);
  const rows = await linesOf(join(workingDirectory, "scores.jsonl"));
  expect(rows).toMatchObject([
    { model, baseUrl: server.baseUrl, value: expect.closeTo(0.25, 9) },
    { model, baseUrl: other.baseUrl, value: expect.closeTo(0.75, 9) },
  ]);
  const shown = await score(...both);
  expect(shown.stdout).toContain(`${model}  ${other.baseUrl}  0.750`);

  const build = ["build", "--run", "run", "--prompts", "1", "--drawable-by", "lab:painter"];
  expect(await touchstone([...build, "--domain", "animals"])).toBe(0);
  expect(await touchstone(["generate", "--run", "run", "--samples", "1"])).toBe(0);
  for (const name of ["one", "two"]) {
    const line = ["score", "run", "--model", name, "--metric", "vqa-score"];
    expect(await touchstone(line)).toBe(0);
  }
  const recipe = JSON.parse(await readFile(join(workingDirectory, "run/run.json"), "utf8"));
  expect(recipe.models.slice(1)).toEqual([
    `${model} at ${server.baseUrl}`,
    `${model} at ${other.baseUrl}`,
  ]);
  const files = (await readdir(join(workingDirectory, "run/records"))).filter((name) =>
    name.includes("vqa-score-openai-compatible-tiny-127-0-0-1-"),
  );
  const scores = await Promise.all(
    files.map((name) => linesOf(join(workingDirectory, "run/records", name))),
  );
  expect(scores).toHaveLength(2);
  const [here = [], there = []] = scores;
  expect(here.length).toBeGreaterThan(0);
  expect(new Set([...here, ...there].map(({ key }) => key)).size).toBe(2 * here.length);
  expect(new Set([...here, ...there].map(({ baseUrl }) => baseUrl))).toEqual(
    new Set([server.baseUrl, other.baseUrl]),
  );
});

test("a planted key stands nowhere in what is printed or written", async () => {
  const { score, workingDirectory } = await folderAndServer(["a cat", "a dog"], (question) =>
    question.includes("cat")
      ? {
          kind: "reply",
          json: completion({ text: key, probabilities: { Yes: 1, [key]: 1e-9 } }),
        }
      : { kind: "raw", status: 400, text: `no such thing: Bearer ${key}` },
  );
  const printed = [
    await score("--metric", "vqa-score", "--out", "scores.jsonl"),
    await score("--metric", "vqa-score", "--debug", "--json"),
  ];
  expect(JSON.stringify(printed)).not.toContain(key);
  const entries = await readdir(workingDirectory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThanOrEqual(4);
  for (const { parentPath, name } of files) {
    expect(await readFile(join(parentPath, name), "latin1")).not.toContain(key);
  }
});

test("who answered in place of the model stands in results and in the summary, cached or not", async () => {
  const { score } = await folderAndServer(["a cat", "a dog"], (question) => {
    const probabilities = { Yes: 0.75, No: 0.25 };
    const by = question.includes("a cat") ? "tiny" : "loaded-one";
    return { kind: "reply", json: completion({ probabilities, model: by }) };
  });
  for (const _ of ["asked", "cached"]) {
    const { code, stdout } = await score("--metric", "vqa-score", "--json");
    expect(code).toBe(0);
    const { results, warnings } = JSON.parse(stdout);
    expect(results[0].details ?? {}).not.toHaveProperty("answeredBy");
    expect(results[1]).toMatchObject({ details: { answeredBy: ["loaded-one"] } });
    expect(warnings.at(-1)).toContain("1 of 2 by loaded-one");
  }
});

test("a model whose answers can't be read is asked about 20 images and those in hand, not about all", async () => {
  const texts = Array.from({ length: 120 }, (_, at) => `scene ${at}`);
  const { score, server } = await folderAndServer(texts, (question) => ({
    kind: "reply",
    json: completion({ text: `I see ${question.length} things`, probabilities: { I: 1 } }),
  }));
  const { code, stderr } = await score("--metric", "vqa-score");
  expect(code).toBe(3);
  expect(stderr).toContain("unparsable");
  expect(server.received.length).toBeGreaterThanOrEqual(20);
  expect(server.received.length).toBeLessThan(60);
});

test("where the answering model changes, each has a mean of its own, also among kept answers", async () => {
  let loaded = "tiny";
  const { score, server, workingDirectory } = await folderAndServer(
    ["a cat", "a dog", "a fox", "a hen"],
    () => {
      const shares = loaded === "tiny" ? { Yes: 0.75, No: 0.25 } : { Yes: 0.25, No: 0.75 };
      return { kind: "reply", json: completion({ probabilities: shares, model: loaded }) };
    },
  );
  const words = ["--metric", "vqa-score"];
  await score(...words, "--max-calls", "6");
  loaded = "other";
  const { code, stdout } = await score(...words, "--json");
  expect([code, server.received.length]).toEqual([0, 4]);
  const { metrics, warnings } = JSON.parse(stdout);
  expect(metrics[0].answerers).toMatchObject([
    { answeredBy: null, n: 2, mean: { value: expect.closeTo(0.75, 9) } },
    { answeredBy: "other", n: 2, mean: { value: expect.closeTo(0.25, 9) } },
  ]);
  expect(warnings[0]).toContain("several models answered");
  const shown = await score(...words);
  expect(shown.stdout).toMatch(/tiny {2,}2 +0 +0\.750/);
  expect(shown.stdout).toMatch(/tiny \(answered by other\) +2 +0 +0\.250/);
  await score(...words, "--out", "scores.html");
  const page = await readFile(join(workingDirectory, "scores.html"), "utf8");
  const rows = page.match(/<tr[^>]*><th scope="row">vqa-score.*?<\/tr>/gs)?.slice(-2) ?? [];
  expect(rows[0]).toMatch(/tiny<.*>2<.*>0\.75/s);
  expect(rows[1]).toMatch(/answered by other.*>2<.*>0\.25/s);
});
