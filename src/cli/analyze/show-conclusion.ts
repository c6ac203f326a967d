import type { Output } from "../output.js";
import type { ConclusionFile } from "./conclusion-file.js";
import { conclusionText } from "./conclusion-text.js";
import { type GivenTable, tableName } from "./table-arguments.js";

/**
 * How every verb of `analyze` ends: the file for --out, the result, and the command that does more
 * with it.
 *
 * @param title what the page's title says before the table's name
 * @param page a page of the verb's own, in place of verdict and tables
 * @param example a name for the file that the next command suggests
 */
export async function showConclusion({
  given,
  write,
  output,
  title,
  example,
  page,
  ...conclusion
}: Omit<ConclusionFile, "page"> & {
  readonly page?: ConclusionFile["page"];
  readonly given: GivenTable & { readonly out: string | undefined };
  readonly write: (file: ConclusionFile) => Promise<void>;
  readonly output: Output;
  readonly title: string;
  readonly example: string;
}): Promise<void> {
  const { readable, command, json } = conclusion;
  const ownPage = async () => {
    const { conclusionPage } = await import("../../report/conclusion-page.js");
    return conclusionPage(readable, { title: `${title}: ${tableName(given)}`, command });
  };
  await write({ ...conclusion, page: page ?? ownPage });
  output.resultJson(json);
  output.result(conclusionText(readable, output.style));
  if (given.out !== undefined) output.note(`Wrote ${given.out}`);
  output.nextCommand(given.out === undefined ? `${command} --out ${example}` : `${command} --json`);
}
