import { asJson } from "../../core/json.js";
import { claimsChapter } from "../chapters/claims.js";
import { methodsChapter } from "../chapters/methods.js";
import { unscoredChapter } from "../chapters/unscored.js";
import type { BenchmarkReport } from "../report.js";
import {
  auditFigure,
  changedIndex,
  diversityParts,
  indexParts,
  itemParts,
  judgeParts,
  priceParts,
  queryParts,
  refiningParts,
} from "./audit-view.js";
import { auditCardsChapter, auditExample } from "./cards-view.js";
import type { AuditReport } from "./conclusion.js";
import { initialTable } from "./index-tables.js";
import { publishedIndex, publishedJudge } from "./published-view.js";
import { auditVerdict } from "./verdict.js";

/** Shows what an audit comes to. Whatever a model wrote is text in it, never markup. */
export function auditReport(found: AuditReport): BenchmarkReport {
  const { conclusion, prices, bounds, selfAgreement, diversity, experts, truth, isRefined } = found;
  const verdict = auditVerdict(found);
  return {
    verdict,
    json: {
      conclusion: asJson(conclusion),
      prices: asJson(prices),
      bounds: asJson(bounds),
      selfAgreement: asJson(selfAgreement),
      diversity: asJson(diversity),
      experts: experts === undefined ? null : asJson(experts),
      truth: truth === undefined ? null : asJson({ ...truth, sets: truth.sets.length }),
    },
    isFromLab: found.fromLab,
    overview: () => ({
      figure: auditFigure(found),
      tables: [isRefined ? changedIndex(found) : initialTable(found)],
    }),
    report: () => ({
      title: `Stereotype audit: ${found.name}`,
      verdict,
      isFromLab: found.fromLab,
      figure: auditFigure(found),
      example: auditExample(found),
      caveats: isRefined ? conclusion.warnings : [],
      method: "Brackets hold 95 % intervals that resample whole queries.",
      notice: found.notice,
      chapters: [
        { id: "index", title: "By category and generator", parts: indexParts(found) },
        auditCardsChapter(found),
        { id: "items", title: "Rubric items", parts: itemParts(found) },
        ...(isRefined
          ? [{ id: "queries", title: "Queries, worst first", parts: queryParts(found) }]
          : []),
        { id: "price", title: "What refining costs", parts: priceParts(found) },
        { id: "diversity", title: "Diversity within a set", parts: diversityParts(found) },
        { id: "judge", title: "How far to trust the judge", parts: judgeParts(found) },
        claimsChapter(found.claims, [
          {
            summary: "The paper's figures",
            parts: [publishedIndex(found.published), publishedJudge(found.published)],
          },
        ]),
        { id: "refining", title: "What became of the rewriting", parts: refiningParts(found) },
        unscoredChapter(found.unscored),
        methodsChapter({
          ...found,
          tieRule: "an index is compared set by set; equal before and after is no change",
        }),
      ],
    }),
  };
}
