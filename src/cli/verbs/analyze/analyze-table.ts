import { conclusions, verbWords } from "../../../conclusions/conclusions.js";
import { guessTable, type TableGuess } from "../../../conclusions/guess-table.js";
import { outArgument, tableArguments, tableName } from "../../../conclusions/table-options.js";
import { InputError } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import { listText } from "../../../core/phrases.js";
import { matchingFiles } from "../../../files/matching-files.js";
import { tableRows } from "../../../tables/table-rows.js";
import { command, invocationOf, sharedArguments } from "../../command-line/command.js";
import { parseArguments } from "../../command-line/parse-arguments.js";
import { detailsArgument, openArgument } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { conclusionCommand, filesOf } from "../../conclusions/conclusion-command.js";
import type { Environment } from "../../environment.js";

/** How many rows are looked at to see what a table is. */
const rowsSeen = 500;

/** A table without a verb: guesses which one reads it, says what else it could be, and runs that. */
export default command({
  description:
    "Guesses from a table's columns which verb of analyze reads it, says which others could, and concludes by it.",
  examples: ["touchstone analyze scores.csv", "touchstone analyze scores.csv --out page.html"],
  arguments: { ...tableArguments, ...outArgument, ...openArgument, ...detailsArgument },
  async run({ given, environment, output, words }) {
    const [file, ...others] = await matchingFiles(given.file, environment.workingDirectory);
    if (file === undefined) throw new InputError("Expected a table but received none");
    const { columns, guesses } = await seen(file, given, environment);
    const readers = guesses.flatMap((guess) => {
      const listed = conclusions.find(({ name }) => name === guess.verb);
      return listed === undefined ? [] : [{ guess, listed, words: readingWords(guess) }];
    });
    const [best, ...more] = readers.filter(
      ({ listed }, at) => readers.findIndex((one) => one.listed === listed) === at,
    );
    const name = tableName({ file: [file, ...others] });
    if (best === undefined) {
      throw new InputError(
        `Expected columns that a verb of analyze reads in ${name} but it has ${listText(columns)}`,
        {
          hint: `A column a model: touchstone compare FILE --scores NAME=COLUMN,… --map prompt=COLUMN
A column a metric, beside ratings: touchstone analyze correlation FILE --human COLUMN
A judge's votes on pairs, beside people's: touchstone judge check FILE --map vote=COLUMN --map human=COLUMN
What each verb reads: touchstone analyze --help; a sample: touchstone example VERB`,
        },
      );
    }
    const path = verbWords(best.listed);
    const also = more.map(({ listed, words: own }) =>
      shellWords(["touchstone", ...verbWords(listed), ...given.file, ...own]),
    );
    output.note(
      `Read as ${shellWords(["touchstone", ...path, ...given.file, ...best.words])}` +
        (also.length === 0 ? "." : `. It could also be: ${also.join("; ")}`),
    );
    const reading = conclusionCommand((await best.listed.load()).default);
    // What this command was given, without its name, reads the same way.
    const line = [...words().slice(1), ...best.words];
    const declared = { ...reading.arguments, ...sharedArguments };
    const { json, debug } = given;
    const call = { ...parseArguments(line, declared, path.join(" ")), json, debug };
    await reading.run(
      invocationOf(
        { name: path.join(" "), command: reading },
        {
          given: call,
          environment,
          output: {
            ...output,
            resultJson: (value) =>
              output.resultJson({
                conclusion: best.listed.name,
                couldBe: more.map(({ listed }) => listed.name),
                ...(value as JsonObject),
              }),
          },
        },
      ),
    );
  },
});

/** The columns of a table, and what its columns and first rows may be. */
async function seen(
  file: string,
  { format }: { readonly format: Parameters<typeof tableRows>[0]["format"] },
  environment: Environment,
) {
  if (file === "-") {
    throw new InputError("Expected a file, to look at its columns first, but received -", {
      hint: "Of standard input name the verb: touchstone analyze contrastive -",
    });
  }
  const columns = new Set<string>();
  const rows: Readonly<Record<string, unknown>>[] = [];
  const source = await filesOf(environment).table(file, format !== undefined);
  for await (const { all } of tableRows({ source, format, columns: {} })) {
    for (const name of Object.keys(all)) columns.add(name);
    rows.push(all);
    if (rows.length === rowsSeen) break;
  }
  return { columns: [...columns], guesses: await guessTable([...columns], rows) };
}

const readingWords = ({ flags, map }: TableGuess): string[] => [
  ...flags,
  ...Object.entries(map).flatMap(([to, from]) => ["--map", `${to}=${from}`]),
];
