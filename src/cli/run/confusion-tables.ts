import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  confusionGroupedRows,
  confusionImages,
  questionRows,
  swapRows,
} from "../../analysis/confusion-images.js";
import { partNamed } from "../../core/step-part.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { csvLine } from "../../files/csv-text.js";
import type { RunFolder } from "../../files/run-folder.js";
import { readRunRecords } from "../../report/run-records.js";

type Cell = string | number | null;

/**
 * Writes the rows behind an attribute confusion report into `directory`, so that it can be redone
 * from files: swap.csv (analyze contrastive: `correct` is the score of the description, `adversarial`
 * that of the swapped one), correlation.csv (analyze correlation --human-counts tp,fp,fn), and for
 * each metric that asks about attributes questions-NAME.csv (analyze attributes).
 *
 * @returns the files' paths.
 */
export async function writeConfusionTables(run: RunFolder, directory: string): Promise<string[]> {
  const { metrics, images } = confusionImages(await readRunRecords(run));
  await mkdir(directory, { recursive: true });
  const written: string[] = [];
  const write = async (name: string, columns: readonly string[], rows: readonly Cell[][]) => {
    const path = join(directory, name);
    await writeFileAtomically(path, [columns, ...rows].map((row) => csvLine(row)).join(""));
    written.push(path);
  };
  await write(
    "swap.csv",
    ["id", "metric", "domain", "generator", "prompt", "correct", "adversarial"],
    swapRows(images, metrics).map(({ id, metric, set, generator, prompt, original, swapped }) => [
      ...[id, metric, set, generator, prompt, original, swapped],
    ]),
  );
  const grouped = confusionGroupedRows(images, metrics, "f1");
  if (grouped.some(({ counts }) => counts !== null)) {
    await write(
      "correlation.csv",
      ["id", "prompt", "tp", "fp", "fn", ...metrics.map(({ id }) => id)],
      grouped.map(({ id, prompt = "", counts, scores }) => [
        ...[id, prompt, ...(counts ?? [null, null, null]), ...scores],
      ]),
    );
  }
  for (const metric of metrics) {
    const rows = questionRows(images, metric);
    if (rows.length === 0) continue;
    await write(
      `questions-${partNamed([metric.id])}.csv`,
      ["image", "prompt", "entity", "attribute", "kind", "probability"],
      rows.map(({ image, prompt = "", entity, attribute, kind, probability }) => [
        ...[image, prompt, entity, attribute, kind, probability],
      ]),
    );
  }
  return written;
}
