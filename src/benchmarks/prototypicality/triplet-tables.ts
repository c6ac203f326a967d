import { triplets } from "../../analysis/pairs/triplets.js";
import { csvLine } from "../../tables/csv-text.js";
import type { BenchmarkTables, ConcludeOptions } from "../benchmark.js";
import type { ReportedRun } from "../run-records.js";
import { readCountedRecords } from "./excluded-triplets.js";
import { runFilter } from "./run-filter.js";

const columns = [
  ...["id", "metric", "domain", "category", "knob", "prompt"],
  ...["correct", "adversarial"],
] as const;

/**
 * Lays out the triplets behind a prototypicality report as contrastive.csv (`analyze contrastive`): those
 * that passed the run's filter, or all with `unfiltered`. Controls are not among them.
 */
export async function tripletTables(
  run: ReportedRun,
  { unfiltered = false, keepFrom }: Pick<ConcludeOptions, "unfiltered" | "keepFrom"> = {},
): Promise<BenchmarkTables> {
  const records = await readCountedRecords(run);
  const filter = unfiltered ? undefined : runFilter(records, run.recipe, keepFrom);
  const { rows } = triplets({
    ...records,
    selection: filter?.selection ?? { name: "unfiltered" },
  });
  const contrastive = rows.filter(({ comparison }) => comparison === "contrastive");
  return {
    files: {
      "contrastive.csv": [columns, ...contrastive.map((row) => columns.map((name) => row[name]))]
        .map((cells) => csvLine(cells))
        .join(""),
    },
  };
}
