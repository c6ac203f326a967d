import { RowNames } from "../../analysis/inference/prompt-clusters.js";
import { InputError } from "../../core/errors.js";
import { answer, numeric, optionalText, probability } from "../../tables/columns.js";
import { rows, type SumsSpec } from "../sums/sums-query.js";
import { readSums, repeated } from "../sums/sums-table.js";
import { type GivenTable, type Inputs, tableName } from "../table-options.js";

const kinds = {
  cluster_name: optionalText,
  prompted: numeric,
  said: answer,
  claimed: probability,
};

// Without prompts rows are drawn one by one, and no draw depends on what they are called.
const hasPrompts = "(SELECT COUNT(prompt) FROM read_0) > 0";

/** Answers, counted by prompt, label and probability: areas and coverage need these as they are. */
export const sums: SumsSpec<typeof kinds> = {
  name: "calibration",
  texts: { id: "id", prompt: "prompt", label: "label" },
  numbers: { probability: "probability" },
  unique: ["id"],
  derived: () => [
    {
      prompted: "CASE WHEN prompt IS NULL THEN 0 ELSE 1 END",
      cluster_name: `CASE WHEN ${hasPrompts} THEN COALESCE(prompt, id) END`,
    },
  ],
  parts: () => ({
    answers: {
      from: rows,
      by: {
        cluster_name: "cluster_name",
        prompted: "prompted",
        said: "label",
        claimed: "probability",
      },
    },
  }),
  kinds,
  required: {},
  only: { answered: [] },
};

/** @throws InputError as `readSums` does, and for rows with neither prompt nor id where others have a prompt. */
export async function read(given: GivenTable, inputs: Inputs) {
  const table = await readSums(sums, [given, inputs]);
  const { cluster_name: cluster, prompted, said, claimed } = repeated(table, "answers");
  const isNamed = cluster.names.length > 0;
  if (isNamed && cluster.codes.some((code) => code < 0)) {
    throw new InputError(
      `Expected id in each row without a prompt but ${tableName(given)} sums rows that have neither`,
    );
  }
  const names = new RowNames({
    id: isNamed ? cluster : { codes: new Int32Array(said.length), names: [""] },
    prompt: {
      codes: isNamed
        ? cluster.codes.map((code, row) => (prompted[row] === 1 ? code : -1))
        : new Int32Array(said.length).fill(-1),
      names: cluster.names,
    },
  });
  return { names, label: said, probability: claimed, draws: undefined };
}
