import type { Estimate } from "../../stats/estimate.js";
import { noLabels } from "./judge-findings.js";
import { meanOf, type RowRatio, shareOf } from "./row-ratios.js";

/** A judge's answer beside people's; null for none. */
export interface AnsweredRow<Answer> {
  readonly answer: Answer | null;
  readonly human: Answer | null;
  readonly raters: readonly (Answer | null)[] | undefined;
  readonly refused: boolean;
}

export const unread = "no answer can be read";
const noRows = "there are no rows";

/**
 * What is measured of any judge: silence, its commonest answer, and accuracy beside the best constant one.
 *
 * @param commonest the judge's answer.
 * @param baseline people's.
 */
export function answerRatios<Answer>(
  rows: readonly AnsweredRow<Answer>[],
  { commonest, baseline }: Readonly<Record<"commonest" | "baseline", Answer | null>>,
) {
  type Row = AnsweredRow<Answer>;
  const share = (of: (row: Row) => boolean, whenEmpty: string, isIn = (_: Row) => true): RowRatio =>
    shareOf(
      Float64Array.from(rows, (row) => (isIn(row) ? Number(of(row)) : Number.NaN)),
      whenEmpty,
    );
  const isRead = ({ answer }: Row) => answer !== null;
  const isLabelled = ({ human }: Row) => human !== null;
  const isRight = ({ answer, human }: Row) => answer === human;
  const beyond = (row: Row) => Number(isRight(row)) - Number(row.human === baseline);
  return {
    unparsedShare: share(({ answer, refused }) => answer === null && !refused, noRows),
    refusedShare: share(({ refused }) => refused, noRows),
    constantShare: share(({ answer }) => answer === commonest, unread, isRead),
    peopleShare: share(({ human }) => human === commonest, noLabels, isLabelled),
    accuracy: share(isRight, noLabels, isLabelled),
    accuracyParsed: share(isRight, noLabels, (row) => isLabelled(row) && isRead(row)),
    againstBaseline: {
      terms: [
        meanOf(Float64Array.from(rows, (row) => (isLabelled(row) ? beyond(row) : Number.NaN))),
      ],
      within: [-1, 1],
      whenEmpty: noLabels,
    } satisfies RowRatio,
    ...raterRatios(rows),
  };
}

/** The same as a conclusion has it. */
export function answersFound<Answer>(
  rows: readonly AnsweredRow<Answer>[],
  {
    constantShare,
    ...estimates
  }: Readonly<Record<keyof ReturnType<typeof answerRatios>, Estimate>>,
  { commonest, baseline }: Readonly<Record<"commonest" | "baseline", Answer | null>>,
) {
  const { accuracy, accuracyParsed, againstBaseline, oneRater, againstRater } = estimates;
  const count = (is: (row: AnsweredRow<Answer>) => boolean) => rows.filter(is).length;
  const labelled = count(({ human }) => human !== null);
  const unparsed = count(({ answer }) => answer === null);
  const named = (answer: Answer | null) => (answer === null ? null : String(answer));
  return {
    n: rows.length,
    unparsed,
    unscored: unparsed,
    refused: count(({ refused }) => refused),
    constant: { answer: named(commonest), share: constantShare.value },
    labelled,
    accuracy,
    accuracyParsed,
    baseline: {
      answer: named(baseline),
      accuracy: baseline === null ? null : count(({ human }) => human === baseline) / labelled,
    },
    againstBaseline,
    ...(rows.some(({ raters }) => raters) && { oneRater, againstRater }),
  };
}

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
function raterRatios<Answer>(
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
