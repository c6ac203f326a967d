import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { imageServer, truthOf } from "../../../../test/support/image-server.js";
import { completion } from "../../../../test/support/misbehaving-server.js";
import { nextCommandsIn } from "../../../../test/support/next-commands.js";
import { pairServer } from "../../../../test/support/pair-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { openedJudge } from "../../../judges/judge-artefact.js";
import { wordsOf } from "../../command-line/shell-words.js";
import { runCommandLine } from "../../main.js";

const model = "openai-compatible:tiny";

/** A folder with labels and pairs, a server that judges them, and a way to give command lines there. */
async function workshop(options: Omit<Parameters<typeof pairServer>[0], "directory">) {
  const directory = await temporaryDirectory();
  const { server, truth } = await pairServer({ directory, ...options });
  const run = async (...words: readonly string[]) => {
    return touchstoneHere(words, {
      variables: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" },
      workingDirectory: directory,
    });
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
/** Captions with their own image against another's, each in both orders. */
const placebos = 12 * 2;

describe("calibrate and judge", () => {
  test("where nothing is left to people, the judge is what there is to look at", async () => {
    const { run } = await workshop({ labels: 24, others: 6 });
    await run(...calibrate, "--target-error", "0.3");
    const { stdout } = await run("judge", "pairs.jsonl", "--threshold", "0.5");
    expect(nextCommandsIn(stdout)).toEqual(["touchstone studio judge.json"]);
  });

  test("with a model of the configuration, each next command works as it is printed", async () => {
    const directory = await temporaryDirectory();
    // After the labels, the placebos and three calls more nothing can be read, so that people have to look.
    const unread = { kind: "reply", json: completion({ text: "I can't say" }) } as const;
    const { server } = await pairServer({
      directory,
      labels: 24,
      others: 6,
      behave: (number) => (number > 75 + placebos ? unread : undefined),
    });
    const own = {
      provider: "openai-compatible",
      model: "tiny",
      baseUrl: server.baseUrl,
      keyVariable: "MY_KEY",
      price: { input: 1, output: 1 },
    };
    // Another entry of the same provider is not taken for it.
    const other = { ...own, model: "other" };
    await writeFile(
      join(directory, "touchstone.config.yaml"),
      JSON.stringify({ models: { other, own } }),
    );
    const run = async (words: readonly string[]) => {
      const environment = fakeEnvironment({
        variables: { MY_KEY: "sk-0123456789abcdef" },
        workingDirectory: directory,
      });
      const code = await runCommandLine(words, environment);
      const { stdout, stderr } = environment.written;
      return { code, stderr, next: nextCommandsIn(stdout)[0] ?? "" };
    };
    expect((await run(["calibrate", "labels.jsonl"])).stderr).toContain("Such as --model other");
    const words = ["calibrate", "labels.jsonl", "--model", "own", "--prompts", "3"];
    const calibrated = await run([...words, "--target-error", "0.3", "--out", "my judge.json"]);
    expect(calibrated).toMatchObject({
      code: 0,
      next: "touchstone judge pairs.csv --judge 'my judge.json' --target-error 0.3",
    });
    expect(calibrated.stderr.replace(/\s+/g, " ")).toContain(
      "pairs.csv, with the columns id, caption, image_a, image_b",
    );
    const lines = (await readFile(join(directory, "pairs.jsonl"), "utf8")).trim().split("\n");
    const cells = (line: string) => {
      const { id, caption, image_a, image_b } = JSON.parse(line);
      return [id, caption, image_a, image_b].join(",");
    };
    const table = ["id,caption,image_a,image_b", ...lines.map(cells)].join("\n");
    await writeFile(join(directory, "pairs.csv"), `${table}\n`);
    const judged = await run(wordsOf(calibrated.next).slice(1));
    expect(judged).toMatchObject({ code: 0 });
    expect(judged.next).toMatch(
      /^touchstone calibrate labels\.jsonl --model own .* --add review\.jsonl --out 'my judge\.json'$/,
    );
    const [first = "", ...review] = (await readFile(join(directory, "review.jsonl"), "utf8"))
      .trim()
      .split("\n");
    const answered = JSON.stringify({ ...JSON.parse(first), preferred: "a" });
    await writeFile(join(directory, "review.jsonl"), [answered, ...review].join("\n"));
    const again = await run(wordsOf(judged.next).slice(1));
    // The table to judge is there by now, and no one need be told to make it.
    expect(again).toMatchObject({ code: 0, next: calibrated.next });
    expect(again.stderr).not.toContain("a table of yours");
    // A judge's answers have no report.
    const { next } = await run(["run", "status", "my judge-answers"]);
    expect(next).toBe("touchstone run verify 'my judge-answers'");
  });

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
    expect(server.received).toHaveLength(45 * 3 + placebos);
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
    expect(server.received.length - asked).toBe(told.calls + placebos);
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

  test("answers from review change nothing but what is known of their pairs, and ask nothing", async () => {
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
    expect(server.received.length).toBe(asked);
    expect(openedJudge(await read("judge.json"), "judge.json").labels.reviewed).toBe(others.length);
  });

  test("a second round of review keeps what people said, and asks nobody the same again", async () => {
    const { run, read, rowsOf, directory, truth } = await workshop({ labels: 12, others: 8 });
    const answer = async (name: string, count: number) => {
      const rows = (await rowsOf(name)).map((row, at) =>
        at < count ? { ...row, preferred: truth.get(String(row.id)) } : row,
      );
      await writeFile(join(directory, name), rows.map((row) => JSON.stringify(row)).join("\n"));
    };
    const ids = async (name: string) => (await rowsOf(name)).map(({ id }) => id);
    const judge = ["judge", "pairs.jsonl", "--threshold", "0.999"];
    await run(...calibrate);
    expect(await run(...judge)).toMatchObject({ code: 0 });
    expect((await rowsOf("review.jsonl")).length).toBeGreaterThan(4);
    await answer("review.jsonl", 3);
    const said = await read("review.jsonl");

    // Before they went back, and after.
    const early = await run(...judge);
    expect(early.stdout).toContain("--add review.jsonl --add review-2.jsonl --out judge.json");
    expect(await run(...calibrate, "--add", "review.jsonl")).toMatchObject({ code: 0 });
    const second = await run(...judge);
    expect(second.code).toBe(0);
    expect(second.stdout).toMatch(/answered before +3 .*review\.jsonl/);
    expect(await read("review.jsonl")).toBe(said);
    const answered = (await ids("review.jsonl")).slice(0, 3);
    for (const id of await ids("review-2.jsonl")) expect(answered).not.toContain(id);

    expect(await run("run", "resume", "results-answers")).toMatchObject({ code: 0 });
    expect(await read("review.jsonl")).toBe(said);

    await answer("review-2.jsonl", 2);
    const [, back = ""] = second.stdout.match(/touchstone (calibrate .*)$/m) ?? [];
    expect(back.match(/--add \S+/g)).toEqual(["--add review.jsonl", "--add review-2.jsonl"]);
    const third = await run(...back.split(" "), "--json");
    expect(third).toMatchObject({ code: 0 });
    expect(JSON.parse(third.stdout).labels).toMatchObject({ n: 17, reviewed: 5 });

    for (const file of ["review.jsonl", "labels.jsonl"]) {
      expect((await run(...judge, "--review", file)).code).toBe(2);
      expect((await run(...judge, "--out", file)).code).toBe(2);
    }
    await run(...calibrate);
    const held = await run(...judge, "--review", "review-2.jsonl");
    expect(held.stderr).toMatch(/without people's answers[\s\S]*review-2\.jsonl/);
    expect(await read("review.jsonl")).toBe(said);
  });

  test("certified once, a judge stays certified whatever review says, and people keep the last word", async () => {
    const { run, read, rowsOf, directory, server, truth } = await workshop({
      labels: 60,
      others: 60,
      errs: 0.4,
    });
    const answer = async (name: string) => {
      // People disagree with the judge wherever they are asked.
      const rows = await rowsOf(name);
      const other = (id: unknown) => (truth.get(String(id)) === "a" ? "b" : "a");
      const lines = rows.map((row) => JSON.stringify({ ...row, preferred: other(row.id) }));
      await writeFile(join(directory, name), lines.join("\n"));
      return new Map(rows.map(({ id }) => [String(id), other(id)]));
    };
    const words = [...calibrate, "--target-error", "0.2", "--json"];
    const first = await run(...words);
    const { certification } = JSON.parse(first.stdout);
    expect(certification.certificate.threshold).not.toBeNull();
    const judge = ["judge", "pairs.jsonl", "--json"];
    // A stricter threshold puts some to people of which the certified one would be sure.
    const said = new Map<string, unknown>();
    let adds: string[] = [];
    for (const [round, threshold] of ["0.97", "0.99", "0.999"].entries()) {
      const decided = await run(...judge, "--threshold", threshold);
      const { reviewFile, review } = JSON.parse(decided.stdout);
      if (round === 0) expect(review).toBeGreaterThan(10);
      for (const [id, one] of await answer(reviewFile)) said.set(id, one);
      adds = [...adds, "--add", reviewFile];
      const asked = server.received.length;
      const again = JSON.parse((await run(...words, ...adds)).stdout);
      expect(again.certification).toEqual(certification);
      expect(again).toMatchObject({ out: "judge.json", labels: { reviewed: said.size } });
      expect(server.received.length).toBe(asked);
    }
    const last = JSON.parse((await run(...judge, "--out", "last.jsonl")).stdout);
    expect(last.answered).toBe(said.size);
    const results = await rowsOf("last.jsonl");
    expect(results.length).toBe(60 - last.review);
    for (const { id, decision, by } of results) {
      const people = said.get(String(id));
      expect({ id, decision, by }).toEqual({
        id,
        decision: people ?? decision,
        by: people === undefined ? "judge" : "people",
      });
    }
    expect(openedJudge(await read("judge.json"), "judge.json").labels.reviewed).toBe(said.size);
  });

  test("a queue that holds all, since nothing is certified, is a draw whose answers decide", async () => {
    const { run, rowsOf, directory, truth } = await workshop({ labels: 20, others: 60, errs: 0.2 });
    const words = [...calibrate, "--target-error", "0.1", "--json"];
    const few = JSON.parse((await run(...words)).stdout);
    expect(few.certification.certificate.threshold).toBeNull();
    await run("judge", "pairs.jsonl");
    const queue = await rowsOf("review.jsonl");
    expect(queue.map(({ drawn }) => drawn)).toEqual(queue.map(() => true));
    const write = (answered: (at: number) => boolean) =>
      writeFile(
        join(directory, "review.jsonl"),
        queue
          .map((row, at) => ({
            ...row,
            preferred: answered(at) ? truth.get(String(row.id)) : null,
          }))
          .map((row) => JSON.stringify(row))
          .join("\n"),
      );
    const add = async () =>
      JSON.parse((await run(...words, "--add", "review.jsonl")).stdout).labels;
    // Who passes over some may pass over what is hard.
    await write((at) => at !== 7);
    expect(await add()).toMatchObject({ n: 79, reviewed: 59, couldDecide: 20 });
    await write((at) => at < 40);
    expect(await add()).toMatchObject({ n: 60, reviewed: 0, couldDecide: 60 });
    await write(() => true);
    const all = JSON.parse((await run(...words, "--add", "review.jsonl")).stdout);
    expect(all.certification.certificate).toMatchObject({ threshold: expect.any(Number), n: 60 });
  });

  test("a certified judge and results are never replaced by others", async () => {
    const { run, read, directory } = await workshop({ labels: 60, others: 12, errs: 0.3 });
    await run(...calibrate, "--target-error", "0.2");
    const [judge, decide] = ["judge.json", ["judge", "pairs.jsonl", "--json"]] as const;
    const certified = await read(judge);
    await run(...decide);
    const results = await read("results.jsonl");
    expect(results).not.toBe("");

    // The same again is no other.
    expect(
      JSON.parse((await run(...calibrate, "--target-error", "0.2", "--json")).stdout).out,
    ).toBe(judge);
    expect(JSON.parse((await run(...decide)).stdout).out).toBe("results.jsonl");

    const other = [...calibrate.slice(0, -1), "2", "--target-error", "0.3", "--run", "other"];
    const second = JSON.parse((await run(...other, "--json")).stdout);
    expect(second.out).toBe("judge-2.json");
    expect(second.warnings.at(-1)).toContain("judge.json is certified and stays");
    expect(await read(judge)).toBe(certified);
    // Given again it replaces what it made itself.
    expect(JSON.parse((await run(...other, "--json")).stdout).out).toBe("judge-2.json");

    const differing = JSON.parse((await run(...decide, "--threshold", "0.999")).stdout);
    expect(differing.out).toBe("results-2.jsonl");
    expect(differing.warnings.at(-1)).toContain("results.jsonl holds other decisions and stays");
    expect(await read("results.jsonl")).toBe(results);
    // More of the same is no replacement.
    await writeFile(join(directory, "results.jsonl"), results.split("\n").slice(1).join("\n"));
    expect(JSON.parse((await run(...decide)).stdout).out).toBe("results.jsonl");
    expect(await read("results.jsonl")).toBe(results);
  });

  test("fits nothing where half of the questions have no answer, and asks them again once that is mended", async () => {
    const labels = 12;
    let isMended = false;
    const { run, read, server } = await workshop({
      labels,
      behave: (call) =>
        isMended || call % 2 === 0
          ? undefined
          : {
              kind: "reply",
              json: completion({ text: "Hard to say.", probabilities: { Hard: 1 } }),
            },
    });
    const halted = await run(...calibrate);
    expect(halted.code).toBe(3);
    expect(halted.stderr).toContain("18 of 36 questions have no answer");
    await expect(read("judge.json")).rejects.toThrow("ENOENT");
    expect(halted.stderr.replace(/\s+/g, " ")).toMatch(/Such as: .*Hard to say/);
    const [, again = ""] =
      halted.stderr.match(/touchstone (calibrate .*--retry-unscored.*)$/m) ?? [];
    expect(again).toContain(`--model ${model}`);
    isMended = true;
    expect(await run(...wordsOf(again))).toMatchObject({ code: 0 });
    expect(server.received).toHaveLength(36 + 18 + placebos);
    expect(JSON.parse(await read("judge.json")).labels.unscored).toBe(0);

    // Whatever the run beside holds, --no-cache asks all anew but its placebos.
    expect(await run(...calibrate, "--no-cache")).toMatchObject({ code: 0 });
    expect(server.received).toHaveLength(2 * 36 + 18 + placebos);
    expect(await run(...calibrate)).toMatchObject({ code: 0 });
    expect(server.received).toHaveLength(2 * 36 + 18 + placebos);

    // Resumed, it asks the rest anew, and nothing that it has asked anew already.
    const other = [...calibrate, "--run", "other", "--no-cache"];
    expect(await run(...other, "--max-calls", "5")).toMatchObject({ code: 3 });
    expect(await run("run", "resume", "other")).toMatchObject({ code: 0 });
    expect(server.received).toHaveLength(3 * 36 + 18 + 2 * placebos);
  });

  test("counts what the server counts where each prompt is asked several times", async () => {
    const { run, server } = await workshop({ labels: 12, others: 5, hasLogProbabilities: false });
    const counted = async (...words: readonly string[]) => {
      const before = server.received.length;
      const result = await run(...words);
      return { ...result, asked: server.received.length - before };
    };
    const words = [...calibrate.slice(0, -1), "2", "--samples", "3"];
    const fitted = await counted(...words);
    expect(fitted).toMatchObject({ code: 0, asked: 12 * 2 * 3 + placebos });
    // And four to see whether it sees.
    expect(fitted.stderr).toContain("about 76 calls");
    const judge = ["judge", "pairs.jsonl", "--threshold", "0.6", "--every-prompt"];
    const judged = await counted(...judge, "--json");
    expect(judged).toMatchObject({ code: 0, asked: 5 * 2 * 3 });
    expect(JSON.parse(judged.stdout)).toMatchObject({ calls: 30, shareOfCalls: 1 });
    const few = await counted(...judge, "--run", "anew", "--no-cache", "--max-calls", "11");
    expect(few).toMatchObject({ code: 3, asked: 7 });
    expect(few.stderr).toContain("about 34 calls");
  });

  test("--images and --map are of the labels; what comes back from review names itself", async () => {
    const { run, rowsOf, directory, truth } = await workshop({ labels: 12, others: 4 });
    const write = (name: string, rows: readonly object[]) =>
      writeFile(join(directory, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    await mkdir(join(directory, "tables"));
    await mkdir(join(directory, "pictures"));
    for (let at = 0; at < 60; at++) {
      await rename(join(directory, `${at}.png`), join(directory, "pictures", `${at}.png`));
    }
    const renamed = ({ caption, ...row }: Record<string, unknown>) => ({ ...row, said: caption });
    for (const name of ["labels.jsonl", "pairs.jsonl"]) {
      await write(join("tables", name), (await rowsOf(name)).map(renamed));
    }
    const places = ["--images", "pictures", "--map", "caption=said"];
    const made = ["calibrate", "tables/labels.jsonl", "--model", model, "--prompts", "3"];
    expect(await run(...made, ...places)).toMatchObject({ code: 0 });
    const judge = ["judge", "tables/pairs.jsonl", ...places, "--threshold", "0.9999"];
    expect(await run(...judge, "--review", "tables/queue.jsonl")).toMatchObject({ code: 0 });
    const queue = await rowsOf("tables/queue.jsonl");
    expect(queue).toHaveLength(4);
    expect(queue[0]?.image_a).toMatch(/^\.\.\/pictures\/\d+\.png$/);
    const answered = queue.map((row) => ({ ...row, preferred: truth.get(String(row.id)) }));
    await write("tables/queue.jsonl", answered.slice(0, 2));
    // A table of one's own is read as the labels are.
    const own = answered.slice(2, 3).map((row: Record<string, unknown>) => ({
      ...renamed(row),
      image_a: String(row.image_a).replace("../pictures/", ""),
    }));
    await write("tables/own.jsonl", own);
    const added = ["--add", "tables/queue.jsonl", "--add", "tables/own.jsonl"];
    const again = await run(...made, ...places, ...added, "--json");
    expect(again).toMatchObject({ code: 0 });
    expect(JSON.parse(again.stdout).labels).toMatchObject({ n: 15, reviewed: 3 });

    // Nobody is asked again what they said in either.
    const decided = await run(...judge, "--review", "tables/next.jsonl", "--json");
    expect(decided).toMatchObject({ code: 0 });
    expect(JSON.parse(decided.stdout)).toMatchObject({ answered: 3, review: 1 });
  });

  test("a calibration that met its limit goes on and saves the same judge", async () => {
    const whole = await workshop({ labels: 12 });
    await whole.run(...calibrate);
    const halting = await workshop({ labels: 12 });
    const halted = await halting.run(...calibrate, "--max-calls", "24");
    expect(halted.code).toBe(3);
    expect(halted.stderr).toContain("touchstone run resume judge-answers");
    expect(halting.server.received).toHaveLength(20);
    const resumed = await halting.run("run", "resume", "judge-answers");
    expect(resumed.code).toBe(0);
    expect(halting.server.received).toHaveLength(12 * 3 + placebos);
    const judge = (text: string) => {
      const { hash, model: asked, ...others } = JSON.parse(text);
      return others;
    };
    expect(judge(await halting.read("judge.json"))).toEqual(judge(await whole.read("judge.json")));
  });

  test("interrupted while the judge is fitted, it says how to go on and asks nothing twice", async () => {
    const { run, directory, server, rowsOf } = await workshop({ labels: 12 });
    const environment = fakeEnvironment({
      variables: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" },
      workingDirectory: directory,
    });
    const { stderr } = environment;
    const write = (text: string) => {
      stderr.write(text);
      if (/^Judging pairs .*: 36 in/.test(text)) environment.interrupt();
    };
    const code = await runCommandLine(calibrate, { ...environment, stderr: { ...stderr, write } });
    expect(code).toBe(130);
    expect(environment.written.stderr).toContain("Stopped while the judge was fitted");
    expect(environment.written.stderr).toContain("touchstone run resume judge-answers");
    await expect(rowsOf("judge.json")).rejects.toThrow("ENOENT");
    expect(await run("run", "resume", "judge-answers")).toMatchObject({ code: 0 });
    expect(server.received).toHaveLength(36 + placebos);
  });

  test("20 labels certify nothing, and it is said what would", async () => {
    const { run } = await workshop({ labels: 20, others: 3 });
    const { code, stdout } = await run(...calibrate);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "20 labels are too few. An error of at most 5 % takes at least 59, all answered right",
    );
    const decided = await run("judge", "pairs.jsonl");
    expect(decided.code).toBe(0);
    expect(decided.stdout).toMatch(/for people +3 +100 %/);
    expect(decided.stderr).toContain("--threshold 0.9");
  });

  test("labels of one caption count as one, and what review shows is idle", async () => {
    const { run, directory, rowsOf, truth, server } = await workshop({ labels: 20, others: 6 });
    const write = (name: string, rows: readonly object[]) =>
      writeFile(join(directory, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const labels = await rowsOf("labels.jsonl");
    await write(
      "labels.jsonl",
      labels.map((row, at) => ({ ...row, caption: `caption ${at % 5}` })),
    );
    const few = await run(...calibrate);
    expect(few.stdout.replace(/\s+/g, " ")).toContain(
      "only 5 of 20 labels could set the threshold (one of each caption), too few.",
    );
    expect(few.stderr.replace(/\s+/g, " ")).toContain(
      "15 labels share their caption with one that could decide",
    );

    const pairs = await rowsOf("pairs.jsonl");
    await write(
      "review.jsonl",
      pairs.map((row, at) => ({
        ...row,
        caption: `caption ${at}`,
        preferred: truth.get(String(row.id)),
      })),
    );
    const forced = [...calibrate, "--fit-labels", "4", "--add", "review.jsonl"];
    const before = server.received.length;
    const told = JSON.parse((await run(...forced, "--json")).stdout);
    // One of five captions fits.
    expect(told.labels).toMatchObject({
      n: 26,
      fitting: 4,
      deciding: 4,
      idle: 18,
      couldDecide: 5,
      reviewed: 6,
      idleReviewed: 6,
    });
    // Nobody is asked about those that do neither.
    expect(server.received.length).toBe(before);
    expect(told.unscored).toEqual({});

    const tied = labels.map((row, at) => ({ ...row, preferred: at < 3 ? "tie" : row.preferred }));
    await write("labels.jsonl", tied);
    const own = ["--run", "tied"];
    expect(await run(...calibrate, ...own)).toMatchObject({ code: 0 });
    expect(server.received.length - before).toBe(17 * 3 + placebos);
    await write(
      "labels.jsonl",
      labels.map((row) => ({ ...row, preferred: "tie" })),
    );
    const useless = await run(...calibrate, ...own);
    expect(useless).toMatchObject({ code: 2 });
    expect(useless.stderr).toContain("all 20 say tie");
  });

  test("what another model answered in the same folder fits nothing", async () => {
    const labels = 8;
    const { run } = await workshop({
      labels,
      behave: (call) =>
        call < labels * 3 || call % 3 > 0
          ? undefined
          : { kind: "reply", json: completion({ text: "Hm." }) },
    });
    expect(await run(...calibrate)).toMatchObject({ code: 0 });
    const [, table, , , ...flags] = calibrate;
    const other = await run(
      ...["calibrate", String(table), "--model", "openai-compatible:other", ...flags, "--json"],
    );
    const { unscored } = JSON.parse(other.stdout);
    expect(Object.values<number>(unscored).reduce((sum, each) => sum + each, 0)).toBe(labels);
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
    const streamed = await run("calibrate", "-", "--model", model);
    expect(streamed).toMatchObject({ code: 2 });
    expect(streamed.stderr).toMatch(/Expected a file for LABELS but received "-"[\s\S]*--add/);
    expect((await run(...calibrate, "--add", "-")).stderr).toContain("Expected a file for --add");
    expect((await run(...calibrate, "--clusters", "4")).stderr).toContain("--embedder");

    await run(...calibrate);
    const changed = (await read("judge.json")).replace('"confidence": 0.95', '"confidence": 0.5');
    await writeFile(join(directory, "changed.json"), changed);
    const refused = await run("judge", "pairs.jsonl", "--judge", "changed.json");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("changed since it was saved");
    const newer = (await read("judge.json")).replace('"version": 3', '"version": 4');
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

describe("questions of yes or no, and ratings", () => {
  const count = 48;
  async function gallery() {
    const directory = await temporaryDirectory();
    const { server } = await imageServer({ directory, images: count });
    const run = async (line: string) => {
      return touchstoneHere(line.split(" "), {
        variables: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" },
        workingDirectory: directory,
      });
    };
    const write = (name: string, lines: readonly string[]) =>
      writeFile(join(directory, name), lines.map((line) => `${line}\n`).join(""));
    const rows = async (name: string): Promise<Record<string, unknown>[]> =>
      (await readFile(join(directory, name), "utf8"))
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const images = Array.from({ length: count }, (_, at) => at);
    return { directory, run, write, rows, images, received: server.received };
  }

  test("a judge of questions is fitted, decides, and hands the rest to people", async () => {
    const { directory, run, write, rows, images, received } = await gallery();
    const question = "Is it good?";
    await write("labels.csv", [
      "image,question,answer",
      ...images.slice(0, 40).map((at) => `${at}.png,${question},${truthOf(at).answer}`),
    ]);
    await write("images.csv", [
      "image,question",
      ...images.slice(40).map((at) => `${at}.png,${question}`),
    ]);
    const calibrated = await run(
      `calibrate labels.csv --model ${model} --prompts 3 --target-error 0.25 --json`,
    );
    expect(calibrated).toMatchObject({ code: 0 });
    const told = JSON.parse(calibrated.stdout);
    expect(told).toMatchObject({ task: "yes-no", scale: null, labels: { n: 40, fitting: 10 } });
    expect(told.calibration.brier.value).toBeLessThan(0.25);
    expect(received).toHaveLength(40 * 3);
    const judge = openedJudge(await readFile(join(directory, "judge.json"), "utf8"), "judge.json");
    expect(judge).toMatchObject({ task: "yes-no", prompts: { length: 3 } });

    const decided = await run("judge images.csv --threshold 0.8");
    expect(decided).toMatchObject({ code: 0 });
    const [results, review] = [await rows("results.jsonl"), await rows("review.jsonl")];
    expect(results.length + review.length).toBe(8);
    for (const { decision, probability, question: asked } of results) {
      expect(decision).toBe(Number(probability) >= 0.5 ? "yes" : "no");
      expect(asked).toBe(question);
    }
    for (const row of review) expect(row).toMatchObject({ answer: null, why: "not sure enough" });
    // What the judge was made with is all in the command that takes answers back.
    expect(decided.stdout).toContain(
      `calibrate labels.csv --model ${model} --prompts 3 --target-error 0.25 --add review.jsonl`,
    );
  });

  test("a judge of ratings says how probable each is, the expected one and an interval", async () => {
    const { run, write, rows, images } = await gallery();
    await write("labels.csv", [
      "image,text,rating",
      ...images.slice(0, 40).map((at) => `${at}.png,caption ${at},${truthOf(at).rating}`),
    ]);
    await write("images.csv", [
      "image,text",
      ...images.slice(40).map((at) => `${at}.png,caption ${at}`),
    ]);
    const calibrated = await run(
      `calibrate labels.csv --model ${model} --pool ordinal-4 --within 1 --prompts 3 --target-error 0.25 --json`,
    );
    expect(calibrated).toMatchObject({ code: 0 });
    const told = JSON.parse(calibrated.stdout);
    expect(told).toMatchObject({ task: "rating", scale: { ratings: 4, within: 1 } });
    expect(told.calibration.withinOne.value).toBeGreaterThanOrEqual(
      told.calibration.accuracy.value,
    );
    expect(told.certification.certificate.threshold).not.toBeNull();
    expect(told.fewerCalls.exact.equal.value).toBe(1);
    expect(told.fewerCalls.approximate).toBeNull();

    const decided = await run("judge images.csv --json");
    expect(decided).toMatchObject({ code: 0 });
    const [results, review] = [await rows("results.jsonl"), await rows("review.jsonl")];
    expect(results.length).toBeGreaterThan(0);
    expect(results.length + review.length).toBe(8);
    for (const row of results) {
      const shares = row.probabilities as number[];
      expect(shares.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
      expect(shares[Number(row.decision) - 1]).toBe(Math.max(...shares));
      const [low = 0, high = 0] = row.interval as number[];
      expect(row.decision).toBeGreaterThanOrEqual(low);
      expect(row.decision).toBeLessThanOrEqual(high);
      const mean = shares.reduce((sum, each, rating) => sum + each * (rating + 1), 0);
      expect(row.expected).toBeCloseTo(mean, 9);
    }
    const approximate = await run("judge images.csv --approximate");
    expect(approximate).toMatchObject({ code: 2 });
    expect(approximate.stderr).toContain("--approximate");
  });

  test("tables and flags of another task are refused", async () => {
    const { run, write, images } = await gallery();
    await write("labels.csv", [
      "image,text,rating",
      ...images.slice(0, 4).map((at) => `${at}.png,caption ${at},${truthOf(at).rating}`),
    ]);
    await write("questions.csv", ["image,question,text,rating", "1.png,Is it good?,x,3"]);
    await write("pairs.csv", ["id,caption,image_a,image_b", "1,x,1.png,2.png"]);
    const calibrate = `calibrate labels.csv --model ${model} --pool ordinal-4 --prompts 1`;
    expect(await run(calibrate)).toMatchObject({ code: 0 });
    await write("beyond.csv", ["image,text,rating", "1.png,x,5"]);
    const refusal = async (line: string) => {
      const { code, stderr } = await run(line);
      expect(code).toBe(2);
      return stderr.replace(/\s+/g, " ");
    };
    expect(await refusal("judge pairs.csv")).toContain(
      "which is of the task rating, but pairs.csv holds pairs",
    );
    expect(await refusal(`${calibrate} --task pair`)).toContain("labels.csv holds images");
    // A task may be called as its pool is, and a pool as its task.
    expect(await refusal(`${calibrate} --task pairwise`)).toContain("which is of the task pair,");
    expect(await refusal(`calibrate labels.csv --model lab:judge --task ordinal`)).toContain(
      "a model that judges ratings for --model",
    );
    expect(await refusal(`calibrate labels.csv --model ${model} --pool pair`)).toContain(
      "but pair is pairwise",
    );
    expect(await refusal(calibrate.replace("labels.csv", "beyond.csv"))).toContain(
      "a whole number from 1 to 4 (another scale: --pool) for rating but received",
    );
    expect(await refusal(`${calibrate} --ties`)).toContain("it is of pairs alone");
    expect(await refusal(`${calibrate} --within 2`)).toContain("Expected at most 1 for --within");
    expect(await refusal(`calibrate labels.csv --model ${model} --pool yes-no`)).toContain(
      "Expected a pool of ordinal",
    );
    expect(await refusal("calibrate labels.csv --model lab:vqa")).toContain("lab:vqa");
    await write("both.csv", ["image,question,text", "1.png,Is it good?,x"]);
    expect(await refusal(`calibrate both.csv --model ${model}`)).toContain("--task yes-no");
    await write("twice.csv", ["image,text,rating", "1.png,x,3", "1.png,x,4"]);
    expect(await refusal(`calibrate twice.csv --model ${model}`)).toContain(
      "stands in line 2 already",
    );
  });
});
