import { expect, test } from "vitest";
import { tableOf } from "../../tables/bytes.js";
import { csvLine } from "../../tables/csv-text.js";
import { conclude } from "../conclude.js";
import { conclusionNamed } from "../conclusions.js";
import { sumsKinds } from "./sums-query.js";

/** The error for sums of which some columns are as they are given, and the others blank. */
async function refusal(
  name: string,
  own: Readonly<Record<string, readonly string[]>>,
  options: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { sums } = (await conclusionNamed(name).load()).default;
  if (sums === undefined) throw new Error(`Expected sums of ${name}`);
  const columns = Object.keys(sumsKinds(await sums()));
  const length = Object.values(own)[0]?.length ?? 0;
  const all: typeof own = { touchstone_sums: Array<string>(length).fill(name), ...own };
  const line = (at: number) => csvLine(columns.map((column) => all[column]?.[at] ?? ""));
  const text = [csvLine(columns), ...Array.from({ length }, (_, at) => line(at))].join("");
  return conclude(name, tableOf("t.csv", text), options).then(
    () => "none",
    (error) => error.message,
  );
}

test("a column that rows lack is named as the rows name it", async () => {
  const own = { part: ["ratings"], row_count: ["3"], said: ["1"] };
  expect(await refusal("agreement", own, { scale: "ordinal" })).toBe(
    "Expected item in each row but t.csv sums 3 rows without it",
  );
});
