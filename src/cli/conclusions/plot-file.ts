import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { TopLevelSpec } from "vega-lite";
import { InputError } from "../../core/errors.js";
import type { Arguments } from "../../core/options.js";
import { kindAt } from "../../files/regular-file.js";
import type { Figure } from "../../views/figures/figure.js";
import { byEnding } from "../command-line/out-path.js";
import type { Output } from "../terminal/output.js";

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
    if ((await realPath(resolve(workingDirectory, other))) === (await realPath(path))) {
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

/** The file under whatever name; what is not there yet is what it is called. */
const realPath = (path: string) => realpath(path).catch(() => path);
