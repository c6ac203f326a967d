import type { EnsembleRow } from "../../../analysis/ensemble/ensemble-rows.js";
import {
  type GivenTable,
  type Inputs,
  tableName,
  tableRequest,
} from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import { tableRows } from "../../../tables/table-rows.js";
import { ensembleColumns } from "./ensemble-columns.js";

/** Memberships that add up to 1 within this are made to. */
const rounding = 1e-3;

/**
 * The rows of a table of prompts' answers, all of one shape.
 *
 * @throws InputError as `tableRows` does, and with all rows whose lists are not as long as those of the
 *   first, that lack answers, or whose memberships do not add up to 1.
 */
export async function readEnsembleTable(given: GivenTable, inputs: Inputs): Promise<EnsembleRow[]> {
  const name = tableName(given);
  const rows: EnsembleRow[] = [];
  const problems: string[] = [];
  const lengths: Partial<Record<"probabilities" | "embedding" | "membership", number>> = {};
  const request = { ...(await tableRequest(given, inputs)), columns: ensembleColumns };
  for await (const { line, name: file, row } of tableRows({ ...request, unique: ["id"] })) {
    const problem = (what: string) => problems.push(`${what} (in ${file}, row of line ${line})`);
    for (const column of ["probabilities", "embedding", "membership"] as const) {
      const received = row[column]?.length;
      if (received === undefined) continue;
      lengths[column] ??= received;
      if (received !== lengths[column]) {
        problem(
          `Expected ${lengths[column]} numbers for ${column}, as above, but received ${received}`,
        );
      }
    }
    const { probabilities, membership, split, ...others } = row;
    if (probabilities === null && split !== "support") {
      problem(`Expected a list for probabilities of split ${split} but received nothing`);
    }
    const sum = membership?.reduce((total, each) => total + each, 0) ?? 1;
    if (Math.abs(sum - 1) > rounding) {
      problem(`Expected numbers that add up to 1 for membership but received a sum of ${sum}`);
    }
    rows.push({ ...others, split, membership, probabilities: probabilities ?? [] });
  }
  const isGiven = ({ membership, split }: EnsembleRow) =>
    split === "support" || membership !== null;
  if (lengths.membership !== undefined && !rows.every(isGiven)) {
    const { id } = rows.find((row) => !isGiven(row)) ?? { id: "" };
    problems.push(
      `Expected a membership in all rows or in none, but id "${id}" has none (in ${name})`,
    );
  }
  if (problems.length > 0) {
    throw new InputError(
      `Expected rows of one shape but found ${problems.length === 1 ? "1 problem" : `${problems.length} problems`} in ${name}`,
      {
        problems,
        hint: "Every row holds one probability for each prompt, in the same order: null where one gave no answer.",
      },
    );
  }
  return rows;
}
