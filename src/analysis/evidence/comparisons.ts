import { type EvidenceItem, type EvidenceTable, meanAnswer } from "./evidence-table.js";

/** One question which of two images of a prompt is better, and every answer to it: above 0 is the first. */
export interface Comparisons {
  /** The prompt of each comparison: what intervals resample. */
  readonly cluster: Int32Array;
  readonly clusters: number;
  /** The difference of people's mean answers; 0 is a tie, NaN is no answer. */
  readonly people: Float64Array;
  /** Which image more raters prefer, each by themselves: 1, -1, or 0; NaN where one alone rated. */
  readonly majority: Float64Array;
  /** Each rater's own answer. */
  readonly raters: readonly Float64Array[];
  /** The mean answer of all raters but this one. */
  readonly others: readonly Float64Array[];
  readonly scores: Readonly<Record<string, Float64Array>>;
}

/** Means of ratings that are nearer than this are equal: they differ by rounding. */
const rounding = 1e-9;

/**
 * All pairs of images of one prompt, or the pairs that people were shown.
 *
 * @returns comparisons in the order of the items.
 */
export function comparisonsOf(table: EvidenceTable): Comparisons {
  const { items, isPairs, metrics, judges } = table;
  const prompts = new Map<string, number[]>();
  for (const [at, { prompt }] of items.entries()) {
    const others = prompts.get(prompt);
    if (others) others.push(at);
    else prompts.set(prompt, [at]);
  }
  const pairs: { readonly one: number; readonly other?: number; readonly cluster: number }[] = [];
  for (const [cluster, places] of [...prompts.values()].entries()) {
    for (const [at, one] of places.entries()) {
      if (isPairs) pairs.push({ one, cluster });
      else for (const other of places.slice(at + 1)) pairs.push({ one, other, cluster });
    }
  }
  const differences = (of: (item: EvidenceItem) => number | null | undefined) =>
    Float64Array.from(pairs, ({ one, other }) => {
      const first = answerOf(items[one], of);
      const difference = other === undefined ? first : first - answerOf(items[other], of);
      return Math.abs(difference) < rounding ? 0 : difference;
    });
  const raters = items.reduce((most, { people }) => Math.max(most, people.length), 0);
  const isAlone = raters < 2;
  const each = isAlone ? [] : [...Array(raters).keys()];
  const own = each.map((rater) => differences(({ people }) => people[rater]));
  return {
    cluster: Int32Array.from(pairs, ({ cluster }) => cluster),
    clusters: prompts.size,
    people: differences(({ people }) => meanAnswer(people)),
    majority: Float64Array.from(pairs, (_, at) => {
      const signs = own.map((answers) => Math.sign(answers[at] ?? Number.NaN));
      const given = signs.filter((sign) => !Number.isNaN(sign));
      return given.length < 2 ? Number.NaN : Math.sign(given.reduce((sum, sign) => sum + sign, 0));
    }),
    raters: own,
    others: each.map((rater) =>
      differences(({ people }) => meanAnswer(people.filter((_, at) => at !== rater))),
    ),
    scores: Object.fromEntries([
      ...metrics.map((name) => [name, differences(({ scores }) => scores[name])]),
      ...judges.map((name) => [name, differences(({ votes }) => votes[name])]),
    ]),
  };
}

const answerOf = (
  item: EvidenceItem | undefined,
  of: (item: EvidenceItem) => number | null | undefined,
): number => (item && of(item)) ?? Number.NaN;

/**
 * Credit for an answer where people prefer one of the two: 1 for the same, 0 for the other, half for a tie;
 * NaN where people tie or either is missing.
 */
export function credit(answer: number, people: number): number {
  if (!(Math.abs(people) > 0) || Number.isNaN(answer)) return Number.NaN;
  if (answer === 0) return 0.5;
  return answer > 0 === people > 0 ? 1 : 0;
}
