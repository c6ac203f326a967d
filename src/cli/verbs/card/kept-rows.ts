import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import type { CardRow } from "../../../analysis/trust-card/trust-card-rows.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { readJsonLines } from "../../../files/json-lines.js";
import { kindAt } from "../../../files/regular-file.js";
import type { Environment } from "../../environment.js";

/** Rows of a card that have been asked for already, by key. */
export interface KeptRows {
  readonly size: number;
  find(key: string): CardRow | undefined;
  add(key: string, row: CardRow): Promise<void>;
}

/** Keeps nothing. */
const noRows: KeptRows = { size: 0, find: () => undefined, add: async () => {} };

/** The rows of one metric that `--run` keeps; without it none are. */
export const keptRowsOf = async (
  run: string | undefined,
  { name, environment }: { readonly name: string; readonly environment: Environment },
): Promise<KeptRows> =>
  run === undefined
    ? noRows
    : openKeptRows(resolve(environment.workingDirectory, run, "card-scores.jsonl"), name);

const number = z.number().nullable().optional();
const text = z.string().optional();
const rowSchema = z.object({
  key: z.string(),
  id: z.string(),
  metric: z.string(),
  prompt: text,
  image: text,
  score: number,
  correct: number,
  adversarial: number,
  comparison: text,
  domain: text,
  knob: text,
  human: number,
  probability: number,
  trial: text,
  paraphrase: text,
  label: z.union([z.literal(0), z.literal(1), z.null()]).optional(),
  equal: z.union([z.literal(0), z.literal(1), z.null()]).optional(),
  first: number,
  turned: number,
  degradation: text,
  level: number,
  seconds: number,
  cost: number,
});

/**
 * The rows that stand in a file, which is also a table that `card` reads; new ones are appended. A
 * last line that a killed process left torn is cut off, and its row asked again.
 *
 * @param metric what the rows' column of that name says
 * @throws InputError where the file holds something else.
 */
async function openKeptRows(path: string, metric: string): Promise<KeptRows> {
  const rows = new Map<string, CardRow>();
  const lines: string[] = [];
  let isTorn = false;
  const exists = (await kindAt(path)) !== undefined;
  if (exists) {
    const hint = "Remove the file and give the command again: what it held is asked anew.";
    const onTorn = () => {
      isTorn = true;
    };
    for await (const { value } of readJsonLines(path, { tolerateTornTail: true, hint, onTorn })) {
      const { key, metric: _, ...row } = rowSchema.parse(value);
      rows.set(key, row);
      lines.push(`${JSON.stringify(value)}\n`);
    }
  }
  if (!exists || isTorn) await writeFileAtomically(path, lines.join(""));
  return {
    size: rows.size,
    find: (key) => rows.get(key),
    add: (key, row) => appendFile(path, `${JSON.stringify({ key, metric, ...row })}\n`),
  };
}
