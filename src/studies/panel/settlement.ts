import type { AnswerTable } from "../protocols/protocol.js";
import type { PanelPay } from "./panels.js";

/** Whom to pay, by outside id: the lists that a panel takes, apart from all answers. */
export interface Settlement {
  /** Finished, and no rule of exclusion broken. */
  readonly approve: AnswerTable;
  /** Finished, but broke a rule of exclusion that was fixed before collection. */
  readonly reject: AnswerTable;
  /** What is missing to the panel's least pay for the minutes that it took. */
  readonly bonus: AnswerTable;
}

/**
 * Sorts the payments of a study.
 *
 * @param rows as `payments` makes them.
 * @param source the panel's, as other outside ids are not paid there.
 */
export function settlement(
  rows: AnswerTable,
  { source, reward, least }: PanelPay & { readonly source: string },
): Settlement {
  const finished = rows.filter((row) => row.source === source && row.finished === 1);
  const named = ({ id, study, session }: AnswerTable[number]) => ({
    id: id ?? null,
    study: study ?? null,
    session: session ?? null,
  });
  const isGood = ({ excluded_by: rule }: AnswerTable[number]) => rule === null;
  const approve = finished.filter(isGood);
  return {
    approve: approve.map(named),
    reject: finished
      .filter((row) => !isGood(row))
      .map((row) => ({ ...named(row), reason: row.excluded_by ?? null })),
    bonus: approve.flatMap((row) => {
      if (reward === undefined) return [];
      const due = ((least ?? 0) * Number(row.minutes)) / 60 - reward;
      return due < 0.01 ? [] : [{ ...named(row), amount: Math.ceil(100 * due - 1e-9) / 100 }];
    }),
  };
}
