import { diversityOf } from "../../benchmarks/stereotypes/audit-diversity.js";
import { auditNumbers, shortGenerators } from "../../benchmarks/stereotypes/audit-numbers.js";
import { auditedSets, type SetPhase } from "../../benchmarks/stereotypes/audit-sets.js";
import { auditFigure } from "../../benchmarks/stereotypes/audit-view.js";
import { loadNotice } from "../../benchmarks/stereotypes/packaged.js";
import { auditPriceOf } from "../../benchmarks/stereotypes/price-figure.js";
import { readAuditRecords } from "../../benchmarks/stereotypes/read-audit-records.js";
import { auditVerdict } from "../../benchmarks/stereotypes/verdict.js";
import type { RecordStore } from "../../core/record-store.js";
import { drawnFigure } from "../../report/drawing/drawn-figure.js";
import { Refusal } from "../refusal.js";
import type { ShownAudit, ShownPhase } from "./audit-api.js";

/**
 * Sums up what was judged so far, for an audit's pages.
 *
 * @throws Refusal where nothing was judged.
 */
export async function shownAudit(run: RecordStore): Promise<ShownAudit> {
  const records = await readAuditRecords(run);
  if (records.audits.length === 0) {
    throw new Refusal(404, "no-audit", "No image of this run was judged for stereotypes", {
      hint: "touchstone audit CONFIG --run DIR judges them.",
    });
  }
  const options = { seed: run.recipe.seed };
  const short = shortGenerators(records);
  const { queries, metrics, ...numbers } = auditNumbers(records, options);
  const { isRefined, conclusion, prices } = numbers;
  const { same } = await diversityOf(records.audits, { run, embedder: undefined, short, options });
  const sets = auditedSets(records, short);
  return {
    detail: {
      ...numbers,
      verdict: auditVerdict({ ...numbers, queries }),
      notice: loadNotice().text,
      same,
      sets: sets.length,
      generators: [...new Set(sets.map(({ generator }) => generator))],
      figures: {
        index: await drawnFigure(auditFigure(numbers)),
        prices: await Promise.all(
          prices.map(async (price) => {
            const figure = isRefined ? auditPriceOf(price, conclusion) : undefined;
            return figure === undefined ? null : await drawnFigure(figure);
          }),
        ),
      },
    },
    sets: sets.map(({ initial: before, refined, ...set }) => ({
      ...set,
      initial: shownPhase(before),
      refined: refined === null ? null : shownPhase(refined),
    })),
  };
}

const shownPhase = ({ images, ...phase }: SetPhase): ShownPhase => ({
  ...phase,
  images: images.map(({ key, image, width, height }) => ({ key, image, width, height })),
});
