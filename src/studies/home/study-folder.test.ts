import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { InputError } from "../../core/errors.js";
import { nobody, temporaryPath } from "../../files/atomic.js";
import { studyConfigSchema } from "../config/study-schema.js";
import { askServer } from "../server/served-study.js";
import { collect } from "../tables/counted-answers.js";
import type { ParticipantEvent } from "./participant-event.js";
import { readState } from "./read-state.js";
import type { OutsideId } from "./study-change.js";
import { createStudyFolder, openStudyFolder } from "./study-folder.js";
import type { StudyHome } from "./study-home.js";

const settings = studyConfigSchema.parse({
  title: "Ratings",
  consent: "I agree",
  blocks: [{ protocol: "rating", from: "items.csv" }],
});

const items = ["one", "two", "three"].map((id) => ({
  id,
  images: [],
  sources: [],
  content: { text: id },
  beside: {},
}));

async function newStudy(): Promise<string> {
  const directory = join(await temporaryDirectory(), "study");
  const [block] = settings.blocks;
  if (block === undefined) throw new Error("There is no block");
  await createStudyFolder(directory, {
    id: "1",
    settings,
    consent: { version: "v", text: "I agree" },
    blocks: [{ name: "rating", settings: block, items, gold: [] }],
  });
  return directory;
}

const consent: ParticipantEvent = {
  event: "consent",
  at: 1,
  version: "v",
  ordinal: 0,
  proof: "f".repeat(64),
};

const answer = (item: string, value: number, attempt = 1): ParticipantEvent => ({
  event: "answer",
  at: 2,
  assignment: `of-${item}`,
  block: "rating",
  item,
  kind: "item",
  swapped: false,
  protocol: "rating",
  attempt,
  answer: { value },
  given: { value },
});

const id = "p-abcdefghij";

const admit = (
  home: StudyHome,
  events: readonly ParticipantEvent[],
  outside?: OutsideId,
  participant = id,
) =>
  home.turn(0, () => [{ change: "admitted", participant: { id: participant, events, outside } }]);

const append = (home: StudyHome, event: ParticipantEvent, participant = id) =>
  home.turn(1, () => [{ change: "event", participant, event }]);

test("a file cut off at any byte holds what was acknowledged before, and goes on from there", async () => {
  const directory = await newStudy();
  const home = await openStudyFolder(directory);
  await admit(home, [consent], { source: "prolific", id: "worker" });
  const file = join(directory, "participants", `${id}.jsonl`);
  const ends = [(await readFile(file)).length];
  for (const item of ["one", "two"]) {
    await append(home, answer(item, 4));
    ends.push((await readFile(file)).length);
  }
  const whole = await readFile(file);
  expect(whole.length).toBe(ends[2]);
  for (let length = 0; length <= whole.length; length++) {
    await writeFile(file, whole.subarray(0, length));
    const opened = await openStudyFolder(directory);
    const acknowledged = ends.filter((end) => end <= length).length - 1;
    // A whole line without its end was written and not acknowledged: it may count or not.
    const unended = ends.some((end) => end - 1 === length) ? 1 : 0;
    const found = (await collect(opened)).answers.length;
    expect(found - Math.max(0, acknowledged), `${length} bytes`).toBeLessThanOrEqual(unended);
    expect(found, `${length} bytes`).toBeGreaterThanOrEqual(Math.max(0, acknowledged));
    if (acknowledged < 0) continue;
    await append(opened, answer("three", 1));
    const { answers } = await collect(await openStudyFolder(directory));
    expect(answers.map(({ item }) => item.id).sort()).toEqual(
      ["one", "two"].slice(0, acknowledged).concat("three").sort(),
    );
  }
});

test("of several answers the latest counts; many at once are all there", async () => {
  const directory = await newStudy();
  const home = await openStudyFolder(directory);
  await admit(home, [consent]);
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => append(home, answer("one", (at % 4) + 1, at + 1))),
  );
  const text = await readFile(join(directory, "participants", `${id}.jsonl`), "utf8");
  expect(text.trim().split("\n")).toHaveLength(51);
  const { answers } = await collect(await openStudyFolder(directory));
  expect(answers.map((one) => one.answer)).toEqual([{ value: 2 }]);
});

test("drafts lie beside the answers, and nothing of them outlives whose they were", async () => {
  const directory = await newStudy();
  const home = await openStudyFolder(directory);
  await admit(home, [consent]);
  const drafts = { "of-one": { answer: { words: "a nurse in white" }, step: 1 } };
  await home.turn(1, () => [{ change: "drafts", participant: id, drafts }]);
  expect((await readState(home)).participants.get(id)?.drafts).toEqual(drafts);
  // Left by a server that was killed while it wrote one.
  const files = join(directory, "drafts");
  await writeFile(join(files, "p-zzzzzzzzzz.json"), JSON.stringify(drafts));
  const who = { owner: nobody, by: { process: 2 ** 30, began: undefined } };
  await writeFile(await temporaryPath(join(files, `${id}.json`), who), "a nurse");
  await home.mend(await readState(home));
  expect((await readdir(files)).filter((name) => name.includes("zzz"))).toEqual([]);
  const removal = { at: 9, reason: "erased", proofs: ["f".repeat(64)] } as const;
  await home.turn(1, () => [{ change: "removed", removal, participant: id }]);
  expect(await readdir(files)).toEqual([]);
});

test("an outside id whose participant was never admitted is removed; erasing leaves a line", async () => {
  const directory = await newStudy();
  await mkdir(join(directory, "outside-ids"));
  await writeFile(
    join(directory, "outside-ids", "p-zzzzzzzzzz.json"),
    '{"source":"x","id":"lost"}\n',
  );
  const home = await openStudyFolder(directory);
  await admit(home, [consent], { source: "prolific", id: "worker" });
  await home.mend(await readState(home));
  expect(await readdir(join(directory, "outside-ids"))).toEqual([`${id}.json`]);
  const removal = { at: 9, reason: "erased", proofs: ["f".repeat(64)] } as const;
  await home.turn(1, () => [{ change: "removed", removal, participant: id }]);
  expect(await readdir(join(directory, "outside-ids"))).toEqual([]);
  expect(await readdir(join(directory, "participants"))).toEqual([]);
  expect((await readState(home)).removals).toEqual([
    { at: 9, reason: "erased", proofs: ["f".repeat(64)] },
  ]);
});

test("a study that was edited after it was frozen is refused by the file's name", async () => {
  for (const [name, from, to] of [
    ["items/01-rating.jsonl", '"text":"two"', '"text":"too"'],
    ["study.json", '"title": "Ratings"', '"title": "Other"'],
  ] as const) {
    const directory = await newStudy();
    const text = await readFile(join(directory, name), "utf8");
    await writeFile(join(directory, name), text.replace(from, to));
    await expect(openStudyFolder(directory)).rejects.toThrow(
      `Expected ${join(directory, name)} as study create froze it but it was changed`,
    );
  }
});

test("a name that is no participant's opens no file", async () => {
  const home = await openStudyFolder(await newStudy());
  await expect(append(home, consent, "../../outside")).rejects.toThrow(/Expected a participant/);
});

test("who comes again by the same outside id goes on with what is left and is one person", async () => {
  const directory = await newStudy();
  const home = await openStudyFolder(directory);
  const again = "p-bbbbbbbbbb";
  const outside = { source: "x", id: "w" };
  await admit(home, [consent, answer("one", 4)], outside);
  const second = { ...consent, at: 5, proof: "e".repeat(64), sameAs: id };
  await admit(home, [second, answer("two", 3)], outside, again);
  const { state, answers } = await collect(await openStudyFolder(directory));
  expect(state.people).toBe(1);
  expect(answers.map(({ participant }) => participant)).toEqual([id, id]);
  const participant = state.participants.get(again);
  if (participant === undefined) throw new Error("The second session is gone");
  const { done } = state.participationOf(participant);
  expect(done.map(({ item }) => item).sort()).toEqual(["one", "two"]);
  expect([...participant.assignments.keys()]).toEqual(["of-two"]);
});

test("whoever erased the first of two sessions is known by the outside id until the second is erased, too", async () => {
  const state = await readState(await openStudyFolder(await newStudy()));
  const outside = { source: "x", id: "w" };
  const again = "p-bbbbbbbbbb";
  const proofs = { [id]: "f".repeat(64), [again]: "e".repeat(64) };
  for (const [participant, proof] of Object.entries(proofs)) {
    const event = { ...consent, proof, ...(participant === again && { sameAs: id }) };
    state.apply({ change: "admitted", participant: { id: participant, events: [event], outside } });
  }
  const erase = (participant: string, proof: string) => {
    const removal = { at: 9, reason: "erased", proofs: [proof] } as const;
    state.apply({ change: "removed", removal, participant });
  };
  expect(state.participantFrom(outside)?.id).toBe(id);
  erase(id, "f".repeat(64));
  expect(state.participantFrom(outside)).toMatchObject({ id: again, person: id });
  erase(again, "e".repeat(64));
  expect(state.participantFrom(outside)).toBeUndefined();
});

test("a turn that failed has stored all that it will: whoever reads the study anew sees it", async () => {
  const directory = await newStudy();
  const [home, others] = [await openStudyFolder(directory), "p-bbbbbbbbbb"];
  await mkdir(join(directory, "participants", `${id}.jsonl`), { recursive: true });
  const events = items.map(({ id }) => answer(id, 1));
  const turn = home.turn(1, () => [
    { change: "event", participant: id, event: consent },
    ...[consent, ...events, ...events].map(
      (event) => ({ change: "event", participant: others, event }) as const,
    ),
  ]);
  await expect(turn).rejects.toThrow(InputError);
  const text = await readFile(join(directory, "participants", `${others}.jsonl`), "utf8");
  expect(text.trim().split("\n")).toHaveLength(1 + 2 * events.length);
});

test("a file that can't be read is no file that is absent", async () => {
  const directory = await newStudy();
  await mkdir(join(directory, "serving.json"));
  const home = await openStudyFolder(directory);
  await expect(home.soleServer()).rejects.toThrow(InputError);
});

test("one process serves a study folder: the second is refused and leaves the first one's note alone", async () => {
  const directory = await newStudy();
  const [first, second] = [await openStudyFolder(directory), await openStudyFolder(directory)];
  const began = await Promise.allSettled([first.beginServing(), second.beginServing()]);
  expect(began.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const [serving, refused] = began[0]?.status === "fulfilled" ? [first, second] : [second, first];
  await serving.noteServing("http://localhost:1");
  await refused.endServing();
  expect(await first.soleServer()).toMatchObject({ process: process.pid, host: hostname() });
  await expect(refused.beginServing()).rejects.toThrow(InputError);
  await serving.endServing();
  expect(await first.soleServer()).toBeUndefined();
  await refused.beginServing();
  await refused.endServing();
});

test("a server on another machine counts as alive, and is asked nothing from here", async () => {
  const directory = await newStudy();
  const served = { process: 1, host: "elsewhere", url: "http://127.0.0.1:9" };
  await writeFile(join(directory, "serving.json"), JSON.stringify(served));
  const home = await openStudyFolder(directory);
  expect(await home.soleServer()).toEqual(served);
  await expect(home.beginServing()).rejects.toThrow("elsewhere");
  await expect(askServer(served, { path: "close", token: "", body: {} })).rejects.toThrow(
    "elsewhere",
  );
  expect(await home.soleServer()).toEqual(served);
});
