import {
  agreement,
  attributes,
  calibration,
  compare,
  contrastive,
  correlation,
  ensemble,
  significance,
  stereotypes,
  swapTest,
  trustCard,
} from "touchstone-t2i/analysis";
import { score, tableOf, tableRows, text } from "touchstone-t2i/tables";

/** What is concluded from each sample table (`touchstone example NAME --json`), here as in a browser. */
export const conclusions: Readonly<Record<string, (rows: string) => unknown>> = {
  agreement: (rows) => agreement(ratings(rows), { scale: "ordinal" }),
  attributes: (rows) => attributes(JSON.parse(rows)),
  calibration: (rows) => calibration(JSON.parse(rows)),
  card: (rows) => trustCard(JSON.parse(rows), { name: "m", direction: "higher", source: "table" }),
  compare: (rows) => compare(JSON.parse(rows)),
  contrastive: (rows) => contrastive(JSON.parse(rows)),
  correlation: (rows) => correlation(correlationTable(rows)),
  ensemble: (rows) => ensemble(JSON.parse(rows)),
  significance: (rows) => significance(JSON.parse(rows), { metrics: ["ece", "nll"] }),
  stereotypes: (rows) => stereotypes(JSON.parse(rows)),
  swap: (rows) => swapTest(JSON.parse(rows)),
};

/** Ratings are categories, which are texts. */
function ratings(rows: string) {
  const read: { item: string; annotator: string; value: number | null }[] = JSON.parse(rows);
  return read.map(({ value, ...row }) => ({
    ...row,
    value: value === null ? undefined : String(value),
  }));
}

function correlationTable(rows: string) {
  const metrics = ["clip-score", "vqa-score"];
  const read: { id: string; prompt: string; [column: string]: number | string | null }[] =
    JSON.parse(rows);
  const numberOf = (cell: number | string | null | undefined) =>
    typeof cell === "number" ? cell : null;
  return {
    human: "rating",
    metrics,
    rows: read.map(({ id, prompt, ...cells }) => ({
      id,
      prompt,
      human: numberOf(cells.rating),
      scores: metrics.map((metric) => numberOf(cells[metric])),
    })),
  };
}

/** The conclusion as text, to the last digit. */
export const concluded = (name: string, rows: string): string =>
  JSON.stringify(conclusions[name]?.(rows));

/** The rows of a Parquet table, from its bytes. */
export async function parquetRows(bytes: readonly number[]): Promise<string> {
  const source = tableOf("scores.parquet", Uint8Array.from(bytes));
  const rows = [];
  for await (const { row } of tableRows({ source, columns: { id: text, correct: score } })) {
    rows.push(row);
  }
  return JSON.stringify(rows);
}
