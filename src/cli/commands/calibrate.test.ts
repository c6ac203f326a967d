import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fakeEnvironment } from "../../../test/support/fake-environment.js";
import { pairServer } from "../../../test/support/pair-server.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { openedJudge } from "../../judges/judge-artefact.js";
import { runCommandLine } from "../run-command-line.js";

const model = "openai-compatible:tiny";

/** A folder with labels and pairs, a server that judges them, and a way to give command lines there. */
async function workshop(options: Omit<Parameters<typeof pairServer>[0], "directory">) {
  const directory = await temporaryDirectory();
  const { server, truth } = await pairServer({ directory, ...options });
  const run = async (...words: readonly string[]) => {
    const environment = fakeEnvironment({
      variables: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" },
      workingDirectory: directory,
    });
    const code = await runCommandLine(words, environment);
    return { code, ...environment.written };
  };
  const read = (name: string) => readFile(join(directory, name), "utf8");
  const rowsOf = async (name: string): Promise<Record<string, unknown>[]> =>
    (await read(name))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return { directory, server, truth, run, read, rowsOf };
}

const calibrate = ["calibrate", "labels.jsonl", "--model", model, "--prompts", "3"];

describe("calibrate and judge", () => {
  test("a judge is fitted, certified and saved; it decides what it is sure of and leaves the rest", async () => {
    const { run, read, rowsOf, truth, server } = await workshop({ labels: 45, others: 12 });
    const calibrated = await run(...calibrate, "--target-error", "0.25", "--json");
    expect(calibrated).toMatchObject({ code: 0 });
    const { labels, certification, calibration, fewerCalls } = JSON.parse(calibrated.stdout);
    expect(labels).toMatchObject({ n: 45, fitting: 12, deciding: 33, ties: 0, unscored: 0 });
    expect(calibration.n).toBe(33);
    expect(calibration.accuracy.value).toBeGreaterThan(0.7);
    expect(certification.certificate.threshold).toBeGreaterThanOrEqual(0.5);
    expect(certification.certificate.errorBound).toBeLessThanOrEqual(0.25);
    expect(fewerCalls.exact.equal.value).toBe(1);
    expect(fewerCalls.exact.calls).toBeLessThan(1);
    expect(server.received).toHaveLength(45 * 3);
    const judge = openedJudge(await read("judge.json"), "judge.json");
    expect(judge.weights[0]?.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12);

    const asked = server.received.length;
    const decided = await run("judge", "pairs.jsonl", "--json");
    expect(decided).toMatchObject({ code: 0 });
    const told = JSON.parse(decided.stdout);
    const results = await rowsOf("results.jsonl");
    const review = await rowsOf("review.jsonl");
    expect(results.length + review.length).toBe(12);
    expect(told).toMatchObject({ accepted: results.length, review: review.length });
    expect(server.received.length - asked).toBe(told.calls);
    expect(told.shareOfCalls).toBeLessThan(1);
    for (const { probability, decision } of results) {
      const sure = Math.max(Number(probability), 1 - Number(probability));
      expect(sure).toBeGreaterThanOrEqual(certification.certificate.threshold);
      expect(decision).toBe(Number(probability) >= 0.5 ? "a" : "b");
    }
    const wrong = results.filter(({ id, decision }) => truth.get(String(id)) !== decision);
    expect(wrong.length).toBeLessThanOrEqual(0.4 * results.length);

    const near = await run(
      ...["judge", "pairs.jsonl", "--approximate", "--threshold", "0.8", "--json"],
      ...["--out", "near.jsonl", "--review", "near-review.jsonl"],
    );
    expect(near.code).toBe(0);
    expect(JSON.parse(near.stdout).certificate).toBeNull();

    // The same verdicts as with every prompt asked.
    const whole = await run(
      ...["judge", "pairs.jsonl", "--every-prompt", "--json"],
      ...["--out", "all.jsonl", "--review", "all-review.jsonl"],
    );
    expect(JSON.parse(whole.stdout).shareOfCalls).toBe(1);
    const decisions = (rows: readonly Record<string, unknown>[]) =>
      rows.map(({ id, decision }) => [id, decision]);
    expect(decisions(await rowsOf("all.jsonl"))).toEqual(decisions(results));
  });

  test("answers from review fit, and nothing is asked twice", async () => {
    const { run, read, rowsOf, directory, server, truth } = await workshop({
      labels: 12,
      others: 6,
    });
    await run(...calibrate);
    const judged = await run(
      "judge",
      "pairs.jsonl",
      "--threshold",
      "0.97",
      "--target-error",
      "0.1",
    );
    // What goes on with it asks for the same target.
    expect(judged.stdout).toContain("--target-error 0.1 --add review.jsonl --out judge.json");
    const review = await rowsOf("review.jsonl");
    expect(review.length).toBeGreaterThan(0);
    const [unanswered, ...others] = review.map((row) => ({
      ...row,
      preferred: truth.get(String(row.id)),
    }));
    const lines = [{ ...unanswered, preferred: null }, ...others];
    await writeFile(
      join(directory, "review.jsonl"),
      lines.map((line) => JSON.stringify(line)).join("\n"),
    );
    const asked = server.received.length;
    const again = await run(...calibrate, "--fit-labels", "3", "--add", "review.jsonl", "--json");
    expect(again.code).toBe(0);
    const { labels } = JSON.parse(again.stdout);
    expect(labels).toMatchObject({ n: 12 + others.length, reviewed: others.length, deciding: 9 });
    expect(server.received.length - asked).toBe(3 * others.length);
    expect(openedJudge(await read("judge.json"), "judge.json").labels.reviewed).toBe(others.length);
  });

  test("a calibration that met its limit goes on and saves the same judge", async () => {
    const whole = await workshop({ labels: 12 });
    await whole.run(...calibrate);
    const halting = await workshop({ labels: 12 });
    const halted = await halting.run(...calibrate, "--max-calls", "20");
    expect(halted.code).toBe(3);
    expect(halted.stderr).toContain("touchstone run resume judge-answers");
    expect(halting.server.received).toHaveLength(20);
    const resumed = await halting.run("run", "resume", "judge-answers");
    expect(resumed.code).toBe(0);
    expect(halting.server.received).toHaveLength(12 * 3);
    const judge = (text: string) => {
      const { hash, model: asked, ...others } = JSON.parse(text);
      return others;
    };
    expect(judge(await halting.read("judge.json"))).toEqual(judge(await whole.read("judge.json")));
  });

  test("20 labels certify nothing, and it is said what would", async () => {
    const { run } = await workshop({ labels: 20, others: 3 });
    const { code, stdout } = await run(...calibrate);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "20 labels certify 13.9 % at best; 5 % needs 59 accepted without an error",
    );
    const decided = await run("judge", "pairs.jsonl");
    expect(decided.code).toBe(0);
    expect(decided.stdout).toMatch(/for people +3 +100 %/);
    expect(decided.stderr).toContain("--threshold 0.9");
  });

  test("a model without log-probabilities is told of, and asked by samples", async () => {
    const { run } = await workshop({ labels: 4, hasLogProbabilities: false });
    const { code, stderr } = await run(...calibrate);
    expect(code).toBe(3);
    expect(stderr).toContain("12 not-applicable");
    const sampled = await run(...calibrate, "--samples", "2", "--run", "sampled");
    expect(sampled.code).toBe(0);
  });

  test("bad rows, other models and changed judges are refused", async () => {
    const { run, directory, read } = await workshop({ labels: 4, others: 3 });
    await writeFile(
      join(directory, "bad.jsonl"),
      '{"id": "1", "caption": "x", "image_a": "0.png", "image_b": "none.png", "preferred": "a"}\n' +
        '{"id": "2", "caption": "x", "image_a": "lost.png", "image_b": "1.png", "preferred": "a"}\n',
    );
    const bad = await run("calibrate", "bad.jsonl", "--model", model);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toMatch(/none\.png[\s\S]*lost\.png/);
    expect((await run("calibrate", "labels.jsonl", "--model", "lab:vqa")).code).toBe(2);
    expect((await run(...calibrate, "--clusters", "4")).stderr).toContain("--embedder");

    await run(...calibrate);
    const changed = (await read("judge.json")).replace('"confidence": 0.95', '"confidence": 0.5');
    await writeFile(join(directory, "changed.json"), changed);
    const refused = await run("judge", "pairs.jsonl", "--judge", "changed.json");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("changed since it was saved");
    const newer = (await read("judge.json")).replace('"version": 2', '"version": 3');
    await writeFile(join(directory, "newer.json"), newer);
    expect((await run("judge", "pairs.jsonl", "--judge", "newer.json")).stderr).toContain("newer");
    await writeFile(
      join(directory, "touchstone.config.yaml"),
      "models:\n  other: { provider: openai-compatible, model: other }\n",
    );
    const other = await run("judge", "pairs.jsonl", "--model", "other", "--threshold", "0.9");
    expect(other.stderr).toMatch(/with which the judge was\s+calibrated/);
  });
});
