import type { TestedFinding } from "../../../analysis/inference/claims.js";
import type { TieOptions } from "../../../analysis/pairs/score-ties.js";
import { readConfusionReport } from "../../../benchmarks/attribute-confusion/conclude.js";
import { readPrototypicalityReport } from "../../../benchmarks/prototypicality/conclude.js";
import type { PrototypicalityReport } from "../../../benchmarks/prototypicality/conclusion.js";
import { readAuditReport } from "../../../benchmarks/stereotypes/conclude.js";
import type { Json, JsonObject } from "../../../core/json.js";
import type { RecordStore } from "../../../core/record-store.js";
import { renderAuditReport } from "../../../report/pages/render-audit-report.js";
import { renderConfusionReport } from "../../../report/pages/render-confusion-report.js";
import { renderPrototypicalityReport } from "../../../report/pages/render-prototypicality-report.js";
import { auditVerdict } from "../../../report/verdicts/audit-verdict.js";
import { confusionVerdict } from "../../../report/verdicts/confusion-verdict.js";
import { reportVerdict } from "../../../report/verdicts/report-verdict.js";
import { standingChapters } from "../demo/standing-chapters.js";
import { type Benchmark, benchmarkOf, holdingOf } from "./benchmark-of.js";

export interface MadeReport {
  readonly verdict: readonly string[];
  /** The key of a score that the page shows. */
  readonly example: string | undefined;
  /** What --json says beside. */
  readonly json: JsonObject;
  /** @param folder where the page will lie: its links begin there. */
  page(folder: string): Promise<string>;
}

interface ReportOf extends TieOptions {
  readonly run: RecordStore;
  readonly name: string;
  /** The verdict is about all images, whatever a filter or a reference says of them. */
  readonly unfiltered?: boolean;
}

const makers: Readonly<Record<Benchmark, (of: ReportOf) => Promise<MadeReport>>> = {
  prototypicality,
  "attribute-confusion": confusion,
};

/** Draws the conclusions from a run, as its benchmark has them. */
export const makeReport = (of: ReportOf): Promise<MadeReport> =>
  holdingOf(of.run.recipe) === "stereotypes" ? audit(of) : makers[benchmarkOf(of.run.recipe)](of);

async function audit({ run, name }: ReportOf): Promise<MadeReport> {
  // Only the lab's painters say what is in their pictures.
  const isFromLab = run.recipe.models.some((model) => model.startsWith("lab:painter"));
  const truth = isFromLab
    ? await (await import("../../../lab/truth/stereotype-rows.js")).trueRows({ run })
    : undefined;
  const embedder = isFromLab
    ? (await import("../../../lab/models/lab-model.js")).labModel("dual-encoder-balanced")
    : undefined;
  const report = await readAuditReport({ run, name, truth, embedder });
  const { conclusion, prices, selfAgreement, diversity, bounds, truth: judged } = report;
  return {
    verdict: auditVerdict(report),
    example: undefined,
    json: {
      conclusion: plain(conclusion),
      prices: plain(prices),
      bounds: plain(bounds),
      selfAgreement: plain(selfAgreement),
      diversity: plain(diversity),
      truth: judged === undefined ? null : plain({ ...judged, sets: judged.sets.length }),
    },
    page: () => renderAuditReport(report),
  };
}

async function prototypicality(of: ReportOf): Promise<MadeReport> {
  return madePrototypicality(await readPrototypicalityReport(of), of.run);
}

/** The same of conclusions that were drawn already; the page links to the chapters of a demo. */
export const madePrototypicality = (
  report: PrototypicalityReport,
  { place }: RecordStore,
): MadeReport => ({
  verdict: reportVerdict(report),
  example: report.cards[0]?.scores[0]?.correct.key,
  json: {
    cards: report.cards.length,
    claims: claimsJson(report.claims.findings),
    differences: plain(report.differences),
    warnings: plain(report.warnings),
  },
  page: async (folder) =>
    renderPrototypicalityReport(report, { further: await standingChapters(place, folder) }),
});

async function confusion(of: ReportOf): Promise<MadeReport> {
  const report = await readConfusionReport(of);
  return {
    verdict: confusionVerdict(report),
    example: report.strips?.strips[0]?.key,
    json: {
      claims: claimsJson(report.claims.findings),
      selections: plain(report.selections),
      correlations: plain(report.correlations ?? null),
      variants: plain(report.variants),
      generators: plain(report.generators),
      differences: plain(report.differences),
      warnings: plain(report.warnings),
    },
    page: () => renderConfusionReport(report),
  };
}

const claimsJson = (findings: readonly TestedFinding[]): Json => plain(findings);

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
