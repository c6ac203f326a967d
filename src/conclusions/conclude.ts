import { InputError } from "../core/errors.js";
import { type Filled, givenOf } from "../core/options.js";
import type { TableBytes } from "../tables/bytes.js";
import type { Concluded } from "./conclusion.js";
import { conclusionNamed, verbWords } from "./conclusions.js";
import type { GivenTable } from "./table-options.js";

/**
 * Concludes from a table what the verb `name` does: its JSON, its View, the unrounded table and the figure.
 *
 * @param name the verb of `analyze`, or `compare`.
 * @param table `tableOf` its text or bytes.
 * @param options flags of the verb by name, as texts; `true` for a switch.
 * @throws InputError for a table or an option that the verb refuses, and for a second file.
 * @example (await conclude("swap", tableOf("a.csv", text), { seed: "3" })).json()
 */
export async function conclude(
  name: string,
  table: TableBytes,
  options: Filled = {},
): Promise<Concluded> {
  const registered = conclusionNamed(name);
  const { default: conclusion } = await registered.load();
  const filled = { ...options, file: table.name };
  const given = givenOf(filled, conclusion.arguments, verbWords(registered).join(" "));
  const noOther = () => {
    throw new InputError("Expected one table: another file is read on the command line only");
  };
  // The options were read against the conclusion's own declarations.
  return conclusion.conclude(given as unknown as GivenTable, {
    table: async (asked) => (asked === table.name ? table : noOther()),
    text: async () => noOther(),
  });
}
