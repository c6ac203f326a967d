import { resolve } from "node:path";
import { withInterval } from "touchstone-t2i/internal/analysis/inference/intervals.js";
import {
  descriptionText,
  loadDescriptions,
} from "touchstone-t2i/internal/benchmarks/attribute-confusion/descriptions.js";
import { table } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import type { Decomposer, DescribedEntity } from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { readTable } from "touchstone-t2i/internal/files/read-table.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { bootstrapInterval } from "touchstone-t2i/internal/stats/percentile-interval.js";
import { text } from "touchstone-t2i/internal/tables/columns.js";
import { structure } from "touchstone-t2i/internal/tables/structure-column.js";
import { percentText } from "touchstone-t2i/internal/views/number-text.js";
import { numberColumns } from "touchstone-t2i/internal/views/printed.js";

interface Known {
  readonly text: string;
  readonly right: readonly DescribedEntity[];
}

/**
 * The texts with their right structure: a table's (`text`, `entities`), or the descriptions of the
 * attribute-confusion benchmark.
 *
 * @throws InputError for a row without entities.
 */
export async function knownStructures(
  file: string | undefined,
  workingDirectory: string,
): Promise<readonly Known[]> {
  if (file === undefined) {
    return loadDescriptions().map((one) => ({ text: descriptionText(one), right: one.entities }));
  }
  const known: Known[] = [];
  const source = { name: file, path: resolve(workingDirectory, file) };
  for await (const { line, row } of readTable({ source, columns: { text, entities: structure } })) {
    if (row.entities === undefined) {
      throw new InputError(`Expected entities but received nothing (in ${file}, line ${line})`);
    }
    known.push({ text: row.text, right: row.entities });
  }
  return known;
}

/** Has a decomposer take each text apart, several at once. */
export async function evaluateDecomposer(
  decomposer: Decomposer,
  known: readonly Known[],
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
): Promise<DecompositionConclusion> {
  const rows: DecompositionRow[] = [];
  const left = known.entries();
  const work = async () => {
    for (const [at, { text: said, right }] of left) {
      const found = await decomposer.decompose(said, { signal }).catch((error: unknown) => {
        if (error instanceof NoAnswer) return undefined;
        throw error;
      });
      rows[at] = { right, found };
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, work));
  return decomposition(rows);
}

/** A text's right structure, and the one that was found; undefined where there was no answer. */
interface DecompositionRow {
  readonly right: readonly DescribedEntity[];
  readonly found: readonly DescribedEntity[] | undefined;
}

/** Share of what was found that is right, and of what is right that was found; null where it is 0 / 0. */
interface PrecisionAndRecall {
  readonly precision: Estimate;
  readonly recall: Estimate;
}

interface DecompositionConclusion {
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
export function decomposition(rows: readonly DecompositionRow[]): DecompositionConclusion {
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
        resamples: 2000,
        random: randomFrom(0, "decomposition", of),
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

/** Precision and recall as a table. */
export const decomposerText = (
  name: string,
  { n, unscored, entities, attributes }: DecompositionConclusion,
  width: number,
): string =>
  [
    `${name}: ${n} texts taken apart, ${unscored} without an answer (excluded)`,
    "",
    table(
      [{ title: "of" }, ...numberColumns("precision, % [95 %]", "recall, % [95 %]")],
      Object.entries({ entities, "attributes with their entity": attributes }).map(
        ([title, { precision, recall }]) => [title, percentText(precision), percentText(recall)],
      ),
      width,
    ),
  ].join("\n");
