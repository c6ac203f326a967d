import type { RowRatio } from "./row-ratios.js";

interface RatedRow<Answer> {
  /** The judge's; null counts as wrong. */
  readonly answer: Answer | null;
  readonly raters?: readonly (Answer | null)[] | undefined;
}

const whenEmpty = "no row has answers of two raters";

/**
 * How often one rater says what most of the others say (each left out once, over all raters and rows), which is the
 * ceiling for a judge; and how much more often the judge says the same. Others who agree on nothing do not count.
 */
export function raterRatios<Answer>(
  rows: readonly RatedRow<Answer>[],
): Readonly<Record<"oneRater" | "againstRater", RowRatio>> {
  const over = new Float64Array(rows.length);
  const right = new Float64Array(rows.length);
  const beyond = new Float64Array(rows.length);
  for (const [at, { answer, raters = [] }] of rows.entries()) {
    for (const [rater, own] of raters.entries()) {
      const most = own === null ? null : mostSay(raters.filter((_, other) => other !== rater));
      if (most === null) continue;
      over[at] = (over[at] ?? 0) + 1;
      right[at] = (right[at] ?? 0) + Number(own === most);
      beyond[at] = (beyond[at] ?? 0) + Number(answer === most) - Number(own === most);
    }
  }
  return {
    oneRater: { terms: [{ weight: 1, of: right, over }], within: [0, 1], whenEmpty },
    againstRater: { terms: [{ weight: 1, of: beyond, over }], within: [-1, 1], whenEmpty },
  };
}

/** The commonest answer; null where there is none, or several are as common. */
export function mostSay<Answer>(answers: readonly (Answer | null)[]): Answer | null {
  const counts = new Map<Answer, number>();
  for (const one of answers) if (one !== null) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, n], [, m]) => m - n);
  return first === undefined || first[1] === second?.[1] ? null : first[0];
}
