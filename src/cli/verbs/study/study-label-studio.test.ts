import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { answerStudy } from "../../../../test/support/answer-study.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { openStudyFolder } from "../../../studies/home/study-folder.js";
import { StudyService } from "../../../studies/server/study-service.js";

/** A study of each protocol, and what Label Studio exported of its projects: see README.md there. */
const fixture = fileURLToPath(
  new URL("../../../../test/fixtures/foreign/label-studio-study", import.meta.url),
);

/** The study, as nobody answered it yet. */
async function freshStudy() {
  const workingDirectory = await temporaryDirectory();
  await cp(join(fixture, "study"), join(workingDirectory, "study"), { recursive: true });
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await touchstoneHere(["study", ...words], {
      workingDirectory,
    });
    return { code, stdout, stderr };
  };
  const rows = async (...words: readonly string[]) => {
    const done = await run("export", "study", ...words, "--out", "table.jsonl");
    expect(done).toMatchObject({ code: 0 });
    const text = await readFile(join(workingDirectory, "table.jsonl"), "utf8");
    return text
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
  };
  return { workingDirectory, run, rows };
}

/** Two people with outside ids answer all of it, and the first corrects an answer. */
async function answered(workingDirectory: string) {
  const home = await openStudyFolder(join(workingDirectory, "study"));
  const service = await StudyService.open(home, { clock: () => 1_700_000_000_000 });
  let count = 0;
  const answer = (item: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    count++;
    if ("text" in item) return { value: 1 + (count % 2) };
    if ("question" in item) return { value: ["yes", "no", "cannot-tell"][count % 3] };
    if ("a" in item) {
      const preferred = count % 2 === 0 ? "a" : item.tie === "tie" && count % 3 === 0 ? "tie" : "b";
      return { preferred, ...(item.why === true ? { why: "sharper" } : {}) };
    }
    const images = item.images;
    if (Array.isArray(images)) return { present: count % 2 === 0, images: [images[2], images[0]] };
    return { words: "a nurse", comments: {} };
  };
  const first = await answerStudy(service, { id: "one@prolific", answer });
  await answerStudy(service, { id: "two@prolific", answer });
  const [[assignment, { answers }] = ["", { answers: [] }]] =
    service.state.participants.get(first.participant)?.assignments ?? [];
  const value = answers[0]?.answer?.value === 1 ? 2 : 1;
  const correction = { assignment, answer: { value }, note: "seen again", milliseconds: 1500 };
  await service.answer(first.session, correction);
}

describe.each(["1.13.1", "1.23.2"])("what Label Studio %s exported", (version) => {
  test("becomes answers of a participant from elsewhere, once, in the items' own terms", async () => {
    const { run, rows, workingDirectory } = await freshStudy();
    const words = ["import", "study", join(fixture, version)];
    const first = await run(...words);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain("Took over 15 answers; new participants: 1");
    expect(first.stderr).toContain("Left out this study's own answers: 28.");
    expect((await run(...words)).stdout).toContain("Took over 0 answers; new participants: 0");
    const all = await rows("--table", "all", "--collected", "elsewhere");
    expect(all).toHaveLength(15);
    expect(all.filter(({ skipped }) => skipped === 1)).toHaveLength(4);
    expect(all.map(({ collected }) => collected)).toEqual(Array(15).fill("label-studio"));
    const ofBlock = (block: string) =>
      all.filter((row) => row.block === block && row.skipped === 0);
    expect(ofBlock("likert").map(({ answer_value }) => answer_value)).toEqual([4, 4]);
    expect(ofBlock("rating").map(({ answer_value }) => answer_value)).toEqual([2, 2]);
    expect(ofBlock("rating").map(({ swapped }) => swapped)).toEqual([null, null]);
    // The image on the right was chosen each time.
    expect(
      ofBlock("pairwise-2").map(({ swapped, answer_preferred }) => [swapped, answer_preferred]),
    ).toEqual([
      [0, "b"],
      [1, "a"],
    ]);
    expect(ofBlock("pairwise").map(({ answer_preferred }) => answer_preferred)).toEqual([
      "tie",
      "tie",
    ]);
    expect(ofBlock("rubric")).toMatchObject([{ answer_present: 0, note: "clear" }]);
    // Kept apart: nothing that was served has changed.
    const status = JSON.parse((await run("status", "study", "--json")).stdout);
    expect(status).toMatchObject({
      participants: { consented: 0 },
      elsewhere: { participants: 1, answers: 15 },
    });
    const refused = await run("export", "study", "--table", "agreement", "--out", "x.csv");
    expect(refused.code).toBe(2);
    const text = await everyByte(workingDirectory);
    expect(text).toContain('"source":"label-studio"');
  });

  test("is erased with its annotator's name, and stays so", async () => {
    const { run, workingDirectory } = await freshStudy();
    const words = ["import", "study", join(fixture, version)];
    await run(...words);
    const [file = ""] = await readdir(join(workingDirectory, "study/participants"));
    const participant = file.replace(".jsonl", "");
    expect((await run("erase", "study", "--participant", participant)).code).toBe(0);
    expect(await everyByte(workingDirectory)).not.toMatch(new RegExp(`${participant}|clear`));
    expect((await run(...words)).stderr).toContain("people who were erased: 15");
    expect(await readdir(join(workingDirectory, "study/participants"))).toEqual([]);
  });
});

async function everyByte(workingDirectory: string): Promise<string> {
  const files = await readdir(join(workingDirectory, "study"), {
    recursive: true,
    withFileTypes: true,
  });
  const texts = files
    .filter((one) => one.isFile() && !one.name.endsWith(".webp"))
    .map((one) => readFile(join(one.parentPath, one.name), "utf8"));
  return (await Promise.all(texts)).join("\n");
}

describe("tasks for Label Studio", () => {
  test("hold what participants see, and nothing else", async () => {
    const { run, workingDirectory } = await freshStudy();
    await answered(workingDirectory);
    const done = await run("export", "study", "--label-studio", "out");
    expect(done).toMatchObject({ code: 0 });
    expect(done.stderr).toMatch(/Left out mental-image: Label Studio has no\s+mental-image/);
    const names = (await readdir(join(workingDirectory, "out"))).sort();
    expect(names).toEqual(
      ["likert", "localized", "pairwise-2", "pairwise", "rating", "rubric"]
        .flatMap((name) => [`${name}.json`, `${name}.xml`])
        .sort(),
    );
    for (const name of names) {
      const text = await readFile(join(workingDirectory, "out", name), "utf8");
      expect(text).not.toMatch(/prolific|secret-model|\d\.png|model_|"(id|item)":"[ipqu]\d"/);
    }
    const config = await readFile(join(workingDirectory, "out/rating.xml"), "utf8");
    expect(config).toContain('<Choice value="Fully" alias="2"/>');
    await run("export", "study", "--label-studio", "named", "--images", "https://host/i/");
    const tasks = JSON.parse(await readFile(join(workingDirectory, "named/rating.json"), "utf8"));
    const { image } = tasks[0].data;
    expect(image).toMatch(/^https:\/\/host\/i\/[0-9a-f]{64}\.webp$/);
    expect(await readdir(join(workingDirectory, "named/images"))).toContain(
      image.replace("https://host/i/", ""),
    );
  });

  test("give the same answers back, whatever the side they were shown on", async () => {
    const { run, rows, workingDirectory } = await freshStudy();
    await answered(workingDirectory);
    await run("export", "study", "--label-studio", "out");
    await mkdir(join(workingDirectory, "back"));
    for (const name of await readdir(join(workingDirectory, "out"))) {
      if (!name.endsWith(".json")) continue;
      const text = await readFile(join(workingDirectory, "out", name), "utf8");
      const tasks: Task[] = JSON.parse(text);
      const back = tasks.map(({ data, annotations = [] }, task) => ({
        id: task,
        data,
        annotations: annotations.map(({ result, ...others }, at) => ({
          ...others,
          id: at,
          completed_by: { email: `${result[0]?.meta.participant}@lab` },
          result: result.map(({ meta: _, ...one }) => one),
        })),
      }));
      await writeFile(join(workingDirectory, "back", name), JSON.stringify(back));
    }
    expect((await run("import", "study", "back")).stdout).toContain("new participants: 2");
    const told = (all: readonly Record<string, unknown>[]) =>
      all
        .filter(({ block, corrected }) => block !== "mental-image" && corrected === 0)
        .map(
          (row) =>
            `${row.block} ${row.item}: ${row.answer_value ?? row.answer_preferred ?? row.answer_present} ` +
            `${row.answer_why} ${row.answer_images} ${row.note} ${row.milliseconds}`,
        )
        .sort();
    const there = told(await rows("--table", "all", "--collected", "elsewhere"));
    expect(there).toEqual(told(await rows("--table", "all")));
    expect(there).toHaveLength(30);
    expect(there.join()).toMatch(/tie sharper/);
  });
});

interface Task {
  readonly data: object;
  readonly annotations?: readonly {
    readonly result: readonly { readonly meta: { readonly participant: string } }[];
  }[];
}

test("what is not understood is listed, and nothing is taken over", async () => {
  const { run, workingDirectory } = await freshStudy();
  await run("export", "study", "--label-studio", "out", "--block", "rating");
  const text = await readFile(join(workingDirectory, "out/rating.json"), "utf8");
  const [task]: [Task] = JSON.parse(text);
  const tried = async (result: readonly object[], data: object = {}) => {
    const annotations = [{ id: 5, completed_by: 1, result }];
    const whole = [{ id: 9, data: { ...task.data, ...data }, annotations }];
    await writeFile(join(workingDirectory, "in.json"), JSON.stringify(whole));
    const { code, stderr } = await run("import", "study", "in.json");
    expect(code).toBe(2);
    expect(await readdir(join(workingDirectory, "study"))).not.toContain("participants");
    return stderr.replace(/\s+/g, " ");
  };
  const choice = (value: string) => ({
    from_name: "value",
    type: "choices",
    value: { choices: [value] },
  });
  expect(await tried([choice("7")])).toContain("annotation 5: value expected one of 1, 2");
  const box = { from_name: "box", type: "rectanglelabels", value: { x: 1 } };
  expect(await tried([choice("1"), box])).toContain("box: not among value, note (rectanglelabels");
  expect(await tried([{ ...box, from_name: "value" }])).toContain("value: rectanglelabels");
  const note = { from_name: "note", type: "textarea", value: { text: ["no answer"] } };
  expect(await tried([note])).toContain("annotation 5: value");
  expect(await tried([choice("1")], { study: "another" })).toContain("none of this study");
  await writeFile(join(workingDirectory, "in.json"), '[{"value": 1}]');
  const other = await run("import", "study", "in.json");
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("Label Studio (JSON)") });
  expect(await run("export", "study")).toMatchObject({ code: 2 });
  expect(await run("export", "study", "--label-studio", "x", "--table", "all")).toMatchObject({
    code: 2,
  });
});

test("all answers have all there is of them, but no outside id", async () => {
  const { rows, workingDirectory } = await freshStudy();
  await answered(workingDirectory);
  const all = await rows("--table", "all");
  expect(all).toHaveLength(33);
  expect(JSON.stringify(all)).not.toContain("prolific");
  const [before, after] = all.filter(({ item, block, participant }) => {
    const [corrected] = all.filter((row) => row.corrected === 1);
    return (
      item === corrected?.item &&
      block === corrected?.block &&
      participant === corrected?.participant
    );
  });
  expect(before).toMatchObject({ attempt: 1, corrected: 1, note: null });
  expect(after).toMatchObject({
    attempt: 2,
    corrected: 0,
    skipped: 0,
    protocol: "rating",
    kind: "item",
    answer_value: before?.answer_value === 1 ? 2 : 1,
    note: "seen again",
    milliseconds: 1500,
    answered_at: "2023-11-14T22:13:20.000Z",
    excluded: 0,
    beside_model: "secret-model",
    background_age: null,
  });
  expect(await rows("--table", "participants")).toMatchObject([
    { collected: "served", answers: 16, skipped: 0, excluded: 0, background_age: null },
    { collected: "served", answers: 16 },
  ]);
});
