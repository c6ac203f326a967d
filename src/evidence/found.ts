import { acrossSets, type MetricAcrossSets, otherRules } from "../analysis/evidence/across-sets.js";
import { type QuestionKind, questionKinds } from "../analysis/evidence/evidence-table.js";
import { metricView, type QuestionFound } from "../conclusions/evidence/view.js";
import { InputError } from "../core/errors.js";
import { asJson, type Json } from "../core/json.js";
import { nearest } from "../core/nearest.js";
import { listText } from "../core/phrases.js";
import type { ShippedSet } from "./shipped-figures.js";

/** What sets with figures come to, for one question. */
export function foundFor(asked: QuestionKind, sets: readonly ShippedSet[]): QuestionFound {
  const own = sets.filter((set) => set.asked === asked && hasMetrics(set));
  return {
    asked,
    metrics: acrossSets(own, asked),
    sources: [...new Set(own.map(({ repository }) => repository))],
    sets: own.length,
    otherRules: otherRules(own),
  };
}

const hasMetrics = ({ metrics, judges }: ShippedSet) =>
  Object.keys(metrics).length + Object.keys(judges).length > 0;

/** One metric for each question that it was measured for. */
export const metricFound = (
  metric: string,
  sets: readonly ShippedSet[],
): { readonly asked: QuestionKind; readonly found: MetricAcrossSets }[] =>
  questionKinds.flatMap((asked) => {
    const found = foundFor(asked, sets).metrics.find((one) => one.metric === metric);
    return found === undefined ? [] : [{ asked, found }];
  });

/** The figures over sets of every metric and question. */
export function evidenceJson(sets: readonly ShippedSet[], version: number, verdict: string) {
  const metrics: Record<string, Record<string, Json>> = {};
  for (const asked of questionKinds) {
    for (const { metric, each, tau2, prediction, ...found } of foundFor(asked, sets).metrics) {
      metrics[metric] = {
        ...metrics[metric],
        [asked]: asJson({
          ...found,
          tau2,
          prediction,
          each: each.map(({ set, figures, leftOut }) => ({
            set,
            n: figures.n,
            unscored: figures.unscored,
            accuracyWithin: figures.accuracyWithin,
            ...(leftOut !== undefined && { leftOut }),
          })),
        }),
      };
    }
  }
  const rules = Object.fromEntries(
    questionKinds.map((asked) => [asked, asJson(foundFor(asked, sets).otherRules)]),
  );
  return { version, sets: sets.map(({ name }) => name), metrics, otherRules: rules, verdict };
}

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
    return convention === undefined ? [] : [`${set.name}: ${convention}`];
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
