import { benchmarkOf } from "../../benchmarks/benchmarks.js";
import { runTrustCards } from "../../benchmarks/run-cards.js";
import { stereotypes } from "../../benchmarks/stereotypes/benchmark.js";
import { TouchstoneError } from "../../core/errors.js";
import type { RecordStore } from "../../core/record-store.js";
import { shownAudit } from "../audits/audits.js";
import { wholeRun } from "../run-list.js";
import type { ExportedRun } from "./exported-page.js";

/** Draws a run's conclusions for the pages of audits and trust cards, as far as there are any. */
export async function exportedConclusions(
  run: RecordStore,
  name: string,
): Promise<Pick<ExportedRun, "audit" | "cards">> {
  const benchmark = benchmarkOf(run.recipe);
  const audit =
    benchmark === stereotypes ? await shownAudit(run).catch(nothingToConclude) : undefined;
  const cards =
    benchmark?.cards === undefined
      ? undefined
      : await runTrustCards(run, name).catch(nothingToConclude);
  return {
    ...(audit === undefined ? {} : { audit }),
    ...(cards === undefined
      ? {}
      : {
          cards: {
            sources: [{ id: `run:${wholeRun}`, name, isShown: true }],
            cards: cards.map((card) => ({ from: name, card })),
            problems: [],
          },
        }),
  };
}

/** Nothing was judged or scored yet: the page says so. */
function nothingToConclude(error: unknown): undefined {
  if (!(error instanceof TouchstoneError)) throw error;
}
