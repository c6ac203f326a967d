import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { temporaryDirectory } from "./support/temporary-directory.js";

const file = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Forty prompts, of which each has a score that the model's offset moves. */
const table = (offset: number) =>
  [
    "model,prompt,score",
    ...Array.from({ length: 40 }, (_, at) => `m,${at},${((at * 7) % 11) / 20 + offset}`),
  ].join("\n");

async function gate(variables: Readonly<Record<string, string>>, folder: string) {
  const path = (name: string) => join(folder, name);
  const { status, stdout, stderr } = spawnSync("bash", [file("action/gate.sh")], {
    cwd: folder,
    encoding: "utf8",
    env: {
      // The command's words are parted at spaces, which the path of a clone may hold.
      PATH: [file("bin"), process.env.PATH].join(delimiter),
      GATE_COMMAND: "touchstone",
      GATE_FOLDER: "out",
      GITHUB_OUTPUT: path("output"),
      GITHUB_STEP_SUMMARY: path("summary"),
      ...variables,
    },
  });
  const text = (name: string) => readFile(path(name), "utf8").catch(() => "");
  const outputs = Object.fromEntries(
    (await text("output"))
      .trim()
      .split("\n")
      .map((line) => line.split("=")),
  );
  const made = await readdir(path("out")).catch(() => []);
  return { status, stdout, stderr, outputs, summary: await text("summary"), made: made.sort() };
}

async function folderWith(now: number) {
  const folder = await temporaryDirectory();
  await writeFile(join(folder, "before.csv"), table(0));
  await writeFile(join(folder, "now.csv"), table(now));
  return folder;
}

describe("the gate of a pull request", () => {
  const whole = ["accepted.json", "comment.md", "report.html"];

  it("passes where nothing became worse", async () => {
    const variables = { GATE_TABLE: "now.csv", GATE_BASELINE: "before.csv" };
    const found = await gate(variables, await folderWith(0));
    expect(found).toMatchObject({ status: 0, made: whole, outputs: { outcome: "passed" } });
    expect(found.summary).toContain("Gate passed");
    expect(found.outputs.comment).toBe("out/comment.md");
  });

  it("fails with exit code 4 where a model became worse, and still writes all", async () => {
    const variables = { GATE_TABLE: "now.csv", GATE_BASELINE: "before.csv" };
    const found = await gate(variables, await folderWith(-0.2));
    expect(found).toMatchObject({ status: 4, made: whole, outputs: { outcome: "missed" } });
    expect(found.summary).toContain("Gate missed");
  });

  it("holds a margin, which an unchanged table passes and a lower one misses", async () => {
    const folder = await folderWith(-0.2);
    const margin = { GATE_BASELINE: "before.csv", GATE_NOT_WORSE: "0.02" };
    expect(await gate({ ...margin, GATE_TABLE: "before.csv" }, folder)).toMatchObject({
      status: 0,
      outputs: { outcome: "passed" },
    });
    const missed = await gate({ ...margin, GATE_TABLE: "now.csv" }, folder);
    expect(missed).toMatchObject({ status: 4, made: whole, outputs: { outcome: "missed" } });
    const noisy = { ...margin, GATE_TABLE: "before.csv", GATE_SELF: "before.csv now.csv" };
    expect(await gate(noisy, folder)).toMatchObject({ status: 0 });
  });

  it("lets no name of a model be a command of the workflow, or a mention in the comment", async () => {
    const folder = await folderWith(0);
    const named = table(0).replaceAll("\nm,", "\n::error::@octocat,");
    await writeFile(join(folder, "now.csv"), named);
    const variables = { GATE_TABLE: "now.csv", GITHUB_ACTIONS: "true" };
    const found = await gate(variables, folder);
    expect(found.status).toBe(0);
    const lines = found.stdout.trimEnd().split("\n");
    const word = /^::stop-commands::([0-9a-f]{32})$/.exec(lines[0] ?? "")?.[1];
    expect(word).toBeDefined();
    expect(lines.at(-1)).toBe(`::${word}::`);
    expect(lines.indexOf(`::${word}::`)).toBe(lines.length - 1);
    expect(found.summary).toContain("@<!-- -->octocat");
    expect(found.summary).not.toContain("@octocat");
    const again = await gate(variables, folder);
    expect(again.stdout.split("\n")[0]).not.toBe(lines[0]);
  });

  it("says that there is no baseline, and fails for it where asked to", async () => {
    const variables = {
      GATE_TABLE: "now.csv",
      GATE_BASELINE: "none.json",
      GATE_FAIL_UNDER: "-0.02",
    };
    const found = await gate(variables, await folderWith(0));
    expect(found).toMatchObject({ status: 0, made: whole, outputs: { outcome: "no-baseline" } });
    expect(found.summary).toContain("`none.json`");
    const strict = { ...variables, GATE_MISSING_BASELINE: "fail" };
    expect(await gate(strict, await folderWith(0))).toMatchObject({ status: 2 });
  });

  it("refuses nothing to compare, and a table that can't be read, by compare's own words", async () => {
    const folder = await folderWith(0);
    expect(await gate({}, folder)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/\btable\b.*\bimages\b/),
    });
    const missing = await gate({ GATE_TABLE: "no.csv" }, folder);
    expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining("no.csv") });
  });

  it("fails for a metric with a defect where asked to, and still compares", async () => {
    const folder = await folderWith(0);
    for (let at = 0; at < 12; at++) {
      const create = { width: 8, height: 8 + at, channels: 3, background: "#345678" } as const;
      await sharp({ create })
        .png()
        .toFile(join(folder, `${at}.png`));
    }
    const rows = Array.from({ length: 12 }, (_, at) => `${at}.png,thing number ${at}`);
    await writeFile(join(folder, "rows.csv"), ["image,text", ...rows].join("\n"));
    // The height of an image, whatever its text is.
    const metric = `export default {
      name: "tall", range: [0, 100], direction: "higher", score: async ({ image }) => image.height,
    };`;
    await writeFile(join(folder, "tall.mjs"), metric);
    const images = {
      GATE_IMAGES: "rows.csv",
      GATE_SCORE_ARGUMENTS: "--metric ./tall.mjs",
      GATE_ARGUMENTS: "--map model=metric --map prompt=text --map score=value",
    };
    const passed = await gate(images, folder);
    expect(passed).toMatchObject({ status: 0, outputs: { outcome: "passed" } });
    const missed = await gate({ ...images, GATE_FAIL_ON: "defect" }, folder);
    expect(missed).toMatchObject({
      status: 4,
      made: [...whole, "scores.jsonl"],
      outputs: { outcome: "missed" },
    });
    expect(missed.summary).toContain("Gate missed");
    const table = await gate({ GATE_TABLE: "now.csv", GATE_FAIL_ON: "defect" }, folder);
    expect(table).toMatchObject({ status: 2, outputs: { outcome: "failed" } });
  });

  it("runs nothing that stands in a name", async () => {
    const folder = await folderWith(0);
    await gate({ GATE_TABLE: "$(touch pwned).csv", GATE_ARGUMENTS: "; touch pwned" }, folder);
    expect(await readdir(folder)).not.toContain("pwned");
  });

  it("hands every input of the action to the script", async () => {
    const schema = z.object({
      inputs: z.record(z.string(), z.unknown()),
      runs: z.object({
        steps: z.tuple([z.object({ env: z.record(z.string(), z.string()) })]).rest(z.unknown()),
      }),
    });
    const action = schema.parse(parse(await readFile(file("action/action.yml"), "utf8")));
    const script = await readFile(file("action/gate.sh"), "utf8");
    const [{ env }] = action.runs.steps;
    const handed = Object.values(env).flatMap((value) => /inputs\.([\w-]+)/.exec(value)?.[1] ?? []);
    const others = ["working-directory", "artifact"];
    expect([...handed, ...others].sort()).toEqual(Object.keys(action.inputs).sort());
    for (const name of Object.keys(env)) expect(script).toContain(name);
  });
});

it("uses others' actions by commit alone", async () => {
  const text = await readFile(file("action/action.yml"), "utf8");
  const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
});
