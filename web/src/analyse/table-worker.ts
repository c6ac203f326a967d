import { argumentWords } from "../../../src/cli/command-line/argument-words.js";
import { shellWords } from "../../../src/cli/command-line/shell-words.js";
import { conclude, conclusionNamed, verbWords } from "../../../src/conclusions/conclusions.js";
import { guessTable, withReader } from "../../../src/conclusions/guess-table.js";
import { InputError } from "../../../src/core/errors.js";
import { type Filled, givenOf } from "../../../src/core/options.js";
import { cellText } from "../../../src/tables/cell-json.js";
import { csvText } from "../../../src/tables/cell-table.js";
import { isNotAvailable, numeric } from "../../../src/tables/columns.js";
import { tableRows } from "../../../src/tables/table-rows.js";
import type {
  Analysed,
  AnalysisProblem,
  Question,
  Questions,
  Reply,
  SeenColumn,
  SeenTable,
} from "./analysis.js";
import { fileTable } from "./file-table.js";
import { sampleOf } from "./samples.js";

/** How many rows are looked at to see what a table is. */
const rowsSeen = 500;
const rowsShown = 5;

let table: File | undefined;

const answers: {
  readonly [Kind in keyof Questions]: (
    asks: Questions[Kind]["asks"],
  ) => Questions[Kind]["gets"] | Promise<Questions[Kind]["gets"]>;
} = {
  sample: sampleOf,
  async look(file) {
    table = file;
    return seen(file);
  },
  conclude: ({ verb, filled }) => analysed(verb, filled),
};

async function seen(file: File): Promise<SeenTable> {
  const columns = new Set<string>();
  const rows: Readonly<Record<string, unknown>>[] = [];
  let isAll = true;
  for await (const { all } of tableRows({ source: fileTable(file), columns: {} })) {
    if (rows.length === rowsSeen) {
      isAll = false;
      break;
    }
    for (const name of Object.keys(all)) columns.add(name);
    rows.push(all);
  }
  const names = [...columns];
  const shown = rows.slice(0, rowsShown).map((row) => names.map((name) => cellText(row[name])));
  return {
    name: file.name,
    columns: names,
    rows: shown,
    about: Object.fromEntries(
      names.map((name) => [name, seenColumn(rows.map((row) => row[name]))]),
    ),
    missing: missingIn(rows),
    seen: { rows: rows.length, isAll },
    guesses: await guessTable(names, rows),
  };
}

/** A column by its cells. */
function seenColumn(all: readonly unknown[]): SeenColumn {
  const cells = all.filter((cell) => cellText(cell) !== "" && !isNotAvailable(cell));
  const isNumber = cells.every((cell) => "value" in numeric.read(cell, { isText: true }));
  return {
    type: cells.length === 0 ? "nothing" : isNumber ? "number" : "text",
    examples: [...new Set(cells.map(cellText))].slice(0, 3),
  };
}

/** The words that stand for no answer, by how many cells hold them. */
function missingIn(rows: readonly Readonly<Record<string, unknown>>[]): SeenTable["missing"] {
  const found = new Map<string, { cells: number; columns: Set<string> }>();
  for (const row of rows) {
    for (const [column, cell] of Object.entries(row)) {
      if (typeof cell !== "string" || cell.trim() === "" || !isNotAvailable(cell)) continue;
      const word = cell.trim();
      const its = found.get(word) ?? { cells: 0, columns: new Set() };
      its.cells++;
      its.columns.add(column);
      found.set(word, its);
    }
  }
  return [...found].map(([word, { cells, columns }]) => ({ word, cells, columns: [...columns] }));
}

async function analysed(name: string, filled: Filled): Promise<Analysed> {
  if (table === undefined) throw new InputError("Expected a table first");
  const file = table;
  const registered = conclusionNamed(name);
  const { arguments: declared } = (await registered.load()).default;
  const path = verbWords(registered);
  const given = givenOf({ ...filled, file: file.name }, declared, path.join(" "));
  const concluded = await conclude(name, fileTable(file), filled);
  const figure = await concluded.figure();
  return {
    view: concluded.view,
    command: shellWords(["touchstone", ...path, ...argumentWords(declared, given)]),
    json: `${JSON.stringify(concluded.json(), null, 2)}\n`,
    csv: csvText(concluded.table()),
    plot: figure && (await (await import("./drawn-plot.js")).drawnPlot(figure)),
  };
}

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
