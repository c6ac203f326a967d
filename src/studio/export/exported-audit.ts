import { benchmarkOf } from "../../benchmarks/benchmarks.js";
import { stereotypes } from "../../benchmarks/stereotypes/benchmark.js";
import type { RecordStore } from "../../core/record-store.js";
import { shownAudit } from "../audits/audits.js";
import { Refusal } from "../refusal.js";
import type { ExportedRun } from "./exported-run.js";

/** What its audit's pages show, where a run's images were judged for stereotypes. */
export async function exportedAudit(run: RecordStore): Promise<Pick<ExportedRun, "audit">> {
  if (benchmarkOf(run.recipe) !== stereotypes) return {};
  try {
    return { audit: await shownAudit(run) };
  } catch (error) {
    // Nothing was judged yet: its page says so.
    if (error instanceof Refusal) return {};
    throw error;
  }
}
