export type { ExpertConclusion } from "../../analysis/stereotypes/audit-experts.js";
export { agreementFigure } from "../../conclusions/agreement/figure.js";
export { agreementView } from "../../conclusions/agreement/view.js";
export type { Figure } from "../../views/figures/figure.js";
export type { ReadableConclusion, TextColumn, TextTable } from "../../views/text-table.js";
export { readableAttributes } from "../text/attributes-text.js";
export { calibrationVerdict, readableCalibration } from "../text/calibration-text.js";
export { readableCards } from "../text/card-text.js";
export { readableComparison } from "../text/comparison-text.js";
export { readableContrastive } from "../text/contrastive-tables.js";
export {
  correlationVerdict,
  readableCorrelation,
  type ShownCorrelation,
} from "../text/correlation-text.js";
export { readableEnsemble } from "../text/ensemble-text.js";
export { readablePreferences } from "../text/preferences-text.js";
export { readableSignificance } from "../text/significance-text.js";
export { type ExpertCheck, readableStereotypes } from "../text/stereotypes-text.js";
export { readableSwap, type SwapVerdict, swapVerdict } from "../text/swap-text.js";
export { type ContrastiveVerdict, contrastiveVerdict } from "../verdicts/contrastive-verdict.js";
export { attributesFigure } from "./attributes-plot.js";
export { calibrationFigure } from "./calibration-plot.js";
export { comparisonFigure } from "./comparison-plot.js";
export { contrastiveFigure } from "./contrastive-plot.js";
export { correlationFigure } from "./correlation-plot.js";
export { ensembleFigure } from "./ensemble-plot.js";
export { preferencesFigure } from "./preferences-plot.js";
export { significanceFigure } from "./significance-plot.js";
export { stereotypesFigure } from "./stereotypes-plot.js";
export { swapFigure } from "./swap-plot.js";
