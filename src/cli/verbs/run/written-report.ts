import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../../files/atomic.js";
import { openDocuments, storePlace } from "../../../files/open-store.js";
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

const pageName = "report.html";
const verdictName = "verdict.json";

/**
 * Writes the report of a run beside its records, with what it comes to, for pages that link to it; or
 * the page alone to `out`.
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
  const { workingDirectory } = environment;
  const documents = openDocuments(storePlace(run, workingDirectory));
  const own = documents.addressOf(pageName);
  const path = out === undefined ? own : resolve(workingDirectory, out);
  const html = await page(dirname(path));
  if (path === own) {
    await documents.write(pageName, html);
    await documents.write(verdictName, `${JSON.stringify({ verdict }, null, 2)}\n`);
  } else await writeFileAtomically(path, html);
  const { size } = await stat(path);
  return { path, shown: shownPath(path, environment), bytes: size, verdict };
}

const verdictSchema = z.object({ verdict: z.array(z.string()) });

/** Where the report of the run at a place stands, or will. */
export const reportAddress = (place: string): string => openDocuments(place).addressOf(pageName);

/** The report that stands beside the run of a place; undefined where there is none. */
export async function standingReport(
  place: string,
): Promise<{ readonly path: string; readonly verdict: readonly string[] } | undefined> {
  const documents = openDocuments(place);
  if (!(await documents.has(pageName))) return undefined;
  // A page that another version wrote may have none beside it.
  const { data } = verdictSchema.safeParse(parsed((await documents.read(verdictName)) ?? "{}"));
  return { path: documents.addressOf(pageName), verdict: data?.verdict ?? [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A verdict on a terminal: each sentence on lines of its own. */
export const verdictText = (verdict: readonly string[]): string =>
  verdict.map((sentence) => wrap(printable(sentence), 100)).join("\n");

export const reportLine = ({ shown, bytes }: WrittenReport): string =>
  `Report: ${shown} (${sizeText(bytes)}); open it in a browser.`;
