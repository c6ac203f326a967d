import { expect, test } from "vitest";
import { commandLines } from "../../../../test/support/command-lines.js";
import { conclusions, verbWords } from "../../../conclusions/conclusions.js";

const { put, run } = commandLines();

/** Examples whose columns tell of themselves alone what reads them. */
const told = conclusions.filter(({ name }) =>
  ["contrastive", "swap", "correlation", "preferences", "calibration", "compare"].includes(name),
);

test.each(told)("a table without a verb is read as $name, as its verb reads it", async (listed) => {
  await put("t.csv", (await run(["example", listed.name])).stdout);
  const { code, stdout, stderr } = await run(["analyze", "t.csv", "--json"]);
  expect(code, stderr).toBe(0);
  const { conclusion, couldBe, ...found } = JSON.parse(stdout);
  expect(conclusion).toBe(listed.name);
  expect(couldBe).toBeInstanceOf(Array);
  const flags = listed.name === "correlation" ? ["--human", "rating"] : [];
  const own = await run([...verbWords(listed), "t.csv", ...flags, "--json"]);
  expect(found).toEqual(JSON.parse(own.stdout));
});

test("it says as what it reads a table and what else it could be, and goes on by that verb", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `${at},${at % 5},${(at + 1) % 5},${at * 2}`);
  await put("t.csv", ["id,rater_1,rater_2,vqa", ...rows].join("\n"));
  const { stdout, stderr } = await run(["analyze", "t.csv", "--details"]);
  expect(stderr).toContain("Read as touchstone analyze agreement t.csv");
  expect(stderr).toContain("touchstone analyze correlation t.csv --human rater_1,rater_2");
  expect(stdout).toContain("Next: touchstone analyze agreement t.csv");
});

test.each([
  [["t.csv"], "it has neither"],
  [["nowhere.csv"], "no such file"],
  [["-"], "analyze contrastive -"],
  [["contrastve"], "Did you mean contrastive?"],
])("refuses %j", async (words, message) => {
  await put("t.csv", "neither\nx\n");
  const { code, stdout, stderr } = await run(["analyze", ...words]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
});
