import { groupBy } from "../../core/arrays.js";
import type { Estimate } from "../../stats/estimate.js";
import {
  type AnsweredByBoth,
  type ItemAgreement,
  isAnsweredByBoth,
  itemAgreement,
  type JudgeAgreement,
  judgeAgreement,
} from "../agreement/judge-agreement.js";
import { correlation } from "../correlation/correlation.js";
import type { IntervalOptions } from "../inference/intervals.js";
import { auditCorrection, type CorrectionConclusion } from "./audit-correction.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** Judged beside true, over the sets and items of which both are known. */
export interface AuditTruth {
  /** Spearman's rho of the judged and the true index of image sets. */
  readonly spearman: Estimate;
  /** Image sets (each phase for itself). */
  readonly n: number;
  /** One for each set, for a plot. */
  readonly sets: readonly {
    readonly query: string;
    readonly category: string;
    readonly model: string;
    readonly phase: StereotypeRow["phase"];
    readonly judged: number;
    readonly real: number;
  }[];
  /** The judge against the truth by category, model and phase. */
  readonly judge: readonly JudgeAgreement[];
  /** The same by item: which ones the judge does not see. */
  readonly items: readonly ItemAgreement[];
  /** The judge's index, corrected by its errors against the truth. */
  readonly correction: CorrectionConclusion;
}

/**
 * How the judged index follows the true one: the truth in the place of an expert who answered
 * everything.
 *
 * @param truth the true answers under the same names as the judged ones.
 */
export function auditTruth(
  judged: readonly StereotypeRow[],
  truth: readonly StereotypeRow[],
  options: IntervalOptions = {},
): AuditTruth {
  const both = besideTruth(judged, truth);
  const sets = setsOf(both.filter(isAnsweredByBoth));
  const { metrics } = correlation(
    {
      human: "the true index",
      metrics: ["judged"],
      rows: sets.map(({ query, model, phase, judged: score, real: human }) => ({
        id: JSON.stringify([query, model, phase]),
        prompt: query,
        human,
        scores: [score],
      })),
    },
    options,
  );
  return {
    spearman: metrics.judged?.spearman ?? {
      value: null,
      low: null,
      high: null,
      reason: "no set with both",
    },
    n: sets.length,
    sets,
    judge: judgeAgreement(both, options),
    items: itemAgreement(both, options),
    correction: auditCorrection(both, options),
  };
}

/** The judged rows with the true answers, null where nobody knows them. */
export function besideTruth(
  judged: readonly StereotypeRow[],
  truth: readonly StereotypeRow[],
): StereotypeRow[] {
  const real = new Map(truth.map((row) => [nameOf(row), row.present]));
  return judged.map((row) => ({ ...row, expert: real.get(nameOf(row)) ?? null }));
}

const nameOf = ({ category, query, model, phase, imageSet, item }: StereotypeRow) =>
  JSON.stringify([category, query, model, phase, imageSet, item]);

function setsOf(rows: readonly AnsweredByBoth[]): AuditTruth["sets"] {
  const found = groupBy(rows, ({ category, query, model, phase, imageSet }) =>
    JSON.stringify([category, query, model, phase, imageSet]),
  );
  return [...found.values()].map((set) => {
    const [{ query, category, model, phase }] = set;
    const mean = (whose: "present" | "expert") =>
      set.reduce((sum, row) => sum + row[whose], 0) / set.length;
    return {
      query,
      category,
      model,
      phase,
      judged: mean("present"),
      real: mean("expert"),
    };
  });
}
