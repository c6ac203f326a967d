import { solveSymmetric } from "../stats/solve-symmetric.js";

/** A point with what its map adds to it: 0 where it rests. */
export interface MappedPoint {
  readonly at: Float64Array;
  readonly residual: Float64Array;
}

/** So many steps are remembered; more hardly spare any. */
const mostSteps = 15;

/**
 * Where a map x -> x + residual(x) may rest, told from the steps before: the point of their plane at
 * which the residual, were it linear, would be least, and a step along that residual (Anderson, "Iterative
 * procedures for nonlinear integral equations", Journal of the ACM 12, 1965).
 */
export class Extrapolation {
  /** By how much each step changed the residual. */
  readonly #changes: Float64Array[] = [];
  /** By how much it changed the point, and a step along the change of the residual. */
  readonly #moves: Float64Array[] = [];
  /** Products of each change with those before and itself. */
  readonly #products: number[][] = [];

  get isEmpty(): boolean {
    return this.#moves.length === 0;
  }

  clear(): void {
    for (const list of [this.#changes, this.#moves, this.#products]) list.length = 0;
  }

  /** @param step share of the residual; the same as long as steps are remembered. */
  next({ at, residual }: MappedPoint, step: number): Float64Array {
    const next = at.slice();
    add(step, residual, next);
    const size = this.#changes.length;
    const matrix = new Float64Array(size * size);
    this.#products.forEach((row, which) => {
      matrix.set(row, which * size);
    });
    const right = this.#changes.map((change) => product(change, residual));
    solveSymmetric(matrix, right)?.forEach((share, which) => {
      add(-share, this.#moves[which] ?? next, next);
    });
    return next;
  }

  remember(from: MappedPoint, to: MappedPoint, step: number): void {
    if (this.#changes.length === mostSteps) {
      for (const list of [this.#changes, this.#moves, this.#products, ...this.#products]) {
        list.shift();
      }
    }
    const change = new Float64Array(to.at.length);
    const move = new Float64Array(to.at.length);
    for (let at = 0; at < move.length; at++) {
      const own = (to.residual[at] ?? 0) - (from.residual[at] ?? 0);
      change[at] = own;
      move[at] = (to.at[at] ?? 0) - (from.at[at] ?? 0) + step * own;
    }
    this.#changes.push(change);
    this.#moves.push(move);
    const row = this.#changes.map((other) => product(other, change));
    // Where changes are all but alike, the equations still have an answer.
    row[row.length - 1] = (row.at(-1) ?? 0) * (1 + 1e-12);
    this.#products.push(row);
  }
}

function add(share: number, values: Float64Array, into: Float64Array): void {
  for (let at = 0; at < into.length; at++) into[at] = (into[at] ?? 0) + share * (values[at] ?? 0);
}

/** Two sums at a time, which do not wait for each other. */
function product(a: Float64Array, b: Float64Array): number {
  let even = 0;
  let odd = 0;
  for (let at = 0; at < a.length; at += 2) {
    even += (a[at] ?? 0) * (b[at] ?? 0);
    odd += (a[at + 1] ?? 0) * (b[at + 1] ?? 0);
  }
  return even + odd;
}
