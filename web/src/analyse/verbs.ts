import type { AnalysisVerb } from "./analysis.js";
import type { VerbList } from "./verb-list.js";

/** Set by the build: see verb-list.ts. */
declare const __ANALYSIS_VERBS__: VerbList;

/** The verbs that conclude from a table, as their forms show them. */
export const verbs: readonly AnalysisVerb[] = __ANALYSIS_VERBS__.verbs.map((verb, at) => ({
  ...verb,
  flags: Object.fromEntries(
    __ANALYSIS_VERBS__.flags.flatMap(([name, flag, of]) => (of.includes(at) ? [[name, flag]] : [])),
  ),
}));
