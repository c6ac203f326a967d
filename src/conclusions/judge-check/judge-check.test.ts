import { expect, test } from "vitest";
import { commandLines } from "../../../test/support/command-lines.js";

const { run } = commandLines();
const check = (table: string, ...words: readonly string[]) =>
  run(["judge", "check", "-", "--resamples", "100", ...words], table);
const json = async (table: string, ...words: readonly string[]) =>
  JSON.parse((await check(table, "--json", ...words)).stdout);

test("votes are read as published judges write them; other replies count as unparsed", async () => {
  const votes = [
    "[[A>B]]",
    "[[ B>A ]]",
    "A=B=Bad",
    "tie",
    "",
    "I'm sorry, I can't say",
    "both blur",
  ];
  const rows = votes.map((vote, at) => `${JSON.stringify({ id: `${at}`, vote, human: "a" })}\n`);
  expect(await json(rows.join(""))).toMatchObject({
    n: 7,
    unparsed: 3,
    refused: 1,
    answers: { a: 1, b: 1, tie: 2 },
  });
});

test("a column of which nothing can be read is another one", async () => {
  const { code, stderr } = await check("id,vote\n1,painter\n2,cat\n");
  expect(code).toBe(2);
  expect(stderr).toContain("--map vote=my_column");
});

test("--fail-on defect ends with 4 where there is one, and 0 otherwise", async () => {
  const { stdout: sample } = await run(["example", "judge-check"]);
  expect((await check(sample, "--fail-on", "defect")).code).toBe(0);
  const silent = sample.replace(/,(a|b|tie),(a|b|tie),/g, ",,,");
  const rows = `${sample.split("\n")[0]}\n${silent.split("\n").slice(1).join("\n")}`;
  expect((await check(rows)).code).toBe(0);
  expect((await check(rows, "--fail-on", "defect")).code).toBe(4);
});

test("ratings are read, and what is no number is wrong in accuracy", async () => {
  const table = "id,rating,human\n1,4,5\n2,,3\n3,NON-format,1\n4,2,2\n";
  expect(await json(table)).toMatchObject({
    n: 4,
    unparsed: 2,
    answers: { 2: 1, 4: 1 },
    labelled: 4,
    accuracy: { value: 0.25 },
    accuracyParsed: { value: 0.5 },
  });
});

test("--raters puts one rater beside the judge, and most of them in the place of human", async () => {
  const table = "id,vote,anna,ben,carla\n1,a,a,a,b\n2,b,A>B,a,a\n3,tie,tie,tie,\n";
  expect(await json(table, "--raters", "anna,ben,carla")).toMatchObject({
    accuracy: { value: 2 / 3 },
    oneRater: { value: 5 / 6 },
    againstRater: { value: (1 - 3) / 6 },
  });
  const wrong = await check(table.replace("tie,tie,\n", "tie,green,\n"), "--raters", "anna,ben");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("for ben") });
  expect((await check(table, "--raters", "anna,dora")).code).toBe(2);
});
