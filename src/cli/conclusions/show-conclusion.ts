import type { Figure } from "../../report/plots/figure.js";
import { withoutInterval } from "../../report/text/without-interval.js";
import { wordsOf } from "../command-line/shell-words.js";
import type { Output } from "../terminal/output.js";
import type { ConclusionFile } from "./conclusion-file.js";
import { conclusionText } from "./conclusion-text.js";
import { type GivenTable, tableName } from "./table-arguments.js";

/**
 * How every verb of `analyze` ends: the file for --out, the picture for --plot, the result, and the
 * command that does more with it.
 *
 * @param title what the page's title says before the table's name
 * @param figure the conclusion as a picture; it loads plots when it is asked for
 * @param draw writes the figure where --plot wants it
 * @param example a name for the file that the next command suggests
 */
export async function showConclusion({
  given,
  write,
  output,
  title,
  example,
  figure,
  draw,
  ...conclusion
}: Omit<ConclusionFile, "page"> & {
  readonly figure: () => Promise<Figure>;
  readonly draw: (figure: () => Promise<Figure>, output: Output) => Promise<void>;
  readonly given: GivenTable & { readonly out: string | undefined };
  readonly write: (file: ConclusionFile) => Promise<void>;
  readonly output: Output;
  readonly title: string;
  readonly example: string;
}): Promise<void> {
  const { command, json } = conclusion;
  const { warnings } = conclusion.readable;
  const readable = {
    ...conclusion.readable,
    warnings: [...warnings, ...withoutInterval(json)],
  };
  const page = async () => {
    const { conclusionPage } = await import("../../report/pages/conclusion-page.js");
    return conclusionPage(readable, {
      title: `${title}: ${tableName(given)}`,
      command,
      figure: await figure(),
    });
  };
  await write({ ...conclusion, readable, page });
  await draw(figure, output);
  output.resultJson(json);
  output.result(conclusionText(readable, output.style));
  if (given.out !== undefined) output.note(`Wrote ${given.out}`);
  const [, ...words] = wordsOf(command);
  output.nextCommand([...words, ...(given.out === undefined ? ["--out", example] : ["--json"])]);
}
