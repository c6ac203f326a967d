import { resolve } from "node:path";
import {
  type DecompositionConclusion,
  type DecompositionRow,
  decomposition,
} from "touchstone-t2i/internal/analysis/confusion/decomposition.js";
import {
  descriptionText,
  loadDescriptions,
} from "touchstone-t2i/internal/benchmarks/attribute-confusion/descriptions.js";
import { table } from "touchstone-t2i/internal/cli/terminal/terminal-table.js";
import { InputError } from "touchstone-t2i/internal/core/errors.js";
import type { Decomposer, DescribedEntity } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { readTable } from "touchstone-t2i/internal/files/read-table.js";
import { text } from "touchstone-t2i/internal/tables/columns.js";
import { structure } from "touchstone-t2i/internal/tables/structure-column.js";
import { percentText } from "touchstone-t2i/internal/views/number-text.js";
import { numberColumns } from "touchstone-t2i/internal/views/text-table.js";

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
