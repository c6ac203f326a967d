import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { touchstoneHere } from "../../../test/support/touchstone-here.js";
import { encodePng } from "../../images/pixels-picture.js";
import { openStudyFolder } from "../home/study-folder.js";
import { Tokens } from "../server/signed-tokens.js";
import { collect } from "../tables/counted-answers.js";
import { type OfflineStudy, offlineStudy } from "./offline-study.js";
import { plannedPages } from "./planned-pages.js";
import type { SavedPage } from "./take-pages.js";

const config = `
title: Pages
seed: 3
consent: "I agree. - [ ] 18 or older"
background: [{name: age, question: How old?, choices: [young, old]}]
goldCheck: {after: 1, endBelow: 0.5}
blocks:
  - {protocol: rating, from: items.csv, gold: gold.csv, repeats: 1, ratingsPerItem: 3, itemsPerParticipant: 2}
  - {protocol: pairwise, from: pairs.csv, ratingsPerItem: 3}
`;

let directory = "";
const touchstone = (...words: readonly string[]) =>
  touchstoneHere(words, { workingDirectory: directory });

const dataOf = async (file: string): Promise<OfflineStudy> =>
  JSON.parse(
    /<script type="application\/json" id="offline">(.*?)<\/script>/s.exec(
      await readFile(join(directory, file), "utf8"),
    )?.[1] ?? "",
  );

async function write(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

async function create(name: string, text: string) {
  await write({ [`${name}.yaml`]: text });
  const made = await touchstone("study", "create", `${name}.yaml`, "--run", name);
  expect(made.stderr).not.toContain("Error");
}

/** A page, and what its browser would save after every item was answered. */
async function answered(study: string, number: number) {
  const file = `${study}-${number}.html`;
  const made = await touchstone("study", "page", study, "--page", String(number), "--out", file);
  expect(made).toMatchObject({ code: 0 });
  const page = await dataOf(file);
  const consent = page.study.consent as { version: string };
  const saved = {
    touchstone: "study-page",
    version: 1,
    study: page.id,
    title: "Pages",
    participant: page.participant,
    session: page.session,
    copy: "0123456789abcdef",
    saved: 9_000,
    consent: { at: 1_000, version: consent.version },
    background: { age: "old" },
    answers: page.items.map(({ assignment, protocol }, at) => ({
      assignment,
      at: 2_000 + at,
      milliseconds: 700,
      answer: protocol === "rating" ? { value: 2 } : { preferred: "a" },
    })),
    finished: 8_000,
  } satisfies SavedPage;
  return { page, saved };
}

const importing = async (study: string, saved: object, name = "saved.json") => {
  await write({ [name]: JSON.stringify(saved) });
  return touchstone("study", "import", study, name);
};

const collected = async (study: string) => collect(await openStudyFolder(join(directory, study)));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "touchstone-"));
  for (const at of [0, 1, 2]) {
    const data = Uint8Array.from({ length: 48 }, (_, byte) => (byte * (at + 3)) % 256);
    await writeFile(join(directory, `${at}.png`), encodePng({ width: 4, height: 4, data }));
  }
  await write({
    "items.csv": "id,image,text\nr1,0.png,A\nr2,1.png,B\nr3,2.png,C\n",
    "gold.csv": "id,image,text,value\ng1,2.png,D,4\n",
    "pairs.csv": "id,image_a,image_b,caption,model_a,model_b\np1,0.png,1.png,E,m1,m2\n",
  });
  await create("first", config);
});

afterAll(() => rm(directory, { recursive: true }));

describe("study page", () => {
  it.each(["--sets", "--seed"])("takes no %s, which is of an audit's sheet", async (flag) => {
    const refused = await touchstone("study", "page", "first", flag, "3", "--out", "none.html");
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain(`Expected no ${flag} for a study`);
  });

  it("gives each person a page of their own, which together give items what they need", async () => {
    const counts = new Map<string, number>();
    for (const number of [1, 2, 3, 4, 5]) {
      const made = await touchstone(
        "study",
        "page",
        "first",
        "--page",
        `${number}`,
        "--out",
        "x.html",
      );
      if (made.code !== 0) {
        expect(made.stderr).toContain(`Expected a page from 1 to ${number - 1} for --page`);
        break;
      }
      const { items } = await dataOf("x.html");
      for (const { item } of items) {
        counts.set(
          String(item.text ?? item.caption),
          (counts.get(String(item.text ?? item.caption)) ?? 0) + 1,
        );
      }
    }
    // A, B and C of 3 raters each, beside one repeat for each of 5 people, and a gold item for each.
    expect(counts.get("E")).toBe(3);
    expect((counts.get("A") ?? 0) + (counts.get("B") ?? 0) + (counts.get("C") ?? 0)).toBe(9 + 5);
  });

  it("is the same file each time, and says nothing of gold, models and files", async () => {
    const once = await answered("first", 1);
    const again = await answered("first", 1);
    expect(again.page).toEqual(once.page);
    const text = JSON.stringify({ ...once.page, images: [] });
    // Random tokens may hold short names, but not as whole words.
    expect(text).not.toMatch(/"(?:m1|r1|g1)"|gold|\.png/);
    const page = await readFile(join(directory, "first-1.html"), "utf8");
    expect(page).toContain("default-src &#39;none&#39;");
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it.each([
    [
      "first --collect a.json",
      /first is a study What its pages saved is read by: touchstone study import first a\.json/,
    ],
    ["first --expert anna", /no --expert for a study/],
    ["nothing", /folder of a study or of an audit's run but nothing is neither/],
  ])("says what to do where it is given %s", async (words, message) => {
    const made = await touchstone("study", "page", ...words.split(" "), "--out", "table.csv");
    expect(made.code).toBe(2);
    expect(made.stderr.replaceAll(/\s+/g, " ")).toMatch(message);
  });

  it("refuses more images than a page takes", async () => {
    const home = await openStudyFolder(join(directory, "first"));
    const [page] = plannedPages(home.study, { tokens: new Tokens(home.secret), upTo: 1 });
    if (page === undefined) throw new Error("Expected a page");
    await expect(offlineStudy(home, page, { mostBytes: 100 })).rejects.toThrow(
      "Expected at most 0.0001 MB of images on a page but the 3 of this one have more",
    );
  });

  it.each([
    ["moderated: true", /a facilitator leads its sessions/],
    ["screening: [{name: age, accept: [old]}]", /decide who takes part/],
    ["open: true\npanel: prolific", /come from a panel/],
  ])("refuses a study with %s, with the reason", async (setting, reason) => {
    const name = `refused-${setting.slice(0, 4)}`;
    await create(name, `${config}${setting}\n`);
    const { code, stderr } = await touchstone("study", "page", name, "--out", "refused.html");
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(reason);
    await expect(readFile(join(directory, "refused.html"))).rejects.toThrow("ENOENT");
  });
});

describe("study import of a page's file", () => {
  it("makes a participant of it, once, and takes what was answered later", async () => {
    await create("whole", config);
    const { saved } = await answered("whole", 1);
    const half = {
      ...saved,
      saved: 2_001,
      finished: undefined,
      answers: saved.answers.slice(0, 2),
    };
    const begun = await importing("whole", half);
    expect(begun.stdout).toContain("Took over 2 answers; new participants: 1");
    expect(begun.stderr).toContain("left");
    const rest = await importing("whole", saved);
    expect(rest.stdout).toContain(
      `Took over ${saved.answers.length - 2} answers; new participants: 0`,
    );
    expect(rest.stderr).toContain("missed gold items");
    const { state, answers } = await collected("whole");
    const [person] = state.participants.values();
    expect(person).toMatchObject({
      id: saved.participant,
      isFinished: true,
      background: { age: "old" },
      consentedAt: 1_000,
    });
    expect(answers.map(({ kind }) => kind).sort()).toEqual([
      "gold",
      "item",
      "item",
      "item",
      "repeat",
    ]);
    expect(answers.every(({ milliseconds, at }) => milliseconds === 700 && at < 3_000)).toBe(true);
    const before = await readFile(
      join(directory, `whole/participants/${saved.participant}.jsonl`),
      "utf8",
    );
    expect((await importing("whole", saved)).stdout).toContain("Took over 0 answers");
    expect((await importing("whole", half)).stdout).toContain("Took over 0 answers");
    expect(
      await readFile(join(directory, `whole/participants/${saved.participant}.jsonl`), "utf8"),
    ).toBe(before);
    // Erasure reaches them, and they don't come back.
    await touchstone("study", "erase", "whole", "--participant", saved.participant);
    expect((await importing("whole", saved)).stdout).toContain("new participants: 0");
    expect((await collected("whole")).state.participants.size).toBe(0);
  });

  it("counts a correction once, and refuses another copy of the page", async () => {
    await create("copies", config);
    const { saved } = await answered("copies", 1);
    await importing("copies", saved);
    const [first, ...others] = saved.answers;
    const corrected = {
      ...saved,
      answers: [{ ...first, at: 5_000, answer: { value: 4 } }, ...others],
    };
    expect((await importing("copies", corrected)).stdout).toContain("corrections: 1");
    const { code, stderr } = await importing("copies", { ...saved, copy: "fedcba9876543210" });
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("this is another copy of it");
    await mkdir(join(directory, "both"));
    await write({
      "both/1.json": JSON.stringify(saved),
      "both/2.json": JSON.stringify({ ...saved, copy: "fedcba9876543210" }),
    });
    const both = await touchstone("study", "import", "copies", "both");
    expect(both.stderr.match(/another copy/g)).toHaveLength(1);
    expect((await collected("copies")).state.participants.size).toBe(1);
  });

  type Saved = Awaited<ReturnType<typeof answered>>["saved"];
  const changed = (saved: Saved, part: object) => ({
    ...saved,
    answers: saved.answers.map((answer, at) => (at === 1 ? { ...answer, ...part } : answer)),
  });
  it.each<[string, (saved: Saved) => object, RegExp]>([
    [
      "an unknown item",
      (saved) => changed(saved, { assignment: "nothing" }),
      /answers\[1\]: expected an item of this page but received "nothing"/,
    ],
    [
      "a doubled answer",
      (saved) => changed(saved, { assignment: saved.answers[0]?.assignment }),
      /answers\[1\]: expected one answer to \w+ but there are two/,
    ],
    [
      "an answer that is none",
      (saved) => changed(saved, { answer: { value: 9 } }),
      /answers\[1\]: \w+: value/,
    ],
    ["a negative time", (saved) => changed(saved, { milliseconds: -1 }), /answers\[1\]: \w+: /],
    [
      "an answer before consent",
      (saved) => changed(saved, { at: 5 }),
      /between consent and saving but received 1970/,
    ],
    ["a time to come", (saved) => ({ ...saved, saved: 9e12 }), /was a clock wrong/],
    [
      "another study",
      (saved) => ({ ...saved, study: "0", title: "Other" }),
      /received those to Other, another study/,
    ],
    ["another version of it", (saved) => ({ ...saved, study: "0" }), /another version of it/],
    [
      "a changed consent",
      (saved) => ({ ...saved, consent: { at: 1_000, version: "0" } }),
      /consent to version/,
    ],
    [
      "a forged session",
      (saved) => ({ ...saved, session: "2.forged" }),
      /its session is not of it/,
    ],
    [
      "a wrong background",
      (saved) => ({ ...saved, background: { age: "none" } }),
      /age: not an answer/,
    ],
    ["another form", (saved) => ({ ...saved, extra: 1 }), /as a study's page saves it/],
  ])("refuses %s, and takes nothing over", async (_, change, message) => {
    const { saved } = await answered("first", 1);
    const { code, stderr } = await importing("first", change(saved));
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(message);
    expect((await collected("first")).state.participants.size).toBe(0);
  });

  it("refuses the page of a study with another secret", async () => {
    await create("twin", config);
    const { saved } = await answered("twin", 1);
    const { code, stderr } = await importing("first", saved);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("its session is not of it");
  });
});
