import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

/** Written by the tools themselves: see README.md there. */
const fixtures = fileURLToPath(new URL("../../../../test/fixtures/foreign", import.meta.url));

async function imported(tool: string, file: string, ...more: readonly string[]) {
  const workingDirectory = await temporaryDirectory();
  const words = ["import", tool, resolve(fixtures, file), "--out", "table.jsonl", ...more];
  const { code, stdout, stderr } = await touchstoneHere(words, { workingDirectory });
  const text = await readFile(join(workingDirectory, "table.jsonl"), "utf8").catch(() => "");
  const rows = text
    .trim()
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const next = /Next: touchstone (.+)/.exec(
    stdout.replaceAll("./bin/touchstone", "touchstone"),
  )?.[1];
  return { code, stderr, stdout, rows, next, workingDirectory };
}

const battleRow = (preferred: string, prompt: string, annotator: string, winner: string) => ({
  a: "painter-a",
  b: "painter-b",
  preferred,
  prompt,
  annotator,
  winner,
});

async function concluded(workingDirectory: string, ...words: readonly string[]) {
  const { code, stdout, stderr } = await touchstoneHere([...words, "--json"], { workingDirectory });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("promptfoo", () => {
  test("an error is unscored, which promptfoo counts 0", async () => {
    const { rows, stdout, stderr } = await imported("promptfoo", "promptfoo-0.123.1.json");
    expect(rows).toHaveLength(8);
    const about = (model: string, prompt: string) =>
      rows.find(
        (row) => row.metric === "clip-score" && row.model === model && row.prompt === prompt,
      );
    expect(about("painter-a", "a red cup")).toMatchObject({
      score: 0.17,
      reason: null,
      input_id: "p2",
    });
    expect(about("painter-b", "a red cup")).toMatchObject({
      score: null,
      reason: "provider-error",
    });
    expect(stdout).toContain("Wrote 8 rows to table.jsonl, 2 of them without an answer.");
    expect(stderr).toContain("promptfoo scores results that ended with an error 0 (1 here)");
  });

  test("is compared", async () => {
    const { workingDirectory } = await imported("promptfoo", "promptfoo-0.123.1.json");
    const found = await concluded(
      workingDirectory,
      "compare",
      "table.jsonl",
      "--metric",
      "clip-score",
    );
    expect(found.models).toMatchObject({
      "painter-a": { n: 2, unscored: 0, mean: { value: 0.21000000000000002 } },
      "painter-b": { n: 1, unscored: 1 },
    });
  });
});

test("promptfoo's results as JSON lines, with their tests' metadata; vars come first", async () => {
  const { rows, workingDirectory } = await imported("promptfoo", "promptfoo-0.123.1.jsonl");
  const of = (model: string, row: object) => ({ model, metric: "length", ...row });
  expect(rows.map(({ id }) => id)).toEqual(["0-0", "0-0", "1-0", "1-0"]);
  const cat = { prompt: "draw a cat", thing: "a cat", human: 4 };
  const none = { prompt: "draw none of it", thing: "none of it", human: 1 };
  expect(rows).toMatchObject([
    of("painter-a", { ...cat, score: 0.25, reason: null }),
    of("painter-b", { ...cat, score: 0.25, reason: null }),
    of("painter-a", { ...none, score: null, reason: "provider-error" }),
    of("painter-b", { ...none, score: null, reason: "provider-error" }),
  ]);
  const compared = ["compare", "table.jsonl", "--metric", "length"];
  const { models } = await concluded(workingDirectory, ...compared);
  expect(models).toMatchObject({ "painter-b": { n: 1, unscored: 1, mean: { value: 0.25 } } });
});

test("promptfoo's version 2, which numbers no tests: models meet in what was asked", async () => {
  const { rows, workingDirectory } = await imported("promptfoo", "promptfoo-0.57.1.json");
  const scores = rows.map(({ id, model, metric, score, reason }) => [
    `${id} ${model} ${metric}`,
    score ?? reason,
  ]);
  expect(Object.fromEntries(scores)).toEqual({
    "0 painter-a clip-score": 0.15,
    "0 painter-a has-image": 1,
    "0 painter-b clip-score": "provider-error",
    "0 painter-b has-image": "provider-error",
    "1 painter-a clip-score": 0.23,
    "1 painter-a has-image": 1,
    "1 painter-b clip-score": 0.23,
    "1 painter-b has-image": 1,
  });
  const of = ["compare", "table.jsonl", "--metric", "clip-score"];
  const { models } = await concluded(workingDirectory, ...of);
  expect(models).toMatchObject({ "painter-a": { n: 2 }, "painter-b": { n: 1, unscored: 1 } });
});

describe.each(["0.3.60", "0.3.285"])("inspect_ai %s", (version) => {
  test("scores of every kind are numbers, and are correlated", async () => {
    const { rows, workingDirectory } = await imported(
      "inspect-ai",
      `inspect-ai-${version}.json`,
      "--wide",
    );
    expect(rows.map(({ id, human, judged, painter }) => [id, human, judged, painter])).toEqual([
      ["s0", 3, 1, "A"],
      ["s1", 1, 0, "B"],
      ["s2", 4, 1, "A"],
      ["s3", 2, 1, "B"],
    ]);
    const found = await concluded(
      workingDirectory,
      "analyze",
      "correlation",
      "table.jsonl",
      "--human",
      "human",
    );
    expect(found.metrics["metrics/vqa"]).toMatchObject({ n: 4, kendallTauB: { value: 1 } });
    expect(found.metrics["metrics/clip"]).toMatchObject({ kendallTauB: { value: 0 } });
  });

  test("painters named in the metadata are compared", async () => {
    const { workingDirectory } = await imported("inspect-ai", `inspect-ai-${version}.eval`);
    const words = ["compare", "table.jsonl", "--metric", "metrics/vqa", "--map", "model=painter"];
    const { models } = await concluded(workingDirectory, ...words);
    expect(models).toMatchObject({
      A: { mean: { value: (0.9 + 0.95) / 2 } },
      B: { mean: { value: 0.4 } },
    });
  });
});

test.each(["1.0.2", "1.14.1"])("evalscope %s: its reviews, not its means", async (version) => {
  const { rows, code } = await imported("evalscope", `evalscope-${version}`);
  expect(code).toBe(0);
  expect(rows.map(({ id, model, metric, score }) => [id, model, metric, score])).toEqual(
    [0, 1, 2].map((at) => [`general_mcq_default-${at}`, "mock-painter", expect.any(String), 0]),
  );
  expect(rows[1].prompt).toContain("Are there two mats?");
  const report = `evalscope-${version}/reports/mock-painter/general_mcq.json`;
  expect(await imported("evalscope", report)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/is a report\s+of means/),
  });
});

test("Label Studio 1.23.2: an answer of each person, a skipped task has none", async () => {
  const file = "label-studio-1.23.2.json";
  const quality = await imported("label-studio", file, "--question", "quality");
  expect(quality.rows.map(({ item, annotator, value }) => [item, annotator, value])).toEqual([
    ...[1, 2, 3].flatMap((at) => [
      [String(at + 5), "1", at],
      [String(at + 5), "2", at + 1],
    ]),
    ["9", "1", 4],
    ["9", "2", null],
  ]);
  const { next = "", workingDirectory } = quality;
  const found = await concluded(workingDirectory, ...next.split(" "));
  expect(found).toMatchObject({ ratings: 7, annotators: 2 });
  const right = await imported("label-studio", file, "--question", "right");
  expect(right.rows.map(({ value }) => value)).toEqual([
    "no",
    "yes",
    "yes",
    "no",
    "no",
    "yes",
    "yes",
    null,
  ]);
  expect(right.next).toBe("analyze agreement table.jsonl --scale nominal");
});

describe("by hand, after the tools' descriptions", () => {
  async function given(tool: string, content: unknown, ...more: readonly string[]) {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, "in.json"), JSON.stringify(content));
    return imported(tool, join(folder, "in.json"), ...more);
  }

  const battle = { model_a: "x", model_b: "y", winner: "model_a" };

  test("battles become preferences; both bad is a tie, nobody's is none", async () => {
    const winners = ["model_a", "model_b", "tie", "tie (bothbad)", null];
    const { rows, next, workingDirectory } = await given(
      "arena",
      winners.map((winner, at) => ({ ...battle, winner, question_id: at })),
    );
    expect(rows.map(({ preferred, prompt }) => [preferred, prompt])).toEqual(
      ["a", "b", "tie", "tie", null].map((preferred, at) => [preferred, String(at)]),
    );
    expect(next).toBe("analyze preferences table.jsonl");
    expect(await concluded(workingDirectory, ...(next ?? "").split(" "))).toMatchObject({
      n: 4,
      ties: 2,
    });
    const unknown = await given("arena", [battle, { ...battle, winner: "model_c" }]);
    expect(unknown).toMatchObject({
      code: 2,
      rows: [],
      stderr: expect.stringContaining('battle 2: winner "model_c"'),
    });
  });

  test("battles as LMArena's own program cleans them: of one prompt by its words", async () => {
    const { rows, next, workingDirectory } = await imported("arena", "arena-fastchat.json");
    expect(rows).toEqual([
      battleRow("a", "Draw a cat on two mats.", "arena_user_userA", "model_a"),
      {
        ...battleRow("b", "Draw a red cup.", "arena_user_userA", "model_b"),
        a: "painter-b",
        b: "painter-a",
      },
      battleRow("tie", "Draw a cat on two mats.", "arena_user_userB", "tie"),
      battleRow("tie", "Draw a red cup.", "arena_user_userB", "tie (bothbad)"),
    ]);
    expect(await concluded(workingDirectory, ...(next ?? "").split(" "))).toMatchObject({ n: 4 });
  });

  test("a run of HEIM: a perturbed instance keeps its own text, and a refused one is unscored", async () => {
    const { rows, stdout } = await imported("heim", "heim-0.5.16");
    const of = (wanted: string) =>
      rows
        .filter(({ metric }) => metric === wanted)
        .map(({ id, prompt, score, reason, perturbation }) => [
          id,
          prompt,
          score ?? reason,
          perturbation,
        ]);
    expect(of("prompt_length")).toEqual([
      ["id0", "A red chair beside a table", 26, ""],
      ["id0", "a red chair beside a table", 26, "lowercase"],
      ["id1", 'a nurse, "smiling"', 18, ""],
      ["id2", "refuse this", "refused", ""],
    ]);
    expect(of("fractal_dimension_loss").at(-1)).toEqual(["id2", "refuse this", "refused", ""]);
    expect(stdout).toContain("Wrote 12 rows to table.jsonl, 3 of them without an answer.");
  });

  test("a run of HEIM: sums over counts, and a stat without a count is unscored", async () => {
    const folder = await temporaryDirectory();
    const stat = (name: string, count: number, sum: number) => ({
      name: { name, split: "test" },
      count,
      sum,
    });
    const files = {
      "run_spec.json": { name: "mscoco", adapter_spec: { model: "openai/dall-e-2" } },
      "scenario_state.json": {
        request_states: [{ instance: { id: "id1", input: { text: "a cat" } } }],
      },
      "per_instance_stats.json": [
        {
          instance_id: "id1",
          stats: [stat("expected_clip_score", 4, 1), stat("image_text_alignment_human", 0, 0)],
        },
      ],
    };
    for (const [name, value] of Object.entries(files)) {
      await writeFile(join(folder, name), JSON.stringify(value));
    }
    const { rows } = await imported("heim", folder);
    expect(rows).toEqual([
      expect.objectContaining({
        prompt: "a cat",
        model: "openai/dall-e-2",
        metric: "expected_clip_score",
        score: 0.25,
      }),
      expect.objectContaining({ score: null, reason: "not-applicable" }),
    ]);
    expect((await imported("heim", join(folder, "run_spec.json"))).stderr).toContain(
      "Expected per_instance_stats.json",
    );
  });

  const annotation = (id: number, completed_by: unknown, ...result: readonly object[]) => ({
    id,
    completed_by,
    result,
  });
  const rating = (value: number) => ({
    from_name: "quality",
    to_name: "image",
    type: "rating",
    value: { rating: value },
  });
  const task = (id: number, ...annotations: readonly object[]) => ({
    id,
    data: { image: `${id}.png` },
    annotations,
  });

  test("answers of Label Studio become agreement; a skipped task has none", async () => {
    const { rows, next, workingDirectory } = await given("label-studio", [
      task(
        1,
        annotation(1, 7, rating(4)),
        annotation(2, { id: 8, email: "b@example.org" }, rating(5)),
      ),
      task(2, annotation(3, 7, rating(2)), { ...annotation(4, 8), was_cancelled: true }),
    ]);
    expect(
      rows.map(({ item, annotator, value, image }) => [item, annotator, value, image]),
    ).toEqual([
      ["1", "7", 4, "1.png"],
      ["1", "b@example.org", 5, "1.png"],
      ["2", "7", 2, "2.png"],
      ["2", "8", null, "2.png"],
    ]);
    expect(next).toBe("analyze agreement table.jsonl --scale ordinal");
    expect(await concluded(workingDirectory, ...(next ?? "").split(" "))).toMatchObject({
      ratings: 3,
    });
  });

  test("of several questions one is named, and regions are refused by name", async () => {
    const box = {
      from_name: "box",
      to_name: "image",
      type: "rectanglelabels",
      value: { x: 1, rectanglelabels: ["cat"] },
    };
    const both = [task(1, annotation(1, 7, rating(4), box))];
    expect(await given("label-studio", both)).toMatchObject({
      code: 2,
      rows: [],
      stderr: expect.stringContaining("Name one: --question quality"),
    });
    expect((await given("label-studio", both, "--question", "quality")).rows).toHaveLength(1);
    expect((await given("label-studio", both, "--question", "box")).stderr).toContain(
      "task 1, annotation 1, box: rectanglelabels",
    );
    expect((await given("label-studio", both, "--question", "boxes")).stderr).toContain(
      "the question boxes",
    );
  });

  test("a file of another kind is refused, by what differs", async () => {
    for (const tool of ["promptfoo", "inspect-ai", "label-studio", "arena", "evalscope"]) {
      const { code, stderr, rows } = await given(tool, { results: 1 });
      expect({ code, rows }).toEqual({ code: 2, rows: [] });
      expect(stderr).toMatch(/is\s+not\s+as\s+that/);
    }
  });
});

/** A file of its own words in a new folder. */
async function written(name: string, value: unknown): Promise<string> {
  const place = join(await temporaryDirectory(), name);
  await mkdir(dirname(place), { recursive: true });
  const lines = Array.isArray(value) ? value.map((one) => JSON.stringify(one)).join("\n") : null;
  await writeFile(place, lines ?? JSON.stringify(value));
  return place;
}

test("promptfoo: a provider with an empty label is called by its id", async () => {
  const result = {
    provider: { id: "painter-a", label: "" },
    prompt: { raw: "a cup" },
    score: 1,
    testIdx: 0,
  };
  const file = await written("r.json", { results: { version: 3, results: [result] } });
  expect((await imported("promptfoo", file)).rows).toMatchObject([{ model: "painter-a" }]);
});

describe("inspect_ai", () => {
  const log = (about: object, sample: object) => ({
    eval: { model: "judge", task: "t", ...about },
    samples: [{ id: "s0", epoch: 1, input: "a cup", ...sample }],
  });

  test("of a log whose only sample ended with an error the scorers are unscored", async () => {
    const error = { error: { message: "time-out" }, scores: {} };
    const scorers = [{ name: "vqa" }, { name: "clip" }];
    const named = await imported("inspect-ai", await written("a.json", log({ scorers }, error)));
    const unscored = { id: "s0", score: null, reason: "provider-error" };
    expect(named.rows).toMatchObject([
      { ...unscored, metric: "vqa" },
      { ...unscored, metric: "clip" },
    ]);
    const unnamed = await imported("inspect-ai", await written("b.json", log({}, error)));
    expect(unnamed.rows).toMatchObject([{ ...unscored, metric: "score" }]);
  });

  test("a log without version and status is read", async () => {
    const file = await written("a.json", log({}, { scores: { vqa: { value: 0.5 } } }));
    expect((await imported("inspect-ai", file)).rows).toMatchObject([
      { metric: "vqa", score: 0.5 },
    ]);
  });
});

test("a suite of HEIM: scenarios keep their instances apart, models meet, splits stay", async () => {
  const folder = await temporaryDirectory();
  const stat = { name: { name: "clip", split: "valid" }, count: 1, sum: 0.5 };
  for (const [scenario, model] of [
    ["mscoco", "a/one"],
    ["mscoco", "b/two"],
    ["parti", "a/one"],
  ]) {
    const run = join(folder, "v1", `${scenario}:model=${model?.replace("/", "_")}`);
    await mkdir(run, { recursive: true });
    const name = `${scenario}:model=${model?.replace("/", "_")},max=1`;
    const files = {
      "run_spec.json": { name, adapter_spec: { model } },
      "per_instance_stats.json": [{ instance_id: "id1", stats: [stat] }],
    };
    for (const [file, value] of Object.entries(files)) {
      await writeFile(join(run, file), JSON.stringify(value));
    }
  }
  const { rows } = await imported("heim", folder);
  expect(rows.map(({ id, model, split }) => [id, model, split])).toEqual([
    ["mscoco:max=1-id1", "a/one", "valid"],
    ["mscoco:max=1-id1", "b/two", "valid"],
    ["parti:max=1-id1", "a/one", "valid"],
  ]);
});

test("evalscope before 1.0: the first choice's result counts, an unreviewed one is unscored", async () => {
  const review = (result: unknown) => ({
    origin_prompt: { data: ["a red cup"] },
    choices: [{ index: 0, review: { gold: "A", pred: "A", result } }],
    reviewed: true,
  });
  const unreviewed = { origin_prompt: { data: ["a dog"] }, choices: [], reviewed: false };
  const lines = [review(1), review(true), review({ "rouge-1": 0.25 }), unreviewed];
  const file = await written("reviews/painter/drawings_default.jsonl", lines);
  const { rows } = await imported("evalscope", file);
  const about = { prompt: "a red cup", model: "painter", reason: null };
  expect(rows).toMatchObject([
    { id: "drawings_default-0", metric: "score", score: 1, ...about },
    { id: "drawings_default-1", metric: "score", score: 1, ...about },
    { id: "drawings_default-2", metric: "rouge-1", score: 0.25, ...about },
    { id: "drawings_default-3", metric: "score", score: null, reason: "provider-error" },
    { id: "drawings_default-3", metric: "rouge-1", score: null, reason: "provider-error" },
  ]);
});

test("GenAI-Arena's votes: left was shown first", async () => {
  const vote = (vote_type: string) => ({
    prompt: "a cat",
    left_model: "one",
    right_model: "two",
    vote_type,
  });
  const words = ["leftvote", "rightvote", "tievote", "bothbad_vote"];
  const { rows } = await imported("arena", await written("votes.jsonl", words.map(vote)));
  expect(rows.map(({ preferred }) => preferred)).toEqual(["a", "b", "tie", "tie"]);
  expect(rows[0]).toMatchObject({ a: "one", b: "two", prompt: "a cat", winner: "leftvote" });
});

describe("lm-eval and lmms-eval", () => {
  test("samples of two models are compared", async () => {
    const { rows, workingDirectory } = await imported("lm-eval", "lm-eval-0.4.13");
    expect(rows).toHaveLength(18);
    expect(rows[0]).toMatchObject({
      id: "t2i_choice-0",
      prompt: "a red cup? Answer:",
      model: "painter-a",
      metric: "acc",
      score: 1,
      level: 1,
      input_prompt: "a red cup",
    });
    const words = ["compare", "table.jsonl", "--metric", "exact_match"];
    const { models } = await concluded(workingDirectory, ...words);
    expect(models["painter-a"]).toMatchObject({ n: 3, mean: { value: 2 / 3 } });
  });

  test("a filter is part of the metric's name; NaN is unscored, a list of sums no score", async () => {
    const sample = { doc_id: 7, filter: "strict-match", metrics: ["em", "nan", "perplexity"] };
    const values = { em: true, perplexity: [-3, 2] };
    const line = JSON.stringify({ ...sample, ...values }).replace("}", ', "nan": NaN}');
    const place = join(await temporaryDirectory(), "samples_gsm_2025-01-02T10-00-00.000001.jsonl");
    await writeFile(place, line);
    expect((await imported("lm-eval", place)).rows).toMatchObject([
      { id: "gsm-7", metric: "em,strict-match", score: 1 },
      { id: "gsm-7", metric: "nan,strict-match", score: null, reason: "unparsable" },
    ]);
  });

  test("lmms-eval: no list of metrics, objects around scores, the newest evaluation counts", async () => {
    const folder = await temporaryDirectory();
    const write = async (date: string, score: number) => {
      const scores = {
        geneval_score: { id: 3, score },
        vie: { semantics: 0.5, quality: 1, note: "x" },
      };
      const about = {
        doc_id: 0,
        target: "",
        input: ["a dog", {}],
        doc_hash: "0",
        token_counts: [null],
      };
      const place = join(folder, "org__painter", `${date}_samples_geneval.jsonl`);
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, `${JSON.stringify({ ...about, ...scores })}\n`);
    };
    await write("20250101_100000", 0);
    await write("20250201_100000", 1);
    const { rows, stderr } = await imported("lmms-eval", folder);
    const about = { id: "geneval-0", prompt: "a dog", model: "org__painter" };
    expect(rows).toMatchObject([
      { ...about, metric: "geneval_score", score: 1 },
      { ...about, metric: "vie/semantics", score: 0.5 },
      { ...about, metric: "vie/quality", score: 1 },
    ]);
    expect(stderr).toContain("1 older file");
  });

  test("results alone hold means, and are refused", async () => {
    const file = await written("results_2025.json", { results: { t: { acc: 0.5 } } });
    expect((await imported("lm-eval", file)).code).toBe(2);
  });
});
