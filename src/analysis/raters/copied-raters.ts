import { exp } from "../../stats/elementary/exponential.js";
import { onlyRatings } from "./held-out.js";
import { fitRaters, type RaterTable } from "./rater-model.js";
import { dawidSkene } from "./rater-models.js";

/** Raters are compared on so many shared items or more. */
const fewestShared = 20;
/** Copies give the same answer at least so often. */
const leastSame = 0.95;
/** What the others say of an item counts as known from this probability on. */
const known = 0.95;
/** Of all pairs together; a smaller share of innocent tables is accused. */
const level = 0.001;
/** Of each pair. Wrong suspicion costs a vote, a missed copy makes two raters look right together. */
const suspicion = 0.05;
/** More raters are not compared with each other. */
const mostRaters = 500;

export interface CopiedRaters {
  /** For each rater the number of the other; undefined where there is none. */
  readonly copies: readonly (number | undefined)[];
  /** Raters who may copy each other, by number: they share one vote. */
  readonly together: readonly (readonly number[])[];
  /** How much each rater's answers count. */
  readonly votes: Float64Array;
}

/**
 * Who gives the same answers as another: on 95 % of 20 shared items or more, and, where the other raters leave little
 * doubt about the right answer, with fewer differences than two raters have who err so often by themselves (Poisson, each
 * pair at .001 over the number of pairs; at .05 they share a vote).
 */
export function copiedRaters(table: RaterTable): CopiedRaters {
  const { raters, item, rater, label } = table;
  const copies: (number | undefined)[] = Array.from({ length: raters }, () => undefined);
  const groups = Array.from({ length: raters }, (_, one) => [one]);
  const found = () => ({
    copies,
    together: [...new Set(groups)].filter(({ length }) => length > 1),
    votes: Float64Array.from(groups, ({ length }) => 1 / length),
  });
  if (raters > mostRaters) return found();
  const labels = copies.map(() => new Map<number, number>());
  for (let at = 0; at < item.length; at++) {
    labels[rater[at] ?? 0]?.set(item[at] ?? 0, label[at] ?? 0);
  }
  const pairs = (raters * (raters - 1)) / 2;
  for (const [one, own] of labels.entries()) {
    for (const [other, others] of labels.entries()) {
      if (other <= one) continue;
      const shared = [...own.keys()].filter((place) => others.has(place));
      const isSame = (place: number) => own.get(place) === others.get(place);
      const same = shared.filter(isSame).length;
      if (shared.length < fewestShared || same < leastSame * shared.length) continue;
      const right = knownWithout(table, [one, other]);
      const sure = shared.filter((place) => right.has(place));
      if (sure.length < fewestShared) continue;
      const different = sure.filter((place) => !isSame(place)).length;
      const expected = expectedDifferences(
        sure.map((place) => [right.get(place) ?? 0, own.get(place) ?? 0, others.get(place) ?? 0]),
        table.categories,
      );
      const p = poissonAtMost(different, expected);
      if (p > suspicion) continue;
      const group = [...new Set([...(groups[one] ?? []), ...(groups[other] ?? [])])];
      for (const member of group) groups[member] = group;
      if (p > level / pairs) continue;
      copies[one] ??= other;
      copies[other] ??= one;
    }
  }
  return found();
}

/** The right answer of each item of which all but some raters leave little doubt. */
function knownWithout(table: RaterTable, left: readonly number[]): Map<number, number> {
  const rows = [...table.rater.keys()].filter((at) => !left.includes(table.rater[at] ?? -1));
  const { posterior } = fitRaters(dawidSkene(), onlyRatings(table, rows));
  const found = new Map<number, number>();
  for (let at = 0; at < posterior.length; at++) {
    if ((posterior[at] ?? 0) < known) continue;
    found.set(Math.floor(at / table.categories), at % table.categories);
  }
  return found;
}

/** How often two raters would differ who err by themselves as often as these, each right answer for itself. */
function expectedDifferences(
  answers: readonly (readonly [right: number, own: number, others: number])[],
  categories: number,
): number {
  let sum = 0;
  for (let right = 0; right < categories; right++) {
    const its = answers.filter(([truth]) => truth === right);
    let same = 0;
    for (let said = 0; said < categories; said++) {
      const count = (of: 1 | 2) => its.filter((answer) => answer[of] === said).length;
      same += count(1) * count(2);
    }
    if (its.length > 0) sum += its.length - same / its.length;
  }
  return sum;
}

/** P(X ≤ count) of a Poisson variable with this mean. */
function poissonAtMost(count: number, mean: number): number {
  let term = exp(-mean);
  let sum = term;
  for (let k = 1; k <= count; k++) {
    term *= mean / k;
    sum += term;
  }
  return sum;
}
