import { prototypicality } from "../../../benchmarks/prototypicality/benchmark.js";
import type { PrototypicalityReport } from "../../../benchmarks/prototypicality/conclusion.js";
import { asJson } from "../../../core/json.js";
import { reportVerdict } from "../../verdicts/report-verdict.js";
import { type ShownConclusion, shown } from "../shown-benchmark.js";
import { builtPrompts } from "./built.js";

/** Shows what a prototypicality run comes to. */
export const showPrototypicality = (conclusion: PrototypicalityReport): ShownConclusion => ({
  verdict: reportVerdict(conclusion),
  example: conclusion.cards[0]?.scores[0]?.correct.key,
  json: {
    cards: conclusion.cards.length,
    claims: asJson(conclusion.claims.findings),
    differences: asJson(conclusion.differences),
    warnings: conclusion.warnings,
    selections: asJson(conclusion.selections),
    times: asJson(conclusion.times),
  },
  async pair() {
    const { examplePair } = await import("../../sections/opening.js");
    const { pairCard } = await import("../../sections/cards.js");
    const card = examplePair(conclusion);
    return card && { example: pairCard(card, conclusion), isFromLab: conclusion.fromLab };
  },
  async overview() {
    const { prototypicalityOverview } = await import("../../overviews/prototypicality-overview.js");
    return prototypicalityOverview(conclusion);
  },
  async page(options) {
    const { renderPrototypicalityReport } = await import(
      "../../pages/render-prototypicality-report.js"
    );
    return renderPrototypicalityReport(conclusion, options);
  },
});

export const shownPrototypicality = shown(prototypicality, {
  show: showPrototypicality,
  built: builtPrompts,
});
