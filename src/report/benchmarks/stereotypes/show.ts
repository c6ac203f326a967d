import { stereotypes } from "../../../benchmarks/stereotypes/benchmark.js";
import { asJson } from "../../../core/json.js";
import { auditVerdict } from "../../verdicts/audit-verdict.js";
import { shown } from "../shown-benchmark.js";

export const shownStereotypes = shown(stereotypes, {
  show(conclusion) {
    const { prices, selfAgreement, diversity, bounds, truth, experts } = conclusion;
    return {
      verdict: auditVerdict(conclusion),
      json: {
        conclusion: asJson(conclusion.conclusion),
        prices: asJson(prices),
        bounds: asJson(bounds),
        selfAgreement: asJson(selfAgreement),
        diversity: asJson(diversity),
        experts: experts === undefined ? null : asJson(experts),
        truth: truth === undefined ? null : asJson({ ...truth, sets: truth.sets.length }),
      },
      async overview() {
        const { auditOverview } = await import("../../overviews/audit-overview.js");
        return auditOverview(conclusion);
      },
      async page() {
        const { renderAuditReport } = await import("../../pages/render-audit-report.js");
        return renderAuditReport(conclusion);
      },
    };
  },
});
