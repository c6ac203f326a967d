import type { DescribedEntity } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { bootstrapInterval } from "../../stats/bootstrap-interval.js";
import type { Estimate } from "../../stats/estimate.js";
import { withInterval } from "../inference/intervals.js";

/** A text's right structure, and the one that was found; undefined where there was no answer. */
export interface DecompositionRow {
  readonly right: readonly DescribedEntity[];
  readonly found: readonly DescribedEntity[] | undefined;
}

/** Share of what was found that is right, and of what is right that was found; null where it is 0 / 0. */
export interface PrecisionAndRecall {
  readonly precision: Estimate;
  readonly recall: Estimate;
}

export interface DecompositionConclusion {
  /** Texts with an answer. */
  readonly n: number;
  readonly unscored: number;
  readonly entities: PrecisionAndRecall;
  /** Attributes, each with the entity that it is of. */
  readonly attributes: PrecisionAndRecall;
}

/**
 * Judges a decomposer: precision and recall of its entities, and of its attributes with their entities,
 * pooled over all texts with an answer. Words count as the same in whatever case. Intervals draw texts,
 * 2,000 times.
 */
export function decomposition(
  rows: readonly DecompositionRow[],
  { seed = 0, resamples = 2000 }: { readonly seed?: number; readonly resamples?: number } = {},
): DecompositionConclusion {
  const answered = rows.flatMap(({ right, found }) =>
    found === undefined ? [] : [{ right, found }],
  );
  const judge = (
    parts: (structure: readonly DescribedEntity[]) => string[],
  ): PrecisionAndRecall => {
    const counts = answered.map(({ right, found }) => {
      const known = new Set(parts(right));
      const given = new Set(parts(found));
      return {
        hit: [...given].filter((one) => known.has(one)).length,
        right: known.size,
        found: given.size,
      };
    });
    const share = (of: "right" | "found") => {
      const pooled = (drawn: Iterable<number>) => {
        let hits = 0;
        let all = 0;
        for (const at of drawn) {
          hits += counts[at]?.hit ?? 0;
          all += counts[at]?.[of] ?? 0;
        }
        return hits / all;
      };
      const value = pooled(counts.keys());
      if (Number.isNaN(value)) return { value: null, low: null, high: null, reason: "0 / 0" };
      const interval = bootstrapInterval({
        units: counts.length,
        statistic: pooled,
        resamples,
        random: randomFrom(seed, "decomposition", of),
      });
      return withInterval(value, interval, { whenNone: "no interval from one text" });
    };
    return { precision: share("found"), recall: share("right") };
  };
  return {
    n: answered.length,
    unscored: rows.length - answered.length,
    entities: judge((structure) => structure.map(({ entity }) => entity.toLowerCase())),
    attributes: judge((structure) =>
      structure.flatMap(({ entity, attributes }) =>
        attributes.map((attribute) => `${attribute} ${entity}`.toLowerCase()),
      ),
    ),
  };
}
