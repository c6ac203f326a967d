import { asJson, type JsonObject } from "../core/json.js";
import type { Arguments, Given } from "../core/options.js";
import type { CellTable } from "../tables/cell-table.js";
import type { ColumnKinds } from "../tables/columns.js";
import type { Table, TableShape } from "../tables/shapes.js";
import { readTable } from "../tables/table.js";
import type { Figure } from "../views/figures/figure.js";
import { pluralText } from "../views/number-text.js";
import { dataCells, type ImagePair, type View, type ViewWithData } from "../views/view.js";
import type { SumsSpec } from "./sums/sums-query.js";
import {
  type GivenTable,
  type Inputs,
  rowsOrSums,
  tableArguments,
  tableRequest,
} from "./table-options.js";

/** A small table of a conclusion: data/examples/NAME.csv, which it takes as it is. */
export interface ConclusionExample {
  /** What it shows, as in "two metrics' scores of eight triplets". */
  readonly shows: string;
  /** Words of the command line without which it is not concluded from. */
  readonly words?: readonly string[];
}

/** What a conclusion is and how it is shown; one line of `conclusions.ts` registers it. */
interface ConclusionDefinition<Own extends Arguments, Read, Found extends object> {
  /** Start of the page's title, before the table's name. */
  readonly title: string;
  readonly description: string;
  readonly examples: readonly [string, ...string[]];
  readonly example: ConclusionExample;
  /** A name for the page that the next command suggests. */
  readonly page: string;
  /** Its own options; those of every table stand before them. */
  readonly options: Own;
  /** How rows are summed by cluster, and such sums read, where it rests on them. */
  sums?(): Promise<{
    readonly sums: SumsSpec;
    read(given: GivenTable & Given<NoInfer<Own>>, inputs: Inputs): Promise<NoInfer<Read>>;
  }>;
  /** Where it needs all rows: the column that names what its intervals draw as a whole. */
  readonly sampledBy?: string;
  /**
   * Reads the table: `inColumns` of what columns.ts asks for, called outside of the definition, where its types are
   * inferred.
   */
  readonly read: (given: GivenTable & Given<NoInfer<Own>>, inputs: Inputs) => Promise<Read>;
  /** Output of --json, beside the verdict. */
  conclude(
    table: NoInfer<Read>,
    given: GivenTable & Given<NoInfer<Own>>,
    inputs: Inputs,
  ): Found | Promise<Found>;
  view(found: NoInfer<Found>, given: GivenTable & Given<NoInfer<Own>>): ViewWithData;
  /** The conclusion as a picture, if it has one; its code is loaded when it is asked for. */
  figure?(found: NoInfer<Found>, table: NoInfer<Read>): Promise<Figure | undefined>;
  /** Two images to look at beside the picture; undefined where the table names none. */
  pair?(
    found: NoInfer<Found>,
    table: NoInfer<Read>,
    given: Given<NoInfer<Own>>,
  ): ImagePair | undefined;
  /** Further tables that it can write, by the start of their flag: `answers` is --answers-out FILE. */
  readonly files?: Readonly<
    Record<string, { readonly description: string; table(found: NoInfer<Found>): CellTable }>
  >;
  /** Other files that are read: --out and --plot never replace them. */
  alsoReads?(given: Given<NoInfer<Own>>): readonly string[];
  /** Throws once all is shown, such as for a missed gate. */
  finish?(found: NoInfer<Found>, given: Given<NoInfer<Own>>): void;
}

/** A conclusion, with its own types forgotten. */
export interface Conclusion
  extends Pick<
    ConclusionDefinition<Arguments, unknown, object>,
    "title" | "description" | "examples" | "page" | "sampledBy"
  > {
  /** How rows are summed by cluster, where it rests on such sums. */
  sums?(): Promise<SumsSpec>;
  readonly arguments: Arguments;
  readonly hasFigure: boolean;
  /** What --NAME-out writes, by its name. */
  readonly files: Readonly<Record<string, { readonly description: string }>>;
  readonly example?: ConclusionExample;
  alsoReads(given: GivenTable): readonly string[];
  /**
   * Reads the table and concludes. The studio's page does so in a browser, by the same code as the
   * command line.
   *
   * @param given what was read against `arguments`.
   * @throws InputError for a table that can't be read.
   */
  conclude(given: GivenTable, inputs: Inputs): Promise<Concluded>;
}

/** What was concluded from a table, in every form in which it is shown. */
export interface Concluded {
  /** Output of --json. */
  json(): JsonObject;
  readonly view: View;
  /** Unrounded, a row for each thing reported. */
  table(): CellTable;
  /** Further tables, by the name in `files`. */
  readonly files: Readonly<Record<string, () => CellTable>>;
  figure(): Promise<Figure | undefined>;
  /** Two images to look at beside it. */
  pair(): ImagePair | undefined;
  /** @throws GateError where a gate was missed: once all is shown. */
  finish(): void;
}

/**
 * Declares a conclusion. It knows neither files nor a terminal: `conclusionCommand` makes a command of
 * it, and the studio's page runs it in the browser.
 */
export function conclusion<const Own extends Arguments, Read, const Found extends object>(
  definition: ConclusionDefinition<Own, Read, Found>,
): Conclusion {
  const { title, description, examples, example, page, options, sums } = definition;
  return {
    title,
    description,
    examples,
    example,
    page,
    arguments: { ...tableArguments, ...options },
    ...(definition.sampledBy && { sampledBy: definition.sampledBy }),
    ...(sums && { sums: async () => (await sums()).sums }),
    hasFigure: definition.figure !== undefined,
    files: definition.files ?? {},
    alsoReads: (given) => definition.alsoReads?.(own<Own>(given)) ?? [],
    async conclude(parsed, inputs) {
      const given = own<Own>(parsed);
      const told: string[] = [];
      const telling: Inputs = {
        ...inputs,
        tell(sentence, isWarning) {
          if (isWarning === true) told.push(sentence);
          inputs.tell?.(sentence, isWarning);
        },
      };
      const table = await rowsOrSums(
        definition.read,
        sums && (async (...read) => (await sums()).read(...read)),
        [given, telling],
      );
      const found = await definition.conclude(table, given, telling);
      const { data, ...view } = definition.view(found, given);
      return {
        json: () => asJson({ ...found, ...withTold(found, told), verdict: view.verdict }),
        view: { ...view, caveats: [...view.caveats, ...withoutInterval(found)] },
        table: () => dataCells(data),
        files: Object.fromEntries(
          Object.entries(definition.files ?? {}).map(([name, { table }]) => [
            name,
            () => table(found),
          ]),
        ),
        figure: async () => definition.figure?.(found, table),
        pair: () => definition.pair?.(found, table, given),
        finish: () => definition.finish?.(found, given),
      };
    },
  };
}

/** A conclusion's warnings with what was told of the table; nothing where there is nothing to add. */
const withTold = (found: object, told: readonly string[]) =>
  told.length > 0 && "warnings" in found && Array.isArray(found.warnings)
    ? { warnings: [...found.warnings, ...told] }
    : {};

/** Reads tables of the shape that columns.ts gives for what was asked for. */
export const inColumns =
  <Asked, Kinds extends ColumnKinds>(shapeOf: (given: Asked) => TableShape<Kinds>) =>
  /** @throws InputError as `readTable` does. */
  async (given: GivenTable & Asked, inputs: Inputs): Promise<Table<Kinds>> =>
    readTable({ ...(await tableRequest(given, inputs)), shape: shapeOf(given) });

/** The words were read against these very options. */
const own = <Own extends Arguments>(given: GivenTable) =>
  given as unknown as GivenTable & Given<Own>;

/**
 * Counts, in a sentence for each reason, the numbers that stand without an interval.
 * Those with a one-sided bound have that in its place.
 *
 * @param conclusion any, as `--json` prints it.
 * @example withoutInterval({ spearman: { value: 1, low: null, high: null, reason: "no interval: …" } })
 * // ["1 estimate has no interval: …"]
 */
export function withoutInterval(conclusion: unknown): string[] {
  const counts = new Map<string, number>();
  for (const reason of reasonsIn(conclusion)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(
    ([reason, count]) =>
      `${pluralText(count, "estimate")} ${count === 1 ? "has" : "have"} ${reason}`,
  );
}

function reasonsIn(conclusion: unknown): string[] {
  if (typeof conclusion !== "object" || conclusion === null) return [];
  const own =
    "value" in conclusion &&
    typeof conclusion.value === "number" &&
    "low" in conclusion &&
    conclusion.low === null &&
    "reason" in conclusion &&
    typeof conclusion.reason === "string" &&
    conclusion.reason.startsWith("no interval") &&
    !("oneSided" in conclusion)
      ? [conclusion.reason]
      : [];
  // What is only made when it is asked for holds points of a curve, no estimates.
  const held = Array.isArray(conclusion)
    ? conclusion
    : Object.values(Object.getOwnPropertyDescriptors(conclusion)).map(({ value }) => value);
  return [...own, ...held.flatMap(reasonsIn)];
}
