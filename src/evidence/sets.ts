import { readdirSync } from "node:fs";
import { loadData } from "../benchmarks/load-data.js";
import { once } from "../core/cache.js";
import { InputError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { type EvidenceSet, setSchema } from "./set-schema.js";

/** Reads data/evidence/*.yaml, by name. */
export const evidenceSets = once((): readonly EvidenceSet[] =>
  readdirSync(new URL("../../data/evidence", import.meta.url))
    .filter((file) => file.endsWith(".yaml"))
    .sort()
    .map((file) => ({
      name: file.slice(0, -".yaml".length),
      ...loadData(`evidence/${file}`, setSchema),
    })),
);

/**
 * The sets of these names; all for none.
 *
 * @throws InputError for a name that no set has.
 */
export function setsNamed(names: readonly string[]): readonly EvidenceSet[] {
  const all = evidenceSets();
  if (names.length === 0) return all;
  return names.map((name) => {
    const found = all.find((one) => one.name === name);
    if (found !== undefined) return found;
    const known = all.map((one) => one.name);
    const meant = nearest(name, known);
    throw new InputError(`Expected one of ${known.join(", ")} but received "${name}"`, {
      ...(meant !== undefined && { hint: `Did you mean ${meant}?` }),
    });
  });
}
