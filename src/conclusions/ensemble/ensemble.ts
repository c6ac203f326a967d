import { ensembleOf } from "../../analysis/ensemble/ensemble.js";
import {
  type EnsembleSplit,
  type EnsembleTable,
  ensembleSplits,
} from "../../analysis/ensemble/ensemble-rows.js";
import { InputError } from "../../core/errors.js";
import { listAt, listLength } from "../../core/number-lists.js";
import type { Arguments, Given } from "../../core/options.js";
import { textAt } from "../../core/text-column.js";
import { objectives } from "../../ensembles/weight-problem.js";
import {
  type ColumnKind,
  type ListKind,
  oneOf,
  optionalAnswer,
  optionalText,
  text,
} from "../../tables/columns.js";
import { isAnswerItem, isNumberItem, listColumn } from "../../tables/list-column.js";
import type { Table } from "../../tables/shapes.js";
import { conclusion, inColumns } from "../conclusion.js";
import { judgeIntervalArguments, permutationsArgument, seedArgument } from "../shared-options.js";
import { type GivenTable, type Inputs, tableName } from "../table-options.js";
import { ensembleView } from "./view.js";

type AskedGroups = Pick<Given<typeof options>, "clusters" | "temperature">;

const isShare = (item: unknown): item is number => isNumberItem(item) && item >= 0;

/** Lists of numbers in a table in columns. */
const lists = (
  kind: ColumnKind<readonly (number | null)[] | null>,
): ListKind<readonly (number | null)[]> => ({
  ...kind,
  holds: "lists",
  read(cell, about) {
    const read = kind.read(cell, about);
    return "value" in read ? { value: read.value ?? [] } : read;
  },
});

/** A row for each pair of images, with the answers of all prompts. */
const kinds = {
  id: text,
  split: oneOf(ensembleSplits),
  label: optionalAnswer,
  probabilities: lists(
    listColumn({
      isRequired: true,
      isItem: isAnswerItem,
      expected: "a list of numbers from 0 to 1, null for no answer, such as [0.8, null]",
    }),
  ),
  embedding: lists(
    listColumn({
      isItem: isNumberItem,
      expected: "a list of numbers, such as [0.1, -0.3], or nothing",
    }),
  ),
  membership: lists(
    listColumn({
      isItem: isShare,
      expected: "a list of numbers from 0 on, such as [0.9, 0.1], or nothing",
    }),
  ),
  prompt: optionalText,
};

/** Memberships may add up to 1 within this. */
const rounding = 1e-3;

/**
 * Reads prompts' answers, all rows of one shape.
 *
 * @throws InputError as `readTable` does; with all rows whose lists are not as long as those of the first,
 *   that lack answers, or whose memberships do not add up to 1; and where the table can't give the groups
 *   that flags ask for.
 */
async function readAnswers(
  given: GivenTable & AskedGroups,
  inputs: Inputs,
): Promise<EnsembleTable> {
  const table = await inColumns(() => ({ kinds, unique: ["id"] }))(given, inputs);
  const problems = [...unlikeRows(table, tableName(given))];
  if (problems.length > 0) {
    throw new InputError(
      `Expected rows of one shape but found ${problems.length === 1 ? "1 problem" : `${problems.length} problems`} in ${tableName(given)}`,
      {
        problems,
        hint: "Every row holds one probability for each prompt, in the same order: null where one gave no answer.",
      },
    );
  }
  checkGroups(table.columns, given);
  return table.columns;
}

/** Says which rows are not as the first ones are. */
function* unlikeRows({ length, columns, place }: Table<typeof kinds>, name: string) {
  const { id, split, membership } = columns;
  const lengths: Partial<Record<"probabilities" | "embedding" | "membership", number>> = {};
  let bare = -1;
  for (let row = 0; row < length; row++) {
    const where = `(in ${name}, row of ${place(row)})`;
    for (const column of ["probabilities", "embedding", "membership"] as const) {
      const received = listLength(columns[column], row);
      if (received === 0) continue;
      lengths[column] ??= received;
      if (received !== lengths[column]) {
        yield `Expected ${lengths[column]} numbers for ${column}, as above, but received ${received} ${where}`;
      }
    }
    const isSupport = textAt(split, row) === "support";
    if (!isSupport && listLength(columns.probabilities, row) === 0) {
      yield `Expected a list for probabilities of split ${textAt(split, row)} but received nothing ${where}`;
    }
    const shares = listAt(membership, row);
    const sum = shares.length === 0 ? 1 : shares.reduce((total, each) => total + each, 0);
    if (Math.abs(sum - 1) > rounding) {
      yield `Expected numbers that add up to 1 for membership but received a sum of ${sum} ${where}`;
    }
    if (bare < 0 && !isSupport && shares.length === 0) bare = row;
  }
  if (lengths.membership !== undefined && bare >= 0) {
    yield `Expected a membership in all rows or in none, but id "${textAt(id, bare)}" has none (in ${name})`;
  }
}

/** @throws InputError where the rows hold memberships already, or have too few embeddings for the groups. */
function checkGroups(
  { split, embedding, membership }: EnsembleTable,
  { clusters, temperature }: AskedGroups,
): void {
  if (membership.values.length > 0) {
    const flag = clusters === undefined ? "--temperature" : "--clusters";
    if (clusters === undefined && temperature === undefined) return;
    throw new InputError(`Expected no ${flag} where the rows hold their membership`, {
      hint: "Leave the column membership out to have groups found in the embeddings",
    });
  }
  if (clusters === undefined || clusters === 1) return;
  const rows = Int32Array.from(split.codes.keys());
  const images = (of: EnsembleSplit) =>
    rows.filter((row) => textAt(split, row) === of && listLength(embedding, row) > 0).length;
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

export const options = {
  objective: {
    kind: "choice",
    choices: [...objectives, "auto"],
    default: "auto",
    description: "the objective that weights are fitted by",
  },
  lambda: {
    kind: "number",
    minimum: 1e-6,
    maximum: 1e6,
    description: "the weight of the entropy (default: 1); --objective auto chooses it",
  },
  clusters: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1024,
    description: "the number of image groups (default: chosen by leaving labels out)",
  },
  temperature: {
    kind: "number",
    minimum: 1e-6,
    maximum: 1e6,
    description: "the temperature of the membership (default: chosen by leaving labels out)",
  },
  restarts: {
    kind: "number",
    integer: true,
    minimum: 1,
    maximum: 1000,
    default: 3,
    description: "restarts of the clustering",
  },
  interval: judgeIntervalArguments.interval,
  resamples: judgeIntervalArguments.resamples,
  permutations: permutationsArgument("permutations of each test against the best"),
  seed: seedArgument("the random seed of clustering, bootstrap and tests"),
} as const satisfies Arguments;

export default conclusion({
  title: "Ensembles of prompts",
  description:
    "Compares ways to combine several prompts into one calibrated judge: one prompt at " +
    "random, the best one, their average, Bayesian prompt ensembles (BPE), and the " +
    "multimodal mixture of them (MMB), whose weights depend on the image. Reads JSONL, JSON, " +
    "CSV or Parquet with the columns id, split (validation: fits weights; test: evaluates " +
    "them; support: only for clustering images), label (0 or 1), probabilities (of label 1: " +
    "a list with one for each prompt, null for no answer) and, optionally, embedding (a list " +
    "of numbers) or membership (of each group), and prompt (whose rows are resampled " +
    "together). Leaving labels out chooses objective, groups and temperature where no flag " +
    "sets them. `touchstone example ensemble` prints a sample.",
  examples: [
    "touchstone analyze ensemble answers.jsonl",
    "touchstone analyze ensemble answers.jsonl --objective mixture --lambda 0.3 --clusters 16 --out ensemble.html",
    "touchstone example ensemble | touchstone analyze ensemble - --json",
  ],
  example: {
    shows: "five prompts' answers on 24 labels to fit on and 80 to judge by, with one unanswered",
  },
  page: "ensemble.html",
  options,
  read: readAnswers,
  conclude: ensembleOf,
  view: ensembleView,
  async figure(found) {
    const { ensembleFigure } = await import("./figure.js");
    return ensembleFigure(found);
  },
});
