import { selectSets } from "../../../src/studio/audits/select-sets.js";
import { compareRuns } from "../../../src/studio/compare/compare-runs.js";
import { explained } from "../../../src/studio/explained.js";
import type { ExportedRecord, ExportedRun } from "../../../src/studio/export/exported-page.js";
import { itemDetail } from "../../../src/studio/item-detail.js";
import { itemQuery, pairsQuery } from "../../../src/studio/item-query.js";
import { Refusal } from "../../../src/studio/refusal.js";
import { RunIndex } from "../../../src/studio/run-index.js";
import { RunView } from "../../../src/studio/run-view.js";
import { selectItems, selectPairs } from "../../../src/studio/select-items.js";
import { ApiError, type Exported } from "../shell/api.js";
import { runInMemory } from "./run-in-memory.js";

/** Answers what the pages ask as the studio's server does, by the same functions, from the page's own scripts. */
export function exportedAnswers(
  run: ExportedRun,
  records: readonly ExportedRecord[],
  trace: readonly unknown[],
): Exported {
  const view = new RunView(new RunIndex(runInMemory(run, records, trace)));
  const excluded = new Map(run.excluded);
  const reading = view.index.refresh();
  const answer = async (path: string): Promise<unknown> => {
    await reading;
    const { pathname, searchParams } = new URL(path, "file:///");
    const [, , ...parts] = pathname.split("/").map(decodeURIComponent);
    const [what, , list, key = ""] = parts;
    const query = Object.fromEntries(searchParams);
    if (what === "compare")
      return compareRuns([{ id: run.detail.id, name: run.list.directory, view, excluded }]);
    if (what === "cards" && run.cards !== undefined) return run.cards;
    if (what === "files") return { files: [], directory: run.list.directory };
    if (what === "runs" && parts.length === 1) return run.list;
    if (what === "runs" && parts.length === 2) return run.detail;
    if (list === "overview") return run.overview;
    if (list === "audit" && run.audit !== undefined) {
      return key === "sets" ? selectSets(run.audit.sets, query) : run.audit.detail;
    }
    if (list === "items" && key !== "") return itemDetail(view, key);
    if (list === "items") return selectItems(view, itemQuery(query));
    if (list === "pairs") return selectPairs(view, pairsQuery(query), excluded);
    if (list === "records")
      return explained(view, key, { conventionsOf: (metric) => run.conventions[metric] });
    throw new Refusal(404, "not-exported", "This was not exported", {
      hint: "The studio shows it where the run lies: touchstone studio RUN",
    });
  };
  return {
    ask: (path) =>
      answer(path).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        const { status, message, hint, code } = error;
        throw new ApiError(status, { code, message, ...(hint === undefined ? {} : { hint }) });
      }),
    image(_run, image, width) {
      const { whole = null, small = "" } = run.images[image] ?? {};
      return width === undefined ? (whole ?? small) : small;
    },
    look: (_run, score, at) => run.looks[score]?.[at] ?? "",
  };
}
