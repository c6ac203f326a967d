import { expressionInterpreter } from "vega-interpreter";
import { argumentWords } from "../../../src/cli/command-line/argument-words.js";
import { shellWords } from "../../../src/cli/command-line/shell-words.js";
import { conclude } from "../../../src/conclusions/conclude.js";
import { guessTable, withReader } from "../../../src/conclusions/guess-table.js";
import { tableArguments } from "../../../src/conclusions/table-options.js";
import { InputError } from "../../../src/core/errors.js";
import { type Filled, givenOf } from "../../../src/core/given-of.js";
import { svgFileOf } from "../../../src/report/drawing/svg.js";
import { csvText } from "../../../src/tables/cell-table.js";
import { tableRows } from "../../../src/tables/table-rows.js";
import type { Figure } from "../../../src/views/figures/figure.js";
import type {
  Analysed,
  AnalysisProblem,
  AnalysisVerb,
  DrawnPlot,
  Question,
  Questions,
  Reply,
  SeenTable,
} from "./analysis.js";
import { fileTable } from "./file-table.js";
import { loadVerbs, wordsOf } from "./verbs.js";

/** How many rows are looked at to see what a table is. */
const rowsSeen = 500;
const rowsShown = 5;

const verbs = loadVerbs();
let table: File | undefined;

const answers: {
  readonly [Kind in keyof Questions]: (
    asks: Questions[Kind]["asks"],
  ) => Questions[Kind]["gets"] | Promise<Questions[Kind]["gets"]>;
} = {
  verbs: async () =>
    Object.entries(await verbs).map(
      ([name, { title, tells, arguments: declared }]): AnalysisVerb => {
        const flags = Object.entries(declared).flatMap(([flag, argument]) =>
          argument.kind === "positional" || Object.hasOwn(tableArguments, flag)
            ? []
            : [[flag, argument] as const],
        );
        return {
          name,
          title,
          columns: Object.keys(tells?.columns ?? {}),
          flags: Object.fromEntries(flags),
        };
      },
    ),
  async look(file) {
    table = file;
    return seen(file);
  },
  conclude: ({ verb, filled }) => analysed(verb, filled),
};

async function seen(file: File): Promise<SeenTable> {
  const columns = new Set<string>();
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const { all } of tableRows({ source: fileTable(file), columns: {} })) {
    for (const name of Object.keys(all)) columns.add(name);
    rows.push(all);
    if (rows.length === rowsSeen) break;
  }
  const names = [...columns];
  const shown = rows.slice(0, rowsShown).map((row) => names.map((name) => cellText(row[name])));
  return { name: file.name, columns: names, rows: shown, guesses: await guessTable(names, rows) };
}

function cellText(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

async function analysed(name: string, filled: Filled): Promise<Analysed> {
  const verb = (await verbs)[name];
  if (verb === undefined || table === undefined) throw new InputError("Expected a table first");
  const file = table;
  const path = wordsOf(name);
  const given = givenOf({ ...filled, file: file.name }, verb.arguments, path.join(" "));
  const concluded = await conclude(name, fileTable(file), filled);
  const figure = await concluded.figure();
  return {
    view: concluded.view,
    command: shellWords(["touchstone", ...path, ...argumentWords(verb.arguments, given)]),
    json: `${JSON.stringify(concluded.json(), null, 2)}\n`,
    csv: csvText(concluded.table()),
    plot: figure && (await drawn(figure)),
  };
}

const drawn = async ({ spec, narrow, title, caption }: Figure): Promise<DrawnPlot> => ({
  svg: await svgFileOf(spec, expressionInterpreter),
  narrow: narrow && (await svgFileOf(narrow, expressionInterpreter)),
  description: spec.description ?? title,
  caption,
});

function problemOf(error: unknown): AnalysisProblem {
  if (error instanceof InputError) {
    const { message, hint, problems } = error;
    return { message, hint, problems };
  }
  const message = `This is a fault of Touchstone: ${error instanceof Error ? error.message : error}`;
  return { message, hint: "Please report it, with the table's first rows.", problems: [] };
}

/** Each kind of question is answered by the answer of its own kind. */
async function answer({ id, kind, asks }: Question): Promise<Reply> {
  try {
    const give = answers[kind] as (asks: unknown) => Promise<Questions[typeof kind]["gets"]>;
    return { id, gets: await give(asks) };
  } catch (error) {
    return { id, problem: problemOf(await withReader(error)) };
  }
}

addEventListener("message", ({ data }: MessageEvent<Question>) => {
  void answer(data).then((reply) => postMessage(reply));
});
