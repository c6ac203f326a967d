import { groupBy } from "../../core/arrays.js";
import { type PairedTTest, pairedTTest } from "../../stats/paired-t-test.js";
import { type JudgeAgreement, judgeAgreement } from "../agreement/judge-agreement.js";
import {
  type IntervalMethod,
  type IntervalOptions,
  intervalMethod,
} from "../inference/intervals.js";
import { fewestClusters } from "../inference/prompt-clusters.js";
import { type AuditEvidence, evidenceOfAudit, type ItemCounts } from "./audit-evidence.js";
import { type IndexChange, indexChanges, isWithin, queryClusters } from "./index-change.js";
import type { StereotypeRow } from "./stereotype-row.js";

export interface StereotypeSummary extends IndexChange {
  readonly models: Readonly<Record<string, IndexChange>>;
  /** Every pair counts as independent here, also those of one query. */
  readonly test: PairedTTest;
  readonly items: Readonly<Record<string, ItemRates>>;
}

export interface StereotypeConclusion {
  readonly categories: Readonly<Record<string, StereotypeSummary>>;
  /** All categories pooled. */
  readonly overall: StereotypeSummary;
  /** Agreement of the judge with the experts, where any answered. */
  readonly judge: readonly JudgeAgreement[];
  /** Answers. */
  readonly n: number;
  readonly unscored: number;
  readonly warnings: readonly string[];
  readonly intervals: IntervalMethod;
}

/**
 * How much refined prompts lower the Social Stereotype Index of images. The index of a set is the
 * share of its answered rubric items that say 1; a pair is one (query, model, image set) before and
 * after; differences are initial minus refined. Pairs with no answer on a side are dropped and
 * counted. The order of the rows changes no number.
 *
 * @example
 * const about = { query: "q", category: "c", model: "m", imageSet: "1", item: "age" };
 * stereotypes([
 *   { ...about, phase: "initial", present: 1 },
 *   { ...about, phase: "refined", present: 0 },
 * ]).overall.difference.value // 1
 */
export const stereotypes = (
  rows: readonly StereotypeRow[],
  options: IntervalOptions = {},
): StereotypeConclusion =>
  stereotypesOf(evidenceOfAudit(rows), options, judgeAgreement(rows, options));

/** The same of evidence that was counted before. */
export function stereotypesOf(
  evidence: AuditEvidence,
  options: IntervalOptions = {},
  judge: readonly JudgeAgreement[] = [],
): StereotypeConclusion {
  const { pairs, parts, n, unscored } = evidence;
  const clusters = queryClusters(pairs.complete).count;
  const method = intervalMethod(options, { clusters, clusteredBy: "query" });
  const summaryOf = (category?: string): StereotypeSummary => {
    const its = parts.filter((part) => isWithin({ category }, part));
    const models = [...new Set(its.map(({ model }) => model))];
    const scopes = [{ category }, ...models.map((model) => ({ category, model }))];
    const [change, ...ofModels] = indexChanges(pairs, scopes, method);
    if (change === undefined) throw new RangeError("Expected a change for each scope");
    const complete = pairs.complete.filter((pair) => isWithin({ category }, pair));
    return {
      ...change,
      models: Object.fromEntries(ofModels.map((each, at) => [models[at] ?? "", each])),
      test: pairedTTest(
        complete.map(({ initial }) => initial),
        complete.map(({ refined }) => refined),
      ),
      items: itemRates(
        evidence.items.filter((each) => category === undefined || each.category === category),
      ),
    };
  };
  const categories = [...new Set(parts.map(({ category }) => category))];
  return {
    categories: Object.fromEntries(categories.map((each) => [each, summaryOf(each)])),
    overall: summaryOf(),
    judge,
    n,
    unscored,
    warnings: warningsOf(evidence),
    intervals: method,
  };
}

/** Caveats of a stereotype table, a sentence each. */
function warningsOf({ pairs: { complete, dropped }, n, unscored, uneven }: AuditEvidence) {
  const warnings: string[] = [];
  if (unscored > 0) {
    warnings.push(
      `${unscored} of ${n + unscored} answers ${unscored === 1 ? "is" : "are"} missing; an index averages the answers that there are`,
    );
  }
  if (dropped.length > 0) {
    const all = complete.length + dropped.length;
    warnings.push(
      `${dropped.length} of ${all} pairs ${dropped.length === 1 ? "is" : "are"} left out: no answer before or none after`,
    );
  }
  if (uneven > 0) {
    warnings.push(
      `in ${uneven} of ${complete.length} pairs (a query and a model) other questions were answered after than before`,
    );
  }
  for (const category of new Set(complete.map((pair) => pair.category))) {
    const queries = new Set(
      complete.filter((pair) => pair.category === category).map(({ query }) => query),
    ).size;
    if (queries < fewestClusters) {
      warnings.push(
        `${category}: ${queries} ${queries === 1 ? "query" : "queries"}; intervals from fewer than ${fewestClusters} are too narrow`,
      );
    }
  }
  return warnings;
}

/** Null where nothing was answered, or, for shares, where nothing was flagged. */
export interface ItemRates {
  /** How often the item was flagged before, of its answers: a rate. */
  readonly initial: number | null;
  readonly refined: number | null;
  /** Its part of all flags before; the shares of all items add up to 1. It is not a rate. */
  readonly shareInitial: number | null;
  readonly shareRefined: number | null;
}

/** How often each rubric item was flagged before and after, over complete pairs. */
function itemRates(counts: readonly ItemCounts[]): Record<string, ItemRates> {
  const sum = (its: readonly ItemCounts[], of: (counts: ItemCounts) => number) =>
    its.reduce((all, each) => all + of(each), 0);
  const flags = sum(counts, ({ initial }) => initial.flags);
  const flagsAfter = sum(counts, ({ refined }) => refined.flags);
  const items = groupBy(counts, ({ item }) => item);
  return Object.fromEntries(
    Array.from(items, ([item, its]) => {
      const before = sum(its, ({ initial }) => initial.flags);
      const after = sum(its, ({ refined }) => refined.flags);
      return [
        item,
        {
          initial: ratio(
            before,
            sum(its, ({ initial }) => initial.answers),
          ),
          refined: ratio(
            after,
            sum(its, ({ refined }) => refined.answers),
          ),
          shareInitial: ratio(before, flags),
          shareRefined: ratio(after, flagsAfter),
        },
      ];
    }),
  );
}

const ratio = (above: number, below: number) => (below === 0 ? null : above / below);
