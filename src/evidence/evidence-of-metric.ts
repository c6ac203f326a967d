import { metricView } from "../conclusions/evidence/view.js";
import { InputError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { metricFound } from "./found.js";
import type { ShippedSet } from "./shipped-figures.js";

/** What is known of one metric on every set. @throws InputError for one that no set has, with the nearest. */
export function viewOfMetric(name: string, sets: readonly ShippedSet[]) {
  const found = metricFound(name, sets);
  if (found.length > 0) {
    const conventions = sets.flatMap((set) => {
      const convention = set.conventions[name];
      return convention === undefined ? [] : [`${convention} (${set.name})`];
    });
    return metricView(name, found, conventions);
  }
  const known = [
    ...new Set(sets.flatMap(({ metrics, judges }) => [metrics, judges].flatMap(Object.keys))),
  ];
  const meant = nearest(name, known);
  throw new InputError(`Expected a metric with published evidence but received "${name}"`, {
    hint:
      meant === undefined
        ? "touchstone evidence --details lists all metrics."
        : `Did you mean ${meant}?`,
  });
}
