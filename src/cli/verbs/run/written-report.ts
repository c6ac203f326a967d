import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { writeFileAtomically } from "../../../files/atomic.js";
import { reportPage, verdictFile } from "../../../report/pages/standing-report.js";
import { sizeText } from "../../../report/text/number-text.js";
import { printable } from "../../../report/text/printable.js";
import type { Environment } from "../../environment.js";
import { wrap } from "../../terminal/wrap.js";
import { shownPath } from "./collect.js";
import type { MadeReport } from "./made-report.js";

/** A page that was written, and what it comes to. */
export interface WrittenReport {
  readonly path: string;
  /** As a person would type it. */
  readonly shown: string;
  readonly bytes: number;
  readonly verdict: readonly string[];
}

/**
 * Writes the report of a run into its folder, and beside it what it comes to, for pages that link to
 * it; or the page alone to `out`.
 */
export async function writeReport(
  { verdict, page }: Pick<MadeReport, "verdict" | "page">,
  {
    run,
    out,
    environment,
  }: {
    readonly run: string;
    readonly out?: string | undefined;
    readonly environment: Environment;
  },
): Promise<WrittenReport> {
  const directory = resolve(environment.workingDirectory, run);
  const own = join(directory, reportPage);
  const path = out === undefined ? own : resolve(environment.workingDirectory, out);
  await writeFileAtomically(path, await page(dirname(path)));
  if (path === own) {
    const said = `${JSON.stringify({ verdict }, null, 2)}\n`;
    await writeFileAtomically(join(directory, verdictFile), said);
  }
  const { size } = await stat(path);
  return { path, shown: shownPath(path, environment), bytes: size, verdict };
}

/** A verdict on a terminal: each sentence on lines of its own. */
export const verdictText = (verdict: readonly string[]): string =>
  verdict.map((sentence) => wrap(printable(sentence), 100)).join("\n");

export const reportLine = ({ shown, bytes }: WrittenReport): string =>
  `Report: ${shown} (${sizeText(bytes)}); open it in a browser.`;
