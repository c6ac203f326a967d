import type { Conclusion } from "../../conclusions/conclusion.js";
import { type GivenTable, type Inputs, tableArguments } from "../../conclusions/table-options.js";
import { asJson } from "../../core/json.js";
import type { Arguments, Given } from "../../core/options.js";
import type { Figure } from "../../views/figures/figure.js";
import type { ReadableConclusion } from "../../views/text-table.js";
import type { ImagePair } from "../../views/view.js";
import { withoutInterval } from "../../views/without-interval.js";
import type { CommandDefinition } from "../command-line/command.js";
import { type CsvRow, flatTable } from "./flat-table.js";

/** A verb that concludes something from a table: what differs between such verbs. */
interface ConclusionDefinition<Own extends Arguments, Rows, Found extends object>
  extends Pick<CommandDefinition<Own>, "description" | "examples"> {
  /** Its own; those of every table stand before them. */
  readonly arguments: Own;
  /** Start of the page's title, before the table's name. */
  readonly title: string;
  /** A name for the page that the next command suggests. */
  readonly example: string;
  /** The table's rows; `tableReader` makes it from columns. */
  readonly read: (given: GivenTable & Given<NoInfer<Own>>, inputs: Inputs) => Promise<Rows>;
  /** Output of --json, beside the verdict. */
  conclude(
    rows: NoInfer<Rows>,
    given: GivenTable & Given<NoInfer<Own>>,
    inputs: Inputs,
  ): Found | Promise<Found>;
  readable(found: NoInfer<Found>, given: Given<Own>): ReadableConclusion;
  /** A row for each thing reported. */
  csv(found: NoInfer<Found>): readonly CsvRow[];
  /** The conclusion as a picture; it loads plots when it is asked for. */
  figure(found: NoInfer<Found>, rows: NoInfer<Rows>): Promise<Figure>;
  /** Two images to look at beside the picture; undefined where the table names none. */
  pair?(found: NoInfer<Found>, rows: NoInfer<Rows>, given: Given<Own>): ImagePair | undefined;
  /** Which other file it reads: --out and --plot never replace it. */
  alsoReads?(given: Given<Own>): string | undefined;
  /** Throws once all is shown, such as for a missed gate. */
  finish?(found: NoInfer<Found>, given: Given<Own>): void;
}

/**
 * Declares a verb that concludes from a table. It knows neither files nor a terminal: `conclusionCommand`
 * makes a command of it, and the studio's page runs it in the browser.
 */
export function conclusion<const Own extends Arguments, Rows, const Found extends object>(
  verb: ConclusionDefinition<Own, Rows, Found>,
): Conclusion {
  return {
    description: verb.description,
    examples: verb.examples,
    title: verb.title,
    page: verb.example,
    arguments: { ...tableArguments, ...verb.arguments },
    alsoReads: (given) => verb.alsoReads?.(own<Own>(given)),
    async conclude(parsed, inputs) {
      const given = own<Own>(parsed);
      const rows = await verb.read(given, inputs);
      const found = await verb.conclude(rows, given, inputs);
      const readable = verb.readable(found, given);
      return {
        json: () => asJson({ ...found, verdict: readable.verdict }),
        view: { ...readable, warnings: [...readable.warnings, ...withoutInterval(found)] },
        table: () => flatTable(verb.csv(found)),
        figure: () => verb.figure(found, rows),
        pair: () => verb.pair?.(found, rows, given),
        finish: () => verb.finish?.(found, given),
      };
    },
  };
}

/** The words were read against these very declarations. */
const own = <Own extends Arguments>(given: GivenTable) =>
  given as unknown as GivenTable & Given<Own>;
