import type { AgreementConclusion } from "../../../analysis/agreement/agreement.js";
import type { PairwiseAgreement } from "../../../analysis/agreement/pairwise-agreement.js";
import type { CsvRow } from "../../conclusions/flat-table.js";

/** A row for each statistic over all annotators, then for each pair and weighting. */
export const agreementRows = ({ n, intervalsOf, pairwise }: AgreementConclusion): CsvRow[] => [
  ...Object.entries(intervalsOf).map(([statistic, { value, low, high }]) => ({
    statistic,
    annotator: null,
    other: null,
    n,
    value,
    low,
    high,
  })),
  ...(pairwise === null ? [] : pairRows(pairwise)),
];

const errors = ["exact", "withinOne", "meanAbsoluteError", "bias"] as const;

const pairRows = (pairwise: PairwiseAgreement): CsvRow[] =>
  (["cohen", "linear", "quadratic", ...errors] as const).flatMap((statistic) =>
    pairwise.annotators.flatMap((annotator, a) =>
      pairwise.annotators.slice(a + 1).map((other, after) => {
        const b = a + 1 + after;
        const value = pairwise[statistic][a]?.[b] ?? null;
        const n = pairwise.n[a]?.[b] ?? 0;
        return { statistic, annotator, other, n, value, low: null, high: null };
      }),
    ),
  );
