import { largestOf } from "touchstone-t2i/internal/core/arrays.js";
import type { ImageGenerator } from "touchstone-t2i/internal/core/models.js";
import { tableRevision } from "../stereotype-table.js";
import { type DefectRates, noDefects } from "./defect-rates.js";
import { ratesOf, skewOf } from "./painters.js";

/**
 * The lab's image generator: reads a sentence of the lab's English and paints it in one of three
 * styles. What the sentence leaves open is drawn from the seed; `defects` says how often it goes
 * wrong, and how. Its drawings are loaded when it first paints.
 */
export function labPainter({
  name,
  defects = (name === undefined ? undefined : ratesOf(name)) ?? noDefects,
}: {
  /** One of `painterNames`, `confusingPainterNames` or `skewedPainterNames`. */
  name?: string;
  defects?: Partial<DefectRates>;
} = {}): ImageGenerator {
  const rates = { ...noDefects, ...defects };
  const skew = name === undefined ? undefined : skewOf(name);
  const model = name === undefined ? "painter" : `painter-${name}`;
  const revision =
    skew === undefined ? revisionOf(rates) : `skew${skew}-${tableRevision().slice(0, 8)}`;
  return {
    identity: { provider: "lab", model, revision },
    async generate({ prompt, seed }, options) {
      options?.signal?.throwIfAborted();
      const { paintAnywhere } = await import("./painting-pool.js");
      return paintAnywhere({ prompt, seed, rates, skew });
    },
  };
}

/** Says how often it errs, as pictures at other rates are another model's. */
function revisionOf(rates: DefectRates): string {
  if (largestOf(Object.values(rates)) === 0) return "no-defects";
  const { dropExtra, miscount, driftToPrototype } = rates;
  const { leakAttribute, swapAttributes, loseAttribute } = rates;
  const { leakColour, swapColours, loseColour } = rates;
  const ofClothes = Math.max(leakAttribute, swapAttributes, loseAttribute) > 0;
  const ofThings = Math.max(leakColour, swapColours, loseColour) > 0;
  return [
    `drop${dropExtra}-miscount${miscount}-drift${driftToPrototype}`,
    ofClothes ? `-leak${leakAttribute}-swap${swapAttributes}-lose${loseAttribute}` : "",
    ofThings ? `-things-leak${leakColour}-swap${swapColours}-lose${loseColour}` : "",
  ].join("");
}
