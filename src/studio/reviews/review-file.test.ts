import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { queueAnswers, reviewQueue } from "../../../test/support/review-queue.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { studio } from "../studio.js";
import type { ReviewItem } from "./review-api.js";
import { ReviewFile } from "./review-file.js";
import { ReviewHands } from "./reviews.js";

async function openQueue(items = 6) {
  const path = await reviewQueue(await temporaryDirectory(), { items });
  const file = new ReviewFile(path, "review.jsonl", () => new Date(0));
  const keys = (await file.read()).rows.map(({ key }) => key);
  return { path, file, keys, key: (at: number) => keys[at] ?? "" };
}

test("an answer changes its own line alone, and null takes it back", async () => {
  const { path, file, key } = await openQueue();
  const before = await readFile(path, "utf8");
  const { row, table } = await file.answer({
    item: key(2),
    answer: "b",
    was: null,
    by: "Ada",
    comment: "A has six fingers",
  });
  expect(row.answer).toBe("b");
  expect(table.counts).toEqual({ items: 6, answered: 1 });
  const after = (await readFile(path, "utf8")).split("\n");
  for (const [at, line] of before.split("\n").entries()) {
    if (at !== 2) expect(after[at]).toBe(line);
  }
  expect(JSON.parse(after[2] ?? "")).toEqual({
    ...JSON.parse(before.split("\n")[2] ?? ""),
    preferred: "b",
    reviewer: "Ada",
    reviewedAt: "1970-01-01T00:00:00.000Z",
    reviewComment: "A has six fingers",
  });
  await file.answer({ item: key(2), answer: null, was: "b" });
  expect(await readFile(path, "utf8")).toBe(before);
});

test("an answer that is there already is acknowledged again, another one is not overwritten", async () => {
  const { file, key } = await openQueue();
  const given = { item: key(0), answer: "a", was: null };
  await file.answer(given);
  expect((await file.answer(given)).table.counts.answered).toBe(1);
  await expect(file.answer({ ...given, answer: "tie" })).rejects.toThrow(/has answered a/);
  await expect(file.answer({ ...given, answer: "c" })).rejects.toThrow(/one of a, b, tie/);
  await expect(file.answer({ ...given, item: "0" })).rejects.toThrow(/no such item/);
  expect((await file.read()).row(key(0))?.answer).toBe("a");
});

test("two servers and an editor on one file lose nothing of each other's", async () => {
  const { path, file, keys } = await openQueue(40);
  const other = new ReviewFile(path, "review.jsonl");
  await Promise.all(
    keys.map((item, at) =>
      (at % 2 === 0 ? file : other).answer({ item, answer: at % 3 === 0 ? "a" : "b", was: null }),
    ),
  );
  const said = await queueAnswers(path);
  expect(said.map(({ preferred }) => preferred)).toEqual(
    keys.map((_, at) => (at % 3 === 0 ? "a" : "b")),
  );
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"preferred":"a"', '"preferred":"tie"'));
  expect((await other.read()).rows[0]?.answer).toBe("tie");
  await file.close();
  await other.close();
});

test("a queue of ratings, or of questions, is answered in its own words; what is none is refused", async () => {
  const path = `${await temporaryDirectory()}/review.jsonl`;
  const tableOf = async (line: object) => {
    await writeFile(path, JSON.stringify(line));
    return new ReviewFile(path, "review.jsonl").read();
  };
  const item = { id: "1", image: "1.png" };
  const rated = { ...item, text: "a hat", rating: null, probabilities: [0.1, 0.2, 0.3, 0.4] };
  expect((await tableOf(rated)).choices).toEqual([1, 2, 3, 4]);
  expect((await tableOf({ ...rated, probabilities: null })).choices).toHaveLength(5);
  const asked = { ...item, question: "Is it red?", answer: null };
  expect((await tableOf(asked)).choices).toEqual(["yes", "no"]);
  await expect(tableOf({ a: 1 })).rejects.toThrow(/Expected a queue that judge wrote/);
  await writeFile(path, `${JSON.stringify(rated)}\n{"id":`);
  await expect(new ReviewFile(path, "review.jsonl").read()).rejects.toThrow(/review.jsonl, line 2/);
});

test("two windows are handed different items, until nothing else is left", async () => {
  const { file, keys, key } = await openQueue(6);
  let now = 0;
  const hands = new ReviewHands(() => now);
  const handed = async (window: string, from = 0, limit = 4) => {
    const { items, isShared } = hands.hand(await file.read(), { window, from, limit });
    return { keys: items.map((item) => item.key), isShared };
  };
  expect(await handed("one")).toEqual({ keys: keys.slice(0, 4), isShared: false });
  expect(await handed("two")).toEqual({ keys: keys.slice(4), isShared: false });
  expect(await handed("two", 5)).toEqual({ keys: [key(5), key(4)], isShared: false });
  await file.answer({ item: key(4), answer: "a", was: null });
  await file.answer({ item: key(5), answer: "a", was: null });
  expect(await handed("two", 6, 2)).toEqual({ keys: [key(3), key(2)], isShared: true });
  now += 100_000;
  expect(await handed("two", 0, 2)).toEqual({ keys: [key(0), key(1)], isShared: false });
});

test("a second opinion is asked of another name, who isn't told the first, and both are kept", async () => {
  const directory = await temporaryDirectory();
  await reviewQueue(directory, { items: 4 });
  const app = studio({ root: directory });
  const address = "http://localhost/api/reviews/review.jsonl";
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared with what is expected
  const of = async (path: string): Promise<any> => (await app.request(`${address}${path}`)).json();
  const say = async (given: object) => {
    const headers = { "content-type": "application/json", "x-touchstone": "studio" };
    const request = { method: "POST", headers, body: JSON.stringify({ was: null, ...given }) };
    return app.request(`${address}/answers`, request);
  };
  const { items } = await of("/next?window=ada");
  const [one, two, three] = items.map(({ key }: { key: string }) => key);
  await say({ item: one, answer: "a", by: "Ada", comment: "six fingers" });
  await say({ item: two, answer: "b", by: "Ada" });
  await say({ item: three, answer: "b" });
  expect((await of("/next?window=x&second=Ada")).items).toEqual([]);
  const asked = await of("/next?window=y&second=Bob");
  expect(asked).toMatchObject({ counts: { items: 2, answered: 0 } });
  expect(asked.items.map(({ key, answer }: ReviewItem) => [key, answer])).toEqual([
    [one, null],
    [two, null],
  ]);
  expect(JSON.stringify(asked)).not.toMatch(/Ada|six fingers/);
  const second = { isSecond: true, by: "Bob" };
  expect((await say({ item: one, answer: "b", isSecond: true, by: "Ada" })).status).toBe(404);
  expect((await say({ item: one, answer: "b", isSecond: true })).status).toBe(404);
  expect((await say({ item: one, answer: "b", ...second })).status).toBe(200);
  expect((await say({ item: two, answer: "b", ...second })).status).toBe(200);
  expect((await say({ item: one, answer: null, was: "a", by: "Ada" })).status).toBe(409);
  expect(await of("?second=Bob")).toMatchObject({ counts: { items: 2, answered: 2 } });
  const { items: both, equal } = await of("/opinions");
  expect(both.map(({ isDifferent }: { isDifferent: boolean }) => isDifferent)).toEqual([
    true,
    false,
  ]);
  expect(equal).toBe(1);
  const csv = await (await app.request(`${address}/answers.csv`)).text();
  expect(csv.split("\n").map((line) => line.split(",").slice(1, 5).join(" "))).toEqual([
    "text opinion answer reviewer",
    ...["Caption number 0 1 a Ada", "Caption number 0 2 b Bob"],
    ...["Caption number 1 1 b Ada", "Caption number 1 2 b Bob"],
    ...["Caption number 2 1 b ", ""],
  ]);
  await say({ item: one, answer: null, was: "b", ...second });
  expect((await of("/opinions")).items).toHaveLength(1);
});
