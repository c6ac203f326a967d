import { InputError } from "../core/errors.js";
import type { Arguments } from "../core/options.js";
import { filledTable } from "../tables/filled-table.js";
import type { GivenTable, Inputs } from "./table-options.js";

/** Tables of `label plan` that people have answered. */
export const answeredArgument = {
  answered: {
    kind: "text",
    repeated: true,
    value: "FILE",
    description:
      "a table of label plan with people's answers: its labels, weights and rounds are put into the rows of the " +
      "table that it was drawn from",
  },
} as const satisfies Arguments;

/** What the answers to a drawn table add to that table, beside the columns of people's answers. */
const drawColumns = ["weight", "stratum", "round"];

/**
 * Puts --answered into the table that is read.
 *
 * @param columns those with people's answers.
 * @throws InputError where several tables are read, and as `filledTable` does.
 */
export function withAnswered<Given extends GivenTable & { readonly answered?: readonly string[] }>(
  given: Given,
  inputs: Inputs,
  columns: readonly string[],
): { readonly given: Given; readonly inputs: Inputs } {
  const { answered = [], file, format, rows } = given;
  if (answered.length === 0) return { given, inputs };
  if (file.length > 1) {
    throw new InputError(`Expected one table for --answered but received ${file.length}`);
  }
  return {
    given: { ...given, format: undefined, rows: undefined },
    inputs: {
      ...inputs,
      async table(name) {
        const others = await Promise.all(answered.map((each) => inputs.table(each, false)));
        const filled = [...columns, ...drawColumns];
        return filledTable(await inputs.table(name, format !== undefined), others, {
          filled,
          format,
          rows,
        });
      },
    },
  };
}
