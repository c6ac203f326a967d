import type { AgreementConclusion } from "../../../analysis/agreement/agreement.js";
import type { PairwiseAgreement } from "../../../analysis/agreement/pairwise-agreement.js";
import { csvLine } from "../../../files/csv-text.js";

/** A row for each statistic over all annotators, then for each pair and weighting; unrounded. */
export function agreementCsv({ n, intervalsOf, pairwise }: AgreementConclusion): string {
  const overall = Object.entries(intervalsOf).map(([statistic, { value, low, high }]) =>
    csvLine([statistic, null, null, n, value, low, high]),
  );
  const header = ["statistic", "annotator", "other", "n", "value", "low", "high"];
  return [csvLine(header), ...overall, ...(pairwise === null ? [] : pairLines(pairwise))].join("");
}

const pairLines = (pairwise: PairwiseAgreement) =>
  (["cohen", "linear", "quadratic"] as const).flatMap((weights) =>
    pairwise.annotators.flatMap((one, a) =>
      pairwise.annotators.slice(a + 1).map((other, after) => {
        const b = a + 1 + after;
        const kappa = pairwise[weights][a]?.[b] ?? null;
        return csvLine([weights, one, other, pairwise.n[a]?.[b] ?? 0, kappa, null, null]);
      }),
    ),
  );
