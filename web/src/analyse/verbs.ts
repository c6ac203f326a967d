import type { Conclusion } from "../../../src/cli/conclusions/conclusion-verb.js";
import agreement from "../../../src/cli/verbs/analyze/analyze-agreement.js";
import attributes from "../../../src/cli/verbs/analyze/analyze-attributes.js";
import calibration from "../../../src/cli/verbs/analyze/analyze-calibration.js";
import contrastive from "../../../src/cli/verbs/analyze/analyze-contrastive.js";
import correlation from "../../../src/cli/verbs/analyze/analyze-correlation.js";
import ensemble from "../../../src/cli/verbs/analyze/analyze-ensemble.js";
import preferences from "../../../src/cli/verbs/analyze/analyze-preferences.js";
import significance from "../../../src/cli/verbs/analyze/analyze-significance.js";
import stereotypes from "../../../src/cli/verbs/analyze/analyze-stereotypes.js";
import swap from "../../../src/cli/verbs/analyze/analyze-swap.js";
import compare from "../../../src/cli/verbs/compare/compare.js";

/** The verbs that conclude from a table, the very ones of the command line. */
export const verbs: Readonly<Record<string, Conclusion>> = {
  contrastive,
  swap,
  correlation,
  preferences,
  agreement,
  calibration,
  attributes,
  stereotypes,
  ensemble,
  significance,
  compare,
};

/** The verb's words on a command line. */
export const wordsOf = (name: string): string[] =>
  name === "compare" ? [name] : ["analyze", name];
