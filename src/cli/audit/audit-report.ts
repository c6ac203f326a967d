import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeFileAtomically } from "../../files/atomic.js";
import type { RunFolder } from "../../files/run-folder.js";
import { sizeText } from "../../report/number-text.js";
import { printable } from "../../report/printable.js";
import type { Environment } from "../environment.js";
import { shownPath } from "../run/collect.js";
import { wrap } from "../wrap.js";

/** The page of an audit, and what it comes to. */
export interface WrittenReport {
  readonly path: string;
  /** As a person would type it. */
  readonly shown: string;
  readonly bytes: number;
  readonly verdict: readonly string[];
}

/** Writes the report of an audit into its run. */
export async function writeReport(
  folder: RunFolder,
  { run, environment }: { readonly run: string; readonly environment: Environment },
): Promise<WrittenReport> {
  const { makeReport } = await import("../run/made-report.js");
  const made = await makeReport({ run: folder, name: run });
  const path = resolve(environment.workingDirectory, join(run, "report.html"));
  await writeFileAtomically(path, await made.page());
  const { size } = await stat(path);
  return { path, shown: shownPath(path, environment), bytes: size, verdict: made.verdict };
}

/** The same for a terminal. */
export const reportText = ({ verdict, shown, bytes }: WrittenReport): string =>
  [
    ...verdict.map((sentence) => wrap(printable(sentence), 100)),
    `Report: ${shown} (${sizeText(bytes)}); open it in a browser.`,
  ].join("\n");
