import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { numberOf, readSet, rowsAt, textOf } from "./collect-set.js";
import { type EvidenceSet, setSchema } from "./set-schema.js";

const placed = (row: unknown, captured: Record<string, string> = {}) => ({ row, captured });

it("finds rows below keys and says which", () => {
  const document = { p1: { models: { x: [1], y: [2] } } };
  expect([...rowsAt(document, "*.models.*")]).toEqual([
    { row: [1], captured: { 0: "p1", 1: "x" } },
    { row: [2], captured: { 0: "p1", 1: "y" } },
  ]);
});

it.each([
  ["a number", { s: 0.5 }, "s", 0.5],
  ["a number as text with a line end", { s: "7\n" }, "s", 7],
  ["a list within a text", { s: "[0.5, 1]" }, "s.1", 1],
  ["a column whose name has dots", { "a.b": "3" }, "a.b", 3],
  ["words", { s: "tie" }, { of: "s", words: { tie: 0 } }, 0],
  ["another word", { s: "NON-format" }, { of: "s", words: { tie: 0 } }, null],
  ["text that is no number", { s: "NON-format" }, "s", null],
  ["nothing", {}, "s", null],
  ["a part of a text, turned round", { s: "2b" }, { of: "s", match: "^(\\d+)", times: -1 }, -2],
  ["a difference", { a: 3, b: 1 }, { of: "a", minus: "b" }, 2],
  ["a difference to nothing", { a: 3 }, { of: "a", minus: "b" }, null],
  ["the least of a list", { s: [4, 2] }, { of: "s", take: "min" as const }, 2],
  ["the least of a bare number", { s: 8 }, { of: "s", take: "min" as const }, 8],
  ["an empty list", { s: [] }, { of: "s", take: "min" as const }, null],
  [
    "a number that stands in for an answer",
    { s: [3], r: "guess_if_cannot_parse | no" },
    { of: "s", take: "min" as const, unless: { r: "guess" } },
    null,
  ],
] as const)("reads %s", (_, row, spec, value) => {
  expect(numberOf(placed(row), spec)).toBe(value);
});

it("makes names of a row and of what its place says, and none where a part is missing", () => {
  const row = placed({ id: 7, file: "images/003-01.jpg" }, { model: "x" });
  expect(textOf(row, "{id}/{model}")).toBe("7/x");
  expect(textOf(row, { text: "{file}", match: "(\\d+)-(\\d+)" })).toBe("003/01");
  expect(textOf(row, "{id}/{other}")).toBeUndefined();
});

const hash = "0".repeat(64);

async function read(files: Readonly<Record<string, string>>, set: object) {
  const directory = await temporaryDirectory();
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const listed = Object.keys(files).map((name) => `${hash} 1 ${name}`);
  const parsed: EvidenceSet = {
    name: "made",
    ...setSchema.parse({
      title: "made",
      holds: "made",
      repository: "a/b",
      commit: "0".repeat(40),
      year: 2024,
      licence: "MIT",
      asked: { for: "alignment", question: "?", scale: "1 to 5", raters: "two" },
      cluster: "prompt",
      files: listed.join("\n"),
      ...set,
    }),
  };
  return readSet(parsed, (path) => join(directory, path));
}

it("joins files by item, gives each person a place, and averages a metric's rows", async () => {
  const table = await read(
    {
      "people.csv": "prompt,model,who,answer\np,x,ann,5\np,x,bob,4\np,y,bob,1\n",
      "vqa_blip.csv":
        "prompt,model,q,parent,answer\np,x,1,0,yes\np,x,2,1,no\np,y,1,0,no\np,y,2,1,yes\n",
      "clip.json": '{"p":{"x":0.7}}',
    },
    {
      reads: [
        {
          file: "people.csv",
          item: "{prompt}/{model}",
          prompt: "{prompt}",
          generator: "{model}",
          rater: "{who}",
          people: ["answer"],
        },
        {
          file: "vqa_{judge}.csv",
          names: { blip: "BLIP" },
          item: "{prompt}/{model}",
          metrics: {
            "DSG ({judge})": {
              of: "answer",
              words: { yes: 1, no: 0 },
              question: "q",
              parents: "parent",
            },
          },
        },
        { file: "clip.json", rows: "*.*", item: "{0}/{1}", metrics: { CLIPScore: "" } },
      ],
    },
  );
  expect(table.metrics).toEqual(["DSG (BLIP)", "CLIPScore"]);
  expect(table.items.map(({ id, people, scores }) => ({ id, people, scores }))).toEqual([
    // Of y the second question depends on one that was answered by no.
    { id: "p/x", people: [5, 4], scores: { "DSG (BLIP)": 0.5, CLIPScore: 0.7 } },
    { id: "p/y", people: [null, 1], scores: { "DSG (BLIP)": 0 } },
  ]);
});

it("reads a row once for each of its columns", async () => {
  const table = await read(
    {
      "rater1.tsv": "uid\tA\tB\r\ns1\t[1,0.5]\t[0, 1]\r\n",
      "rater2.tsv": "uid\tA\tB\r\ns1\t[0,0]\t[0,0]\r\n",
    },
    {
      reads: [
        {
          file: "rater{n}.tsv",
          each: { A: "a", B: "b" },
          item: "{uid}/{generator}",
          prompt: "{uid}",
          rater: "{n}",
          people: ["{column}.1"],
        },
      ],
    },
  );
  expect(table.items.map(({ id, people }) => [id, people])).toEqual([
    ["s1/a", [0.5, 0]],
    ["s1/b", [1, 0]],
  ]);
});

it("refuses a set that reads a file which it does not list", async () => {
  await expect(
    read({ "a.json": "{}" }, { reads: [{ file: "b.json", item: "{0}" }] }),
  ).rejects.toThrow("b.json");
});
