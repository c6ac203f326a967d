import { dirname, join, resolve } from "node:path";
import type { BenchmarkTables } from "../../../benchmarks/benchmark.js";
import { benchmarkOf } from "../../../benchmarks/benchmarks.js";
import type { RecordStore } from "../../../core/record-store.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { makeFolder } from "../../../files/make-folder.js";
import { type NamedFrom, openDocuments, runPlace, shownPath } from "../../../files/open-store.js";
import { reportPage as pageOf } from "../../../report/pages/report-page.js";
import { drawnOverview, overviewFile, reportPage, verdictFile } from "../../../report/standing.js";
import { sanityOfRun } from "../../../runs/run-sanity.js";
import { sizeText } from "../../../views/number-text.js";
import { printable } from "../../../views/printable.js";
import type { Overview } from "../../../views/report.js";
import { wrap } from "../../terminal/wrap.js";
import { worldOf } from "./benchmark-of.js";

/** A page that was written, and what it comes to. */
export interface WrittenReport {
  readonly path: string;
  /** As a person would type it. */
  readonly shown: string;
  readonly bytes: number;
  readonly verdict: readonly string[];
}

export interface WritableReport {
  readonly verdict: readonly string[];
  /** Overview for the run's page of the studio. */
  readonly overview?: (() => Overview) | undefined;
  /** @param folder where the page will lie: its links begin there. */
  page(folder: string): Promise<string>;
}

/**
 * Writes the report of a run beside its records, with what it comes to, for pages that link to it; under
 * another `name`, or to `out`, the page alone.
 */
export async function writeReport(
  { verdict, overview, page }: WritableReport,
  {
    run,
    name = reportPage,
    out,
    environment,
  }: {
    readonly run: string;
    readonly name?: string | undefined;
    readonly out?: string | undefined;
    readonly environment: NamedFrom;
  },
): Promise<WrittenReport> {
  const { workingDirectory } = environment;
  const documents = openDocuments(runPlace(run, environment));
  const own = documents.addressOf(name);
  const path = out === undefined ? own : resolve(workingDirectory, out);
  const html = await page(dirname(path));
  if (path === own) await documents.write(name, html);
  else await writeFileAtomically(path, html);
  if (path === documents.addressOf(reportPage)) {
    await documents.write(verdictFile, `${JSON.stringify({ verdict }, null, 2)}\n`);
    if (overview !== undefined) {
      await documents.write(overviewFile, `${JSON.stringify(await drawnOverview(overview()))}\n`);
    }
  }
  return { path, shown: shownPath(path, environment), bytes: Buffer.byteLength(html), verdict };
}

/** A verdict on a terminal: each sentence on lines of its own. */
export const verdictText = (verdict: readonly string[], width: number): string =>
  verdict.map((sentence) => wrap(printable(sentence), width)).join("\n");

/** Tells where the page lies and how large it is. */
export const reportLine = ({ shown, bytes }: WrittenReport): string =>
  `Report: ${shown} (${sizeText(bytes)})${/\.md$/i.test(shown) ? "." : "; open it in a browser."}`;

/** Draws the conclusions from a run of a benchmark and writes its report beside it. */
export async function reportRun(
  store: RecordStore,
  { run, environment }: { readonly run: string; readonly environment: NamedFrom },
): Promise<WrittenReport> {
  const { recipe } = store;
  const benchmark = benchmarkOf(recipe);
  const conclusion = await benchmark?.conclude(store, {
    name: run,
    world: await worldOf(recipe),
    documents: openDocuments(runPlace(run, environment)),
  });
  const found = await benchmark?.report?.(conclusion);
  if (found === undefined) throw new RangeError(`Expected a benchmark with a report in ${run}`);
  const sanity = (await sanityOfRun(store))?.verdict;
  const { verdict, overview, report } = found;
  const page = () => pageOf(report(), { sanity });
  return writeReport({ verdict, overview, page }, { run, environment });
}

/** Writes the tables of a run into `directory`, and gives their paths. */
export async function writeTables(
  { files }: BenchmarkTables,
  directory: string,
): Promise<readonly string[]> {
  await makeFolder(directory);
  const paths: string[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(directory, name);
    await writeFileAtomically(path, text);
    paths.push(path);
  }
  return paths;
}
