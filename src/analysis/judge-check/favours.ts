import type { Estimate } from "../../stats/estimate.js";
import { undefinedEstimate } from "../inference/intervals.js";
import type { Favour } from "./judge-conclusion.js";
import { answersOf, type Choice, signFor, type VoteRow } from "./judge-rows.js";
import { meanOf, type RowRatio } from "./row-ratios.js";

/** Generators that may be favoured, and what is to be estimated of each. */
export interface FavourRatios {
  readonly of: readonly { readonly generator: string; readonly n: number }[];
  readonly ratios: Readonly<Record<string, RowRatio>>;
}

/**
 * What tells whether a judge favours a generator beyond people: of the family, if it is named, else of each.
 * People's answers are needed, since a generator may be better.
 */
export function favourRatios(
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

export const favoursFrom = (
  { of }: FavourRatios,
  estimates: Readonly<Record<string, Estimate>>,
): Favour[] =>
  of.map(({ generator, n }) => ({
    generator,
    n,
    lean: estimates[`lean ${generator}`] ?? none,
    excess: estimates[`excess ${generator}`] ?? none,
  }));
