import type { Estimate } from "../../stats/estimate.js";
import { fewClusters } from "../inference/few-clusters.js";
import { undefinedEstimate } from "../inference/intervals.js";
import { answerRatios, answersFound, unread } from "./checked-answers.js";
import {
  cyclesOf,
  type Favour,
  type JudgeCheck,
  type JudgeCheckOptions,
  type LeanBy,
  type Sensitivity,
} from "./judge-conclusion.js";
import { findingsOf, verdictOf } from "./judge-findings.js";
import {
  answersOf,
  type Choice,
  meanOf,
  type RowRatio,
  rowRatios,
  rowsById,
  shareOf,
  signFor,
  type VoteRow,
} from "./row-ratios.js";

const choices = ["a", "b", "tie"] as const;

/** Checks a judge of pairs. */
export function checkedVotes(
  rows: readonly VoteRow[],
  { family, ...options }: JudgeCheckOptions,
): JudgeCheck {
  const counts = countsOf(rows.map(({ vote }) => vote));
  const commonest = commonestOf(counts);
  const baseline = commonestOf(countsOf(rows.map(({ human = null }) => human)));
  const answered = rows.map(({ vote: answer, human = null, raters, refused = false }) => {
    return { answer, human, raters, refused };
  });
  const placed = leanOf(rows);
  const favours = favourRatios(rows, family);
  const degraded = sensitivityRatios(rows, ({ vote, human }) =>
    vote === null || !human || human === "tie" ? null : (1 + signFor(vote, human)) / 2,
  );
  const { estimates, intervals } = rowRatios(
    rows,
    {
      ...answerRatios(answered, { commonest, baseline }),
      firstShown: firstShown(rows),
      lean: placed.ratio,
      consistency: consistency(rows),
      ...favours.ratios,
      ...degraded.ratios,
    },
    options,
  );
  const found = {
    ...answersFound(answered, estimates, { commonest, baseline }),
    answers: counts,
    firstShown: estimates.firstShown,
    consistency: estimates.consistency,
    lean: estimates.lean,
    cycles: cyclesOf(rows),
    favours: favoursFrom(favours, estimates),
    sensitivity: sensitivityFrom(degraded, estimates),
    warnings: fewClusters(intervals),
    intervals,
  };
  const findings = findingsOf(found, {
    ...estimates,
    leanBy: placed.by,
    isFamilyNamed: family !== undefined,
  });
  return { ...found, findings, verdict: verdictOf(found, findings) };
}

function countsOf(said: readonly (Choice | null)[]): Record<Choice, number> {
  const counts = { a: 0, b: 0, tie: 0 };
  for (const one of said) if (one !== null) counts[one] += 1;
  return counts;
}

/** The commonest choice, of equals the first; null where there is none. */
function commonestOf(counts: Readonly<Record<Choice, number>>): Choice | null {
  const [first] = [...choices].sort((one, other) => counts[other] - counts[one]);
  return first === undefined || counts[first] === 0 ? null : first;
}

function firstShown(rows: readonly VoteRow[]): RowRatio {
  const of = new Float64Array(rows.length);
  const over = new Float64Array(rows.length);
  for (const [at, row] of rows.entries()) {
    for (const { said, first } of answersOf(row)) {
      over[at] = (over[at] ?? 0) + 1;
      of[at] = (of[at] ?? 0) + (1 + signFor(said, first)) / 2;
    }
  }
  return { terms: [{ weight: 1, of, over }], within: [0, 1], whenEmpty: unread };
}

/** Pairs of answers about one item that are the same, each item's counted in its first row. */
function consistency(rows: readonly VoteRow[]): RowRatio {
  const of = new Float64Array(rows.length);
  const over = new Float64Array(rows.length);
  for (const places of rowsById(rows).values()) {
    const [at = 0] = places;
    const said = places.flatMap((place) => (rows[place] ? answersOf(rows[place]) : []));
    const counts = countsOf(said.map((one) => one.said));
    const pairs = (n: number) => (n * (n - 1)) / 2;
    over[at] = pairs(said.length);
    of[at] = choices.reduce((sum, choice) => sum + pairs(counts[choice]), 0);
  }
  const whenEmpty = "no item was answered twice";
  return { terms: [{ weight: 1, of, over }], within: [0, 1], whenEmpty };
}

/**
 * The preference for the first place, from -1 to 1. Where items were judged in both orders, the mean of both,
 * since then each image stood first once. Else, beside people's answers, half of the mean where people prefer
 * the first and half of that where they prefer the second, which are opposite without a preference. Else the
 * mean answer, which is 0 if places were drawn at random.
 */
function leanOf(rows: readonly VoteRow[]): { readonly by: LeanBy; readonly ratio: RowRatio } {
  const within = [-1, 1] as const;
  const both = new Float64Array(rows.length).fill(Number.NaN);
  for (const places of rowsById(rows).values()) {
    const [at = 0] = places;
    const said = places.flatMap((place) => (rows[place] ? answersOf(rows[place]) : []));
    const mean = (side: "a" | "b") => {
      const signs = said.flatMap(({ said: one, first }) =>
        first === side ? [signFor(one, side)] : [],
      );
      return signs.reduce((sum, sign) => sum + sign, 0) / signs.length;
    };
    both[at] = (mean("a") + mean("b")) / 2;
  }
  if (!both.every(Number.isNaN)) {
    return { by: "orders", ratio: { terms: [meanOf(both)], within, whenEmpty: unread } };
  }
  const where = (isWanted: (row: VoteRow) => boolean) =>
    Float64Array.from(rows, (row) => {
      const { vote, first = "a" } = row;
      return vote !== null && isWanted(row) ? signFor(vote, first) : Number.NaN;
    });
  if (!rows.some(({ human }) => human)) {
    return {
      by: "answers",
      ratio: { terms: [meanOf(where(() => true))], within, whenEmpty: unread },
    };
  }
  const other = { a: "b", b: "a" } as const;
  return {
    by: "people",
    ratio: {
      terms: [
        meanOf(
          where(({ human, first = "a" }) => human === first),
          1 / 2,
        ),
        meanOf(
          where(({ human, first = "a" }) => human === other[first]),
          1 / 2,
        ),
      ],
      within,
      whenEmpty: "people never prefer one of the places",
    },
  };
}

/** Generators that may be favoured, and what is to be estimated of each. */
interface FavourRatios {
  readonly of: readonly { readonly generator: string; readonly n: number }[];
  readonly ratios: Readonly<Record<string, RowRatio>>;
}

/**
 * What tells whether a judge favours a generator beyond people: of the family, if it is named, else of each.
 * People's answers are needed, since a generator may be better.
 */
function favourRatios(
  rows: readonly VoteRow[],
  family: readonly string[] | undefined,
): FavourRatios {
  const names = [
    ...new Set(rows.flatMap(({ a, b }) => [a, b].flatMap((name) => name ?? []))),
  ].sort();
  const groups =
    family === undefined
      ? names.map((name) => [name, new Set([name])] as const)
      : [[family.join(", "), new Set(family)] as const];
  const of: { generator: string; n: number }[] = [];
  const ratios: Record<string, RowRatio> = {};
  for (const [generator, members] of groups) {
    const cells = rows.map((row) => cellOf(row, members));
    const n = cells.filter((cell) => cell !== undefined).length;
    if (n === 0) continue;
    const where = (people: number) =>
      Float64Array.from(cells, (cell) => (cell?.people === people ? cell.judge : Number.NaN));
    const excess = Float64Array.from(cells, (cell) =>
      cell === undefined ? Number.NaN : (cell.judge - cell.people) / 2,
    );
    of.push({ generator, n });
    ratios[`lean ${generator}`] = {
      terms: [meanOf(where(1), 1 / 2), meanOf(where(-1), 1 / 2)],
      within: [-1, 1],
      whenEmpty: "people prefer it always or never",
    };
    ratios[`excess ${generator}`] = {
      terms: [meanOf(excess)],
      within: [-1, 1],
      whenEmpty: "people prefer it always or never",
    };
  }
  return { of, ratios };
}

/** What the judge and people say of the one image that is of some generators. */
function cellOf(row: VoteRow, members: ReadonlySet<string>) {
  const { a, b, human } = row;
  const [isA, isB] = [a, b].map((name) => name !== undefined && members.has(name));
  if (isA === isB || !human) return undefined;
  const side: Choice = isA ? "a" : "b";
  const said = answersOf(row).map((one) => signFor(one.said, side));
  if (said.length === 0) return undefined;
  const judge = said.reduce((sum, one) => sum + one, 0) / said.length;
  return { judge, people: signFor(human, side) };
}

const none = undefinedEstimate("it was not estimated");

const favoursFrom = (
  { of }: FavourRatios,
  estimates: Readonly<Record<string, Estimate>>,
): Favour[] =>
  of.map(({ generator, n }) => ({
    generator,
    n,
    lean: estimates[`lean ${generator}`] ?? none,
    excess: estimates[`excess ${generator}`] ?? none,
  }));

interface DegradedRow {
  readonly degradation?: string | undefined;
  readonly level?: number | null | undefined;
}

/** Copies of each kind and strength, and what is to be estimated of them. */
interface SensitivityRatios {
  readonly of: readonly Omit<Sensitivity, "share">[];
  readonly ratios: Readonly<Record<string, RowRatio>>;
}

const whenEmpty = "no copy was judged";

/**
 * What tells whether a judge sees that an image is degraded, by kind and strength.
 *
 * @param seen 1 where a row's degraded copy counts for less, 1/2 for as much, 0 for more; null where it is not known.
 */
export function sensitivityRatios<Row extends DegradedRow>(
  rows: readonly Row[],
  seen: (row: Row) => number | null,
): SensitivityRatios {
  const copies = new Map<string, { degradation: string; level: number; values: Float64Array }>();
  for (const [at, row] of rows.entries()) {
    const { degradation, level: given } = row;
    const level = given ?? 1;
    const share = degradation === undefined || level === 0 ? null : seen(row);
    if (degradation === undefined || share === null) continue;
    const its = copies.get(nameOf({ degradation, level })) ?? {
      degradation,
      level,
      values: new Float64Array(rows.length).fill(Number.NaN),
    };
    its.values[at] = share;
    copies.set(nameOf({ degradation, level }), its);
  }
  const all = [...copies.values()].sort((a, b) =>
    a.degradation < b.degradation ? -1 : a.degradation > b.degradation ? 1 : a.level - b.level,
  );
  return {
    of: all.map(({ degradation, level, values }) => ({
      degradation,
      level,
      n: values.filter((value) => !Number.isNaN(value)).length,
    })),
    ratios: Object.fromEntries(all.map((one) => [nameOf(one), shareOf(one.values, whenEmpty)])),
  };
}

const nameOf = ({ degradation, level }: Pick<Sensitivity, "degradation" | "level">) =>
  `seen ${degradation} ${level}`;

export const sensitivityFrom = (
  { of }: SensitivityRatios,
  estimates: Readonly<Record<string, Estimate>>,
): Sensitivity[] =>
  of.map((one) => ({ ...one, share: estimates[nameOf(one)] ?? undefinedEstimate(whenEmpty) }));
