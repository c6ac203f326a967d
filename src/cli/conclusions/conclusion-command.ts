import { asJson } from "../../core/json.js";
import type { Figure } from "../../report/plots/figure.js";
import type { ReadableConclusion } from "../../report/text/text-table.js";
import { withoutInterval } from "../../report/text/without-interval.js";
import type { Arguments, Given } from "../command-line/arguments.js";
import type { Command, CommandDefinition } from "../command-line/command.js";
import { checkOut } from "../command-line/out-path.js";
import { shellWords } from "../command-line/shell-words.js";
import type { Environment } from "../environment.js";
import { fileWriter } from "./conclusion-file.js";
import { conclusionText } from "./conclusion-text.js";
import { type CsvRow, csvTable } from "./csv-table.js";
import { plotArgument, plotWriter } from "./plot-file.js";
import { type GivenTable, outArgument, tableArguments, tableName } from "./table-arguments.js";

interface GivenFiles extends GivenTable {
  readonly out: string | undefined;
  readonly plot: string | undefined;
}

/** A verb that concludes something from a table: what differs between such verbs. */
export interface ConclusionDefinition<Own extends Arguments, Rows, Conclusion extends object>
  extends Pick<CommandDefinition<Own>, "description" | "examples"> {
  /** Its own; those of every table, --out and --plot stand around them. */
  readonly arguments: Own;
  /** What the page's title says before the table's name. */
  readonly title: string;
  /** A name for the page that the next command suggests. */
  readonly example: string;
  /** The table's rows; `tableReader` makes it from columns. */
  readonly read: (
    given: GivenTable & Given<NoInfer<Own>>,
    environment: Environment,
  ) => Promise<Rows>;
  /** What --json prints, beside the verdict. */
  conclude(
    rows: NoInfer<Rows>,
    given: GivenTable & Given<NoInfer<Own>>,
    environment: Environment,
  ): Conclusion | Promise<Conclusion>;
  readable(conclusion: NoInfer<Conclusion>, given: Given<Own>): ReadableConclusion;
  /** A row for each thing reported. */
  csv(conclusion: NoInfer<Conclusion>): readonly CsvRow[];
  /** The conclusion as a picture; it loads plots when it is asked for. */
  figure(conclusion: NoInfer<Conclusion>, rows: NoInfer<Rows>): Promise<Figure>;
  /** Which other file it reads: --out and --plot never replace it. */
  alsoReads?(given: Given<Own>): string | undefined;
  /** What is thrown once all is shown, such as a missed gate. */
  finish?(conclusion: NoInfer<Conclusion>, given: Given<Own>): void;
}

/**
 * Declares a verb of `analyze`, or another that concludes from a table: it reads the table, prints the
 * conclusion as text or JSON, writes --out and --plot, and names a command that does more with it. One
 * suite, `conclusion-command.test.ts`, holds all of them to this.
 */
export function conclusionCommand<
  const Own extends Arguments,
  Rows,
  const Conclusion extends object,
>(verb: ConclusionDefinition<Own, Rows, Conclusion>): Command {
  return {
    kind: "command",
    description: verb.description,
    examples: verb.examples,
    arguments: { ...tableArguments, ...verb.arguments, ...outArgument, ...plotArgument },
    async run({ given: parsed, environment, output, words }) {
      // The line is parsed against these very declarations.
      const given = parsed as unknown as GivenFiles & Given<Own>;
      const write = await fileWriter(given, environment);
      const draw = await plotWriter(given, environment);
      const inputs = [verb.alsoReads?.(given)];
      await checkOut(given.out, { ...environment, inputs });
      await checkOut(given.plot, { ...environment, inputs, flag: "plot" });

      const rows = await verb.read(given, environment);
      const conclusion = await verb.conclude(rows, given, environment);
      const found = verb.readable(conclusion, given);
      const json = asJson({ ...conclusion, verdict: found.verdict });
      const readable = { ...found, warnings: [...found.warnings, ...withoutInterval(json)] };
      const figure = () => verb.figure(conclusion, rows);
      // The command that concludes the same is named without what it also wrote.
      const noFiles = { out: undefined, plot: undefined };
      const command = shellWords(["touchstone", ...words(noFiles)]);

      await write({
        json,
        readable,
        command,
        csv: () => csvTable(verb.csv(conclusion)),
        async page() {
          const { conclusionPage } = await import("../../report/pages/conclusion-page.js");
          const title = `${verb.title}: ${tableName(given)}`;
          return conclusionPage(readable, { title, command, figure: await figure() });
        },
      });
      await draw(figure, output);
      output.resultJson(json);
      output.result(conclusionText(readable, output.style));
      if (given.out !== undefined) output.note(`Wrote ${given.out}`);
      output.nextCommand(
        words({
          ...noFiles,
          ...(given.out === undefined ? { out: verb.example } : { json: true }),
        }),
      );
      verb.finish?.(conclusion, given);
    },
  };
}
