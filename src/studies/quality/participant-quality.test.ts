import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { type Random, randomFrom } from "../../core/random.js";
import { encodePng } from "../../images/pixels-picture.js";
import { readStudyConfig } from "../config/read-study-config.js";
import type { Exclusion } from "../config/study-config.js";
import { createStudy } from "../create-study.js";
import { createStudyFolder, openStudyFolder } from "../home/study-folder.js";
import { StudyImages } from "../home/study-images.js";
import { StudyService } from "../server/study-service.js";
import type { StudyItem } from "../study.js";
import { collect } from "../tables/counted-answers.js";
import { participantQuality } from "./participant-quality.js";

/** What a planted person sees of an item, by the images themselves, and may know of it. */
interface Sight {
  readonly item: StudyItem;
  /** The side on which image a of the item is shown. */
  readonly shownA: "a" | "b";
}

interface Planted {
  readonly seconds: number;
  readonly answer: (sight: Sight, random: Random) => Record<string, unknown>;
}

const exclude: readonly Exclusion[] = [
  { rule: "gold-accuracy-below", value: 0.7 },
  { rule: "repeat-agreement-below", value: 0.7 },
  { rule: "median-seconds-below", value: 1 },
  { rule: "same-answer-above", value: 0.9 },
];

/** A study that planted people went through, each by their habit; the rules that each breaks. */
async function rulesBroken(
  block: Readonly<Record<string, unknown>>,
  {
    items,
    gold,
    people,
  }: {
    readonly items: readonly object[];
    readonly gold: readonly object[];
    readonly people: Readonly<Record<string, Planted>>;
  },
): Promise<Record<string, readonly string[]>> {
  const folder = await temporaryDirectory();
  for (let at = 0; at < 80; at++) {
    const data = Uint8Array.from({ length: 8 * 8 * 3 }, (_, byte) => (byte * 7 + at * 3) % 256);
    await writeFile(join(folder, `${at}.png`), encodePng({ width: 8, height: 8, data }));
  }
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
  await writeFile(join(folder, "items.jsonl"), lines(items));
  await writeFile(join(folder, "gold.jsonl"), lines(gold));
  const whole = { from: "items.jsonl", gold: "gold.jsonl", ratingsPerItem: 20, repeats: 8 };
  await writeFile(
    join(folder, "study.yaml"),
    JSON.stringify({
      title: "Planted",
      consent: "I agree.",
      open: true,
      exclude,
      blocks: [{ ...whole, ...block }],
    }),
  );
  const directory = join(folder, "study");
  const images = new StudyImages(directory);
  const study = await createStudy(await readStudyConfig("study.yaml", folder), {
    keep: (bytes) => images.write(bytes),
  });
  await createStudyFolder(directory, study);
  const home = await openStudyFolder(directory);
  const service = await StudyService.open(home);
  for (const [id, { seconds, answer }] of Object.entries(people)) {
    const random = randomFrom("planted", id);
    const { session } = await service.join({ external: { source: "test", id } });
    await service.consent(session, { version: study.consent.version, agreed: true });
    for (;;) {
      const next = await service.next(session);
      if (next === undefined) break;
      const { participants } = service.state;
      const open = [...participants.values()].find((one) => one.outside?.id === id)?.open;
      const item = study.blocks
        .flatMap((own) => [...own.items, ...own.gold])
        .find((one) => one.id === open?.item);
      if (item === undefined) throw new Error("There is no such item");
      await service.answer(session, {
        assignment: next.assignment,
        answer: answer({ item, shownA: open?.swapped === true ? "b" : "a" }, random),
        milliseconds: seconds * 1_000,
      });
    }
  }
  const { answers, state } = await collect(home);
  return Object.fromEntries(
    participantQuality(study, answers).map(({ participant, excludedBy }) => [
      state.participants.get(participant)?.outside?.id,
      excludedBy,
    ]),
  );
}

const other = (side: string) => (side === "a" ? "b" : "a");

test("of pairs the rules exclude who clicks one side, is fast or guesses, and not who prefers a model", async () => {
  const careful: Planted = {
    seconds: 5,
    // Image a is the better one of every other pair; gold says which.
    answer: ({ item, shownA }) => ({
      preferred: item.beside.better === "a" ? shownA : other(shownA),
    }),
  };
  const pair = (at: number, id: string) => ({
    id,
    image_a: `${2 * at}.png`,
    image_b: `${2 * at + 1}.png`,
    model_a: "x",
    model_b: "y",
    better: at % 2 === 0 ? "a" : "b",
  });
  const broken = await rulesBroken(
    { protocol: "pairwise" },
    {
      items: Array.from({ length: 24 }, (_, at) => pair(at, `p${at}`)),
      // Known answers are all image a, as in a table that was made by hand.
      gold: Array.from({ length: 16 }, (_, at) => ({
        ...pair(24 + at, `g${at}`),
        better: "a",
        value: "a",
      })),
      people: {
        "careful-1": careful,
        "careful-2": careful,
        "prefers model x": { seconds: 5, answer: ({ shownA }) => ({ preferred: shownA }) },
        "clicks first": { seconds: 5, answer: () => ({ preferred: "a" }) },
        "clicks second": { seconds: 5, answer: () => ({ preferred: "b" }) },
        fast: { ...careful, seconds: 0.4 },
        random: {
          seconds: 5,
          answer: (_, random) => ({ preferred: random.chance(0.5) ? "a" : "b" }),
        },
      },
    },
  );
  const byOneSide = ["gold-accuracy-below", "repeat-agreement-below", "same-answer-above"];
  expect(broken).toEqual({
    "careful-1": [],
    "careful-2": [],
    "prefers model x": [],
    "clicks first": byOneSide,
    "clicks second": byOneSide,
    fast: ["median-seconds-below"],
    random: ["gold-accuracy-below", "repeat-agreement-below"],
  });
});

/** A study of one image an item, in which the given share of items is right. */
const rated = (share: number) => {
  const row = (at: number, id: string, right: boolean) => ({
    id,
    image: `${at}.png`,
    text: `Text ${at}`,
    right,
    value: right ? 4 : 1,
  });
  const careful: Planted = {
    seconds: 5,
    answer: ({ item }) => ({ value: item.beside.right === true ? 4 : 1 }),
  };
  return rulesBroken(
    { protocol: "rating" },
    {
      items: Array.from({ length: 24 }, (_, at) => row(at, `r${at}`, at < 24 * share)),
      gold: Array.from({ length: 8 }, (_, at) => row(24 + at, `g${at}`, at % 2 === 0)),
      people: {
        "careful-1": careful,
        "careful-2": careful,
        "one level": { seconds: 5, answer: () => ({ value: 4 }) },
        fast: { ...careful, seconds: 0.4 },
        random: { seconds: 5, answer: (_, random) => ({ value: random.chance(0.5) ? 4 : 1 }) },
      },
    },
  );
};

test.each([1, 0.9, 0.5, 0])(
  "where %d of the images are right nobody is excluded for saying so",
  async (share) => {
    const broken = await rated(share);
    expect(broken).toMatchObject({
      "careful-1": [],
      "careful-2": [],
      fast: ["median-seconds-below"],
      random: ["gold-accuracy-below", "repeat-agreement-below"],
    });
    const { "one level": line } = broken;
    expect(line).toContain("gold-accuracy-below");
    // Where everything is right, one level for all is what careful people give.
    expect(line?.includes("same-answer-above")).toBe(share <= 0.5);
  },
);
