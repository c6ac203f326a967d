import { expect, test } from "vitest";
import { tableOf } from "./bytes.js";
import { numeric, text } from "./columns.js";
import { decimalCommaHint } from "./decimal-comma.js";
import { readTable } from "./table.js";

/** What is told of a table of these lines. */
async function toldOf(lines: readonly string[], unscored?: readonly string[]): Promise<string[]> {
  const told: string[] = [];
  await readTable({
    source: tableOf("t.csv", lines.join("\n")),
    shape: { kinds: { id: text, score: numeric }, others: (column) => column === "clip" },
    unscored,
    tell: (sentence) => told.push(sentence),
  });
  return told;
}

test.each([
  [["1.000", "850", "2.500"], "1.000", "1", "1000"],
  [["3", "-12.345"], "-12.345", "-12.345", "-12345"],
  [['"1.000"', ""], "1.000", "1", "1000"],
  [[" 1.000 ", "850"], "1.000", "1", "1000"],
])("%j in a table of semicolons may be thousands", async (cells, seen, read, meant) => {
  const lines = cells.map((cell, at) => `${at};${cell}`);
  const sentence =
    `score has numbers such as ${seen} in a table of semicolons, read as ${read}; ` +
    `where points set thousands apart, write ${meant}`;
  expect(await toldOf(["id;score", ...lines])).toEqual([sentence]);
  expect(await toldOf(["id;score", ...lines], ["none"])).toEqual([sentence]);
});

test("so may those of a further column, and those of ids may not", async () => {
  const told = await toldOf(["id;score;clip", "1.000;4;1.500", "2.000;5;2"]);
  expect(told).toEqual([expect.stringMatching(/^clip has numbers such as 1\.500 in/)]);
});

test.each([
  [["1.000", "0.712"]],
  [["1.25", "3.000"]],
  [["0.500", "0.250"]],
  [["1000", "2500"]],
  [["1.000e3"]],
])("%j are as they are read", async (cells) => {
  expect(await toldOf(["id;score", ...cells.map((cell, at) => `${at};${cell}`)])).toEqual([]);
});

test("where commas or tabs separate, points are decimal", async () => {
  expect(await toldOf(["id,score", "1,1.000", "2,2.500"])).toEqual([]);
  expect(await toldOf(["id\tscore", "1\t1.000"])).toEqual([]);
});

test("a column that has decimal commas, too, is refused, and so are millions", async () => {
  for (const cell of ["3,5", "1.234,5", "1.000.000"]) {
    await expect(toldOf(["id;score", "1;1.000", `2;${cell}`])).rejects.toMatchObject({
      problems: [expect.stringContaining(`received "${cell}"`)],
      hint: expect.stringContaining('thousands="." where 1.000 is a thousand'),
    });
  }
  expect(decimalCommaHint('received "abc"')).toBeUndefined();
});
