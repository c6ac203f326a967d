import { type EnsembleRow, ensembleSplits } from "../../analysis/ensemble/ensemble-rows.js";
import { InputError } from "../../core/errors.js";
import type { Given } from "../../core/options.js";
import { oneOf, optionalAnswer, optionalText, text } from "../../tables/columns.js";
import { isAnswerItem, isNumberItem, listColumn } from "../../tables/list-column.js";
import type { Tells } from "../../tables/shapes.js";
import { tableRows } from "../../tables/table-rows.js";
import { type GivenTable, type Inputs, tableName, tableRequest } from "../table-options.js";
import type { options } from "./options.js";

type AskedGroups = Pick<Given<typeof options>, "clusters" | "temperature">;

const isShare = (item: unknown): item is number => isNumberItem(item) && item >= 0;

/** A row for each pair of images, with the answers of all prompts. */
const kinds = {
  id: text,
  split: oneOf(ensembleSplits),
  label: optionalAnswer,
  probabilities: listColumn({
    isRequired: true,
    isItem: isAnswerItem,
    expected: "a list of numbers from 0 to 1, null for no answer, such as [0.8, null]",
  }),
  embedding: listColumn({
    isItem: isNumberItem,
    expected: "a list of numbers, such as [0.1, -0.3], or nothing",
  }),
  membership: listColumn({
    isItem: isShare,
    expected: "a list of numbers from 0 on, such as [0.9, 0.1], or nothing",
  }),
  prompt: optionalText,
};

export const tells: Tells = {
  columns: {
    id: text,
    split: text,
    probabilities: listColumn({ isItem: isAnswerItem, expected: "", isRequired: true }),
  },
};

/** Memberships may add up to 1 within this. */
const rounding = 1e-3;

/**
 * Reads prompts' answers, all rows of one shape.
 *
 * @throws InputError as `tableRows` does; with all rows whose lists are not as long as those of the first,
 *   that lack answers, or whose memberships do not add up to 1; and where the table can't give the groups
 *   that flags ask for.
 */
export async function readAnswers(
  given: GivenTable & AskedGroups,
  inputs: Inputs,
): Promise<EnsembleRow[]> {
  const name = tableName(given);
  const rows: EnsembleRow[] = [];
  const problems: string[] = [];
  const lengths: Partial<Record<"probabilities" | "embedding" | "membership", number>> = {};
  const request = { ...(await tableRequest(given, inputs)), columns: kinds };
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
  checkGroups(rows, given);
  return rows;
}

/** @throws InputError where the rows hold memberships already, or have too few embeddings for the groups. */
function checkGroups(rows: readonly EnsembleRow[], { clusters, temperature }: AskedGroups): void {
  if (rows.some(({ membership }) => membership !== null)) {
    const flag = clusters === undefined ? "--temperature" : "--clusters";
    if (clusters === undefined && temperature === undefined) return;
    throw new InputError(`Expected no ${flag} where the rows hold their membership`, {
      hint: "Leave the column membership out to have groups found in the embeddings",
    });
  }
  if (clusters === undefined || clusters === 1) return;
  const images = (split: EnsembleRow["split"]) =>
    rows.filter((row) => row.split === split && row.embedding !== null).length;
  const found = images("support") || images("validation");
  if (found < clusters) {
    throw new InputError(
      `Expected at least ${clusters} embeddings for --clusters ${clusters} but found ${found}`,
      {
        hint: "Groups are found in the rows of split support, or of validation where there are none",
      },
    );
  }
}
