import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import type { Hash } from "../../../core/keys.js";
import { ItemList, type Looked } from "./item-list.js";
import { repeatedNote } from "./score-items.js";

const item = (image: string, text: string, problem?: string) => ({
  image,
  text,
  path: join("/images", image),
  others: { row: text },
  ...(problem === undefined ? {} : { problem }),
});
const found = (letter: string): Looked => ({ hash: letter.repeat(64) as Hash });

async function looked(items: ItemList, files: Readonly<Record<string, Looked>>) {
  const asked: string[] = [];
  await items.look(
    async ({ image }) => {
      asked.push(image);
      return files[image] ?? { problem: `no ${image}` };
    },
    { atATime: 2, onLooked() {} },
  );
  return asked;
}

test("images are looked at once; those with equal bytes are one, and their rows are told apart", async () => {
  const items = await ItemList.of([
    item("a.png", "cat"),
    item("b.png", "cat"),
    item("a.png", "dog"),
    item("gone.png", "cat"),
    item("a.png", "", "no text"),
    item("c.png", "cat"),
  ]);
  const files = { "a.png": found("a"), "b.png": found("a"), "c.png": found("c") };
  expect(await looked(items, files)).toEqual(["a.png", "b.png", "gone.png", "c.png"]);
  expect([items.images, items.prompts, items.hasProblem]).toEqual([2, 3, true]);
  expect(
    (await items.all()).map(({ trial, isFirst, isAlone, problem }) => [
      trial,
      isFirst,
      isAlone,
      problem,
    ]),
  ).toEqual([
    [0, true, false, undefined],
    [1, false, false, undefined],
    [0, false, false, undefined],
    [0, false, false, "no gone.png"],
    [0, false, false, "no text"],
    [0, true, true, undefined],
  ]);
  expect(items.countProblems(new Map([["c".repeat(64) as Hash, "torn"]]))).toBe(3);
  expect(await repeatedNote(items)).toEqual([
    "1 row repeats the image and text of an earlier one, such as b.png; each row is scored",
  ]);
});

test("few images among many with several texts are named", async () => {
  const rows = ["a", "b", "c", "d", "b"].map((name, at) => item(`${name}.png`, `text ${at}`));
  const items = await ItemList.of(rows);
  const files = Object.fromEntries(["a", "b", "c", "d"].map((one) => [`${one}.png`, found(one)]));
  await looked(items, files);
  expect(await repeatedNote(items)).toEqual([
    "1 image stands in several rows with different texts, such as b.png; each row is scored",
  ]);
});

test("a path is named however it is written", async () => {
  const items = await ItemList.of([item("./a.png", "cat"), item("in//c.png", "dog")]);
  const named = ["a.png", "b.png", "in/c.png"].map((one) => items.hasImage(join("/images", one)));
  expect(named).toEqual([true, false, true]);
});

test("of many items the most lie in a file, which goes with the list", async () => {
  vi.stubEnv("TMPDIR", await temporaryDirectory());
  const items = new ItemList();
  for (let row = 0; row < 20_000; row++) await items.add(item(`${row % 7}.png`, `text ${row}`));
  await looked(items, Object.fromEntries([..."0123456"].map((one) => [`${one}.png`, found(one)])));
  expect(await readdir(tmpdir())).toHaveLength(1);
  let row = 0;
  for await (const batch of items.batches()) {
    for (const { text, others, isFirst, prompt } of batch) {
      expect([text, others.row, isFirst, prompt]).toEqual([`text ${row}`, text, row < 7, row]);
      row++;
    }
  }
  expect([row, items.length]).toEqual([20_000, 20_000]);
  expect((await items.at(19_999)).text).toBe("text 19999");
  await items.remove();
  expect(await readdir(tmpdir())).toEqual([]);
});
