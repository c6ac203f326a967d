import { attributeConfusion } from "../../../benchmarks/attribute-confusion/benchmark.js";
import { asJson } from "../../../core/json.js";
import { confusionVerdict } from "../../verdicts/confusion-verdict.js";
import { shown } from "../shown-benchmark.js";
import { builtDescriptions } from "./built.js";

export const shownConfusion = shown(attributeConfusion, {
  show: (conclusion) => ({
    verdict: confusionVerdict(conclusion),
    example: conclusion.strips?.strips[0]?.key,
    json: {
      claims: asJson(conclusion.claims.findings),
      selections: asJson(conclusion.selections),
      correlations: conclusion.correlations === undefined ? null : asJson(conclusion.correlations),
      variants: asJson(conclusion.variants),
      generators: asJson(conclusion.generators),
      differences: asJson(conclusion.differences),
      warnings: conclusion.warnings,
      isUnreferenced: conclusion.isUnreferenced,
      circular: asJson(conclusion.circular),
    },
    async pair() {
      const { swapCards } = await import("../../sections/swap-cards-section.js");
      const example = swapCards(conclusion);
      return example && { example, isFromLab: conclusion.fromLab };
    },
    async overview() {
      const { confusionOverview } = await import("../../overviews/confusion-overview.js");
      return confusionOverview(conclusion);
    },
    async page() {
      const { renderConfusionReport } = await import("../../pages/render-confusion-report.js");
      return renderConfusionReport(conclusion);
    },
  }),
  built: builtDescriptions,
});
