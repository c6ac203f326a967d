import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import {
  careful,
  type Habits,
  knownAnswers,
  type TruthOf,
  takePart,
} from "../../../../packages/lab/src/people/simulated-person.js";
import { makeAuditRun } from "../../../../test/report/audit-run.js";
import { makeConfusionRun } from "../../../../test/report/confusion-run.js";
import { makeSampleRun } from "../../../../test/report/sample-run.js";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { randomFrom } from "../../../core/random.js";
import { studyConfigSchema } from "../../../studies/config/study-schema.js";
import { openStudyFolder } from "../../../studies/home/study-folder.js";
import { studyApp } from "../../../studies/server/study-app.js";
import { StudyService } from "../../../studies/server/study-service.js";
import { runCommandLine } from "../../main.js";

let folder: string;
const samples = new URL("../../../../data/studies/", import.meta.url);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-samples-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(...words: string[]) {
  const environment = fakeEnvironment({ workingDirectory: folder });
  const code = await runCommandLine(words, environment);
  expect(code, environment.written.stderr).toBe(0);
  return environment.written;
}

const json = async (...words: string[]) => JSON.parse((await run(...words, "--json")).stdout);

/** A sample as it is, but open and of fewer items, gone through by simulated people. */
async function taken(
  sample: string,
  {
    from,
    most,
    truthOf,
    people,
  }: {
    readonly from: string;
    readonly most: number;
    readonly truthOf: TruthOf;
    readonly people: readonly Habits[];
  },
): Promise<string> {
  const text = await readFile(new URL(`${sample}.yaml`, samples), "utf8");
  const smaller = text
    .replace("open: false", "open: true")
    .replaceAll(/sample: \d+/g, `sample: ${most}`)
    .replaceAll(/itemsPerParticipant: \d+, ?/g, "");
  await writeFile(join(folder, `${sample}.yaml`), smaller);
  await run("study", "create", `${sample}.yaml`, "--from", from, "--run", sample);
  const home = await openStudyFolder(join(folder, sample));
  const service = await StudyService.open(home);
  const app = studyApp(service, { whoAsks: () => "here" });
  const recognise = knownAnswers(home.study, truthOf);
  for (const [at, habits] of people.entries()) {
    const random = randomFrom(sample, at);
    await takePart((request) => app.fetch(request), { id: `id-${at}`, habits, random, recognise });
  }
  return sample;
}

const some = (count: number, habits: Habits) => Array.from({ length: count }, () => habits);

test("data/study.schema.json is what the schema says (after a change: npx vitest run src/cli/verbs/study -u)", async () => {
  const schema = z.toJSONSchema(studyConfigSchema, { io: "input" });
  const published = `${JSON.stringify(schema, null, 2)}\n`;
  await expect(published).toMatchFileSnapshot("../../../../data/study.schema.json");
});

test("every sample is a study's file, and `example` prints it", async () => {
  const names = (await readdir(samples)).map((name) => name.replace(".yaml", ""));
  expect(names.sort()).toEqual([
    "attribute-protocols",
    "image-ratings",
    "stereotype-experts",
    "stereotype-interviews",
  ]);
  for (const name of names) {
    const { stdout } = await run("example", `study-${name}`);
    expect(stdout).toBe(await readFile(new URL(`${name}.yaml`, samples), "utf8"));
  }
});

test("image ratings: a matrix of kappas, and whether people prefer the right image", async () => {
  await makeSampleRun(join(folder, "triplets"));
  const study = await taken("image-ratings", {
    from: "triplets",
    most: 20,
    truthOf: ({ beside }) => ({ value: beside.side === "correct" ? 4 : 2 }),
    people: some(5, { ...careful, error: 0.05 }),
  });
  await run("study", "export", study, "--table", "agreement", "--out", "a.csv");
  const { pairwise } = await json("analyze", "agreement", "a.csv", "--scale", "ordinal");
  expect(pairwise.quadratic).toHaveLength(5);
  expect(pairwise.quadratic[0][1]).toBeGreaterThan(0.5);
  await run("study", "export", study, "--table", "contrastive", "--out", "c.csv");
  const { metrics } = await json("analyze", "contrastive", "c.csv");
  expect(metrics.people.overall).toMatchObject({ n: 10, failureRate: { value: 0 } });
});

test("attribute protocols: the majority share of both, people's counts by image", async () => {
  await makeConfusionRun(join(folder, "outfits"), { count: 2, painters: ["painter-a"] });
  const study = await taken("attribute-protocols", {
    from: "outfits",
    most: 12,
    truthOf: ({ content }, { settings }) =>
      settings.protocol === "likert"
        ? { value: 4 }
        : { value: content.kind === "reflection" ? "yes" : "no" },
    people: some(3, { ...careful, error: 0.2 }),
  });
  const shares = [];
  for (const [block, scale] of [
    ["likert", "ordinal"],
    ["localized", "nominal"],
  ] as const) {
    await run("study", "export", study, "--table", "agreement", "--block", block, "--out", "b.csv");
    shares.push((await json("analyze", "agreement", "b.csv", "--scale", scale)).majorityShare);
  }
  for (const share of shares) expect(share).toBeGreaterThan(0.5);
  await run("study", "export", study, "--table", "attributes", "--out", "q.csv");
  const { pooled, images } = await json("analyze", "attributes", "q.csv");
  expect(pooled.tp + pooled.fp + pooled.tn + pooled.fn).toBeGreaterThan(20);
  expect(new Set(images.map(({ annotator }: { annotator: string }) => annotator)).size).toBe(3);
  await run(
    "study",
    "export",
    study,
    "--table",
    "correlation",
    "--block",
    "localized",
    "--out",
    "r.csv",
  );
});

test("interviews: themes by query and model, and shares of what was preferred", async () => {
  await makeAuditRun(join(folder, "audit"), { count: 1, images: 2, trials: 1 });
  const study = await taken("stereotype-interviews", {
    from: "audit",
    most: 0,
    truthOf: (item, { settings }) =>
      settings.protocol === "pairwise"
        ? { preferred: "b" }
        : {
            words: `I expect ${String(item.content.query)} outdoors.`,
            comments: Object.fromEntries(
              ["test:painter-a@skew-0.35", "test:painter-b@skew-0.6"].map((model) => [
                model,
                { stereotypes: model.includes("painter-b") ? "All look alike." : "None." },
              ]),
            ),
          },
    people: some(2, { ...careful, error: 0.3 }),
  });
  await run("study", "code", study, "--out", "passages.csv");
  const lines = (await readFile(join(folder, "passages.csv"), "utf8")).trim().split(/\r?\n/);
  expect(lines[0]).toBe("passage,participant,query,images,part,text,codes");
  // Coders don't learn whose images they read about.
  expect(lines.join()).not.toContain("painter");
  // Two coders; one of them misses the first passage that says so.
  const sheetOf = (misses: number) => {
    let missed = 0;
    return lines.map((line, at) => {
      if (at === 0) return line;
      if (line.includes("outdoors")) return `${line}place`;
      if (line.includes("All look alike") && missed++ >= misses) return `${line}sameness`;
      return `${line}-`;
    });
  };
  for (const [coder, misses] of [
    ["anna", 0],
    ["ben", 1],
  ] as const) {
    await writeFile(join(folder, `${coder}.csv`), `${sheetOf(misses).join("\n")}\n`);
  }
  await writeFile(join(folder, "codes.yaml"), "codes:\n  - {code: place}\n  - {code: sameness}\n");
  const coded = await json(
    ...["study", "code", study, "--codebook", "codes.yaml"],
    ...["--collect", "anna.csv,ben.csv", "--out", "themes.csv"],
  );
  expect(coded.coders).toEqual(["anna", "ben"]);
  const [place, sameness] = coded.agreement;
  expect(place).toMatchObject({ code: "place", kappa: 1 });
  expect(sameness.kappa).toBeLessThan(1);
  const alike = coded.themes.filter(({ code }: { code: string }) => code === "sameness");
  expect(alike.every(({ model }: { model: string }) => model.includes("painter-b"))).toBe(true);
  const sum = (member: string) =>
    alike.reduce((total: number, theme: Record<string, number>) => total + (theme[member] ?? 0), 0);
  expect(sum("disputed")).toBe(1);
  expect(sum("passages") + sum("disputed")).toBe(
    lines.filter((line) => line.includes("All look alike")).length,
  );

  await run("study", "export", study, "--table", "preferences", "--out", "p.csv");
  const { pairs, intervals } = await json("analyze", "preferences", "p.csv");
  expect(intervals.clusteredBy).toBe("annotator");
  const { a, b, tie } = pairs[0].shares;
  expect(a.value + b.value + tie.value).toBeCloseTo(1, 12);
  expect(b.value).toBeGreaterThan(0.5);
});

test("experts: the judge's accuracy and kappa by category, in the format of its sheet, too", async () => {
  const study = await taken("stereotype-experts", {
    from: "audit",
    most: 60,
    truthOf: ({ beside }) => ({ present: beside.present === 1, images: [] }),
    people: some(2, { ...careful, error: 0.1 }),
  });
  const { stdout } = await run(
    "study",
    "export",
    study,
    "--table",
    "stereotypes",
    "--out",
    "s.csv",
  );
  const [, experts = ""] = /--experts (\S+)/.exec(stdout) ?? [];
  expect(experts.split(",")).toHaveLength(2);
  const { judge, experts: between } = await json(
    "analyze",
    "stereotypes",
    "s.csv",
    "--experts",
    experts,
  );
  expect(judge.length).toBeGreaterThan(1);
  expect(judge[0]).toMatchObject({ n: expect.any(Number), accuracy: expect.any(Number) });
  expect(between).toBeDefined();
  await run("study", "export", study, "--table", "labels", "--out", "labels.csv");
  await run("study", "page", "audit", "--collect", "labels.csv", "--out", "labelled.csv");
});

test("the commands of data/papers/study-tables.sh give the papers' tables", async () => {
  const commands = new URL("../../../../data/papers/study-tables.sh", import.meta.url);
  const lines = await readFile(commands, "utf8");
  const printed = new Map<string, string>();
  let experts = "";
  for (const line of lines.split("\n").filter((one) => one.startsWith("touchstone "))) {
    const words = line
      .replace("p-abcdefghij,p-bcdefghijk", experts)
      .replace("studies/", "")
      .split(" ");
    const { stdout } = await run(...words.slice(1));
    experts = /--experts (\S+)/.exec(stdout)?.[1] ?? experts;
    printed.set(line, stdout);
  }
  expect(experts.split(",")).toHaveLength(2);
  const said = (start: string) =>
    [...printed].find(([line]) => line.startsWith(`touchstone ${start}`))?.[1];
  expect(said("analyze agreement ratings.csv")).toMatch(/kappa/i);
  expect(said("analyze contrastive")).toMatch(/people/);
  for (const table of ["likert", "localized"]) {
    expect(said(`analyze agreement ${table}.csv`)).toMatch(/majority/i);
  }
  expect(said("analyze attributes")).toMatch(/precision/i);
  expect(said("analyze stereotypes")).toMatch(/The judge beside.*accuracy/s);
  expect(said("analyze preferences")).toMatch(/refined/);
  expect(said("study code studies/stereotype-interviews --codebook")).toMatch(
    /sameness.*painter-b/s,
  );
});
