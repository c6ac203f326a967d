import { cohenKappa } from "../stats/cohen-kappa.js";
import type { StereotypeRow } from "./stereotypes.js";

/** How a judge's answers compare with an expert's on the same questions. */
export interface JudgeAgreement {
  readonly category: string;
  readonly model: string;
  readonly phase: StereotypeRow["phase"];
  /** Answers of both. */
  readonly n: number;
  /** The share of them that are the same. */
  readonly accuracy: number;
  /** Cohen's; null where both gave one answer throughout, so that chance explains it all. */
  readonly kappa: number | null;
  readonly reason?: string;
}

/** One for each category, model and phase with an expert's answer, in the order of the rows. */
export function judgeAgreement(rows: readonly StereotypeRow[]): JudgeAgreement[] {
  const groups = new Map<string, { about: StereotypeRow; judge: number[]; expert: number[] }>();
  for (const row of rows) {
    const { category, model, phase, present, expert = null } = row;
    if (present === null || expert === null) continue;
    const key = JSON.stringify([category, model, phase]);
    const group = groups.get(key) ?? { about: row, judge: [], expert: [] };
    group.judge.push(present);
    group.expert.push(expert);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ about: { category, model, phase }, judge, expert }) => {
    const same = judge.filter((present, index) => present === expert[index]).length;
    const kappa = cohenKappa(judge, expert);
    return {
      ...{ category, model, phase, n: judge.length, accuracy: same / judge.length },
      ...(Number.isNaN(kappa)
        ? { kappa: null, reason: "both gave the same answer throughout" }
        : { kappa }),
    };
  });
}
