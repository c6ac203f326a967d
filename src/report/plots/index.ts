export type { ExpertConclusion } from "../../analysis/stereotypes/audit-experts.js";
export { agreementFigure } from "../../conclusions/agreement/figure.js";
export { agreementView } from "../../conclusions/agreement/view.js";
export { attributesFigure } from "../../conclusions/attributes/figure.js";
export { attributesView } from "../../conclusions/attributes/view.js";
export { calibrationFigure } from "../../conclusions/calibration/figure.js";
export { calibrationView } from "../../conclusions/calibration/view.js";
export { cardsView } from "../../conclusions/card/view.js";
export { comparisonFigure } from "../../conclusions/compare/figure.js";
export { comparisonView } from "../../conclusions/compare/view.js";
export { contrastiveFigure } from "../../conclusions/contrastive/figure.js";
export {
  type ContrastiveVerdict,
  contrastiveVerdict,
} from "../../conclusions/contrastive/verdict.js";
export { contrastiveView } from "../../conclusions/contrastive/view.js";
export { correlationFigure } from "../../conclusions/correlation/figure.js";
export {
  correlationVerdict,
  type ShownCorrelation,
} from "../../conclusions/correlation/verdict.js";
export { correlationView } from "../../conclusions/correlation/view.js";
export { ensembleFigure } from "../../conclusions/ensemble/figure.js";
export { ensembleView } from "../../conclusions/ensemble/view.js";
export { preferencesFigure } from "../../conclusions/preferences/figure.js";
export { preferencesView } from "../../conclusions/preferences/view.js";
export { significanceFigure } from "../../conclusions/significance/figure.js";
export { significanceView } from "../../conclusions/significance/view.js";
export { stereotypesFigure } from "../../conclusions/stereotypes/figure.js";
export { type ExpertCheck, stereotypesView } from "../../conclusions/stereotypes/view.js";
export { swapFigure } from "../../conclusions/swap/figure.js";
export { type SwapVerdict, swapVerdict } from "../../conclusions/swap/verdict.js";
export { swapView } from "../../conclusions/swap/view.js";
export type { Figure } from "../../views/figures/figure.js";
export type { Cell, Range, View, ViewColumn, ViewTable, ViewWithData } from "../../views/view.js";
