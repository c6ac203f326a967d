import { resolve } from "node:path";
import type { TopLevelSpec } from "vega-lite";
import { InputError } from "../../core/errors.js";
import type { Json } from "../../core/json.js";
import type { Arguments } from "../../core/options.js";
import type { FileContent } from "../../files/atomic.js";
import { realPath } from "../../files/paths.js";
import { kindAt } from "../../files/regular-file.js";
import { type CellTable, csvText } from "../../tables/cell-table.js";
import type { Figure } from "../../views/figures/figure.js";
import type { View } from "../../views/view.js";
import { byEnding, checkOut } from "../command-line/out-path.js";
import type { Output } from "../terminal/output.js";

/** Content of a file about a conclusion. */
export interface ConclusionFile {
  /** Output of --json. */
  json(): Json;
  /** Unrounded, a row for each thing reported. */
  table(): CellTable;
  readonly view: View;
  /** The command that makes it again. */
  readonly command: string;
  /** One HTML page. The only one that may draw: it loads plots when it is asked for. */
  page(): Promise<string>;
}

const tableWriters: Readonly<
  Record<string, (table: CellTable) => FileContent | Promise<FileContent>>
> = {
  ".csv": csvText,
  ".parquet": async (table) => (await import("../../files/rows-file.js")).parquetBytes(table),
};

const writers: Readonly<
  Record<string, (file: ConclusionFile) => FileContent | Promise<FileContent>>
> = {
  ".json": ({ json }) => `${JSON.stringify(json(), null, 2)}\n`,
  ...Object.fromEntries(
    Object.entries(tableWriters).map(([ending, write]) => [ending, (file) => write(file.table())]),
  ),
  ".md": async ({ view, command }) =>
    (await import("../../views/markdown.js")).markdownOf(view, command),
  ".html": (file) => file.page(),
};

/**
 * Returns a writer of the file named by --out, if there is one; `file` is what is read.
 *
 * @throws InputError for an ending that is none of .json, .csv, .parquet, .md and .html, and for a table that is read.
 */
export const fileWriter = (
  { out, file }: { readonly out: string | undefined; readonly file: readonly string[] },
  { workingDirectory }: Place,
) => writerOf(out, { flag: "out", writers, inputs: file, workingDirectory });

/** The same of a further table, for the flag that names its file. */
export const tableWriter = (
  out: string | undefined,
  options: Place & { readonly flag: string; readonly inputs: readonly string[] },
) => writerOf(out, { ...options, writers: tableWriters });

interface Place {
  readonly workingDirectory: string;
}

async function writerOf<Content>(
  out: string | undefined,
  {
    flag,
    writers,
    inputs,
    workingDirectory,
  }: Place & {
    readonly flag: string;
    readonly writers: Readonly<
      Record<string, (content: Content) => FileContent | Promise<FileContent>>
    >;
    readonly inputs: readonly string[];
  },
): Promise<(content: Content) => Promise<void>> {
  if (out === undefined) return async () => {};
  const writer = byEnding(writers, out, flag);
  await checkOut(out, { inputs, workingDirectory, flag });
  return async (content) => {
    const { writeFileAtomically } = await import("../../files/atomic.js");
    await writeFileAtomically(resolve(workingDirectory, out), await writer(content));
  };
}

export const plotArgument = {
  plot: { kind: "text", value: "FILE", description: "also draw it: .svg or .png" },
} as const satisfies Arguments;

type Drawer = (spec: TopLevelSpec, output: Output) => Promise<string | Uint8Array>;

/** Drawers that load their code when called. */
const drawers: Readonly<Record<string, Drawer>> = {
  async ".svg"(spec) {
    const { svgFileOf } = await import("../../report/drawing/svg.js");
    return svgFileOf(spec);
  },
  async ".png"(spec, output) {
    const { lacksLetters, pngOf } = await import("../../report/drawing/png.js");
    if (lacksLetters(spec)) {
      output.warn(
        "The font of a .png has Latin, Greek and Cyrillic letters only; an .svg shows all names",
      );
    }
    return pngOf(spec);
  },
};

/** The files that a verb was given. */
interface GivenFiles {
  /** The tables read; "-" is standard input. */
  readonly file: readonly string[];
  readonly out?: string | undefined;
  readonly plot?: string | undefined;
}

/**
 * Returns what draws a figure into the file named by --plot, if any, and says where it lies.
 *
 * @throws InputError for an ending that is neither .svg nor .png, for a folder, for the table that
 *   is read and for the file of --out: before any work.
 */
export async function plotWriter(
  given: GivenFiles,
  { workingDirectory }: { readonly workingDirectory: string },
): Promise<(figure: () => Promise<Figure | undefined>, output: Output) => Promise<void>> {
  const { plot } = given;
  if (plot === undefined) return async () => {};
  const draw = byEnding(drawers, plot, "plot");
  const path = resolve(workingDirectory, plot);
  if ((await kindAt(path)) === "folder") {
    throw new InputError(`Expected a file for --plot but received the folder "${plot}"`);
  }
  const others = [...given.file.map((file) => ["the input", file]), ["--out", given.out]];
  for (const [what, other] of others) {
    if (other === undefined || other === "-") continue;
    const named = resolve(workingDirectory, other);
    if (((await realPath(named)) ?? named) === ((await realPath(path)) ?? path)) {
      throw new InputError(`Expected another file than ${what} for --plot but received "${plot}"`);
    }
  }
  return async (figure, output) => {
    const drawn = await figure();
    if (drawn === undefined) return;
    const { writeFileAtomically } = await import("../../files/atomic.js");
    await writeFileAtomically(path, await draw(drawn.spec, output));
    output.note(`Drew ${plot}`);
  };
}
