import { metricView } from "../conclusions/evidence/view.js";
import { InputError } from "../core/errors.js";
import { nearest } from "../core/nearest.js";
import { listText } from "../core/phrases.js";
import { metricFound } from "./found.js";
import type { ShippedSet } from "./shipped-figures.js";

/** More metrics than these that begin alike are not all named. */
const mostNamed = 12;

/**
 * What is known of one metric on every set. Capitals and signs don't count ("clip-score" is CLIPScore), and the
 * beginning is enough where only one metric begins so.
 *
 * @throws InputError for one that no set has, with those that begin so or the nearest.
 */
export function viewOfMetric(asked: string, sets: readonly ShippedSet[]) {
  const name = metricCalled(asked, sets);
  const conventions = sets.flatMap((set) => {
    const convention = set.conventions[name];
    return convention === undefined ? [] : [`${convention} (${set.name})`];
  });
  return metricView(name, metricFound(name, sets), conventions);
}

function metricCalled(asked: string, sets: readonly ShippedSet[]): string {
  const known = sets.flatMap(({ metrics, judges }) => [metrics, judges].flatMap(Object.keys));
  const names = [...new Set(known)];
  if (names.includes(asked)) return asked;
  const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  const wanted = plain(asked);
  const same = names.filter((name) => plain(name) === wanted);
  const begin = wanted === "" ? [] : names.filter((name) => plain(name).startsWith(wanted));
  const meant = same.length > 0 ? same : begin;
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return only;
  throw new InputError(`Expected a metric with published evidence but received "${asked}"`, {
    hint: only === undefined ? nearHint(asked, names) : beginHint(meant),
  });
}

function beginHint(meant: readonly string[]): string {
  const rest = meant.length - mostNamed;
  const named = meant.slice(0, mostNamed).map((name) => `"${name}"`);
  return `${meant.length} begin so: ${listText(rest > 0 ? [...named, `${rest} more`] : named)}`;
}

function nearHint(asked: string, names: readonly string[]): string {
  const near = nearest(asked, names);
  return near === undefined
    ? "touchstone evidence --details lists all metrics."
    : `Did you mean "${near}"?`;
}
