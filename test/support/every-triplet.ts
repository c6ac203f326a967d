import {
  requestAbout,
  type Split,
  type Splitter,
  scenesOf,
} from "../../src/benchmarks/prototypicality/scenes.js";
import { domains, loadTaxonomy, pairsOf } from "../../src/benchmarks/prototypicality/taxonomy.js";
import {
  loadTemplates,
  tripletFromTemplates,
  wrongValues,
} from "../../src/benchmarks/prototypicality/templates.js";
import type { Triplet } from "../../src/benchmarks/prototypicality/triplet.js";

/** Every triplet that the prototypicality benchmark can hold, with every wrong value. */
export function* everyTriplet(splitOf: Splitter): Generator<{ split: Split; triplet: Triplet }> {
  const [taxonomy, templates] = [loadTaxonomy(), loadTemplates()];
  for (const pair of domains.flatMap((domain) => pairsOf(taxonomy, domain))) {
    for (const knob of pair.knobs) {
      for (const { split, ...scene } of scenesOf(pair, knob, { templates, splitOf, seed: 0 })) {
        for (const wrong of wrongValues(templates, knob, scene.extra, scene.right)) {
          const request = requestAbout(pair, { knob, wrong, ...scene }, templates);
          yield { split, triplet: tripletFromTemplates(request, templates) };
        }
      }
    }
  }
}
