import { expect, test } from "vitest";
import { InputError } from "../../core/errors.js";
import { tableOf } from "../../tables/bytes.js";
import { csvLine } from "../../tables/cell-table.js";
import { conclude } from "../conclusions.js";

const models = ["x", "y", "z"];
/** Comparisons of three models by five people on four prompts; some tie, some have no answer. */
const rows = Array.from({ length: 120 }, (_, at) => ({
  a: models[at % 3] ?? "",
  b: models[(at + 1 + ((at >> 2) % 2)) % 3] ?? "",
  preferred: ["a", "b", "tie", "", "a", "b", "n/a"][(at * 5) % 7] ?? "",
  prompt: `prompt ${(at * 7) % 4}`,
  annotator: `rater ${at % 5}`,
}));

const csv = (header: readonly string[], lines: readonly (readonly string[])[]) =>
  [header, ...lines].map((line) => csvLine(line)).join("");

/** What the printed query counts, by `unit`. */
function counts(unit: "annotator" | "prompt") {
  const found = new Map<string, number>();
  for (const row of rows) {
    const [annotator, prompt] = unit === "annotator" ? [row.annotator, ""] : ["", row.prompt];
    const key = JSON.stringify([annotator, prompt, row.a, row.b, row.preferred]);
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  const header = ["annotator", "kept_prompt", "first_model", "second_model", "said"];
  return csv(
    ["touchstone_sums", "part", "are_shared", ...header, "row_count", "repeats", "inexact"],
    Array.from(found, ([key, count]) => [
      "preferences",
      "comparisons",
      unit === "annotator" ? "1" : "0",
      ...JSON.parse(key),
      String(count),
      "",
      "",
    ]),
  );
}

const asked = async (text: string, options: Record<string, string>) =>
  JSON.stringify((await conclude("preferences", tableOf("table.csv", text), options)).json());

test.each(["annotator", "prompt"] as const)(
  "counts by %s give the figures and intervals of the comparisons, byte by byte",
  async (unit) => {
    const columns = ["a", "b", "preferred", "prompt"] as const;
    const kept = unit === "annotator" ? ([...columns, "annotator"] as const) : columns;
    const table = csv(
      kept,
      rows.map((row) => kept.map((column) => row[column])),
    );
    for (const interval of ["percentile", "delta"]) {
      const options = { resamples: "100", interval };
      expect(await asked(counts(unit), options)).toBe(await asked(table, options));
    }
  },
);

test("comparisons without a cluster are refused, and so is a word that names neither model", async () => {
  const [header = "", first = ""] = counts("prompt").split("\n");
  const read = (line: string) => asked([header, line, ""].join("\n"), {});
  await expect(read(first)).resolves.toContain('"n"');
  await expect(read(first.replace("prompt 0", ""))).rejects.toThrow(InputError);
  await expect(read(first.replace(",a,", ",somebody,"))).rejects.toThrow(InputError);
});
