import type { Figure } from "../../report/plots/figure.js";
import { withoutInterval } from "../../report/text/without-interval.js";
import { shellWords } from "../command-line/shell-words.js";
import type { Output } from "../terminal/output.js";
import type { ConclusionFile } from "./conclusion-file.js";
import { conclusionText } from "./conclusion-text.js";
import { type GivenTable, tableName } from "./table-arguments.js";

/**
 * How every verb of `analyze` ends: the file for --out, the picture for --plot, the result, and the
 * command that does more with it.
 *
 * @param title what the page's title says before the table's name
 * @param words those of the verb: its command line with other files, or --json
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
  words,
  ...conclusion
}: Omit<ConclusionFile, "page" | "command"> & {
  readonly figure: () => Promise<Figure>;
  readonly draw: (figure: () => Promise<Figure>, output: Output) => Promise<void>;
  readonly given: GivenTable & { readonly out: string | undefined };
  readonly write: (file: ConclusionFile) => Promise<void>;
  readonly output: Output;
  readonly words: (files: Files & { readonly json?: boolean }) => readonly string[];
  readonly title: string;
  readonly example: string;
}): Promise<void> {
  const { json } = conclusion;
  const command = shellWords(["touchstone", ...words(noFiles)]);
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
  await write({ ...conclusion, command, readable, page });
  await draw(figure, output);
  output.resultJson(json);
  output.result(conclusionText(readable, output.style));
  if (given.out !== undefined) output.note(`Wrote ${given.out}`);
  output.nextCommand(
    words(given.out === undefined ? { ...noFiles, out: example } : { ...noFiles, json: true }),
  );
}

interface Files {
  readonly out: string | undefined;
  readonly plot: string | undefined;
}

/** The command that concludes the same is named without what it also wrote. */
const noFiles: Files = { out: undefined, plot: undefined };
