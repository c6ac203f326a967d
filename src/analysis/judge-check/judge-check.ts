import { largestOf, smallestOf } from "../../core/arrays.js";
import { square } from "../../stats/elementary/powers.js";
import { correlation } from "../correlation/correlation.js";
import { fewClusters } from "../inference/few-clusters.js";
import { undefinedEstimate } from "../inference/intervals.js";
import { answerRatios, answersFound } from "./checked-answers.js";
import { checkedVotes, sensitivityFrom, sensitivityRatios } from "./checked-votes.js";
import type { JudgeCheck, JudgeCheckOptions } from "./judge-conclusion.js";
import { findingsOf, noLabels, verdictOf } from "./judge-findings.js";
import { type RatingRow, type RowRatio, rowRatios, rowsById, type VoteRow } from "./row-ratios.js";

/**
 * Checks a judge's answers before it is trusted: what can't be read, constant answers, preference for a place,
 * contradictions, cycles, narrow use of a scale, favour for generators, blindness to degraded copies, and accuracy
 * beside the best constant answer. Thresholds and what they cost in false alarms: docs/judging.md.
 *
 * @param rows votes on pairs, or ratings; all of one kind.
 * @example
 * judgeCheck([{ id: "1", vote: "a", human: "a" }, { id: "2", vote: "a", human: "b" }]).accuracy.value // 0.5
 */
export function judgeCheck(
  rows: readonly VoteRow[] | readonly RatingRow[],
  options: JudgeCheckOptions = {},
): JudgeCheck {
  return areRatings(rows) ? checkedRatings(rows, options) : checkedVotes(rows, options);
}

const areRatings = (
  rows: readonly VoteRow[] | readonly RatingRow[],
): rows is readonly RatingRow[] => rows.some((row) => "rating" in row);

/** Checks a judge that rates one image at a time. */
function checkedRatings(
  rows: readonly RatingRow[],
  { family: _, ...options }: JudgeCheckOptions,
): JudgeCheck {
  const rated = numbersIn(rows.map(({ rating }) => rating));
  const people = numbersIn(rows.map(({ human }) => human));
  const commonest = commonestOf(rated);
  const baseline = commonestOf(people);
  const answered = rows.map(({ rating: answer, human = null, raters, refused = false }) => {
    return { answer, human, raters, refused };
  });
  const degraded = sensitivityRatios(rows, seenBeside(rows));
  const { estimates, intervals } = rowRatios(
    rows,
    {
      ...answerRatios(answered, { commonest, baseline }),
      consistency: consistency(rows, tolerance(rated)),
      ...degraded.ratios,
    },
    options,
  );
  const tau =
    people.length === 0
      ? undefinedEstimate(noLabels)
      : (correlation(
          {
            human: "human",
            metrics: ["judge"],
            rows: rows.map(({ id, prompt, human = null, rating }) => ({
              id,
              prompt,
              human,
              scores: [rating],
            })),
          },
          options,
        ).metrics.judge?.kendallTauB ?? undefinedEstimate(noLabels));
  const found = {
    ...answersFound(answered, estimates, { commonest, baseline }),
    answers: Object.fromEntries(
      [...countsOf(rated)]
        .sort(([one], [other]) => one - other)
        .map(([rating, n]) => [String(rating), n]),
    ),
    firstShown: undefinedEstimate("one image is rated at a time"),
    consistency: estimates.consistency,
    kendallTauB: tau,
    levels: {
      used: levelsUsed(rated),
      of: scaleOf(rated).levels,
      people: people.length === 0 ? null : levelsUsed(people),
    },
    sensitivity: sensitivityFrom(degraded, estimates),
    warnings: fewClusters(intervals),
    intervals,
  };
  const findings = findingsOf(found, {
    ...estimates,
    byChance: sameByChance(rated),
  });
  return { ...found, findings, verdict: verdictOf(found, findings) };
}

const numbersIn = (values: readonly (number | null | undefined)[]): number[] =>
  values.filter((value) => typeof value === "number");

function countsOf(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** The commonest number, of equals the smallest; null where there is none. */
const commonestOf = (values: readonly number[]): number | null =>
  [...countsOf(values)].sort(([a, n], [b, m]) => m - n || a - b)[0]?.[0] ?? null;

/** The scale that ratings seem to have: 0 or 1 to 5, 10 or 100, or 0 to 1; a fine one counts by tenths. */
function scaleOf(values: readonly number[]): { readonly step: number; readonly levels: number } {
  if (values.length === 0) return { step: 1, levels: 0 };
  const most = largestOf(values);
  const isWhole = values.every(Number.isInteger);
  if (most <= 1) return isWhole ? { step: 1, levels: 2 } : { step: 0.1, levels: 10 };
  if (most > 10) return { step: most <= 100 ? 10 : most / 10, levels: 10 };
  const lowest = smallestOf(values) <= 0 ? 0 : 1;
  return { step: 1, levels: (most <= 5 ? 5 : 10) + 1 - lowest };
}

/** The fewest levels that together hold 95 % of the ratings. */
function levelsUsed(values: readonly number[]): number {
  const { step } = scaleOf(values);
  const counts = [...countsOf(values.map((value) => Math.round(value / step))).values()];
  let held = 0;
  for (const [at, count] of counts.sort((a, b) => b - a).entries()) {
    held += count;
    if (held >= 0.95 * values.length) return at + 1;
  }
  return 0;
}

/** Two ratings no further apart count as the same: a tenth of a fine scale, none of a coarse one. */
const tolerance = (values: readonly number[]): number => {
  const { step } = scaleOf(values);
  return step === 1 ? 0 : step;
};

/** How often two ratings drawn at random are the same. */
function sameByChance(values: readonly number[]): number {
  const { step } = scaleOf(values);
  const n = Math.max(1, values.length);
  const counts = [...countsOf(values.map((value) => Math.round(value / step))).values()];
  return counts.reduce((sum, count) => sum + square(count / n), 0);
}

/** Pairs of ratings of one image, at one level of degradation, that are the same. */
function consistency(rows: readonly RatingRow[], within: number): RowRatio {
  const of = new Float64Array(rows.length);
  const over = new Float64Array(rows.length);
  const alike = rows.map(({ id, degradation = "", level }) => ({
    id: JSON.stringify([id, degradation, level ?? 0]),
  }));
  for (const places of rowsById(alike).values()) {
    const [at = 0] = places;
    const said = numbersIn(places.map((place) => rows[place]?.rating));
    for (const [first, one] of said.entries()) {
      for (const other of said.slice(first + 1)) {
        over[at] = (over[at] ?? 0) + 1;
        if (Math.abs(one - other) <= within) of[at] = (of[at] ?? 0) + 1;
      }
    }
  }
  return { terms: [{ weight: 1, of, over }], within: [0, 1], whenEmpty: "no item was rated twice" };
}

/** Whether a degraded copy is rated below the image as it is (the row of its id at level 0, or without a kind). */
function seenBeside(rows: readonly RatingRow[]): (row: RatingRow) => number | null {
  const plain = new Map<string, number>();
  for (const { id, rating, degradation, level } of rows) {
    if (rating !== null && (degradation === undefined || level === 0)) plain.set(id, rating);
  }
  return ({ id, rating }) => {
    const before = plain.get(id);
    if (before === undefined || rating === null) return null;
    return (1 + Math.sign(before - rating)) / 2;
  };
}
