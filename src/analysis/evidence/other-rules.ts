import { mostUnscored, type SetOfFigures } from "./across-sets.js";
import type { MetricFigures } from "./set-figures.js";

/** How often another metric is first where sets are read by another rule. */
export interface OtherRule {
  readonly rule: string;
  /** Sets on which it says something of two metrics or more. */
  readonly sets: number;
  /** Those of them whose first metric is another than by pairs of one prompt. */
  readonly moved: readonly {
    readonly set: string;
    readonly first: string;
    readonly byThisRule: string;
  }[];
}

const rules: readonly (readonly [rule: string, of: (figures: MetricFigures) => number | null])[] = [
  ["the order of most raters, not of their mean", ({ accuracyMajority }) => accuracyMajority],
  ["people's ties are answers", ({ accuracyTies }) => accuracyTies.value],
  ["pairs of all prompts", ({ accuracyPooled }) => accuracyPooled.value],
  ["Kendall's tau-b over all images", ({ kendallTauB }) => kendallTauB.value],
  ["Spearman's rho over all images", ({ spearman }) => spearman.value],
  ["Pearson's r over all images", ({ pearson }) => pearson.value],
];

/**
 * Which metric is first on each set, by the rule of the table (pairs of one prompt, ties half) and by others. Metrics
 * that left out more than a tenth of a set do not count on it.
 */
export const otherRules = (sets: readonly SetOfFigures[]): OtherRule[] =>
  rules.map(([rule, of]) => {
    const compared = sets.flatMap((set) => {
      const metrics = Object.entries({ ...set.metrics, ...set.judges }).filter(
        ([, { n, unscored, accuracyWithin }]) =>
          accuracyWithin.value !== null && unscored <= mostUnscored * (n + unscored),
      );
      const told = metrics.filter(([, figures]) => of(figures) !== null);
      if (told.length < 2) return [];
      const first = firstBy(told, ({ accuracyWithin }) => accuracyWithin.value);
      return [{ set: set.name, first, byThisRule: firstBy(told, of) }];
    });
    return {
      rule,
      sets: compared.length,
      moved: compared.filter(({ first, byThisRule }) => first !== byThisRule),
    };
  });

function firstBy(
  metrics: readonly (readonly [name: string, figures: MetricFigures])[],
  of: (figures: MetricFigures) => number | null,
): string {
  const [first] = metrics.toSorted(([, one], [, other]) => (of(other) ?? 0) - (of(one) ?? 0));
  return first?.[0] ?? "";
}
