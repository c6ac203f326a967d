import { expect, test } from "vitest";
import { tableOf } from "../../tables/bytes.js";
import { csvLine } from "../../tables/cell-table.js";
import { conclude, conclusionNamed } from "../conclusions.js";
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

test("what is no probability is refused, as in rows", async () => {
  const images = { part: ["images"], row_count: ["2"], of_image: ["i"], of_kind: ["leakage"] };
  const counts = { said_yes: ["2"], said_no: ["0"], unanswered: ["0"], also_own: ["0"] };
  expect(await refusal("attributes", { ...images, ...counts, no_share: ["0"] })).toBe("none");
  expect(await refusal("attributes", { ...images, ...counts, no_share: ["2"] })).toBe(
    "Expected probabilities from 0 to 1 but t.csv sums 2 rows with another number",
  );
});

test("a row of neither prompt nor id is refused where intervals draw prompts", async () => {
  const own = {
    part: ["answers", "answers"],
    row_count: ["1", "1"],
    cluster_name: ["p", ""],
    prompted: ["1", "0"],
    said: ["1", "0"],
    claimed: ["0.9", "0.2"],
  };
  expect(await refusal("calibration", own)).toBe(
    "Expected id in each row without a prompt but t.csv sums rows that have neither",
  );
  expect(await refusal("calibration", { ...own, cluster_name: ["", ""] })).toBe("none");
});
