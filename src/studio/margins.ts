import { isTie } from "../analysis/pairs/score-ties.js";
import type { IndexedPair } from "./indexed-pairs.js";
import type { ScoreTable } from "./score-table.js";

/** How much better the right one did by a metric, by the image's place in the index. */
export class Margins {
  readonly #margins: Float64Array;
  readonly #failed: Uint8Array;
  #size = 0;

  constructor(images: number) {
    this.#margins = new Float64Array(images).fill(Number.NaN);
    this.#failed = new Uint8Array(images);
  }

  /** How many images have one. */
  get size(): number {
    return this.#size;
  }

  /** NaN without one, 0 of a tie. */
  margin(image: number): number {
    return this.#margins[image] ?? Number.NaN;
  }

  /** Whether the right one did not do better; undefined without a margin. */
  failed(image: number): boolean | undefined {
    return Number.isNaN(this.margin(image)) ? undefined : this.#failed[image] === 1;
  }

  set(image: number, margin: number, failed: boolean): void {
    this.#margins[image] = margin;
    this.#failed[image] = failed ? 1 : 0;
    this.#size++;
  }
}

type Scored = Pick<ScoreTable, "direction" | "against" | "identity" | "value">;
interface Indexed {
  readonly rows: { readonly length: number };
  readonly tables: readonly Scored[];
}

/**
 * The margins of a metric's images, 0 where scores tie: of a contrastive pair both images have that of the pair, correct
 * minus adversarial, where a tie is a failure (ProtoBias, Eq. 5); of a description the image has that
 * of its text over the one with swapped attributes, where only a higher swapped one fails.
 */
export function marginsOf(
  table: Scored,
  { index, pairs }: { readonly index: Indexed; readonly pairs: readonly IndexedPair[] },
): Margins {
  const sign = table.direction === "higher" ? 1 : -1;
  const marginOf = (right: number, wrong: number) =>
    isTie(right, wrong) ? 0 : sign * (right - wrong);
  const found = new Margins(index.rows.length);
  if (table.against === "prompt") {
    for (const { kind, first, second } of pairs) {
      const [right, wrong] = [table.value(first), table.value(second)];
      if (kind !== "contrastive" || Number.isNaN(right) || Number.isNaN(wrong)) continue;
      const margin = marginOf(right, wrong);
      const failed = margin <= 0;
      found.set(first, margin, failed);
      found.set(second, margin, failed);
    }
  }
  const swapped =
    table.against === "own"
      ? index.tables.find((one) => one.against === "swapped" && one.identity === table.identity)
      : undefined;
  if (swapped !== undefined) {
    for (let image = 0; image < index.rows.length; image++) {
      const [right, wrong] = [table.value(image), swapped.value(image)];
      if (Number.isNaN(right) || Number.isNaN(wrong)) continue;
      const margin = marginOf(right, wrong);
      found.set(image, margin, margin < 0);
    }
  }
  return found;
}
